"""Tables as comma-separated values."""

import csv
import math
import re
from collections.abc import Hashable, Iterator
from decimal import Decimal
from functools import lru_cache
from io import StringIO
from typing import Any, Final

from comet_hist.cli.output.as_json import encode, plain
from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.table import Table

_FORMULA: Final = re.compile(r"[=+@]|-(?!infinity$|\d[\d :.]*(?:(?:year|month|day)s?[\d :.-]*)*$)")
"""How text begins that a spreadsheet would take for a formula, which -infinity as a date and -1 month are not."""


def csv_lines(table: Table) -> Iterator[str]:
    """Give the lines of a table as comma-separated values with a line of names; None is an empty cell.

    Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers.
    """
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="")
    writer.writerow([_cell(column.name) for column in table.columns])
    yield buffer.getvalue()
    for row in table.rows:
        buffer.seek(0)
        buffer.truncate()
        # Whole numbers and text, which are nearly everything, take the shortest way.
        writer.writerow([
            value if type(value) is int else _text_cell(value) if type(value) is str else _cell(value) for value in row
        ])
        yield buffer.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (bool, int, float, Decimal, list, tuple, dict)):
        return encode(value)
    return _text_cell(value)


@lru_cache(maxsize=1024)
def _text_cell(value: Hashable) -> str:
    # The same few names and days stand in most rows.
    text = visible(plain(value))
    return "'" + text if _FORMULA.match(text) else text

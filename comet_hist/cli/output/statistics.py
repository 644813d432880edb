"""How many findings there are of each code."""

import sys
from collections.abc import Iterator, Mapping
from typing import Final

from comet_hist.cli.output.table import Column, Table, render
from comet_hist.cli.output.terminal import terminal_width
from comet_hist.explain import explanations

_COLUMNS: Final = (Column("code"), Column("count", "number"), Column("title"))


def statistics_lines(counts: Mapping[str, int], form: str) -> Iterator[str]:
    """Give the counts of findings for standard output, the most frequent code first.

    Args:
        counts: how many findings there are, by code.
        form: `text`, or a format of tables.
    """
    titles = explanations()
    ordered = sorted(counts, key=lambda code: (-counts[code], code))
    rows = [(code, counts[code], titles[code].title) for code in ordered]
    return render(Table(_COLUMNS, rows), "table" if form == "text" else form, terminal_width(sys.stdout))

"""Tables for people: with straight columns on a terminal, and in Markdown."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from tabulate import tabulate
from wcwidth import wcswidth

from comet_hist.cli.output.as_json import encode, plain
from comet_hist.cli.output.characters import for_markdown, visible
from comet_hist.cli.output.table import Column, Table

_GAP: Final = 2
_HEADER_PADDING: Final = 2
"""Columns that tabulate leaves beside a name above a column."""

_ALIGN: Final = {"text": "left", "number": "decimal", "decimal": "right", "rate": "right"}


def table_lines(table: Table, room: int | None) -> Iterator[str]:
    """Give the lines of a table with aligned columns.

    Where it is wider than `room`, it is broken into several, each of which begins with the first column.
    """
    rows = [[cell(column, value) for column, value in zip(table.columns, row, strict=True)] for row in table.rows]
    for number, part in enumerate(_parts(table.columns, rows, room)):
        if number:
            yield ""
        yield from _drawn([table.columns[at] for at in part], [[row[at] for at in part] for row in rows], "simple")


def markdown_lines(table: Table) -> Iterator[str]:
    """Give the lines of a table in Markdown; signs that mean something there are written with a backslash."""
    rows = [
        [for_markdown(cell(column, value)) for column, value in zip(table.columns, row, strict=True)]
        for row in table.rows
    ]
    columns = [column._replace(name=for_markdown(column.name)) for column in table.columns]
    return _drawn(columns, rows, "pipe")


def _drawn(columns: Sequence[Column], rows: list[list[str]], style: str) -> Iterator[str]:
    # Left to itself tabulate takes names that look like numbers for numbers, and rewrites them.
    drawn = tabulate(
        rows,
        headers=[visible(column.name) for column in columns],
        tablefmt=style,
        disable_numparse=True,
        colalign=[_ALIGN[column.shown] for column in columns] if rows else None,
    )
    return (line.rstrip() for line in drawn.split("\n"))


def _parts(columns: Sequence[Column], rows: list[list[str]], room: int | None) -> list[list[int]]:
    """Return which columns stand side by side, so that each table fits where that can be done."""
    wide = [
        max(wcswidth(visible(column.name)) + _HEADER_PADDING, *(wcswidth(row[at]) for row in rows), 0)
        for at, column in enumerate(columns)
    ]
    if room is None or sum(wide) + _GAP * (len(wide) - 1) <= room:
        return [list(range(len(columns)))]
    parts = [[0]]
    used = wide[0]
    for at in range(1, len(columns)):
        if used + _GAP + wide[at] > room and len(parts[-1]) > 1:
            parts.append([0])
            used = wide[0]
        parts[-1].append(at)
        used += _GAP + wide[at]
    return parts


def cell(column: Column, value: Any) -> str:
    """Return a value as people are shown it in its column; nothing for None."""
    if value is None:
        return ""
    if column.shown == "rate":
        return f"{100 * value:.1f} %"
    if column.shown == "decimal":
        return f"{value:.{column.places}f}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (bool, int, float, Decimal, list, tuple, dict)):
        return visible(encode(value))
    return visible(plain(value))

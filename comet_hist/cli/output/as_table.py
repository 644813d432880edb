"""Tables for people: with straight columns on a terminal, and in Markdown."""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from tabulate import tabulate
from wcwidth import wcswidth

from comet_hist.cli.output.as_json import encode, plain
from comet_hist.cli.output.characters import for_markdown, isolated, visible
from comet_hist.cli.output.rows import row, words, written
from comet_hist.cli.output.table import Column, Table
from comet_hist.cli.output.terminal import on_terminal
from comet_hist.findings import some

_GAP: Final = 2
_HEADER_PADDING: Final = 2
"""Columns that tabulate leaves beside a name above a column."""

_LEAST_TEXT: Final = 20
"""The columns that text in a cell is given at least, where it is wider than the terminal has room for."""

_ALIGN: Final = {"text": "left", "number": "decimal", "decimal": "right", "rate": "right"}


def table_lines(table: Table, room: int | None, more: str | None) -> Iterator[str]:
    """Give the lines of a table with aligned columns; `room` and `more` are those of `table.render`."""
    rows = [[cell(column, value) for column, value in zip(table.columns, row, strict=True)] for row in table.rows]
    if room is None:
        yield from _drawn(table.columns, rows, "simple")
        return
    widths = [_width(column, [row[at] for row in rows]) for at, column in enumerate(table.columns)]
    parts = _parts(widths, room) if more is None else [_foremost(table, widths, room)]
    for number, part in enumerate(parts):
        if number:
            yield ""
        cells = [_wrapped([row[at] for row in rows], size) for at, size in _shares(widths, part, room)]
        lines = _drawn([table.columns[at] for at in part], list(zip(*cells, strict=True)), "simple")
        yield from map(isolated, lines)
    if more is not None and len(parts[0]) < len(widths):
        yield from on_terminal(f"{len(parts[0])} of {some(len(widths), 'column')}, as many as fit; {more}", room)


def markdown_lines(table: Table) -> Iterator[str]:
    """Give the lines of a table in Markdown; signs that mean something there are written with a backslash."""
    rows = [
        [for_markdown(cell(column, value)) for column, value in zip(table.columns, row, strict=True)]
        for row in table.rows
    ]
    columns = [column._replace(name=for_markdown(column.name)) for column in table.columns]
    return _drawn(columns, rows, "pipe")


def _drawn(columns: Sequence[Column], rows: Sequence[Sequence[str]], style: str) -> Iterator[str]:
    # Left to itself tabulate takes names that look like numbers for numbers, and rewrites them.
    drawn = tabulate(
        rows,
        headers=[visible(column.name) for column in columns],
        tablefmt=style,
        disable_numparse=True,
        colalign=[_ALIGN[column.shown] for column in columns] if rows else None,
    )
    return (line.rstrip() for line in drawn.split("\n"))


class _Width(NamedTuple):
    """The columns of a terminal that a column of a table takes at least, and at best."""

    least: int
    best: int


def _width(column: Column, cells: Sequence[str]) -> _Width:
    header = wcswidth(visible(column.name)) + _HEADER_PADDING
    best = max(header, *map(wcswidth, cells), 0)
    return _Width(min(best, max(header, _LEAST_TEXT)) if column.shown == "text" else best, best)


def _taken(sizes: Sequence[int]) -> int:
    return sum(sizes) + _GAP * (len(sizes) - 1)


def _foremost(table: Table, widths: Sequence[_Width], room: int) -> list[int]:
    """Return the most important columns, as many as fit and one at least, in the order of the table."""
    ranks = {name: rank for rank, name in enumerate(table.first)}
    order = sorted(range(len(widths)), key=lambda at: (ranks.get(table.columns[at].name, len(ranks)), at))
    count = 1
    while count < len(order) and _taken([widths[at].least for at in order[: count + 1]]) <= room:
        count += 1
    return sorted(order[:count])


def _parts(widths: Sequence[_Width], room: int) -> list[list[int]]:
    """Return which columns stand side by side, so that each table fits where that can be done."""
    parts = [[0]]
    for at in range(1, len(widths)):
        if len(parts[-1]) > 1 and _taken([widths[each].least for each in [*parts[-1], at]]) > room:
            parts.append([0])
        parts[-1].append(at)
    return parts


def _shares(widths: Sequence[_Width], part: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Return how wide each column of a part may be: as it is at best where that fits, narrow ones before wide ones."""
    sizes = {at: widths[at].least for at in part}
    rest = room - _taken(list(sizes.values()))
    wanting = sorted((at for at in part if widths[at].best > widths[at].least), key=lambda at: widths[at].best)
    for number, at in enumerate(wanting):
        given = max(0, min(widths[at].best - widths[at].least, rest // (len(wanting) - number)))
        sizes[at] += given
        rest -= given
    return list(sizes.items())


def _wrapped(cells: Sequence[str], size: int) -> list[str]:
    """Return the cells of a column with those that are wider on several lines."""
    return [text if wcswidth(text) <= size else "\n".join(written(row(words(text), size), False)) for text in cells]


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

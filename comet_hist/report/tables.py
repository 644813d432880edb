"""Tables of the page: a view of the statistics with the columns, the rows and the words that readers are shown."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from comet_hist.cli.output.as_table import cell
from comet_hist.cli.output.table import Column, Table
from comet_hist.stats.columns import VIEWS
from comet_hist.store.query import Table as Answer


class Head(NamedTuple):
    """What stands above a column, and whether it is text, which goes to the left."""

    label: str
    text: bool


class Row(NamedTuple):
    """A row of a table: its cells as they are shown, the first of which names it; `kind` is a class of the page."""

    cells: Sequence[str]
    kind: str = ""


class Group(NamedTuple):
    """Rows that belong together under a title of their own, None for those of a table without groups.

    Attributes:
        title: what they have in common.
        link: where the title leads, the fragment of an address; None if nowhere.
        rows: the rows.
    """

    title: str | None
    link: str | None
    rows: list[Row]


class PageTable(NamedTuple):
    """A table with its caption."""

    caption: str
    heads: list[Head]
    groups: list[Group]


def plain_table(view: str, answer: Answer, names: Sequence[str], caption: str) -> PageTable:
    """Return a table of some columns of a view, without groups.

    Args:
        view: the view, one of `VIEWS`.
        answer: its rows.
        names: the columns to show, in order.
        caption: what stands above it.
    """
    rows = [Row(cells) for cells in shown_cells(view, answer, names)]
    return PageTable(caption, heads(view, names), [Group(None, None, rows)])


def grouped_table(
    view: str,
    answer: Answer,
    names: Sequence[str],
    caption: str,
    by: str,
    title: Callable[[dict[str, Any]], tuple[str, str | None]],
    kind: Callable[[dict[str, Any]], str] = lambda row: "",
) -> PageTable:
    """Return a table whose rows are grouped by a column, in the order in which its values come.

    Args:
        view: the view, one of `VIEWS`.
        answer: its rows.
        names: the columns to show, in order.
        caption: what stands above it.
        by: the column.
        title: gives, for the first row of a group, by column, its title and where that leads.
        kind: gives the kind of a row.
    """
    at = answer.columns.index(by)
    groups: dict[Any, Group] = {}
    for row, cells in zip(answer.rows, shown_cells(view, answer, names), strict=True):
        values = dict(zip(answer.columns, row, strict=True))
        if row[at] not in groups:
            groups[row[at]] = Group(*title(values), [])
        groups[row[at]].rows.append(Row(cells, kind(values)))
    return PageTable(caption, heads(view, names), list(groups.values()))


def heads(view: str, names: Iterable[str]) -> list[Head]:
    """Return what stands above columns of a view."""
    columns = {column.name: column for column in VIEWS[view].columns}
    return [Head(label(name), columns[name].shown == "text") for name in names]


def label(name: str) -> str:
    """Return the name of a column as readers are shown it.

    >>> label("win_rate")
    'win rate'
    """
    return name.replace("_", " ")


def shown_cells(view: str, answer: Answer, names: Sequence[str]) -> list[list[str]]:
    """Return the rows of an answer as `stats` shows them, some columns of it."""
    columns = {column.name: Column(column.name, column.shown) for column in VIEWS[view].columns}
    wanted = [(answer.columns.index(name), columns[name]) for name in names]
    return [[cell(column, row[at]) for at, column in wanted] for row in answer.rows]


def square(kind: str, table: Table, caption: str) -> PageTable:
    """Return a square of `pairs`: who paid down, who was paid across, sums at the ends.

    Args:
        kind: one of `SQUARES`.
        table: the square.
        caption: what stands above it.
    """
    first, *others = (column.name for column in table.columns)
    rows = [
        Row([cell(column, value) for column, value in zip(table.columns, row, strict=True)]) for row in table.rows
    ]
    rows[-1:] = [row._replace(kind="total") for row in rows[-1:]]
    across = [Head(first.removeprefix(f"{kind}: "), True), *(Head(name, False) for name in others)]
    return PageTable(caption, across, [Group(None, None, rows)])

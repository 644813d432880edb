"""A statistic ready to be shown: its columns, chosen and sorted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from comet_hist.cli.output.table import Column, Table
from comet_hist.cli.status import Failure
from comet_hist.findings import some
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.stats.columns import VIEWS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from comet_hist.stats.filters import Filters
    from comet_hist.stats.run import Order, Rows

SQUARES: Final = ("pot", "comet", "cards", "paid")
"""The amounts of `pairs` that are shown as squares, each with who paid down and who was paid across."""


def shown_statistic(connection: "DuckDBPyConnection", view: str, filters: "Filters") -> Table:
    """Return a statistic as a table, whose rows are worked out as they are taken.

    Raises:
        Failure: if somebody or something that is asked for does not exist.
    """
    return table_of(view, first_rows(connection, view, filters, None, None))


def table_of(view: str, rows: "Rows") -> Table:
    """Return rows of a statistic as a table."""
    return Table([Column(column.name, column.shown) for column in VIEWS[view].columns], rows, VIEWS[view].first)


def first_rows(
    connection: "DuckDBPyConnection", view: str, filters: "Filters", order: "Order | None", limit: int | None
) -> "Rows":
    """Return rows of a statistic, to be taken one by one; until then nothing else may be asked.

    Args:
        connection: the database.
        view: the statistic.
        filters: what it is asked about.
        order: how the rows are sorted; None for as the statistic has them.
        limit: the most rows; None for all.

    Raises:
        Failure: if somebody or something that is asked for does not exist.
    """
    from comet_hist.stats.run import statistic_rows

    try:
        return statistic_rows(connection, view, filters, order, limit)
    except ValueError as error:
        raise Failure(str(error)) from error


def left_out(connection: "DuckDBPyConnection", filters: "Filters") -> list[str]:
    """Return lines that say which hands are left out of the statistics, and why."""
    from comet_hist.stats.run import hands_behind, notes

    return notes(hands_behind(connection, filters), filters)


def cut_short(rows: "Rows") -> str | None:
    """Return a line that says of how many rows those that were taken are the first; None if they are all."""
    total = rows.total()
    return f"the first {rows.taken} of {some(total, 'row')}" if rows.taken < total else None


def column_named(view: str, name: str) -> int:
    """Return which column of a view has a name.

    Raises:
        Failure: if none has; the message names the nearest.
    """
    names = [column.name for column in VIEWS[view].columns]
    if name not in names:
        meant = did_you_mean(nearest(name, names)) or f"; there are {', '.join(names)}"
        raise Failure(f"{view} has no column “{name}”{meant}")
    return names.index(name)


def chosen_columns(table: Table, at: Sequence[int]) -> Table:
    """Return a table with these columns, in this order."""
    return Table([table.columns[each] for each in at], ([row[each] for each in at] for row in table.rows))


def squares(table: Table) -> list[tuple[str, Table]]:
    """Return the pairs as squares, one for each of `SQUARES`, with its name: who paid down, who was paid across.

    A cell is empty where the two never sat together, or nothing is recorded; sums leave such cells out.
    """
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    persons = sorted({row["payer"] for row in rows} | {row["payee"] for row in rows})
    return [(kind, _square(kind, rows, persons)) for kind in SQUARES]


def _square(kind: str, rows: Sequence[dict[str, Any]], persons: Sequence[str]) -> Table:
    amounts = {(row["payer"], row["payee"]): row[kind] for row in rows}
    body = [[amounts.get((payer, payee)) for payee in persons] for payer in persons]
    lines = [[payer, *cells, _sum(cells)] for payer, cells in zip(persons, body, strict=True)]
    across = [_sum(cells) for cells in zip(*body, strict=True)]
    payees = [Column(f"to {payee}", "number") for payee in persons]
    columns = [Column(f"{kind}: from"), *payees, Column("all", "number")]
    return Table(columns, [*lines, ["all", *across, _sum(across)]] if lines else [], (columns[0].name, "all"))


def _sum(cells: Sequence[int | None]) -> int | None:
    known = [cell for cell in cells if cell is not None]
    return sum(known) if known else None

"""The players' table, from a database, ready to be shown."""

from typing import TYPE_CHECKING

from comet_hist.cli.output.table import Column, Table
from comet_hist.findings import some
from comet_hist.stats.columns import PLAYERS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def players_table(
    connection: "DuckDBPyConnection",
    *,
    include_faulty: bool = False,
    as_recorded: bool = False,
) -> Table:
    """Return the players' table.

    Args:
        connection: a database of comet-hist.
        include_faulty: count all hands that were replayed to their end, not only legal ones.
        as_recorded: take the amounts that were written, not those that were owed.
    """
    from comet_hist.stats.run import players

    answer = players(connection, include_faulty=include_faulty, as_recorded=as_recorded)
    return Table([Column(column.name, column.shown) for column in PLAYERS], answer.rows)


def left_out(connection: "DuckDBPyConnection") -> str | None:
    """Return in a line how many hands do not count because they are not known to be legal, None where all do."""
    ((missing, hands),) = connection.execute(
        "SELECT count(*) FILTER (legal IS DISTINCT FROM true), count(*) FROM hands WHERE NOT void"
    ).fetchall()
    if not missing:
        return None
    return f"{hands - missing} of {some(hands, 'hand')} counted, the legal ones (`stats --include-faulty` counts all)"


def without_amounts(connection: "DuckDBPyConnection", *, include_faulty: bool) -> str | None:
    """Return in a line how many of the hands that count record amounts, None where all do."""
    from comet_hist.stats.run import recording_hands

    recording, counted = recording_hands(connection, include_faulty=include_faulty)
    if recording == counted:
        return None
    return f"{recording} of {some(counted, 'hand')} record amounts, over which net, net_hand and net_se are taken"

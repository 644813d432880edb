"""Running the statistics."""

from importlib.resources import files
from typing import TYPE_CHECKING

from comet_hist.store.query import Table, fetch

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def players(connection: "DuckDBPyConnection", *, include_faulty: bool = False, as_recorded: bool = False) -> Table:
    """Return the players' table: a row a player, most chips won first, with the columns `columns.PLAYERS`.

    Rates are shares of 1, amounts chips; what cannot be told is None.

    Args:
        connection: a database of comet-hist, open in any way.
        include_faulty: count all hands that were played to their end, not only legal ones.
        as_recorded: take the amounts that were written, not those that were owed.
    """
    sql = files("comet_hist.stats").joinpath("players.sql").read_text(encoding="utf-8")
    return fetch(connection, sql, {"include_faulty": include_faulty, "as_recorded": as_recorded})


def recording_hands(connection: "DuckDBPyConnection", *, include_faulty: bool = False) -> tuple[int, int]:
    """Return how many of the hands that count record amounts, and how many count.

    The first are those over which the means of `as_recorded` go.

    Args:
        connection: a database of comet-hist, open in any way.
        include_faulty: count all hands that were played to their end, not only legal ones.
    """
    sql = """
        SELECT count(*) FILTER (recorded), count(*)
        FROM private.hands JOIN (
            SELECT session_id, hand, bool_or(recorded_net IS NOT NULL) AS recorded FROM private.seats GROUP BY ALL
        ) USING (session_id, hand)
        WHERE finished AND (legal OR $include_faulty)
    """
    ((recording, counted),) = fetch(connection, sql, {"include_faulty": include_faulty}).rows
    return recording, counted

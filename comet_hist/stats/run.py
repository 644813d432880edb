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

"""Running the statistics."""

from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from comet_hist.findings import some
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.stats.filters import Filters
from comet_hist.store.query import Table, fetch

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def statistic(connection: "DuckDBPyConnection", view: str, filters: Filters = Filters()) -> Table:  # noqa: B008
    """Return a statistic, with the columns of `columns.VIEWS[view]`.

    Rates are shares of 1, amounts chips; what cannot be told is None.

    Args:
        connection: a database of comet-hist, open in any way.
        view: a key of `columns.VIEWS`.
        filters: which hands count and who is meant.

    Raises:
        ValueError: if a player or session that is asked for is nowhere, or two spellings of one person played in
            one hand; the message is one clear line.
    """
    fetch(connection, _text("macros"))
    _check(connection, filters)
    return fetch(connection, _text("counted") + _text(view), _parameters(filters))


class Hands(NamedTuple):
    """How many hands there are behind a statistic.

    Attributes:
        chosen: hands of the sessions and sizes that are meant, void ones not counted.
        counted: of them, those that count.
        recording: of those, the ones that record amounts.
        undated: sessions that are left out because they have no date.
    """

    chosen: int
    counted: int
    recording: int
    undated: int


def hands_behind(connection: "DuckDBPyConnection", filters: Filters) -> Hands:
    """Return how many hands are behind the statistics with these filters."""
    fetch(connection, _text("macros"))
    (counts,) = fetch(connection, _text("counted") + _text("hands"), _parameters(filters)).rows
    return Hands(*counts)


def _text(name: str) -> str:
    return files("comet_hist.stats").joinpath(f"{name}.sql").read_text(encoding="utf-8")


def _parameters(filters: Filters) -> dict[str, Any]:
    return {
        "sessions": list(filters.sessions),
        "games": list(filters.games),
        "since": filters.since,
        "until": filters.until,
        "sizes": list(filters.sizes),
        "include_faulty": filters.include_faulty,
        "as_recorded": filters.as_recorded,
        "spellings": list(filters.aliases.keys()),
        "persons": list(filters.aliases.values()),
        "players": list(filters.players),
        "min_hands": filters.min_hands,
    }


def _check(connection: "DuckDBPyConnection", filters: Filters) -> None:
    """Find players and sessions that are asked for and do not exist, and spellings that cannot be one person's."""
    if filters.sessions:
        _known("session", filters.sessions, (name for (name,) in _rows(connection, "SELECT session FROM sessions")))
    if filters.players:
        names = [name for (name,) in _rows(connection, "SELECT DISTINCT player FROM private.seats")]
        _known("player", filters.players, [filters.aliases.get(name, name) for name in names])
    if filters.aliases:
        _check_aliases(connection, filters)


def _rows(connection: "DuckDBPyConnection", sql: str) -> list[tuple[Any, ...]]:
    return fetch(connection, sql).rows


def _known(kind: str, asked: Iterable[str], known: Iterable[str]) -> None:
    names = list(dict.fromkeys(known))
    for name in asked:
        if name not in names:
            raise ValueError(f"there is no {kind} “{name}”{did_you_mean(nearest(name, names))}")


def _check_aliases(connection: "DuckDBPyConnection", filters: Filters) -> None:
    sql = """
        SELECT session, hand, person, list_sort(list(player))
        FROM (
            SELECT session, hand, player, person(player, $spellings, $persons) AS person
            FROM seats
            WHERE list_contains($spellings, player) OR list_contains($persons, player)
        )
        GROUP BY session, hand, person
        HAVING count(*) > 1
        ORDER BY session, hand
        LIMIT 1
    """
    values = {"spellings": list(filters.aliases.keys()), "persons": list(filters.aliases.values())}
    for session, hand, person, names in fetch(connection, sql, values).rows:
        both = " and ".join(f"“{name}”" for name in names)
        raise ValueError(f"{both} cannot both be {person}: they play in one hand, hand {hand} of session “{session}”")


def notes(hands: Hands, filters: Filters) -> list[str]:
    """Return lines that say which hands a statistic leaves out, and why."""
    said = []
    if hands.undated:
        said.append(f"{some(hands.undated, 'session')} without a date left out")
    if hands.counted < hands.chosen:
        why = "those played to their end" if filters.include_faulty else "the legal ones"
        more = "" if filters.include_faulty else " (`--include-faulty` counts all that were played to their end)"
        said.append(f"{hands.counted} of {some(hands.chosen, 'hand')} counted, {why}{more}")
    if filters.as_recorded and hands.recording < hands.counted:
        counted = some(hands.counted, "hand")
        said.append(f"{hands.recording} of {counted} record amounts, over which all amounts are taken")
    return said

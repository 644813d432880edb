"""Running the statistics."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.findings import some
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.stats.columns import VIEWS
from comet_hist.stats.filters import Filters
from comet_hist.store.query import Table, fetch, fetch_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ORDER: Final = "\nORDER BY "
"""What the last line of each statistic begins with."""

_COUNTS: Final = {
    "sessions": "shown AS (SELECT DISTINCT session_id, player FROM seated SEMI JOIN meant USING (player))",
    "timeline": "shown AS (FROM seated SEMI JOIN meant USING (player))",
}
"""The statistics that may have millions of rows, each with what has as many and is quickly worked out."""


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
    columns = [column.name for column in VIEWS[view].columns]
    return Table(columns, list(statistic_rows(connection, view, filters)))


class Order(NamedTuple):
    """What rows are sorted by; empty values come last either way, and equal ones stay as they are.

    Attributes:
        column: the name of a column.
        descending: the largest first, not the smallest.
    """

    column: str
    descending: bool


class Rows:
    """The rows of a statistic as they are worked out; until they have been taken, nothing else may be asked.

    Args:
        rows: the rows, at least as many as are wanted.
        limit: how many are wanted at most; None for all.
        count: says how many there are in all; None where `rows` are all.
    """

    def __init__(self, rows: Iterator[tuple[Any, ...]], limit: int | None, count: Callable[[], int] | None) -> None:
        self._rows, self._limit, self._count = rows, limit, count
        self.taken = 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for row in islice(self._rows, self._limit):
            self.taken += 1
            yield row

    def total(self) -> int:
        """Return how many rows there are in all; those that are wanted have been taken."""
        if self._limit is None or self.taken < self._limit:
            return self.taken
        return self._count() if self._count else self.taken + sum(1 for _ in self._rows)


def statistic_rows(
    connection: "DuckDBPyConnection", view: str, filters: Filters, order: Order | None = None, limit: int | None = None
) -> Rows:
    """Return the rows of a statistic, to be taken one by one.

    Args:
        connection: a database of comet-hist, open in any way.
        view: a key of `columns.VIEWS`.
        filters: which hands count and who is meant.
        order: how the rows are sorted; None for as the statistic has them.
        limit: how many rows to give at most; None for all.

    Raises:
        ValueError: as `statistic`.
    """
    fetch(connection, _text("macros"))
    _check(connection, filters)
    question, own = _text(view).rsplit(_ORDER, 1)
    sorting = f'"{order.column}" {"DESC" if order.descending else "ASC"} NULLS LAST, ' if order else ""
    sql = f"{_text('counted')}{question}{_ORDER}{sorting}{own}"
    if view not in _COUNTS:
        return Rows(fetch_rows(connection, sql, _asked(filters, sql)), limit, None)
    sql += " LIMIT $limit"
    rows = fetch_rows(connection, sql, _asked(filters, sql, limit=limit, first=None if order else limit))
    return Rows(rows, limit, partial(_count, connection, view, filters))


def _count(connection: "DuckDBPyConnection", view: str, filters: Filters) -> int:
    """Return how many rows a statistic of `_COUNTS` has."""
    sql = f"{_text('counted')}{_COUNTS[view]} SELECT count(*) FROM shown"
    ((count,),) = fetch(connection, sql, _asked(filters, sql)).rows
    return int(count)


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
    sql = _text("counted") + _text("hands")
    (counts,) = fetch(connection, sql, _asked(filters, sql)).rows
    return Hands(*counts)


def strangers(connection: "DuckDBPyConnection", filters: Filters) -> list[str]:
    """Return the spellings among the aliases that no player of a database bears, in their order."""
    sql = "SELECT list(DISTINCT player) FROM private.seats WHERE list_contains($spellings, player)"
    ((borne,),) = fetch(connection, sql, _asked(filters, sql)).rows
    return [spelling for spelling in filters.aliases if spelling not in (borne or [])]


def _text(name: str) -> str:
    return files("comet_hist.stats").joinpath(f"{name}.sql").read_text(encoding="utf-8")


def _asked(filters: Filters, sql: str, **more: Any) -> dict[str, Any]:
    """Return the values of the parameters that stand in a query: those of filters, and more."""
    values = {
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
        **more,
    }
    return {name: value for name, value in values.items() if f"${name}" in sql}


def _check(connection: "DuckDBPyConnection", filters: Filters) -> None:
    """Find players and sessions that are asked for and do not exist, and spellings that cannot be one person's."""
    if filters.sessions:
        _check_names(connection, "session", filters.sessions, "SELECT session AS name FROM private.sessions", filters)
    if filters.players:
        persons = "SELECT DISTINCT person(player, $spellings, $persons) AS name FROM private.seats"
        _check_names(connection, "player", filters.players, persons, filters)
    if filters.aliases:
        _check_aliases(connection, filters)


_LIKELY: Final = 50
"""How many of the names that there are, the nearest by letters, come into question for a misspelt one."""


def _check_names(
    connection: "DuckDBPyConnection", kind: str, asked: Iterable[str], known: str, filters: Filters
) -> None:
    there = f"FROM ({known}) WHERE list_contains($asked, name)"
    found = {name for (name,) in fetch(connection, there, _asked(filters, there, asked=list(asked))).rows}
    distance = "damerau_levenshtein(strip_accents(lower(name)), strip_accents(lower($asked)))"
    likely = f"FROM ({known}) ORDER BY {distance}, name LIMIT {_LIKELY}"
    for name in asked:
        if name not in found:
            names = [other for (other,) in fetch(connection, likely, _asked(filters, likely, asked=name)).rows]
            raise ValueError(f"there is no {kind} “{name}”{did_you_mean(nearest(name, names))}")


def _check_aliases(connection: "DuckDBPyConnection", filters: Filters) -> None:
    # Few tables meet often: they are looked at once.
    sql = """
        WITH clashing AS (
            SELECT names, person, list_sort(list(name)) AS spellings
            FROM (
                SELECT names, unnest(names) AS name, person(name, $spellings, $persons) AS person
                FROM (SELECT DISTINCT names FROM private.hands)
            )
            WHERE list_contains($spellings, name) OR list_contains($persons, name)
            GROUP BY names, person
            HAVING count(*) > 1
        )
        SELECT session, hand, person, spellings
        FROM private.hands JOIN clashing USING (names) JOIN private.sessions USING (session_id)
        ORDER BY session, hand
        LIMIT 1
    """
    for session, hand, person, names in fetch(connection, sql, _asked(filters, sql)).rows:
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

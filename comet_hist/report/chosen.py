"""Which sessions a page is about, how many of their hands count, and which of them can be replayed on it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from comet_hist.findings import some
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import statistic
from comet_hist.store.query import fetch

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_REPLAYED: Final = 300
"""The most hands that can be replayed on a page where nobody says which."""


class Night(NamedTuple):
    """A session: its identifier, its day, and how many hands it has, void ones not counted."""

    session: str
    date: date | None
    hands: int


def nights(connection: "DuckDBPyConnection", filters: Filters) -> list[Night]:
    """Return the sessions that filters choose, the latest first and those without a day last.

    Of two sessions the statistic says which came first.

    They are those in which somebody who is meant played a hand of those meant to its end, legal or not.
    """
    found = statistic(connection, "sessions", replace(filters, include_faulty=True, min_hands=0))
    at = [found.columns.index(name) for name in ("session", "date", "session_hands")]
    in_order = list(dict.fromkeys(Night(*(row[column] for column in at)) for row in found.rows))
    dated = [night for night in in_order if night.date is not None]
    return dated[::-1] + in_order[len(dated) :]


def to_replay(chosen: Sequence[Night]) -> list[str]:
    """Return the latest sessions that together have at most `MOST_REPLAYED` hands, at least one session.

    >>> to_replay([Night("second", None, 200), Night("first", None, 200)])
    ['second']
    """
    hands = 0
    latest: list[str] = []
    for night in chosen:
        hands += night.hands
        if latest and hands > MOST_REPLAYED:
            break
        latest.append(night.session)
    return latest


class Hands(NamedTuple):
    """How many hands there are, and why some do not count.

    Attributes:
        total: all hands of the table sizes that are meant.
        void: void ones.
        unfinished: not void and not played to their end, or not readable.
        illegal: played to their end and not legal.
        undecided: played to their end, but not wholly checked (W208).
    """

    total: int
    void: int
    unfinished: int
    illegal: int
    undecided: int

    def counted(self, include_faulty: bool) -> int:
        """Return how many count."""
        legal = self.total - self.void - self.unfinished - self.illegal - self.undecided
        return legal + (self.illegal + self.undecided) * include_faulty

    def left_out(self, include_faulty: bool) -> str:
        """Return in words which do not count, empty where all do."""
        parts = [(self.void, "void"), (self.unfinished, "not played to the end")]
        if not include_faulty:
            parts += [(self.illegal, "not legal"), (self.undecided, "not wholly checked (W208)")]
        return ", ".join(f"{count} {why}" for count, why in parts if count)


def hands_of(connection: "DuckDBPyConnection", sessions: Sequence[str] | None, sizes: Sequence[int]) -> Hands:
    """Return how many hands sessions have, and why some do not count.

    Args:
        connection: a database of comet-hist, open in any way.
        sessions: their identifiers, None for all.
        sizes: numbers of players; hands with others are not counted. None given: all are.
    """
    values = {"everything": sessions is None, "sessions": list(sessions or ()), "sizes": list(sizes)}
    (row,) = fetch(connection, _HANDS, values).rows
    return Hands(*row)


_HANDS: Final = """
    SELECT
        count(*), count(*) FILTER (void), count(*) FILTER (NOT void AND NOT finished),
        count(*) FILTER (NOT void AND finished AND NOT legal),
        count(*) FILTER (NOT void AND finished AND legal IS NULL)
    FROM private.hands JOIN private.sessions USING (session_id)
    WHERE ($everything OR list_contains($sessions, session)) AND (len($sizes) = 0 OR list_contains($sizes, len(names)))
"""


def about_replays(replayed: Sequence[str], chosen: Sequence[Night]) -> str:
    """Return in a sentence which of the sessions can be replayed on the page."""
    hands = some(sum(night.hands for night in chosen if night.session in replayed), "hand")
    if len(replayed) == len(chosen):
        return f"Every session can be replayed here: {hands}."
    count = f"{len(replayed)} of {some(len(chosen), 'session')}"
    if list(replayed) == [night.session for night in chosen[: len(replayed)]]:
        return f"The latest {count} can be replayed here, {hands}; `--replay SESSION` chooses others."
    return f"{count} can be replayed here, {hands}: {', '.join(replayed)}."

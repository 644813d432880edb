"""The hands that can be stepped through on a page, as plain values for its script.

The script lays cards and adds chips up, and knows no rule: whose card it is next, who may open and what may be played
comes from the engine's table. In a hand that is legal, or of which something could not be checked, the table follows
from the plays; of any other it was kept when the hand was loaded.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from comet_hist.cards import CARDS, NAMES, cards_in
from comet_hist.cli.output.characters import isolated, visible
from comet_hist.engine.table import Table
from comet_hist.rules import CHOICES, Rules
from comet_hist.store.query import fetch
from comet_hist.store.turns import turn

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from comet_hist.stats.filters import Filters

Rows = dict[tuple[int, int], list[tuple[Any, ...]]]
"""Rows of a table by session and hand."""


def replays(connection: "DuckDBPyConnection", sessions: Sequence[str], filters: "Filters") -> list[dict[str, Any]]:
    """Return sessions with all their hands, as values that JSON can hold.

    Args:
        connection: a database of comet-hist, open in any way.
        sessions: their identifiers, in the order in which they are wanted; one that is not there is left out.
        filters: of these the other spellings of a person alone: here, too, each has one name.

    Returns:
        For each session `session`, `date`, `place` and `hands`; each hand as `_hand` tells.
    """
    found = {row[1]: row for row in fetch(connection, _SESSIONS, {"sessions": list(sessions)}).rows}
    rows = {table: _by_hand(connection, sql, sessions) for table, sql in _ROWS.items()}
    shown = []
    for session in filter(found.__contains__, sessions):
        key, _, date, place, *agreed = found[session]
        rules = None if agreed[0] is None else Rules(**dict(zip(_RULES, agreed, strict=True)))
        hands = [
            _hand(hand, rules, {table: rows[table][key, hand[0]] for table in rows}, filters.aliases)
            for (number, _), (hand,) in rows["hands"].items()
            if number == key
        ]
        shown.append({
            "session": visible(session), "date": date and str(date), "place": place and _said(place), "hands": hands,
        })  # fmt: skip
    return shown


def _said(text: str) -> str:
    """Return words as they are shown; names alone get their direction from the page."""
    return isolated(visible(text))


_RULES: Final = ("game", *CHOICES)

_SESSIONS: Final = f"""
    SELECT session_id, session, date, place, {", ".join(_RULES)}
    FROM private.sessions WHERE list_contains($sessions, session)
"""

_CHOSEN: Final = """
    JOIN (SELECT session_id, session, source FROM private.sessions WHERE list_contains($sessions, session)) AS chosen
"""

_HANDS: Final = f"""
    SELECT
        session_id, hand, left(time::VARCHAR, 5), names, winner - 1, finished, legal, void, comet_ply,
        comet_for::VARCHAR, comet_use::VARCHAR
    FROM private.hands {_CHOSEN} USING (session_id) ORDER BY session_id, hand
"""

_SEATS: Final = f"""
    SELECT session_id, hand, seat, dealt, cards_dealt, stack_before, stack_after
    FROM private.seats {_CHOSEN} USING (session_id) ORDER BY session_id, hand, position
"""

_RUNS: Final = f"""
    WITH made AS (
        SELECT
            session_id, hand, cards, positions, run_stops, generate_subscripts(run_lengths, 1) AS run,
            list_sum(run_lengths[:run]) AS last, last - run_lengths[run] + 1 AS first
        FROM private.hands {_CHOSEN} USING (session_id)
    )
    SELECT
        session_id, hand, private.stop_of(run_stops[run])::VARCHAR,
        array_to_string(list_transform(cards[first:last], lambda card: private.card_of(card)), ''),
        array_to_string(positions[first:last], '')
    FROM made
    ORDER BY session_id, hand, run
"""

_PAYMENTS: Final = f"""
    SELECT session_id, hand, kind::VARCHAR, payer, payee, owed, recorded
    FROM private.payments {_CHOSEN} USING (session_id) ORDER BY session_id, hand, kind, payer, payee
"""

_FAULTY: Final = f"SELECT session_id, hand, turns FROM private.faulty {_CHOSEN} USING (session_id)"

# The findings of the file by which the session stands; another that brings it has the same, in other places.
_FINDINGS: Final = f"""
    SELECT session_id, hand, code, severity::VARCHAR, message, line, ply
    FROM private.findings {_CHOSEN} USING (session, source) WHERE hand IS NOT NULL ORDER BY line, "column", code
"""

_ROWS: Final = {
    "hands": _HANDS, "seats": _SEATS, "runs": _RUNS, "payments": _PAYMENTS, "faulty": _FAULTY, "findings": _FINDINGS,
}  # fmt: skip


def _by_hand(connection: "DuckDBPyConnection", sql: str, sessions: Sequence[str]) -> Rows:
    """Return what a query finds by session and hand, each row without its session."""
    found: Rows = defaultdict(list)
    for session_id, hand, *rest in fetch(connection, sql, {"sessions": list(sessions)}).rows:
        found[session_id, hand].append((hand, *rest))
    return found


def _hand(
    row: tuple[Any, ...], rules: Rules | None, rows: Mapping[str, list[tuple[Any, ...]]], persons: Mapping[str, str]
) -> dict[str, Any]:
    """Return a hand; all lists of players go by position, from the left of the dealer, and cards have two letters each.

    Returns:
        `hand`, `time`; `state`: `played` to its end, `unfinished`, `void`, or `unread`, the last two without any play;
        `legal`, None where it was not wholly checked; `players` with their `seats`, `deals`, `sizes` (cards dealt) and
        chips `before` and `after`, None where not known; `winner`, a position; `runs`, each with the cards, by whom
        (a digit each, 1 = left of the dealer) and why it stopped; `comet`: its ply, what it stood for and its use, None
        where it was not played; `turns`: what the table says at each ply, as the head of `turns` tells; `payments`:
        kind, payer, payee, owed, recorded, where None is the pot; `findings`: code, severity, message, line, ply.
    """
    number, time, names, winner, finished, legal, void, *comet = row
    seats = [seat[1:] for seat in rows["seats"]]
    runs = [run[1:] for run in rows["runs"]]
    state = "void" if void else "unread" if not names else "played" if finished else "unfinished"
    return {
        "hand": number,
        "time": time,
        "state": state,
        "legal": legal,
        "players": [visible(persons.get(name, name)) for name in names],
        "winner": winner,
        "seats": [seat for seat, *_ in seats],
        "deals": ["".join(NAMES[card] for card in cards_in(dealt)) for _, dealt, *_ in seats],
        "sizes": [size for _, _, size, *_ in seats],
        "before": [before for *_, before, _ in seats],
        "after": [after for *_, after in seats],
        "runs": [{"stop": stop, "cards": cards, "by": by} for stop, cards, by in runs],
        "comet": {"ply": comet[0], "for": comet[1], "use": comet[2]} if comet[0] else None,
        "turns": rows["faulty"][0][1] if rows["faulty"] else list(_turns(rules, seats, runs, comet)),
        "payments": [
            (kind, *(name and visible(persons.get(name, name)) for name in (payer, payee)), owed, recorded)
            for _, kind, payer, payee, owed, recorded in rows["payments"]
        ],
        "findings": [
            (code, severity, _said(message), line, ply) for _, code, severity, message, line, ply in rows["findings"]
        ],
    }


def _turns(
    rules: Rules | None, seats: Sequence[tuple[Any, ...]], runs: Sequence[tuple[Any, ...]], comet: Sequence[Any]
) -> Iterator[str]:
    """Give what the table says at each ply of a hand in which every play was legal, as far as that is known."""
    if rules is None or not seats:
        return
    table = Table(rules, [dealt for _, dealt, *_ in seats], 0, [size for _, _, size, *_ in seats])
    played = ply = 0
    yield turn(table, played)
    for _, cards, by in runs:
        for nth, position in enumerate(by):
            ply += 1
            card = CARDS[cards[2 * nth : 2 * nth + 2]]
            stands_for = CARDS[comet[1]] if ply == comet[0] and comet[1] else None
            table.lay(int(position) - 1, card, stands_for, opens=not nth)
            played |= 1 << card
            yield turn(table, played)

"""Who owes whom, from a database: after each session, and after all of them together."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.audit.money import MoneyDebts, chips_worth, debts, money_debts
from comet_hist.audit.period import Sum
from comet_hist.findings import some
from comet_hist.rules import ChipPrice
from comet_hist.store.query import fetch

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Debt(NamedTuple):
    """What one pays another; None is the pot, where the record has chips missing or too many."""

    payer: str | None
    payee: str | None
    amount: str


class Settled(NamedTuple):
    """Payments that settle one or several sessions.

    Attributes:
        sessions: how many they are.
        currency: its three letters, None where they are settled in chips.
        debts: who pays whom; empty where nobody owes anything.
        fewest: whether nobody could settle with fewer payments.
    """

    sessions: int
    currency: str | None
    debts: list[Debt]
    fewest: bool


class Debts(NamedTuple):
    """Who owes whom.

    Attributes:
        sessions: each session by its identifier.
        together: all of them, one for each currency and for chips.
        partial: the sessions with hands that could not be replayed to their end, or are not in the database, so that
            their debts are not whole.
    """

    sessions: dict[str, Settled]
    together: list[Settled]
    partial: frozenset[str]


def session_debts(connection: "DuckDBPyConnection", sessions: Sequence[str], persons: Mapping[str, str]) -> Debts:
    """Return who owes whom after sessions, by what was owed in all their hands, as the audit settles them (C1 to C5).

    Args:
        connection: a database of comet-hist, open in any way.
        sessions: their identifiers.
        persons: who is meant by a name, where that is somebody who has others too.
    """
    rows = fetch(connection, _NETS, {"sessions": list(sessions)}).rows
    each: dict[str, Settled] = {}
    priced: dict[str, Sum] = {}
    unpriced = Sum()
    for session, found in groupby(rows, lambda row: row[0]):
        nets, price = _nets(list(found), persons)
        alone = Sum()
        for total in (alone, unpriced if price is None else priced.setdefault(price.currency, Sum())):
            total.add(nets, price)
        each[session] = _settled(alone, price and price.currency)
    together = [_settled(total, currency) for currency, total in sorted(priced.items())]
    if unpriced.sessions:
        together.append(_settled(unpriced, None))
    broken = fetch(connection, _PARTIAL, {"sessions": list(sessions)}).rows
    return Debts(each, together, frozenset(session for (session,) in broken if session in each))


# In the order in which the audit of a session has them: as they came, and by their seats.
_NETS: Final = """
    WITH
        chosen AS (
            SELECT session_id, session, chip, currency FROM private.sessions WHERE list_contains($sessions, session)
        ),
        paid AS (
            SELECT session_id, payer, payee, owed AS chips FROM private.payments JOIN chosen USING (session_id)
        ),
        nets AS (
            SELECT session_id, player, sum(chips)::BIGINT AS net
            FROM (
                SELECT session_id, payee AS player, chips FROM paid
                UNION ALL
                SELECT session_id, payer AS player, -chips FROM paid
            )
            WHERE player IS NOT NULL GROUP BY ALL
        ),
        came AS (
            SELECT session_id, player, min(hand) AS hand, arg_min(seat, hand) AS seat
            FROM private.seats JOIN chosen USING (session_id) GROUP BY ALL
        )
    SELECT session, player, net, chip, currency
    FROM chosen JOIN nets USING (session_id) LEFT JOIN came USING (session_id, player)
    ORDER BY session_id, hand, seat, player
"""

_PARTIAL: Final = """
    SELECT DISTINCT session FROM private.sessions LEFT JOIN private.hands USING (session_id)
    WHERE list_contains($sessions, session) AND (hands_left_out > 0 OR (NOT finished AND NOT void))
"""


def _nets(rows: list[tuple[Any, ...]], persons: Mapping[str, str]) -> tuple[Counter[str | None], ChipPrice | None]:
    """Return what everybody won in a session, and what a chip was worth in it."""
    nets: Counter[str | None] = Counter()
    for _, player, net, _, _ in rows:
        nets[persons.get(player, player)] += net
    *_, chip, currency = rows[0]
    return nets, None if chip is None else ChipPrice(chip, currency)


def _settled(total: Sum, currency: str | None) -> Settled:
    """Settle what was won over some sessions, in chips or in their currency."""
    if currency is None:
        chips = debts(total.chips)
        # Chips go back to who has fewer than they brought, and what they are worth goes the other way.
        paid = [Debt(payee, payer, f"for {some(amount, 'chip')}") for payer, payee, amount in chips.transfers]
        return Settled(total.sessions, None, paid, chips.fewest)
    money = money_debts(total.money, currency)
    return Settled(total.sessions, currency, list(_money(money, total.price)), money.fewest)


def _money(found: MoneyDebts, price: ChipPrice | None) -> Iterator[Debt]:
    for payer, payee, amount in found.settle:
        chips = ""
        if found.exact and price is not None:
            chips = f" ({some(chips_worth(amount, price), 'chip')})"
        yield Debt(payer, payee, f"{amount} {found.currency}{chips}")

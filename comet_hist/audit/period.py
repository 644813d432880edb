"""The debts of a session, and of several sessions together: what was won over all of them, in chips and in money."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from comet_hist.audit.facts import Audit
from comet_hist.audit.money import MoneyDebts, debts, money_debts
from comet_hist.audit.settle import Settlement
from comet_hist.rules import ChipPrice, Rules

COUNTED: Final = ("ok", "wrong", "unrecorded")
"""The audits of hands that were played to their end, and whose payments therefore count, by what was owed."""

NOBODY_ELSE: Final[Mapping[str, str]] = {}
"""Every name is a person of its own."""


class SessionDebts(NamedTuple):
    """Who owes whom after a session, by what was owed.

    Attributes:
        hands: how many of its hands have which status in the audit.
        unreadable: the numbers of those that could not be replayed to their end, None for a hand without a number.
            Where there are any, balances and debts are partial.
        chips: the transfers of chips.
        price: what a chip is worth, None where nothing was agreed.
        money: the same in money, None where `price` is.
    """

    hands: Counter[str]
    unreadable: tuple[int | None, ...]
    chips: Settlement
    price: ChipPrice | None
    money: MoneyDebts | None


def session_debts(rules: Rules | None, audit: Audit) -> SessionDebts:
    """Return who owes whom after a session.

    Args:
        rules: what the table agreed on, None where nobody can read it.
        audit: the session's.
    """
    nets: dict[str | None, int] = {balance.player: balance.owed_net for balance in audit.balances}
    price = None if rules is None else rules.chip
    money = None if price is None else money_debts(_worth(nets, price), price.currency)
    unreadable = tuple(hand.hand.number for hand in audit.hands if hand.status == "unreadable")
    return SessionDebts(Counter(hand.status for hand in audit.hands), unreadable, debts(nets), price, money)


def _worth(nets: Mapping[str | None, int], price: ChipPrice) -> dict[str | None, Fraction]:
    each = Fraction(price.amount)
    return {player: chips * each for player, chips in nets.items()}


@dataclass(slots=True)
class Sum:
    """What was won over some sessions.

    Attributes:
        sessions: how many they are.
        chips: for each person the chips won or, negative, lost.
        money: the same in money, exactly; empty where no chip has a price.
        prices: what a chip was worth in them.
    """

    sessions: int = 0
    chips: Counter[str | None] = field(default_factory=Counter)
    money: dict[str | None, Fraction] = field(default_factory=dict)
    prices: set[ChipPrice] = field(default_factory=set)

    def add(self, nets: Counter[str | None], price: ChipPrice | None = None) -> None:
        """Add a session: what each person won in it, and what a chip was worth."""
        self.sessions += 1
        # `Counter.update` keeps those who are level; adding counters would lose them, and whoever is below.
        self.chips.update(nets)
        if price is not None:
            self.prices.add(price)
            for person, amount in _worth(nets, price).items():
                self.money[person] = self.money.get(person, Fraction()) + amount

    @property
    def price(self) -> ChipPrice | None:
        """What a chip was worth, if that was the same in all of them."""
        return next(iter(self.prices)) if len(self.prices) == 1 else None


class Period:
    """All sessions of a run together.

    Args:
        persons: who is meant by a name, where that is somebody who has others too.

    Attributes:
        whole: all sessions, whether their chips have a price or not.
        priced: by currency the sessions whose chips have a price in it.
        unpriced: the sessions whose chips have none.
        partial: how many of them have hands that could not be replayed, so that their debts are not whole.
        empty: how many more sessions there are in which no hand counts.
        refused: how many more there are whose identifier another session has already (E206).
        strangers: the names of `persons` that nobody has borne so far.
    """

    def __init__(self, persons: Mapping[str, str] = NOBODY_ELSE) -> None:
        self.whole = Sum()
        self.priced: dict[str, Sum] = {}
        self.unpriced = Sum()
        self.partial = 0
        self.empty = 0
        self.refused = 0
        self.strangers = dict.fromkeys(persons)
        self._persons = persons

    def add(self, rules: Rules | None, audit: Audit) -> None:
        """Add a session by what was owed in it."""
        statuses = {hand.status for hand in audit.hands}
        nets: Counter[str | None] = Counter()
        for balance in audit.balances:
            nets[self._persons.get(balance.player, balance.player)] += balance.owed_net
            self.strangers.pop(balance.player, None)
        if statuses.isdisjoint(COUNTED) and not any(nets.values()):
            self.empty += 1
            return
        self.partial += "unreadable" in statuses
        self.whole.add(nets)
        if rules is None or rules.chip is None:
            self.unpriced.add(nets)
        else:
            self.priced.setdefault(rules.chip.currency, Sum()).add(nets, rules.chip)

    def refuse(self) -> None:
        """Leave out a session whose identifier another one has already (E206): it may be the same night again."""
        self.refused += 1

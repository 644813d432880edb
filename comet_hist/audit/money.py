"""Who owes whom: nets in chips, and in money, exact and rounded so that nothing is lost.

Chips go back from whoever has too many to whoever has too few. What they are worth goes the other way: whoever lost
pays whoever won.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from comet_hist.audit.settle import Settlement, levelled, settle
from comet_hist.currencies import PLACES, USUAL_PLACES
from comet_hist.rules import ChipPrice


class Debt(NamedTuple):
    """Money that one pays another, above 0; None is the pot, where chips are missing or too many."""

    payer: str | None
    payee: str | None
    amount: Decimal


class MoneyDebts(NamedTuple):
    """Nets in one currency, and who pays whom.

    Attributes:
        currency: its three letters (ISO 4217).
        balances: for each player the money won or, negative, lost, in whole units of the currency; together 0.
        settle: who lost pays who won.
        fewest: whether nobody could settle it with fewer payments.
        exact: whether nothing had to be rounded.
    """

    currency: str
    balances: dict[str | None, Decimal]
    settle: list[Debt]
    fewest: bool
    exact: bool


def debts(nets: Mapping[str | None, int]) -> Settlement:
    """Return the fewest transfers of chips that bring everybody back to what they brought.

    Args:
        nets: the chips that each player won or, negative, lost. Where they do not add up to 0 the pot takes part.

    >>> debts({"Ada": 5, "Ben": -3, "Cleo": -2}).transfers
    [Transfer(payer='Ada', payee='Ben', amount=3), Transfer(payer='Ada', payee='Cleo', amount=2)]
    """
    return settle(levelled(dict(nets)))


def money_debts(amounts: Mapping[str | None, Decimal | Fraction], currency: str) -> MoneyDebts:
    """Return what everybody won or lost in whole units of a currency, and the fewest payments that settle it.

    Every amount is rounded down, and the units that are left over go to those who lost most by it, in the order
    given where two lost as much. So no amount is off by a whole unit, and together they stay 0.

    Args:
        amounts: for each player the money won or, negative, lost, exactly. Where they do not add up to 0 the pot
            takes part.
        currency: its three letters (ISO 4217).

    >>> third = Fraction(1, 3)
    >>> won = money_debts({"Ada": 2 * third, "Ben": -third, "Cleo": -third}, "EUR")
    >>> [str(amount) for amount in won.balances.values()]
    ['0.67', '-0.33', '-0.34']
    """
    places = PLACES.get(currency, USUAL_PLACES)
    exact: dict[str | None, Fraction] = {name: Fraction(amount) * 10**places for name, amount in amounts.items()}
    if over := sum(exact.values()):
        exact[None] = -over
    units = _rounded(exact)
    # Units that were won are owed to their winner: whoever has too few of them pays.
    transfers, fewest = settle({name: -count for name, count in units.items()})
    return MoneyDebts(
        currency,
        {name: _money(count, places) for name, count in units.items()},
        [Debt(payer, payee, _money(count, places)) for payer, payee, count in transfers],
        fewest,
        units == exact,
    )


def chips_worth(amount: Decimal, price: ChipPrice) -> int:
    """Return the chips that are worth an amount which was not rounded (`MoneyDebts.exact`).

    >>> chips_worth(Decimal("0.25"), ChipPrice(Decimal("0.05"), "EUR"))
    5
    """
    return int(Fraction(amount) / Fraction(price.amount))


def _rounded(exact: Mapping[str | None, Fraction]) -> dict[str | None, int]:
    """Round amounts that add up to 0 to whole ones that do, each by less than 1 (largest remainder)."""
    units = {name: amount.__floor__() for name, amount in exact.items()}
    left_over = -sum(units.values())
    for name in sorted(exact, key=lambda name: units[name] - exact[name])[:left_over]:
        units[name] += 1
    return units


def _money(units: int, places: int) -> Decimal:
    # Written out rather than worked out: arithmetic would keep only as many digits as the context has.
    return Decimal(f"{units}E-{places}")

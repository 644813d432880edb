"""What chips are worth: nets in money, rounded so that nothing is lost, and who pays whom."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comet_hist.audit import Transfer
from comet_hist.audit.money import Debt, debts, money_debts

NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Frida"]

exact_nets = st.lists(st.fractions(-100, 100, max_denominator=1000), min_size=1, max_size=5).map(
    lambda amounts: dict(zip(NAMES, [*amounts, -sum(amounts)], strict=False))
)


@settings(max_examples=200, deadline=None)
@given(exact_nets, st.sampled_from([("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("XXX", 2)]))
def test_rounding_loses_nothing(nets: dict[str | None, Fraction], currency: tuple[str, int]) -> None:
    found = money_debts(nets, currency[0])
    unit = Fraction(1, 10 ** currency[1])
    assert sum(map(Fraction, found.balances.values())) == 0
    assert list(found.balances) == list(nets)
    for name, amount in found.balances.items():
        assert Fraction(amount) % unit == 0 and abs(Fraction(amount) - nets[name]) < unit
        assert -amount.as_tuple().exponent == currency[1]
    assert found.exact == (list(map(Fraction, found.balances.values())) == list(nets.values()))


@settings(max_examples=100, deadline=None)
@given(exact_nets)
def test_who_lost_pays_who_won(nets: dict[str | None, Fraction]) -> None:
    found = money_debts(nets, "EUR")
    received: Counter[str | None] = Counter()
    for payer, payee, amount in found.settle:
        assert amount > 0
        received[payer] -= amount
        received[payee] += amount
    assert {name: received[name] for name in nets} == found.balances
    assert found.fewest and len(found.settle) <= len(nets) - 1


def test_left_over_units_go_to_who_lost_most_by_rounding_in_order_where_equal() -> None:
    third = Fraction(1, 300)
    found = money_debts({"Ada": third, "Ben": third, "Cleo": third, "Dora": Fraction(-1, 100)}, "EUR")
    assert [str(amount) for amount in found.balances.values()] == ["0.01", "0.00", "0.00", "-0.01"]
    assert found.settle == [Debt("Dora", "Ada", Decimal("0.01"))]
    found = money_debts({"Ada": third, "Ben": 2 * third, "Cleo": -3 * third}, "EUR")
    assert [str(amount) for amount in found.balances.values()] == ["0.00", "0.01", "-0.01"]


def test_amounts_stay_exact_however_large() -> None:
    won = 10**40 + 1
    found = money_debts({"Ada": Decimal(won), "Ben": Decimal(-won)}, "JPY")
    assert found.exact and [str(amount) for amount in found.balances.values()] == [str(won), str(-won)]


def test_chips_go_back_and_money_goes_the_other_way() -> None:
    nets: dict[str | None, int] = {"Ada": 5, "Ben": -5}
    assert debts(nets).transfers == [Transfer("Ada", "Ben", 5)]
    worth = {name: chips * Decimal("0.05") for name, chips in nets.items()}
    assert money_debts(worth, "EUR").settle == [Debt("Ben", "Ada", Decimal("0.25"))]


@pytest.mark.parametrize("over", [3, -3])
def test_the_pot_stands_for_what_is_missing(over: int) -> None:
    assert len(debts({"Ada": over}).transfers) == 1
    assert None in debts({"Ada": over}).transfers[0]
    found = money_debts({"Ada": Decimal(over), "Ben": Decimal(0)}, "EUR")
    assert found.balances == {"Ada": over, "Ben": 0, None: -over}


def test_nobody_owes_anything() -> None:
    assert debts({"Ada": 0, "Ben": 0}).transfers == []
    assert money_debts({}, "EUR").settle == []

"""The fewest transfers that level a table."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comet_hist.audit import Transfer, fewest_transfers
from comet_hist.audit.settle import MOST_EXACT, settle

NAMES = [f"player {number}" for number in range(1, 41)]


def surpluses(players: int, most: int = 9) -> st.SearchStrategy[dict[str | None, int]]:
    """Give surpluses of so many players that add up to nothing."""
    amounts = st.lists(st.integers(-most, most), min_size=players - 1, max_size=players - 1)
    return amounts.map(lambda first: dict(zip(NAMES, [*first, -sum(first)], strict=False)))


def levelled(surplus: dict[str | None, int], transfers: list[Transfer]) -> dict[str | None, int]:
    """Return the surpluses after the transfers."""
    after = dict(surplus)
    for payer, payee, amount in transfers:
        assert amount > 0
        after[payer] -= amount
        after[payee] += amount
    return after


def most_groups(amounts: list[int]) -> int:
    """Count by trying everything into how many groups that add up to nothing the amounts can be split."""
    if not amounts:
        return 0
    first, rest = amounts[0], amounts[1:]
    best = 0
    for size in range(len(rest) + 1):
        for chosen in combinations(range(len(rest)), size):
            if first + sum(rest[index] for index in chosen) == 0:
                others = [amount for index, amount in enumerate(rest) if index not in chosen]
                best = max(best, 1 + most_groups(others))
    return best


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 6).flatmap(surpluses))
def test_six_players_level_with_as_few_transfers_as_can_be(surplus: dict[str | None, int]) -> None:
    transfers = fewest_transfers(surplus)
    off = [amount for amount in surplus.values() if amount]
    assert set(levelled(surplus, transfers).values()) == {0}
    assert len(transfers) == len(off) - most_groups(off)


@settings(max_examples=30, deadline=None)
@given(surpluses(9, most=4))
def test_what_cancels_out_in_pairs_costs_no_group(surplus: dict[str | None, int]) -> None:
    found = settle(surplus)
    off = [amount for amount in surplus.values() if amount]
    assert found.fewest and len(found.transfers) == len(off) - most_groups(off)


@settings(max_examples=10, deadline=None)
@given(st.integers(MOST_EXACT + 1, 40).flatmap(lambda players: surpluses(players, most=200)))
def test_a_whole_club_is_levelled_too(surplus: dict[str | None, int]) -> None:
    found = settle(surplus)
    assert set(levelled(surplus, found.transfers).values()) == {0}
    assert len(found.transfers) < max(1, sum(amount != 0 for amount in surplus.values()))


def test_pairs_that_cancel_out_pay_each_other_however_many_they_are() -> None:
    surplus: dict[str | None, int] = {}
    for place in range(20):
        surplus[NAMES[place]] = place + 1
        surplus[NAMES[39 - place]] = -place - 1
    assert settle(surplus).fewest and len(fewest_transfers(surplus)) == 20


def test_threes_that_cancel_out_are_as_few_as_can_be_and_it_says_so() -> None:
    threes = [(100, 7, -107), (210, 9, -219), (420, 11, -431), (840, 13, -853), (1680, 15, -1695), (3360, 17, -3377)]
    surplus = dict(zip(NAMES, [amount for three in [*threes, (6720, 19, -6739)] for amount in three], strict=False))
    assert len(surplus) > MOST_EXACT
    found = settle(surplus)
    assert found.fewest and len(found.transfers) == 14


def test_what_could_not_be_tried_out_is_not_called_the_fewest() -> None:
    powers = [2**power for power in range(MOST_EXACT)]
    surplus = dict(zip(NAMES, [*powers, -sum(powers)], strict=False))
    found = settle(surplus)
    assert not found.fewest and len(found.transfers) == MOST_EXACT
    assert settle(dict(zip(NAMES, [*powers[1:], -sum(powers[1:])], strict=False))).fewest


def test_two_groups_settle_apart() -> None:
    surplus = {"Ada": 5, "Ben": 3, "Cleo": -5, "Dora": -3}
    assert fewest_transfers(surplus) == [Transfer("Ada", "Cleo", 5), Transfer("Ben", "Dora", 3)]


def test_the_pot_takes_part() -> None:
    assert fewest_transfers({"Ada": -4, None: 4}) == [Transfer(None, "Ada", 4)]


def test_a_level_table_needs_no_transfer() -> None:
    assert fewest_transfers({"Ada": 0, "Ben": 0}) == []
    assert fewest_transfers({}) == []


def test_surpluses_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="add up to 1, not to 0"):
        fewest_transfers({"Ada": 3, "Ben": -2})

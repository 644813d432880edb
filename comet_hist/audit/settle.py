"""The fewest transfers that level a table: to settle a session, and to put recorded stacks right."""

from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple

from comet_hist.audit.facts import Transfer

MOST_EXACT: Final = 18
"""With more players off level, no two of whom cancel out, trying everything would take too long."""


class Settlement(NamedTuple):
    """Transfers after which nobody has more or less than they should, and whether there can be no fewer."""

    transfers: list[Transfer]
    fewest: bool


def fewest_transfers(surplus: Mapping[str | None, int]) -> list[Transfer]:
    """Return the transfers of `settle`; at a table, which has 6 players and a pot, they are always the fewest.

    >>> fewest_transfers({"Ada": 5, "Ben": -3, "Cleo": -2})
    [Transfer(payer='Ada', payee='Ben', amount=3), Transfer(payer='Ada', payee='Cleo', amount=2)]
    """
    return settle(surplus).transfers


def settle(surplus: Mapping[str | None, int]) -> Settlement:
    """Return transfers after which nobody has more or less than they should, as few as can be found.

    Players form groups whose surpluses add up to nothing; a group of `n` needs `n - 1` transfers, so the most
    groups give the fewest transfers. Two who cancel out can always be a group of their own. Up to eighteen others
    are split by trying everything. Of more, groups of three are taken out until so few are left; the transfers are
    the fewest then only if there could be no more groups, since each has at least three.

    Args:
        surplus: for each player what they have above (or, negative, below) what they should have, in chips or in
            the smallest unit of a currency; together it is 0. None is the pot.

    Raises:
        ValueError: if the surpluses do not add up to 0.
    """
    if sum(surplus.values()):
        raise ValueError(f"surpluses add up to {sum(surplus.values())}, not to 0")
    parties = [(party, amount) for party, amount in surplus.items() if amount]
    amounts = [amount for _, amount in parties]
    pairs, others = _cancelling_pairs(amounts)
    groups, fewest = _groups(amounts, others)
    split = sorted([*pairs, *groups])
    return Settlement([transfer for group in split for transfer in _level([parties[at] for at in group])], fewest)


def levelled(surplus: Mapping[str | None, int]) -> dict[str | None, int]:
    """Let the pot stand for what players have too much or too little together."""
    over = sum(surplus.values())
    return {**surplus, None: surplus.get(None, 0) - over} if over else dict(surplus)


def _cancelling_pairs(amounts: list[int]) -> tuple[list[list[int]], list[int]]:
    """Return the indices of pairs that add up to 0, and those of all others."""
    waiting: dict[int, list[int]] = {}
    pairs: list[list[int]] = []
    for index, amount in enumerate(amounts):
        if waiting.get(-amount):
            pairs.append([waiting[-amount].pop(0), index])
        else:
            waiting.setdefault(amount, []).append(index)
    return pairs, sorted(index for indices in waiting.values() for index in indices)


def _groups(amounts: list[int], others: list[int]) -> tuple[list[list[int]], bool]:
    """Split indices, no two of which cancel out, into groups that add up to 0; say whether there can be no more."""
    threes: list[list[int]] = []
    most = len(others) // 3
    while len(others) > MOST_EXACT and (three := _three_that_cancel(amounts, others)):
        threes.append(three)
        others = [index for index in others if index not in three]
    if len(others) > MOST_EXACT:
        return [*threes, others], False
    rest = [[others[at] for at in group] for group in _most_groups([amounts[index] for index in others])]
    return [*threes, *rest], not threes or len(threes) + len(rest) == most


def _three_that_cancel(amounts: list[int], indices: list[int]) -> list[int] | None:
    place = {amounts[index]: index for index in indices}
    for first, second in combinations(indices, 2):
        third = place.get(-amounts[first] - amounts[second], second)
        if third > second:
            return [first, second, third]
    return None


def _most_groups(amounts: list[int]) -> list[list[int]]:
    """Split indices into as many groups as possible that add up to 0, by a table over all subsets."""
    size = 1 << len(amounts)
    total = [0] * size
    most = [0] * size
    for subset in range(1, size):
        low = subset & -subset
        total[subset] = total[subset ^ low] + amounts[low.bit_length() - 1]
        best, rest = 0, subset
        while rest:
            bit = rest & -rest
            rest ^= bit
            if most[subset ^ bit] > best:
                best = most[subset ^ bit]
        most[subset] = best + (total[subset] == 0)
    groups: list[list[int]] = []
    subset = size - 1
    while subset:
        if total[subset] == 0:
            groups.append([])
        wanted = most[subset] - (total[subset] == 0)
        index = next(i for i in range(len(amounts)) if subset >> i & 1 and most[subset ^ 1 << i] == wanted)
        groups[-1].append(index)
        subset ^= 1 << index
    return sorted(sorted(group) for group in groups)


def _level(group: list[tuple[str | None, int]]) -> list[Transfer]:
    """Level one group in order; each transfer leaves its payer or its payee with what they should have."""
    transfers: list[Transfer] = []
    missing = [(party, -amount) for party, amount in reversed(group) if amount < 0]
    for payer, amount in group:
        while amount > 0:
            payee, lacking = missing.pop()
            paid = min(amount, lacking)
            transfers.append(Transfer(payer, payee, paid))
            amount -= paid
            if lacking > paid:
                missing.append((payee, lacking - paid))
    return transfers

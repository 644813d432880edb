"""The fewest transfers that level a table: to settle a session, and to put recorded stacks right."""

from collections.abc import Mapping
from typing import Final

from comet_hist.audit.facts import Transfer

MOST_EXACT: Final = 12
"""With more players than this off level, finding the fewest transfers would take too long."""


def fewest_transfers(surplus: Mapping[str | None, int]) -> list[Transfer]:
    """Return transfers after which nobody has more or less than they should.

    Players form groups whose surpluses add up to nothing; a group of `n` needs `n - 1` transfers, so the most
    groups give the fewest transfers. Up to twelve players off level these are the fewest there can be. With more,
    only pairs that cancel out are looked for, and the rest is one group: everybody comes out level, but perhaps
    with more transfers than need be.

    Args:
        surplus: for each player the chips above (or, negative, below) what they should have; they add up to 0.
            None is the pot.

    Raises:
        ValueError: if the surpluses do not add up to 0.

    >>> fewest_transfers({"Ada": 5, "Ben": -3, "Cleo": -2})
    [Transfer(payer='Ada', payee='Ben', amount=3), Transfer(payer='Ada', payee='Cleo', amount=2)]
    """
    if sum(surplus.values()):
        raise ValueError(f"surpluses add up to {sum(surplus.values())}, not to 0")
    parties = [(party, amount) for party, amount in surplus.items() if amount]
    if len(parties) < 2:
        return []
    amounts = [amount for _, amount in parties]
    groups = _most_groups(amounts) if len(parties) <= MOST_EXACT else _cancelling_pairs(amounts)
    return [transfer for group in groups for transfer in _level([parties[index] for index in group])]


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


def _cancelling_pairs(amounts: list[int]) -> list[list[int]]:
    """Split indices into pairs that add up to 0 and one group of all others."""
    waiting: dict[int, list[int]] = {}
    pairs: list[list[int]] = []
    for index, amount in enumerate(amounts):
        if waiting.get(-amount):
            pairs.append([waiting[-amount].pop(0), index])
        else:
            waiting.setdefault(amount, []).append(index)
    rest = sorted(index for indices in waiting.values() for index in indices)
    return [*pairs, rest]


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

"""The 51 cards of Comet (G2) as small integers, and hands of them as 52-bit masks.

A card is `suit * 13 + rank`: suits in the order ♣ ♦ ♥ ♠, ranks from ace (0) to king (12). A hand is an
integer with bit `card` set for each card in it, so that the lowest card of a suit, the missing cards and
the number left over are one operation each.
"""

from collections.abc import Iterable, Iterator
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
SIGNS: Final = "♣♦♥♠"

NAMES: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Canonical names by card: `NAMES[0]` is `'Ac'`, `NAMES[51]` is `'Ks'`."""

SIGNED: Final[tuple[str, ...]] = tuple(rank.replace("T", "10") + sign for sign in SIGNS for rank in RANKS)
"""Names with suit signs, as messages show them: `SIGNED[9]` is `'10♣'`."""

CARDS: Final[dict[str, int]] = {name: card for card, name in enumerate(NAMES)}
"""Card by canonical name."""

GAP: Final = CARDS["8d"]
"""8♦, which is not in the pack (G2)."""

COMET: Final = CARDS["9d"]
"""9♦, which may stand for the card a run needs (G7)."""

PACK: Final = (1 << 52) - 1 - (1 << GAP)
"""All 51 cards as a mask (G2)."""

SUIT_MASKS: Final[tuple[int, ...]] = tuple(0x1FFF << (13 * suit) for suit in range(4))
"""The thirteen bits of each suit."""


def suit_of(card: int) -> int:
    """Return the suit of a card, 0 to 3 for ♣ ♦ ♥ ♠."""
    return card // 13


def rank_of(card: int) -> int:
    """Return the rank of a card, 0 for the ace to 12 for the king."""
    return card % 13


def is_king(card: int) -> bool:
    """Say whether a card is a king, the end of its suit."""
    return card % 13 == 12


def mask_of(cards: Iterable[int]) -> int:
    """Return the hand that holds exactly the given cards.

    >>> bin(mask_of([0, 2]))
    '0b101'
    """
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> Iterator[int]:
    """Give the cards of a hand, lowest first, by suit ♣ ♦ ♥ ♠.

    >>> [NAMES[card] for card in cards_in(0b101)]
    ['Ac', '3c']
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def lowest(mask: int) -> int:
    """Return the lowest card of a non-empty hand or suit (by suit, then rank)."""
    return (mask & -mask).bit_length() - 1


def names_of(mask: int) -> str:
    """Return the cards of a hand with suit signs, for messages.

    >>> names_of(mask_of([CARDS["Tc"], CARDS["Ad"]]))
    '10♣ A♦'
    """
    return " ".join(SIGNED[card] for card in cards_in(mask))

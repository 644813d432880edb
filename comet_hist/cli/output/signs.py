"""How cards and the rest of what the program itself says are written: with suit signs, or in ASCII."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from comet_hist.cards import NAMES, SIGNED, SIGNS, SUITS, cards_in, suit_of
from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.rows import Bit, Word

_RED: Final = (1, 2)
_ASCII: Final = str.maketrans(
    {**dict(zip(SIGNS, SUITS, strict=True)), "“": '"', "”": '"', "’": "'", "–": "-", "−": "-", "·": "|"}
    | {"→": "->", "←": "<-", "…": "..."}
)


@dataclass(frozen=True, slots=True)
class Signs:
    """What cards, arrows and sentences are written with.

    Attributes:
        ascii: whether to write letters for suits and nothing outside ASCII; names stay as they are.
        names: the names that may stand in sentences.
    """

    ascii: bool = False
    names: Collection[str] = ()

    def card(self, card: int, style: str = "") -> Bit:
        """Return a card: `10♣`, or `Tc` in ASCII, ♦ and ♥ in red."""
        red = "red" if suit_of(card) in _RED else ""
        return Bit((NAMES if self.ascii else SIGNED)[card], f"{style} {red}".strip())

    def laid(self, card: int, stands_for: int | None, style: str = "") -> Word:
        """Return a card as it was played; the Comet with what it stands for, `9♦=K♥`."""
        if stands_for is None:
            return (self.card(card, style),)
        return self.card(card, style), Bit("=", style), self.card(stands_for, style)

    def suit_groups(self, hand: int) -> list[list[Word]]:
        """Return a hand by suits, for each the sign before the first rank; an empty list for a suit not held."""
        groups: list[list[Word]] = [[], [], [], []]
        for card in cards_in(hand):
            group, style = groups[suit_of(card)], self.card(card).style
            rank = NAMES[card][0] if self.ascii else SIGNED[card][:-1]
            sign = (SUITS if self.ascii else SIGNS)[suit_of(card)]
            group.append((Bit(rank, style),) if group else (Bit(f"{sign} {rank}", style),))
        return groups

    def cards(self, hand: int) -> str:
        """Return the cards of a hand in a sentence."""
        return " or ".join(self.card(card).text for card in cards_in(hand))

    def said(self, text: str) -> str:
        """Return a sentence of the program's own, in which names may stand, as it is shown."""
        if not self.ascii:
            return visible(text)
        known = [re.escape(name) for name in sorted(self.names, key=len, reverse=True) if not name.isascii()]
        parts = re.split(f"({'|'.join(known)})", text) if known else [text]
        # Every second part is a name.
        return "".join(visible(part) if index % 2 else visible(_in_ascii(part)) for index, part in enumerate(parts))


def _in_ascii(text: str) -> str:
    return re.sub(rf"10(?=[{SIGNS}])", "T", text).translate(_ASCII)

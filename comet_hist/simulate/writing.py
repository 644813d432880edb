"""The plays and cards of a hand as they are written."""

from collections.abc import Sequence

from comet_hist.cards import COMET, NAMES
from comet_hist.engine.table import Move

_NAMES = NAMES
_SPACED = tuple(f" {card}" for card in NAMES)
_COMET = COMET


def run_lines(moves: list[Move], names: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the `Run` lines of a hand, each with whether the Comet fell in it.

    Args:
        moves: what was played.
        names: the names by position, as they are written.
    """
    lines: list[tuple[str, bool]] = []
    parts: list[str] = []
    fell = False
    speaker = -1
    for player, card, stands_for, opens in moves:
        if opens:
            if parts:
                lines.append(("".join(parts), fell))
            fell = False
            parts = ["Run: ", names[player]]
        elif player != speaker:
            parts.append(", ")
            parts.append(names[player])
        speaker = player
        parts.append(_SPACED[card])
        if card == _COMET:
            fell = True
        if stands_for is not None:
            parts.append("=" + _NAMES[stands_for])
    lines.append(("".join(parts), fell))
    return lines


def cards_text(hand: int) -> str:
    """Return the cards of a hand, each with a space before it, by suit and rank."""
    parts: list[str] = []
    card = 0
    while hand:
        if hand & 1:
            parts.append(_SPACED[card])
        hand >>= 1
        card += 1
    return "".join(parts)

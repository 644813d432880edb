"""What may be played in a hand without faults: which card a run needs, what may be led, when the Comet may stand in.

`comet_hist.engine.table` knows the same, for hands with faults too, and is what these few functions are held against.
"""

from comet_hist.cards import COMET, GAP
from comet_hist.rules import Rules

NOTHING = 52
"""The card that a run needs while none is under way, and what is no card in general."""

# What the compiled functions use, which Python does not see.
_NOTHING = NOTHING
_COMET = COMET
_ONE = 1
_GAP = GAP
_ACES = 0x8004002001


class House:
    """The rules of play of a table, as a hand asks for them.

    Attributes:
        stop: whether a run ends where the Comet stood for 8♦ (R2).
        keep: whether a player whose lowest diamond is 9♦ may lead the next one (R5).
        stalled: whether the Comet may stand only for cards that nobody holds (R6).
        gap: whether it may stand only for 8♦ (R7).
        hand: whether the first lead has the lowest rank of the whole hand (R12).
        change: whether a new run must change the suit (R13).
    """

    __slots__ = ("change", "gap", "hand", "keep", "stalled", "stop")

    def __init__(self, rules: Rules) -> None:
        self.stop = rules.gap == "stop"
        self.keep = rules.keep == "yes"
        self.stalled = rules.standin == "stalled"
        self.gap = rules.standin == "gap"
        self.hand = rules.first == "hand"
        self.change = rules.suit == "change"


def needed_after(card: int, house: House) -> int:
    """Return the card that a run needs once it has come to a card (G5, R2), `NOTHING` after a king (R8)."""
    if card == _GAP and not house.stop:
        return _COMET + 1
    return _NOTHING if card % 13 == 12 else card + 1


def is_held(card: int, fallen: int) -> bool:
    """Say whether somebody holds a card: all do that are in the pack and not on the table (G2, G3)."""
    return card != _GAP and not fallen >> card & 1


def may_stand_in(card: int, fallen: int, house: House) -> bool:
    """Say whether the house lets the Comet stand for a card that the run needs (G7, R6, R7).

    Args:
        card: the card.
        fallen: mask of the cards on the table.
        house: the rules of play.
    """
    if card == _GAP:
        return True
    return not house.gap and not (house.stalled and is_held(card, fallen))


def leads(hand: int, suit: int, house: House) -> int:
    """Return the mask of the cards that may open a run (G4, G6).

    Args:
        hand: mask of the cards of whoever opens.
        suit: the suit of the run before, 0 to 3, or `NOTHING` for the first lead of the hand.
        house: the rules of play.
    """
    found = 0
    for each in range(4):
        held = hand >> 13 * each & 0x1FFF
        if not held or (house.change and each == suit and hand != held << 13 * each):
            continue
        lowest = held & (0 - held)
        found |= lowest << 13 * each
        if house.keep and lowest << 13 * each == _bit(_COMET) and held != lowest:
            held ^= lowest
            found |= (held & (0 - held)) << 13 * each
    if house.hand and suit == _NOTHING:
        return _of_least_rank(found)
    return found


def _of_least_rank(found: int) -> int:
    """Return those of some cards whose rank is the least among them (R12)."""
    for rank in range(13):
        least = found & _ACES << rank
        if least:
            return least
    return 0


def _bit(card: int) -> int:
    return _ONE << card

"""What players choose: which run to open, and whether to play the Comet.

A strategy is a pair of small functions of a `View`, which holds what that player may know and nothing else: their own
cards, what has fallen, what the run needs. The advice they follow is that of the rule texts: open the longest suit, and
be patient with the Comet.
"""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from comet_hist.cards import COMET, GAP
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.simulate.moves import NOTHING, is_held

_NOTHING = NOTHING
_COMET = COMET
_ONE = 1
_GAP = GAP


class View:
    """What a player may know who is asked for a choice.

    Attributes:
        own: mask of the player's own cards.
        fallen: mask of the cards on the table.
        need: the card that the run needs, `NOTHING` where none is under way or another is opened.
        leads: mask of the cards that may be led, without 9♦ where there is another; 0 where nothing is led.
        luck: a number by chance from 0 to 2**32 - 1, drawn anew for each question.
    """

    __slots__ = ("fallen", "leads", "luck", "need", "own")

    def __init__(self, own: int, fallen: int, need: int, leads: int, luck: int) -> None:
        self.own = own
        self.fallen = fallen
        self.need = need
        self.leads = leads
        self.luck = luck


Opening = Callable[[View], int]
"""Chooses the card to lead from `View.leads`."""

CometChoice = Callable[[View], bool]
"""Says whether to play the Comet, for `View.need` or, where that is `NOTHING`, as the lead."""


class Strategy(NamedTuple):
    """How a player plays.

    Attributes:
        opening: which run they open.
        comet: when they play the Comet. Where they have nothing else to lead, nobody is asked.
    """

    opening: Opening
    comet: CometChoice


# Opening a run


def longest(view: View) -> int:
    """Lead the suit of which one holds the most cards; the Comet does not count, and of equal suits the first does."""
    return _by_length(view, True)


def shortest(view: View) -> int:
    """Lead the suit of which one holds the fewest cards, to be rid of it."""
    return _by_length(view, False)


def random(view: View) -> int:
    """Lead any card that may be led."""
    leads = view.leads
    for _ in range(view.luck * _count(leads) >> 32):
        leads &= leads - 1
    return _lowest(leads)


def _by_length(view: View, most: bool) -> int:
    leads = view.leads
    best = _lowest(leads)
    length = _length(view.own, best // 13)
    leads &= leads - 1
    while leads:
        card = _lowest(leads)
        other = _length(view.own, card // 13)
        if other > length if most else other < length:
            best, length = card, other
        leads &= leads - 1
    return best


# Playing the Comet


def at_once(view: View) -> bool:
    """Play it as soon as it may be played: a small payment, but a sure one."""
    return True


def hold(view: View) -> bool:
    """Keep it to rescue a run that has stalled in one's own longest suit, where one can go on; or to go out with it."""
    if view.own == _ONE << _COMET:
        return True
    if view.need == _NOTHING or is_held(view.need, view.fallen):
        return False
    suit = view.need // 13
    length = _length(view.own, suit)
    for other in range(4):
        if _length(view.own, other) > length:
            return False
    above = 13 * (suit + 1) - view.need - 1
    return _without_comet(view.own) >> view.need + 1 & (_ONE << above) - _ONE != 0


def block(view: View) -> bool:
    """Keep the diamonds shut above 7♦: never play it for 8♦, but to rescue any other stalled run, or to go out."""
    if view.own == _ONE << _COMET:
        return True
    return view.need != _NOTHING and view.need != _GAP and not is_held(view.need, view.fallen)


def gap_only(view: View) -> bool:
    """Play it for 8♦ and for nothing else."""
    return view.need == _GAP


class AtRandom:
    """Play it at each occasion with the same probability.

    Args:
        probability: from 0 to 1.
    """

    def __init__(self, probability: Decimal) -> None:
        self._below = int(probability * 2**32)

    def __call__(self, view: View) -> bool:
        """Say whether to play it."""
        return view.luck < self._below


def _without_comet(hand: int) -> int:
    return hand & ~(_ONE << _COMET)


def _length(hand: int, suit: int) -> int:
    """Return how many cards of a suit are in a hand, the Comet not counted."""
    return _count(_without_comet(hand) >> 13 * suit & 0x1FFF)


def _count(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def _lowest(mask: int) -> int:
    """Return the lowest card of a hand that is not empty."""
    card = 0
    while not mask >> card & 1:
        card += 1
    return card


# By name

OPENINGS: Final[dict[str, Opening]] = {"longest": longest, "shortest": shortest, "random": random}
COMETS: Final[dict[str, CometChoice]] = {"at-once": at_once, "hold": hold, "block": block, "gap-only": gap_only}
DEFAULT: Final = Strategy(longest, hold)
"""The advice of the rule texts."""

KNOWN: Final = (*OPENINGS, *COMETS, "random:P")


class StrategyError(ValueError):
    """A strategy that there is not."""


def strategy(text: str) -> Strategy:
    """Return the strategy that is called so: an opening, a way with the Comet, or both with `+` between.

    What is left out is as the rule texts advise, `longest` and `hold`.

    Raises:
        StrategyError: saying what is wrong with it.

    >>> strategy("shortest") == Strategy(shortest, hold)
    True
    """
    opening: Opening | None = None
    comet: CometChoice | None = None
    for part in text.split("+"):
        if part in OPENINGS:
            if opening is not None:
                raise StrategyError(f"“{text}” opens in two ways; give one of {', '.join(OPENINGS)}")
            opening = OPENINGS[part]
        else:
            if comet is not None:
                raise StrategyError(f"“{text}” plays the Comet in two ways; give one")
            comet = _comet(part)
    return Strategy(opening or DEFAULT.opening, comet or DEFAULT.comet)


def _comet(part: str) -> CometChoice:
    if part in COMETS:
        return COMETS[part]
    word, _, share = part.partition(":")
    if word != "random":
        near = did_you_mean(nearest(part, (*OPENINGS, *COMETS)))
        raise StrategyError(f"there is no strategy “{part}”" + (near or f"; there are {', '.join(KNOWN)}"))
    try:
        probability = Decimal(share)
        right = 0 <= probability <= 1
    except InvalidOperation:
        right = False
    if not right:
        raise StrategyError(f"“{part}” takes a probability from 0 to 1, such as random:0.3")
    return AtRandom(probability)

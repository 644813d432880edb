"""The one source of chance: the generator SplitMix64, the same numbers on every machine.

It is integer arithmetic on 64 bits and nothing else, so that a seed gives the same bytes everywhere and always.
"""

from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")

_ALL = 0xFFFFFFFFFFFFFFFF
_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


class Chance:
    """A stream of numbers by chance.

    Args:
        state: where it begins, 64 bits.

    >>> Chance(1234567).number()
    6457827717110365317
    """

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def number(self) -> int:
        """Return the next number of 64 bits."""
        self.state = (self.state + _STEP) & _ALL
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * _FIRST) & _ALL
        mixed = ((mixed ^ (mixed >> 27)) * _SECOND) & _ALL
        return mixed ^ (mixed >> 31)

    def below(self, count: int) -> int:
        """Return a number from 0 to below `count`, which is at most 2**32; none is likelier by more than 2**-26."""
        return ((self.number() >> 32) * count) >> 32

    def choice(self, things: Sequence[_T]) -> _T:
        """Return one of several things."""
        return things[self.below(len(things))]


def stream(seed: int, session: int, use: int) -> Chance:
    """Return the stream of a session for one use, which tells nothing of any other.

    So what is dealt does not hang on what is chosen at the table, nor a session on the number of sessions or workers.

    Args:
        seed: what the user gave, 64 bits.
        session: which session it is, from 0.
        use: `DEALS`, `CHOICES` or `SLIPS`.
    """
    return Chance(Chance(Chance(seed).number() ^ session).number() ^ use)


DEALS = 1
CHOICES = 2
SLIPS = 3

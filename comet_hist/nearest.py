"""The nearest of several words to one that was misspelt."""

from collections.abc import Iterable
from typing import Final

NEAR: Final = 0.7
"""How alike a word and what was meant are at least: the share of letters that stand in both in the same order."""

_SWAPPED: Final = 0.9
"""What two words count for that differ by two neighbouring letters, however short they are."""

_LONGEST: Final = 64
"""Characters of the longest word that is compared."""


def nearest(word: str, known: Iterable[str], near: float = NEAR) -> str | None:
    """Return the word that was meant by a misspelt one, or None if none of them, or no single one, is near.

    Case does not count.

    Args:
        word: what was written; not one of `known`.
        known: the words that would have been right.
        near: how alike the two are at least, 1 for the same.

    >>> nearest("Rnu", ["Run", "Rules", "Hand"])
    'Run'
    >>> nearest("Ana", ["Anna", "Anja"]) is None
    True
    """
    from difflib import SequenceMatcher

    written = word[:_LONGEST].casefold()
    matcher = SequenceMatcher(b=written)
    found: list[tuple[float, str]] = []
    for other in dict.fromkeys(known):
        meant = other.casefold()
        matcher.set_seq1(meant)
        alike = max(_SWAPPED if _swapped(written, meant) else 0.0, matcher.ratio())
        if alike >= near:
            found.append((alike, other))
    best = max(found, default=(0.0, None))
    return best[1] if [alike for alike, _ in found].count(best[0]) == 1 else None


def did_you_mean(meant: str | None) -> str:
    """Return the end of a message that asks for what was meant, empty where that is not known.

    >>> did_you_mean("Run:")
    '; did you mean “Run:”?'
    """
    return f"; did you mean “{meant}”?" if meant else ""


def _swapped(word: str, other: str) -> bool:
    """Say whether two words are the same but for two neighbouring letters."""
    if len(word) != len(other):
        return False
    differ = [at for at, (one, two) in enumerate(zip(word, other, strict=True)) if one != two]
    if len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    at = differ[0]
    return word[at] == other[at + 1] and word[at + 1] == other[at]

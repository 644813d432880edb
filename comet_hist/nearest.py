"""The nearest of several words to one that was misspelt."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

NEAR: Final = 0.7
"""How alike a word and what was meant are at least: the share of letters that stand in both in the same order."""

_SWAPPED: Final = 0.9
"""What two words count for that differ by two neighbouring letters, however short they are."""

_LONGEST: Final = 64
"""Characters of the longest word that is compared."""

_PLAIN: Final = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
    | dict.fromkeys("’‘ʼ´`′", "'")
    | dict.fromkeys("‐‑‒–—−", "-")
)
"""What is typed instead of signs that are no letter with an accent."""

_SPELT_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
"""How letters are written out where a keyboard lacks them."""


def nearest(word: str, known: Iterable[str], near: float = NEAR) -> str | None:
    """Return the word that was meant by a misspelt one, or None if none of them, or no single one, is near.

    Neither case nor accents count, nor whether a letter is written out: `Helene` is near to `Hélène` and `Jörg` to
    `Joerg`. Only between words that are equally near otherwise the accents tell.

    Args:
        word: what was written; not one of `known`.
        known: the words that would have been right.
        near: how alike the two are at least, 1 for the same.

    >>> nearest("Rnu", ["Run", "Rules", "Hand"])
    'Run'
    >>> nearest("Ana", ["Anna", "Anja"]) is None
    True
    >>> nearest("Helene", ["Hélène", "Helena"]), nearest("strasse", ["Straße"]), nearest("Joerg", ["Jörg"])
    ('Hélène', 'Straße', 'Jörg')
    """
    from difflib import SequenceMatcher

    plain, spelt_out = _forms(word[:_LONGEST])
    matcher, accented = SequenceMatcher(b=plain), SequenceMatcher(b=word[:_LONGEST].casefold())
    found: list[tuple[tuple[float, float], str]] = []
    for other in dict.fromkeys(known):
        forms = _forms(other)
        matcher.set_seq1(forms[0])
        alike = max(_SWAPPED if _swapped(plain, forms[0]) else 0.0, matcher.ratio())
        if plain in forms or spelt_out in forms:
            alike = 1.0
        if alike >= near:
            accented.set_seq1(other.casefold())
            found.append(((alike, accented.ratio()), other))
    best = max(found, default=((0.0, 0.0), None))
    return best[1] if [alike for alike, _ in found].count(best[0]) == 1 else None


def without_accents(word: str) -> str:
    """Return a word without the accents of its letters.

    >>> without_accents("Règles")
    'Regles'
    """
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))


@lru_cache(maxsize=4096)
def _forms(word: str) -> tuple[str, str]:
    """Return how a word is written plainly: with its accents left out, and with letters written out.

    >>> _forms("Jörg"), _forms("Ｄ’Œuvre")
    (('jorg', 'joerg'), ("d'oeuvre", "d'oeuvre"))
    """
    folded = word.casefold()
    if folded.isascii():
        plain = folded.replace("`", "'")
        return plain, plain
    folded = unicodedata.normalize("NFKC", folded.translate(_PLAIN | {ord("ø"): "ø"}))
    spelt_out = folded.translate(_SPELT_OUT)
    return without_accents(folded.translate(_PLAIN)), without_accents(spelt_out)


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

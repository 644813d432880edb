"""Where a session or a hand begins in the middle of a line, as in a file appended to one without a last line feed."""

import re
from collections.abc import Container
from typing import Final, NamedTuple

from comet_hist.notation.tokens import QUOTED, TOKEN
from comet_hist.notation.vocabulary import Vocabulary, fold, sessions

_TAIL: Final = 400
"""Characters at the end of a line in which an opening is looked for: more than the longest one has."""

_LONGEST_WORD: Final = 40
"""Characters at the end of a word in which a keyword is looked for."""

_BEFORE_WORDS: Final = " \t\n:,=>→"
"""What stands before a word of a line."""

_WORD: Final = r'(?<![^\s\d:,"#=])([^\s\d:,"#=]++)'
_SESSION: Final = re.compile(rf'{_WORD}[^\S\n]++([^\s:,"#=]++)[^\S\n]++{TOKEN}\s*+$')
_HAND: Final = re.compile(rf"{_WORD}[^\S\n]++([0-9]{{1,9}})\s*+$")

_QUOTED: Final = re.compile(QUOTED)
_OPEN_QUOTE: Final = re.compile(r'(?<![\w\\])"')


class Inner(NamedTuple):
    """The opening of a session or a hand that stands in the middle of a line.

    Attributes:
        kind: `session` or `hand`.
        at: the offset where it begins.
        end: the offset just after its keyword.
        number: the number of the hand, 0 for a session.
        apart: whether white space or a sign stands before it, as before any word that goes on with the line.
        language: the language of the session that it opens, or that it is in.
    """

    kind: str
    at: int
    end: int
    number: int
    apart: bool
    language: str


def inner_opening(text: str, start: int, words: Vocabulary, names: Container[str] = ()) -> Inner | None:
    """Return the opening that a line ends with, or None if it ends with none.

    Args:
        text: the line.
        start: only what begins behind this offset counts.
        words: the language of the session above.
        names: the players at the table, whose names are none.

    >>> from comet_hist.notation.vocabulary import vocabulary
    >>> inner_opening("Stacks: Ann 38, Ben 42Comet session x", 0, vocabulary("en"))
    Inner(kind='session', at=22, end=35, number=0, apart=False, language='en')
    >>> inner_opening("Winner: AnnHand 2", 0, vocabulary("en"))
    Inner(kind='hand', at=11, end=15, number=2, apart=False, language='en')
    >>> inner_opening("Winner: AnnHand 2", 0, vocabulary("en"), {"AnnHand"})
    """
    found = _session(text, start) or _hand(text, start, words, names)
    return None if found is None or _is_quoted(text[start : found.at]) else found


def _is_quoted(before: str) -> bool:
    """Say whether a quote is open behind a text; behind a letter or digit a quotation mark opens none."""
    return _OPEN_QUOTE.search(_QUOTED.sub("", before)) is not None


def _session(text: str, start: int) -> Inner | None:
    found = _SESSION.search(text, max(start, len(text.rstrip()) - _TAIL))
    if found is None:
        return None
    second = fold(found[2])
    for at in _beginnings(found[1]):
        if language := sessions().get((fold(found[1][at:]), second)):
            return _inner("session", text, found.start(1) + at, found.end(2), 0, start, language)
    return None


def _hand(text: str, start: int, words: Vocabulary, names: Container[str]) -> Inner | None:
    found = _HAND.search(text, max(start, len(text.rstrip()) - _TAIL))
    if found is None or found[1] in names:
        return None
    written = words.keywords["hand"]
    for at in _beginnings(found[1]):
        word = found[1][at:]
        # Many words end in that keyword: behind a letter it counts only if it is written with its capital.
        known = word == written if found[1][at - 1 : at].isalpha() else words.kinds.get(fold(word)) == "hand"
        if known:
            return _inner("hand", text, found.start(1) + at, found.end(1), int(found[2]), start, words.language)
    return None


def _beginnings(word: str) -> range:
    return range(max(0, len(word) - _LONGEST_WORD), len(word))


def _inner(kind: str, text: str, at: int, end: int, number: int, start: int, language: str) -> Inner | None:
    return Inner(kind, at, end, number, text[at - 1] in _BEFORE_WORDS, language) if at > start else None

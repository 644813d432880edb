"""The smallest parts of a line, judged one by one: names, cards and amounts.

Each function takes a token as it was written and says what it means, or raises `Unread` with the finding. The
caller knows where the token stands.
"""

import re
import unicodedata
from typing import Final, NoReturn

from comet_hist.notation.vocabulary import Vocabulary
from comet_hist.rules import MOST_CHIPS

QUOTED: Final = r'"(?:[^"\\\n]++|\\.)*+"'
"""A quoted name, which ends on its physical line."""

WORD: Final = r'(?:[^\s,":→\-]++|-(?!>))++'
"""Anything that stands between spaces, commas, colons and arrows."""

TOKEN: Final = rf"(?:{QUOTED}|{WORD})"
ARROW: Final = r"(?:->|→)"

_LONGEST_CARD: Final = 5
"""Characters of the longest card, with a suit of two letters or a sign with its selector."""

LONGEST_NAME: Final = 64
"""Characters of the longest name."""

_HALF = r'(?:[^\s,":→\-=]++|-(?!>))++'
_LISTED = re.compile(rf",|{QUOTED}|{_HALF}(?:\s*+=\s*+{_HALF})?+|=")

_BARE = re.compile(r"[^\W\d_][\w.'\-]*")
_ESCAPE = re.compile(r"\\(.)")


class Unread(Exception):
    """A line that cannot be read, and why.

    Attributes:
        code: the finding's code, E101 to E109.
        at: offset in the line of what it points at.
        end: offset just after it.
        message: what is wrong.
        expected: what would have been right, or None.
        actual: what was found, or None.
        suggestion: what to write instead, or None.
    """

    def __init__(
        self,
        code: str,
        at: int,
        end: int,
        message: str,
        expected: str | None = None,
        actual: str | None = None,
        suggestion: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.at = at
        self.end = end
        self.message = message
        self.expected = expected
        self.actual = actual
        self.suggestion = suggestion


def listed(text: str, start: int, stop: int) -> list[tuple[str, int, int]]:
    """Return the words and commas of a list with the offsets where each begins and ends.

    A card that stands for another is one word, with spaces around `=` too. Without quotes and white space other than
    plain spaces the list can be cut at its commas and spaces, which takes a third of the time.

    >>> listed("Run: Ben 2h, Zoë 3h", 5, 19)
    [('Ben', 5, 8), ('2h', 9, 11), (',', 11, 12), ('Zoë', 13, 16), ('3h', 17, 19)]
    """
    body = text[start:stop]
    if '"' in body or " =" in body or "= " in body or not body.isprintable():
        return [(token[0], *token.span()) for token in _LISTED.finditer(text, start, stop)]
    found = []
    at = start
    for group in body.split(","):
        for word in group.split(" "):
            end = at + len(word)
            if word:
                found.append((word, at, end))
            at = end + 1
        found.append((",", at - 1, at))
    found.pop()
    return found


def is_bare(text: str) -> bool:
    """Say whether a name can stand without quotes, as far as its letters go.

    >>> is_bare("Zoë"), is_bare("Jean Luc"), is_bare("2c")
    (True, False, False)
    """
    return _BARE.fullmatch(text) is not None


def quote(text: str) -> str:
    r"""Return a name in quotes.

    >>> quote('A "B"')
    '"A \\"B\\""'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name(token: str, at: int, words: Vocabulary, what: str = "a name", *, pot: bool = False) -> str:
    """Return the name that a token gives, after NFC and without quotes.

    Args:
        token: a quoted or bare word.
        at: its offset, for the finding.
        words: the language, which says what the pot is called.
        what: what stands here, for the message.
        pot: whether a bare `pot` is taken for a name here.

    Raises:
        Unread: E105.
    """
    if token[0] != '"':
        text = unicodedata.normalize("NFC", token)
        if not _BARE.fullmatch(text):
            _no_bare_name(token, at, what)
        if not pot and words.is_pot(text):
            message = f"the pot cannot stand here; a player called “{token}” is written in quotes"
            raise Unread("E105", at, at + len(token), message, what, token, quote(text))
    else:
        text = unicodedata.normalize("NFC", _ESCAPE.sub(lambda escape: escape[1], token[1:-1]))
        for escape in _ESCAPE.finditer(token):
            if escape[1] not in '"\\':
                place = at + escape.start()
                message = f'a backslash in a name stands before " or \\ only, found before “{escape[1]}”'
                raise Unread("E105", place, place + 2, message, what, escape[0], "\\\\" + escape[1])
    _check_length(text, token, at, what)
    return text


def _no_bare_name(token: str, at: int, what: str) -> NoReturn:
    shown = _shown(token)
    if is_bare("A" + token):
        message = f"“{shown}” is not {what}; a name that does not begin with a letter is written in quotes"
    else:
        message = f"“{shown}” is not {what}; with anything but letters, digits and _ . ' - it is written in quotes"
    suggestion = quote(token) if shown == token else None
    raise Unread("E105", at, at + len(token), message, what, shown, suggestion)


def _check_length(text: str, token: str, at: int, what: str) -> None:
    end = at + len(token)
    if not text:
        raise Unread("E105", at, end, "a name has at least one character", what, token)
    if len(text) > LONGEST_NAME:
        message = f"a name has at most {LONGEST_NAME} characters, this one {len(text)}"
        raise Unread("E105", at, end, message, f"at most {LONGEST_NAME} characters", text[:LONGEST_NAME] + "…")
    for index, sign in enumerate(token):
        if not sign.isprintable():
            place = at + index
            message = f"a name has printable characters only, found U+{ord(sign):04X}"
            raise Unread("E105", place, place + 1, message, "printable characters", f"U+{ord(sign):04X}")


def amount(token: str, at: int, words: Vocabulary, *, debts: bool = False) -> int:
    """Return the chips that a token gives, 0 to 10⁹; below zero only where `debts` allows it.

    Messages name keywords as the language, `words`, has them.

    Raises:
        Unread: E104.
    """
    digits = token[1:] if debts and token[0] == "-" else token
    if digits.isascii() and digits.isdigit():
        plain = digits.lstrip("0")
        if len(plain) <= 10 and int(plain or "0") <= MOST_CHIPS:
            return int(plain or "0") if digits is token else -int(plain or "0")
        raise _no_amount(token, at, "is more than 1000000000 chips", None)
    if digits[:1] in ("-", "−") and not debts:
        seat, stacks = words.keywords["seat"], words.keywords["stacks"]
        reason = f"is not an amount: only the chip counts of {seat} and {stacks} may be below zero"
        raise _no_amount(token, at, reason, None)
    joined = token[: len(token) - len(digits)] + re.sub(r"[._'’]", "", digits)
    grouped = re.fullmatch(r"\d{1,3}(?:([._'’])\d{3})(?:\1\d{3})*", digits, re.ASCII)
    reason = "is not an amount: chips are written as a whole number in digits"
    raise _no_amount(token, at, reason, joined if grouped else None)


def _no_amount(token: str, at: int, reason: str, suggestion: str | None) -> Unread:
    shown = _shown(token)
    expected = "a whole number of chips, 0 to 1000000000"
    return Unread("E104", at, at + len(token), f"“{shown}” {reason}", expected, shown, suggestion)


def looks_like_card(token: str, words: Vocabulary) -> bool:
    """Say whether a word is a card, a range of cards or a card that stands for another."""
    if token in words.cards or "=" in token:
        return True
    low, dots, high = token.partition("..")
    return bool(dots) and low in words.cards and high in words.cards


def no_card(token: str, at: int, words: Vocabulary, suggestion: str | None = None) -> Unread:
    """Return the finding on a token that stands where a card should (E103)."""
    from comet_hist.notation.foreign import hint

    shown = _shown(token)
    foreign = hint(token, words) if suggestion is None and len(token) <= LONGEST_NAME else None
    reason = foreign.text if foreign else f"a rank is followed by a suit, such as {words.written[-4]}"
    instead = foreign.instead if foreign else suggestion or _turned(token, words)
    message = f"“{shown}” is not a card: {reason}"
    return Unread("E103", at, at + len(token), message, "a card", shown, instead)


def _turned(token: str, words: Vocabulary) -> str | None:
    """Return the card that a token is with its suit behind its rank, or None if that makes no card.

    >>> from comet_hist.notation.vocabulary import vocabulary
    >>> _turned("sA", vocabulary("en"))
    'As'
    """
    cuts = range(1, min(len(token), _LONGEST_CARD))
    cards = {words.cards[turned] for at in cuts if (turned := token[at:] + token[:at]) in words.cards}
    return words.written[cards.pop()] if len(cards) == 1 else None


def foreign_card(token: str, at: int, words: Vocabulary) -> Unread | None:
    """Return the finding on a bare word that is a card in another language, where nobody is called so (E103).

    None if it is no card there either.
    """
    from comet_hist.notation.foreign import hint, is_foreign_card

    if not is_foreign_card(token, words):
        return None
    foreign = hint(token, words)
    assert foreign is not None, "what is a card elsewhere can be written here"
    message = f"“{token}” is neither a player at the table nor a card: {foreign.text}"
    return Unread("E103", at, at + len(token), message, "a name or a card", token, foreign.instead)


def _shown(token: str) -> str:
    """Return a token as a message can show it: printable, and not too long."""
    short = token if len(token) <= LONGEST_NAME else token[: LONGEST_NAME - 1] + "…"
    return short if short.isprintable() else ascii(short)[1:-1]

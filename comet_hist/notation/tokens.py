"""The smallest parts of a line, judged one by one: names, cards and amounts.

Each function takes a token as it was written and says what it means, or raises `Unread` with the finding. The
caller knows where the token stands.
"""

import re
import unicodedata
from collections.abc import Container
from typing import Final, NoReturn

from comet_hist.notation.languages import LONGEST_LETTERS
from comet_hist.notation.vocabulary import SUIT_SIGNS, Vocabulary
from comet_hist.rules import MOST_CHIPS

# Python before 3.11.5 gives possessive quantifiers over groups wrong matches. In all patterns they stand behind single
# characters only, and what follows a repeated group cannot match where one of its turns began.

QUOTED: Final = r'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*"'
"""A quoted name, which ends on its physical line."""

WORD: Final = r'(?:[^\s,":→\-]++(?!-)|(?!->)[^\s,":→][^\s,":→\-]*+(?:-(?!>)[^\s,":→\-]*+)*)'
"""Anything that stands between spaces, commas, colons and arrows; first, since it is faster, what has no hyphen."""

TOKEN: Final = rf"(?:{WORD}|{QUOTED})"
ARROW: Final = r"(?:->|→)"

_LONGEST_CARD: Final = 2 * LONGEST_LETTERS
"""Characters of the longest card."""

LONGEST_NAME: Final = 64
"""Characters of the longest name."""

_LONGEST_WRITTEN: Final = 4 * LONGEST_NAME
"""Code points beyond which a name is too long after NFC too, which joins four of them at most and takes its time."""

_HALF = r'(?!->)[^\s,":→=][^\s,":→\-=]*+(?:-(?!>)[^\s,":→\-=]*+)*'
_LISTED = re.compile(rf",|{QUOTED}|{_HALF}(?:\s*+=\s*+{_HALF})?|=")

_APART: Final = r"(?:[._'’‘ʼ´`,]|[^\S\n]++)"
"""What may stand between the digits of a number: a sign between its thousands, or that of a fraction."""

_SPREAD = re.compile(rf"[-−+]?[0-9]++(?:{_APART}[0-9]++)+(?![^\s,:→\-])(?!-(?!>))")
_GROUPED = re.compile(
    rf"(?:[1-9][0-9]{{0,2}}(?:({_APART})[0-9]{{3}}(?:\1[0-9]{{3}})*|(,)(?:[0-9]{{2}},)+[0-9]{{3}})|[0-9]++)"
    r"((?!\1|\2)[.,]0{1,2})?"
)

_BARE = re.compile(r"[^\W\d_][\w.'\-]*")
_NAME_IN_CURLS = re.compile(rf'{QUOTED}|(?<![^\s,:])([“„”])([^"“„”\n]*+)([“”]?)')
_RANGE_SIGNS = re.compile(r"[-–—]|\.\.+|…")
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


def straight(text: str) -> str:
    """Return a line with the curly quotes around names, as phones and word processors put them, made straight.

    >>> straight('Dealer: “Jean Luc”'), straight('Dealer: "Jean “Luc”"')
    ('Dealer: "Jean Luc"', 'Dealer: "Jean “Luc”"')
    """
    if "“" not in text and "„" not in text and "”" not in text:
        return text
    return _NAME_IN_CURLS.sub(lambda name: f'"{name[2]}{name[3] and chr(34)}' if name[1] else name[0], text)


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
    written = token if token[0] != '"' else _ESCAPE.sub(lambda escape: escape[1], token[1:-1])
    if len(written) > _LONGEST_WRITTEN:
        raise _too_long(written, token, at)
    text = unicodedata.normalize("NFC", written)
    if token[0] != '"':
        if not _BARE.fullmatch(text):
            _no_bare_name(token, at, what)
        if not pot and words.is_pot(text):
            message = f"the pot cannot stand here; a player called “{token}” is written in quotes"
            raise Unread("E105", at, at + len(token), message, what, token, quote(text))
    else:
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
    suggestion = quote(token) if shown == token and any(map(str.isalpha, token)) else None
    raise Unread("E105", at, at + len(token), message, what, shown, suggestion)


def _check_length(text: str, token: str, at: int, what: str) -> None:
    end = at + len(token)
    if not text:
        raise Unread("E105", at, end, "a name has at least one character", what, token)
    if len(text) > LONGEST_NAME:
        raise _too_long(text, token, at)
    for index, sign in enumerate(token):
        if not sign.isprintable():
            place = at + index
            message = f"a name has printable characters only, found U+{ord(sign):04X}"
            raise Unread("E105", place, place + 1, message, "printable characters", f"U+{ord(sign):04X}")


def _too_long(text: str, token: str, at: int) -> Unread:
    most = f"at most {LONGEST_NAME} characters"
    message = f"a name has {most}, this one {len(text)}"
    return Unread("E105", at, at + len(token), message, most, _shown(text))


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
        raise _no_amount(token, at, "is more than 1000000000", None)
    if digits[:1] in ("-", "−") and not debts:
        seat, stacks = words.keywords["seat"], words.keywords["stacks"]
        reason = f"is not an amount: only the chip counts of {seat} and {stacks} may be below zero"
        raise _no_amount(token, at, reason, None)
    raise _no_amount(token, at, "is not an amount: chips are written as a whole number in digits", ungrouped(token))


def ungrouped(token: str, most: int = MOST_CHIPS) -> str | None:
    """Return a whole number without what stands between its digits or behind them; None if it is none up to `most`.

    >>> ungrouped("1\u202f480"), ungrouped("-1'000'000"), ungrouped("1.480,00"), ungrouped("3.50")
    ('1480', '-1000000', '1480', None)
    """
    if len(token) > LONGEST_NAME:
        return None
    sign, digits = ("-", token[1:]) if token[0] in "-−" else ("", token)
    found = _GROUPED.fullmatch("".join(str(unicodedata.decimal(sign, sign)) for sign in digits))
    if found is None:
        return None
    joined = re.sub(_APART, "", found[0].removesuffix(found[3] or ""))
    return sign + joined if int(joined) <= most else None


def spread_number(text: str, at: int, what: str = "an amount", most: int = MOST_CHIPS) -> Unread | None:
    """Return the finding on a number that goes on behind a space, a comma or another sign (E104).

    A bare number is no name, so that `1 480` and `1,480` are one amount. `1, 480` is not: there a name may be missing.

    Args:
        text: the line.
        at: where the number begins.
        what: what it should be, for the message.
        most: the largest that it may be.

    Returns:
        The finding, or None where what begins there does not go on as a number.
    """
    found = _SPREAD.match(text, at)
    if found is None:
        return None
    message = f"“{_shown(found[0])}” is not {what}, which is written in digits alone"
    if what == "an amount" and any(map(str.isspace, found[0])):
        message += "; a name with a space is written in quotes"
    return Unread("E104", at, found.end(), message, what, _shown(found[0]), ungrouped(found[0], most))


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
    instead = foreign.instead if foreign else suggestion or _turned(token, words) or meant_range(token, words)
    reason = foreign.text if foreign else _why_no_card(token, words)
    message = f"“{shown}” is not a card: {reason}"
    return Unread("E103", at, at + len(token), message, "a card", shown, instead)


def _why_no_card(token: str, words: Vocabulary) -> str:
    """Say which part of a word is wrong where the other is that of a card, else what a card is."""
    if meant_range(token, words):
        return "a range is written with two dots"
    ranks = {spelt.casefold() for spellings in words.ranks.values() for spelt in spellings}
    suits = {spelt.casefold() for spellings in words.suits.values() for spelt in spellings}
    folded = token[:_LONGEST_CARD].casefold()
    head = next((token[:at] for at in range(1, len(folded)) if folded[at:] in suits), "")
    if head == "1":
        return f"1 is no rank; {words.ranks['A'][0]} is the ace, {' or '.join(words.ranks['T'])} the ten"
    if head.isdecimal() and head not in ranks:
        return f"{head} is no rank"
    if folded[:-1].isdecimal() and folded[:-1] in ranks:
        letters = [words.letter(suit) for suit in words.suits]
        return f"{token[-1]} is no suit; suits are {', '.join(letters[:-1])} and {letters[-1]}"
    return f"a rank is followed by a suit, such as {words.written[-4]}"


def meant_range(token: str, words: Vocabulary) -> str | None:
    """Return the range that a word is whose dots are other signs, or None if it is none."""
    low, *rest = _RANGE_SIGNS.split(token[: 2 * _LONGEST_CARD + 1])
    return f"{low}..{rest[0]}" if len(rest) == 1 and low in words.cards and rest[0] in words.cards else None


def join_ranges(
    listed: list[tuple[str, int, int]], text: str, words: Vocabulary, seated: Container[str]
) -> list[tuple[str, int, int]]:
    """Return the words of a run with ranges as one word each: `As .. Ks`, with spaces around its dots, and `As…Ks`.

    Args:
        listed: the words and commas, with their offsets.
        text: the line.
        words: the language, which says what is a card.
        seated: whose names are left alone, should one end in dots.
    """
    if " .." not in text and ".. " not in text and "…" not in text:
        return listed
    joined: list[tuple[str, int, int]] = []
    at = 0
    while at < len(listed):
        for size in (3, 2, 1):
            group = listed[at : at + size]
            low, dots, high = "".join(word for word, _, _ in group).replace("…", "..").partition("..")
            if dots and low in words.cards and high in words.cards and group[0][0] not in seated:
                joined.append((f"{low}..{high}", group[0][1], group[-1][2]))
                break
        else:
            group = listed[at : at + 1]
            joined += group
        at += len(group)
    return joined


def _turned(token: str, words: Vocabulary) -> str | None:
    """Return the card that a token is with its suit behind its rank, or None if that makes no card.

    >>> from comet_hist.notation.vocabulary import vocabulary
    >>> _turned("sA", vocabulary("en"))
    'As'
    """
    cuts = range(1, min(len(token), _LONGEST_CARD))
    cards = {words.cards[turned] for at in cuts if (turned := token[at:] + token[:at]) in words.cards}
    return words.written[cards.pop()] if len(cards) == 1 else None


def has_suit_sign(word: str) -> bool:
    """Say whether a word has a suit sign in it, as only cards have.

    >>> has_suit_sign("Q♥"), has_suit_sign("Zoë")
    (True, False)
    """
    return any(sign in word for signs in SUIT_SIGNS.values() for sign in signs)


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

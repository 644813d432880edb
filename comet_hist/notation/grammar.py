"""The pyparsing grammar of the lines: what follows each keyword, as `grammars/comet.ebnf` lays it down.

A production is loose at its leaves: it finds words, commas, colons and arrows in their order. What a word
means is judged afterwards, so that a finding points at the word and says what is wrong with it.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

import pyparsing as pp

from comet_hist.nearest import nearest
from comet_hist.notation.tokens import ARROW, QUOTED, TOKEN, Unread, spread_number
from comet_hist.notation.vocabulary import Vocabulary, fold, vocabulary
from comet_hist.rules import MOST_CHIPS

_LIST: Final = rf"{TOKEN}(?:\s++{TOKEN}|\s*+,\s*+{TOKEN})*"
_TEXT: Final = r"\S(?:.*\S)?"
_QUOTED: Final = re.compile(QUOTED)
_NUMBERS: Final = {"a number": MOST_CHIPS, "a seat’s number": 6, "an amount": MOST_CHIPS}
"""The parts that are numbers, and the largest that each may be."""


class Production(NamedTuple):
    """What follows a keyword.

    Attributes:
        parser: finds as much as fits, and gives its match; the parts are groups 1, 2, …
        parts: what the parts are, for messages.
        needed: how many of them there must be.
        listed: which of them, counted from 1, is a list with commas; 0 for none.
    """

    parser: pp.ParserElement
    parts: tuple[str, ...]
    needed: int
    listed: int

    def match(self, text: str, at: int) -> re.Match[str]:
        """Match a line from the offset `at` to its end; offsets in the match count from there.

        Raises:
            Unread: E101 at the first character that does not fit, E105 at a quote left open.
        """
        rest = text[at:]
        found: re.Match[str] = self.parser.parse_string(rest)[0]
        if found.end() < len(rest) or (found.lastindex or 0) < self.needed:
            raise self._misfit(text, at, found)
        return found

    def _misfit(self, text: str, at: int, found: re.Match[str]) -> Unread:
        place = at + found.end()
        matched = found.lastindex or 0
        number = self.parts[matched - 1] if matched else ""
        if number in _NUMBERS:
            spread = spread_number(text, at + found.start(matched), number, _NUMBERS[number])
            if spread is not None:
                return spread
        expected = self.parts[matched] if matched < len(self.parts) else "the end of the line"
        if text[place : place + 1] == "," and matched == self.listed:
            place += 1
            while text[place : place + 1].isspace():
                place += 1
            expected = "more after the comma" if place >= len(text) else "a word after the comma"
        if place >= len(text):
            place = len(text.rstrip())
            message = f"the line ends here; expected {expected}"
            return Unread("E101", place, place, message, expected, "the end of the line")
        sign = text[place]
        if sign == '"' and not _QUOTED.match(text, place):
            return open_quote(text, place)
        shown = sign if sign.isprintable() else f"U+{ord(sign):04X}"
        suggestion = ":" if expected == "a colon" and sign in ";.=" else None
        named = {"a name", "an identifier"} & set(self.parts[:matched])
        hint = "; a name with a space is written in quotes" if named else ""
        return Unread(
            "E101", place, place + 1, f"expected {expected}, found “{shown}”{hint}", expected, shown, suggestion
        )


def open_quote(text: str, at: int) -> Unread:
    """Return the finding on a quote that is left open (E105): from the quote to the end of its physical line."""
    stop = text.find("\n", at)
    body = text[at : stop if stop >= 0 else len(text)].rstrip()
    message = "a quote is opened here and not closed on this line"
    return Unread("E105", at, at + len(body), message, 'a name between two "', body[:80], None)


class Grammar(NamedTuple):
    """The productions of one language.

    Attributes:
        words: the language.
        lines: what follows the keyword of each kind of line; the `Pay` lines as `pay ante` and so on.
    """

    words: Vocabulary
    lines: Mapping[str, Production]


@cache
def grammar(language: str) -> Grammar:
    """Return the grammar of a language, built when it is first asked for."""
    colon = ("a colon", ":")
    text = ("some text", _TEXT)
    shares = ("names with amounts", _LIST)
    name = ("a name", TOKEN)
    hand = ("a number", TOKEN)
    seat = ("a seat’s number", TOKEN)
    payee = ("a name after ->", TOKEN)
    arrow = ("->", ARROW)
    cards = ("cards", _LIST)
    when = ("a date or time", _TEXT)
    words = vocabulary(language)
    *payments, last = (words.payments[kind] for kind in ("ante", "comet", "cards", "pot", "transfer"))
    payment = (f"{', '.join(payments)} or {last}", TOKEN)
    lines = {
        "session": _sequence(("an identifier", TOKEN)),
        "hand": _sequence(hand),
        "date": _sequence(colon, when),
        "time": _sequence(colon, when),
        "place": _sequence(colon, text),
        "void": _sequence(colon, text),
        "rules": _sequence(colon, ("a game or a house rule", _LIST)),
        "seat": _sequence(seat, colon, name, ("an amount", TOKEN), needed=3),
        "winner": _sequence(colon, ("a name", _LIST)),
        "leaves": _sequence(colon, name),
        "dealer": _sequence(colon, name),
        "buy": _sequence(colon, shares),
        "stacks": _sequence(colon, shares),
        "deal": _sequence(name, colon, cards),
        "left": _sequence(name, colon, cards, needed=2),
        "run": _sequence(colon, ("names with cards", _LIST)),
        "pay": _sequence(payment, colon, shares, arrow, payee),
    }
    return Grammar(words, lines)


def _sequence(*parts: tuple[str, str], needed: int | None = None) -> Production:
    """Return the production of parts that follow one another, white space between them.

    It is one leaf instead of an `And` of leaves, which takes a quarter of the time. Each part is matched only after
    those before it, and since the parts after it may be missing, nothing is ever given back: the match ends at the
    first character that does not fit.
    """
    pattern = ""
    for _, part in reversed(parts):
        pattern = rf"(?:({part})\s*+{pattern}|)"
    leaf = pp.Regex(rf"\s*+{pattern}", flags=re.S, as_match=True).leave_whitespace().parse_with_tabs()
    listed = next((index for index, (_, part) in enumerate(parts, 1) if part is _LIST), 0)
    return Production(leaf, tuple(what for what, _ in parts), len(parts) if needed is None else needed, listed)


@lru_cache(maxsize=1024)
def nearest_keyword(word: str, language: str) -> str | None:
    """Return the kind of line whose keyword is nearest to a word that is none, or None if none is near.

    A keyword of another language is as near as can be.
    """
    from comet_hist.notation.foreign import foreign_keyword

    if foreign := foreign_keyword(word[:20], vocabulary(language)):
        return foreign
    kinds = {fold(keyword): kind for kind, keyword in grammar(language).words.keywords.items()}
    written = fold(word[:20])
    # One letter of three may be wrong: there are few keywords, and a colon follows.
    beginning = (each for each in kinds if written.startswith(each))
    near = nearest(written, kinds, 0.66) or max(beginning, key=len, default=None)
    return kinds[near] if near else None

"""What the parts of the text look like in each language, as regular expressions for editors, and the TextMate grammar.

They are made from the vocabularies alone, so that a language that is added is coloured too. Run as a program this
module prints the grammar, which is kept in `grammars/comet.tmLanguage.json`.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from comet_hist.notation.lines import IN_QUOTES
from comet_hist.notation.vocabulary import Vocabulary, fold, languages, vocabulary
from comet_hist.rules import CHOICES, GAMES

QUOTED: Final = IN_QUOTES
BARE: Final = r"[^\W\d_](?:[\w.']|-(?!>))*"
AMOUNT: Final = r"-?[0-9]+"
PRICE: Final = r"[0-9]+(?:\.[0-9]+)?"
CURRENCY: Final = "[A-Z]{3}"
ARROW: Final = r"->|→"
COMMENT: Final = r"(?<!\S)#[^\n]*"
_CLOCK: Final = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
_OFFSET: Final = r"(?:[Zz]|[+-][0-9]{2}:[0-9]{2})"
WHEN: Final = rf"(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[Tt]{_CLOCK})?{_OFFSET}?|{_CLOCK}{_OFFSET}?|{_OFFSET})(?=\s|$)"
AFTER: Final = r'(?=[\s,:"→]|->|$)'
"""What stands after a word."""

KINDS: Final[dict[str, tuple[str, ...]]] = {
    "text": ("place", "void"),
    "when": ("date", "time"),
    "rules": ("rules",),
    "people": ("seat", "winner", "hand", "leaves", "buy", "dealer", "stacks"),
    "cards": ("deal", "left"),
    "run": ("run",),
    "pay": ("pay",),
}
"""The kinds of lines by what stands in them."""

_ACCENTED: Final = range(0xC0, 0x100)
_MARKS: Final = "[\u0300-\u036f]*"


@dataclass(frozen=True, slots=True)
class Patterns:
    """The regular expressions of a language; none has a group that captures.

    Attributes:
        opening: the words that open a session, each by itself.
        keywords: the keywords of the lines, by what stands in them, a key of `KINDS`.
        keyword: any of them.
        card: a card.
        play: a card, one that stands for another, or a range.
        payment: the kind of a payment.
        pot: the pot.
        games: the named games and the items of a `Rules` line.
        choices: the words that house rules take.
    """

    opening: tuple[str, str]
    keywords: dict[str, str]
    keyword: str
    card: str
    play: str
    payment: str
    pot: str
    games: str
    choices: str


@cache
def patterns(language: str) -> Patterns:
    """Return the regular expressions of a language of `languages()`."""
    words = vocabulary(language)
    keywords = {
        state: _loose(word for word, kind in words.kinds.items() if kind in kinds) for state, kinds in KINDS.items()
    }
    card = f"(?i:{_any_of(words.ranks)}{_any_of(words.suits)})"
    comet, session = words.opening
    return Patterns(
        (_loose([fold(comet)]), _loose([fold(session)])),
        keywords,
        _loose(words.kinds),
        card,
        rf"{card}(?:[^\S\n]*(?:\.\.|…|=)[^\S\n]*{card})?",
        _loose(words.payment_kinds),
        _loose(word for word, kind in words.payment_kinds.items() if kind == "pot"),
        _loose([*words.rule_words, *_common_items(words)]),
        _loose(choice for choices in CHOICES.values() for choice in choices),
    )


def continued(language: str) -> str:
    """Return what stands at the beginning of a physical line that continues the one above it."""
    openings = "|".join(rf"{comet}[^\S\n]+{session}" for comet, session in all_openings().values())
    return rf"[^\S\n]+(?!#|(?:{patterns(language).keyword}|{openings}){AFTER})\S"


def all_openings() -> dict[str, tuple[str, str]]:
    """Return the words that open a session, by language."""
    return {language: patterns(language).opening for language in languages()}


def _common_items(words: Vocabulary) -> list[str]:
    """Return the items of a `Rules` line that are the same in every language."""
    return [*(game for game in GAMES if game not in words.rules), *CHOICES]


def _loose(folded: Iterable[str]) -> str:
    """Return what matches any of some folded words, in any case, with and without accents; longer ones first."""
    found = sorted(set(folded), key=lambda word: (-len(word), word))
    return f"(?i:{'|'.join(''.join(map(_letter, word)) for word in found)})"


@cache
def _letter(sign: str) -> str:
    accented = [chr(code) for code in _ACCENTED if chr(code).islower() and fold(chr(code)) == sign]
    one = f"[{sign}{''.join(accented)}]" if accented else re.escape(sign)
    return one + _MARKS if sign.isalpha() else one


def _any_of(spellings: dict[str, tuple[str, ...]]) -> str:
    """Return what matches any spelling, each in any case; longer ones first."""
    found = sorted({word.lower() for each in spellings.values() for word in each}, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, found))})"


def textmate() -> dict[str, Any]:
    """Return the TextMate grammar."""
    repository: dict[str, Any] = {
        "comment": {"match": COMMENT, "name": "comment.line.number-sign.comet"},
        "quoted": {"match": QUOTED, "name": "string.quoted.double.comet"},
    }
    for language in languages():
        repository[f"session-{language}"] = _session(language)
    return {
        "name": "Comet",
        "scopeName": "source.comet",
        "fileTypes": ["comet"],
        "patterns": [{"include": "#comment"}, *({"include": f"#session-{language}"} for language in languages())],
        "repository": repository,
    }


def _session(language: str) -> dict[str, Any]:
    comet, session = patterns(language).opening
    openings = "|".join(rf"{first}\s+{second}" for first, second in all_openings().values())
    return {
        "name": f"meta.session.{language}.comet",
        "begin": rf"^\s*({comet}\s+{session}){AFTER}\s*({QUOTED}|{BARE})?",
        "beginCaptures": {"1": {"name": "keyword.control.comet"}, "2": {"name": "entity.name.section.comet"}},
        "end": rf"(?=^\s*(?:{openings}){AFTER})",
        "patterns": [
            {"include": "#comment"},
            *(_line(language, state) for state in KINDS),
            *_parts(language, "folded"),
        ],
    }


def _line(language: str, state: str) -> dict[str, Any]:
    return {
        "begin": rf"^\s*({patterns(language).keywords[state]}){AFTER}",
        "beginCaptures": {"1": {"name": "keyword.other.comet"}},
        "end": "$",
        "patterns": [{"include": "#comment"}, *_parts(language, state)],
    }


def _parts(language: str, state: str) -> list[dict[str, str]]:
    """Return what is coloured within a line, or in one that continues another; what comes first takes precedence."""
    words = patterns(language)
    before = r"(?<![^\s,:\"→>])"
    if state == "text":
        return [{"match": r"[^\s:#][^\n#]*", "name": "string.unquoted.comet"}]
    if state == "when":
        return [{"match": f"{before}{WHEN}", "name": "constant.numeric.date.comet"}]
    number = {"match": f"{before}{AMOUNT}{AFTER}", "name": "constant.numeric.comet"}
    if state == "rules":
        items = {"match": f"{before}{words.games}{AFTER}", "name": "support.type.comet"}
        price = {"match": f"{before}{PRICE}{AFTER}", "name": "constant.numeric.comet"}
        choices = {"match": f"{before}{words.choices}{AFTER}", "name": "constant.language.comet"}
        return [items, choices, price, {"match": f"{before}{CURRENCY}{AFTER}", "name": "constant.other.currency.comet"}]
    laid = words.card if state == "cards" else words.play
    card = {"match": f"{before}{laid}{AFTER}", "name": "constant.other.card.comet"}
    name = {"match": f"{before}{BARE}{AFTER}", "name": "variable.other.player.comet"}
    parts: dict[str, list[dict[str, str]]] = {
        "people": [number],
        "cards": [{"match": rf"{before}{BARE}(?=\s*:)", "name": "variable.other.player.comet"}, card],
        "run": [card],
        "folded": [card, number],
        "pay": [
            {"match": rf"{before}{words.payment}(?=\s*:)", "name": "support.type.comet"},
            {"match": f"{before}{words.pot}{AFTER}", "name": "constant.language.comet"},
            {"match": ARROW, "name": "keyword.operator.comet"},
            number,
        ],
    }
    return [{"include": "#quoted"}, *parts[state], *([] if state == "cards" else [name])]


def grammar_text() -> str:
    """Return the text of `grammars/comet.tmLanguage.json`."""
    return json.dumps(textmate(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    print(grammar_text(), end="")

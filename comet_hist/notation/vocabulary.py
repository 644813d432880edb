"""The words of a language, from its file in `grammars/`: keywords, payments, rules and card letters."""

import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Final

from comet_hist.cards import NAMES, RANKS, SUITS

DEFAULT: Final = "en"
"""The language of lines that stand before any session."""

_SIGNS: Final = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}
_SELECTORS: Final = ("", "\N{VARIATION SELECTOR-16}", "\N{VARIATION SELECTOR-15}")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one language.

    Attributes:
        language: the name of its file, such as `en`.
        opening: the two words that open a session.
        keywords: the written keyword of each kind of line, by kind (`run` -> `Run`).
        kinds: the kind of line by folded keyword.
        payments: the written word of each payment and the pot, by kind.
        payment_kinds: the payment by folded word.
        rules: the written word of each item of a `Rules` line that differs between languages, by English word.
        rule_words: the English word by folded word.
        cards: the card by every spelling of it.
        written: the canonical spelling of each card, by card.
    """

    language: str
    opening: tuple[str, str]
    keywords: dict[str, str]
    kinds: dict[str, str]
    payments: dict[str, str]
    payment_kinds: dict[str, str]
    rules: dict[str, str]
    rule_words: dict[str, str]
    cards: dict[str, int]
    written: tuple[str, ...]

    def is_pot(self, word: str) -> bool:
        """Say whether a bare word is the pot, in any case."""
        return fold(word) == fold(self.payments["pot"])


def fold(word: str) -> str:
    """Return a word without case and accents, as keywords are compared.

    >>> fold("Règles")
    'regles'
    """
    if word.isascii():
        return word.casefold()
    plain = (sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return "".join(plain).casefold()


@cache
def languages() -> tuple[str, ...]:
    """Return the names of the languages there is a vocabulary for, sorted."""
    found = (entry.name for entry in files("comet_hist.grammars").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the words of a language of `languages()`."""
    data = tomllib.loads((files("comet_hist.grammars") / f"{language}.toml").read_text(encoding="utf-8"))
    ranks = {rank: data["ranks"].get(rank, [rank]) for rank in RANKS}
    suits = data["suits"]
    return Vocabulary(
        language,
        (data["opening"]["comet"], data["opening"]["session"]),
        data["keywords"],
        _backwards(data["keywords"]),
        data["payments"],
        _backwards(data["payments"]),
        data["rules"],
        _backwards(data["rules"]),
        _spellings(ranks, suits),
        tuple(ranks[name[0]][0] + suits[name[1]][0] for name in NAMES),
    )


@cache
def sessions() -> dict[tuple[str, str], str]:
    """Return the language by the two folded words that open a session."""
    opened = {language: vocabulary(language).opening for language in languages()}
    return {(fold(comet), fold(session)): language for language, (comet, session) in opened.items()}


def _backwards(words: dict[str, str]) -> dict[str, str]:
    return {fold(word): meaning for meaning, word in words.items()}


def _spellings(ranks: dict[str, Any], suits: dict[str, Any]) -> dict[str, int]:
    """Return every spelling of every card: letters in any case, signs with and without a variation selector."""
    found = {}
    for index, suit in enumerate(SUITS):
        signs = [sign + selector for sign in _SIGNS[suit] for selector in _SELECTORS]
        tails = [*_any_case(suits[suit]), *signs]
        for height, rank in enumerate(RANKS):
            for head, tail in product(_any_case(ranks[rank]), tails):
                found[head + tail] = index * 13 + height
    return found


def _any_case(words: Iterable[str]) -> list[str]:
    """Return the words with each letter in either case."""
    return ["".join(letters) for word in words for letters in product(*({c.lower(), c.upper()} for c in word))]

"""The words of a language: keywords, payments, rules and card letters, to read and to write."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from comet_hist.cards import NAMES, RANKS, SUITS
from comet_hist.nearest import without_accents
from comet_hist.notation.languages import DEFAULT, LanguageError, languages, load
from comet_hist.rules import CHOICES, GAMES

__all__ = ["DEFAULT", "OPENING", "Vocabulary", "fold", "languages", "opened_language", "sessions", "vocabulary"]

SUIT_SIGNS: Final = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}
"""The signs of each suit that are read in every language, the one that is written first."""

_SELECTORS: Final = ("", "\N{VARIATION SELECTOR-16}", "\N{VARIATION SELECTOR-15}")

OPENING: Final = re.compile(r'\s*+([^\s\d:,"#=]++)\s++([^\s:,"#=]++)')
"""The first two words of a line, which may open a session."""

_LONGEST: Final = 256
"""Characters of the longest text that is compared without its accents."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one language.

    Attributes:
        language: the name of its file, such as `en`.
        name: what messages call it, such as `English`.
        opening: the two words that open a session.
        keywords: the written keyword of each kind of line, by kind (`run` -> `Run`).
        kinds: the kind of line by folded keyword, every spelling.
        payments: the written word of each payment and the pot, by kind.
        payment_kinds: the payment by folded word.
        rules: the written word of each item of a `Rules` line that differs between languages, by English word.
        rule_words: the English word by folded word.
        ranks: the spellings of each rank, by English letter or digit; the first is what is written.
        suits: the spellings of each suit, signs among them, by English letter; the first is what is written.
        cards: the card by every spelling of it.
        written: the canonical spelling of each card, by card.
    """

    language: str
    name: str
    opening: tuple[str, str]
    keywords: dict[str, str]
    kinds: dict[str, str]
    payments: dict[str, str]
    payment_kinds: dict[str, str]
    rules: dict[str, str]
    rule_words: dict[str, str]
    ranks: dict[str, tuple[str, ...]]
    suits: dict[str, tuple[str, ...]]
    cards: dict[str, int]
    written: tuple[str, ...]

    def letter(self, suit: str) -> str:
        """Return how a suit is written with letters, its sign if there are none."""
        return next((word for word in self.suits[suit] if word[0] not in SUIT_SIGNS[suit]), self.suits[suit][0])

    def is_pot(self, word: str) -> bool:
        """Say whether a bare word is the pot, in any case."""
        return self.payment_kinds.get(fold(word)) == "pot"


def fold(word: str) -> str:
    """Return a word without case and accents, as keywords are compared.

    A text longer than any keyword keeps its accents: to take them off would take a time that grows with its square.

    >>> fold("Règles")
    'regles'
    """
    if word.isascii() or len(word) > _LONGEST:
        return word.casefold()
    return without_accents(word).casefold()


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the words of a language of `languages()`.

    Raises:
        LanguageError: if its file cannot be used, or one spelling in it means two things.
    """
    name, words = load(language)
    ranks = {rank: words["ranks"].get(rank, (rank,)) for rank in RANKS}
    suits = {suit: (*spellings, *_signs(suit)) for suit, spellings in words["suits"].items()}
    (comet, *_), (session, *_) = words["opening"]["comet"], words["opening"]["session"]
    try:
        return Vocabulary(
            language,
            name,
            (comet, session),
            _written(words["keywords"]),
            _backwards(words["keywords"]),
            _written(words["payments"]),
            _backwards(words["payments"]),
            _written(words["rules"]),
            _rule_words(words["rules"]),
            ranks,
            suits,
            _spellings(ranks, suits),
            tuple(ranks[card[0]][0] + suits[card[1]][0] for card in NAMES),
        )
    except LanguageError as error:
        raise LanguageError(f"{language}.toml: {error}") from None


@cache
def sessions() -> dict[tuple[str, str], str]:
    """Return the language by the two folded words that open a session.

    Raises:
        LanguageError: if two languages open a session with the same words, or the first begins another line.
    """
    found: dict[tuple[str, str], str] = {}
    for language in languages():
        opening = load(language)[1]["opening"]
        for comet, session in product(opening["comet"], opening["session"]):
            other = found.setdefault((fold(comet), fold(session)), language)
            if other != language:
                raise LanguageError(f"“{comet} {session}” opens a session in {other}.toml and in {language}.toml")
    opens = {comet: language for (comet, _), language in found.items()}
    for language in languages():
        for word in (spelt for spellings in load(language)[1]["keywords"].values() for spelt in spellings):
            if fold(word) in opens:
                opened = opens[fold(word)]
                raise LanguageError(f"“{word}” opens a session in {opened}.toml, but is a keyword in {language}.toml")
    return found


def opened_language(line: str) -> str | None:
    """Return the language of the session that a line opens, None if it opens none.

    >>> opened_language("  comet   SESSION a"), opened_language("Hand 1")
    ('en', None)
    """
    found = OPENING.match(line)
    return sessions().get((fold(found[1]), fold(found[2]))) if found else None


def _signs(suit: str) -> list[str]:
    """Return the signs of a suit, filled and outlined, with and without a variation selector."""
    return [sign + selector for sign in SUIT_SIGNS[suit] for selector in _SELECTORS]


def _written(words: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {meaning: spellings[0] for meaning, spellings in words.items()}


def _backwards(words: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the meaning of each folded spelling."""
    found: dict[str, str] = {}
    for meaning, spellings in words.items():
        for word in spellings:
            if found.setdefault(fold(word), meaning) != meaning:
                raise LanguageError(f"“{word}” stands for both {found[fold(word)]} and {meaning}")
    return found


def _rule_words(words: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the English item by word: named games and house rules are called the same in every language."""
    english = {item: (item,) for item in (*GAMES, *CHOICES)}
    return _backwards({item: (*words.get(item, ()), *english.get(item, ())) for item in (*words, *english)})


def _spellings(ranks: Mapping[str, tuple[str, ...]], suits: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Return every spelling of every card, its letters in any case."""
    found: dict[str, int] = {}
    for index, suit in enumerate(SUITS):
        for height, rank in enumerate(RANKS):
            for head, tail in product(_any_case(ranks[rank]), _any_case(suits[suit])):
                card = index * 13 + height
                other = found.setdefault(head + tail, card)
                if other != card:
                    raise LanguageError(f"“{head + tail}” stands for both {NAMES[other]} and {NAMES[card]}")
    return found


def _any_case(words: Iterable[str]) -> list[str]:
    """Return the words with each letter in either case."""
    return ["".join(letters) for word in words for letters in product(*({c.lower(), c.upper()} for c in word))]

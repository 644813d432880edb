"""Cards and keywords of another language: never read, but answered with how they are written here."""

from itertools import product
from typing import Final, NamedTuple

from comet_hist.cards import RANKS, SUITS
from comet_hist.notation.vocabulary import Vocabulary, fold, languages, vocabulary

_RANK_NAMES: Final = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
_SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class Hint(NamedTuple):
    """What is answered to a card in foreign letters.

    Attributes:
        text: how its letters are written here, such as `in German text the queen is D`.
        instead: what to write, or None where the letters mean different things in different languages.
    """

    text: str
    instead: str | None


def is_foreign_card(word: str, words: Vocabulary) -> bool:
    """Say whether a word is a card in some other language and none in this one."""
    return word not in words.cards and any(word in other.cards for other in _others(words))


def foreign_payment(word: str, words: Vocabulary) -> str | None:
    """Return the kind of payment that a word names in other languages; None where they do not agree, or none has it.

    >>> foreign_payment("Karten", vocabulary("en"))
    'cards'
    """
    kinds = {other.payment_kinds[fold(word)] for other in _others(words) if fold(word) in other.payment_kinds}
    return kinds.pop() if len(kinds) == 1 else None


def foreign_keyword(word: str, words: Vocabulary) -> str | None:
    """Return the kind of line that begins with a word in other languages; None where they do not agree, or none has it.

    >>> foreign_keyword("Run", vocabulary("de"))
    'run'
    """
    kinds = {other.kinds[fold(word)] for other in _others(words) if fold(word) in other.kinds}
    return kinds.pop() if len(kinds) == 1 else None


def hint(word: str, words: Vocabulary) -> Hint | None:
    """Return what to answer to a word that is no card, or range of cards, of this language; None if it is none at all.

    >>> hint("Qh", vocabulary("de"))
    Hint(text='in German text the queen is D', instead='DH')
    >>> hint("8c", vocabulary("de"))
    Hint(text='in German text clubs are Kr and hearts are H', instead=None)
    """
    parts = word.split("..")
    hints = [Hint("", part) if part in words.cards else _hint_on_card(part, words) for part in parts]
    texts = [each.text for each in hints if each is not None and each.text]
    if len(parts) > 2 or None in hints or not texts:
        return None
    instead = [each.instead for each in hints if each is not None and each.instead is not None]
    return Hint(texts[0], "..".join(instead) if len(instead) == len(parts) else None)


def _hint_on_card(card: str, words: Vocabulary) -> Hint | None:
    for cut in range(1, len(card)):
        ranks, suits = _ranks(card[:cut], words), _suits(card[cut:], words)
        if ranks and suits:
            break
    else:
        return None
    letters = []
    if not _spells(words.ranks, card[:cut]):
        letters += [f"the {_RANK_NAMES.get(rank, rank)} is {words.ranks[rank][0]}" for rank in RANKS if rank in ranks]
    if not _spells(words.suits, card[cut:]):
        letters += [f"{_SUIT_NAMES[suit]} are {words.letter(suit)}" for suit in SUITS if suit in suits]
    cards = set(product(ranks, suits))
    for other in _others(words):
        if (read := other.cards.get(card)) is not None:
            cards.add((RANKS[read % 13], SUITS[read // 13]))
    instead = [words.ranks[rank][0] + words.letter(suit) for rank, suit in cards]
    return Hint(f"in {words.name} text {' and '.join(letters)}", instead[0] if len(cards) == 1 else None)


def _ranks(word: str, words: Vocabulary) -> set[str]:
    """Return the ranks that a word spells here, or if it spells none here, anywhere."""
    return _spells(words.ranks, word) or {rank for other in _others(words) for rank in _spells(other.ranks, word)}


def _suits(word: str, words: Vocabulary) -> set[str]:
    """Return the suits that a word spells here, or if it spells none here, anywhere."""
    return _spells(words.suits, word) or {suit for other in _others(words) for suit in _spells(other.suits, word)}


def _spells(table: dict[str, tuple[str, ...]], word: str) -> set[str]:
    return {meaning for meaning, spellings in table.items() if word.casefold() in map(str.casefold, spellings)}


def _others(words: Vocabulary) -> list[Vocabulary]:
    return [vocabulary(language) for language in languages() if language != words.language]

"""House rules and named games as data: what a session's `Rules` line sets."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple

from comet_hist.currencies import CODES, SIGNS
from comet_hist.nearest import did_you_mean, nearest

MOST_CHIPS: Final = 10**9
"""The largest amount that may be written, and the ceiling of a progressive payment (R14)."""


class ChipPrice(NamedTuple):
    """What a chip is worth: an exact amount above 0, and the three letters of its currency (ISO 4217).

    >>> str(ChipPrice(Decimal("0.050"), "EUR"))
    '0.05 EUR'
    """

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        """Return it as it is written: as many places as it takes."""
        written = f"{self.amount:f}"
        if "." in written:
            written = written.rstrip("0").rstrip(".")
        return f"{written} {self.currency}"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table agreed on. The defaults are `classic`; all amounts are chips.

    Attributes:
        game: the named game, `classic`, `quatre` or `deux`.
        ante: what each player puts into the pot (C1).
        comet: what the Comet's player is paid by each other player (C2), before doubling.
        card: what the winner is paid for each card left (C4).
        progressive: whether the Comet payment doubles while nobody plays it (R14).
        cap: the most a progressive payment may grow to, or None.
        hands: the agreed number of hands, or None.
        chip: what a chip is worth, or None.
        gap: what follows when the Comet stood for 8♦ (R2).
        led: whether the Comet led as 9♦ is paid (R4).
        keep: whether a player whose lowest diamond is 9♦ may lead the next one (R5).
        standin: which cards the Comet may stand for (R6, R7).
        first: what the first lead of a hand may be (R12).
        suit: whether a new run must change the suit (R13).
    """

    game: Literal["classic", "quatre", "deux"] = "classic"
    ante: int = 1
    comet: int = 1
    card: int = 1
    progressive: bool = False
    cap: int | None = None
    hands: int | None = None
    chip: ChipPrice | None = None
    gap: Literal["bridge", "stop"] = "bridge"
    led: Literal["paid", "free"] = "paid"
    keep: Literal["no", "yes"] = "no"
    standin: Literal["any", "stalled", "gap"] = "any"
    first: Literal["suit", "hand"] = "suit"
    suit: Literal["any", "change"] = "any"

    def table_sizes(self) -> range:
        """Return the numbers of players the game allows (G1; `quatre` 4, `deux` 2)."""
        return TABLE_SIZES[self.game]


TABLE_SIZES: Final[dict[str, range]] = {
    "classic": range(2, 7),
    "quatre": range(4, 5),
    "deux": range(2, 3),
}

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "gap": ("bridge", "stop"),
    "led": ("paid", "free"),
    "keep": ("no", "yes"),
    "standin": ("any", "stalled", "gap"),
    "first": ("suit", "hand"),
    "suit": ("any", "change"),
}
"""The house rules that choose between words, with the words each takes, the default first."""

AMOUNTS: Final[dict[str, int]] = {"ante": 0, "comet": 0, "card": 0, "hands": 1, "cap": 1}
"""The items that take a number, with the smallest each takes."""

GAMES: Final = ("classic", "progressive", "quatre", "deux")
"""The items that stand alone."""

PRICE: Final = "chip"
"""The item that takes an amount of money."""

ITEMS: Final = (*GAMES, *AMOUNTS, PRICE, *CHOICES)
"""All items of a `Rules` line."""

_PRICE: Final = re.compile(r"([0-9]{1,10}(?:\.[0-9]{1,6})?) ([A-Z]{3})")
_NEARLY_PRICE: Final = re.compile(r"([^0-9.,]*?) ?([0-9]*)(?:([.,]) ?([0-9]*))? ?([^0-9.,]*)")
_THOUSANDS: Final = re.compile(
    r"(?<=[0-9])(?:[ '’_](?=[0-9]{3}(?![0-9]))|([.,])(?=[0-9]{3}(?:\1[0-9]{3})*(?!\1)[.,][0-9]))"
)
"""What parts thousands in an amount, and nothing else: a space or apostrophe, or the first of a point and a comma."""
_CURRENCY: Final = re.compile(r"[^\W\d_]+$")
_LONGEST_PRICE: Final = 40


NO_WORDS: Final[Mapping[str, str]] = {}
"""The items are called by their English words."""


class RuleError(ValueError):
    """An item of a `Rules` line that is no house rule, or has a value it does not take (E108).

    Attributes:
        index: which item it is, from 0.
        last: the last item that belongs to it, `index` itself but for a price that a comma cuts in two.
        message: what is wrong with it.
        expected: what would have been right.
        suggestion: the item that was meant, None where that is not known.
    """

    def __init__(
        self, index: int, message: str, expected: str, suggestion: str | None = None, *, last: int | None = None
    ) -> None:
        super().__init__(message)
        self.index = index
        self.last = index if last is None else last
        self.message = message
        self.expected = expected
        self.suggestion = suggestion


def agree(items: Sequence[tuple[str, str | None]], words: Mapping[str, str] = NO_WORDS) -> Rules:
    """Build the rules that the items of a `Rules` line set, read from left to right.

    Args:
        items: each item as its English word and its value, None where it has none.
        words: what messages call the items that have another word in the language of the text, by English word.

    Raises:
        RuleError: with the index of the item that is not understood or contradicts another.

    >>> agree([("deux", None), ("ante", "2")]).card
    2
    >>> agree([("quatre", None), ("ante", "2")]).comet
    2
    """
    settings: dict[str, Any] = {}
    given: dict[str, int] = {}
    for index, (word, value) in enumerate(items):
        said = words.get(word, word)
        if word in GAMES:
            if value is not None:
                raise RuleError(index, f"“{said}” takes no value, found “{value}”", said)
            settings |= {"progressive": True} if word == "progressive" else {"game": word}
            if word == "classic":
                settings |= {"ante": 1, "comet": 1, "card": 1}
                for amount in ("ante", "comet", "card"):
                    given.pop(amount, None)
        elif word in AMOUNTS:
            settings[word] = _amount(index, said, value, AMOUNTS[word])
        elif word == PRICE:
            settings[word] = _price(index, said, items)
        elif word in CHOICES:
            if value not in CHOICES[word]:
                choices = " or ".join(f"{word} {choice}" for choice in CHOICES[word])
                raise _no_choice(index, word, value, choices)
            settings[word] = value
        else:
            raise _no_item(index, word, value, [words.get(item, item) for item in ITEMS])
        given[word] = index
    return _settle(Rules(**settings), given, words)


def _no_item(index: int, word: str, value: str | None, known: Sequence[str]) -> RuleError:
    meant = nearest(word, known)
    if meant and value:
        meant = f"{meant} {value}"
    message = f"“{word}” is not a house rule{did_you_mean(meant)}"
    return RuleError(index, message, f"one of {', '.join(known)}", meant)


def _no_choice(index: int, word: str, value: str | None, choices: str) -> RuleError:
    near = nearest(value, CHOICES[word]) if value else None
    meant = f"{word} {near}" if near else None
    found = f"“{value}”" if value else "nothing"
    return RuleError(index, f"“{word}” does not take {found}{did_you_mean(meant)}", choices, meant)


def _amount(index: int, word: str, value: str | None, least: int) -> int:
    expected = f"{word} and a whole number from {least} to {MOST_CHIPS}"
    if value is None or not (value.isascii() and value.isdigit()):
        found = "nothing" if value is None else f"“{value}”"
        raise RuleError(index, f"“{word}” takes a whole number, found {found}", expected)
    if len(value) > 10 or not least <= int(value) <= MOST_CHIPS:
        raise RuleError(index, f"“{word}” does not take {value}", expected)
    return int(value)


def _price(index: int, word: str, items: Sequence[tuple[str, str | None]]) -> ChipPrice:
    """Return what a chip is worth; where that is none, the next items may be its end: somebody wrote `0,05 EUR`."""
    value, last = items[index][1], index
    if value and (price := _read_price(value)):
        return price
    while value and value[-1].isdigit() and items[last + 1 : last + 2] and items[last + 1][0][:1].isdigit():
        last += 1
        value = f"{value},{' '.join(filter(None, items[last]))}"
    expected = f"{word}, an amount from 0.000001 to {MOST_CHIPS}, and a currency of ISO 4217: {word} 0.05 EUR"
    meant = None if value is None else _meant_price(value)
    suggestion = f"{word} {meant}" if meant else None
    found = "nothing" if value is None else f"“{value}”"
    message = f"“{word}” takes an amount and a currency, found {found}"
    currency = _CURRENCY.search(value or "")
    if currency and currency[0] not in CODES:
        message += f"; “{currency[0]}” is not a currency code of ISO 4217"
    raise RuleError(index, message + did_you_mean(suggestion), expected, suggestion, last=last)


def _read_price(text: str) -> ChipPrice | None:
    found = _PRICE.fullmatch(text)
    price = ChipPrice(Decimal(found[1]), found[2]) if found and found[2] in CODES else None
    return price if price and 0 < price.amount <= MOST_CHIPS else None


def _meant_price(text: str) -> ChipPrice | None:
    """Return the price that was meant by `0,05 EUR`, `.05 EUR`, `0.05€`, `0.05 eur` or `EUR 0.05`; None if unsure."""
    found = None if len(text) > _LONGEST_PRICE else _NEARLY_PRICE.fullmatch(_THOUSANDS.sub("", text))
    if found is None or bool(found[1]) == bool(found[5]):
        return None
    whole, comma, part = found[2] or "0", found[3] == ",", found[4] or "0"
    if comma and len(part) == 3 and int(whole):  # 1,000 is a thousand to some
        return None
    currency = (found[1] or found[5]).upper()
    code = SIGNS.get(currency) or (currency if currency in CODES else nearest(currency, CODES))
    return _read_price(f"{whole}.{part} {code}")


def _settle(rules: Rules, given: dict[str, int], words: Mapping[str, str]) -> Rules:
    """Apply what the items mean together: `cap`, `quatre`'s equal stakes, `deux`'s card payment."""
    if "cap" in given and not rules.progressive:
        cap, progressive = words.get("cap", "cap"), words.get("progressive", "progressive")
        message = f"“{cap}” without “{progressive}” limits nothing (R14)"
        raise RuleError(given["cap"], message, f"{progressive}, {cap} N")
    if rules.game == "quatre":
        if "ante" in given and "comet" not in given:
            return replace(rules, comet=rules.ante)
        if "comet" in given and "ante" not in given:
            return replace(rules, ante=rules.comet)
        if rules.ante != rules.comet:
            raise RuleError(
                max(given["ante"], given["comet"]),
                f"in quatre ante and Comet payment are equal, found {rules.ante} and {rules.comet}",
                f"{words.get('ante', 'ante')} N, {words.get('comet', 'comet')} N with one N",
            )
    if rules.game == "deux" and "card" not in given:
        return replace(rules, card=2)
    return rules

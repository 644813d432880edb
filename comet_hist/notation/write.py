"""From a record to its canonical text: one way for each fact."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from comet_hist.cards import COMET, NAMES
from comet_hist.notation.tokens import is_bare, looks_like_card, quote
from comet_hist.notation.vocabulary import DEFAULT, Vocabulary, vocabulary
from comet_hist.record import Cards, Hand, Name, Pay, Play, Seat, Session, Share
from comet_hist.rules import CHOICES, Rules

_NOWHERE: Final = 99
"""Where players without a seat stand in seat order: behind the others."""

_SPACED: Final = tuple(f" {name}" for name in NAMES)

_T = TypeVar("_T")


@lru_cache(maxsize=4096)
def write_name(name: str, language: str = DEFAULT) -> str:
    """Return a name as it is written: bare where that can be read back as the same name, else in quotes.

    >>> write_name("Zoë"), write_name("Jean Luc"), write_name("pot"), write_name("Kc")
    ('Zoë', '"Jean Luc"', '"pot"', '"Kc"')
    """
    words = vocabulary(language)
    if is_bare(name) and not words.is_pot(name) and not looks_like_card(name, words):
        return name
    return quote(name)


def canonical(session: Session) -> str:
    """Return the canonical text of a session all of whose lines could be read, in English.

    Session lines first, one blank line before each hand, one after the session.
    """
    return _Writer(session, vocabulary(DEFAULT)).text()


class _Writer:
    """Writes one session, keeping track of who sits where and who deals."""

    def __init__(self, session: Session, words: Vocabulary) -> None:
        self.session = session
        self.words = words
        self.keys = words.keywords
        self.seats = {seat.player.text: seat.number.count for seat in session.seats}
        self.dealer: str | None = None
        self.void = False

    def text(self) -> str:
        """Return the session's text."""
        lines = self._header()
        for hand in self.session.hands:
            self._hand(hand, lines)
        if self.session.winner:
            names = self._seat_order(self.session.winner, lambda name: name.text)
            lines.append(f"{self.keys['winner']}: {', '.join(map(_name, names))}")
        lines.append("\n")
        return "\n".join(lines)

    def _header(self) -> list[str]:
        session, keys = self.session, self.keys
        lines = [f"{' '.join(self.words.opening)} {_name(session.ident)}"]
        if session.date:
            lines.append(f"{keys['date']}: {session.date.text}")
        if session.location:
            lines.append(f"{keys['place']}: {session.location.text}")
        if session.rules is not None:
            lines.append(f"{keys['rules']}: {self._rules(session.rules)}")
        lines.extend(map(self._seat, _by_number(session.seats)))
        return lines

    def _rules(self, rules: Rules) -> str:
        """Return the items that set these rules: the amounts always, the rest where it is not the default."""
        word = self.words.rules
        items: list[str] = [] if rules.game == "classic" else [rules.game]
        items += [f"{word[item]} {getattr(rules, item)}" for item in ("ante", "comet", "card")]
        if rules.progressive:
            items.append(word["progressive"])
        for item in ("cap", "hands"):
            if getattr(rules, item) is not None:
                items.append(f"{word[item]} {getattr(rules, item)}")
        items += [
            f"{item} {getattr(rules, item)}" for item, choices in CHOICES.items() if getattr(rules, item) != choices[0]
        ]
        return ", ".join(items)

    def _seat(self, seat: Seat) -> str:
        chips = f" {seat.chips.count}" if seat.chips else ""
        return f"{self.keys['seat']} {seat.number.count}: {_name(seat.player)}{chips}"

    def _hand(self, hand: Hand, lines: list[str]) -> None:
        keys = self.keys
        number = "" if hand.number is None else f" {hand.number}"
        lines.append(f"\n{keys['hand']}{number}")
        if hand.time:
            lines.append(f"{keys['time']}: {hand.time.text}")
        lines.extend(map(self._seat, _by_number(hand.seats)))
        lines.extend(f"{keys['leaves']}: {_name(name)}" for name in self._seat_order(hand.leaves, lambda n: n.text))
        self._move(hand)
        lines.extend(f"{keys['buy']}: {self._shares(buy.shares)}" for buy in hand.buys)
        if hand.dealer:
            lines.append(f"{keys['dealer']}: {_name(hand.dealer)}")
        lines.extend(self._cards("deal", hand.deals))
        self._play(hand, lines)
        lines.extend(self._cards("left", hand.left))
        for kind in ("cards", "pot", "transfer"):
            lines.extend(self._pay(pay, hand) for pay in hand.pays if pay.kind == kind)
        if hand.stacks:
            lines.append(f"{keys['stacks']}: {self._shares(hand.stacks.shares)}")
        if hand.void:
            lines.append(f"{keys['void']}: {hand.void.text}")
        self.void = hand.void is not None

    def _move(self, hand: Hand) -> None:
        """Follow who joins and leaves before a hand, and who deals it (G10, R17, R18)."""
        before = self.seats.get(self.dealer or "", 0)
        for name in hand.leaves:
            self.seats.pop(name.text, None)
        for seat in hand.seats:
            self.seats.setdefault(seat.player.text, seat.number.count)
        if hand.dealer:
            self.dealer = hand.dealer.text
        elif self.dealer and self.seats and not self.void:
            self.dealer = min(self.seats, key=lambda name: (self.seats[name] - before - 1) % 6)

    def _play(self, hand: Hand, lines: list[str]) -> None:
        """Write the antes, and the runs with the Comet's payment after the one in which it fell."""
        lines.extend(self._pay(pay, hand) for pay in hand.pays if pay.kind == "ante")
        comet = [self._pay(pay, hand) for pay in hand.pays if pay.kind == "comet"]
        key = self.keys["run"]
        for run in hand.runs:
            lines.append(f"{key}: {_run(run.plays)}")
            if comet and any(play.card == COMET for play in run.plays):
                lines.extend(comet)
                comet = []
        lines.extend(comet)

    def _cards(self, kind: str, lines: Sequence[Cards]) -> list[str]:
        """Write `Deal` or `Left` lines from the dealer's left; as they stand where a card is in them twice."""
        cards = [dealt.card for line in lines for dealt in line.cards]
        if len(set(cards)) == len(cards):
            first = self.seats.get(self.dealer or "", 0)
            lines = sorted(lines, key=lambda line: self._clockwise(line.player.text, first))
        key = self.keys[kind]
        written = []
        for line in lines:
            hand = "".join([_SPACED[card] for card in sorted([dealt[0] for dealt in line.cards])])
            written.append(f"{key} {_name(line.player)}:{hand}")
        return written

    def _clockwise(self, name: str, first: int) -> int:
        seat = self.seats.get(name)
        return _NOWHERE if seat is None else (seat - first - 1) % 6

    def _pay(self, pay: Pay, hand: Hand) -> str:
        payee = self.words.payments["pot"] if pay.payee is None else _name(pay.payee)
        if pay.given is not None:
            what = str(pay.given.count)
        else:
            shares: Sequence[Share] = pay.shares
            if 0 in [share[1].count for share in shares] and not self._is_owed(pay, hand):
                shares = [share for share in shares if share[1].count or share[0][0] not in self.seats] or shares
            what = self._shares(shares)
        return f"{self.keys['pay']} {self.words.payments[pay.kind]}: {what} -> {payee}"

    def _is_owed(self, pay: Pay, hand: Hand) -> bool:
        """Say whether anything may be owed of a kind, so that a zero says something (C1, C2, C4, R4)."""
        rules = self.session.rules
        if rules is None:
            return True
        if pay.kind == "comet":
            return rules.comet > 0 and any(play.card == COMET for run in hand.runs for play in run.plays)
        return {"ante": rules.ante, "cards": rules.card, "transfer": 0}[pay.kind] > 0

    def _shares(self, shares: Iterable[Share]) -> str:
        seats = self.seats
        ordered = sorted(shares, key=lambda share: seats.get(share[0][0], _NOWHERE))
        return ", ".join([f"{write_name(share[0][0])} {share[1].count}" for share in ordered])

    def _seat_order(self, items: Iterable[_T], name: Callable[[_T], str]) -> list[_T]:
        return sorted(items, key=lambda item: self.seats.get(name(item), _NOWHERE))


def _name(name: Name) -> str:
    return write_name(name.text)


def _by_number(seats: Sequence[Seat]) -> Sequence[Seat]:
    """Return seats by number; as they stand where a number or name is taken twice, which of them is second matters."""
    numbers = {seat.number.count for seat in seats}
    names = {seat.player.text for seat in seats}
    if len(numbers) < len(seats) or len(names) < len(seats):
        return seats
    return sorted(seats, key=lambda seat: seat.number.count)


def _run(plays: Sequence[Play]) -> str:
    """Return the plays of a run: each name with the cards it played in a row."""
    parts: list[str] = []
    last: str | None = None
    for name, card, stands_for, _, _, _ in plays:
        if name[0] != last:
            last = name[0]
            parts.append(f", {write_name(last)}")
        parts.append(_SPACED[card])
        if stands_for is not None:
            parts.append(f"={NAMES[stands_for]}")
    return "".join(parts)[2:]

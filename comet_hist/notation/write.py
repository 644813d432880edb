"""From a record to its canonical text: one way for each fact."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from xxhash import xxh3_128

from comet_hist.cards import COMET
from comet_hist.notation.comments import Comments
from comet_hist.notation.foreign import is_foreign_card
from comet_hist.notation.lines import behind_keyword
from comet_hist.notation.seated import Seated
from comet_hist.notation.tokens import is_bare, looks_like_card, quote
from comet_hist.notation.vocabulary import DEFAULT, Vocabulary, vocabulary
from comet_hist.record import Cards, Hand, Line, Name, Pay, Play, Seat, Session, Share
from comet_hist.rules import CHOICES, PRICE, Rules
from comet_hist.standing import Standing

_NOWHERE: Final = 99
"""Where players without a seat stand in seat order: behind the others."""

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


def canonical(session: Session, language: str = DEFAULT) -> str:
    """Return the canonical text of a session all of whose lines could be read.

    Session lines first, one blank line before each hand, one after the session.

    Args:
        session: the session, written in any language.
        language: what to write, one of `languages()`; outside English with suit signs.
    """
    return Writer(session, vocabulary(language)).text() + "\n"


def digest(canonical_text: bytes | memoryview, unread: Iterable[str] = ()) -> str:
    """Return the hash by which two sessions are known to say the same, 32 hexadecimal digits.

    Args:
        canonical_text: the session's, as `canonical` gives it in English.
        unread: its lines that could not be read, each with the number of hands above it.
    """
    hashed = xxh3_128(canonical_text)
    for text in unread:
        hashed.update(b"\0" + text.encode())
    return hashed.hexdigest()


def commented(session: Session, language: str, comments: Comments) -> str:
    """Return the canonical text of a session with its comments.

    Args:
        session: all of whose lines could be read.
        language: what it is written in.
        comments: those of the history it was read from; its own are taken out.

    Returns:
        The text, without the blank line after it; comments below its last line are left to the caller.
    """
    return Writer(session, vocabulary(language), comments).text()


class _Names(dict[str, str]):
    """Names as they are written in a language, by name."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, name: str) -> str:
        written = self[name] = write_name(name, self.language)
        return written


class Writer:
    """Writes one session, keeping track of who sits where and who deals, as the lines tell it.

    Attributes:
        seats: the seats of those at the table, by name.
        dealer: who dealt the last hand, None where no line has told yet.
        void: whether it is void, so that they deal again (R18).
    """

    def __init__(self, session: Session, words: Vocabulary, comments: Comments | None = None) -> None:
        self.session = session
        self.comments = comments
        self.lines: list[str] = []
        self.words = words
        self.keys = words.keywords
        self.names = _Names(words.language)
        self.spaced = [f" {card}" for card in words.written]
        self.seats = Seated({seat.player.text: seat.number.count for seat in session.seats})
        self.dealer: str | None = None
        self.void = False

    def text(self) -> str:
        """Return the session's text."""
        self._header()
        for hand in self.session.hands:
            self._hand(hand)
        self._winner()
        return "\n".join(self.lines) + "\n"

    def resume(self, standing: Standing) -> None:
        """Go on below hands that are written already."""
        self.seats = Seated(standing.seats())
        self.dealer = standing.dealer
        self.void = standing.dealer is not None and self.seats[standing.dealer] == standing.due

    def hand_text(self, hand: Hand) -> str:
        """Return the text of the next hand alone."""
        self.lines = []
        self._hand(hand)
        return "\n".join(self.lines) + "\n"

    def end_text(self) -> str:
        """Return the text below the last hand."""
        self.lines = []
        self._winner()
        return "\n".join([*self.lines, ""])

    def turn(self) -> int | None:
        """Return the seat from which the next dealer is looked for by the lines so far, clockwise; None if unknown."""
        seat = self.seats.get(self.dealer or "")
        if seat is None or self.void:
            return seat
        return seat + 1

    def _put(self, text: str, line: Line | None) -> None:
        """Write a line, with the comments of the line it was read from, if it was."""
        if self.comments is None or line is None:
            self.lines.append(text)
        else:
            self.lines += self.comments.with_line(text, line)

    def _winner(self) -> None:
        if self.session.winner:
            names = self._seat_order(self.session.winner, lambda name: name.text)
            self._put(f"{self.keys['winner']}: {', '.join(map(self._name, names))}", names[0].line)

    def _header(self) -> None:
        session, keys = self.session, self.keys
        self._put(f"{' '.join(self.words.opening)} {self._name(session.ident)}", session.line)
        if session.date:
            self._put(f"{keys['date']}: {session.date.text}", session.date.line)
        if session.location:
            self._put(keys["place"] + behind_keyword(session.location.text), session.location.line)
        if session.rules is not None:
            self._put(f"{keys['rules']}: {self._rules(session.rules)}", session.rules_line)
        self._seats(session.seats)

    def _rules(self, rules: Rules) -> str:
        """Return the items that set these rules: the amounts always, the rest where it is not the default."""
        word = self.words.rules
        items: list[str] = [] if rules.game == "classic" else [rules.game]
        items += [f"{word[item]} {getattr(rules, item)}" for item in ("ante", "comet", "card")]
        if rules.progressive:
            items.append(word["progressive"])
        for item in ("cap", "hands", PRICE):
            if getattr(rules, item) is not None:
                items.append(f"{word[item]} {getattr(rules, item)}")
        items += [
            f"{item} {getattr(rules, item)}" for item, choices in CHOICES.items() if getattr(rules, item) != choices[0]
        ]
        return ", ".join(items)

    def _seats(self, seats: Sequence[Seat]) -> None:
        for seat in _by_number(seats):
            chips = f" {seat.chips.count}" if seat.chips else ""
            self._put(f"{self.keys['seat']} {seat.number.count}: {self._name(seat.player)}{chips}", seat.line)

    def _hand(self, hand: Hand) -> None:
        keys, put = self.keys, self._put
        if self.comments is not None:
            self.lines += self.comments.closing(hand.line)
        self.lines.append("")
        put(keys["hand"] if hand.number is None else f"{keys['hand']} {hand.number}", hand.line)
        if hand.time:
            put(f"{keys['time']}: {hand.time.text}", hand.time.line)
        self._seats(hand.seats)
        for name in self._seat_order(hand.leaves, lambda name: name.text):
            put(f"{keys['leaves']}: {self._name(name)}", name.line)
        self._move(hand)
        for buy in hand.buys:
            put(f"{keys['buy']}: {self._shares(buy.shares)}", buy.line)
        if hand.dealer:
            put(f"{keys['dealer']}: {self._name(hand.dealer)}", hand.dealer.line)
        self._cards("deal", hand.deals)
        self._play(hand)
        self._cards("left", hand.left)
        for kind in ("cards", "pot", "transfer"):
            self._pays(kind, hand)
        if hand.stacks:
            put(f"{keys['stacks']}: {self._shares(hand.stacks.shares)}", hand.stacks.line)
        if hand.void:
            put(keys["void"] + behind_keyword(hand.void.text), hand.void.line)
        self.void = hand.void is not None

    def _move(self, hand: Hand) -> None:
        """Follow who joins and leaves before a hand, and who deals it (G10, R17, R18)."""
        before = self.seats.get(self.dealer or "", 0)
        self.seats.open_hand()
        for name in hand.leaves:
            self.seats.leave(name.text)
        for seat in hand.seats:
            self.seats.sit(seat.player.text, seat.number.count)
        if hand.dealer:
            self.dealer = hand.dealer.text
        elif self.dealer and self.seats and not self.void:
            self.dealer = min(self.seats, key=lambda name: (self.seats[name] - before - 1) % 6)

    def _play(self, hand: Hand) -> None:
        """Write the antes, and the runs with the Comet's payment after the one in which it fell."""
        self._pays("ante", hand)
        key = self.keys["run"]
        paid = False
        for run in hand.runs:
            self._put(f"{key}: {self._run(run.plays)}", run.line)
            if not paid and any(play.card == COMET for play in run.plays):
                self._pays("comet", hand)
                paid = True
        if not paid:
            self._pays("comet", hand)

    def _run(self, plays: Sequence[Play]) -> str:
        """Return the plays of a run: each name with the cards it played in a row.

        Where nobody seated bears a name that is a card in another language, it would be read as that card.
        """
        parts: list[str] = []
        names, spaced, written = self.names, self.spaced, self.words.written
        last: str | None = None
        for name, card, stands_for, _, _, _ in plays:
            if name[0] != last:
                last = name[0]
                is_name = last in self.seats or not is_foreign_card(last, self.words)
                parts.append(f", {names[last] if is_name else quote(last)}")
            parts.append(spaced[card])
            if stands_for is not None:
                parts.append(f"={written[stands_for]}")
        return "".join(parts)[2:]

    def _cards(self, kind: str, lines: Sequence[Cards]) -> None:
        """Write `Deal` or `Left` lines from the dealer's left; as they stand where a card is in them twice."""
        cards = [dealt.card for line in lines for dealt in line.cards]
        if len(set(cards)) == len(cards):
            first = self.seats.get(self.dealer or "", 0)
            lines = sorted(lines, key=lambda line: self._clockwise(line.player.text, first))
        key, spaced = self.keys[kind], self.spaced
        for line in lines:
            hand = "".join([spaced[card] for card in sorted([dealt[0] for dealt in line.cards])])
            self._put(f"{key} {self._name(line.player)}:{hand}", line.line)

    def _clockwise(self, name: str, first: int) -> int:
        seat = self.seats.get(name)
        return _NOWHERE if seat is None else (seat - first - 1) % 6

    def _pays(self, kind: str, hand: Hand) -> None:
        for pay in hand.pays:
            if pay.kind == kind:
                self._put(self._pay(pay, hand), pay.line)

    def _pay(self, pay: Pay, hand: Hand) -> str:
        payee = self.words.payments["pot"] if pay.payee is None else self._name(pay.payee)
        if pay.given is not None:
            what = str(pay.given.count)
        else:
            shares: Sequence[Share] = pay.shares
            if 0 in [share[1].count for share in shares]:
                shares = [share for share in shares if self._says_something(share, pay, hand)] or shares
            what = self._shares(shares)
        return f"{self.keys['pay']} {self.words.payments[pay.kind]}: {what} -> {payee}"

    def _says_something(self, share: Share, pay: Pay, hand: Hand) -> bool:
        """Say whether a share is more than a zero that nobody owes: to oneself, or where nothing of the kind is."""
        name = share.player.text
        if share.chips.count or name not in self.seats:
            return True
        return self._is_owed(pay, hand) and share in pay.saying

    def _is_owed(self, pay: Pay, hand: Hand) -> bool:
        """Say whether anything may be owed of a kind, so that a zero says something (C1, C2, C4, R4).

        Of several lines of a kind it always does: who stands in them tells whether one was given twice.
        """
        rules = self.session.rules
        if rules is None or (pay.kind != "transfer" and sum(other.kind == pay.kind for other in hand.pays) > 1):
            return True
        if pay.kind == "comet":
            return rules.comet > 0 and any(play.card == COMET for run in hand.runs for play in run.plays)
        return {"ante": rules.ante, "cards": rules.card, "transfer": 0}[pay.kind] > 0

    def _shares(self, shares: Iterable[Share]) -> str:
        seats, names = self.seats, self.names
        ordered = sorted(shares, key=lambda share: seats.get(share[0][0], _NOWHERE))
        return ", ".join([f"{names[share[0][0]]} {share[1].count}" for share in ordered])

    def _name(self, name: Name) -> str:
        return self.names[name.text]

    def _seat_order(self, items: Iterable[_T], name: Callable[[_T], str]) -> list[_T]:
        return sorted(items, key=lambda item: self.seats.get(name(item), _NOWHERE))


def _by_number(seats: Sequence[Seat]) -> Sequence[Seat]:
    """Return seats by number; as they stand where a number or name is taken twice, which of them is second matters."""
    numbers = {seat.number.count for seat in seats}
    names = {seat.player.text for seat in seats}
    if len(numbers) < len(seats) or len(names) < len(seats):
        return seats
    return sorted(seats, key=lambda seat: seat.number.count)

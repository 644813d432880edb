"""A session from its JSON value: records whose every part knows its place in the JSON text.

What cannot be read is a fault at the exact characters, with the code that the same mistake has in text, and costs
what it costs there: a hand, or the replay of a session's hands, or nothing else.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from comet_hist.cards import CARDS, COMET, is_king
from comet_hist.export.comments import Remark
from comet_hist.export.places import Member, Value
from comet_hist.notation import tokens
from comet_hist.notation.grammar import grammar
from comet_hist.notation.lines import behind_keyword, comment_start
from comet_hist.notation.tokens import Unread
from comet_hist.notation.twice import Said
from comet_hist.notation.values import Values
from comet_hist.notation.vocabulary import DEFAULT, languages
from comet_hist.notation.write import canonical, digest
from comet_hist.record import (
    Cards,
    Chips,
    Dealt,
    Fault,
    Hand,
    Line,
    Name,
    Pay,
    Place,
    Play,
    Run,
    Seat,
    Session,
    Share,
    Shares,
    Span,
    Stray,
    Text,
)
from comet_hist.rules import CHOICES, GAMES, PRICE, RuleError, Rules, agree

_new = tuple.__new__

_PAID: Final = ("ante", "comet", "cards", "transfer")
_NAMED_GAMES: Final = tuple(game for game in GAMES if game != "progressive")


@dataclass(frozen=True, slots=True)
class Entry(Line):
    """A value of JSON that is a line in text. Offsets count in the physical lines on which its session stands.

    Attributes:
        lines: those physical lines.
        key: its number among the entries of the file.
    """

    lines: Line = field(kw_only=True)
    key: int = field(kw_only=True)

    def place(self, at: int, end: int) -> Place:
        """Return where characters stand in the JSON text."""
        return self.lines.place(at, end)

    def physical(self, at: int) -> str:
        """Return the line of the JSON text on which the offset lies."""
        return self.lines.physical(at)


@cache
def _values() -> Values:
    return Values(grammar(DEFAULT))


def _wrong(code: str, value: Value, message: str, expected: str) -> Unread:
    return Unread(code, value.at, value.end, message, expected, found(value))


def found(value: Value) -> str:
    """Return a value in words, as messages show it."""
    if value.kind in ("object", "array"):
        return f"an {value.kind}"
    if value.kind == "text":
        shown = value.data if len(value.data) <= 40 else value.data[:39] + "…"
        return f"“{shown if shown.isprintable() else ascii(shown)[1:-1]}”"
    return str(value.data or value.kind)[:40]


def _items(value: Value, what: str) -> list[Value]:
    """Return the items of an array that has some."""
    if value.kind != "array":
        raise _wrong("E101", value, f"expected an array of {what}, found {found(value)}", f"an array of {what}")
    if not value.data:
        raise _wrong("E101", value, f"{what} are missing; where there are none, the array is left out", what)
    items: list[Value] = value.data
    return items


def _members(value: Value, what: str, needed: tuple[str, ...], further: tuple[str, ...] = ()) -> dict[str, Member]:
    """Return the members of an object that has those needed and no others than those known."""
    if value.kind != "object":
        raise _wrong("E101", value, f"expected an object for {what}, found {found(value)}", f"an object for {what}")
    members: dict[str, Member] = value.data
    for name in needed:
        if name not in members:
            raise Unread("E101", value.at, value.at + 1, f"{what} lacks “{name}”", name)
    for name, member in members.items():
        if name not in needed and name not in further:
            raise _unknown(name, member, what, (*needed, *further))
    return members


def _unknown(name: str, member: Member, what: str, known: tuple[str, ...]) -> Unread:
    shown = found(Value("text", name, 0, 0))
    return Unread("E101", member.at, member.end, f"{what} has no {shown}", f"one of {', '.join(known)}", name[:40])


def _text_of(value: Value, code: str, what: str) -> str:
    if value.kind != "text":
        raise _wrong(code, value, f"expected {what}, found {found(value)}", what)
    text: str = value.data
    return text


def _at_value(value: Value, unread: Unread) -> Unread:
    """Return what is wrong with a text as what is wrong with the value that holds it."""
    return Unread(unread.code, value.at, value.end, unread.message, unread.expected, unread.actual)


class Builder:
    """Builds one session from its JSON value.

    Args:
        file: the path, for the session.
        lines: the physical lines on which the value stands.
        base: the offset in the JSON text at which they begin.
        keys: gives each entry its key.

    Attributes:
        remarks: the session's comments.
    """

    def __init__(self, file: str, lines: Line, base: int, keys: Iterator[int]) -> None:
        self._file = file
        self._lines = lines
        self._base = base
        self._keys = keys
        self._counted = lines.number, 0
        self.remarks: list[Remark] = []
        self._names: dict[str, str] = {}
        self._unread: list[str] = []

    def session(self, value: Value, header: tuple[str, ...] = ()) -> Session | Stray:
        """Return the session, or what is wrong where it has no identifier.

        Args:
            value: the session.
            header: members that say what the file is, and are passed over.
        """
        try:
            members = value.data if value.kind == "object" else _members(value, "a session", ("session",))
            if "session" not in members:
                raise Unread("E101", value.at, value.at + 1, "a session lacks “session”, its identifier", "session")
            opening = members["session"]
            ident = self._ident(opening.value)
        except Unread as unread:
            return Stray(self._file, (self._fault(unread),))
        line = self._line(opening.at, opening.value.end)
        session = Session(self._file, line, ident._replace(line=line), DEFAULT, rules=Rules())
        take: dict[str, Callable[[Session, Member], None]] = {
            "language": self._language, "date": self._date, "place": self._place, "rules": self._rules,
            "seats": self._seats, "hands": self._hands, "winner": self._winner,
            "comments": self._comments,
        }  # fmt: skip
        for name, member in members.items():
            if name in take:
                read = self._guard(session.faults, member.value, take[name], session, member)
                session.unread = session.unread or (not read and name in ("rules", "seats"))
            elif name != "session" and name not in header:
                self._report(session.faults, _unknown(name, member, "a session", ("session", *take)))
        if session.winner and not session.hands:
            where = members["winner"]
            message = "a winner stands in a session with hands"
            self._report(session.faults, Unread("E106", where.at, where.end, message, "hands"))
            session.winner = ()
        session.digest = digest(canonical(session).encode(), self._unread)
        return session

    # Faults and places

    def _guard(self, faults: list[Fault], value: Value, take: Callable[..., None], *arguments: Any) -> bool:
        """Take a part of the record; report it where it cannot be read, and say whether it could."""
        try:
            take(*arguments)
        except Unread as unread:
            self._report(faults, unread)
            start = value.at - self._base
            self._unread[-1] += self._lines.raw[start : value.end - self._base]
            return False
        return True

    def _report(self, faults: list[Fault], unread: Unread) -> None:
        faults.append(self._fault(unread))
        self._unread.append(unread.code)

    def _fault(self, unread: Unread) -> Fault:
        at, end = unread.at - self._base, unread.end - self._base
        where = Span(self._lines, at, end)
        return Fault(unread.code, where, unread.message, unread.expected, unread.actual, unread.suggestion)

    def _line(self, at: int, end: int) -> Line:
        at, end = at - self._base, end - self._base
        number, counted = self._counted
        number += self._lines.raw.count("\n", counted, at) - self._lines.raw.count("\n", at, counted)
        self._counted = number, at
        return Entry(number, "", at, end, lines=self._lines, key=next(self._keys))

    def _keyed(self, value: Value, key: str) -> Line:
        """Return what stands for the line that an object is: its member of a name, else the whole object."""
        member = value.data.get(key) if value.kind == "object" else None
        return self._line(member.at, member.value.end) if member else self._line(value.at, value.end)

    def _twice(self, line: Line, what: str) -> Unread:
        at, end = line.at + self._base, line.end + self._base
        return Unread("E107", at, end, f"{what} a second time; the first one counts", f"{what} once")

    # The smallest parts

    def _ident(self, value: Value) -> Name:
        return self._name(value, self._lines, "an identifier")

    def _name(self, value: Value, line: Line, what: str = "a name") -> Name:
        written = _text_of(value, "E105", what)
        text = self._names.get(written)
        if text is None:
            try:
                text = tokens.name(tokens.quote(written), 0, _values().words, what)
            except Unread as unread:
                raise _at_value(value, unread) from unread
            self._names[written] = text
        return _new(Name, (text, line, value.at - self._base, value.end - self._base))

    def _chips(self, value: Value, line: Line, *, debts: bool = False) -> Chips:
        if value.kind != "number":
            expected = "a whole number of chips, 0 to 1000000000"
            raise _wrong("E104", value, f"expected a whole number, found {found(value)}", expected)
        count = tokens.amount(value.data, value.at, _values().words, debts=debts)
        return Chips(count, line, value.at - self._base, value.end - self._base)

    def _card(self, value: Value, text: str | None = None) -> int:
        """Return the card that a value is, or that is part of it."""
        card = CARDS.get(value.data if text is None else text) if value.kind == "text" else None
        if card is None:
            message = f"{found(value)} is not a card: rank A 2 … 9 T J Q K, then suit c d h s"
            raise _wrong("E103", value, message, "a card such as Ts")
        return card

    def _free_text(self, member: Member) -> Text:
        """Return a text that a line of the text form can hold as well."""
        value = member.value
        text = " ".join(_text_of(value, "E101", "a text").split())
        if not text or not text.isprintable():
            raise _wrong("E101", value, "a text has printable characters, and at least one", "some text")
        if comment_start(behind_keyword(text)) is not None:
            message = "a text has no # after a space outside quotes, which begins a comment"
            raise _wrong("E101", value, message, "another text")
        return self._as_text(member, text)

    def _when(self, member: Member, read: Callable[[Line, str], Text]) -> Text:
        value = member.value
        text = ": " + _text_of(value, "E109", "a date or time")
        try:
            return self._as_text(member, read(Line(1, text), text).text)
        except Unread as unread:
            message = unread.message if unread.code == "E109" else f"{found(value)} is no date or time"
            raise _wrong("E109", value, message, unread.expected or "a date or time") from unread

    def _as_text(self, member: Member, text: str) -> Text:
        line = self._line(member.at, member.end)
        return Text(line, text, member.value.at - self._base, member.value.end - self._base)

    # A session

    def _language(self, session: Session, member: Member) -> None:
        language = _text_of(member.value, "E101", "a language")
        if language not in languages():
            known = ", ".join(languages())
            raise _wrong("E101", member.value, f"{found(member.value)} is not a language: {known}", known)
        session.language = language

    def _date(self, session: Session, member: Member) -> None:
        session.date = self._when(member, _values().date)

    def _place(self, session: Session, member: Member) -> None:
        session.location = self._free_text(member)

    def _rules(self, session: Session, member: Member) -> None:
        session.rules, session.rules_line = None, self._line(member.at, member.end)
        if member.value.kind != "object":
            _members(member.value, "rules", ())
        items: list[tuple[str, str | None]] = []
        places: list[Member] = []
        # A named game comes first: `classic` sets the amounts, which the others then override.
        for name, rule in sorted(member.value.data.items(), key=lambda item: item[0] != "game"):
            item = _rule(name, rule)
            if item is not None:
                items.append(item)
                places.append(rule)
        try:
            session.rules = agree(items)
        except RuleError as error:
            rule = places[error.index]
            raise Unread("E108", rule.at, rule.value.end, error.message, error.expected) from error

    def _seats(self, session: Session, member: Member) -> None:
        said = Said()
        for item in _items(member.value, "seats"):
            read = self._guard(session.faults, item, self._add_seat, session.seats, said, item)
            session.unread = session.unread or not read

    def _add_seat(self, seats: list[Seat], said: Said, value: Value) -> None:
        members = _members(value, "a seat", ("seat", "player"), ("chips",))
        line = self._keyed(value, "seat")
        number = self._chips(members["seat"].value, line)
        if not 1 <= number.count <= 6:
            raise _wrong("E104", members["seat"].value, f"seats are numbered 1 to 6, found {number.count}", "1 to 6")
        player = self._name(members["player"].value, line)
        chips = self._chips(members["chips"].value, line, debts=True) if "chips" in members else None
        seat = Seat(line, number, player, chips)
        if said.has_seat(seat):
            raise self._twice(line, f"the seat of {player.text}")
        said.add_seat(seat)
        seats.append(seat)

    def _winner(self, session: Session, member: Member) -> None:
        line = self._line(member.at, member.end)
        session.winner = tuple(self._name(item, line) for item in _items(member.value, "names"))

    def _hands(self, session: Session, member: Member) -> None:
        for item in _items(member.value, "hands"):
            session.hands.append(self._hand(item))

    def _comments(self, session: Session, member: Member) -> None:
        for item in _items(member.value, "comments"):
            self._guard(session.faults, item, self._add_remark, item)

    def _add_remark(self, value: Value) -> None:
        members = _members(value, "a comment", ("line",), ("above", "behind"))
        line = self._chips(members["line"].value, self._lines).count
        above: tuple[str, ...] = ()
        if "above" in members:
            above = tuple(_comment(item, blank=True) for item in _items(members["above"].value, "comments"))
        behind = _comment(members["behind"].value) if "behind" in members else None
        self.remarks.append(Remark(line, above, behind))

    # A hand

    def _hand(self, value: Value) -> Hand:
        hand = Hand(self._keyed(value, "hand"), None)
        take: dict[str, Callable[[Hand, Member], None]] = {
            "hand": self._number, "time": self._time, "seats": self._joins, "leaves": self._leaves, "buys": self._buys,
            "dealer": self._dealer, "deals": self._deals, "runs": self._runs, "left": self._left, "pays": self._pays,
            "stacks": self._stacks, "void": self._void,
        }  # fmt: skip
        members: dict[str, Member] = value.data if value.kind == "object" else {}
        if "hand" not in members:
            message = f"expected an object with “hand”, the number of the hand, found {found(value)}"
            self._report(hand.faults, Unread("E101", value.at, value.at + 1, message, "hand"))
            hand.unread = True
        for name, member in members.items():
            if name in take:
                read = self._guard(hand.faults, member.value, take[name], hand, member)
                hand.unread = hand.unread or (not read and name != "time")
            else:
                self._report(hand.faults, _unknown(name, member, "a hand", tuple(take)))
                hand.unread = True
        return hand

    def _each(self, hand: Hand, member: Member, what: str, take: Callable[[Value], None]) -> None:
        """Take the items of an array one by one, so that one that cannot be read costs no other its finding."""
        for item in _items(member.value, what):
            if not self._guard(hand.faults, item, take, item):
                hand.unread = hand.unread or hand.faults[-1].code != "E107"

    def _number(self, hand: Hand, member: Member) -> None:
        hand.number = self._chips(member.value, hand.line).count

    def _time(self, hand: Hand, member: Member) -> None:
        hand.time = self._when(member, _values().time)

    def _joins(self, hand: Hand, member: Member) -> None:
        said = Said()
        self._each(hand, member, "seats", lambda item: self._add_seat(hand.seats, said, item))

    def _leaves(self, hand: Hand, member: Member) -> None:
        self._each(
            hand, member, "names", lambda item: hand.leaves.append(self._name(item, self._line(item.at, item.end)))
        )

    def _buys(self, hand: Hand, member: Member) -> None:
        def take(item: Value) -> None:
            line = self._line(item.at, item.end)
            hand.buys.append(Shares(line, self._shares(item, line)))

        self._each(hand, member, "arrays of names with chips", take)

    def _dealer(self, hand: Hand, member: Member) -> None:
        hand.dealer = self._name(member.value, self._line(member.at, member.end))

    def _deals(self, hand: Hand, member: Member) -> None:
        said = Said()
        self._each(hand, member, "players with cards", lambda item: self._add_cards("deal", hand.deals, said, item))

    def _left(self, hand: Hand, member: Member) -> None:
        said = Said()
        self._each(hand, member, "players with cards", lambda item: self._add_cards("left", hand.left, said, item))

    def _add_cards(self, kind: str, lines: list[Cards], said: Said, value: Value) -> None:
        members = _members(value, "a player with cards", ("player", "cards"))
        line = self._keyed(value, "player")
        player = self._name(members["player"].value, line)
        cards = members["cards"].value
        items = cards.data if cards.kind == "array" and kind == "left" else _items(cards, "cards")
        base = self._base
        dealt = tuple([_new(Dealt, (self._card(item), line, item.at - base, item.end - base)) for item in items])
        cards_line = Cards(line, player, dealt)
        if said.has_cards_for(kind, cards_line):
            raise self._twice(line, f"the cards of {player.text}")
        said.add_cards(kind, cards_line)
        lines.append(cards_line)

    def _runs(self, hand: Hand, member: Member) -> None:
        def take(item: Value) -> None:
            line = self._line(item.at, item.end)
            plays: list[Play] = []
            for group in _items(item, "players with cards"):
                members = _members(group, "a player with cards", ("player", "cards"))
                name = self._name(members["player"].value, line)
                for card in _items(members["cards"].value, "cards"):
                    plays.append(self._play(card, name, line, plays))
            hand.runs.append(Run(line, tuple(plays)))

        self._each(hand, member, "runs", take)

    def _play(self, value: Value, name: Name, line: Line, before: list[Play]) -> Play:
        """Return a play; within a run the Comet says what it stands for, but after a king (R8)."""
        at, end = value.at - self._base, value.end - self._base
        card = CARDS.get(value.data) if value.kind == "text" else None
        if card is not None and card != COMET:
            return _new(Play, (name, card, None, line, at, end))
        laid, stands, claimed = _text_of(value, "E103", "a card").partition("=")
        card = self._card(value, laid)
        stands_for = self._card(value, claimed) if stands else None
        if card == COMET and stands_for is None and before:
            last = before[-1]
            if not is_king(last.claimed):
                raise _wrong("E103", value, "“9d” within a run does not say what it stands for", "9d=5h")
        return Play(name, card, stands_for, line, at, end)

    def _pays(self, hand: Hand, member: Member) -> None:
        said = Said()
        self._each(hand, member, "payments", lambda item: self._add_pay(hand.pays, said, item))

    def _add_pay(self, pays: list[Pay], said: Said, value: Value) -> None:
        members = _members(value, "a payment", ("kind", "to"), ("from", "chips"))
        line = self._keyed(value, "kind")
        named = members["kind"].value
        kind = _text_of(named, "E101", "a kind of payment")
        if kind not in (*_PAID, "pot"):
            raise _wrong("E101", named, f"{found(named)} is no kind of payment", f"{', '.join(_PAID)} or pot")
        needed = "chips" if kind == "pot" else "from"
        members = _members(value, f"a payment of kind {kind}", ("kind", needed, "to"))
        to = members["to"].value
        payee = None if to.kind == "null" else self._name(to, line, "a name, or null for the pot")
        where = Span(line, to.at - self._base, to.end - self._base)
        if kind == "pot":
            pay = Pay(line, kind, (), self._chips(members["chips"].value, line), payee, where)
        else:
            pay = Pay(line, kind, self._shares(members["from"].value, line), None, payee, where)
        if said.paid_before(pay):
            raise self._twice(line, f"the payment of kind {kind}")
        said.add_pay(pay)
        pays.append(pay)

    def _shares(self, value: Value, line: Line, *, debts: bool = False) -> tuple[Share, ...]:
        shares = []
        for item in _items(value, "names with chips"):
            members = _members(item, "a name with chips", ("player", "chips"))
            player = self._name(members["player"].value, line)
            shares.append(Share(player, self._chips(members["chips"].value, line, debts=debts)))
        return tuple(shares)

    def _stacks(self, hand: Hand, member: Member) -> None:
        line = self._line(member.at, member.end)
        hand.stacks = Shares(line, self._shares(member.value, line, debts=True))

    def _void(self, hand: Hand, member: Member) -> None:
        hand.void = self._free_text(member)


def _comment(value: Value, *, blank: bool = False) -> str:
    text = _text_of(value, "E101", "a comment")
    one_line = text == text.rstrip() and "\n" not in text
    if not (text.startswith("#") and one_line) and not (blank and not text):
        raise _wrong("E101", value, f"{found(value)} is no comment: it begins with # and is one line", "# and a text")
    return text


def _rule(name: str, member: Member) -> tuple[str, str | None] | None:
    """Return a member of `rules` as an item of a `Rules` line, None where it says that there is none."""
    value = member.value
    if name == "game":
        if value.data not in _NAMED_GAMES:
            raise _wrong("E108", value, f"{found(value)} is not a game", ", ".join(_NAMED_GAMES))
        return value.data, None
    if name == "progressive":
        if value.kind not in ("true", "false"):
            raise _wrong("E108", value, f"“progressive” is true or false, not {found(value)}", "true or false")
        return (name, None) if value.kind == "true" else None
    kind = "an amount and a currency in quotes" if name == PRICE else "a word" if name in CHOICES else "a whole number"
    if value.kind != ("text" if name in (*CHOICES, PRICE) else "number"):
        raise _wrong("E108", value, f"“{name[:40]}” takes {kind}, found {found(value)}", kind)
    return name, value.data

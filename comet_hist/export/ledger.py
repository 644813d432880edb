"""The chips of a session as a beancount ledger: what was brought, bought and paid, and the stacks that must come out.

Everything is posted as it was written, so that whether the stacks follow is for beancount to say. Only a hand whose
payments are not written down is posted by what was owed, with the flag `!`.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple
from unicodedata import category

from comet_hist.audit.facts import Audit, HandAudit
from comet_hist.record import Hand, Seat, Session, Share

FIRST_YEAR: Final = 1000
LAST_YEAR: Final = 2999
"""The years that beancount reads."""

_KINDS: Final = ("ante", "comet", "cards", "pot", "transfer")


class LedgerError(Exception):
    """A session that no ledger can hold; the text is one line for the user."""


class _Flow(NamedTuple):
    """Chips from one to another; None is the pot."""

    payer: str | None
    payee: str | None
    chips: int


def opening_lines() -> Iterator[str]:
    """Give the lines at the head of a ledger."""
    yield 'option "title" "Comet"'
    yield 'option "operating_currency" "CHIP"'


def ledger_lines(session: Session, audit: Audit, otherwise: date | None = None) -> Iterator[str]:
    """Give the ledger of a session, with a blank line before each entry.

    Args:
        session: all of whose lines could be read.
        audit: its audit, which says what was owed.
        otherwise: the day of a session without a date.

    Raises:
        LedgerError: if it has no day, or one that beancount does not read.
    """
    return _Ledger(session, _day_of(session, otherwise)).lines(audit)


def component(name: str) -> str:
    """Return a name as part of an account: no two names become the same.

    Beancount wants an upper-case letter or a digit, then letters, digits and hyphens. A small letter at the beginning
    becomes a capital with `--` at the very end, and any other beginning gets `X---` before it; a sign that cannot stand
    becomes its number in hexadecimal between `--` and `-`. Hyphens stay where they stand between letters or digits.

    >>> component("Zoë"), component("Jean-Luc"), component("procope-2026"), component("le 2"), component("日本")
    ('Zoë', 'Jean-Luc', 'Procope-2026--', 'Le--20-2--', 'X---日本')
    """
    first = name[0].upper()
    if _begins(name[0]):
        return _escaped(name)
    if _begins(first) and first.lower() == name[0]:
        return _escaped(first + name[1:]) + "--"
    return "X---" + _escaped(name)


def _begins(sign: str) -> bool:
    return len(sign) == 1 and (category(sign) == "Lu" or sign.isdecimal())


def _escaped(name: str) -> str:
    last = len(name) - 1
    stays = [sign.isalpha() or sign.isdecimal() for sign in name]
    inner = (
        sign if stay or (sign == "-" and all(stays[at - 1 : at + 2 : 2]) and 0 < at < last) else f"--{ord(sign):x}-"
        for at, (sign, stay) in enumerate(zip(name, stays, strict=True))
    )
    return "".join(inner)


def _day_of(session: Session, otherwise: date | None) -> date:
    day = date.fromisoformat(session.date.text[:10]) if session.date else otherwise
    ident = session.ident.text
    if day is None:
        raise LedgerError(f"{session.file}: session {ident} has no date, which a ledger needs; add it or give --date")
    if day.year < FIRST_YEAR or day >= date(LAST_YEAR, 12, 31):
        message = f"is dated {day}, and a ledger holds days of the years {FIRST_YEAR} to {LAST_YEAR}"
        raise LedgerError(f"{session.file}: session {ident} {message}")
    return day


class _Ledger:
    """The ledger of one session as it grows, hand by hand.

    `chips` are those that the postings so far leave with each player, in the order in which they turned up; players in
    `unknown` sat down with chips that only their first recorded stack tells. `certain` are the stacks that nothing has
    changed since they were recorded.
    """

    def __init__(self, session: Session, day: date) -> None:
        self.session = session
        self.day = day
        self.ident = session.ident.text
        self.within = component(self.ident)
        self.chips: dict[str, int] = {}
        self.unknown: set[str] = set()
        self.brought: dict[str, int] = {}
        self.certain: dict[str, int] = {}
        self.entries: list[list[str]] = []

    def lines(self, audit: Audit) -> Iterator[str]:
        """Give all lines."""
        self._sit_down(self.session.seats, "brought", None)
        for hand, audited in zip(self.session.hands, audit.hands, strict=True):
            self._hand(hand, audited)
        if self.brought:
            told = [_Flow(None, player, chips) for player, chips in self.brought.items()]
            entries = self._entry("brought, as the first stacks tell", None, told, "Bank")
            self.entries = [*entries, *self.entries]
        for entry in (*self._opened(), *self.entries, self._final()):
            yield ""
            yield from entry

    def _opened(self) -> Iterator[list[str]]:
        for name in ("Bank", "Pot"):
            yield [f"{self.day} open {self._of_table(name)} CHIP"]
        for player in self.chips:
            yield [f"{self.day} open {self._account(player)} CHIP", f"  player: {_quoted(player)}"]

    def _final(self) -> list[str]:
        """Return what must stand there when all is over: an assertion of beancount speaks of the beginning of a day."""
        after = self.day + timedelta(days=1)
        stacks = {self._account(player): chips for player, chips in self.certain.items()}
        stacks[self._of_table("Pot")] = 0
        return [f"{after} balance {account} {chips} CHIP" for account, chips in stacks.items()]

    def _hand(self, hand: Hand, audited: HandAudit) -> None:
        number = hand.number
        self._sit_down(hand.seats, "brought", number)
        for buy in hand.buys:
            self._post("bought", number, [_Flow(None, *_said(share)) for share in buy.shares], "Bank")
        paid = _written(hand)
        due = {} if hand.records_payments or hand.void else _owed(audited)
        for kind in _KINDS:
            if kind in due:
                self._post(kind, number, due[kind], "Pot", flag="!")
            self._post(kind, number, paid.get(kind, ()), "Pot")
        if hand.stacks:
            self._stacks(number, hand.stacks.shares)

    def _sit_down(self, seats: Iterable[Seat], what: str, hand: int | None) -> None:
        """Post the chips that players sit down with, beyond those that they left with (R17)."""
        flows = []
        for seat in seats:
            player = seat.player.text
            if seat.chips is not None:
                flows.append(_Flow(None, player, seat.chips.count - self.chips.get(player, 0)))
            elif player not in self.chips:
                self.unknown.add(player)
            self.chips.setdefault(player, 0)
        self._post(what, hand, flows, "Bank")

    def _stacks(self, hand: int | None, shares: Iterable[Share]) -> None:
        """Keep recorded stacks: each with its hand, and the last of each player to be asserted at the end."""
        said = dict(map(_said, shares))
        for player, chips in said.items():
            before = self.chips.setdefault(player, 0)
            if player in self.unknown:
                self.unknown.discard(player)
                self.brought[player] = chips - before
                self.chips[player] = chips
            self.certain[player] = chips
        stacks = " ".join(f"{self._account(player)} {chips} CHIP" for player, chips in said.items())
        self.entries.append([f'{self.day} custom "comet-stacks" {_quoted(self.ident)} {hand} {stacks}'])

    def _post(self, what: str, hand: int | None, flows: Iterable[_Flow], nobody: str, flag: str = "*") -> None:
        flows = list(flows)
        for payer, payee, chips in flows:
            for player, gain in ((payer, -chips), (payee, chips)):
                if player is not None:
                    self.chips[player] = self.chips.get(player, 0) + gain
                    if gain:
                        self.certain.pop(player, None)
        self.entries += self._entry(what, hand, flows, nobody, flag)

    def _entry(
        self, what: str, hand: int | None, flows: Iterable[_Flow], nobody: str, flag: str = "*"
    ) -> list[list[str]]:
        """Return a transaction, or none where no chips move; `nobody` is whose account None stands for."""
        moved: dict[str, int] = {}
        for payer, payee, chips in flows:
            for player, gain in ((payer, -chips), (payee, chips)):
                account = self._of_table(nobody) if player is None else self._account(player)
                moved[account] = moved.get(account, 0) + gain
        payers_first = sorted(moved.items(), key=lambda item: item[1] > 0)
        postings = [f"  {account}  {gain} CHIP" for account, gain in payers_first if gain]
        if not postings:
            return []
        told = what if hand is None else f"hand {hand}: {what}"
        head = [f"{self.day} {flag} {_quoted(self.ident)} {_quoted(told)}"]
        return [[*head, *([] if hand is None else [f"  hand: {hand}"]), *postings]]

    def _account(self, player: str) -> str:
        return f"Assets:Comet:{self.within}:{component(player)}"

    def _of_table(self, name: str) -> str:
        return f"Equity:Comet:{self.within}:{name}"


def _said(share: Share) -> tuple[str, int]:
    return share.player.text, share.chips.count


def _written(hand: Hand) -> dict[str, list[_Flow]]:
    """Return the payments of a hand as they were written, by kind; of a void one only transfers count (R18)."""
    flows: dict[str, list[_Flow]] = {}
    for pay in hand.pays:
        if hand.void and pay.kind != "transfer":
            continue
        payee = None if pay.payee is None else pay.payee.text
        given = [] if pay.given is None else [_Flow(None, payee, pay.given.count)]
        paid = [_Flow(player, payee, chips) for player, chips in map(_said, pay.shares)]
        flows.setdefault(pay.kind, []).extend(given + paid)
    return flows


def _owed(audited: HandAudit) -> dict[str, list[_Flow]]:
    flows: dict[str, list[_Flow]] = {}
    for payment in audited.payments:
        if payment.kind != "transfer":
            flows.setdefault(payment.kind, []).append(_Flow(payment.payer, payment.payee, payment.owed))
    return flows


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

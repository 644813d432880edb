"""Which share of a hand's `Pay` lines of one kind answers for which player who owes.

One slip in a name must stay one finding: a name that nobody bears, or that of a player who owes nothing, is taken for a
player who owes and is not named.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from comet_hist.record import Pay, Share


class Due(NamedTuple):
    """What is owed of one kind: chips by payer, never empty, and who is paid (None is the pot)."""

    kind: str
    amounts: dict[str, int]
    payee: str | None


@dataclass(slots=True, eq=False)
class Entry:
    """A share of a `Pay` line.

    Attributes:
        pay: the line.
        share: the name and amount in it.
        payer: whose payment it is: who is named; for a name that nobody bears whom it was taken for, or None.
        answers_for: the player who owes and whose amount this is, or None.
        stray: whether its player owes nothing, or has paid already.
        meant: for a stray the player who owes, is not named, and for whom it probably stands, or None.
    """

    pay: Pay
    share: Share
    payer: str | None
    answers_for: str | None = None
    stray: bool = False
    meant: str | None = None

    @property
    def count(self) -> int:
        """The chips recorded."""
        return self.share.chips.count


class Matching(NamedTuple):
    """The shares of one kind, sorted out.

    Attributes:
        entries: all shares but zeros to oneself, which say nothing, in the order of the text, though lines with the
            right payee come first.
        missing: the players who owe and whom no share answers for.
        needless: the lines of which no share was owed.
    """

    entries: list[Entry]
    missing: list[str]
    needless: list[Pay]

    def of(self, pay: Pay) -> list[Entry]:
        """Return the shares of a line."""
        return [entry for entry in self.entries if entry.pay is pay]


def payee_of(pay: Pay, due: Due, table: Collection[str]) -> str | None:
    """Return who was paid; a name that nobody bears is taken for who was owed. None is the pot."""
    if pay.payee is not None and pay.payee.text not in table:
        return due.payee
    return None if pay.payee is None else pay.payee.text


def match(due: Due, lines: Sequence[Pay], table: Collection[str], doubled: Collection[str]) -> Matching:
    """Sort out the shares of the `Pay` lines of one kind.

    Where a line names the wrong payee, that player need not be among its payers, and the right one may be.

    Args:
        due: what is owed.
        lines: the lines of that kind, in the order of the text.
        table: the names at the table.
        doubled: those that two players bear: their shares answer for nobody and are no strays.
    """
    ordered = sorted(lines, key=lambda pay: payee_of(pay, due, table) != due.payee)
    entries = [
        Entry(pay, share, share.player.text if share.player.text in table else None)
        for pay in ordered
        for share in pay.saying
    ]
    _find_own(due, [entry for entry in entries if entry.payer not in doubled], table)
    needless = [pay for pay in ordered if _is_needless([entry for entry in entries if entry.pay is pay])]
    excused = {payee_of(pay, due, table) for pay in ordered if pay not in needless} - {due.payee}
    answered = {entry.answers_for for entry in entries}
    missing = [name for name in due.amounts if name not in answered and name not in excused]
    for entry in entries:
        if entry.payer is None and missing:
            entry.payer = entry.answers_for = _take(due, missing, entry)
    for entry in entries:
        if entry.stray and missing:
            entry.meant = _take(due, missing, entry)
    return Matching(entries, missing, needless)


def _find_own(due: Due, entries: list[Entry], table: Collection[str]) -> None:
    """Give each player who owes the share that bears the name, the one with the right amount where there are two."""
    own: dict[str, Entry] = {}
    for entry in entries:
        name = entry.payer
        if name is None:
            continue
        if name == due.payee and payee_of(entry.pay, due, table) != due.payee:
            continue
        first = own.get(name)
        if name in due.amounts and first is None:
            own[name] = entry
        elif first is not None and first.count != due.amounts[name] == entry.count:
            own[name] = entry
            first.stray = first.count > 0
        else:
            entry.stray = entry.count > 0
    for name, entry in own.items():
        entry.answers_for = name


def _is_needless(entries: list[Entry]) -> bool:
    answering = any(entry.answers_for is not None or entry.payer is None for entry in entries)
    return not answering and any(entry.stray for entry in entries)


def _take(due: Due, missing: list[str], entry: Entry) -> str:
    """Take from the missing players the first who owes the amount of a share, or else the first."""
    name = next((name for name in missing if due.amounts[name] == entry.count), missing[0])
    missing.remove(name)
    return name

"""The payments of a hand: what was owed beside what was recorded, and what turns the one into the other."""

from collections.abc import Iterable, Sequence

from comet_hist.audit.facts import Payment, Transfer
from comet_hist.audit.matching import Due, payee_of
from comet_hist.audit.slips import Terms, needless_payments, payment_slips, pot_slips
from comet_hist.engine.owed import Owed
from comet_hist.record import Fault, Pay

BEFORE_THE_POT = ("ante", "comet", "cards")
"""The kinds of payment that players make."""


def audit_payments(dues: Sequence[Owed], terms: Terms) -> tuple[list[Payment], list[Fault]]:
    """Hold the `Pay` lines of a hand against what it owed (C1 to C4).

    Args:
        dues: what the hand owed.
        terms: the hand and what it is judged by.

    Returns:
        The payments, owed and recorded, without transfers; and the faults, E501 to E506.
    """
    pays = terms.replay.hand.pays
    payments: list[Payment] = []
    faults: list[Fault] = []
    antes_right = not terms.doubled
    for kind in BEFORE_THE_POT:
        owed = [due for due in dues if due.kind == kind]
        lines = [pay for pay in pays if pay.kind == kind]
        if _as_owed(owed, lines):
            payments += [Payment(*due, due.amount) for due in owed]
            continue
        kind_payments, kind_faults = _explain(kind, owed, lines, terms)
        payments += kind_payments
        faults += kind_faults
        if kind == "ante" and kind_faults:
            antes_right = False
    pot_payments, pot_faults = _audit_pot(dues, terms, antes_right)
    return payments + pot_payments, faults + pot_faults


def unrecorded_payments(dues: Sequence[Owed]) -> list[Payment]:
    """Return the payments of a hand that records none."""
    return [Payment(*due, None) for due in dues]


def transfers(terms: Terms) -> list[Payment]:
    """Return what a hand records that the rules do not owe: the table agreed on it, so that it is owed as recorded.

    A transfer from or to somebody whom nobody knows is left out, and so is one of nothing.
    """
    lines = [pay for pay in terms.replay.hand.pays if pay.kind == "transfer"]
    if not lines:
        return []
    return [Payment("transfer", *flow, flow[2]) for flow in _as_written(lines, terms) if flow[2]]


def net(flows: Iterable[tuple[str | None, str | None, int]], table: Iterable[str]) -> dict[str, int]:
    """Return for each player at the table what is left of payments: chips received less chips paid.

    Args:
        flows: payer, payee and chips of each payment.
        table: the names at the table.
    """
    won = dict.fromkeys(table, 0)
    for payer, payee, amount in flows:
        if payer is not None:
            won[payer] -= amount
        if payee is not None:
            won[payee] += amount
    return won


def corrections(payments: Iterable[Payment]) -> list[Transfer]:
    """Return what turns the recorded payments into those owed: one net amount for each two, in order of payment."""
    lacking: dict[tuple[str | None, str | None], int] = {}
    for payment in payments:
        payer, payee = payment.payer, payment.payee
        if payment.recorded is None or payment.owed == payment.recorded or payer == payee:
            continue
        amount = payment.owed - payment.recorded
        if (payee, payer) in lacking:
            lacking[payee, payer] -= amount
        else:
            lacking[payer, payee] = lacking.get((payer, payee), 0) + amount
    return [
        Transfer(payer, payee, amount) if amount > 0 else Transfer(payee, payer, -amount)
        for (payer, payee), amount in lacking.items()
        if amount
    ]


def _as_owed(owed: Sequence[Owed], lines: Sequence[Pay]) -> bool:
    """Say whether one line pays exactly what was owed, or none where nothing was: the ordinary case, told fast."""
    if len(lines) != 1 or not owed:
        return not lines and not owed
    pay = lines[0]
    payee = None if pay.payee is None else pay.payee.text
    if payee != owed[0].payee or len(pay.shares) != len(owed):
        return False
    paid = {share.player.text: share.chips.count for share in pay.shares}
    return len(paid) == len(owed) and all(paid.get(due.payer or "") == due.amount for due in owed)


def _explain(kind: str, owed: Sequence[Owed], lines: Sequence[Pay], terms: Terms) -> tuple[list[Payment], list[Fault]]:
    """Audit the payments of a kind that were not made just as they were owed."""
    if owed:
        due = _without_doubled(kind, owed, terms)
        entries, faults = payment_slips(due, lines, terms)
        paid = [(entry.payer, payee_of(entry.pay, due, terms.table), entry.count) for entry in entries]
        recorded = [(payer, payee, count) for payer, payee, count in paid if payer is not None]
    else:
        faults = needless_payments(kind, lines, terms)
        recorded = _as_written(lines, terms)
    books: dict[tuple[str | None, str | None], list[int]] = {}
    for _, payer, payee, amount in owed:
        books.setdefault((payer, payee), [0, 0])[0] += amount
    for payer, payee, amount in recorded:
        books.setdefault((payer, payee), [0, 0])[1] += amount
    return [Payment(kind, *who, *amounts) for who, amounts in books.items() if any(amounts)], faults


def _without_doubled(kind: str, owed: Sequence[Owed], terms: Terms) -> Due:
    """Return what is owed by those of whom something can be said."""
    amounts = {due.payer: due.amount for due in owed if due.payer is not None and due.payer not in terms.doubled}
    return Due(kind, amounts, owed[0].payee)


def _as_written(lines: Iterable[Pay], terms: Terms) -> list[tuple[str, str | None, int]]:
    """Return payer, payee and chips of the shares of lines, but for those with a name that nobody bears."""
    table = terms.table
    return [
        (share.player.text, None if pay.payee is None else pay.payee.text, share.chips.count)
        for pay in lines
        if pay.payee is None or pay.payee.text in table
        for share in pay.shares
        if share.player.text in table
    ]


def _audit_pot(dues: Sequence[Owed], terms: Terms, antes_right: bool) -> tuple[list[Payment], list[Fault]]:
    """Audit how the pot was given out (C3)."""
    lines = [pay for pay in terms.replay.hand.pays if pay.kind == "pot"]
    winner = terms.replay.players[terms.replay.winner] if terms.replay.winner is not None else None
    total = sum(due.amount for due in dues if due.kind == "pot")
    due = Due("pot", {}, winner)
    books: dict[str | None, list[int]] = {winner: [total, 0]} if total else {}
    for pay in lines:
        if pay.given is not None:
            books.setdefault(payee_of(pay, due, terms.table), [0, 0])[1] += pay.given.count
    payments = [Payment("pot", None, payee, *amounts) for payee, amounts in books.items() if any(amounts)]
    if books == ({winner: [total, total]} if total else {}):
        return payments, []
    return payments, pot_slips(total, winner, lines, terms, antes_right)

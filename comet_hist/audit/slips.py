"""What is wrong with a hand's `Pay` lines (E501 to E506): one slip, one fault, and said in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from comet_hist.audit.matching import Due, Entry, Matching, match, payee_of
from comet_hist.audit.names import doubled_names
from comet_hist.engine.facts import Replay
from comet_hist.findings import some
from comet_hist.record import Fault, Pay
from comet_hist.rules import Rules


@dataclass(frozen=True, slots=True)
class Terms:
    """What the payments of a hand are judged by.

    Attributes:
        replay: the hand as it was played.
        rules: what the table agreed on.
        comet_payment: chips owed by each other player for the Comet (R14).
    """

    replay: Replay
    rules: Rules
    comet_payment: int

    @property
    def table(self) -> frozenset[str]:
        """The names at the table."""
        return frozenset(player.name for player in self.replay.seated)

    @property
    def doubled(self) -> frozenset[str]:
        """The names that two players bear (E202), for whom nothing can be said."""
        return doubled_names(self.replay)

    def after_faults(self, kind: str) -> str:
        """Return what a message adds where the play itself had faults, which may be what made the difference."""
        codes = sorted({fault.code for fault in self.replay.faults if fault.code.startswith("E4")})
        if not codes or kind == "ante":
            return ""
        return f" (counted from what was played; this hand has {' and '.join(codes)})"

    def reason(self, due: Due, name: str) -> str:
        """Return why a player owes what they owe, and the rule."""
        amount = due.amounts[name]
        if due.kind == "ante":
            return f"owes the ante of {amount} (C1)"
        if due.kind == "comet":
            grown = "" if amount == self.rules.comet else ", R14"
            return f"owes {amount} for the Comet that {due.payee} played (C2{grown})"
        each = some(self.rules.card, "chip")
        return f"held {amount // self.rules.card} at {each} each: owes {amount} (C4)"


PURPOSE = {"ante": "into the pot", "comet": "for the Comet", "cards": "for the cards left"}
"""What a payment of each kind is for."""


def needless_payments(kind: str, lines: Sequence[Pay], terms: Terms) -> list[Fault]:
    """Return an E505 for each line with amounts in it, of a kind of which nobody owes anything in this hand."""
    why = {
        "ante": "no ante was agreed on (C1)",
        "comet": _why_no_comet(terms),
        "cards": "a card left costs nothing here (C4)",
    }[kind]
    faults = []
    for pay in lines:
        paid = [share for share in pay.shares if share.chips.count]
        if paid:
            payer, count = paid[0]
            message = f"{payer.text} paid {count.count} {PURPOSE[kind]}, but {why}{terms.after_faults(kind)}"
            faults.append(Fault("E505", payer, message, "0", str(count.count)))
    return faults


def _why_no_comet(terms: Terms) -> str:
    if terms.replay.comet is None:
        return "nobody played the Comet (C2)"
    return "it was led, which is free here (R4)" if terms.rules.comet else "it costs nothing here (C2)"


def payment_slips(due: Due, lines: Sequence[Pay], terms: Terms) -> tuple[list[Entry], list[Fault]]:
    """Return the shares of one kind with whose payments they are, and what is wrong with them (E501 to E505).

    Args:
        due: what is owed of this kind.
        lines: the `Pay` lines of this kind, in the order of the text.
        terms: what they are judged by.
    """
    if not lines:
        return [], [_kind_missing(due, terms)] if due.amounts else []
    matching = match(due, lines, terms.table, terms.doubled)
    faults = _needless_lines(due, matching, terms)
    for pay in lines:
        if pay not in matching.needless:
            faults += _payee_slip(due, pay, terms)
            faults += _strays(due, matching.of(pay), terms)
            faults += _differences(due, matching.of(pay), terms)
    for name in matching.missing:
        message = f"{name} paid nothing {PURPOSE[due.kind]}, but {terms.reason(due, name)}"
        expected = str(due.amounts[name])
        faults.append(Fault("E501", lines[-1].line, message + terms.after_faults(due.kind), expected))
    return matching.entries, faults


def _kind_missing(due: Due, terms: Terms) -> Fault:
    """Return the E501 for a kind of which no line is there."""
    payee = due.payee or "the pot"
    payments = ", ".join(f"{name} {amount}" for name, amount in due.amounts.items())
    lacking = {"ante": "the antes are", "comet": "the Comet payment is", "cards": "the payment for cards left is"}
    if len(due.amounts) == 1:
        name = next(iter(due.amounts))
        what = f"{name} {terms.reason(due, name)}"
    else:
        rule = {"ante": "C1", "comet": "C2", "cards": "C4"}[due.kind]
        what = f"{payments} are owed to {payee} ({rule})"
    message = f"{lacking[due.kind]} missing: {what}{terms.after_faults(due.kind)}"
    return Fault("E501", terms.replay.hand.line, message, f"{payments} to {payee}")


def _needless_lines(due: Due, matching: Matching, terms: Terms) -> list[Fault]:
    """Return one E505 for each line of which nothing was owed."""
    faults = []
    for pay in matching.needless:
        first = next(entry for entry in matching.of(pay) if entry.stray)
        faults.append(_stray(due, first, terms))
    return faults


def _payee_slip(due: Due, pay: Pay, terms: Terms) -> list[Fault]:
    """Return the E504 of a line that pays the wrong player, or the pot."""
    payee = payee_of(pay, due, terms.table)
    if payee == due.payee:
        return []
    was = payee or "the pot"
    right = due.payee or "the pot"
    why = {
        "ante": "antes go into the pot (C1)",
        "comet": f"{right} played the Comet (C2)",
        "cards": f"{right} went out (C4)",
    }[due.kind]
    what = "the antes" if due.kind == "ante" else PURPOSE[due.kind]
    message = f"{was} was paid {what}, but {why}{terms.after_faults(due.kind)}"
    return [Fault("E504", pay.payee_at, message, right, was)]


def _strays(due: Due, entries: Sequence[Entry], terms: Terms) -> list[Fault]:
    return [_stray(due, entry, terms) for entry in entries if entry.stray]


def _stray(due: Due, entry: Entry, terms: Terms) -> Fault:
    """Return the E505 for a payer who owes nothing, or has paid already."""
    name, count = entry.share.player.text, entry.count
    if name in due.amounts:
        why = "is down as paying this already"
    elif name == due.payee:
        why = "is the one to be paid"
    else:
        why = "owes nothing there"
    meant = ""
    if entry.meant is not None:
        meant = f"; {entry.meant} {terms.reason(due, entry.meant)} and is not named"
    message = f"{name} paid {count} {PURPOSE[due.kind]}, but {why}{meant}{terms.after_faults(due.kind)}"
    return Fault("E505", entry.share.player, message, entry.meant, name)


def _differences(due: Due, entries: Sequence[Entry], terms: Terms) -> list[Fault]:
    """Return the E502 and E503 of a line: one alone where everybody's amount is wrong by the same."""
    wrong = []
    differences = set()
    for entry in entries:
        if entry.answers_for is not None:
            difference = entry.count - due.amounts[entry.answers_for]
            differences.add(difference)
            if difference:
                wrong.append((entry, entry.answers_for))
    alike = len(differences) == 1 and len(wrong) > 1
    faults = [_difference(due, entry, name, terms) for entry, name in wrong[: 1 if alike else None]]
    if alike:
        more = f"; every amount of this line is wrong by {abs(differences.pop())}"
        faults[0] = faults[0]._replace(message=faults[0].message + more)
    return faults


def _difference(due: Due, entry: Entry, name: str, terms: Terms) -> Fault:
    right = due.amounts[name]
    message = f"{name} paid {entry.count} {PURPOSE[due.kind]}, but {terms.reason(due, name)}"
    code = "E502" if entry.count < right else "E503"
    return Fault(code, entry.share.chips, message + terms.after_faults(due.kind), str(right), str(entry.count))


def pot_slips(total: int, payee: str | None, lines: Sequence[Pay], terms: Terms, antes_right: bool) -> list[Fault]:
    """Return what is wrong with how the pot was given out (E501, E504, E506; C3).

    Args:
        total: chips in the pot by the rules, 0 where no ante was agreed on.
        payee: who went out.
        lines: the `Pay pot` lines.
        terms: what they are judged by.
        antes_right: whether the antes were recorded as they were owed; only then is the amount judged.
    """
    added = terms.after_faults("pot")
    if total and not lines:
        message = f"nobody is paid the pot, but {payee} went out and takes its {some(total, 'chip')} (C3){added}"
        return [Fault("E501", terms.replay.hand.line, message, f"{total} to {payee}")]
    faults = []
    for pay in lines:
        was = None if pay.payee is None else pay.payee.text
        if was != payee and (was is None or was in terms.table) and pay.given is not None and pay.given.count:
            message = f"{was or 'the pot'} was paid the pot, but {payee} went out (C3){added}"
            faults.append(Fault("E504", pay.payee_at, message, payee, was or "the pot"))
    given = [pay.given for pay in lines if pay.given is not None]
    paid = sum(amount.count for amount in given)
    if antes_right and given and paid != total:
        at = given[-1]
        message = f"{some(paid, 'chip')} given out of the pot, but {some(total, 'chip')} paid into it (C3)"
        faults.append(Fault("E506", at, message, str(total), str(paid)))
    return faults

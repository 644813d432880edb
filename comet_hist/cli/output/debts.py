"""Who pays whom: a session's debts and those of all sessions together, for people and for machines."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from comet_hist.audit.money import MoneyDebts, chips_worth, debts, money_debts
from comet_hist.audit.period import COUNTED, Period, SessionDebts, Sum
from comet_hist.audit.settle import Settlement
from comet_hist.cli.output.characters import shown
from comet_hist.cli.output.terminal import widths
from comet_hist.findings import some
from comet_hist.rules import ChipPrice

Object = dict[str, Any]
Payments = list[tuple[str, str, str, str]]
"""Who pays whom how much, and what it is for."""

NOBODY: Final = "nobody owes anything"
_NAMED: Final = 8
"""How many hands that are lacking are named one by one."""

NOT_FEWEST: Final = "fewer payments may do: with so many players not every way was tried"


def session_money(found: SessionDebts) -> Object | None:
    """Return a session's debts in money as JSON shows them, None where no chip has a price."""
    return None if found.money is None else _money_object(found.money)


def period_object(period: Period) -> Object:
    """Return the debts of all sessions together as JSON shows them."""
    whole = debts(period.whole.chips)
    money = []
    for currency, part in sorted(period.priced.items()):
        found = money_debts(part.money, currency)
        money.append({"sessions": part.sessions, **_money_object(found), "fewest": found.fewest})
    return {
        "sessions": period.whole.sessions,
        "left_out": period.empty + period.refused,
        "partial": period.partial,
        "balances": [{"player": player, "chips": chips} for player, chips in period.whole.chips.items()],
        "settle": [transfer._asdict() for transfer in whole.transfers],
        "fewest": whole.fewest,
        "money": money,
    }


def _money_object(found: MoneyDebts) -> Object:
    return {
        "currency": found.currency,
        "balances": [{"player": player, "amount": str(amount)} for player, amount in found.balances.items()],
        "settle": [{**debt._asdict(), "amount": str(debt.amount)} for debt in found.settle],
    }


def session_lines(ident: str, found: SessionDebts, markdown: bool) -> Iterator[str]:
    """Give the lines on one session: what its debts rest on, and who pays whom; then an empty one."""
    yield f"{'## ' if markdown else ''}Session {shown(ident, markdown)}: {_basis(found)}"
    yield from _block(_session_payments(found, markdown), _fewest(found), markdown)


def period_lines(period: Period, markdown: bool) -> Iterator[str]:
    """Give the lines on all sessions together, a part for each currency and one for chips without a price.

    Each part ends with an empty line; nothing is given where no session can be settled.
    """
    for title, payments, fewest in _parts(period, markdown):
        yield f"{'## ' if markdown else ''}To settle {title}"
        yield from _block(payments, fewest, markdown)
    notes = _notes(period)
    if notes:
        yield f"{'; '.join(notes)}."
        yield ""


def short_lines(first: Sequence[tuple[str, SessionDebts]], markdown: bool) -> Iterator[str]:
    """Give a line for each session, which come with their identifiers."""
    for ident, found in first:
        partial = f"; partial: {why_partial(found)}" if found.unreadable else ""
        doubt = "" if _fewest(found) else f"; {NOT_FEWEST}"
        words = settlement_in_words(found, markdown)
        yield f"{'* ' if markdown else '  '}{shown(ident, markdown)}: {words}{doubt}{partial}"


def why_partial(found: SessionDebts) -> str:
    """Return in words which hands of a session its debts lack, such as `hand 2 could not be replayed to its end`."""
    numbers = ["without a number" if number is None else str(number) for number in found.unreadable[:_NAMED]]
    if more := len(found.unreadable) - len(numbers):
        numbers.append(f"{more} more")
    *most, last = numbers
    if not most:
        return f"hand {last} could not be replayed to its end"
    return f"hands {', '.join(most)} and {last} could not be replayed to their end"


def settlement_in_words(found: SessionDebts, markdown: bool) -> str:
    """Return who pays whom after a session, such as `Emil pays Cleo 0.25 EUR (5 chips), Ben pays Ida 0.15 EUR`."""
    return _sentence(_session_payments(found, markdown))


def party(name: str | None, markdown: bool) -> str:
    """Return a player, or the pot, as it is shown to people."""
    return "the pot" if name is None else shown(name, markdown)


def _basis(found: SessionDebts) -> str:
    """Return what a session's debts rest on, in words."""
    hands = found.hands
    total, counted = sum(hands.values()), sum(hands[status] for status in COUNTED)
    parts = [f"{counted} of {some(total, 'hand')} count by what was owed"]
    if hands["unrecorded"]:
        parts.append(f"{hands['unrecorded']} of them without recorded payments")
    if hands["void"]:
        parts.append(f"{hands['void']} void")
    if found.unreadable:
        parts.append(f"{why_partial(found)}, so that these debts are partial")
    return ", ".join(parts)


def _notes(period: Period) -> list[str]:
    """Return what has to be known about the debts of all sessions together, in words."""
    notes = []
    if period.partial:
        partial = "has hands that" if period.partial == 1 else "have hands that"
        notes.append(f"{some(period.partial, 'session')} {partial} could not be replayed, so that debts are partial")
    if period.empty:
        notes.append(f"{some(period.empty, 'more session')} without a hand that counts")
    if period.refused:
        notes.append(f"{some(period.refused, 'more session')} left out, under the identifier of another (E206)")
    return notes


def _parts(period: Period, markdown: bool) -> Iterator[tuple[str, Payments, bool]]:
    """Give what all sessions together come to: which sessions and in what, who pays whom, and whether in the fewest."""
    for currency, part in sorted(period.priced.items()):
        found = money_debts(part.money, currency)
        title = f"{_which(part, period)} by what was owed, in {currency}"
        yield title, _in_money(found, part.price, markdown), found.fewest
    part = period.unpriced
    if part.sessions:
        unpriced = " without a price of a chip" if period.priced else ""
        chips = debts(part.chips)
        title = f"{_which(part, period)}{unpriced} by what was owed, in chips"
        yield title, _in_chips(chips, markdown), chips.fewest


def _which(part: Sum, period: Period) -> str:
    total = some(period.whole.sessions, "session")
    if part.sessions == period.whole.sessions:
        return total if part.sessions == 1 else f"all {total}"
    return f"{part.sessions} of {total}"


def _session_payments(found: SessionDebts, markdown: bool) -> Payments:
    if found.money is None:
        return _in_chips(found.chips, markdown)
    return _in_money(found.money, found.price, markdown)


def _fewest(found: SessionDebts) -> bool:
    return found.chips.fewest if found.money is None else found.money.fewest


def _in_chips(settlement: Settlement, markdown: bool) -> Payments:
    # Chips go back to who has fewer than they brought, and what they are worth goes the other way.
    return [
        (party(payee, markdown), party(payer, markdown), "", f"for {some(chips, 'chip')}")
        for payer, payee, chips in settlement.transfers
    ]


def _in_money(found: MoneyDebts, price: ChipPrice | None, markdown: bool) -> Payments:
    return [
        (
            party(payer, markdown),
            party(payee, markdown),
            f"{amount} {found.currency}",
            _chips(amount, price) if found.exact else "",
        )
        for payer, payee, amount in found.settle
    ]


def _chips(amount: Decimal, price: ChipPrice | None) -> str:
    """Return in words the chips that an amount is worth, nothing where they had several prices."""
    return "" if price is None else f"({some(chips_worth(amount, price), 'chip')})"


def _block(payments: Payments, fewest: bool, markdown: bool) -> Iterator[str]:
    """Give a line for each payment, in columns, then an empty one."""
    if markdown:
        yield ""
        yield from (f"* {_words(payment)}" for payment in payments)
    else:
        size = [max(map(_width, column)) for column in zip(*payments, strict=True)]
        for payer, payee, amount, worth in payments:
            money = " " * (size[2] - _width(amount)) + amount
            row = (_padded(payer, size[0]), "pays", _padded(payee, size[1]), *filter(None, (money, worth)))
            yield f"  {' '.join(row)}".rstrip()
    if not payments:
        yield f"{'* ' if markdown else '  '}{NOBODY}"
    if not fewest:
        yield f"{'* ' if markdown else '  '}({NOT_FEWEST})"
    yield ""


def _sentence(payments: Payments) -> str:
    return ", ".join(map(_words, payments)) or NOBODY


def _words(payment: tuple[str, str, str, str]) -> str:
    payer, payee, amount, worth = payment
    return " ".join(filter(None, (payer, "pays", payee, amount, worth)))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    return sum(widths(list(text)))


"""Audits, for people and for machines."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, Final

from comet_hist.audit import fewest_transfers
from comet_hist.audit.facts import Audit, HandAudit
from comet_hist.audit.period import Period, SessionDebts, session_debts
from comet_hist.cli.output.as_json import encode
from comet_hist.cli.output.characters import shown
from comet_hist.cli.output.debts import (
    party,
    period_lines,
    period_object,
    session_lines,
    session_money,
    settlement_in_words,
    why_partial,
)
from comet_hist.cli.output.findings import finding_lines
from comet_hist.cli.output.table import SHOWS_ALL, Column, Table, render
from comet_hist.cli.output.terminal import on_terminal, terminal_width
from comet_hist.findings import Finding, some
from comet_hist.judge import Judged

Audited = tuple[Judged, list[Finding]]
"""A session with those of its findings that are reported."""

_PAYMENTS: Final = (
    Column("session"),
    Column("hand", "number"),
    Column("status"),
    Column("kind"),
    Column("payer"),
    Column("payee"),
    Column("owed", "number"),
    Column("recorded", "number"),
)
_BALANCES: Final = (
    Column("player"),
    Column("start", "number"),
    Column("bought", "number"),
    Column("owed_net", "number"),
    Column("recorded_net", "number"),
    Column("end", "number"),
)
_FIRST: Final = ("player", "end", "owed_net", "recorded_net")
_IN_MEMORY: Final = 1 << 20


def audit_lines(audited: Iterable[Audited], period: Period, form: str, color: str, wide: bool) -> Iterator[str]:
    """Give audits for standard output, session by session as they come.

    Args:
        audited: what to show; a session that came before is not shown again.
        period: all sessions together, whole once `audited` has ended.
        form: `text`, `markdown`, `json`, `jsonl` or `csv`.
        color: of the findings in text, `auto`, `always` or `never`.
        wide: whether to show all columns of a table that is wider than the terminal.
    """
    if form == "json":
        return _object_lines(audited, period)
    if form == "jsonl":
        return (encode(_line_object(judged, findings)) for judged, findings in audited if not judged.repeated)
    if form == "csv":
        return render(Table(_PAYMENTS, _payment_rows(audited)), form)
    return _lines_for_people(audited, form, color, None if wide else SHOWS_ALL)


def settle_lines(judged: Iterable[Judged], period: Period, markdown: bool) -> Iterator[str]:
    """Give who pays whom for standard output: session by session as they come, then all of them together.

    Args:
        judged: what to show; a session that came before is not shown again.
        period: all sessions together, whole once `judged` has ended.
        markdown: whether to write Markdown.
    """
    room = None if markdown else terminal_width(sys.stdout)
    for line in _settled(judged, period, markdown):
        yield from on_terminal(line, room)


def _settled(judged: Iterable[Judged], period: Period, markdown: bool) -> Iterator[str]:
    sessions = 0
    for one in judged:
        if one.session is not None and one.audit is not None and not one.repeated:
            sessions += 1
            yield from session_lines(one.session.ident.text, session_debts(one.session.rules, one.audit), markdown)
    if sessions > 1:
        yield from period_lines(period, markdown)


def _object_lines(audited: Iterable[Audited], period: Period) -> Iterator[str]:
    """Give the lines of one JSON object; the findings, which come last in it, wait in a file if they are many."""
    with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8") as waiting:
        yield '{"sessions": ['
        comma = ""
        for judged, findings in audited:
            waiting.writelines(encode(finding.as_dict()) + "\n" for finding in findings)
            session = _session_object(judged)
            if session is not None:
                yield comma + encode(session)
                comma = ","
        yield '], "findings": ['
        waiting.seek(0)
        comma = ""
        for line in waiting:
            yield comma + line.rstrip("\n")
            comma = ","
        yield f'], "period": {encode(period_object(period))}}}'


def _line_object(judged: Judged, findings: list[Finding]) -> dict[str, Any]:
    session = _session_object(judged) or {
        "session": None, "hands": [], "balances": [], "settle": [], "money": None, "partial": False,
    }  # fmt: skip
    return {**session, "findings": [finding.as_dict() for finding in findings]}


def _session_object(judged: Judged) -> dict[str, Any] | None:
    session, audit = judged.session, judged.audit
    if session is None or audit is None or judged.repeated:
        return None
    found = session_debts(session.rules, audit)
    return {
        "session": session.ident.text,
        "hands": [_hand_object(hand) for hand in audit.hands],
        "balances": [balance._asdict() for balance in audit.balances],
        "settle": [transfer._asdict() for transfer in audit.settle],
        "money": session_money(found),
        "partial": bool(found.unreadable),
    }


def _hand_object(hand: HandAudit) -> dict[str, Any]:
    return {
        "hand": hand.hand.number,
        "status": hand.status,
        "payments": [payment._asdict() for payment in hand.payments],
        "corrections": [transfer._asdict() for transfer in hand.corrections],
    }


def _payment_rows(audited: Iterable[Audited]) -> Iterator[tuple[Any, ...]]:
    for judged, _ in audited:
        if judged.session is not None and judged.audit is not None and not judged.repeated:
            for hand in judged.audit.hands:
                for payment in hand.payments:
                    yield judged.session.ident.text, hand.hand.number, hand.status, *payment


def _lines_for_people(audited: Iterable[Audited], form: str, color: str, more: str | None) -> Iterator[str]:
    room = terminal_width(sys.stdout) if form == "text" else None
    for judged, findings in audited:
        if judged.session is not None and judged.audit is not None and not judged.repeated:
            found = session_debts(judged.session.rules, judged.audit)
            before, balances, after = _session_parts(judged.session.ident.text, judged.audit, found, form == "markdown")
            for line in before:
                yield from on_terminal(line, room)
            yield from render(balances, "table" if form == "text" else form, room, more)
            for line in after:
                yield from on_terminal(line, room)
        if findings:
            yield from finding_lines(findings, form, color)
            yield ""


def _session_parts(ident: str, audit: Audit, found: SessionDebts, markdown: bool) -> tuple[list[str], Table, list[str]]:
    """Return what is shown of a session: the lines above its balances, these, and the lines below."""
    statuses = Counter(hand.status for hand in audit.hands)
    counts = ", ".join(f"{count} {status}" for status, count in statuses.items()) or "none"
    hands = some(len(audit.hands), "hand")
    before = [f"{'## ' if markdown else ''}Session {shown(ident, markdown)}: {hands}, {counts}", ""]
    bullet = "* " if markdown else ""
    settlement = settlement_in_words(found, markdown) if audit.settle else "everybody has what they brought"
    after = ["", f"{bullet}To settle: {settlement}."]
    if found.unreadable:
        after.append(f"{bullet}These balances and debts are partial: {why_partial(found)}.")
    for hand in audit.hands:
        if hand.status == "wrong":
            after.append(f"{bullet}Hand {hand.hand.number} is wrong; to put it right: {mend_in_words(hand, markdown)}.")
    return before, Table(_BALANCES, audit.balances, _FIRST), [*after, ""]


def mend_in_words(hand: HandAudit, markdown: bool) -> str:
    """Return what puts a wrong hand right, such as `Paul pays Cleo 1`."""
    if hand.stacks_right:
        return "correct the payments, the stacks are right"
    if not hand.corrections:
        return "correct the stacks, and those after them; the payments are right"
    surplus: Counter[str | None] = Counter()
    for payer, payee, amount in hand.corrections:
        surplus[payer] += amount
        surplus[payee] -= amount
    # Between two it may go by way of a third or the pot; at a table it goes straight.
    transfers = (
        f"{party(payer, markdown)} pays {party(payee, markdown)} {amount}"
        for payer, payee, amount in fewest_transfers(surplus)
    )
    return ", ".join(transfers) or "correct the record, no chips have to move"

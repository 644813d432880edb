"""What the columns tell of clean sessions, in the values of the ordinary road, for whoever shows or adds them up."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from comet_hist.audit.facts import Audit, Balance, HandAudit, Payment, Status
from comet_hist.audit.session import settlement
from comet_hist.bulk import columns
from comet_hist.bulk.proven import Proven, Row, rules_of
from comet_hist.bulk.scanner import name_of
from comet_hist.engine.facts import SessionReplay
from comet_hist.judge import Judge, Judged
from comet_hist.notation.vocabulary import DEFAULT
from comet_hist.record import Hand, Line, Name, Session

_OPENING: Final = "Comet session"
_HANDS: Final = len(columns.HANDS)
_NUMBER: Final = columns.HANDS.index("number")
_VOID: Final = columns.HANDS.index("void")
_LINE: Final = columns.HANDS.index("line")
_AUDIT: Final = columns.HANDS.index("audit")
_SEATS: Final = len(columns.SEATS)
_PAYMENTS: Final = len(columns.PAYMENTS)
_BALANCES: Final = len(columns.BALANCES)
_WORDS: Final = len(columns.WORDS)


def held_against(judge: Judge, proven: Proven, file: str) -> Iterator[Proven | Judged]:
    """Hold clean sessions against those before them; one that is there already, or differs (E206), comes by itself.

    Args:
        judge: it knows the sessions before.
        proven: the sessions.
        file: their file.
    """
    first = proven.first
    for row, (ident, said, line) in enumerate(proven.marks(), first):
        if judge.is_new(ident, said, file, line):
            continue
        if row > first:
            yield proven._replace(first=first, after=row)
        first = row + 1
        yield judge.meet(judged(proven._replace(first=row, after=first), file))
    if proven.after > first:
        yield proven._replace(first=first)


def each(proven: Proven, file: str) -> Iterator[Judged]:
    """Give clean sessions one by one; for the arguments see `judged`."""
    for row in range(proven.first, proven.after):
        yield judged(proven._replace(first=row, after=row + 1), file)


def judged(proven: Proven, file: str) -> Judged:
    """Return one clean session as one of which all hands went the bulk lane.

    Args:
        proven: the session, alone.
        file: its file.
    """
    row = proven.session(proven.first)
    start = proven.text[row.start : proven.text.index(b"\n", row.start)].decode()
    line = Line(proven.line + row.line + 1, start, 0, len(_OPENING))
    session = Session(file, line, Name(proven.ident(row), line, len(_OPENING) + 1, len(start)), DEFAULT)
    session.rules = rules_of(proven.text[row.rules_at : row.rules_at + row.rules_length])
    ((_, session.digest, _),) = proven.marks()
    balances = list(_balances(proven, row))
    return Judged(session, SessionReplay([]), Audit([], balances, settlement(balances)), [], rest=proven)


def whole(judged: Judged, *, payments: bool = True) -> Judged:
    """Return a session with the audits of all its hands; those that went the bulk lane have a number and no record.

    Args:
        judged: the session.
        payments: whether to say who paid whom in hands that went the bulk lane.
    """
    if judged.rest is None or judged.audit is None:
        return judged
    # Numbers need not count up: what stands above what is told by the lines.
    hands = [*judged.audit.hands, *_hand_audits(judged.rest, payments)]
    hands.sort(key=lambda audit: audit.hand.line.number)
    return replace(judged, audit=replace(judged.audit, hands=hands))


def _hand_audits(proven: Proven, payments: bool) -> Iterator[HandAudit]:
    row, hands = proven.session(proven.first), proven.tables["hands"]
    for at in range(_HANDS * row.first_hand, _HANDS * (row.first_hand + row.hands), _HANDS):
        status: Status = "void" if hands[at + _VOID] else columns.AUDITS[hands[at + _AUDIT]]
        hand = Hand(Line(proven.line + hands[at + _LINE] + 1, ""), hands[at + _NUMBER])
        audit = HandAudit(hand, status)
        if payments:
            audit.payments = list(_payments(proven, at))
        yield audit


def _payments(proven: Proven, at: int) -> Iterator[Payment]:
    """Give the payments of the hand whose row begins at an offset."""
    hand = dict(zip(columns.HANDS, proven.tables["hands"][at : at + _HANDS], strict=True))
    seats, rows = proven.tables["seats"], proven.tables["payments"]
    word = columns.SEATS.index("word")
    first = hand["first_seat"]
    names = [_word(proven, seats[_SEATS * seat + word]) for seat in range(first, first + hand["players"])]
    parties = [*names, None]
    for row in range(hand["first_payment"], hand["first_payment"] + hand["payments"]):
        _, kind, payer, payee, amount = rows[_PAYMENTS * row : _PAYMENTS * row + _PAYMENTS]
        said = columns.KINDS[kind]
        recorded = amount if hand["recorded"] or said == "transfer" else None
        yield Payment(said, parties[payer], parties[payee], amount, recorded)


def _balances(proven: Proven, row: Row) -> Iterator[Balance]:
    table = proven.tables["balances"]
    for at in range(row.first_balance, row.first_balance + row.players):
        _, word, start, bought, net = table[_BALANCES * at : _BALANCES * at + _BALANCES]
        known = None if start == columns.NOTHING else start
        yield Balance(_word(proven, word), known, bought, net, net, None if known is None else known + bought + net)


def _word(proven: Proven, row: int) -> str:
    at, length = proven.tables["words"][_WORDS * row : _WORDS * row + 2]
    return name_of(proven.text[at : at + length])

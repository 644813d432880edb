"""The rooms in their order: a session goes in as it was read, and everything known about it comes out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from comet_hist.audit import Audit, audit, record_faults
from comet_hist.engine.facts import Replay, SessionReplay
from comet_hist.engine.roster import as_played
from comet_hist.engine.session import replay
from comet_hist.findings import Finding, find, in_order
from comet_hist.record import Fault, Hand, Session, Stray

if TYPE_CHECKING:
    from comet_hist.bulk.proven import Proven

CHECKED: Final = ("E1", "E2", "E3", "E4", "W2")
"""What the check of legality reports: faults of text, record, deal and play."""

AUDITED: Final = ("E1", "E2", "E5", "E6", "W5", "W6")
"""What the audit reports: chips and session, and what cannot be read and so not be audited."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A session with its replay, its audit and its findings.

    Attributes:
        session: the session, None for text that stands before any session of its file.
        replay: its replay, None where `session` is.
        audit: its audit, None where `session` is or chips were not asked for.
        findings: all findings, in order of line and column.
        repeated: whether the same session was judged before; it counts once and has no findings.
        conflict: whether another session was judged before under the same identifier (E206).
        rest: those hands of the session that were proved clean by the bulk lane, and stand in `session`, `replay` and
            `audit` no more; None where all hands do. Balances and faults of the session are of all its hands.
    """

    session: Session | None
    replay: SessionReplay | None
    audit: Audit | None
    findings: list[Finding]
    repeated: bool = False
    conflict: bool = False
    rest: "Proven | None" = None


class _Seen(NamedTuple):
    """The first session of an identifier: what it says, and where.

    Attributes:
        digest: its digest.
        file: its file.
        key: of its first line, a number that no other line of the file has.
        line: the number of its first line.
    """

    digest: str
    file: str
    key: int
    line: int


class Judge:
    """Judges sessions one after another, and remembers their identifiers.

    Args:
        chips: whether to audit the chips; without, sessions are only checked for legality.
    """

    def __init__(self, *, chips: bool = True) -> None:
        self._chips = chips
        self._seen: dict[str, _Seen] = {}

    def judge(self, readings: Iterable[Session | Stray]) -> Iterator[Judged]:
        """Give everything known about each session, and the findings of stray text, in the order they are read."""
        for reading in readings:
            yield self.meet(judge_alone(reading, chips=self._chips))

    def meet(self, judged: Judged) -> Judged:
        """Hold a session that was judged alone against those before it: it may be there already, or differ (E206)."""
        session = judged.session
        if session is None:
            return judged
        ident, opening = session.ident.text, session.line
        seen = self._seen.setdefault(ident, _Seen(session.digest, session.file, opening.key, opening.number))
        if (seen.file, seen.key) == (session.file, opening.key):
            return judged
        if seen.digest == session.digest:
            return replace(judged, findings=[], repeated=True)
        conflict = find(_other_session(session, seen), session.file, ident, None)
        return replace(judged, findings=in_order([*judged.findings, conflict]), conflict=True)

    def is_new(self, ident: str, digest: str, file: str, line: int) -> bool:
        """Take in a session that was proved clean; say whether it is the first of its identifier.

        Args:
            ident: its identifier.
            digest: its digest.
            file: its file.
            line: the number of its first line.
        """
        if ident in self._seen:
            return False
        self._seen[ident] = _Seen(digest, file, line, line)
        return True

    def forget(self, file: str) -> None:
        """Forget the sessions of a file, such as one that could not be read to its end and does not count."""
        self._seen = {ident: seen for ident, seen in self._seen.items() if seen.file != file}


def judge_alone(reading: Session | Stray, *, chips: bool = True) -> Judged:
    """Give everything known about a session by itself, or the findings of stray text.

    Args:
        reading: what was read.
        chips: whether to audit the chips.
    """
    if isinstance(reading, Stray):
        return Judged(None, None, None, in_order([find(fault, reading.file, None, None) for fault in reading.faults]))
    played, misnamed = as_played(reading)
    replayed = replay(played)
    replayed.faults += misnamed
    audited = audit(played, replayed) if chips else None
    return Judged(reading, replayed, audited, in_order(findings_of(reading, replayed, audited)))


def without_records(judged: Judged) -> Judged:
    """Return a session without its records and plays: what findings, verdicts, payments and debts are told from."""
    session, replayed, audited = judged.session, judged.replay, judged.audit
    if session is None or replayed is None:
        return judged
    bare = [Hand(each.hand.line, each.hand.number, faults=each.hand.faults) for each in replayed.hands]
    hands = [Replay(hand, each.state, faults=each.faults) for hand, each in zip(bare, replayed.hands, strict=True)]
    if audited is not None:
        # What puts a wrong hand right hangs on its record.
        audits = [
            each if each.status == "wrong" else replace(each, hand=hand)
            for hand, each in zip(bare, audited.hands, strict=True)
        ]
        audited = replace(audited, hands=audits)
    return replace(judged, session=replace(session, hands=[], seats=[]), replay=SessionReplay(hands), audit=audited)


def _other_session(session: Session, seen: _Seen) -> Fault:
    where = f"{seen.file}, line {seen.line}" if seen.file != session.file else f"line {seen.line}"
    message = f"{session.ident.text} is the identifier of another session, in {where}"
    return Fault("E206", session.line, message, "an identifier of its own", session.ident.text)


def findings_of(session: Session, replayed: SessionReplay, audited: Audit | None) -> list[Finding]:
    """Return all findings of a session, in no order; without an audit those about chips are left out."""
    if audited is None:
        by_hand, by_session = record_faults(session, replayed)
    else:
        by_hand, by_session = [hand.faults for hand in audited.hands], audited.faults
    return findings_from(session, replayed, by_hand, by_session)


def findings_from(
    session: Session, replayed: SessionReplay, by_hand: list[list[Fault]], by_session: list[Fault]
) -> list[Finding]:
    """Return all findings of a session, in no order.

    Args:
        session: the session.
        replayed: its replay.
        by_hand: for each hand of the replay what is wrong with its lines about chips.
        by_session: the same of the session itself.
    """
    file, ident = session.file, session.ident.text
    findings = [find(fault, file, ident, None) for fault in (*session.faults, *replayed.faults, *by_session)]
    for hand, chips in zip(replayed.hands, by_hand, strict=True):
        if hand.hand.faults or hand.faults or chips:
            number = hand.hand.number
            faults = each_stranger_once((*hand.hand.faults, *hand.faults, *chips))
            findings += [find(fault, file, ident, number) for fault in faults]
    return findings


def each_stranger_once(faults: tuple[Fault, ...]) -> list[Fault]:
    """Return the faults of a hand in order of place; of several E201 for one name the one that stands first."""
    ordered = sorted(faults, key=lambda fault: (fault.where.line.number, fault.where.at))
    known: set[str | None] = set()
    kept = []
    for fault in ordered:
        if fault.code != "E201" or fault.actual not in known:
            kept.append(fault)
        if fault.code == "E201":
            known.add(fault.actual)
    return kept

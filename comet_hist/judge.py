"""The rooms in their order: a session goes in as it was read, and everything known about it comes out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from comet_hist.audit import Audit, audit, record_faults
from comet_hist.engine.facts import SessionReplay
from comet_hist.engine.roster import as_played
from comet_hist.engine.session import replay
from comet_hist.findings import Finding, find, in_order
from comet_hist.record import Fault, Session, Stray

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
            if isinstance(reading, Stray):
                findings = [find(fault, reading.file, None, None) for fault in reading.faults]
                yield Judged(None, None, None, in_order(findings))
            else:
                yield self._session(reading)

    def forget(self, file: str) -> None:
        """Forget the sessions of a file, such as one that could not be read to its end and does not count."""
        self._seen = {ident: seen for ident, seen in self._seen.items() if seen.file != file}

    def _session(self, session: Session) -> Judged:
        ident = session.ident.text
        opening = session.line
        seen = self._seen.setdefault(ident, _Seen(session.digest, session.file, opening.key, opening.number))
        repeated = seen.digest == session.digest and (seen.file, seen.key) != (session.file, opening.key)
        played, misnamed = as_played(session)
        replayed = replay(played)
        replayed.faults += misnamed
        audited = audit(played, replayed) if self._chips else None
        findings = [] if repeated else findings_of(session, replayed, audited)
        conflict = seen.digest != session.digest
        if conflict:
            findings.append(find(_other_session(session, seen), session.file, ident, None))
        return Judged(session, replayed, audited, in_order(findings), repeated, conflict)


def _other_session(session: Session, seen: _Seen) -> Fault:
    where = f"{seen.file}, line {seen.line}" if seen.file != session.file else f"line {seen.line}"
    message = f"{session.ident.text} is the identifier of another session, in {where}"
    return Fault("E206", session.line, message, "an identifier of its own", session.ident.text)


def findings_of(session: Session, replayed: SessionReplay, audited: Audit | None) -> list[Finding]:
    """Return all findings of a session, in no order; without an audit those about chips are left out."""
    file, ident = session.file, session.ident.text
    if audited is None:
        by_hand, by_session = record_faults(session, replayed)
    else:
        by_hand, by_session = [hand.faults for hand in audited.hands], audited.faults
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

"""What is kept of hands in which something is wrong, so that they can be stepped through: it takes a second replay."""

from dataclasses import dataclass, field

from comet_hist.audit import Audit
from comet_hist.engine.facts import SessionReplay
from comet_hist.engine.position import watch
from comet_hist.findings import Finding
from comet_hist.placing import place
from comet_hist.record import Session
from comet_hist.rules import Rules
from comet_hist.store.turns import turns


@dataclass(slots=True)
class Marks:
    """What is kept of a session's faulty hands.

    Attributes:
        plies: for findings about a play, its ply.
        turns: by hand number what the table says at each ply, for hands that are not legal.
    """

    plies: dict[Finding, int] = field(default_factory=dict)
    turns: dict[int, list[str]] = field(default_factory=dict)


def marks(session: Session, replayed: SessionReplay, audited: Audit) -> Marks:
    """Go once more through the hands of a session in which something is wrong.

    Args:
        session: the session.
        replayed: its replay.
        audited: its audit.
    """
    kept = Marks()
    for replay, audit in zip(replayed.hands, audited.hands, strict=True):
        number = replay.hand.number
        wrong = replay.hand.faults or replay.faults or audit.faults
        if not (wrong and replay.players and replay.loadable) or number is None:
            continue
        watched = watch(replay, session.rules or Rules())
        found = place(session, replay, audit, watched).plies
        kept.plies.update((finding, ply) for ply, there in found.items() for finding in there)
        if replay.legal is False:
            kept.turns[number] = list(turns(watched, replay.laid))
    return kept

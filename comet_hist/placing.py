"""Where in a hand its findings belong: at its head, its deal, one of its plays, or its payments."""

from dataclasses import dataclass, field

from comet_hist.audit.facts import HandAudit
from comet_hist.engine.facts import Replay
from comet_hist.engine.position import Watched
from comet_hist.findings import Finding, find
from comet_hist.judge import each_stranger_once
from comet_hist.record import Fault, Session


@dataclass(slots=True)
class Placing:
    """The findings of a hand, each in one place, there in order of line and column.

    Attributes:
        head: about number, time, players and dealer.
        deal: about the cards dealt, and what could not be checked.
        ante: about the antes.
        plies: by ply, about that play or the run that it ends; the payment of the Comet is with the Comet's.
        end: about what was left and the payments at the end.
    """

    head: list[Finding] = field(default_factory=list)
    deal: list[Finding] = field(default_factory=list)
    ante: list[Finding] = field(default_factory=list)
    plies: dict[int, list[Finding]] = field(default_factory=dict)
    end: list[Finding] = field(default_factory=list)

    def all(self) -> list[Finding]:
        """Return all of them."""
        return [*self.head, *self.deal, *self.ante, *(f for each in self.plies.values() for f in each), *self.end]


def place(session: Session, replay: Replay, audit: HandAudit, watched: Watched) -> Placing:
    """Put the findings of a hand in their places."""
    placing = Placing()
    hand = replay.hand
    faults = each_stranger_once((*hand.faults, *replay.faults, *audit.faults))
    runs = {run.line.number for run in hand.runs}
    deals = {line.line.number for line in hand.deals}
    ends = {line.line.number for line in hand.left} | {pay.line.number for pay in hand.pays}
    ends |= {hand.stacks.line.number} if hand.stacks else set()
    kinds = {pay.line.number: pay.kind for pay in hand.pays}
    for fault in faults:
        number = fault.where.line.number
        if number in runs:
            there = _at_ply(placing, _ply(fault, watched))
        elif kinds.get(number) == "comet" and replay.comet is not None:
            there = _at_ply(placing, replay.comet.ply)
        elif kinds.get(number) == "ante":
            there = placing.ante
        elif number in deals or fault.code == "W208":
            there = placing.deal
        elif number in ends or fault.code[1] == "5" or fault.code == "E207":
            there = placing.end
        else:
            there = placing.head
        there.append(find(fault, session.file, session.ident.text, hand.number))
    return placing


def _at_ply(placing: Placing, ply: int) -> list[Finding]:
    return placing.plies.setdefault(ply, []) if ply else placing.deal


def _ply(fault: Fault, watched: Watched) -> int:
    """Return the ply that a fault in a run is about; 0 where no play was made so far."""
    where = fault.where
    for ply, play in enumerate(watched.written, 1):
        if play is where or play.name is where:
            return ply
    # What it points at was passed over: it stands with the next play of its line, else with the one before.
    before = 0
    for ply, play in enumerate(watched.written, 1):
        here = play.line.number, play.at
        if here >= (where.line.number, where.at):
            return ply if play.line.number == where.line.number else before
        before = ply
    return before

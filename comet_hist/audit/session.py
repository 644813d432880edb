"""The audit of a session, from hand to hand."""

from collections import Counter
from collections.abc import Mapping

from comet_hist.audit.facts import Audit, Balance, HandAudit, Status, Transfer
from comet_hist.audit.names import first_seated, gives_no_findings, names_in_hand, names_of_winners, sit_down
from comet_hist.audit.payments import audit_payments, corrections, net, transfers, unrecorded_payments
from comet_hist.audit.purses import Purses
from comet_hist.audit.settle import fewest_transfers, levelled
from comet_hist.audit.slips import Terms
from comet_hist.audit.stacks import overdrawn, recorded_stacks, stack_faults
from comet_hist.audit.winners import winner_faults
from comet_hist.engine.facts import Replay, Seated, SessionReplay
from comet_hist.engine.owed import CometPayment, owed
from comet_hist.record import Fault, Line, Session
from comet_hist.rules import Rules
from comet_hist.standing import Player, Standing

REPLAYED = ("played", "void")
"""The states of a hand whose chips can be followed."""


def audit(session: Session, replay: SessionReplay) -> Audit:
    """Hold what a session records about its chips against what was owed (C1 to C5, R14, R18).

    Args:
        session: the session as it was recorded.
        replay: what happened in its hands.

    Returns:
        For each hand its payments and what puts them right, for each player the balance, who pays whom to settle,
        and the faults (E5, E6, W508, W602, and E201 and E202 in lines about chips).
    """
    ledger = Ledger(session, replay)
    hands = [ledger.audit_hand(played) for played in replay.hands]
    return ledger.audit(hands, ledger.session_faults(hands))


class Ledger:
    """What the audit carries from one hand of a session to the next: the chips, and the Comet payment.

    Attributes:
        comet: the Comet payment.
        purses: everybody's chips.
        everybody: who ever sat, by name, in seat order, then in the order of joining.
        won: chips that each won in hands that were audited by the bulk lane.
    """

    def __init__(self, session: Session, replay: SessionReplay) -> None:
        self.session = session
        self.replay = replay
        self.rules = session.rules or Rules()
        self.comet = CometPayment(self.rules)
        self.purses = Purses(session)
        self.silent = gives_no_findings(session, replay)
        self.everybody = first_seated(session)
        self.won: dict[str, int] = {}

    def resume(self, standing: Standing) -> None:
        """Go on below hands that were proved clean by the bulk lane."""
        self.comet.resume(standing.payment)
        self.purses.resume(standing)
        for player in standing.players:
            self.everybody.setdefault(player.name, Seated(player.name, player.seat, (player.seat, 0)))
            self.won[player.name] = player.won

    def players(self, seats: Mapping[str, int]) -> tuple[Player, ...] | None:
        """Return everybody who ever sat, where neither chips nor Comet payment are in doubt; else None.

        Args:
            seats: the seats of those at the table, by name.
        """
        if not self.comet.known or self.everybody.keys() != self.purses.of.keys():
            return None
        return self.purses.players(seats, self.won)

    def audit_hand(self, replay: Replay) -> HandAudit:
        """Audit the next hand."""
        sit_down(replay, self.everybody)
        self.comet.before(replay)
        self.purses.before(replay)
        terms = Terms(replay, self.rules, self._comet_payment(replay))
        result = HandAudit(replay.hand, _status(replay), comet_payment=terms.comet_payment)
        result.stack_before = {player.name: self.purses.of[player.name].chips for player in replay.seated}
        if replay.state in REPLAYED:
            self._audit_payments(result, terms)
            self._audit_stacks(result)
        else:
            result.owed_net = dict.fromkeys(result.stack_before, 0)
            self.purses.skip(replay.hand)
        result.faults = [] if self.silent else result.faults + names_in_hand(replay)
        if result.status == "ok" and any(fault.code.startswith("E5") for fault in result.faults):
            result.status = "wrong"
            result.corrections = corrections(result.payments) if replay.hand.records_payments else result.corrections
        result.stack_after = {name: self.purses.of[name].chips for name in result.stack_before}
        self.comet.after(replay)
        return result

    def audit(self, hands: list[HandAudit], faults: list[Fault]) -> Audit:
        """Return the audit of the session from those of its hands, and the faults of the session itself."""
        balances = self._balances(hands)
        return Audit(hands, balances, settlement(balances), faults)

    def _balances(self, hands: list[HandAudit]) -> list[Balance]:
        """Return everybody's session, from the audits of its hands."""
        owed_net = Counter({name: self.won.get(name, 0) for name in self.everybody})
        recorded_net = owed_net.copy()
        for hand in hands:
            owed_net.update(hand.owed_net)
            recorded_net.update(hand.owed_net if hand.recorded_net is None else hand.recorded_net)
        balances = []
        for name in self.everybody:
            purse, won = self.purses.of[name], owed_net[name]
            end = None if purse.start is None else purse.start + purse.bought + won
            balances.append(Balance(name, purse.start, purse.bought, won, recorded_net[name], end))
        return balances

    def session_faults(self, hands: list[HandAudit]) -> list[Fault]:
        """Return what is wrong with the session itself: E601, W602, and names in its `Winner` line."""
        faults = self.faults_of_winners(hands)
        if self.silent or not hands:
            return faults
        count = sum(audited.hand.void is None for audited in hands)
        unfinished = self.replay.hands[-1].state == "unfinished"
        return faults + number_of_hands(self.rules.hands, count, hands[-1].hand.line, unfinished)

    def faults_of_winners(self, hands: list[HandAudit]) -> list[Fault]:
        """Return what is wrong with the `Winner` line: E601, and its names."""
        faults = names_of_winners(self.session, list(self.everybody.values()))
        if self.silent or not hands:
            return faults
        slips = any(fault.code.startswith("E5") for hand in hands for fault in hand.faults)
        gains = {name: purse.gains() for name, purse in self.purses.of.items()}
        return faults + winner_faults(self.session.winner, gains, any_reading=slips)

    def _comet_payment(self, replay: Replay) -> int:
        """Return what the Comet costs in a hand; where hands are missing before it, what most paid for it (R14)."""
        if self.comet.known or replay.comet is None:
            return self.comet.amount
        paid = Counter(
            share.chips.count
            for pay in replay.hand.pays
            if pay.kind == "comet"
            for share in pay.shares
            if share.chips.count
        )
        return paid.most_common(1)[0][0] if paid else self.comet.amount

    def _audit_payments(self, result: HandAudit, terms: Terms) -> None:
        """Fill in payments and nets. In a void hand nobody is paid (R18), but a transfer stays one."""
        hand = terms.replay.hand
        dues = owed(terms.replay, self.rules, terms.comet_payment)
        if terms.replay.state == "void":
            result.payments = transfers(terms)
        elif hand.records_payments:
            result.payments, result.faults = audit_payments(dues, terms)
            result.payments += transfers(terms)
        else:
            result.payments = unrecorded_payments(dues) + transfers(terms)
        table = result.stack_before
        result.owed_net = net([(paid.payer, paid.payee, paid.owed) for paid in result.payments], table)
        if result.status == "unrecorded":
            return
        if all(paid.owed == paid.recorded for paid in result.payments if paid.recorded is not None):
            result.recorded_net = dict(result.owed_net)
        else:
            flows = [(paid.payer, paid.payee, paid.recorded or 0) for paid in result.payments]
            result.recorded_net = net(flows, table)

    def _audit_stacks(self, result: HandAudit) -> None:
        """Judge the recorded stacks, and follow the chips."""
        hand, purses = result.hand, self.purses.of
        recorded_net = result.owed_net if result.recorded_net is None else result.recorded_net
        due = {name: purses[name].due(won, recorded_net[name]) for name, won in result.owed_net.items()}
        right = {name: chips if purses[name].anchored else None for name, chips in due.items()}
        stacks = recorded_stacks(hand, right)
        result.faults += stack_faults(stacks, result.stack_before, right, hand.void is not None)
        result.faults += overdrawn(hand, {name: most for name in due if (most := purses[name].most) is not None})
        if hand.stacks is not None and result.status == "ok" and not hand.records_payments:
            self._only_stacks(result, {name: share.chips.count for name, share in stacks.items()}, right)
        for name, chips in due.items():
            share = stacks.get(name)
            purses[name].settle(chips, result.owed_net[name], None if share is None else share.chips.count)

    def _only_stacks(self, result: HandAudit, stacks: dict[str, int], right: dict[str, tuple[int, ...] | None]) -> None:
        """Work out what a hand without `Pay` lines records, and what puts its stacks right."""
        surplus: dict[str | None, int] = {}
        for name, stack in stacks.items():
            before, follows = result.stack_before[name], right[name]
            if before is None or follows is None or result.recorded_net is None:
                continue
            result.recorded_net[name] = stack - before
            if stack not in follows:
                surplus[name] = stack - follows[0]
        result.corrections = fewest_transfers(levelled(surplus))


def _status(replay: Replay) -> Status:
    """Return how a hand stands before anything is found wrong with it."""
    if replay.state == "void":
        return "void"
    if replay.state not in REPLAYED:
        return "unreadable"
    return "ok" if replay.hand.records_payments or replay.hand.stacks is not None else "unrecorded"


def settlement(balances: list[Balance]) -> list[Transfer]:
    """Return the fewest transfers that bring everybody back to what they brought (C5), by what was owed."""
    return fewest_transfers(levelled({balance.player: balance.owed_net for balance in balances}))


def number_of_hands(agreed: int | None, count: int, last: Line, unfinished: bool) -> list[Fault]:
    """Return the W602 of a session with more or fewer hands than agreed, void ones not counted (R18).

    A session that breaks off in the middle of a hand has its fault there, and no other for its length.

    Args:
        agreed: the number agreed on, if there is one.
        count: the number of hands that are not void.
        last: the `Hand` line of the last hand.
        unfinished: whether that hand was not played to its end.
    """
    if agreed is None or count == agreed or (count < agreed and unfinished):
        return []
    played = "1 hand was" if count == 1 else f"{count} hands were"
    message = f"{played} played, but {agreed} agreed (void ones not counted)"
    return [Fault("W602", last, message, str(agreed), str(count))]

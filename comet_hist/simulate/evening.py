"""A session of simulated hands in canonical text: who deals, who pays whom, who buys chips, who wins."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from comet_hist.cards import COMET
from comet_hist.engine.facts import Laid, Replay, Seated
from comet_hist.engine.owed import CometPayment, Owed, owed
from comet_hist.engine.table import Move
from comet_hist.notation.write import write_name
from comet_hist.record import Hand, Line
from comet_hist.rules import MOST_CHIPS
from comet_hist.simulate.chance import CHOICES, DEALS, stream
from comet_hist.simulate.moves import House
from comet_hist.simulate.plan import Plan, PlanError
from comet_hist.simulate.play import Playing, deal
from comet_hist.simulate.strategies import strategy
from comet_hist.simulate.writing import cards_text, run_lines

_UNRECORDED: Final = Hand(Line(0, ""), None)


class Played(NamedTuple):
    """A hand played to its end; positions count from the left of the dealer.

    Attributes:
        hands: for each position the mask of the cards dealt.
        moves: what was played.
        left: for each position the mask of the cards left.
        winner: the position of who went out.
    """

    hands: Sequence[int]
    moves: list[Move]
    left: Sequence[int]
    winner: int


class Evening:
    """A session being played.

    Args:
        plan: what was agreed.
        session: which session it is, from 0.

    Attributes:
        stacks: chips by name.
        number: the hand last begun.
    """

    def __init__(self, plan: Plan, session: int) -> None:
        self._plan = plan
        self._session = session
        self._written = {name: write_name(name) for name in plan.players}
        self._strategies = [strategy(each) for each in plan.strategies]
        self._house = House(plan.rules)
        self._deals = stream(plan.seed, session, DEALS)
        self._choices = stream(plan.seed, session, CHOICES)
        self._comet = CometPayment(plan.rules)
        self._dealer = self._deals.below(len(plan.players))
        self._bought = dict.fromkeys(plan.players, 0)
        self._seated = tuple(Seated(name, at, (at, 0)) for at, name in enumerate(plan.players, 1))
        self.stacks = dict.fromkeys(plan.players, plan.chips)
        self.number = 0

    def header(self) -> list[str]:
        """Return the lines of the session above its first hand."""
        ident = self._plan.identifier(self._session)
        return [f"Comet session {ident}", f"Date: {self._plan.day(self._session)}", *self._plan.lines]

    def deal(self) -> list[int]:
        """Begin the next hand: return for each position the mask of the cards dealt."""
        if self.number:
            self._dealer = (self._dealer + 1) % len(self._plan.players)
        self.number += 1
        return deal(self._deals, len(self._plan.players))

    def play(self, hands: list[int]) -> Played:
        """Let everybody play a hand by their strategies."""
        first = self._dealer + 1
        playing = Playing(hands, self._strategies[first:] + self._strategies[:first], self._house, self._choices)
        winner = playing.play()
        return Played(hands, playing.moves, playing.hands, winner)

    def lines(self, played: Played, buys: bool = True) -> list[str]:
        """Carry out the payments of the hand, and return its lines.

        Args:
            played: the hand.
            buys: whether those who run short in it have bought chips before; if not, they go below zero (R15).

        Raises:
            PlanError: if chips outgrow what can be written.
        """
        players = self._plan.players
        order = players[self._dealer + 1 :] + players[: self._dealer + 1]
        replay = self._replay(played, order)
        dues = owed(replay, self._plan.rules, self._comet.amount)
        self._comet.after(replay)
        bought = self._pay(dues, buys)
        names = [self._written[name] for name in order]
        lines = [f"Hand {self.number}"]
        if bought:
            lines.append(f"Buy: {self._shares(bought.items())}")
        lines.append(f"Dealer: {self._written[players[self._dealer]]}")
        lines += [f"Deal {name}:{cards_text(hand)}" for name, hand in zip(names, played.hands, strict=True)]
        lines += self._paid("ante", dues)
        comet = self._paid("comet", dues)
        for run, fell in run_lines(played.moves, names):
            lines.append(run)
            if fell:
                lines += comet
        lines += self._paid("cards", dues)
        lines += self._paid("pot", dues)
        lines.append(f"Stacks: {self._shares(self.stacks.items())}")
        return lines

    def winners(self) -> list[str]:
        """Return who has won the most chips, as they are written (C5)."""
        won = {name: chips - self._bought[name] for name, chips in self.stacks.items()}
        return [self._written[name] for name, gain in won.items() if gain == max(won.values())]

    def names(self) -> list[str]:
        """Return the players in seat order, as they are written."""
        return list(self._written.values())

    def _replay(self, played: Played, order: tuple[str, ...]) -> Replay:
        """Return the hand as the payments are worked out from."""
        comet = next((move for move in played.moves if move.card == COMET), None)
        use = "led" if comet and comet.stands_for is None else None
        return Replay(
            _UNRECORDED,
            "played",
            seated=self._seated,
            players=order,
            left_counts=tuple(left.bit_count() for left in played.left),
            winner=played.winner,
            comet=comet and Laid(0, 0, comet.player, COMET, comet.stands_for, use),
        )

    def _pay(self, dues: Sequence[Owed], buys: bool) -> dict[str, int]:
        """Carry out payments in their order, and return what players had to buy before, so as to be able to."""
        stacks = self.stacks
        lowest = dict(stacks)
        for _, payer, payee, amount in dues:
            if payer is not None:
                stacks[payer] -= amount
                if stacks[payer] < lowest[payer]:
                    lowest[payer] = stacks[payer]
            if payee is not None:
                stacks[payee] += amount
        bought: dict[str, int] = {}
        if buys:
            for name, chips in lowest.items():
                if chips < 0:
                    bought[name] = -(chips // self._plan.chips) * self._plan.chips
                    self._bought[name] += bought[name]
                    stacks[name] += bought[name]
        most = max(max(stacks.values()), -min(stacks.values()), *(due.amount for due in dues), 0)
        if most > MOST_CHIPS:
            raise PlanError(
                f"in hand {self.number} of session {self._session + 1} chips outgrow the {MOST_CHIPS} that can be "
                "written; agree on smaller amounts, a cap, or fewer hands"
            )
        return bought

    def _paid(self, kind: str, dues: Sequence[Owed]) -> list[str]:
        """Return the `Pay` line of a kind, if anything is owed of it."""
        paid = [due for due in dues if due.kind == kind]
        if not paid:
            return []
        payee = "pot" if paid[0].payee is None else self._written[paid[0].payee]
        if kind == "pot":
            return [f"Pay pot: {paid[0].amount} -> {payee}"]
        shares = self._shares((due.payer, due.amount) for due in paid if due.payer is not None)
        return [f"Pay {kind}: {shares} -> {payee}"]

    def _shares(self, shares: Iterable[tuple[str, int]]) -> str:
        return ", ".join([f"{self._written[name]} {chips}" for name, chips in shares])

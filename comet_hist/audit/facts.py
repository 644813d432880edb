"""What an audit finds out, as plain values: payments, corrections, balances and the settlement. Amounts are chips."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from comet_hist.record import Fault, Hand

Status = Literal["ok", "wrong", "unrecorded", "void", "unreadable"]


class Payment(NamedTuple):
    """What one owed another in a hand, and what was recorded.

    Attributes:
        kind: `ante`, `comet`, `cards`, `pot` or `transfer`.
        payer: who pays; None is the pot.
        payee: who is paid; None is the pot.
        owed: chips owed by the rules; for a `transfer`, which the rules do not know, what was recorded.
        recorded: chips recorded, 0 where the hand's `Pay` lines lack it, None where the hand has none.
    """

    kind: str
    payer: str | None
    payee: str | None
    owed: int
    recorded: int | None


class Transfer(NamedTuple):
    """Chips that go from one to another to put things right; None is the pot. The amount is above 0."""

    payer: str | None
    payee: str | None
    amount: int


class Balance(NamedTuple):
    """A player's session.

    Attributes:
        player: the name.
        start: chips on the first seat, None where they are not recorded.
        bought: chips bought from the bank, and for who came back what they sat down with beyond what they left with.
        owed_net: chips won by the rules, over all hands that were replayed.
        recorded_net: chips won by the record; hands without one count as owed.
        end: `start + bought + owed_net`, None where the start is not known.
    """

    player: str
    start: int | None
    bought: int
    owed_net: int
    recorded_net: int
    end: int | None


@dataclass(slots=True)
class HandAudit:
    """The audit of a hand.

    Attributes:
        hand: the hand as it was recorded.
        status: `ok`; `wrong`, where an E5 was found; `unrecorded`, with neither `Pay` nor `Stacks` lines; `void`;
            `unreadable`, where the hand was not replayed to its end and nothing is held against it.
        payments: one for each kind, payer and payee, owed or recorded.
        corrections: what turns the recorded payments into those owed, one net amount for each two; where only stacks
            are recorded, the fewest transfers that turn them into the right ones. Empty where nothing is wrong.
        comet_payment: chips that each other player owed, or would have owed, for the Comet (C2, R14).
        owed_net: for each player at the table the chips won by the rules.
        recorded_net: the same by the record; None where nothing is recorded.
        stack_before: for each player the chips before the hand by the record, buys included; None where not known.
        stack_after: the same after the hand.
        faults: E5, W508, and E201 and E202 in the hand's `Pay`, `Buy` and `Stacks` lines.
    """

    hand: Hand
    status: Status
    payments: list[Payment] = field(default_factory=list)
    corrections: list[Transfer] = field(default_factory=list)
    comet_payment: int = 0
    owed_net: dict[str, int] = field(default_factory=dict)
    recorded_net: dict[str, int] | None = None
    stack_before: dict[str, int | None] = field(default_factory=dict)
    stack_after: dict[str, int | None] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @property
    def stacks_right(self) -> bool:
        """Whether the recorded stacks of everybody follow by what was owed, so that no chips have to move."""
        if self.hand.stacks is None or {share.player.text for share in self.hand.stacks.shares} != set(self.owed_net):
            return False
        before, after = self.stack_before, self.stack_after
        return all(
            (chips := before[name]) is not None and after[name] == chips + self.owed_net[name] for name in before
        )


@dataclass(slots=True)
class Audit:
    """The audit of a session.

    Attributes:
        hands: `hands[i]` is the audit of `session.hands[i]`.
        balances: one for everybody who ever sat, in seat order, then in the order of joining.
        settle: the fewest transfers that bring everybody from their chips at the end back to what they brought.
        faults: those of the session itself: E601, W602, and E201 and E202 in its `Winner` line.
    """

    hands: list[HandAudit]
    balances: list[Balance]
    settle: list[Transfer]
    faults: list[Fault] = field(default_factory=list)

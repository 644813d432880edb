"""What a replay finds out, as plain values for the audit, the store and whoever shows a hand."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from comet_hist.record import Fault, Hand


class Laid(NamedTuple):
    """A card on the table.

    Attributes:
        ply: 1-based number of the play in its hand.
        run: 1-based number of the run in its hand.
        player: position of who played it, 0 = left of the dealer.
        card: the card.
        stands_for: the card the Comet stood for, or None.
        use: for the Comet how it was used, where that can be told, else None: `gap` for 8♦, `rescue` where nobody
            held the card needed, `preempt` where another player did, `own` where its player did, `led` as 9♦.
    """

    ply: int
    run: int
    player: int
    card: int
    stands_for: int | None
    use: str | None

    @property
    def claimed(self) -> int:
        """The card that the run has come to with it: the one it stands for, else itself (G7)."""
        return self.card if self.stands_for is None else self.stands_for


class RunMade(NamedTuple):
    """A run as it was played.

    Attributes:
        run: 1-based number in its hand.
        suit: 0 to 3, of its opening card (R13).
        opener: position of who opened it.
        closer: position of who played its last card.
        opened_with: its first card.
        length: its plays.
        stop: why it ended; None where the hand is unfinished or a fault leaves no reason.
    """

    run: int
    suit: int
    opener: int
    closer: int
    opened_with: int
    length: int
    stop: str | None


class Seated(NamedTuple):
    """A player at the table for a hand.

    Attributes:
        name: the player's name.
        seat: the number of the seat.
        place: what players are ordered by, clockwise, one of its own for each.
    """

    name: str
    seat: int
    place: tuple[int, int]


@dataclass(slots=True)
class Replay:
    """A hand as the engine went through it.

    Positions count from 0 for the player left of the dealer to n - 1 for the dealer (G3, G4).

    Attributes:
        hand: the hand as it was recorded.
        state: `played` to its end; `unfinished` (E207); `void` (R18), or a copy of an earlier hand (E205); `unread`,
            not replayed because of its number of players, or because its text or its session's `Seat` or `Rules`
            lines could not be read.
        seated: everybody at the table, in seat order; where a name stands twice (E202) both.
        players: names by position; empty where not replayed.
        dealt: for each position the mask of the cards dealt, as far as known.
        sizes: for each position the number of cards dealt.
        deal_known: whether `dealt` is the whole deal.
        left: for each position the mask of what was left at the end, as far as known.
        left_counts: for each position how many cards were left.
        laid: the plays, faulty ones too.
        runs: the runs, faulty ones too.
        winner: position of who went out, or None.
        comet: the play of the Comet, or None.
        faults: what was wrong (E2 to E4, W208), in no order; the faults of its text stand in `hand.faults`.
        chain_broken: whether dealer, chips and Comet payment cannot be followed into this hand from the one
            before it (that one is unread or unfinished, or numbers are missing between).
        loadable: False where its number is not above the last (E205) or not known.
    """

    hand: Hand
    state: Literal["played", "unfinished", "void", "unread"]
    seated: tuple[Seated, ...] = ()
    players: tuple[str, ...] = ()
    dealt: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    deal_known: bool = False
    left: tuple[int, ...] = ()
    left_counts: tuple[int, ...] = ()
    laid: list[Laid] = field(default_factory=list)
    runs: list[RunMade] = field(default_factory=list)
    winner: int | None = None
    comet: Laid | None = None
    faults: list[Fault] = field(default_factory=list)
    chain_broken: bool = False
    loadable: bool = True

    @property
    def legal(self) -> bool | None:
        """Whether the hand has none of E1 to E4; None where W208 leaves it open, and for a void hand.

        A `Time` that cannot be read (E109) costs nothing else.
        """
        if self.state == "void":
            return None
        faults = self.hand.faults + self.faults
        if self.state == "unread" or any(fault.code[0] == "E" and fault.code != "E109" for fault in faults):
            return False
        return None if any(fault.code == "W208" for fault in faults) else True


@dataclass(slots=True)
class SessionReplay:
    """All hands of a session replayed, in order, with the faults of the session itself (E202, E203).

    `hands[i]` is the replay of `session.hands[i]`.
    """

    hands: list[Replay]
    faults: list[Fault] = field(default_factory=list)

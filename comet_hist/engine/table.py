"""The state of play: which plays are legal, why a play is not, and what a play does.

The three are one piece of knowledge (G4 to G9 and the house rules). The state holds *sets* as masks: the cards
that the run may need next, and the players who may open. In a clean hand each holds one at most; after a fault
it may hold two, because the next card may then follow from either, and everything here goes on from both.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from comet_hist.cards import COMET, GAP, PACK, SUIT_MASKS, cards_in, is_king, rank_of, suit_of
from comet_hist.rules import Rules

NOBODY: Final = -1
"""The position of a holder who is not known."""


class Move(NamedTuple):
    """A play that is legal: position of the player, the card, what the Comet stands for, whether it opens a run."""

    player: int
    card: int
    stands_for: int | None
    opens: bool


def _needs(gap: str) -> tuple[int, ...]:
    """Return, for each card a run may have come to, the mask of the card it needs next (G5, R2, R8)."""
    after = [0 if is_king(card) else 2 << card for card in range(52)]
    if gap == "bridge":
        after[GAP] = after[COMET]
    return tuple(after)


NEEDS: Final = {gap: _needs(gap) for gap in ("bridge", "stop")}
"""By the `gap` rule: what is needed after each card. After 7♦ it is 8♦; after 8♦ it is 10♦, or with `gap stop`
9♦, which is on the table when the Comet stood for 8♦, so that the run stops."""


class Table:
    """A hand in play.

    Attributes:
        rules: what is played by.
        hands: for each position the mask of the cards held, as far as known.
        counts: for each position the number of cards held; who comes to 0 has gone out (G9).
        need: mask of the cards the run may need next; 0 where no run is under way (R9).
        closed: whether no run is under way, or after a fault may be none: the hand begins, or a king was played.
        openers: mask of the positions that may open when the run has stopped.
        laid: mask of the cards on the table.
        suit: suit of the run under way or last opened, None before the first (R13).
        winner: position of who went out, or None.
    """

    __slots__ = ("_after", "closed", "counts", "hands", "laid", "need", "openers", "rules", "suit", "winner")

    def __init__(
        self, rules: Rules, hands: Sequence[int], opener: int = 0, counts: Sequence[int] | None = None
    ) -> None:
        self.rules = rules
        self.hands = list(hands)
        self.counts = [hand.bit_count() for hand in hands] if counts is None else list(counts)
        self.need = 0
        self.closed = True
        self.openers = 1 << opener
        self.laid = 0
        self.suit: int | None = None
        self.winner: int | None = None
        self._after = NEEDS[rules.gap]

    def copy(self) -> "Table":
        """Return a table in the same state that can be played on by itself."""
        other = Table(self.rules, self.hands, 0, self.counts)
        other.need, other.closed, other.openers, other.laid = self.need, self.closed, self.openers, self.laid
        other.suit, other.winner = self.suit, self.winner
        return other

    def after(self, card: int) -> int:
        """Return the mask of the card that a run needs once it has come to `card` (G5, R2); 0 after a king."""
        return self._after[card]

    def in_hands(self) -> int:
        """Return the mask of the cards that somebody holds: all that are not on the table (G3)."""
        return PACK & ~self.laid

    def stopped(self) -> bool:
        """Say whether a new run may be opened: nobody can go on without the Comet (G6, R1)."""
        return self.closed or bool(self.need & ~self.in_hands())

    def holder(self, card: int) -> int:
        """Return the position of who holds a card, `NOBODY` where that is not known."""
        for player, hand in enumerate(self.hands):
            if hand >> card & 1:
                return player
        return NOBODY

    def stop_reason(self) -> str | None:
        """Return why nobody can go on: `out`, `king`, `gap` or `played` (R1); None where somebody could."""
        if self.winner is not None:
            return "out"
        if self.closed:
            return "king"
        if self.need >> GAP & 1:
            return "gap"
        return "played" if self.need & self.laid else None

    # What is legal

    def leads(self, player: int) -> int:
        """Return the mask of the cards low enough for a player to open with (G4, G6, R3, R5, R12)."""
        hand = self.hands[player]
        leads = 0
        for suit in SUIT_MASKS:
            held = hand & suit
            low = held & -held
            leads |= low
            if low == 1 << COMET and self.rules.keep == "yes":
                held ^= low
                leads |= held & -held
        if self.rules.first == "hand" and self.suit is None and leads:
            least = min(rank_of(card) for card in cards_in(leads))
            leads &= sum(1 << (13 * suit + least) for suit in range(4))
        return leads

    def suit_allowed(self, player: int, card: int) -> bool:
        """Say whether a player may open in the suit of a card (R13)."""
        if self.rules.suit == "any" or suit_of(card) != self.suit:
            return True
        return not self.hands[player] & ~SUIT_MASKS[self.suit]

    def stand_in_allowed(self, card: int) -> bool:
        """Say whether the house lets the Comet stand for a card that the run needs (R6, R7)."""
        standin = self.rules.standin
        return standin == "any" or card == GAP or (standin == "stalled" and not self.in_hands() >> card & 1)

    def legal(self) -> Iterator[Move]:
        """Give every legal play of the state (G4 to G8). None is left once somebody has gone out (G9)."""
        if self.winner is not None:
            return
        comet = self.holder(COMET)
        for card in cards_in(self.need):
            holder = self.holder(card)
            if holder != NOBODY:
                yield Move(holder, card, None, False)
            if comet != NOBODY and self.stand_in_allowed(card):
                yield Move(comet, COMET, card, False)
        if self.stopped():
            for player in cards_in(self.openers):
                for card in cards_in(self.leads(player)):
                    if self.suit_allowed(player, card):
                        yield Move(player, card, None, True)

    def objection(self, player: int, card: int, stands_for: int | None, opens: bool) -> str | None:
        """Return the code of what is wrong with a play, or None where it is legal.

        Whether the run may stop before a play that opens one is not the play's fault: see `stopped` (E406).
        """
        bit = 1 << card
        if self.laid & bit:
            return "E404"
        if self.winner is not None:
            return "E412"
        if not self.hands[player] & bit:
            return "E403"
        if stands_for is not None and card != COMET:
            return "E409"
        if not (opens or self.need):
            return "E407" if stands_for is None else "E410"
        if opens:
            return self._opening_objection(player, card, stands_for)
        if stands_for is None:
            return None if self.need & bit else "E405"
        if not self.need >> stands_for & 1:
            return "E408"
        return None if self.stand_in_allowed(stands_for) else "E411"

    def _opening_objection(self, player: int, card: int, stands_for: int | None) -> str | None:
        if stands_for is not None:
            return "E410"
        if not self.openers >> player & 1:
            return "E401"
        if not self.suit_allowed(player, card):
            return "E411"
        return None if self.leads(player) >> card & 1 else "E402"

    # What a play does

    def goes_on_from(self, need: int, closed: bool) -> None:
        """After a fault: let the run go on also from a state before, given as its `need` and `closed`."""
        self.need |= need
        self.closed |= closed

    def lay(self, player: int, card: int, stands_for: int | None = None, opens: bool = False) -> None:
        """Make a play, legal or not: the card leaves its player's hand, and the run goes on from it (G5, G7, G9).

        With `NOBODY` as the player the card only comes to the table.
        """
        bit = 1 << card
        self.laid |= bit
        claimed = card if stands_for is None else stands_for
        self.need = self._after[claimed]
        self.closed = not self.need
        if opens:
            self.suit = suit_of(claimed)
        if player == NOBODY:
            return
        self.hands[player] &= ~bit
        self.openers = 1 << player
        self.counts[player] -= 1
        if not self.counts[player]:
            self.winner = player

    def play(self, move: Move) -> None:
        """Make a legal play."""
        self.lay(move.player, move.card, move.stands_for, move.opens)

    def comet_use(self, player: int, stands_for: int | None) -> str | None:
        """Return what playing the Comet now would be: `gap`, `rescue`, `own`, `preempt` or `led`.

        None where an unknown deal leaves open who held the card needed.
        """
        if stands_for is None:
            return "led"
        if stands_for == GAP:
            return "gap"
        if not self.in_hands() >> stands_for & 1:
            return "rescue"
        holder = self.holder(stands_for)
        if holder == NOBODY:
            return None
        return "own" if holder == player else "preempt"

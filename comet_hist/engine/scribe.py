"""What a hand's record says beside its runs, and what its scribe may have left out or miswritten.

Most slips are the scribe's and not the player's. A card left out of a run shows: it stands in no run at all, the next
card goes on from it, and the record counts it as played, since nobody paid for it among the cards left.
"""

from collections.abc import Sequence
from typing import Literal

from comet_hist.cards import COMET, cards_in
from comet_hist.engine.table import NOBODY, Move, Table
from comet_hist.nearest import nearest
from comet_hist.record import Hand, Play
from comet_hist.rules import Rules


class Scribe:
    """The record of one hand as evidence.

    Args:
        hand: the hand.
        positions: position by name, 0 = left of the dealer.
        players: how many are at the table; more than there are names where two bear one (E202).
        rules: the session's.

    Attributes:
        written: mask of the cards that stand in some run.
        played: for each position the mask of the cards that the runs say it played.
        left: by position how many cards the `Pay cards` lines say were left (C4).
        out: the position said to have taken the pot, else to have been paid for the cards left, or None (C3, C4).
        comet_paid: the positions said to have been paid for the Comet (C2).
    """

    def __init__(self, hand: Hand, positions: dict[str, int], players: int, rules: Rules) -> None:
        self.written = 0
        self.played = [0] * players
        self.left: dict[int, int] = {}
        self.out: int | None = None
        self.comet_paid: set[int] = set()
        self._read_runs(hand, positions)
        self._read_payments(hand, positions, rules.card)

    def _read_runs(self, hand: Hand, positions: dict[str, int]) -> None:
        for run in hand.runs:
            for play in run.plays:
                bit = 1 << play.card
                position = positions.get(play.name.text)
                if position is None:
                    meant = nearest(play.name.text, positions)
                    position = None if meant is None else positions[meant]
                if position is not None and not self.written & bit:
                    self.played[position] |= bit
                self.written |= bit

    def _read_payments(self, hand: Hand, positions: dict[str, int], price: int) -> None:
        paid: dict[str, int] = {}
        for pay in hand.pays:
            payee = None if pay.payee is None else positions.get(pay.payee.text)
            if payee is not None:
                paid[pay.kind] = payee
                if pay.kind == "comet":
                    self.comet_paid.add(payee)
            if pay.kind == "cards" and price:
                for player, chips in pay.saying:
                    if player.text in positions and chips.count % price == 0:
                        self.left[positions[player.text]] = chips.count // price
        self.out = paid.get("pot", paid.get("cards"))

    def nowhere(self, table: Table, card: int) -> bool:
        """Say whether somebody holds a card and no run of the hand has it."""
        return bool(table.in_hands() & ~self.written & 1 << card)

    def counted(self, table: Table, holder: int, card: int) -> Literal["played", "held"] | None:
        """Say what the record makes of a card that stands in no run: `played`, `held`, or None where nothing tells.

        What its holder paid for among the cards left tells, or that everything else of theirs was played and nobody
        else has gone out.
        """
        unplayed = table.hands[holder] & ~self.written
        if not unplayed >> card & 1:
            return None
        count = unplayed.bit_count()
        if count == 1 and holder not in self.left and all(hand & ~self.written for hand in table.hands):
            return "played"
        if self.left.get(holder) == count:
            return "held"
        return "played" if self.left.get(holder) == count - 1 else None

    def comet_left_out(self, table: Table, holder: int) -> bool:
        """Say whether the Comet was paid to its holder though it stands in no run."""
        held = holder != NOBODY and table.hands[holder] >> COMET & 1
        return bool(held) and not self.written >> COMET & 1 and holder in self.comet_paid

    def before(self, table: Table, play: Play) -> Move | None:
        """Return the play left out before a card that does not follow: the one needed, and this card is next after it.

        It is the Comet where that was paid and stands in no run; else the card needed itself, unless its holder paid
        for it among the cards left.
        """
        if play.stands_for is not None or table.laid >> play.card & 1:
            return None
        needed = next((card for card in cards_in(table.need) if table.after(card) >> play.card & 1), None)
        if needed is None:
            return None
        comet = table.holder(COMET)
        if self.comet_left_out(table, comet):
            return Move(comet, COMET, needed, False)
        holder = table.holder(needed)
        if not self.nowhere(table, needed) or (holder != NOBODY and self.counted(table, holder, needed) == "held"):
            return None
        return Move(holder, needed, None, False)

    def first(self, table: Table, play: Play) -> Move | None:
        """Return the opening left out before a card that may not open: this card is the next after it."""
        for opener in cards_in(table.openers):
            for lead in cards_in(table.leads(opener) & ~self.written):
                follows = lead != COMET and table.after(lead) >> play.card & 1 and table.suit_allowed(opener, lead)
                if follows and self.counted(table, opener, lead) == "played":
                    return Move(opener, lead, None, True)
        return None

    def last(self, table: Table, needed: int, opener: int) -> Move | None:
        """Return the play left out at the end of a run that stopped though somebody held the card needed.

        It is left out where the record counts it as played, or where nothing tells and its holder, who could not
        otherwise, opens the next run.
        """
        otherwise = opener == NOBODY or bool(table.openers >> opener & 1)
        if not otherwise and self.comet_left_out(table, opener):
            return Move(opener, COMET, needed, False)
        holder = table.holder(needed)
        if holder == NOBODY or not self.nowhere(table, needed):
            return None
        counted = self.counted(table, holder, needed)
        if counted == "played" or (counted is None and opener == holder and not otherwise):
            return Move(holder, needed, None, False)
        return None

    def meant(self, table: Table, play: Play, player: int, following: Sequence[Play]) -> Move | None:
        """Return the play that a miswritten card stands in the place of.

        The card needed is played nowhere, and the next one on the line goes on from it.
        """
        if table.need >> play.claimed & 1 or not following:
            return None
        for needed in cards_in(table.need):
            if self.nowhere(table, needed) and table.after(needed) >> following[0].claimed & 1:
                holder = table.holder(needed)
                return Move(player if holder == NOBODY else holder, needed, None, False)
        return None

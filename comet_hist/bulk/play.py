"""A hand from its deal to its last card."""

from array import array

from comet_hist.bulk import columns
from comet_hist.bulk.table import Table
from comet_hist.cards import COMET, GAP, PACK

_COMET = COMET
_GAP = GAP
_PACK = PACK
_NO_CARD = columns.NO_CARD
_ONE = 1
"""The bit of card 0, as wide as a hand."""


class Playing(Table):
    """A hand from its deal to its last card (G2 to G9), by position."""

    def __init__(self) -> None:
        super().__init__()
        self.dealt = [0] * 6
        self.hands = [0] * 6
        self.counts = [0] * 6
        self.in_suit = [0] * 24
        self.holder = [0] * 52
        self.laid = self.need = self.opener = self.suit = self.out = self.comet_holder = self.comet_player = 0
        self.comet_for = self.comet_use = self.comet_ply = self.runs = self.plays = self.first_run = 0
        self.first_play = 0
        self.run_rows = array("q")
        self.card_names = bytearray()
        self.positions = bytearray()

    def deal_lines(self) -> bool:
        """Take the `Deal` lines: all 51 cards (G2), as many as dealing gives each (G3). One line may be missing."""
        missing = -1
        size = 51 // self.players
        more = 51 % self.players
        seen = 0
        for position in range(self.players):
            if not self.stands(b"Deal \0") or not self.named(self.placed[position], 58):
                if missing >= 0:
                    return False
                missing = position
                if self.text[self.at - 1] == 32:
                    self.at -= 5
                continue
            if not self.cards() or self.count != size + (position < more):
                return False
            mask = 0
            for index in range(self.count):
                mask |= _ONE << self.listed[index]
                self.holder[self.listed[index]] = position
            if seen & mask:
                return False
            seen |= mask
            self.dealt[position] = mask
            self.counts[position] = self.count
        if missing >= 0:
            if seen & ~_PACK or not self.give_rest(missing, _PACK & ~seen, size + (missing < more)):
                return False
        elif seen != _PACK:
            return False
        self.take_up()
        return True

    def give_rest(self, position: int, rest: int, size: int) -> bool:
        """Give the player without a `Deal` line the rest of the pack."""
        self.dealt[position] = rest
        self.counts[position] = size
        for card in range(52):
            if rest >> card & 1:
                self.holder[card] = position
                size -= 1
        return size == 0

    def take_up(self) -> None:
        """Begin the play: everybody holds what they were dealt, and the player left of the dealer opens (G4)."""
        for position in range(4 * self.players):
            self.in_suit[position] = 0
        for card in range(52):
            if card != _GAP:
                self.in_suit[4 * self.holder[card] + card // 13] += 1
        for position in range(self.players):
            self.hands[position] = self.dealt[position]
        self.laid = 0
        self.need = _NO_CARD
        self.opener = 0
        self.suit = -1
        self.out = -1
        self.comet_holder = self.holder[_COMET]
        self.comet_player = -1
        self.comet_for = -1
        self.comet_use = -1
        self.comet_ply = -1
        self.first_run = self.runs
        self.first_play = self.plays

    def is_held(self, card: int) -> bool:
        """Say whether somebody holds a card: all that are in the pack and not on the table (G2, G3)."""
        return card != _GAP and not self.laid >> card & 1

    def may_lead(self, player: int, card: int) -> bool:
        """Say whether a player may open a run with a card (G4, G6)."""
        suit = card // 13
        held = self.hands[player] >> 13 * suit & 0x1FFF
        bit = _ONE << card % 13
        low = held & (0 - held)
        if not held & bit:
            return False
        if bit != low:
            # Whose lowest diamond is 9♦ may, with `keep yes`, lead the next one (R5).
            if not self.keep_yes or suit != _COMET // 13 or low != _ONE << _COMET % 13:
                return False
            held ^= low
            if bit != held & (0 - held):
                return False
        if self.first_hand and self.suit < 0:
            # The first lead has the least rank of the whole hand (R12).
            for other in range(4):
                held = self.hands[player] >> 13 * other & 0x1FFF
                if held & (bit - 1):
                    return False
        if self.suit_change and suit == self.suit:
            # A new run changes the suit, if its opener can (R13).
            return self.counts[player] == self.in_suit[4 * player + suit]
        return True

    def may_stand_in(self, card: int) -> bool:
        """Say whether the house lets the Comet stand for a card that the run needs (G7, R6, R7)."""
        return self.standin == 0 or card == _GAP or (self.standin == 1 and not self.is_held(card))

    def lay(self, player: int, card: int, claimed: int) -> None:
        """Lay a card; the run goes on as from what it stands for (G5, G7, R2, R8), and the last card ends it (G9)."""
        bit = _ONE << card
        self.laid |= bit
        self.hands[player] ^= bit
        self.in_suit[4 * player + card // 13] -= 1
        self.counts[player] -= 1
        if self.counts[player] == 0:
            self.out = player
        if claimed == _GAP and not self.gap_stop:
            self.need = _COMET + 1
        else:
            self.need = _NO_CARD if claimed % 13 == 12 else claimed + 1
        self.positions[self.plays] = 49 + player
        self.plays += 1

    def copy_name(self) -> None:
        """Copy the two letters of the card just read to those of the next play."""
        self.card_names[2 * self.plays] = self.text[self.at - 2]
        self.card_names[2 * self.plays + 1] = self.text[self.at - 1]

    def play_comet(self, player: int, stands_for: int) -> None:
        """Note how the Comet is used: for 8♦, for a card that nobody holds, that another holds, its own; or led."""
        self.comet_player = player
        self.comet_for = stands_for
        self.comet_ply = self.plays - self.first_play + 1
        if stands_for < 0:
            self.comet_use = 4
        elif stands_for == _GAP:
            self.comet_use = 0
        elif not self.is_held(stands_for):
            self.comet_use = 1
        else:
            self.comet_use = 3 if self.holder[stands_for] == player else 2

    def stop(self) -> int:
        """Return why the run has stopped, as an index in `STOPS`; -1 where somebody could go on (G5, G9, R1)."""
        if self.out >= 0:
            return 3
        if self.need == _NO_CARD:
            return 0
        if self.need == _GAP:
            return 1
        return 2 if self.laid >> self.need & 1 else -1

    def run_line(self) -> bool:
        """Take what follows `Run: `: a run from its opening to its stop."""
        opener = self.opener
        player = opener
        first = self.plays
        opener_cards = 1
        if not self.named(self.placed[player], 32):
            return False
        card = self.card()
        if card == _NO_CARD or not self.may_lead(player, card):
            return False
        self.suit = card // 13
        self.write_choice(player)
        self.copy_name()
        if card == _COMET:
            self.play_comet(player, -1)
        self.lay(player, card, card)
        while self.text[self.at] != 10:
            if self.need == _NO_CARD or self.out >= 0:
                return False
            if self.text[self.at] == 44:
                other = self.speaker()
                if other < 0 or other == player:
                    return False
                player = other
            elif self.text[self.at] == 32:
                self.at += 1
            else:
                return False
            if not self.follow(player):
                return False
            opener_cards += player == opener
        self.line_end()
        self.opener = player
        return self.close_run(opener, player, first, opener_cards)

    def write_choice(self, opener: int) -> None:
        """Write what an opener holds, of which they chose a suit for the run."""
        at = 12 * self.runs
        chosen = self.in_suit[4 * opener + self.suit]
        suits = 0
        longest = 0
        for suit in range(4):
            length = self.in_suit[4 * opener + suit]
            suits += length > 0
            longest = length if length > longest else longest
        self.run_rows[at + 9] = suits
        self.run_rows[at + 10] = longest == chosen
        self.run_rows[at + 11] = chosen

    def speaker(self) -> int:
        """Take a comma and who goes on: who holds the card needed (G5), or else the Comet (G7); -1 if neither."""
        if self.text[self.at + 1] != 32:
            return -1
        self.at += 2
        if self.is_held(self.need) and self.named(self.placed[self.holder[self.need]], 32):
            return self.holder[self.need]
        return self.comet_holder if self.named(self.placed[self.comet_holder], 32) else -1

    def follow(self, player: int) -> bool:
        """Take the next card of the run: the one needed (G5), or the Comet standing for it (G7)."""
        card = self.card()
        if card == _NO_CARD or not self.hands[player] >> card & 1:
            return False
        self.copy_name()
        if card == self.need:
            self.lay(player, card, card)
            return True
        if card != _COMET or not self.sign(61) or self.card() != self.need or not self.may_stand_in(self.need):
            return False
        self.play_comet(player, self.need)
        self.lay(player, card, self.need)
        return True

    def close_run(self, opener: int, closer: int, first: int, opener_cards: int) -> bool:
        """Write a run, if it has stopped (E406)."""
        stop = self.stop()
        at = 12 * self.runs
        self.run_rows[at + 1] = self.runs - self.first_run + 1
        self.run_rows[at + 2] = self.suit
        self.run_rows[at + 3] = opener
        self.run_rows[at + 4] = closer
        self.run_rows[at + 5] = stop
        self.run_rows[at + 6] = first - self.first_play + 1
        self.run_rows[at + 7] = self.plays - first
        self.run_rows[at + 8] = opener_cards
        self.runs += 1
        return stop >= 0

    def left_lines(self) -> bool:
        """Take the `Left` lines, which say what deal and plays leave (E209), from the dealer's left."""
        position = 0
        while self.stands(b"Left \0"):
            while not self.named(self.placed[position], 58):
                position += 1
                if position == self.players:
                    return False
            if not self.cards():
                return False
            mask = 0
            for index in range(self.count):
                mask |= _ONE << self.listed[index]
            if mask != self.hands[position]:
                return False
            position += 1
            if position == self.players:
                return True
        return True

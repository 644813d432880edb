"""Who sits where and deals, from hand to hand of a session, and what the table agreed on."""

from comet_hist.bulk import columns
from comet_hist.bulk.scanner import Scanner

_PLAYERS = columns.MOST_PLAYERS


class Table(Scanner):
    """Who sits where and deals, from hand to hand (G1, G10, R17, R18), and what the table agreed on.

    Whoever ever sat has a number, in seat order and then in the order of joining; `who` stands for it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.name_at = [0] * 64
        self.name_length = [0] * 64
        self.seat_of = [0] * 64
        self.position_of = [0] * 64
        self.came = [0] * 64
        self.seated = [0] * 6
        self.placed = [0] * 6
        self.rules_at = self.rules_length = 0
        self.game = self.ante = self.comet = self.card_price = self.cap = self.agreed = self.standin = 0
        self.ever = self.players = self.due = self.dealer = self.comings = self.settled = 0
        self.progressive = self.gap_stop = self.led_free = self.keep_yes = self.first_hand = False
        self.suit_change = self.moved = False

    def named(self, who: int, behind: int) -> bool:
        """Take the name of a player and the byte behind it."""
        length = self.name_length[who]
        known = self.name_at[who]
        at = self.at
        index = 0
        while index < length:
            if self.text[at + index] != self.text[known + index]:
                return False
            index += 1
        if self.text[at + length] != behind:
            return False
        self.at = at + length + 1
        self.line += behind == 10
        return True

    def rules_line(self) -> bool:
        """Take the `Rules` line, with its items in their order and none that says the default."""
        self.game = 0
        self.cap = -1
        self.agreed = -1
        if not self.stands(b"Rules: \0"):
            return False
        self.rules_at = self.at
        if self.stands(b"quatre, \0"):
            self.game = 1
        elif self.stands(b"deux, \0"):
            self.game = 2
        if not self.stands(b"ante \0"):
            return False
        self.ante = self.number()
        if self.ante < 0 or not self.stands(b", comet \0"):
            return False
        self.comet = self.number()
        if self.comet < 0 or not self.stands(b", card \0"):
            return False
        self.card_price = self.number()
        if self.card_price < 0 or (self.game == 1 and self.ante != self.comet):
            return False
        self.progressive = self.stands(b", progressive\0")
        if self.progressive and self.stands(b", cap \0"):
            self.cap = self.number()
            if self.cap < 1:
                return False
        if self.stands(b", hands \0"):
            self.agreed = self.number()
            if self.agreed < 1:
                return False
        if self.stands(b", chip \0") and not self.price():
            return False
        self.gap_stop = self.stands(b", gap stop\0")
        self.led_free = self.stands(b", led free\0")
        self.keep_yes = self.stands(b", keep yes\0")
        self.standin = 1 if self.stands(b", standin stalled\0") else 2 if self.stands(b", standin gap\0") else 0
        self.first_hand = self.stands(b", first hand\0")
        self.suit_change = self.stands(b", suit change\0")
        self.rules_length = self.at - self.rules_at
        return self.line_end()

    def allowed_size(self) -> bool:
        """Say whether so many may play (G1; `quatre` 4, `deux` 2)."""
        if self.game == 1:
            return self.players == 4
        if self.game == 2:
            return self.players == 2
        return 2 <= self.players <= 6

    def known_as(self, at: int, length: int) -> int:
        """Return who bears a name, a new number if nobody did so far, -1 if there are too many."""
        for who in range(self.ever):
            if self.name_length[who] == length:
                index = 0
                while index < length and self.text[at + index] == self.text[self.name_at[who] + index]:
                    index += 1
                if index == length:
                    return who
        if self.ever == _PLAYERS:
            return -1
        who = self.ever
        self.ever = who + 1
        self.name_at[who] = at
        self.name_length[who] = length
        self.seat_of[who] = 0
        return who

    def sit(self, who: int, number: int) -> bool:
        """Seat a player, in seat order; no seat and nobody twice (E202)."""
        at = self.players
        if at == 6 or self.seat_of[who]:
            return False
        while at and self.seat_of[self.seated[at - 1]] > number:
            self.seated[at] = self.seated[at - 1]
            at -= 1
        if at and self.seat_of[self.seated[at - 1]] == number:
            return False
        self.seated[at] = who
        self.seat_of[who] = number
        self.players += 1
        self.came[who] = self.comings
        self.comings += 1
        return True

    def leave(self, at: int) -> None:
        """Take the player at a place in seat order from the table."""
        self.seat_of[self.seated[at]] = 0
        self.players -= 1
        while at < self.players:
            self.seated[at] = self.seated[at + 1]
            at += 1

    def next_taken(self, number: int) -> int:
        """Return the place in seat order of the first player at or clockwise of a seat (G10, R17)."""
        for at in range(self.players):
            if self.seat_of[self.seated[at]] >= number:
                return at
        return 0

    def dealer_line(self) -> int:
        """Take the `Dealer` line, if there is one; return who deals as a place in seat order, -1 if that is not clear.

        It is the next one clockwise (G10), with or without those who have just sat down (R17); only the first dealer is
        anybody.
        """
        if self.due:
            at = self.next_taken(self.due)
            if not self.stands(b"Dealer: \0"):
                return -1 if self.moved else at
            for _ in range(self.players):
                if self.named(self.seated[at], 10):
                    return at
                if self.came[self.seated[at]] < self.settled:
                    return -1
                at += 1
                if at == self.players:
                    at = 0
            return -1
        if self.stands(b"Dealer: \0"):
            for at in range(self.players):
                if self.named(self.seated[at], 10):
                    return at
        return -1

    def place(self, dealer: int) -> None:
        """Count the positions from the left of the dealer (G3)."""
        at = dealer
        for position in range(self.players):
            at += 1
            if at == self.players:
                at = 0
            self.placed[position] = self.seated[at]
            self.position_of[self.seated[at]] = position

"""Proves sessions of canonical English text clean: scans, replays and audits their bytes, and fills columns.

Every step says whether the text is, byte for byte, what a clean session has there. The first that is not ends its
session: it goes the ordinary road, which knows why. So nothing here explains, and nothing goes on after a fault. A
clean session has one reading: one player to deal, one card that a run needs, one count of chips for everybody.

This file, and those it builds on, are Python with types beside them (`.pxd`), and Cython compiles them. Uncompiled they
do the same, slower.
"""

from array import array
from typing import Any

try:
    import cython
except ModuleNotFoundError:
    from comet_hist.bulk import uncompiled as cython

from comet_hist.bulk import columns
from comet_hist.bulk.chips import Purses
from comet_hist.bulk.room import LONG, WIDTHS, rows_for
from comet_hist.bulk.scanner import closes_hand, name_of
from comet_hist.notation.write import write_name
from comet_hist.rules import MOST_CHIPS
from comet_hist.standing import Player, Standing

_MOST_CHIPS = MOST_CHIPS
_NOTHING = columns.NOTHING
_ONE = 1


def is_compiled() -> bool:
    """Say whether the kernel runs compiled."""
    return bool(cython.compiled)


class Kernel(Purses):
    """Goes through chunks, session by session, and keeps the columns of those that are clean.

    Attributes:
        tables: the tables of the last chunk, named and laid out as in `columns`, longer than what is used of them.
        used: the number of rows of each table that are used, and of `plays`; and of the `lines` of the chunk.
    """

    def __init__(self) -> None:
        super().__init__()
        self.join_who = [0] * 6
        self.join_seat = [0] * 6
        self.before = [0] * 64
        self.word_of = [0] * 64
        self.room = 0
        self.tables: dict[str, Any] = {}
        self.used: dict[str, int] = {}
        self.seat_who = self.seat_number = self.seat_chips = self.last = self.counted = 0
        self.ident_at = self.ident_length = self.date = self.began = self.where_at = self.where_length = 0
        self.sessions = 0
        self.hand_count = self.hand_line = self.seats = self.balances = self.lefts = 0
        self.start_at = self.start_line = self.first_hand_row = self.first_seat_row = self.first_run_row = 0
        self.first_play_row = self.first_payment_row = 0
        self.new = self.below_hand = self.stopped = False
        self.session_rows = array("q")
        self.hand_rows = array("q")
        self.seat_rows = array("q")
        self.balance_rows = array("q")
        self.left_rows = array("q")

    def read(self, chunk: bytes) -> None:
        """Go through a chunk, and fill `tables`.

        Args:
            chunk: text that begins and ends where a session does, or with its file.
        """
        self.take_up_text(chunk)
        while True:
            with cython.nogil:
                asks = self.read_on()
            if not asks:
                break
            self.settle(self.answer())
        self.count_rows()

    def take_up_text(self, chunk: bytes) -> None:
        """Stand before a text."""
        self.chunk = chunk
        # Behind the bytes there is a zero already, which compiled code can see.
        self.text = chunk if cython.compiled else chunk + b"\0"
        self.end = len(chunk)
        if self.end > self.room:
            self.make_room(chunk)
        self.begin()

    def count_rows(self) -> None:
        """Tell how many rows of each table are used."""
        self.used = {
            "sessions": self.sessions,
            "hands": self.hand_count,
            "seats": self.seats,
            "runs": self.runs,
            "plays": self.plays,
            "payments": self.payments,
            "balances": self.balances,
            "words": self.words,
            "left": self.lefts,
            "lines": self.line,
        }

    def make_room(self, chunk: bytes) -> None:
        """Make the tables as long as a chunk can ask for; those of a long one are made for it alone."""
        self.room = len(chunk) if len(chunk) < LONG else 0
        rows = rows_for(chunk)
        plays = rows.pop("plays")
        tables = {table: array("q", [0]) * (WIDTHS[table] * most) for table, most in rows.items()}
        slots = array("q", [0]) * (1 << rows["words"].bit_length() + 1)
        cards = bytearray(2 * plays)
        positions = bytearray(plays)
        self.slot_mask = len(slots) - 1
        self.session_rows = tables["sessions"]
        self.hand_rows = tables["hands"]
        self.seat_rows = tables["seats"]
        self.run_rows = tables["runs"]
        self.payment_rows = tables["payments"]
        self.balance_rows = tables["balances"]
        self.word_rows = tables["words"]
        self.left_rows = tables["left"]
        self.question_rows = tables["questions"]
        self.slots = slots
        self.card_names = cards
        self.positions = positions
        self.tables = {**tables, "cards": cards, "positions": positions, "slots": slots}

    def begin(self) -> None:
        """Empty the tables, and stand before the first session."""
        self.at = self.line = self.start_at = self.start_line = 0
        self.sessions = self.hand_count = self.seats = self.runs = self.plays = self.payments = 0
        self.balances = self.words = self.lefts = 0
        self.first_hand_row = self.first_seat_row = self.first_run_row = self.first_play_row = 0
        self.first_payment_row = 0
        self.generation += 1
        self.below_hand = True

    def read_on(self) -> bool:
        """Go on to the end of the chunk, or to a session that is clean if the notation says so; say whether to ask it.

        Where what is left to the ordinary road does not end like a hand, so is the session below it (`closes_hand`).
        """
        while self.start_at < self.end:
            self.questions = 0
            if self.below_hand and self.session():
                if self.questions:
                    return True
                self.settle(True)
            else:
                self.settle(False)
        return False

    def settle(self, clean: bool) -> None:
        """Keep the session that was read, or leave it to the ordinary road and its rows to the next."""
        if clean:
            self.write_session()
        else:
            self.take_back()
            self.pass_over()
        self.start_at = self.at
        self.start_line = self.line
        self.keep()

    def keep(self) -> None:
        """Keep the rows that were written so far."""
        self.first_hand_row = self.hand_count
        self.first_seat_row = self.seats
        self.first_run_row = self.runs
        self.first_play_row = self.plays
        self.first_payment_row = self.payments

    def take_back(self) -> None:
        """Take back the rows that were written since some were kept."""
        self.hand_count = self.first_hand_row
        self.seats = self.first_seat_row
        self.runs = self.first_run_row
        self.plays = self.first_play_row
        self.payments = self.first_payment_row

    def pass_over(self) -> None:
        """Leave a session to the ordinary road, up to where the next one opens."""
        at = 3 * self.lefts
        last = self.start_at
        self.at = self.start_at
        self.line = self.start_line
        while self.at < self.end:
            if not self.line_end():
                self.at += 1
            elif self.stands(b"Comet session \0"):
                self.at -= 14
                break
            elif self.text[self.at] != 10:
                last = self.at
        self.below_hand = closes_hand(self.text, last)
        if self.lefts and self.left_rows[at - 2] == self.start_at:
            self.left_rows[at - 2] = self.at
            return
        self.left_rows[at] = self.start_at
        self.left_rows[at + 1] = self.at
        self.left_rows[at + 2] = self.start_line
        self.lefts += 1

    # A session

    def session(self) -> bool:
        """Take a session."""
        return self.header() and self.all_hands() and self.footer()

    def header(self) -> bool:
        """Take the lines of a session above its first hand."""
        above = 0
        self.ever = self.players = self.due = self.comings = 0
        self.last = self.counted = 0
        self.dealer = -1
        if not self.stands(b"Comet session \0"):
            return False
        self.ident_at = self.at
        self.ident_length = self.name()
        if self.ident_length == 0 or not self.line_end():
            return False
        self.date = self.began = _NOTHING
        if self.stands(b"Date: \0") and not self.date_line():
            return False
        self.where_at = self.where_length = 0
        if self.stands(b"Place: \0"):
            self.where_at = self.at
            self.where_length = self.free_text()
            if self.where_length == 0 or not self.line_end():
                return False
        if not self.rules_line():
            return False
        while self.stands(b"Seat \0"):
            if not self.seat_line() or not self.new or self.seat_number <= above:
                return False
            above = self.seat_number
            self.open_purse(self.seat_who, self.seat_chips)
            if not self.sit(self.seat_who, above):
                return False
        self.unplayed = self.comet
        return self.allowed_size()

    def date_line(self) -> bool:
        """Take the day, and after it, if they stand there, the time and the offset from universal time."""
        self.date = self.day()
        if self.date == _NOTHING:
            return False
        if self.sign(32):
            self.began = self.clock()
            if self.began < 0:
                return False
            if self.sign(32):
                if not self.sign(43) and not self.sign(45):
                    return False
                if self.two_digits(23) < 0 or not self.sign(58) or self.two_digits(59) < 0:
                    return False
        return self.line_end()

    def seat_line(self) -> bool:
        """Take what follows `Seat `: the number, the player, and the chips if they are recorded."""
        known = self.ever
        number = self.text[self.at] - 48
        if number < 1 or number > 6:
            return False
        self.at += 1
        self.seat_number = number
        if not self.stands(b": \0"):
            return False
        at = self.at
        length = self.name()
        if length == 0:
            return False
        self.seat_who = self.known_as(at, length)
        if self.seat_who < 0:
            return False
        self.new = self.seat_who == known
        if self.new:
            self.word_of[known] = self.word(at, length)
        self.seat_chips = _NOTHING
        if self.sign(32):
            self.seat_chips = self.chips()
            if self.seat_chips == _NOTHING:
                return False
        return self.line_end()

    def all_hands(self) -> bool:
        """Take all hands: one at least, and as many as were agreed on, void ones not counted (W602)."""
        while self.text[self.at] == 10 and self.text[self.at + 1] == 72:
            self.line_end()
            if not self.hand():
                return False
        return self.last > 0 and (self.agreed < 0 or self.agreed == self.counted)

    def footer(self) -> bool:
        """Take what stands below the last hand: perhaps the winners, a blank line, and the end or another session.

        The blank line above another session may be left out, as where files were joined.
        """
        if self.stands(b"Winner: \0") and not self.winner_names():
            return False
        self.line_end()
        return self.at == self.end or self.opens_session()

    def opens_session(self) -> bool:
        """Say whether another session opens here, and not only the beginning of a line that breaks off (E101)."""
        start = self.at
        if not self.stands(b"Comet session \0"):
            return False
        at = self.at
        self.at = start
        if 33 <= self.text[at] <= 126:
            return True
        while at < self.end and self.text[at] != 10:
            at += 1
        return at < self.end

    def winner_names(self) -> bool:
        """Take the winners: all who won the most chips (C5), in seat order, those behind who sit no more."""
        best = self.reading[0] - self.brought[0]
        winners = 0
        claimed = 0
        above = 0
        for who in range(self.ever):
            if self.reading[who] - self.brought[who] > best:
                best = self.reading[who] - self.brought[who]
        for who in range(self.ever):
            winners += self.reading[who] - self.brought[who] == best
        while winners:
            who = 0
            while not self.named(who, 44) and not self.named(who, 10):
                who += 1
                if who == self.ever:
                    return False
            if self.reading[who] - self.brought[who] != best or claimed >> who & 1:
                return False
            if self.seat_of[who] and self.seat_of[who] < above:
                return False
            above = self.seat_of[who] if self.seat_of[who] else 99
            claimed |= _ONE << who
            winners -= 1
            if self.text[self.at - 1] == 10:
                return winners == 0
            if not self.sign(32):
                return False
        return False

    def write_session(self) -> None:
        """Write the rows of the session and its balances."""
        at = 16 * self.sessions
        self.session_rows[at] = self.start_at
        self.session_rows[at + 1] = self.at
        self.session_rows[at + 2] = self.start_line
        self.session_rows[at + 3] = self.ident_at
        self.session_rows[at + 4] = self.ident_length
        self.session_rows[at + 5] = self.date
        self.session_rows[at + 6] = self.began
        self.session_rows[at + 7] = self.where_at
        self.session_rows[at + 8] = self.where_length
        self.session_rows[at + 9] = self.rules_at
        self.session_rows[at + 10] = self.rules_length
        self.session_rows[at + 11] = self.ever
        self.session_rows[at + 12] = self.counted
        self.session_rows[at + 13] = self.hand_count - self.first_hand_row
        self.session_rows[at + 14] = self.first_hand_row
        self.session_rows[at + 15] = self.balances
        for who in range(self.ever):
            at = 5 * self.balances
            self.balance_rows[at] = self.sessions
            self.balance_rows[at + 1] = self.word_of[who]
            self.balance_rows[at + 2] = self.start[who]
            self.balance_rows[at + 3] = self.bought[who]
            self.balance_rows[at + 4] = self.won[who]
            self.balances += 1
        self.sessions += 1

    # A session hand by hand

    def enter(self, text: bytes) -> bool:
        """Stand before the hands of a session that stands alone; say whether what is above them is clean."""
        self.take_up_text(text)
        self.questions = 0
        return self.header() and self.answer() and self.hand_ends() and self.at < self.end

    def go_on(self, most: int) -> int:
        """Take clean hands, so many at most.

        Returns:
            How many there are. If another one follows them that is not clean, `stopped` says so: then nothing is kept
            of any, and how the session stands is no longer known.
        """
        taken = 0
        self.questions = 0
        self.stopped = False
        self.keep()
        while taken < most and self.at < self.end:
            if not self.line_end() or not self.hand() or not self.hand_ends():
                self.stopped = True
                self.take_back()
                break
            taken += 1
        return taken

    def hand_ends(self) -> bool:
        """Say whether a hand ends here: another begins below it, or the session is at its end."""
        start = self.at
        line = self.line
        if self.stands(b"\nHand \0"):
            if self.number() < 0 or not self.line_end():
                return False
            self.at = start
            self.line = line
            return True
        return self.footer() and self.at == self.end

    def standing(self) -> Standing:
        """Return how the session stands."""
        names = []
        players = []
        for who in range(self.ever):
            at = self.name_at[who]
            name = name_of(self.chunk[at : at + self.name_length[who]])
            chips = self.reading[who]
            start = None if self.start[who] == _NOTHING else self.start[who]
            money = (chips, chips + self.astray[who], bool(self.anchored[who]), start)
            players.append(Player(name, self.seat_of[who], *money, self.bought[who], self.brought[who], self.won[who]))
            names.append(name)
        table = sorted([(self.came[who], who) for who in range(self.ever) if self.seat_of[who]])
        dealer = None if self.dealer < 0 else names[self.dealer]
        return Standing(
            self.last, self.due, dealer, self.unplayed, tuple(players), tuple([names[who] for _, who in table])
        )

    def resume(self, standing: Standing, at: int, line: int) -> bool:
        """Go on as a session stands; say whether everybody's name stands above in its text as it is written.

        Args:
            standing: how the session stands.
            at: offset in the text of the blank line above the next hand.
            line: the lines of the text above that.
        """
        self.at, self.line = at, line
        self.last, self.due, self.unplayed = standing.last, standing.due, standing.payment
        self.dealer = -1
        self.ever = self.players = self.comings = 0
        seats: dict[str, int] = {}
        for player in standing.players:
            written = write_name(player.name).encode()
            found = self.chunk.rfind(written, 0, at)
            who = self.known_as(found, len(written)) if found >= 0 else -1
            if who < 0:
                return False
            self.word_of[who] = self.word(found, len(written))
            self.open_purse(who, _NOTHING if player.start is None else player.start)
            self.reading[who], self.astray[who] = player.chips, player.truth - player.chips
            self.anchored[who] = player.anchored
            self.bought[who], self.brought[who], self.won[who] = player.bought, player.brought, player.won
            if player.name == standing.dealer:
                self.dealer = who
            seats[player.name] = who
        return all(self.sit(seats[name], standing.players[seats[name]].seat) for name in standing.table)

    def played(self) -> int:
        """Return how many of the hands that were taken are not void."""
        return sum([not self.hand_rows[24 * row + 3] for row in range(self.hand_count)])

    def close(self) -> None:
        """Write the row of the session, with those of its hands that were taken."""
        self.at = self.end
        self.first_hand_row = 0
        self.counted = self.played()
        self.write_session()
        self.count_rows()

    # A hand

    def hand(self) -> bool:
        """Take a hand from its number to its stacks; nothing is missing between it and the one above (E205)."""
        time = _NOTHING
        self.hand_line = self.line
        if not self.stands(b"Hand \0") or self.number() != self.last + 1 or not self.line_end():
            return False
        self.last += 1
        if self.stands(b"Time: \0"):
            time = self.clock()
            if time < 0 or not self.line_end():
                return False
        if not self.comings_and_goings() or not self.buy_lines():
            return False
        dealer = self.dealer_line()
        if dealer < 0:
            return False
        self.begin_payments()
        self.keep_stacks()
        self.dealer = self.seated[dealer]
        if self.text[self.at] == 83 or self.text[self.at] == 86:
            return self.void_hand(dealer, time)
        self.place(dealer)
        if not (self.deal_lines() and self.antes() and self.all_runs() and self.left_lines()):
            return False
        if not (self.card_payments() and self.pot_payment() and self.transfer_lines() and self.stacks_line()):
            return False
        self.write_hand(time)
        self.counted += 1
        self.due = self.seat_of[self.seated[dealer]] + 1
        self.unplayed = self.comet if self.comet_player >= 0 else self.unplayed * 2
        if self.unplayed > _MOST_CHIPS:
            self.unplayed = _MOST_CHIPS
        return True

    def comings_and_goings(self) -> bool:
        """Take the `Seat` and `Leaves` lines: who leaves does before others sit down (R17)."""
        at = 0
        above = 0
        joined = 0
        left = 0
        self.settled = self.comings
        while self.stands(b"Seat \0"):
            if joined == 6 or not self.seat_line() or self.seat_number <= above:
                return False
            above = self.seat_number
            if self.new:
                self.open_purse(self.seat_who, self.seat_chips)
            elif self.seat_of[self.seat_who]:
                return False
            else:
                self.come_back(self.seat_who, self.seat_chips)
            self.join_who[joined] = self.seat_who
            self.join_seat[joined] = above
            joined += 1
        while self.stands(b"Leaves: \0"):
            while at < self.players and not self.named(self.seated[at], 10):
                at += 1
            if at == self.players:
                return False
            self.leave(at)
            left += 1
        for index in range(joined):
            if not self.sit(self.join_who[index], self.join_seat[index]):
                return False
        self.moved = joined + left > 0
        return not self.moved or self.allowed_size()

    def keep_stacks(self) -> None:
        """Keep in mind what everybody has before the hand, where that is known."""
        for at in range(self.players):
            who = self.seated[at]
            self.before[who] = self.reading[who] if self.anchored[who] else _NOTHING

    def void_hand(self, dealer: int, time: int) -> bool:
        """Take the rest of a void hand: the stacks are as they were, and the dealer deals again (R18)."""
        at = 24 * self.hand_count
        if not self.stacks_line() or not self.stands(b"Void: \0") or self.free_text() == 0 or not self.line_end():
            return False
        for column in range(4, 24):
            self.hand_rows[at + column] = 0
        self.hand_rows[at] = self.sessions
        self.hand_rows[at + 1] = self.last
        self.hand_rows[at + 2] = time
        self.hand_rows[at + 3] = 1
        self.hand_rows[at + 5] = self.seats
        self.hand_rows[at + 6] = self.runs
        self.hand_rows[at + 8] = self.plays
        self.hand_rows[at + 10] = self.payments
        for column in range(12, 22):
            self.hand_rows[at + column] = _NOTHING
        self.hand_rows[at + 23] = self.hand_line
        self.hand_count += 1
        self.due = self.seat_of[self.seated[dealer]]
        return True

    def all_runs(self) -> bool:
        """Take the runs up to the one in which somebody goes out (G9), and the Comet's payments below its run."""
        while self.out < 0:
            if not self.stands(b"Run: \0"):
                return False
            fallen = self.comet_player >= 0
            if not self.run_line():
                return False
            if self.comet_player >= 0 and not fallen and not self.comet_payments():
                return False
        return True

    def write_hand(self, time: int) -> None:
        """Write the rows of a hand, and complete those of its runs and payments."""
        at = 24 * self.hand_count
        cards_left = 0
        if self.recorded < 0:
            self.recorded = 0
        for row in range(self.first_run, self.runs):
            self.run_rows[12 * row] = self.hand_count
        for row in range(self.first_payment, self.payments):
            self.payment_rows[5 * row] = self.hand_count
        self.hand_rows[at + 5] = self.seats
        for position in range(self.players):
            cards_left += self.counts[position]
            self.write_seat(position)
        self.hand_rows[at] = self.sessions
        self.hand_rows[at + 1] = self.last
        self.hand_rows[at + 2] = time
        self.hand_rows[at + 3] = 0
        self.hand_rows[at + 4] = self.players
        self.hand_rows[at + 6] = self.first_run
        self.hand_rows[at + 7] = self.runs - self.first_run
        self.hand_rows[at + 8] = self.first_play
        self.hand_rows[at + 9] = self.plays - self.first_play
        self.hand_rows[at + 10] = self.first_payment
        self.hand_rows[at + 11] = self.payments - self.first_payment
        self.hand_rows[at + 12] = self.out
        self.hand_rows[at + 13] = cards_left
        self.hand_rows[at + 14] = self.comet_holder
        self.hand_rows[at + 15] = self.comet_player if self.comet_player >= 0 else _NOTHING
        self.hand_rows[at + 16] = self.comet_for if self.comet_for >= 0 else _NOTHING
        self.hand_rows[at + 17] = self.comet_use if self.comet_use >= 0 else _NOTHING
        self.hand_rows[at + 18] = self.comet_ply if self.comet_ply >= 0 else _NOTHING
        self.hand_rows[at + 19] = self.payment
        self.hand_rows[at + 20] = self.ante * self.players
        self.hand_rows[at + 21] = 0 if self.recorded or self.stacked else 2
        self.hand_rows[at + 22] = self.recorded
        self.hand_rows[at + 23] = self.hand_line
        self.hand_count += 1

    def write_seat(self, position: int) -> None:
        """Write the row of a player in a hand."""
        at = 12 * self.seats
        who = self.placed[position]
        self.seat_rows[at] = self.hand_count
        self.seat_rows[at + 1] = position + 1
        self.seat_rows[at + 2] = self.word_of[who]
        self.seat_rows[at + 3] = self.seat_of[who]
        self.seat_rows[at + 4] = self.dealt[position]
        self.seat_rows[at + 5] = 51 // self.players + (position < 51 % self.players)
        self.seat_rows[at + 6] = self.counts[position]
        self.seat_rows[at + 7] = self.net_pot[who]
        self.seat_rows[at + 8] = self.net_comet[who]
        self.seat_rows[at + 9] = self.net_cards[who]
        self.seat_rows[at + 10] = self.before[who]
        self.seat_rows[at + 11] = self.reading[who] if self.anchored[who] else _NOTHING
        self.seats += 1

"""Everybody's chips, and the payments of a hand."""

from array import array

from comet_hist.bulk import columns
from comet_hist.bulk.play import Playing

_NOTHING = columns.NOTHING


class Purses(Playing):
    """The chips of everybody who ever sat, by `who`, and the payments of a hand (C1 to C4, R14, R15).

    `reading` is what the record tells. Where it went astray by a slip in a hand of the ordinary road, it differs from
    what was owed by `astray`, and stays so while all is recorded as it is owed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.reading = [0] * 64
        self.astray = [0] * 64
        self.anchored = [False] * 64
        self.start = [0] * 64
        self.bought = [0] * 64
        self.brought = [0] * 64
        self.won = [0] * 64
        self.purse = [0] * 64
        self.net_pot = [0] * 64
        self.net_comet = [0] * 64
        self.net_cards = [0] * 64
        self.net_transfer = [0] * 64
        self.unplayed = self.payment = self.recorded = self.payments = self.first_payment = 0
        self.stacked = False
        self.payment_rows = array("q")

    def open_purse(self, who: int, chips: int) -> None:
        """Sit down for the first time: chips that are not recorded count from 0."""
        self.start[who] = chips
        self.anchored[who] = chips != _NOTHING
        self.reading[who] = chips if chips != _NOTHING else 0
        self.astray[who] = 0
        self.brought[who] = self.reading[who]
        self.bought[who] = 0
        self.won[who] = 0

    def come_back(self, who: int, chips: int) -> None:
        """Sit down again: chips beyond those that were left with are bought (R17)."""
        self.astray[who] = 0
        if chips == _NOTHING:
            self.anchored[who] = False
            return
        if self.anchored[who]:
            self.bought[who] += chips - self.reading[who]
        self.brought[who] += chips - self.reading[who]
        self.reading[who] = chips
        self.anchored[who] = True

    def buy_lines(self) -> bool:
        """Take the `Buy` lines: chips from the bank, in seat order."""
        while self.stands(b"Buy: \0"):
            at = 0
            while True:
                while not self.named(self.seated[at], 32):
                    at += 1
                    if at == self.players:
                        return False
                who = self.seated[at]
                amount = self.number()
                if amount < 0:
                    return False
                self.bought[who] += amount
                self.brought[who] += amount
                self.reading[who] += amount
                at += 1
                if self.line_end():
                    break
                if at == self.players or not self.stands(b", \0"):
                    return False
        return True

    def begin_payments(self) -> None:
        """Begin a hand's payments: nothing is paid, and whether payments are recorded is not known (-1)."""
        for at in range(self.players):
            who = self.seated[at]
            self.purse[who] = self.reading[who]
            self.net_pot[who] = 0
            self.net_comet[who] = 0
            self.net_cards[who] = 0
            self.net_transfer[who] = 0
        self.recorded = -1
        self.payment = self.comet
        if self.progressive:
            # Doubled for each hand in a row in which the Comet was not played, up to the cap (R14).
            self.payment = self.unplayed
            if self.cap >= 0 and self.payment > self.cap:
                self.payment = self.cap
        self.first_payment = self.payments

    def write_payment(self, kind: int, payer: int, payee: int, amount: int) -> None:
        """Write a payment; positions, -1 the pot."""
        at = 5 * self.payments
        self.payment_rows[at + 1] = kind
        self.payment_rows[at + 2] = payer
        self.payment_rows[at + 3] = payee
        self.payment_rows[at + 4] = amount
        self.payments += 1

    def is_recorded(self, there: bool) -> bool:
        """Take note of a `Pay` line that is owed: either all of a hand are there, or none (E501)."""
        if self.recorded < 0:
            self.recorded = there
        return self.recorded == there

    def share(self, who: int, amount: int, first: bool) -> bool:
        """Take the share of a payer, who has so much (W508)."""
        if not first and not self.stands(b", \0"):
            return False
        if not self.named(who, 32) or self.number() != amount:
            return False
        if self.anchored[who] and self.purse[who] < amount:
            return False
        self.purse[who] -= amount
        return True

    def antes(self) -> bool:
        """Take the antes of everybody (C1)."""
        if self.ante == 0:
            return True
        if not self.is_recorded(self.stands(b"Pay ante: \0")):
            return False
        for at in range(self.players):
            who = self.seated[at]
            if self.recorded and not self.share(who, self.ante, at == 0):
                return False
            self.net_pot[who] -= self.ante
            self.write_payment(0, self.position_of[who], -1, self.ante)
        return not self.recorded or (self.stands(b" -> pot\0") and self.line_end())

    def comet_payments(self) -> bool:
        """Take what everybody else pays whoever played the Comet (C2), unless it was led and that is free (R4)."""
        payee = self.placed[self.comet_player]
        first = True
        if self.payment == 0 or (self.led_free and self.comet_use == 4):
            return True
        if not self.is_recorded(self.stands(b"Pay comet: \0")):
            return False
        for at in range(self.players):
            who = self.seated[at]
            if who == payee:
                continue
            if self.recorded and not self.share(who, self.payment, first):
                return False
            first = False
            self.net_comet[who] -= self.payment
            self.write_payment(1, self.position_of[who], self.comet_player, self.payment)
        self.net_comet[payee] += self.payment * (self.players - 1)
        if not self.recorded:
            return True
        self.purse[payee] += self.payment * (self.players - 1)
        return self.stands(b" -> \0") and self.named(payee, 10)

    def card_payments(self) -> bool:
        """Take what everybody pays whoever went out for the cards they have left (C4)."""
        payee = self.placed[self.out]
        total = 0
        if self.card_price == 0:
            return True
        if not self.is_recorded(self.stands(b"Pay cards: \0")):
            return False
        for at in range(self.players):
            who = self.seated[at]
            amount = self.card_price * self.counts[self.position_of[who]]
            if who == payee:
                continue
            if self.recorded and not self.share(who, amount, total == 0):
                return False
            total += amount
            self.net_cards[who] -= amount
            self.write_payment(2, self.position_of[who], self.out, amount)
        self.net_cards[payee] += total
        if not self.recorded:
            return True
        self.purse[payee] += total
        return self.stands(b" -> \0") and self.named(payee, 10)

    def pot_payment(self) -> bool:
        """Take the pot, which goes to whoever went out (C3)."""
        payee = self.placed[self.out]
        total = self.ante * self.players
        if total == 0:
            return True
        if not self.is_recorded(self.stands(b"Pay pot: \0")):
            return False
        self.net_pot[payee] += total
        self.write_payment(3, -1, self.out, total)
        if not self.recorded:
            return True
        self.purse[payee] += total
        return self.number() == total and self.stands(b" -> \0") and self.named(payee, 10)

    def transfer_lines(self) -> bool:
        """Take the transfers: payers in seat order, each once and not to themselves; the table agreed on them."""
        while self.stands(b"Pay transfer: \0"):
            at = 0
            total = 0
            first = self.payments
            while True:
                while not self.named(self.seated[at], 32):
                    at += 1
                    if at == self.players:
                        return False
                who = self.seated[at]
                amount = self.number()
                if amount < 1 or (self.anchored[who] and self.purse[who] < amount):
                    return False
                self.purse[who] -= amount
                self.net_transfer[who] -= amount
                total += amount
                self.write_payment(4, self.position_of[who], -1, amount)
                at += 1
                if self.stands(b" -> \0"):
                    break
                if at == self.players or not self.stands(b", \0"):
                    return False
            payee = 0
            while not self.named(self.seated[payee], 10):
                payee += 1
                if payee == self.players:
                    return False
            who = self.seated[payee]
            self.purse[who] += total
            self.net_transfer[who] += total
            for row in range(first, self.payments):
                if self.payment_rows[5 * row + 2] == self.position_of[who]:
                    return False
                self.payment_rows[5 * row + 3] = self.position_of[who]
        return True

    def stacks_line(self) -> bool:
        """Take the `Stacks` line, if there is one, and follow everybody's chips: those recorded, if any (E507).

        Chips that were not recorded so far are what stands there.
        """
        there = self.stands(b"Stacks: \0")
        for at in range(self.players):
            who = self.seated[at]
            won = self.net_pot[who] + self.net_comet[who] + self.net_cards[who] + self.net_transfer[who]
            self.won[who] += won
            self.reading[who] += won
            if not there:
                continue
            if (at and not self.stands(b", \0")) or not self.named(who, 32):
                return False
            chips = self.chips()
            if chips == _NOTHING:
                return False
            if not self.anchored[who]:
                self.brought[who] += chips - self.reading[who]
                self.reading[who] = chips
                self.anchored[who] = True
            elif chips != self.reading[who]:
                return False
        self.stacked = there
        return not there or self.line_end()

"""Makes game nights as text: random deals, legal play, payments by the rules, so that tests can rely on them.

The chips are counted here by themselves, not by the audit, so that the two can be held against each other.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from comet_hist.cards import COMET, NAMES, cards_in, mask_of
from comet_hist.engine.table import Move, Table
from comet_hist.rules import Rules

PROCOPE = """\
Comet session procope-2026-11-28
Date: 2026-11-28 20:15
Place: Café Procope, Paris
Rules: ante 1, comet 1, card 1, progressive
Seat 1: Cleo 40
Seat 2: Emil 40
Seat 3: Ben 40

Hand 1
Dealer: Emil
Deal Ben: 2c Tc Qc Ad 3d 4d 5d 6d 7d 9d Jd 2h 6h Th As 2s Ks
Deal Cleo: 3c 5c 9c Jc Td Kd 3h 4h 5h 7h 8h Jh Qh 3s 6s 7s Qs
Deal Emil: Ac 4c 6c 7c 8c Kc 2d Qd Ah 9h Kh 4s 5s 8s 9s Ts Js
Pay ante: Cleo 1, Emil 1, Ben 1 -> pot
Run: Ben As 2s, Cleo 3s, Emil 4s 5s, Cleo 6s 7s, Emil 8s 9s Ts Js, Cleo Qs, Ben Ks
Run: Ben Ad, Emil 2d, Ben 3d 4d 5d 6d 7d
Run: Ben 2h, Cleo 3h 4h 5h, Ben 6h, Cleo 7h 8h, Emil 9h, Ben Th, Cleo Jh Qh, Ben 9d=Kh
Pay comet: Cleo 1, Emil 1 -> Ben
Run: Ben 2c, Cleo 3c, Emil 4c, Cleo 5c, Emil 6c 7c 8c, Cleo 9c, Ben Tc, Cleo Jc, Ben Qc, Emil Kc
Run: Emil Qd, Cleo Kd
Run: Cleo Td
Pay cards: Emil 3, Ben 1 -> Cleo
Pay pot: 3 -> Cleo
Stacks: Cleo 45, Emil 35, Ben 40
"""
"""A clean hand of three players: progressive, the Comet stands for a king."""

PACK_CARDS = [card for card in range(52) if NAMES[card] != "8d"]


@dataclass
class Dealt:
    """A hand played to its end: positions count from the left of the dealer."""

    hands: list[int]
    moves: list[Move]
    left: list[int]
    winner: int


def deal(rng: random.Random, players: int) -> list[int]:
    """Deal all 51 cards, one at a time, beginning left of the dealer (G3)."""
    pack = PACK_CARDS[:]
    rng.shuffle(pack)
    return [mask_of(pack[position::players]) for position in range(players)]


def play(rng: random.Random, rules: Rules, hands: Sequence[int]) -> Dealt:
    """Play a hand by random legal plays, with the Comet held back more often than not."""
    table = Table(rules, hands)
    moves: list[Move] = []
    while table.winner is None:
        legal = list(table.legal())
        plain = [move for move in legal if move.card != COMET]
        move = rng.choice(plain if plain and rng.random() < 0.95 else legal)
        table.play(move)
        moves.append(move)
    return Dealt(list(hands), moves, table.hands, table.winner)


def run_lines(moves: Sequence[Move], names: Sequence[str]) -> list[str]:
    """Write the plays as `Run` lines, canonically; the Comet's run is followed by None for its payment."""
    lines: list[str] = []
    speaker = None
    for move in moves:
        card = NAMES[move.card] + (f"={NAMES[move.stands_for]}" if move.stands_for is not None else "")
        if move.opens:
            lines.append(f"Run: {names[move.player]} {card}")
        elif move.player == speaker:
            lines[-1] += f" {card}"
        else:
            lines[-1] += f", {names[move.player]} {card}"
        speaker = move.player
    return lines


@dataclass
class Night:
    """A night being played: chips by name, seats clockwise."""

    seed: int
    names: list[str]
    rules: Rules = field(default_factory=Rules)
    items: str = ""
    chips: int = 40
    ident: str = ""

    def text(self, hands: int) -> str:
        """Return the whole session in canonical text."""
        rng = random.Random(self.seed)
        stacks = dict.fromkeys(self.names, self.chips)
        lines = [f"Comet session {self.ident or f'night-{self.seed}'}", "Date: 2026-03-14 20:30"]
        if self.items:
            lines.append(f"Rules: {self.items}")
        lines += [f"Seat {seat}: {name} {self.chips}" for seat, name in enumerate(self.names, 1)]
        dealer = rng.randrange(len(self.names))
        unplayed = 0
        for number in range(1, hands + 1):
            order = self.names[dealer + 1 :] + self.names[: dealer + 1]
            dealt = self.played(number, rng, len(order))
            payment = self.payment(unplayed)
            lines += ["", f"Hand {number}", f"Dealer: {self.names[dealer]}"]
            lines += self.hand_lines(order, dealt, payment, stacks)
            unplayed = 0 if any(move.card == COMET for move in dealt.moves) else unplayed + 1
            dealer = (dealer + 1) % len(self.names)
        return "\n".join(lines) + "\n\n"

    def played(self, number: int, rng: random.Random, players: int) -> Dealt:
        """Return the hand of a number, dealt and played to its end."""
        return play(rng, self.rules, deal(rng, players))

    def payment(self, unplayed: int) -> int:
        """Return the Comet payment after so many hands in a row in which it was not played (R14)."""
        if not self.rules.progressive:
            return self.rules.comet
        return min(self.rules.comet * 2**unplayed, self.rules.cap or 10**9)

    def hand_lines(self, order: list[str], dealt: Dealt, payment: int, stacks: dict[str, int]) -> list[str]:
        """Return the lines of a hand below its dealer, and carry its payments out on the stacks."""
        rules, winner = self.rules, order[dealt.winner]
        lines = [
            f"Deal {name}: {' '.join(NAMES[card] for card in cards_in(hand))}"
            for name, hand in zip(order, dealt.hands, strict=True)
        ]
        if rules.ante:
            paid = ", ".join(f"{name} {rules.ante}" for name in self.names)
            lines.append(f"Pay ante: {paid} -> pot")
        for line in run_lines(dealt.moves, order):
            lines.append(line)
            comet = next((move for move in dealt.moves if move.card == COMET), None)
            if comet and "9d" in line and (comet.stands_for is not None or rules.led == "paid") and payment:
                taker = order[comet.player]
                payers = [name for name in self.names if name != taker]
                lines.append(f"Pay comet: {', '.join(f'{name} {payment}' for name in payers)} -> {taker}")
                for name in payers:
                    stacks[name] -= payment
                    stacks[taker] += payment
        owed = {name: left.bit_count() * rules.card for name, left in zip(order, dealt.left, strict=True)}
        payers = [name for name in self.names if owed[name]]
        if payers:
            lines.append(f"Pay cards: {', '.join(f'{name} {owed[name]}' for name in payers)} -> {winner}")
        for name in self.names:
            stacks[name] -= owed[name] + rules.ante
            stacks[winner] += owed[name] + rules.ante
        if rules.ante:
            lines.append(f"Pay pot: {rules.ante * len(order)} -> {winner}")
        lines.append("Stacks: " + ", ".join(f"{name} {stacks[name]}" for name in self.names))
        return lines

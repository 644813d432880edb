"""Makes sessions in which everything may happen that a clean record can hold, in canonical text.

Players come, go and come back, buy chips and give some away, hands are void, house rules are drawn by lot, and what may
be left out sometimes is.
"""

import random
from dataclasses import dataclass, field, fields
from decimal import Decimal

from nights import Dealt, deal, play, run_lines

from comet_hist.cards import COMET, NAMES, cards_in
from comet_hist.rules import CHOICES, ChipPrice, Rules

BARE = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fanny", "Li", "Zoë"]
NAMES_AT_TABLE = [*BARE, '"Jean Luc"', '"pot"', '"Kc"', '"A \\"B\\""']


@dataclass
class Evening:
    """A session being played.

    Attributes:
        rng: the lots.
        start: the seat from which the next dealer is looked for.
        newcomers: the seats of those who sat down in this hand.
        stacks: chips of everybody who ever sat; None where nobody knows them yet.
        seats: the table, names by seat.
    """

    rng: random.Random
    ident: str
    rules: Rules = field(default_factory=Rules)
    seats: dict[int, str] = field(default_factory=dict)
    stacks: dict[str, int] = field(default_factory=dict)
    known: dict[str, bool] = field(default_factory=dict)
    brought: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    dealer: int = 0
    start: int = 0
    newcomers: list[int] = field(default_factory=list)
    payment: int = 0

    def text(self, hands: int) -> str:
        """Return the session in canonical text, with the blank line below it."""
        rng, rules = self.rng, self.rules
        spare = rng.sample(NAMES_AT_TABLE, len(NAMES_AT_TABLE))
        sizes = {"classic": range(2, 7), "quatre": [4], "deux": [2]}[rules.game]
        self.lines = [f"Comet session {self.ident}"]
        if rng.random() < 0.7:
            self.lines.append("Date: 2026-02-28" + rng.choice(["", " 20:15", " 20:15:59", " 20:15 +01:00"]))
        if rng.random() < 0.5:
            self.lines.append("Place: " + rng.choice(["Lyon", "Café Procope, Paris", "at Anna's, 2nd floor"]))
        items = [] if rules.game == "classic" else [rules.game]
        items += [f"ante {rules.ante}", f"comet {rules.comet}", f"card {rules.card}"]
        items += ["progressive"] if rules.progressive else []
        items += [f"cap {rules.cap}"] if rules.cap else []
        items += [f"hands {rules.hands}"] if rules.hands else []
        items += [f"chip {rules.chip}"] if rules.chip else []
        items += [f"{item} {getattr(rules, item)}" for item in CHOICES if getattr(rules, item) != CHOICES[item][0]]
        self.lines.append("Rules: " + ", ".join(items))
        for seat in sorted(rng.sample(range(1, 7), rng.choice(list(sizes)))):
            self.sit(seat, spare.pop())
        self.start = rng.choice(list(self.seats))
        self.payment = rules.comet
        number = counted = 0
        while counted < hands:
            number += 1
            self.lines += ["", f"Hand {number}"]
            if rng.random() < 0.3:
                self.lines.append(f"Time: {rng.randrange(24):02}:{rng.randrange(60):02}")
            self.newcomers = []
            moved = self.move(spare, sizes) if number > 1 and rng.random() < 0.3 else False
            if rng.random() < 0.2:
                buyers = [name for name in self.in_order() if rng.random() < 0.5] or self.in_order()[:1]
                amounts = {name: rng.randrange(50) for name in buyers}
                for name, amount in amounts.items():
                    self.stacks[name] += amount
                    self.brought[name] += amount
                self.lines.append("Buy: " + ", ".join(f"{name} {amount}" for name, amount in amounts.items()))
            able = self.may_deal()
            self.dealer = able[0] if len(able) == 1 else rng.choice(able)
            self.start = self.dealer
            if moved or number == 1 or rng.random() < 0.8:
                self.lines.append(f"Dealer: {self.seats[self.dealer]}")
            if rng.random() < 0.1:
                if rng.random() < 0.5:
                    self.write_stacks()
                self.lines.append("Void: " + rng.choice(["misdeal", "a card was seen", "Zoë went home"]))
                continue
            self.hand()
            counted += 1
            self.start = self.dealer + 1
        if rng.random() < 0.6:
            gains = {name: self.stacks[name] - self.brought[name] for name in self.stacks}
            winners = [name for name in [*self.in_order(), *self.stacks] if gains[name] == max(gains.values())]
            self.lines.append("Winner: " + ", ".join(dict.fromkeys(winners)))
        return "\n".join(self.lines) + "\n\n"

    def in_order(self) -> list[str]:
        """Return the names in seat order."""
        return [self.seats[seat] for seat in sorted(self.seats)]

    def may_deal(self) -> list[int]:
        """Return the next taken seat clockwise, and those that would be if newcomers did not count (R17)."""
        clockwise = sorted(self.seats, key=lambda seat: (seat - self.start) % 6)
        settled = next((at for at, seat in enumerate(clockwise) if seat not in self.newcomers), len(clockwise) - 1)
        return clockwise[: settled + 1]

    def sit(self, seat: int, name: str) -> None:
        """Seat a player, who sometimes does not say with how many chips."""
        told = self.rng.random() < 0.9
        chips = self.rng.randrange(200, 400)
        self.lines.append(f"Seat {seat}: {name}" + (f" {chips}" if told else ""))
        self.seats[seat] = name
        if name not in self.stacks:
            self.stacks[name] = self.brought[name] = chips if told else 0
        elif told:
            self.brought[name] += chips - self.stacks[name]
            self.stacks[name] = chips
        self.known[name] = told

    def move(self, spare: list[str], sizes: range | list[int]) -> bool:
        """Let players leave and others join, as far as the game allows; say whether any did."""
        rng = self.rng
        leave = [seat for seat in sorted(self.seats) if rng.random() < 0.2]
        free = [seat for seat in range(1, 7) if seat not in self.seats or seat in leave]
        join = sorted(seat for seat in free if rng.random() < 0.3)
        if len(self.seats) - len(leave) + len(join) not in sizes or len(join) > len(spare):
            return False
        gone = [self.seats.pop(seat) for seat in leave]
        for seat in join:
            self.sit(seat, spare.pop(0))
        self.newcomers = join
        self.lines += [f"Leaves: {name}" for name in gone]
        spare += gone
        rng.shuffle(spare)
        return bool(leave or join)

    def hand(self) -> None:
        """Deal, play, pay and write a hand."""
        rng, rules = self.rng, self.rules
        seats = sorted(self.seats, key=lambda seat: (seat - self.dealer - 1) % 6)
        order = [self.seats[seat] for seat in seats]
        dealt = play(rng, rules, deal(rng, len(order)))
        missing = rng.randrange(len(order)) if rng.random() < 0.1 else None
        for position, (name, hand) in enumerate(zip(order, dealt.hands, strict=True)):
            if position != missing:
                self.lines.append(f"Deal {name}: {' '.join(NAMES[card] for card in cards_in(hand))}")
        paid = rng.random() < 0.8
        flows = self.flows(order, dealt)
        if paid and rules.ante:
            self.write("ante", [(name, rules.ante) for name in self.in_order()], "pot")
        for line in run_lines(dealt.moves, order):
            self.lines.append(line)
            if paid and "9d" in line and flows["comet"]:
                comet = next(move for move in dealt.moves if move.card == COMET)
                self.write("comet", flows["comet"], order[comet.player])
        for position, (name, left) in enumerate(zip(order, dealt.left, strict=True)):
            if position != dealt.winner and rng.random() < 0.1:
                self.lines.append(f"Left {name}: {' '.join(NAMES[card] for card in cards_in(left))}")
        if paid and flows["cards"]:
            self.write("cards", flows["cards"], order[dealt.winner])
        if paid and rules.ante:
            self.lines.append(f"Pay pot: {rules.ante * len(order)} -> {order[dealt.winner]}")
        if rng.random() < 0.1:
            payer, payee = rng.sample(self.in_order(), 2)
            self.write("transfer", [(payer, 1)], payee)
            self.stacks[payer] -= 1
            self.stacks[payee] += 1
        if rng.random() < 0.8:
            self.write_stacks()

    def flows(self, order: list[str], dealt: Dealt) -> dict[str, list[tuple[str, int]]]:
        """Return who pays how much by kind, and carry it out."""
        rules, winner = self.rules, order[dealt.winner]
        flows: dict[str, list[tuple[str, int]]] = {"comet": [], "cards": []}
        comet = next((move for move in dealt.moves if move.card == COMET), None)
        payment = min(self.payment, rules.cap or 10**9) if rules.progressive else rules.comet
        if comet and payment and (comet.stands_for is not None or rules.led == "paid"):
            flows["comet"] = [(name, payment) for name in self.in_order() if name != order[comet.player]]
            for name, amount in flows["comet"]:
                self.stacks[name] -= amount
                self.stacks[order[comet.player]] += amount
        self.payment = rules.comet if comet else self.payment * 2
        for name in self.in_order():
            left = dealt.left[order.index(name)].bit_count()
            if left and rules.card:
                flows["cards"].append((name, left * rules.card))
            self.stacks[name] -= left * rules.card + rules.ante
            self.stacks[winner] += left * rules.card + rules.ante
        return flows

    def write(self, kind: str, shares: list[tuple[str, int]], payee: str) -> None:
        """Write a `Pay` line."""
        self.lines.append(f"Pay {kind}: {', '.join(f'{name} {amount}' for name, amount in shares)} -> {payee}")

    def write_stacks(self) -> None:
        """Write the `Stacks` line; with it everybody's chips are known."""
        names = self.in_order()
        for name in names:
            if not self.known[name]:
                stack = self.rng.randrange(500)
                self.brought[name] += stack - self.stacks[name]
                self.stacks[name] = stack
                self.known[name] = True
        self.lines.append("Stacks: " + ", ".join(f"{name} {self.stacks[name]}" for name in names))


def draw_rules(rng: random.Random) -> Rules:
    """Draw what a table agrees on."""
    game = rng.choice(["classic", "classic", "classic", "quatre", "deux"])
    ante = rng.choice([0, 1, 1, 5])
    progressive = rng.random() < 0.4
    chosen = {item: rng.choice(choices) if rng.random() < 0.4 else choices[0] for item, choices in CHOICES.items()}
    return Rules(
        game=game,
        ante=ante,
        comet=ante if game == "quatre" else rng.choice([0, 1, 1, 3]),
        card=rng.choice([0, 1, 2, 11]),
        progressive=progressive,
        cap=rng.choice([None, 1, 4]) if progressive else None,
        chip=rng.choice([None, None, ChipPrice(Decimal("0.05"), "EUR"), ChipPrice(Decimal(2), "CHF")]),
        **chosen,
    )


def evening(seed: int, hands: int | None = None) -> str:
    """Return a session in canonical text."""
    rng = random.Random(seed)
    rules = draw_rules(rng)
    count = rng.randrange(1, 6) if hands is None else hands
    if rng.random() < 0.3:
        values = {each.name: getattr(rules, each.name) for each in fields(rules)}
        rules = Rules(**{**values, "hands": count})
    return Evening(rng, f"evening-{seed}", rules).text(count)

"""Who was dealt what: read from the `Deal` lines, or worked out from plays and `Left` lines (G3, E301 to E304)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from comet_hist.cards import GAP, PACK, SIGNED, cards_in, mask_of, names_of
from comet_hist.engine.scribe import Scribe
from comet_hist.findings import some
from comet_hist.record import Cards, Fault, Hand, Placed


@dataclass(slots=True)
class DealFound:
    """A deal as far as it is known; all lists by position.

    Attributes:
        hands: masks of the cards each player is known to have been dealt.
        counts: number of cards each was dealt.
        known: whether `hands` is the whole deal.
        faults: what is wrong with it.
        short: E209 of `Left` lines with too few cards, unless it turns out that cards were left out of the runs.
    """

    hands: list[int]
    counts: list[int]
    known: bool = True
    faults: list[Fault] = field(default_factory=list)
    short: list[Fault] = field(default_factory=list)


def hand_sizes(players: int) -> list[int]:
    """Return how many cards each position is dealt, the player left of the dealer first (G3).

    >>> hand_sizes(4)
    [13, 13, 13, 12]
    """
    return [51 // players + (position < 51 % players) for position in range(players)]


def lines_by_player(
    lines: Sequence[Cards], positions: dict[str, int], played: Sequence[int] = ()
) -> tuple[dict[int, Cards], list[Cards]]:
    """Match `Deal` or `Left` lines with positions; return those matched and those of names nobody bears.

    One line too many, of an unknown name or the second of a known one, is taken for the one player who has no line,
    where there is exactly one of each. Of two lines of one name the plays tell which is whose.

    Args:
        lines: the lines.
        positions: position by name, 0 = left of the dealer.
        played: for each position the mask of the cards that it is said to have played, where that can tell.
    """
    matched: dict[int, Cards] = {}
    spare = []
    for line in lines:
        position = positions.get(line.player.text)
        if position is None or position in matched:
            spare.append(line)
        else:
            matched[position] = line
    strange = [line for line in spare if line.player.text not in positions]
    if len(spare) == 1 and len(matched) == len(positions) - 1:
        missing = next(position for position in positions.values() if position not in matched)
        matched[missing] = spare[0]
        named = positions.get(spare[0].player.text)
        if named is not None and played:
            straight = _alike(matched[named], played[named]) + _alike(spare[0], played[missing])
            crossed = _alike(spare[0], played[named]) + _alike(matched[named], played[missing])
            if crossed > straight:
                matched[named], matched[missing] = matched[missing], matched[named]
    return matched, strange


def _alike(line: Cards, played: int) -> int:
    """Return how many of a line's cards a player is said to have played."""
    return (mask_of(card.card for card in line.cards) & played).bit_count()


class _Worker:
    """Works out one deal; the steps are in the order of `work_out`."""

    def __init__(self, hand: Hand, positions: dict[str, int], players: tuple[str, ...], scribe: Scribe) -> None:
        self.hand = hand
        self.scribe = scribe
        self.played = played = scribe.played
        self.sizes = hand_sizes(len(played))
        self.names = players
        self.doubled = len(positions) < len(players)
        self.deals, self.strange = lines_by_player(hand.deals, positions, played)
        self.lefts, _ = lines_by_player(hand.left, positions)
        self.left = [self._left(position) for position in range(len(played))]
        self.had = [mine | left for mine, left in zip(played, self.left, strict=True)]
        self.hands = [0] * len(played)
        self.counts = list(self.sizes)
        self.faults: list[Fault] = []
        self.slips = 0
        self.contested: list[tuple[int, int, int]] = []

    def _left(self, position: int) -> int:
        line = self.lefts.get(position)
        return mask_of(card.card for card in line.cards) & PACK if line else 0

    def read_lines(self) -> None:
        """Take the cards of the `Deal` lines: 8♦ is passed over, a card dealt twice is its player's or the first's."""
        seen = 0
        for position, line in sorted(self.deals.items(), key=lambda item: item[1].line.number):
            mask = mask_of(card.card for card in line.cards)
            if mask & seen or mask >> GAP & 1 or mask.bit_count() != len(line.cards):
                mask = self._read_slips(position, line)
            self.hands[position] |= mask
            seen |= mask

    def _read_slips(self, position: int, line: Cards) -> int:
        mask = 0
        for dealt in line.cards:
            bit = 1 << dealt.card
            if dealt.card == GAP:
                self.slips += 1
                self.faults.append(not_in_pack(dealt))
                continue
            first = next((other for other, hand in enumerate(self.hands) if hand & bit), None)
            if mask & bit:
                first = position
            if first is None:
                mask |= bit
                continue
            self.slips += 1
            owner = self.names[first]
            message = f"{SIGNED[dealt.card]} is dealt twice: {owner} has it already (G3)"
            self.faults.append(Fault("E302", dealt, message, "a card nobody has", SIGNED[dealt.card]))
            if first != position and self.had[position] & bit and not self.had[first] & bit:
                self.hands[first] &= ~bit
                mask |= bit
            elif first != position and not self.had[first] & bit:
                self.contested.append((first, position, bit))
        return mask

    def missing(self) -> int:
        """Return the mask of the cards that nobody has yet."""
        given = 0
        for hand in self.hands:
            given |= hand
        return PACK & ~given

    def give_to_players(self) -> None:
        """Give each card that nobody was dealt to whoever played it or had it left."""
        missing = self.missing()
        if not missing:
            return
        for position, had in enumerate(self.had):
            self.hands[position] |= had & missing
            missing &= ~had

    def settle_contested(self) -> None:
        """Give a card dealt twice, and played by nobody, to the second where the first has a card too many with it."""
        for first, second, bit in self.contested:
            too_many = self.hands[first].bit_count() > self.sizes[first]
            if too_many and self.hands[second].bit_count() < self.sizes[second]:
                self.hands[first] &= ~bit
                self.hands[second] |= bit

    def give_to_short(self) -> bool:
        """Give what nobody has yet to the only player who is short of cards; say whether all are placed."""
        missing = self.missing()
        if not missing:
            return True
        short = [p for p, hand in enumerate(self.hands) if hand.bit_count() < self.sizes[p]]
        if len(short) != 1 or self.hands[short[0]].bit_count() + missing.bit_count() > self.sizes[short[0]]:
            return False
        self.hands[short[0]] |= missing
        return True

    def check_missing(self) -> None:
        """E303, only for cards beyond one for each E301 or E302."""
        missing = self.missing()
        if missing.bit_count() > self.slips and not self.strange:
            first = min(self.deals.values(), key=lambda line: line.line.number)
            count = missing.bit_count()
            verb = "is" if count == 1 else "are"
            message = f"{names_of(missing)} {verb} dealt to nobody: all 51 cards are dealt (G3)"
            self.faults.append(Fault("E303", first.line, message, "51 cards", f"{51 - count} cards"))

    def check_sizes(self, complete: bool) -> None:
        """E304, once a hand, and give a card to who played it where one has too few and the other too many."""
        if self.strange or self.doubled:
            return
        counts = [hand.bit_count() for hand in self.hands]
        wrong = [p for p, count in enumerate(counts) if count > self.sizes[p] or (complete and count < self.sizes[p])]
        if not wrong:
            return
        at = min((p for p in wrong if p in self.deals), key=lambda p: self.deals[p].line.number, default=None)
        if at is not None:
            expected, actual = f"{self.sizes[at]} cards", f"{counts[at]} cards"
            message = (
                f"{self.names[at]} is dealt {counts[at]} cards, but dealing from this dealer gives {expected} (G3)"
            )
            self.faults.append(Fault("E304", self.deals[at].line, message, expected, actual))
        for p in wrong:
            for q in wrong:
                if counts[p] < self.sizes[p] and counts[q] > self.sizes[q]:
                    moved = self.hands[q] & self.had[p] & ~self.had[q]
                    self.hands[p] |= moved
                    self.hands[q] &= ~moved

    def from_lines(self) -> DealFound:
        """The deal is recorded, all of it or all but one player's cards, who has the rest of the pack."""
        self.read_lines()
        without = [position for position in range(len(self.played)) if position not in self.deals]
        if without:
            self.hands[without[0]] = self.missing()
        else:
            self.check_missing()
            self.give_to_players()
            self.settle_contested()
        complete = self.give_to_short()
        if not (without and self.slips):
            self.check_sizes(complete)
        if complete:
            self.counts = [hand.bit_count() for hand in self.hands]
        return DealFound(self.hands, self.counts, complete, self.faults)

    def from_plays(self) -> DealFound:
        """The deal is not recorded: all were dealt what they played and had left, and what only they can hold."""
        self.read_lines()
        self.check_left()
        for position, had in enumerate(self.had):
            others = 0
            for other, hand in enumerate(self.hands):
                if other != position:
                    others |= hand
            self.hands[position] |= had & ~others
        known = self.give_to_short()
        if known:
            self.counts = [hand.bit_count() for hand in self.hands]
            return DealFound(self.hands, self.counts, True, self.faults)
        return DealFound(self.hands, self.counts, False, self.faults, self.count_by_record())

    def count_by_record(self) -> list[Fault]:
        """Count what each was dealt by `Left` lines and by who went out, where the cards do not tell.

        Returns:
            An E209 for each `Left` line that has too few cards.
        """
        faults = []
        for position, hand in enumerate(self.hands):
            count, size, line = hand.bit_count(), self.sizes[position], self.lefts.get(position)
            if position in self.deals or position == self.scribe.out:
                self.counts[position] = count
            elif line is not None and count != size:
                left = self.left[position].bit_count()
                if count > size or self.scribe.left.get(position) == left:
                    self.counts[position] = count
                if count < size:
                    played = some(self.played[position].bit_count(), "card")
                    message = f"{self.names[position]} played {played} and had {left} left, but was dealt {size} (G3)"
                    faults.append(Fault("E209", line.line, message, some(size, "card"), some(count, "card")))
        return faults

    def check_left(self) -> None:
        """E209 for a `Left` card that was played or that another `Left` line has, and for hands grown too large."""
        on_table = 0
        for mine in self.played:
            on_table |= mine
        for position, line in sorted(self.lefts.items(), key=lambda item: item[1].line.number):
            left = self.left[position]
            twice = left & on_table
            count = (left | self.played[position]).bit_count()
            if twice:
                message = f"{names_of(twice)} cannot be left with {self.names[position]}: played, or left with another"
                self.faults.append(Fault("E209", line.line, message, None, names_of(twice)))
            elif count > self.sizes[position]:
                size = self.sizes[position]
                message = f"{self.names[position]} played and had left {count} cards, but was dealt {size} (G3)"
                self.faults.append(Fault("E209", line.line, message, f"{size} cards", f"{count} cards"))
            on_table |= left
            self.left[position] &= ~twice
            self.had[position] = self.played[position] | self.left[position]


def not_in_pack(where: Placed) -> Fault:
    """E301: 8♦ stands in any line."""
    return Fault("E301", where, "8♦ is not in the pack (G2)", "one of the 51 cards", "8♦")


def work_out(hand: Hand, positions: dict[str, int], players: tuple[str, ...], scribe: Scribe) -> DealFound:
    """Work out the deal of a hand.

    Args:
        hand: the hand.
        positions: position by name, 0 = left of the dealer.
        players: names by position.
        scribe: what runs and payments say was played and left.

    Returns:
        The deal, with E301 to E304 for recorded deals and E209 for `Left` lines that contradict the plays. Where it
        cannot be worked out, `hands` holds what is known and `counts` what dealing gives (G3).
    """
    worker = _Worker(hand, positions, players, scribe)
    recorded = len(worker.deals) >= len(worker.sizes) - 1
    return worker.from_lines() if recorded else worker.from_plays()


def check_left(hand: Hand, positions: dict[str, int], left: Sequence[int]) -> list[Fault]:
    """Return E209 for each `Left` line that is not what deal and plays leave (masks by position)."""
    faults = []
    lines, _ = lines_by_player(hand.left, positions)
    for position, line in lines.items():
        said = mask_of(card.card for card in line.cards) & PACK
        if said != left[position]:
            really = " ".join(SIGNED[card] for card in cards_in(left[position])) or "nothing"
            message = f"by deal and plays {line.player.text} had {really} left, not {names_of(said) or 'nothing'}"
            faults.append(Fault("E209", line.line, message, really, names_of(said)))
    return faults

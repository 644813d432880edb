"""The chips of each player, followed from hand to hand by what is recorded and by what was owed."""

from collections.abc import Iterable, Mapping
from typing import Final

from comet_hist.audit.names import doubled_names
from comet_hist.engine.facts import Replay
from comet_hist.record import Hand, Session
from comet_hist.standing import Player, Standing

MOST_READINGS: Final = 8
"""As many chip counts are kept in mind for a player. More would be needed only after several slips in a row."""


class Purse:
    """What a player may have in front of them.

    After a slip there is more than one reading of the record: what was recorded, and what should have been. Each counts
    as right when the next stack is judged.

    Attributes:
        readings: the chip counts that may stand now, the recorded one first; None where hands that could not be
            followed leave nothing known. Without chips at the start they count from 0.
        truth: the one of them that follows by what was owed, since the record last agreed with it; None as above.
        anchored: whether the readings are chips, or only chips won since the start.
        brought: chips brought, bought ones included, on the same scale as the readings; None where not known.
        start: chips on the first seat, None where they are not recorded.
        bought: chips bought, and what was sat down with after coming back beyond what was left with.
    """

    __slots__ = ("anchored", "bought", "brought", "readings", "start", "truth")

    def __init__(self, chips: int | None) -> None:
        self.readings: tuple[int, ...] | None = (chips or 0,)
        self.truth: int | None = chips or 0
        self.anchored = chips is not None
        self.brought: int | None = chips or 0
        self.start = chips
        self.bought = 0

    @classmethod
    def of(cls, player: Player) -> "Purse":
        """Return the purse of a player of whose chips nothing is in doubt."""
        purse = cls(player.start)
        purse.readings = (player.chips,) if player.chips == player.truth else (player.chips, player.truth)
        purse.truth, purse.anchored = player.truth, player.anchored
        purse.bought, purse.brought = player.bought, player.brought
        return purse

    def player(self, name: str, seat: int, won: int) -> Player | None:
        """Return whose purse it is, or None where it is in doubt.

        That the truth is beside the record is no doubt: both move alike as long as all is recorded as it is owed.
        """
        if self.readings is None or self.truth is None or self.brought is None:
            return None
        chips, *others = self.readings
        if (chips, *others) != (self.truth,) and not (self.anchored and others == [self.truth]):
            return None
        return Player(name, seat, chips, self.truth, self.anchored, self.start, self.bought, self.brought, won)

    @property
    def chips(self) -> int | None:
        """The chips by the record, None where they are not known."""
        return self.readings[0] if self.readings and self.anchored else None

    @property
    def most(self) -> int | None:
        """The most chips that may be there, None where they are not known."""
        return max(self.readings) if self.readings and self.anchored else None

    def gains(self) -> tuple[int, ...] | None:
        """Return the chips that may have been won so far, by the record first; None where that is not known."""
        if self.readings is None or self.brought is None:
            return None
        return tuple(reading - self.brought for reading in self.readings)

    def buy(self, amount: int) -> None:
        """Add chips from the bank."""
        self.bought += amount
        if self.brought is not None:
            self.brought += amount
        if self.readings is not None:
            self.readings = tuple(reading + amount for reading in self.readings)
        if self.truth is not None:
            self.truth += amount

    def perhaps(self, amount: int) -> None:
        """Keep in mind that the player may have bought chips: a `Buy` line does not say clearly whose they are."""
        self.brought = None
        if self.readings is not None:
            self.readings = _distinct((*self.readings, *(reading + amount for reading in self.readings)))

    def come_back(self, chips: int | None) -> None:
        """Sit down again: with chips from the bank, or with a count that the record does not tell."""
        if self.readings is None:
            self.brought = None
            if chips is not None:
                self._anchor(chips)
            return
        if chips is None:
            self.readings, self.truth, self.anchored = self.readings[:1], self.readings[0], False
            return
        added = chips - self.readings[0]
        if self.anchored:
            self.bought += added
        if self.brought is not None:
            self.brought += added
        self._anchor(chips)

    def _anchor(self, chips: int) -> None:
        """Take a count as it stands."""
        self.readings, self.truth, self.anchored = (chips,), chips, True

    def lose_track(self) -> None:
        """Forget the chips: hands are missing, or could not be followed."""
        self.readings = self.truth = None
        if not self.anchored:
            self.brought = None

    def forget(self) -> None:
        """Forget everything, because two players bear the name (E202)."""
        self.readings = self.truth = self.brought = None

    def due(self, owed: int, recorded: int) -> tuple[int, ...] | None:
        """Return the chips that are right after a hand in which so much was won by the rules, and by the record."""
        if self.readings is None:
            return None
        if owed == recorded:
            return tuple([reading + owed for reading in self.readings])
        return _distinct(reading + won for reading in self.readings for won in (recorded, owed))

    def settle(self, due: tuple[int, ...] | None, owed: int, stack: int | None) -> None:
        """Go on after a hand.

        A stack that follows by what was owed alone leaves nothing else to keep in mind; one that follows by what was
        recorded may be put right later, and after a wrong one anything that should have stood there may come back.

        Args:
            due: the chips that are right, as `due` gave them.
            owed: the chips won by the rules.
            stack: the chips recorded, None where they are not.
        """
        truth = None if self.truth is None else self.truth + owed
        if stack is None:
            self.readings, self.truth = due, truth
        elif due is None or truth is None:
            self._anchor(stack)
        elif not self.anchored:
            if self.brought is not None:
                self.brought += stack - due[0]
            self._anchor(stack)
        elif stack == truth:
            self._anchor(stack)
        else:
            self.readings, self.truth = _distinct((stack, truth) if stack in due else (stack, *due)), truth


def _distinct(readings: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(readings))[:MOST_READINGS]


class Purses:
    """The purses of everybody who ever sat in a session, by name.

    Attributes:
        of: the purses; who left keeps theirs.
    """

    def __init__(self, session: Session) -> None:
        self.of: dict[str, Purse] = {}
        self._table: set[str] = set()
        self._last: Replay | None = None
        for seat in session.seats:
            self._sit(seat.player.text, None if seat.chips is None else seat.chips.count)

    def players(self, seats: Mapping[str, int], won: Mapping[str, int]) -> tuple[Player, ...] | None:
        """Return everybody who ever sat, or None where somebody's chips are in doubt.

        Args:
            seats: the seats of those at the table, by name.
            won: chips that were won in hands of which these purses know nothing.
        """
        if self._table != seats.keys():
            return None
        players = []
        for name, purse in self.of.items():
            player = purse.player(name, seats.get(name, 0), won.get(name, 0))
            if player is None:
                return None
            players.append(player)
        return tuple(players)

    def resume(self, standing: Standing) -> None:
        """Go on below hands that were proved clean by the bulk lane."""
        self.of.update({player.name: Purse.of(player) for player in standing.players})
        self._table = set(standing.table)
        self._last = None

    def before(self, replay: Replay) -> None:
        """Go on to a hand: hands missing before it, players who leave and join (R17), chips bought."""
        hand = replay.hand
        if replay.chain_broken and self._hands_missing(hand):
            for name in self._table:
                self.of[name].lose_track()
        if hand.leaves or hand.seats:
            self._table -= {name.text for name in hand.leaves}
            for seat in hand.seats:
                self._sit(seat.player.text, None if seat.chips is None else seat.chips.count)
        if hand.buys:
            self._buy(hand)
        for name in doubled_names(replay):
            self.of[name].forget()
        self._last = replay

    def skip(self, hand: Hand) -> None:
        """Go on from a hand that was not replayed: only its own `Stacks` line tells the chips after it."""
        recorded = {} if hand.stacks is None else {share.player.text: share.chips.count for share in hand.stacks.shares}
        for name in self._table:
            self.of[name].lose_track()
            self.of[name].settle(None, 0, recorded.get(name))

    def _hands_missing(self, hand: Hand) -> bool:
        """Say whether a broken chain is due to hands missing just before this one, and not to the hand before it.

        That one was skipped, or is void and carried an older break on; its own stacks then hold.
        """
        last = self._last
        if last is None or last.state == "played":
            return True
        if last.state == "void" and not last.chain_broken:
            return True
        number = last.hand.number
        return number is not None and hand.number is not None and hand.number > number + 1

    def _sit(self, name: str, chips: int | None) -> None:
        if name in self._table:
            return
        self._table.add(name)
        if name in self.of:
            self.of[name].come_back(chips)
        else:
            self.of[name] = Purse(chips)

    def _buy(self, hand: Hand) -> None:
        """Add chips bought. A name that stands in a line twice counts once; whose chips the others are is not known."""
        for line in hand.buys:
            named: set[str] = set()
            for share in line.shares:
                name = share.player.text
                if name in self._table and name not in named:
                    named.add(name)
                    self.of[name].buy(share.chips.count)
                else:
                    for other in self._table:
                        self.of[other].perhaps(share.chips.count)

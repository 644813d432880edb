"""A hand dealt by chance and played by strategies, from the first lead to the last card (G3 to G9)."""

from collections.abc import Sequence

from comet_hist.cards import COMET, PACK, cards_in
from comet_hist.engine.table import NOBODY, Move
from comet_hist.simulate.chance import Chance
from comet_hist.simulate.moves import NOTHING, House, is_held, leads, may_stand_in, needed_after
from comet_hist.simulate.strategies import Strategy, View

# Faster than to call `Move`: there are forty in a hand.
_new = tuple.__new__
_PACK = bytes(cards_in(PACK))
_NOTHING = NOTHING
_NOBODY = NOBODY
_COMET = COMET
_ONE = 1


def deal(chance: Chance, players: int) -> list[int]:
    """Deal all 51 cards, one at a time, beginning left of the dealer (G2, G3).

    Args:
        chance: what the pack is shuffled by.
        players: how many are dealt to.

    Returns:
        For each position, 0 = left of the dealer, the mask of its cards.
    """
    pack = bytearray(_PACK)
    hands = [0] * players
    position = 0
    for rest in range(51, 0, -1):
        at = chance.below(rest)
        hands[position] |= _bit(pack[at])
        pack[at] = pack[rest - 1]
        position += 1
        if position == players:
            position = 0
    return hands


class Playing:
    """A hand in play.

    Args:
        hands: for each position the mask of the cards dealt.
        strategies: for each position how it plays.
        house: the rules of play.
        chance: what strategies choose by where they leave it to chance.

    Attributes:
        hands: for each position the mask of the cards still held.
        moves: what was played.
    """

    __slots__ = (
        "_chance", "_comet", "_comets", "_fallen", "_house", "_need", "_opener", "_openings", "_suit", "hands", "moves",
    )  # fmt: skip

    def __init__(self, hands: list[int], strategies: Sequence[Strategy], house: House, chance: Chance) -> None:
        self.hands = list(hands)
        self.moves: list[Move] = []
        self._openings = [strategy.opening for strategy in strategies]
        self._comets = [strategy.comet for strategy in strategies]
        self._house = house
        self._chance = chance
        self._comet = self._holder(_COMET)
        self._fallen = 0
        self._need = _NOTHING
        self._opener = 0
        self._suit = _NOTHING

    def play(self) -> int:
        """Play to the end (G9), and return the position of who went out."""
        while True:
            if self._comet_stands_in():
                player = self._comet
                self._lay(player, _COMET, self._need, False)
            elif self._need != _NOTHING and is_held(self._need, self._fallen):
                player = self._holder(self._need)
                self._lay(player, self._need, self._need, False)
            else:
                player = self._opener
                card = self._lead(player)
                self._suit = card // 13
                self._lay(player, card, card, True)
            if not self.hands[player]:
                return player

    def _comet_stands_in(self) -> bool:
        """Ask whoever holds the Comet, where it may be played, whether it stands for the card needed (G7, G8)."""
        if self._comet == _NOBODY or self._need == _NOTHING:
            return False
        if not may_stand_in(self._need, self._fallen, self._house):
            return False
        return self._plays_comet(self._comet, self._need)

    def _plays_comet(self, player: int, need: int) -> bool:
        return self._comets[player](View(self.hands[player], self._fallen, need, 0, self._luck()))

    def _lead(self, player: int) -> int:
        """Ask whoever opens a run for its first card (G4, G6)."""
        found = leads(self.hands[player], self._suit, self._house)
        comet = _bit(_COMET)
        if found == comet:
            return _COMET
        if found & comet:
            if self._plays_comet(player, _NOTHING):
                return _COMET
            found ^= comet
        return self._openings[player](View(self.hands[player], self._fallen, _NOTHING, found, self._luck()))

    def _lay(self, player: int, card: int, claimed: int, opens: bool) -> None:
        """Lay a card, from which the run goes on as from the one it stands for (G5, G7)."""
        bit = _bit(card)
        self.hands[player] ^= bit
        self._fallen |= bit
        self._need = needed_after(claimed, self._house)
        self._opener = player
        if card == _COMET:
            self._comet = _NOBODY
        self.moves.append(_new(Move, (player, card, None if claimed == card else claimed, opens)))

    def _holder(self, card: int) -> int:
        bit = _bit(card)
        for player, hand in enumerate(self.hands):
            if hand & bit:
                return player
        return _NOBODY

    def _luck(self) -> int:
        return self._chance.number() >> 32


def _bit(card: int) -> int:
    return _ONE << card

"""Plants one slip into a clean night and says where it must be found: the test-bed of “one slip, one finding”.

Two kinds of slips. *Scribe's* slips change the text of a hand that was played right. *Players'* slips happen at the
table: one illegal play, after which everybody plays on and pays by what happened.
"""

import random
from dataclasses import dataclass

from nights import Dealt, Night

from comet_hist.rules import Rules
from comet_hist.simulate.chance import Chance
from comet_hist.simulate.misplays import MISPLAYS, misplayed
from comet_hist.simulate.sheet import Planter, Sheet
from comet_hist.simulate.slips import LOST, PAYMENTS, PLAY, dealer_not_named, hand_number_again, line_twice

PLAYERS = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fanny"]

EVERYWHERE: dict[str, Planter] = {
    slip.__name__: slip for slip in (*PLAY, *PAYMENTS, *LOST) if slip is not dealer_not_named
}
"""By name the slips that may be made in any hand; the dealer must be named in the first alone."""

SCRIBES = {kind: slip for kind, slip in EVERYWHERE.items() if slip not in (*LOST, line_twice, hand_number_again)}
"""Those of them after which every line can be read, and the hand be replayed under its number."""

PLAYERS_KINDS = tuple(MISPLAYS)


@dataclass
class Planted:
    """A night with a slip: its text, and the code, line and column that must be found."""

    text: str
    code: str
    line: int
    column: int


def plant(text: str, hand: int, planter: Planter, chance: Chance) -> Planted | None:
    """Plant a slip into a hand of a night; None where the hand gives no occasion."""
    lines = text.split("\n")
    start = lines.index(f"Hand {hand}")
    stop = next(at for at in range(start, len(lines)) if not lines[at])
    names = [line.split()[2] for line in lines if line.startswith("Seat ")]
    sheet = Sheet(lines[start:stop], names)
    slip = planter(sheet, chance)
    if slip is None:
        return None
    planted = "\n".join([*lines[:start], *sheet.lines, *lines[stop:]])
    return Planted(planted, slip.code, start + slip.at + 1, slip.column)


def scribes_slip(kind: str, seed: int, players: int, items: str, rules: Rules) -> Planted | None:
    """Plant a scribe's slip of a kind into the second of three hands; None where that hand gives no occasion."""
    night = Night(seed, PLAYERS[:players], rules, items)
    return plant(night.text(3), 2, EVERYWHERE[kind], Chance(seed))


def players_slip(kind: str, seed: int, players: int, items: str, rules: Rules) -> Planted | None:
    """Let one player make one illegal play of a kind (`PLAYERS_KINDS`) in the second hand."""
    night = _NightWithSlip(seed, PLAYERS[:players], rules, items, kind=kind)
    text = night.text(3)
    if night.slip is None:
        return None
    lines = text.split("\n")
    start = lines.index("Hand 2")
    sheet = Sheet(lines[start:], night.names)
    plays = [(at, name, card) for at in sheet.find("Run:") for name, card in sheet.pairs(at)]
    at, name, card = plays[night.slip]
    slip = sheet.slip(kind, at, name if kind == "E401" else card)
    return Planted(text, kind, start + slip.at + 1, slip.column)


@dataclass
class _NightWithSlip(Night):
    """A night in whose second hand a player makes a slip, if there is an occasion: the play of an index."""

    kind: str = ""
    slip: int | None = None

    def played(self, number: int, rng: random.Random, players: int) -> Dealt:
        fair = super().played(number, rng, players)
        if number != 2:
            return fair
        wrong = misplayed(self.kind, fair.hands, self.rules, Chance(self.seed))
        if wrong is None:
            return fair
        hand, self.slip = wrong
        return Dealt(list(hand.hands), hand.moves, list(hand.left), hand.winner)

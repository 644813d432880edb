"""Players' slips: one illegal play in a hand, after which everybody plays on and pays by what happened (R16)."""

from typing import Final

from comet_hist.cards import COMET, cards_in, suit_of
from comet_hist.engine.table import NOBODY, Move, Table
from comet_hist.rules import Rules
from comet_hist.simulate.chance import Chance
from comet_hist.simulate.evening import Played

MISPLAYS: Final = {
    "E401": "opened out of turn",
    "E402": "opened with a card that was not the lowest",
    "E405": "played a card that does not follow",
    "E406": "let the run stop though it could go on",
    "E408": "let the Comet stand for a wrong card",
    "E410": "let the Comet stand for a card where no run was under way",
    "E411": "broke a house rule",
}
"""What goes wrong, by the code of the finding that must answer it."""

_ATTEMPTS: Final = 8
_FIRST: Final = 3
_LAST: Final = 25
"""The plays, counted from 0, between which the slip may be made."""


def misplayed(code: str, hands: list[int], rules: Rules, chance: Chance) -> tuple[Played, int] | None:
    """Let everybody play a hand at random, and one of them make one illegal play.

    Args:
        code: one of `MISPLAYS`.
        hands: for each position the mask of the cards dealt.
        rules: what is played by.
        chance: what is played by chance.

    Returns:
        The hand, and the index of the play that the finding points at; None where the hand gave no occasion.
    """
    if code == "E405" and not rules.card:
        # Without a payment for cards left nobody can tell it from a card that the scribe left out.
        return None
    for _ in range(_ATTEMPTS):
        if found := _attempt(code, hands, rules, chance):
            return found
    return None


def _attempt(code: str, hands: list[int], rules: Rules, chance: Chance) -> tuple[Played, int] | None:
    table = Table(rules, hands)
    from_play = _FIRST + chance.below(_LAST - _FIRST)
    moves: list[Move] = []
    slip: int | None = None
    while table.winner is None:
        wrong: list[Move] = []
        if slip is None and len(moves) >= from_play:
            wrong = _early_stops(table) if code == "E406" else wrong_moves(table, code)
        if wrong:
            slip = len(moves)
        move = chance.choice(wrong) if wrong else _fair(table, chance)
        table.play(move)
        moves.append(move)
    if slip is None or slip == len(moves) - 1:
        return None
    return Played(hands, moves, table.hands, table.winner), slip - (code == "E406")


def _fair(table: Table, chance: Chance) -> Move:
    """Return a legal play, with the Comet held back more often than not."""
    legal = list(table.legal())
    plain = [move for move in legal if move.card != COMET]
    return chance.choice(plain if plain and chance.below(10) < 6 else legal)


def wrong_moves(table: Table, code: str) -> list[Move]:
    """Return the plays that are wrong in exactly the one way that a code stands for."""
    comet = table.holder(COMET)
    if code in ("E408", "E410"):
        return _wrong_stand_ins(table, code, comet) if comet != NOBODY else []
    if code == "E411" and table.need and comet != NOBODY:
        stand_ins = [Move(comet, COMET, card, False) for card in cards_in(table.need)]
        return [move for move in stand_ins if table.objection(*move) == code]
    if (code in ("E401", "E402")) != table.stopped() and code != "E411":
        return []
    return [
        Move(player, card, None, opens)
        for player, hand in enumerate(table.hands)
        for card in cards_in(hand)
        for opens in (True, False)
        # A bare 9d further on in a run is the Comet standing for the card needed.
        if (opens or card != COMET)
        and (table.stopped() or not opens)
        and table.objection(player, card, None, opens) == code
        and not (code == "E401" and opens and not table.leads(player) >> card & 1)
    ]


def _wrong_stand_ins(table: Table, code: str, comet: int) -> list[Move]:
    """Return what the Comet would stand for wrongly: a card not needed, or any where no run is under way."""
    if code == "E408":
        return [Move(comet, COMET, card, False) for card in range(52) if table.need and not table.need >> card & 1]
    if not (table.stopped() and table.laid and table.openers >> comet & 1):
        return []
    return [Move(comet, COMET, card, True) for card in range(52) if not table.need >> card & 1]


def _early_stops(table: Table) -> list[Move]:
    """Return openings by who may open, though the run need not stop, in another suit."""
    if table.stopped():
        return []
    player = table.openers.bit_length() - 1
    return [
        Move(player, card, None, True)
        for card in cards_in(table.leads(player))
        if not table.need >> card & 1 and suit_of(card) != table.suit
    ]

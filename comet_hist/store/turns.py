"""Whose card it is: what a table says of its next play, as a short text.

A text has five parts with `|` between:

* the cards that the run needs next, with blanks between; none, where no run is under way or the hand is over;
* why nobody can go on: `out`, `king`, `gap` or `played`; empty where somebody can;
* the positions of who may open the next run, one digit each, 1 = left of the dealer; none, where the run goes on;
* the cards that may be played by the rules, with blanks between, the Comet with what it would stand for: `9d=8d`;
* the cards on the table of which nobody knows who played them.

After a fault there may be two cards that are needed, or two who may open.
"""

from collections.abc import Iterator, Sequence

from comet_hist.cards import NAMES, cards_in
from comet_hist.engine.facts import Laid
from comet_hist.engine.position import Watched
from comet_hist.engine.table import Table


def turn(table: Table, played: int) -> str:
    """Return what a table says of its next play.

    Args:
        table: the table after some plays.
        played: mask of the cards of these plays.
    """
    moves = [NAMES[move.card] + _meant(move.stands_for) for move in table.legal()]
    over = table.winner is not None
    parts = (
        "" if over else _cards(table.need),
        "" if table.suit is None else table.stop_reason() or "",
        "" if over or not table.stopped() else "".join(str(position + 1) for position in cards_in(table.openers)),
        " ".join(moves),
        _cards(table.laid & ~played),
    )
    return "|".join(parts)


def turns(watched: Watched, plays: Sequence[Laid]) -> Iterator[str]:
    """Give what the table says after the deal, and after each play."""
    played = 0
    for ply, table in enumerate(watched.tables):
        if ply:
            played |= 1 << plays[ply - 1].card
        yield turn(table, played)


def _cards(mask: int) -> str:
    return " ".join(NAMES[card] for card in cards_in(mask))


def _meant(stands_for: int | None) -> str:
    return "" if stands_for is None else f"={NAMES[stands_for]}"

"""A hand watched card by card: the table after each play, as the replay went through it, faults and all."""

from typing import NamedTuple

from comet_hist.engine.facts import Replay
from comet_hist.engine.hand import replay_hand
from comet_hist.engine.table import Table
from comet_hist.record import Play
from comet_hist.rules import Rules


class Watched(NamedTuple):
    """A hand at every ply.

    Attributes:
        tables: `tables[k]` is the table after k plays, `tables[0]` after the deal.
        written: `written[k]` is the recorded play at which play k + 1 was laid. Where the two have different cards, the
            scribe left the card out and it was taken as played.
    """

    tables: list[Table]
    written: list[Play]

    def left_out(self, replay: Replay, ply: int) -> bool:
        """Say whether the card of a ply (1-based) is not in the record, but was taken as played."""
        return replay.laid[ply - 1].card != self.written[ply - 1].card


def watch(replay: Replay, rules: Rules) -> Watched:
    """Go through a replayed hand again and keep the table at every ply.

    Args:
        replay: the hand; a void or unread one has no positions.
        rules: the session's.

    Returns:
        One table more than `replay.laid` has plays, each in the state from which the next play was judged: after a
        fault it may hold two cards that may follow, or two players who may open.
    """
    watched = Watched([], [])
    if not replay.players:
        return watched

    def look(play: Play | None, table: Table) -> None:
        watched.tables.append(table.copy())
        if play is not None:
            watched.written.append(play)

    replay_hand(replay.hand, rules, replay.seated, replay.players, look)
    return watched

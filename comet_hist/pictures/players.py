"""The players: chips won per hand, and how often they went out, with intervals."""

from typing import Final

from comet_hist.findings import some
from comet_hist.pictures.intervals import Block, Dot, Intervals, mean_dot
from comet_hist.pictures.labels import foremost, records, short_names
from comet_hist.store.query import Table

MOST: Final = 30
"""The most players that are drawn."""

_NAME: Final = 28


def standings(table: Table) -> Intervals | None:
    """Return the picture of the view `players`, or None if there is nobody."""
    everybody = records(table)
    if not everybody:
        return None
    people, shown = foremost(everybody, MOST, "hands", "with the most hands")
    names = short_names([player["player"] for player in people], _NAME)
    block = Block(
        None,
        [f"{name}, {some(player['hands'], 'hand')}" for name, player in zip(names, people, strict=True)],
        [mean_dot(player["net_hand"], player["net_se"]) for player in people],
        [
            Dot(player["win_rate"], player["win_low"], player["win_high"], player["expected_wins"] / player["hands"])
            for player in people
        ],
    )
    return Intervals("Chips won and hands won", shown, "the mean of 1 / players over their hands", [block])

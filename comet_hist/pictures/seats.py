"""The seats: what a place after the dealer is worth, at each size of table."""

from itertools import groupby

from comet_hist.findings import some
from comet_hist.pictures.intervals import Block, Dot, Intervals, mean_dot
from comet_hist.pictures.labels import records
from comet_hist.store.query import Table


def places(table: Table) -> Intervals | None:
    """Return the picture of the positions of the view `seats`, or None if there are none."""
    rows = [row for row in records(table) if row["by"] == "position"]
    if not rows:
        return None
    rows.sort(key=lambda row: (row["players"], int(row["value"])))
    blocks = []
    for size, group in groupby(rows, key=lambda row: int(row["players"])):
        seats = list(group)
        labels = [f"{_place(int(row['value']), size)}, {some(row['hands'], 'hand')}" for row in seats]
        nets = [mean_dot(row["net_mean"], row["net_se"]) for row in seats]
        wins = [Dot(row["win_rate"], row["win_low"], row["win_high"], row["expected_rate"]) for row in seats]
        blocks.append(Block(f"{size} players", labels, nets, wins))
    return Intervals("What a seat is worth", "By place after the dealer", "1 / players", blocks)


def _place(position: int, size: int) -> str:
    """Return a place in words.

    >>> _place(1, 4), _place(3, 4), _place(4, 4)
    ('1, left of dealer', '3', '4, dealer')
    """
    if position == size:
        return f"{position}, dealer"
    return f"{position}, left of dealer" if position == 1 else str(position)

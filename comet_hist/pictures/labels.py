"""Names and numbers as labels: cut to their room and yet distinct, and moved apart so that none covers another."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from wcwidth import wcswidth, wcwidth

from comet_hist.cli.output.characters import visible
from comet_hist.findings import some
from comet_hist.store.query import Table


def records(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a statistic by the names of its columns."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def foremost(
    players: list[dict[str, Any]], most: int, column: str, why: str
) -> tuple[list[dict[str, Any]], str]:
    """Return at most so many players, those with the most of a column, in their order; and how many that are of all.

    Args:
        players: their records.
        most: how many are drawn.
        column: what decides.
        why: the same in words, such as “with the most hands”.
    """
    if len(players) <= most:
        return players, some(len(players), "player")
    ranked = sorted(range(len(players)), key=lambda at: -players[at][column])
    people = [players[at] for at in sorted(ranked[:most])]
    return people, f"The {most} of {len(players)} players {why}"


def short_names(names: Sequence[str], room: int) -> list[str]:
    """Return names that take at most so many columns; what is cut has an … in it, and different names stay different.

    Args:
        names: different names, whatever characters they are of.
        room: columns of a terminal, at least 8; wide characters take two.

    >>> short_names(["Anna", "Maximilian the Elder", "Maximilian the Younger"], 10)
    ['Anna', 'Maxim…lder', 'Maxim…nger']
    """
    shown = [visible(name) for name in names]
    cut = [name if columns(name) <= room else _start(name, room - 1) + "…" for name in shown]
    counts = Counter(cut)
    if len(counts) < len(cut):
        cut = [
            label if counts[label] == 1 else _middle(name, room) for name, label in zip(shown, cut, strict=True)
        ]
    return _numbered(cut, room)


def columns(text: str) -> int:
    """Return the columns that visible text takes in a terminal, which is also a measure of its width in print."""
    return max(0, wcswidth(text))


def spread(wished: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places for labels, in the order given, that lie at least a gap apart and near to those wished for.

    They lie between `low` and `high` if there is room for them; else they go on beyond `high`.

    >>> spread([10, 11, 50], 4, 0, 100)
    [8.5, 12.5, 50.0]
    """
    order = sorted(range(len(wished)), key=lambda at: wished[at])
    # Labels that touch move as one block, whose middle stays where its members wish on average.
    blocks: list[tuple[float, int]] = []
    for at in order:
        middle, count = wished[at], 1
        middle = min(max(middle, low), max(low, high))
        while blocks and middle - (count - 1) * gap / 2 < blocks[-1][0] + (blocks[-1][1] + 1) * gap / 2:
            before, members = blocks.pop()
            middle = (before * members + middle * count) / (members + count)
            count += members
            reach = (count - 1) * gap / 2
            middle = max(min(middle, high - reach), low + reach)
        blocks.append((middle, count))
    flat = [middle + (place - (count - 1) / 2) * gap for middle, count in blocks for place in range(count)]
    places = [0.0] * len(wished)
    for at, place in zip(order, flat, strict=True):
        places[at] = place
    return places


def signed(chips: float, places: int = 0) -> str:
    """Return an amount of chips with its sign, as it is written in text.

    >>> signed(1234), signed(-0.5, 1), signed(0)
    ('+1,234', '−0.5', '0')
    """
    text = f"{abs(chips):,.{places}f}"
    if not float(text.replace(",", "")):
        return text
    return ("+" if chips > 0 else "−") + text


def _start(text: str, room: int) -> str:
    """Return as much of the start of a text as fits, not ending within a composed sign."""
    kept = ""
    for sign in text:
        if columns(kept + sign) > room:
            break
        kept += sign
    return kept.rstrip("\u200d ")


def _end(text: str, room: int) -> str:
    kept = ""
    for sign in reversed(text):
        if columns(sign + kept) > room:
            break
        kept = sign + kept
    while kept and wcwidth(kept[0]) <= 0:
        kept = kept[1:]
    return kept


def _middle(text: str, room: int) -> str:
    """Return a text with its middle cut out."""
    half = (room - 1) // 2
    return _start(text, room - 1 - half) + "…" + _end(text, half) if columns(text) > room else text


def _numbered(labels: list[str], room: int) -> list[str]:
    """Return labels of which those that are the same as one before have got a number."""
    taken: set[str] = set()
    result = []
    for label in labels:
        unique, number = label, 1
        while unique in taken:
            number += 1
            mark = f" ({number})"
            unique = _start(label, room - len(mark)) + mark
        taken.add(unique)
        result.append(unique)
    return result

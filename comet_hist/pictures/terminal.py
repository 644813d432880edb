"""The pictures drawn in the terminal, of signs: they are told apart by letters, and by colour only besides."""

from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from textwrap import wrap
from typing import Final

import click

from comet_hist.pictures import comet, pairs
from comet_hist.pictures.comet import Comets
from comet_hist.pictures.intervals import BARS, Block, Dot, Intervals, Measure
from comet_hist.pictures.labels import columns, short_names, signed, spread
from comet_hist.pictures.pairs import Square
from comet_hist.pictures.timeline import TITLE, Timeline

LEAST_WIDTH: Final = 60
"""Columns that a picture takes at least."""

_HEIGHT: Final = 20
_LETTERS: Final = ascii_uppercase
_LEAST_NIGHT: Final = 4
"""Columns that a session takes on average where their boundaries are drawn."""
_NAME: Final = 20
_COLOURS: Final = ("blue", "red", "green", "yellow", "magenta", "cyan", "bright_blue", "bright_red")
_SHADES: Final = " ░▒▓█"


def timeline_lines(picture: Timeline, width: int, colour: bool) -> Iterator[str]:
    """Give the timeline: a letter for each named player in each column, and their names and chips at the right.

    Where several are at the same place the one who has won most in the end is seen.

    Args:
        picture: what is drawn.
        width: columns, at least `LEAST_WIDTH`.
        colour: whether to write in colour.
    """
    people = picture.named()
    ends = [picture.lines[player][-1][1] for player in people]
    totals = [chips for player in people for _, chips in picture.lines[player]]
    low, high = min(totals), max(totals)
    step = (high - low) / (_HEIGHT - 1) or 1
    names = short_names(people, min(_NAME, width // 3))
    labels = [f" {_LETTERS[at]} {name} {signed(ends[at])}" for at, name in enumerate(names)]
    marks = {round((high - chips) / step): signed(chips) for chips in (low, high, 0)}
    left = max(map(len, marks.values())) + 1
    grid = _grid(picture, people, width - left - 1 - max(map(columns, labels)), high, step)
    places = spread([(high - end) / step for end in ends], 1, 0, _HEIGHT - 1)
    beside = {round(at): _styled(labels[place], place, colour) for place, at in enumerate(places)}
    parted = ". Dotted lines part the sessions" if any("┊" in row for row in grid) else ""
    yield from _heading(TITLE, [f"{picture.about('drawn')}{parted}."], width)
    for at, row in enumerate(grid):
        drawn = "".join(_styled(sign, _LETTERS.index(sign), colour) if sign in _LETTERS else sign for sign in row)
        yield f"{marks.get(at, ''):>{left}}│{drawn}{beside.get(at, '')}".rstrip()
    last = f"{picture.last:,}"
    yield f"{'':{left}}└{'─' * len(grid[0])}"
    yield f"{'':{left}} 0{'hand':^{len(grid[0]) - 1 - len(last)}}{last}"


def _grid(picture: Timeline, people: Sequence[str], room: int, high: int, step: float) -> list[list[str]]:
    """Return the signs of the timeline, row by row, of which the top one is at `high` and each a step lower."""
    grid = [[" "] * room for _ in range(_HEIGHT)]
    grid[round(high / step)] = ["·"] * room
    if len(picture.nights) <= room // _LEAST_NIGHT:
        for night in picture.nights[1:]:
            for row in grid:
                row[night.first * room // (picture.last + 1)] = "┊"
    for place, player in reversed(list(enumerate(people))):
        for at, chips in enumerate(_sampled(picture, player, room)):
            if chips is not None:
                grid[round((high - chips) / step)][at] = _LETTERS[place]
    return grid


def interval_lines(picture: Intervals, width: int, colour: bool) -> Iterator[str]:
    """Give rows of dots with their intervals: first chips won, then hands won; see `timeline_lines`."""
    net, win = picture.measures()
    even = f"◇ what an even game gives: {picture.even}."
    yield from _heading(picture.title, [f"{picture.about}. {BARS}", even], width)
    for measure in (net, win):
        for block in picture.blocks:
            yield ""
            yield from _rows_of_dots(block, block.nets if measure is net else block.wins, measure, width)


def _rows_of_dots(block: Block, dots: Sequence[Dot], measure: Measure, width: int) -> Iterator[str]:
    left = max(map(columns, block.labels))
    values = [_value(dot, measure) for dot in dots]
    right = max(map(len, values)) + 1
    room = max(8, width - left - right - 1)
    yield f"{measure.title}, {block.name}" if block.name else measure.title
    for label, dot, value in zip(block.labels, dots, values, strict=True):
        yield f"{_padded(label, left)} {_interval(dot, measure, room)} {value}".rstrip()


def _interval(dot: Dot, measure: Measure, room: int) -> str:
    """Return a dot on its axis, with the line at 0 and the diamond of an even game."""

    def across(value: float) -> int:
        return round((value - measure.low) / (measure.high - measure.low) * (room - 1))

    row = [" "] * room
    if dot.low is not None and dot.high is not None:
        start, end = across(dot.low), across(dot.high)
        row[start : end + 1] = "├" + "─" * (end - start - 1) + "┤" if end > start else "│"
    if measure.signed:
        row[across(0)] = "┼" if row[across(0)] == "─" else "│"
    if dot.expected is not None:
        row[across(dot.expected)] = "◇"
    if dot.value is not None:
        row[across(dot.value)] = "●"
    return "".join(row)


def _value(dot: Dot, measure: Measure) -> str:
    if dot.value is None:
        return ""
    return signed(dot.value, 2) if measure.signed else f"{dot.value:.0%}"


def comet_lines(picture: Comets, width: int, colour: bool) -> Iterator[str]:
    """Give the bars of the Comet, each part drawn in its first letter; see `timeline_lines`."""
    yield from _heading(comet.TITLE, [picture.about, comet.MEANING], width)
    for counts, parts in ((picture.outcomes, comet.OUTCOMES), (picture.uses, comet.USES)):
        yield ""
        yield "  ".join(_styled(f"{part[0]} {part}", place, colour) for place, part in enumerate(parts))
        left = max(map(columns, picture.labels))
        numbers = [" ".join(f"{part[0]}{of}" for part, of in zip(parts, row, strict=True) if of) for row in counts]
        room = max(8, width - left - 2 - max(map(len, numbers)))
        for label, row, number in zip(picture.labels, counts, numbers, strict=True):
            yield f"{_padded(label, left)} {_bar(row, parts, room, colour)} {number}".rstrip()


def _bar(counts: Sequence[int], parts: Sequence[str], room: int, colour: bool) -> str:
    whole = sum(counts)
    if not whole:
        return " " * room
    before, drawn = 0, ""
    for place, (count, part) in enumerate(zip(counts, parts, strict=True)):
        length = round((before + count) / whole * room) - round(before / whole * room)
        drawn += _styled(part[0] * length, place, colour)
        before += count
    return drawn


def pair_lines(picture: Square, width: int, colour: bool) -> Iterator[str]:
    """Give the square of who paid whom, in several parts where it is too wide; see `timeline_lines`."""
    most = picture.most()
    yield from _heading(pairs.TITLE, [f"{picture.about}. {pairs.WHAT}; darker is more.", pairs.NEVER], width)
    letters = _LETTERS[: len(picture.names)]
    labels = [f"{letter} {name}" for letter, name in zip(letters, picture.names, strict=True)]
    left = max(map(columns, labels))
    cell = len(f"{most:,}") + 2
    at_once = max(1, (width - left) // cell)
    for first in range(0, len(letters), at_once):
        part = slice(first, first + at_once)
        yield ""
        yield f"{'paid ↓ to →':{left}}"[:left] + "".join(f"{letter:>{cell - 1}} " for letter in letters[part]).rstrip()
        for label, row in zip(labels, picture.paid, strict=True):
            cells = "".join(_cell(amount, most, cell) for amount in row[part])
            yield f"{_padded(label, left)}{cells}".rstrip()


def _cell(amount: int | None, most: int, width: int) -> str:
    if amount is None:
        return " " * width
    return f"{amount:>{width - 1},}{_SHADES[round(amount / (most or 1) * (len(_SHADES) - 1))]}"


def _heading(title: str, about: Sequence[str], width: int) -> Iterator[str]:
    yield title
    for line in about:
        yield from wrap(line, width)


def _sampled(picture: Timeline, player: str, room: int) -> Iterator[int | None]:
    """Give a player's chips at the last hand of each column, None before they came."""
    points = iter(picture.lines[player])
    chips, following = None, next(points, None)
    for at in range(room):
        last = (at + 1) * (picture.last + 1) // room - 1
        while following is not None and following[0] <= last:
            chips, following = following[1], next(points, None)
        yield chips


def _styled(text: str, place: int, colour: bool) -> str:
    return click.style(text, fg=_COLOURS[place % len(_COLOURS)]) if colour else text


def _padded(text: str, room: int) -> str:
    return text + " " * (room - columns(text))

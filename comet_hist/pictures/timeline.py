"""The timeline: what each player has won so far, after every hand."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.findings import some
from comet_hist.pictures.colours import CROWD, DASHES, RULE, SERIES, SOFT
from comet_hist.pictures.labels import columns, short_names, signed, spread
from comet_hist.pictures.style import COLUMN, TEXT, finished, rows_of, signed_labels
from comet_hist.store.query import Table

if TYPE_CHECKING:
    import altair as alt
    from altair.typing import ChartType

TITLE: Final = "Chips won, hand by hand"

MOST_NAMED: Final = len(SERIES)
"""The most players who get a colour and a name."""

MOST_POINTS: Final = 2000
"""The most points of a line: more than the picture has pixels from left to right."""

_MOST_SESSIONS: Final = 60
"""The most sessions between which boundaries are drawn."""

_NIGHT: Final = 16
"""The columns that the name of a session takes at most."""

_LEAST_NIGHT: Final = 18
"""The pixels of a session, above which its name can stand aslant and leave its neighbours room."""

_WIDTH: Final = 720
_HEIGHT: Final = 400
_LABEL: Final = 17
"""Pixels from a label at the end of a line to the next."""

Point = tuple[int, int]
"""The number of a hand, 0 before the first, and the chips won by its end."""


class Night(NamedTuple):
    """A session on the timeline: its name there, and its first and last hand by number."""

    name: str
    first: int
    last: int


class Timeline(NamedTuple):
    """What the timeline draws.

    Attributes:
        hands: how many hands.
        last: the number of the last one, counted over all players, also those who are not drawn.
        lines: of each player, the one with the most hands first, the points before and after the hands they played in.
        nights: the sessions, in order.
    """

    hands: int
    last: int
    lines: dict[str, list[Point]]
    nights: list[Night]

    def named(self) -> list[str]:
        """Return the players who get a name: those with the most hands, most chips won first."""
        return sorted(list(self.lines)[:MOST_NAMED], key=lambda player: -self.lines[player][-1][1])

    def about(self, named: str) -> str:
        """Return of how many hands it is, and who alone is `named`, in whatever word says how they are."""
        text = f"{some(self.hands, 'hand')} in {some(len(self.nights), 'session')}"
        if len(self.lines) > MOST_NAMED:
            text += f"; {named} are the {MOST_NAMED} of {len(self.lines)} players with the most hands"
        return text


def timeline(table: Table) -> Timeline | None:
    """Return what the timeline draws of the view `timeline`, or None if there is no hand."""
    if not table.rows:
        return None
    at = {name: place for place, name in enumerate(table.columns)}
    number, player, total = at["number"], at["player"], at["total_net"]
    session, date = at["session"], at["date"]
    lines: dict[str, list[Point]] = {}
    played = Counter[str]()
    nights: list[Night] = []
    numbers = set()
    before = None
    for row in table.rows:
        name, hand = row[player], row[number]
        points = lines.setdefault(name, [(hand - 1, 0)])
        if points[-1][0] < hand - 1:
            points.append((hand - 1, points[-1][1]))
        points.append((hand, int(row[total] or 0)))
        played[name] += 1
        numbers.add(hand)
        if row[session] != before:
            before = row[session]
            nights.append(Night(str(row[date] or before), hand, hand))
        elif hand > nights[-1].last:
            nights[-1] = nights[-1]._replace(last=hand)
    busiest = {name: lines[name] for name, _ in played.most_common()}
    return Timeline(len(numbers), table.rows[-1][number], busiest, nights)


def chart(data: Timeline) -> "ChartType":
    """Return the timeline as a chart."""
    import altair as alt

    totals = [total for points in data.lines.values() for _, total in points]
    margin = max(1.0, (max(totals) - min(totals)) * 0.05)
    low, high = min(totals) - margin, max(totals) + margin
    x = alt.X("hand:Q", scale=alt.Scale(domain=[0, data.last], nice=False), title="hand").axis(
        grid=False, format=",d", tickCount=min(10, data.last)
    )
    y = alt.Y("chips:Q", scale=alt.Scale(domain=[low, high], nice=False), title="chips won so far").axis(
        tickMinStep=1, **signed_labels(",d")
    )
    layers = [*_boundaries(data, x), *_zero(y), *_crowd(data, x, y), *_lines(data, x, y), *_ends(data, x, y, low, high)]
    lines = alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT)
    parted = ". Upright lines part the sessions" if 1 < len(data.nights) <= _MOST_SESSIONS else ""
    about = [data.about("named") + parted + "."]
    if any(len(points) > MOST_POINTS for points in data.lines.values()):
        about.append("Lines go through the highest and the lowest of each stretch of hands.")
    return finished(lines, TITLE, *about)


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Return at most so many points of a line: of each of equal stretches the first, lowest, highest and last.

    Drawn in no more columns than there are stretches it looks the same as with all of them.

    >>> thinned([(0, 0), (1, 5), (2, -3), (3, 4), (4, 4), (5, 4)], 4)
    [(0, 0), (1, 5), (2, -3), (5, 4)]
    """
    if len(points) <= most:
        return list(points)
    stretches = most // 4
    ends = [len(points) * stretch // stretches for stretch in range(stretches + 1)]
    kept: list[Point] = []
    for start, end in pairwise(ends):
        part = points[start:end]
        chosen = {part[0], part[-1], min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])}
        kept += sorted(chosen)
    return kept


def _line_rows(data: Timeline, player: str, key: str) -> list[dict[str, Any]]:
    """Return the points of a player, who has the same chips from the last hand played to the end of the picture."""
    points = thinned(data.lines[player])
    if points[-1][0] < data.last:
        points.append((data.last, points[-1][1]))
    return [{"player": key, "hand": hand, "chips": chips} for hand, chips in points]


def _lines(data: Timeline, x: "alt.X", y: "alt.Y") -> "list[alt.Chart]":
    """Return the lines of those who are named, each with its own dashes; the first lies above the others."""
    import altair as alt

    lines = []
    for place, player in reversed(list(enumerate(data.named()))):
        mark: dict[str, Any] = {"color": SERIES[place].light, "strokeDash": list(DASHES[place])}
        name = short_names([player], 40)[0]
        lines.append(
            alt.Chart(rows_of(_line_rows(data, player, name)))
            .mark_line(strokeWidth=2.2, strokeJoin="round", **mark)
            .encode(x=x, y=y, tooltip=["player:N", "hand:Q", "chips:Q"])
        )
    return lines


def _crowd(data: Timeline, x: "alt.X", y: "alt.Y") -> "list[alt.Chart]":
    """Return the lines of all others, in grey."""
    import altair as alt

    others = list(data.lines)[MOST_NAMED:]
    if not others:
        return []
    most = max(100, MOST_POINTS * MOST_NAMED // len(others))
    rows = [
        {"line": place, "hand": hand, "chips": chips}
        for place, player in enumerate(others)
        for hand, chips in thinned(data.lines[player], most)
    ]
    mark: dict[str, Any] = {"color": CROWD.light, "strokeWidth": 1}
    return [alt.Chart(rows_of(rows)).mark_line(**mark).encode(x=x, y=y, detail="line:N")]


def _boundaries(data: Timeline, x: "alt.X") -> "list[alt.Chart]":
    """Return the lines between sessions, and their names above them, aslant or not at all where they have no room."""
    import altair as alt

    if not 1 < len(data.nights) <= _MOST_SESSIONS:
        return []
    ends = {night.first - 1 for night in data.nights} | {night.last for night in data.nights}
    between = rows_of([{"hand": hand} for hand in sorted(ends - {0, data.last})])
    layers = [alt.Chart(between).mark_rule(color=RULE.light).encode(x=x)]
    names = short_names([night.name for night in data.nights], _NIGHT)
    rows = [
        {"hand": (night.first - 1 + night.last) / 2, "name": name}
        for night, name in zip(data.nights, names, strict=True)
    ]
    room = [(night.last - night.first + 1) * _WIDTH / data.last for night in data.nights]
    mark: dict[str, Any] = {"baseline": "bottom", "color": SOFT.light, "fontSize": TEXT - 1}
    if any(columns(name) * COLUMN + 8 > pixels for name, pixels in zip(names, room, strict=True)):
        mark |= {"angle": 320, "align": "left"}
    if min(room) > _LEAST_NIGHT:
        layers.append(alt.Chart(rows_of(rows)).mark_text(**mark).encode(x=x, y=alt.value(-6), text="name:N"))
    return layers


def _zero(y: "alt.Y") -> "list[alt.Chart]":
    import altair as alt

    return [alt.Chart(rows_of([{"chips": 0}])).mark_rule(color=SOFT.light, strokeWidth=1).encode(y=y)]


def _ends(data: Timeline, x: "alt.X", y: "alt.Y", low: float, high: float) -> "list[alt.Chart]":
    """Return the names at the ends of the lines, moved apart, each with a piece of its line that leads to it."""
    import altair as alt

    people = data.named()
    ends = [data.lines[player][-1][1] for player in people]
    pixels = [(high - end) / (high - low) * _HEIGHT for end in ends]
    places = spread(pixels, _LABEL, 0, _HEIGHT)
    # Beyond the last hand the scales go on, so that what stands there is placed by them too.
    def beside(right: float, down: float) -> dict[str, float]:
        return {"hand": data.last * (1 + right / _WIDTH), "chips": high - (high - low) * down / _HEIGHT}

    layers = []
    names = short_names(people, 24)
    for place, (name, end, start, label) in enumerate(zip(names, ends, pixels, places, strict=True)):
        mark: dict[str, Any] = {"color": SERIES[place].light, "strokeDash": list(DASHES[place])}
        lead = rows_of([beside(3, start), beside(15, label), beside(40, label)])
        text = rows_of([beside(45, label) | {"label": f"{name}  {signed(end)}"}])
        layers.append(alt.Chart(lead).mark_line(strokeWidth=2.2, clip=False, **mark).encode(x=x, y=y))
        layers.append(
            alt.Chart(text)
            .mark_text(align="left", baseline="middle", clip=False)
            .encode(x=x, y=y, text="label:N")
        )
    return layers

"""Rows of dots with their intervals: how much, and how sure."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.pictures.colours import INK, SERIES, SOFT
from comet_hist.pictures.style import finished, rows_of, signed_labels

if TYPE_CHECKING:
    from altair.typing import ChartType

ERRORS: Final = 2
"""Standard errors on either side of a mean: with many hands the interval holds the true mean 95 times of 100."""

BARS: Final = f"Chips: mean ± {ERRORS} standard errors; hands won: 95 % interval."
"""What is drawn of the two."""

STEP: Final = 27
"""Pixels from a row to the next."""

_WIDTH: Final = 290


class Dot(NamedTuple):
    """A value with its interval, and what an even game would give; None where there is none."""

    value: float | None
    low: float | None
    high: float | None
    expected: float | None = None


class Measure(NamedTuple):
    """What the dots of a panel are.

    Attributes:
        title: their name, with the unit.
        signed: chips with their sign, and a line at 0; else shares in percent.
        low: the left end of the axis.
        high: the right end.
    """

    title: str
    signed: bool
    low: float
    high: float


def mean_dot(mean: float | None, error: float | None) -> Dot:
    """Return a mean with its interval, which is missing where there is no standard error."""
    if mean is None or error is None:
        return Dot(None if mean is None else float(mean), None, None)
    return Dot(float(mean), float(mean - ERRORS * error), float(mean + ERRORS * error))


def _net_measure(dots: Iterable[Dot]) -> Measure:
    """Return the measure of chips won in a hand, with room for these dots and for 0."""
    values = [value for dot in dots for value in dot if value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    margin = (high - low) * 0.06 or 1.0
    return Measure("chips won per hand", True, low - margin, high + margin)


def _win_measure(dots: Iterable[Dot]) -> Measure:
    """Return the measure of hands won, with room for these dots."""
    values = [value for dot in dots for value in dot if value is not None]
    return Measure("hands won, of those played", False, 0.0, min(1.0, max([0.1, *values]) + 0.04))


class Block(NamedTuple):
    """Rows that belong together, from top to bottom.

    Attributes:
        name: what they have in common; None for all rows.
        labels: of each row, with the hands that it is of.
        nets: chips won per hand.
        wins: hands won of those played.
    """

    name: str | None
    labels: list[str]
    nets: list[Dot]
    wins: list[Dot]


class Intervals(NamedTuple):
    """A picture of rows of dots.

    Attributes:
        title: what it shows.
        about: what its rows are.
        even: what an even game gives, which is marked by a diamond.
        blocks: its rows, all on the same axes.
    """

    title: str
    about: str
    even: str
    blocks: list[Block]

    def measures(self) -> tuple[Measure, Measure]:
        """Return the measures of chips won and of hands won."""
        nets = [dot for block in self.blocks for dot in block.nets]
        wins = [dot for block in self.blocks for dot in block.wins]
        return _net_measure(nets), _win_measure(wins)


def chart(picture: Intervals) -> "ChartType":
    """Return rows of dots as a chart: chips won and hands won side by side."""
    import altair as alt

    net, win = picture.measures()
    blocks = []
    for block in picture.blocks:
        left, right = _panel(block.labels, block.nets, net, True), _panel(block.labels, block.wins, win, False)
        both = alt.hconcat(left, right, spacing=28)
        if block.name is not None:
            both = both.properties(title=alt.TitleParams(block.name, anchor="start", fontSize=13))
        blocks.append(both)
    even = f"A diamond is what an even game gives: {picture.even}."
    return finished(alt.vconcat(*blocks, spacing=22), picture.title, f"{picture.about}. {BARS}", even)


def _panel(labels: list[str], dots: list[Dot], measure: Measure, labelled: bool) -> "ChartType":
    import altair as alt

    rows: list[dict[str, Any]] = [
        {"label": label, **dot._asdict()} for label, dot in zip(labels, dots, strict=True)
    ]
    axis: dict[str, Any] = signed_labels(",~f") if measure.signed else {"format": ".0%"}
    scale = alt.Scale(domain=[measure.low, measure.high], nice=False)
    x = alt.X("value:Q", title=measure.title, scale=scale).axis(tickCount=6, **axis)
    # A scale with its names given leaves none of them to be sorted or read as anything but a name.
    y = alt.Y("label:N", title=None, scale=alt.Scale(domain=labels, paddingInner=0.2)).axis(
        labels=labelled, ticks=False, domain=False, labelPadding=12, grid=True, labelOverlap=False
    )
    known = alt.Chart(rows_of([row for row in rows if row["value"] is not None]))
    sure = alt.Chart(rows_of([row for row in rows if row["low"] is not None]))
    zero = alt.Chart(rows_of([{"value": 0}])).mark_rule(color=SOFT.light).encode(x=x)
    tips = [alt.Tooltip("label:N", title=" "), *(f"{field}:Q" for field in ("value", "low", "high"))]
    layers = [
        *([zero] if measure.signed else []),
        sure.mark_rule(color=SERIES[0].light, strokeWidth=2.5, strokeCap="round").encode(x="low:Q", x2="high:Q", y=y),
        known.mark_point(filled=True, size=75, opacity=1, color=SERIES[0].light).encode(x=x, y=y, tooltip=tips),
    ]
    if any(dot.expected is not None for dot in dots):
        diamond = known.mark_point(shape="diamond", size=80, strokeWidth=1.6, color=INK.light, opacity=1)
        layers.append(diamond.encode(x="expected:Q", y=y))
    return alt.layer(*layers).properties(width=_WIDTH, height=alt.Step(STEP))

"""The Comet: what became of it in whose hands, and what it was played for."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.pictures.colours import PAPER, PARTS
from comet_hist.pictures.intervals import STEP
from comet_hist.pictures.labels import foremost, records, short_names
from comet_hist.pictures.style import finished, rows_of
from comet_hist.store.query import Table

if TYPE_CHECKING:
    from altair.typing import ChartType

MOST: Final = 30
"""The most players that are drawn."""

OUTCOMES: Final = ("played", "stuck")
USES: Final = ("gap", "rescue", "preempt", "own", "led")

TITLE: Final = "The Comet: played or stuck, and what it was played for"

MEANING: Final = (
    "gap: for 8♦ · rescue: for a card nobody held · preempt: for one another held · own: for one they held too · "
    "led: as 9♦"
)
"""What the uses are."""

_NAME: Final = 28
_ROOM: Final = 0.07
"""The least share whose number stands in it."""


class Comets(NamedTuple):
    """The picture of the Comet.

    Attributes:
        about: how many players it is of.
        labels: of each player, with the Comets dealt to them.
        outcomes: how many of each player's Comets were played and stuck, as `OUTCOMES` are.
        uses: how many each player played for what, as `USES` are.
    """

    about: str
    labels: list[str]
    outcomes: list[tuple[int, ...]]
    uses: list[tuple[int, ...]]


def comets(table: Table) -> Comets | None:
    """Return the picture of the Comets of the view `players`, or None if nobody was dealt or played one."""
    everybody = [player for player in records(table) if player["comet_dealt"] or player["comet_played"]]
    if not everybody:
        return None
    people, shown = foremost(everybody, MOST, "comet_dealt", "who were dealt it most often")
    names = short_names([player["player"] for player in people], _NAME)
    return Comets(
        f"{shown}. Numbers count Comets; parts stand in the order of the key.",
        [f"{name}, {player['comet_dealt']} dealt" for name, player in zip(names, people, strict=True)],
        [tuple(int(player[f"comet_{part}"]) for part in OUTCOMES) for player in people],
        [tuple(int(player[f"comet_{part}"]) for part in USES) for player in people],
    )


def chart(picture: Comets) -> "ChartType":
    """Return the picture of the Comet as a chart: two bars for each player."""
    import altair as alt

    outcomes = _bars(picture.labels, picture.outcomes, OUTCOMES, "share of those played or stuck", 240, True)
    uses = _bars(picture.labels, picture.uses, USES, "share of those played", 360, False)
    both = alt.hconcat(outcomes, uses, spacing=28).resolve_scale(color="independent")
    return finished(both, TITLE, picture.about, MEANING)


def _bars(
    labels: list[str], counts: list[tuple[int, ...]], parts: tuple[str, ...], title: str, width: int, labelled: bool
) -> "ChartType":
    """Return a bar for each label, cut into parts by their shares of all parts together."""
    import altair as alt

    rows: list[dict[str, Any]] = []
    for label, of in zip(labels, counts, strict=True):
        rows += _segments(label, dict(zip(parts, of, strict=True)))
    axis: dict[str, Any] = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "grid": False}
    x = alt.X("start:Q", title=title, scale=alt.Scale(domain=[0, 1])).axis(**axis)
    y = alt.Y("label:N", title=None, scale=alt.Scale(domain=labels, paddingInner=0.25)).axis(
        labels=labelled, ticks=False, domain=False, labelPadding=10, labelOverlap=False
    )
    key = alt.Scale(domain=list(parts), range=[colour.light for colour in PARTS[: len(parts)]])
    colour = alt.Color("part:N", scale=key, title=None).legend(orient="top", direction="horizontal")
    bars = alt.Chart(rows_of(rows)).mark_bar(stroke=PAPER.light, strokeWidth=1.5)
    numbers = alt.Chart(rows_of(rows)).mark_text(color=PAPER.light, fontWeight=600)
    layers = (
        bars.encode(x=x, x2="end:Q", y=y, color=colour, tooltip=["label:N", "part:N", "count:Q"]),
        numbers.encode(x="middle:Q", y=y, text="number:N"),
    )
    return alt.layer(*layers).properties(width=width, height=alt.Step(STEP))


def _segments(label: str, parts: dict[str, int]) -> list[dict[str, Any]]:
    """Return where each part of a bar begins and ends, as shares of the whole, and its number where it has room."""
    whole = sum(parts.values())
    before = 0
    rows = []
    for part, count in parts.items():
        if count:
            start, end = before / whole, (before + count) / whole
            number = f"{count:,}" if end - start >= _ROOM else ""
            place = {"start": start, "end": end, "middle": (start + end) / 2}
            rows.append({"label": label, "part": part, "count": count, "number": number, **place})
        before += count
    return rows

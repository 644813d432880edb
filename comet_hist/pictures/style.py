"""What all charts look like: their type, their colours, their headings."""

from typing import TYPE_CHECKING, Any, Final

from comet_hist.pictures.colours import INK, PAPER, RULE, SOFT

if TYPE_CHECKING:
    import altair as alt
    from altair.typing import ChartType

FONT: Final = "Arial, Helvetica, Liberation Sans, sans-serif"
"""Fonts of the same widths, one of which nearly every machine has: the room for text is reckoned by them."""

TEXT: Final = 12
"""The size of ordinary text, in pixels."""

COLUMN: Final = 7.2
"""The pixels that a column of ordinary text takes, with room to spare."""


def rows_of(rows: list[dict[str, Any]]) -> "alt.InlineData":
    """Return rows as the data of a chart. Their fields are named by the charts, never by what players wrote."""
    import altair as alt

    return alt.InlineData(values=rows)


def signed_labels(form: str) -> dict[str, Any]:
    """Return the properties of an axis whose numbers have their sign, except 0; `form` is in d3's notation."""
    return {"format": form, "labelExpr": "datum.value > 0 ? '+' + datum.label : datum.label"}


def finished(chart: "ChartType", title: str, *about: str) -> "ChartType":
    """Return a chart with its heading, in the common style.

    Args:
        chart: the chart.
        title: what it shows, with its unit.
        about: lines that say how it is to be read, and of how many hands it is.
    """
    import altair as alt

    heading = alt.TitleParams(title, subtitle=list(about), anchor="start", frame="bounds", offset=14)
    axis = {
        "labelColor": INK.light, "titleColor": SOFT.light, "gridColor": RULE.light, "domainColor": RULE.light,
        "tickColor": RULE.light, "labelFontSize": TEXT, "titleFontSize": TEXT, "titleFontWeight": "normal",
        "labelLimit": 400, "titleLimit": 1000, "titlePadding": 8,
    }  # fmt: skip
    words = {"labelColor": INK.light, "titleColor": SOFT.light, "labelFontSize": TEXT, "titleFontSize": TEXT}
    styled: ChartType = chart.properties(
        title=heading, description=" ".join((title + ".", *about)), background=PAPER.light, padding=16
    ).configure(
        font=FONT,
        view={"stroke": None},
        axis=axis,
        legend=words | {"titleFontWeight": "normal", "labelLimit": 400},
        header=words | {"titleFontWeight": "normal", "labelLimit": 400},
        title={
            "color": INK.light, "fontSize": 17, "fontWeight": 600, "subtitleColor": SOFT.light,
            "subtitleFontSize": TEXT, "subtitlePadding": 5, "subtitleLineHeight": 16, "limit": 2000,
        },
        text={"color": INK.light, "fontSize": TEXT},
    )  # fmt: skip
    return styled

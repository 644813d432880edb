"""The pairs: who paid whom, as a square."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.pictures.colours import SERIES
from comet_hist.pictures.labels import columns, foremost, records, short_names
from comet_hist.pictures.style import COLUMN, finished, rows_of
from comet_hist.store.query import Table

if TYPE_CHECKING:
    from altair.typing import ChartType

MOST: Final = 20
"""The most players that are drawn."""

TITLE: Final = "Who paid whom, in chips"
WHAT: Final = "Antes to whoever got the pot, the Comet and cards left, together"
NEVER: Final = "Empty for two who never played a hand together."

_NAME: Final = 18
_FAINTEST: Final = 0.04
_DEEPEST: Final = 0.6
"""How far the largest amount covers the ground: no more than its number, in ink, can be read on."""


class Square(NamedTuple):
    """The picture of who paid whom.

    Attributes:
        about: how many players it is of.
        names: of the players, by name.
        paid: chips that each paid (down) to each (across); None for two who never met, and on the diagonal.
    """

    about: str
    names: list[str]
    paid: list[list[int | None]]

    def most(self) -> int:
        """Return the largest amount."""
        return max(amount for row in self.paid for amount in row if amount is not None)


def square(table: Table) -> Square | None:
    """Return the picture of the view `pairs`, or None if no amount is known."""
    pairs = [pair for pair in records(table) if pair["paid"] is not None]
    if not pairs:
        return None
    hands: dict[str, int] = {}
    for pair in pairs:
        hands[pair["payer"]] = hands.get(pair["payer"], 0) + pair["hands"]
    names = sorted(hands, key=lambda name: (name.casefold(), name))
    everybody = [{"player": player, "hands": hands[player]} for player in names]
    chosen, shown = foremost(everybody, MOST, "hands", "who met others most often")
    people = [player["player"] for player in chosen]
    amounts = {(pair["payer"], pair["payee"]): int(pair["paid"]) for pair in pairs}
    return Square(
        shown,
        short_names(people, _NAME),
        [[amounts.get((payer, payee)) for payee in people] for payer in people],
    )


def chart(picture: Square) -> "ChartType":
    """Return the picture of who paid whom as a chart."""
    import altair as alt

    most = picture.most()
    rows: list[dict[str, Any]] = [
        {"payer": payer, "payee": payee, "paid": paid, "depth": _FAINTEST + (_DEEPEST - _FAINTEST) * paid / (most or 1)}
        for payer, line in zip(picture.names, picture.paid, strict=True)
        for payee, paid in zip(picture.names, line, strict=True)
        if paid is not None
    ]
    side = max(46.0, COLUMN * len(f"{most:,}") + 12)
    slanted = max(map(columns, picture.names)) * COLUMN > side
    scale = alt.Scale(domain=picture.names, padding=0.04)
    axis: dict[str, Any] = {"ticks": False, "domain": False, "labelOverlap": False, "labelPadding": 7}
    turned: dict[str, Any] = {"labelAngle": -45 if slanted else 0, "labelAlign": "left" if slanted else "center"}
    x = alt.X("payee:N", title="to whom", scale=scale).axis(orient="top", **turned, **axis)
    y = alt.Y("payer:N", title="who paid", scale=scale).axis(**axis)
    base = alt.Chart(rows_of(rows))
    cells = base.mark_rect(color=SERIES[0].light, cornerRadius=3).encode(
        x=x, y=y, opacity=alt.Opacity("depth:Q", scale=None), tooltip=["payer:N", "payee:N", "paid:Q"]
    )
    numbers = base.mark_text().encode(x=x, y=y, text=alt.Text("paid:Q", format=",d"))
    return finished(
        alt.layer(cells, numbers).properties(width=alt.Step(side), height=alt.Step(34)),
        TITLE,
        f"{picture.about}. {WHAT}; deeper is more.",
        NEVER,
    )

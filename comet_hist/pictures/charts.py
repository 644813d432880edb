"""The pictures there are: of which statistic each is made, and how it is drawn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from comet_hist.pictures import comet, intervals, pairs, players, seats, terminal, timeline
from comet_hist.store.query import Table

if TYPE_CHECKING:
    from altair.typing import ChartType

_P = TypeVar("_P")


@dataclass(frozen=True, slots=True)
class Picture(Generic[_P]):
    """A picture.

    Attributes:
        view: the statistic that it is made of, whole and in its own order.
        read: takes from it what is drawn, or gives None where there is nothing to draw.
        chart: draws it for files and pages.
        lines: draws it for the terminal, in so many columns, in colour or not.
        empty: why there is nothing to draw then.
    """

    view: str
    read: "Callable[[Table], _P | None]"
    chart: "Callable[[_P], ChartType]"
    lines: Callable[[_P, int, bool], Iterator[str]]
    empty: str

    def draw(self, table: Table) -> "ChartType | None":
        """Return the chart of a statistic, or None if there is nothing to draw."""
        drawn = self.read(table)
        return None if drawn is None else self.chart(drawn)


_NO_HAND: Final = "no hand counts"
_NO_COMET: Final = "nobody was dealt the Comet in a hand that counts"
_NO_PAYMENT: Final = "nobody is known to have paid anybody in a hand that counts"

PICTURES: Final[dict[str, Picture[Any]]] = {
    "timeline": Picture("timeline", timeline.timeline, timeline.chart, terminal.timeline_lines, _NO_HAND),
    "comet": Picture("players", comet.comets, comet.chart, terminal.comet_lines, _NO_COMET),
    "seats": Picture("seats", seats.places, intervals.chart, terminal.interval_lines, _NO_HAND),
    "pairs": Picture("pairs", pairs.square, pairs.chart, terminal.pair_lines, _NO_PAYMENT),
    "players": Picture("players", players.standings, intervals.chart, terminal.interval_lines, _NO_HAND),
}
"""The pictures, by their names."""

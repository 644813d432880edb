"""The statistics of the page, as tables and as pictures."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from comet_hist.cli.output.as_table import cell
from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.table import Column
from comet_hist.cli.output.table import Table as Shown
from comet_hist.cli.statistics import squares
from comet_hist.findings import some
from comet_hist.pictures.pairs import MOST as MOST_IN_SQUARE
from comet_hist.report.tables import Group, Head, PageTable, Row, grouped_table, label, plain_table, square
from comet_hist.stats.columns import VIEWS
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import statistic
from comet_hist.store.query import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_SESSIONS: Final = 50
"""The most sessions of which the standings are shown."""

MOST_HANDS: Final = 100
"""The most hands that the timeline shows as a table."""

MOST_PLAYERS: Final = 12
"""The most players of whom that table has a column."""

_STANDINGS: Final = (
    "player", "net", "hands", "sessions", "wins", "win_rate", "win_low", "win_high", "expected_wins", "net_hand",
    "net_se", "best", "worst",
)  # fmt: skip
_SESSION: Final = ("player", "rank", "net", "hands", "wins", "best", "worst", "high", "low", "swing")
_COMET: Final = (
    "value", "comets", "of", "share", "share_low", "share_high", "chips", "chips_mean", "chips_se", "wins", "win_rate",
    "win_low", "win_high", "net_mean", "net_se",
)  # fmt: skip
_COMETS: Final = (
    "Share is comets / of; share low and share high bound its 95 % interval, win low and win high that of the win rate"
)
_COLUMNS_AT_ONCE: Final = 8

_PICTURES: Final = ("players", "timeline", "comet", "pairs")

_GROUPS: Final = {
    "outcome": "What became of it when it was dealt",
    "use": "What it was played for",
    "rank": "The rank of the card it stood for",
    "third": "The third of the hand in which it was played",
}
_SQUARES: Final = {
    "paid": "All payments",
    "pot": "Antes, paid to whoever got the pot",
    "comet": "Payments for the Comet",
    "cards": "Payments for cards left",
}


class Standings(NamedTuple):
    """All statistics that the page shows: of so many people, as pictures by their names (SVG), and as tables."""

    people: int
    pictures: dict[str, str]
    players: PageTable
    players_whole: list[PageTable]
    sessions: PageTable
    timeline: PageTable
    comet: PageTable
    pairs: list[PageTable]


def standings(
    connection: "DuckDBPyConnection", filters: Filters, order: Sequence[str], replayed: Collection[str]
) -> Standings | None:
    """Return the statistics, None where no hand counts.

    Args:
        connection: a database of comet-hist, open in any way.
        filters: which hands count.
        order: the sessions, the latest first.
        replayed: those that the page can replay; their titles lead there.
    """
    views = ("players", "sessions", "timeline", "comet", "pairs")
    answers = {view: statistic(connection, view, filters) for view in views}
    players = answers["players"]
    if not players.rows:
        return None
    return Standings(
        len(players.rows),
        _pictures(answers),
        plain_table("players", players, _STANDINGS, _over(answers["timeline"])),
        list(_all_columns(players)),
        _sessions(answers["sessions"], order, replayed),
        _timeline(answers["timeline"]),
        grouped_table("comet", answers["comet"], _COMET, _COMETS, "by", lambda row: (_GROUPS[row["by"]], None)),
        list(_squares(answers["pairs"])),
    )


def link(session: str, hand: int | None = None) -> str:
    """Return where on the page a session, or a hand of it, can be replayed: the fragment of an address.

    >>> link("the plough", 3)
    '#the%20plough/3'
    """
    return f"#{quote(visible(session), safe='')}/{'' if hand is None else hand}"


def _pictures(answers: Mapping[str, Table]) -> dict[str, str]:
    """Return those of the pictures for which there is something to draw."""
    from comet_hist.pictures.charts import PICTURES
    from comet_hist.pictures.write import svg

    charts = {name: PICTURES[name].draw(answers[PICTURES[name].view]) for name in _PICTURES}
    return {name: svg(chart, f"chart-{name}") for name, chart in charts.items() if chart is not None}


def _over(timeline: Table) -> str:
    """Return over how many hands the standings go, and what stands in them."""
    at = timeline.columns.index("number")
    hands = len({row[at] for row in timeline.rows})
    return (
        f"Over {some(hands, 'hand')}, most chips won first. Win low and win high bound the 95 % interval of win rate; "
        "net se is the standard error of net hand."
    )


def _all_columns(players: Table) -> Iterator[PageTable]:
    """Give all columns of the players' table, in several tables side by side would be too wide."""
    name, *others = players.columns
    for first in range(0, len(others), _COLUMNS_AT_ONCE):
        part = others[first : first + _COLUMNS_AT_ONCE]
        yield plain_table("players", players, (name, *part), f"{label(part[0])} to {label(part[-1])}".capitalize())


def _sessions(sessions: Table, order: Sequence[str], replayed: Collection[str]) -> PageTable:
    """Return the standings of sessions, the latest first, as many as are shown."""
    at = sessions.columns.index("session")
    there = {row[at] for row in sessions.rows}
    latest = {session: place for place, session in enumerate(session for session in order if session in there)}
    rows = [row for row in sessions.rows if latest[row[at]] < MOST_SESSIONS]
    # Sorting keeps the rows of a session in their order, which is that of their ranks.
    rows.sort(key=lambda row: latest[row[at]])

    def title(row: dict[str, Any]) -> tuple[str, str | None]:
        agreed = "" if row["hands_agreed"] is None else f", {row['hands_agreed']} agreed"
        counted = f"{row['counted']} of {some(row['session_hands'], 'hand')} counted"
        text = f"{named(row['session'], row['date'])} · {counted}{agreed}"
        return text, link(row["session"]) if row["session"] in replayed else None

    caption = _cut(len(latest), MOST_SESSIONS, "session") + ", the latest first"
    return grouped_table("sessions", Table(sessions.columns, rows), _SESSION, caption, "session", title, _won)


def _won(row: dict[str, Any]) -> str:
    return "winner" if row["winner"] else ""


def named(session: str, day: date | None) -> str:
    """Return a session with its day, where that is not in its identifier.

    >>> named("plough", date(2026, 2, 6)), named("plough-2026-02-06", date(2026, 2, 6))
    ('plough · 2026-02-06', 'plough-2026-02-06')
    """
    return session if day is None or str(day) in session else f"{session} · {day}"


def _cut(count: int, most: int, noun: str) -> str:
    """Return how many of something are shown, the last ones where they are too many.

    >>> _cut(600, 50, "session"), _cut(12, 50, "session")
    ('The last 50 of 600 sessions', '12 sessions')
    """
    return f"The last {most} of {some(count, noun)}" if count > most else some(count, noun)


def _among(players: int, most: int, why: str) -> str:
    """Return among which of so many players it is, nothing if among all."""
    return f", among the {most} of {players} players {why}" if players > most else ""


def _timeline(timeline: Table) -> PageTable:
    """Return the running net of each player after each of the last hands, a row a hand."""
    at = {name: timeline.columns.index(name) for name in timeline.columns}
    hands: dict[int, dict[str, Any]] = {}
    titles: dict[int, str] = {}
    for row in timeline.rows:
        number = row[at["number"]]
        hands.setdefault(number, {})[row[at["player"]]] = row[at["total_net"]]
        titles[number] = f"{row[at['session']]}, hand {row[at['hand']]}"
    last = sorted(hands)[-MOST_HANDS:]
    played = Counter(player for number in last for player in hands[number])
    people = sorted(player for player, _ in played.most_common(MOST_PLAYERS))
    total = next(column for column in VIEWS["timeline"].columns if column.name == "total_net")
    shown = Column("total_net", total.shown)
    rows = [
        Row([titles[number], *(cell(shown, hands[number].get(player)) for player in people)]) for number in last
    ]
    among = _among(len(played), MOST_PLAYERS, "who played the most of them")
    caption = f"{_cut(len(hands), MOST_HANDS, 'hand')}: chips won so far by whoever played in it{among}"
    heads = [Head("hand", True), *(Head(player, False) for player in people)]
    return PageTable(caption, heads, [Group(None, None, rows)])


def _squares(pairs: Table) -> Iterator[PageTable]:
    """Give a square for each kind of payment, all payments first, of the players whom the picture of pairs shows."""
    payer, payee, hands = (pairs.columns.index(column) for column in ("payer", "payee", "hands"))
    met: Counter[str] = Counter()
    for row in sorted(pairs.rows, key=lambda row: str(row[payer])):
        met[row[payer]] += row[hands]
    people = {player for player, _ in met.most_common(MOST_IN_SQUARE)}
    rows = [row for row in pairs.rows if row[payer] in people and row[payee] in people]
    columns = [Column(column.name, column.shown) for column in VIEWS["pairs"].columns]
    found = dict(squares(Shown(columns, rows)))
    among = _among(len(met), MOST_IN_SQUARE, "who met others most often")
    for kind, title in _SQUARES.items():
        yield square(kind, found[kind], f"{title}, in chips{among}")

"""Every statistic against the plain count, on generated histories with random filters; and the plain count by hand."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nights import Night
from plain_count import VIEWS as COUNTED
from plain_count import Row, plain_count
from slips import PLAYERS, PLAYERS_KINDS, SCRIBES, players_slip, scribes_slip

from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.rules import Rules, agree
from comet_hist.stats.columns import VIEWS
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import statistic
from comet_hist.store.load import Loader

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SPELLINGS = {"Anna": ("Anna", "anna", "Änna"), "Ben": ("Ben", "Benno"), "Cleo": ("Cleo", "Cléo"), "Dora": ("Dora",)}
DAYS = [date(2026, 1, 9), date(2026, 2, 6), date(2026, 2, 21)]
RULES = ["", "", "progressive", "ante 0, comet 3", "gap stop, hands 3", "led free, keep yes, card 2", "comet 0"]
SLIPS = [None, None, None, *SCRIBES, *PLAYERS_KINDS]

SAMPLES = Path(__file__).parent.parent / "samples" / "forms"
FORMAT = Path(__file__).parent.parent / "docs" / "format.md"


# Nights as they come: with slips, under several spellings, with payments or without


@dataclass
class Played:
    """A night and how it was written down.

    Attributes:
        seed: what chance begins with; it names the session too.
        size: how many play.
        items: what they play by.
        leaves: whether one of them leaves before two last hands.
        slip: the slip in its second hand, None for none.
        day: its date, None where that is not written.
        spelling: which spellings of names its scribe uses.
        way: what the scribe leaves out or adds, and in which hand; None for all of them.
    """

    seed: int
    size: int
    items: str
    leaves: bool
    slip: str | None
    day: date | None
    spelling: int
    way: tuple[str, int | None]

    def text(self) -> str:
        """Return it as its scribe wrote it."""
        items = [item.split(" ") for item in self.items.split(", ") if item]
        rules = agree([(item, value[0] if value else None) for item, *value in items])
        text = self._first_hands(rules)
        if self.leaves and rules.game == "classic" and self.size > 2:
            text += self._last_hands(text, rules)
        text = re.sub("^Date: .*\n", f"Date: {self.day}\n" if self.day else "", text, flags=re.MULTILINE)
        for name, spellings in SPELLINGS.items():
            text = re.sub(rf"\b{name}\b", spellings[self.spelling % len(spellings)], text)
        head, *hands = hands_in(text)
        way, where = self.way
        for at, hand in enumerate(hands):
            if where is None or where % len(hands) == at:
                hands[at] = WAYS[way](hand, self.seed)
        return head + "".join(hands)

    def _first_hands(self, rules: Rules) -> str:
        planted = None
        if self.slip is not None and rules.ante:  # some slips are made in the lines of antes and pot
            plant = scribes_slip if self.slip in SCRIBES else players_slip
            planted = plant(self.slip, self.seed, self.size, self.items, rules)
        if planted:
            return planted.text
        return Night(self.seed, PLAYERS[: self.size], rules, self.items).text(1 + self.seed % 4)

    def _last_hands(self, text: str, rules: Rules) -> str:
        """Return two more hands without one of the players; the night of the others has the right dealer."""
        names = PLAYERS[: self.size]
        goes = names[self.seed % self.size]
        stay = [name for name in names if name != goes]
        dealt = names.index(re.findall(r"^Dealer: (\w+)", text, flags=re.MULTILINE)[-1])
        deals = next(name for name in (names * 2)[dealt + 1 :] if name != goes)
        seed = next(seed for seed in range(1000) if random.Random(seed).randrange(len(stay)) == stay.index(deals))
        number = len(hands_in(text)) - 1
        more = ""
        for later, hand in enumerate(hands_in(Night(seed, stay, rules, self.items).text(2))[1:], 1):
            leaves = f"\nLeaves: {goes}" if later == 1 else ""
            more += re.sub(r"^Hand \d+", f"Hand {number + later}{leaves}", without("Stacks")(hand, 0))
        return more


def hands_in(text: str) -> list[str]:
    """Cut a session: what stands above its first hand, and its hands."""
    return re.split(r"^(?=Hand )", text, flags=re.MULTILINE)


Way = Callable[[str, int], str]


def without(keywords: str) -> Way:
    return lambda hand, seed: re.sub(rf"^(?:{keywords}).*\n", "", hand, flags=re.MULTILINE)


def dealt_to(hand: str) -> list[str]:
    return re.findall(r"^Deal (\w+):", hand, flags=re.MULTILINE)


def other(hand: str, name: str) -> str:
    """Return somebody else at the table."""
    return next(each for each in dealt_to(hand) if each != name)


def with_transfer(hand: str, seed: int) -> str:
    payer, payee = random.Random(seed).sample(dealt_to(hand), 2)
    return re.sub("^Stacks: ", f"Pay transfer: {payer} 5 -> {payee}\nStacks: ", hand, flags=re.MULTILINE)


def with_pot_to_another(hand: str, seed: int) -> str:
    return re.sub(r"^(Pay pot: \d+ -> )(\w+)", lambda found: found[1] + other(hand, found[2]), hand, flags=re.MULTILINE)


def with_comet_of_another(hand: str, seed: int) -> str:
    group = r"\w+(?= 9d|(?: [\w=]+)+? 9d)"
    return re.sub(rf"(?<=^Run: ){group}|(?<=, ){group}", lambda found: other(hand, found[0]), hand, flags=re.MULTILINE)


WAYS: dict[str, Way] = {
    "everything": lambda hand, seed: hand,
    "no payments": without("Pay|Stacks"),
    "stacks": without("Pay"),
    "no antes": without("Pay ante"),
    "no pot": without("Pay pot"),
    "two hands unseen": lambda hand, seed: re.sub(r"^Deal .*\n", "", hand, count=2, flags=re.MULTILINE),
    "void": lambda hand, seed: hand.replace("\n", "\nVoid: misdeal\n", 1),
    "cut off": lambda hand, seed: hand[: hand.rindex("Run: ")] + "\n",
    "transfer": with_transfer,
    "transfer alone": lambda hand, seed: without("Pay (?!transfer)")(with_transfer(hand, seed), seed),
    "pot to another": with_pot_to_another,
    "comet of another": with_comet_of_another,
}


@st.composite
def nights(draw: st.DrawFn) -> Played:
    size = draw(st.integers(2, 6))
    named = {2: ["deux"], 4: ["quatre", "quatre, ante 2"]}.get(size, [])
    return Played(
        seed=draw(st.integers(0, 10**6)),
        size=size,
        items=draw(st.sampled_from(RULES + named)),
        leaves=draw(st.booleans()),
        slip=draw(st.sampled_from(SLIPS)),
        day=draw(st.none() | st.sampled_from(DAYS)),
        spelling=draw(st.integers(0, 2)),
        way=(draw(st.sampled_from([*WAYS, "no payments", "comet of another"])), draw(st.none() | st.integers(0, 4))),
    )


HISTORIES = st.lists(nights(), min_size=2, max_size=5, unique_by=lambda night: night.seed)

PERSONS = {spelling: person for person, (_, *others) in SPELLINGS.items() for spelling in others}
ALIASES = st.sets(st.sampled_from(list(PERSONS))).map(lambda some: {spelling: PERSONS[spelling] for spelling in some})


@st.composite
def filters(draw: st.DrawFn) -> Filters:
    """Draw filters, most of them open; sessions and players are numbers still, of those that there are."""

    def some(values: list[Any], at_most: int) -> tuple[Any, ...]:
        seldom = draw(st.integers(0, 3)) == 3
        return tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=at_most))) if seldom else ()

    return Filters(
        players=some(list(range(8)), 3),
        sessions=some(list(range(5)), 3),
        since=draw(st.sampled_from([None, None, None, *DAYS[:2]])),
        until=draw(st.sampled_from([None, None, None, *DAYS[1:3]])),
        sizes=some([2, 3, 4, 5, 6], 4),
        games=some(["classic", "classic", "quatre", "deux"], 2),
        include_faulty=draw(st.booleans()),
        as_recorded=draw(st.booleans()),
        min_hands=draw(st.sampled_from([0, 0, 1, 2, 4])),
        aliases=draw(ALIASES),
    )


def named(numbers: Filters, judged: list[Judged]) -> Filters:
    """Put names of the history into filters: of its sessions, and of the persons that sat in them."""
    sessions = [one.session.ident.text for one in judged if one.session]
    names = {name for one in judged if one.replay for hand in one.replay.hands for name in hand.players}
    persons = sorted({numbers.aliases.get(name, name) for name in names})
    kept = {field: getattr(numbers, field) for field in Filters.__slots__}
    kept["sessions"] = tuple(sessions[int(number) % len(sessions)] for number in numbers.sessions)
    kept["players"] = tuple(persons[int(number) % len(persons)] for number in numbers.players) if persons else ()
    return Filters(**kept)


# The comparison


def judge(text: str) -> list[Judged]:
    return list(Judge().judge(read(BytesIO(text.encode()), "nights.comet")))


@contextmanager
def loaded(judged: list[Judged]) -> Iterator["DuckDBPyConnection"]:
    with Loader(None) as loader:
        with loader.file("nights.comet", "0" * 64, 0) as load:
            for one in judged:
                load.add(one)
        yield loader.connection


def differences(rows: list[Row], expected: list[Row]) -> list[str]:
    """Say where two lists of rows differ: floats may by their last digits, all else may not, nor in type."""
    found = [] if len(rows) == len(expected) else [f"{len(rows)} rows, not {len(expected)}"]
    for number, (row, right) in enumerate(zip(rows, expected, strict=False), 1):
        for column, value in right.items():
            if not alike(row[column], value):
                found.append(f"row {number} ({list(right.values())[:4]}): {column} is {row[column]!r}, not {value!r}")
    return found


def alike(value: Any, right: Any) -> bool:
    if isinstance(right, float) or isinstance(value, float):
        numbers = isinstance(value, float | int) and isinstance(right, float | int)
        return numbers and value == pytest.approx(right, rel=1e-9, abs=1e-12)
    return type(value) is type(right) and bool(value == right)


def compared(connection: "DuckDBPyConnection", judged: list[Judged], view: str, chosen: Filters) -> list[Row]:
    """Return the rows of a statistic, once they are those of the plain count."""
    table = statistic(connection, view, chosen)
    assert table.columns == [column.name for column in VIEWS[view].columns]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    expected = plain_count(judged, view, chosen)
    assert all(list(row) == table.columns for row in expected)
    assert differences(rows, expected) == []
    return rows


def test_views_are_those_that_are_counted() -> None:
    assert list(VIEWS) == list(COUNTED)


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(HISTORIES, st.fixed_dictionaries({view: st.tuples(filters(), filters()) for view in VIEWS}), st.booleans())
def test_statistics_are_the_plain_count(
    history: list[Played], asked: dict[str, tuple[Filters, Filters]], twice: bool
) -> None:
    """Each with filters of its own; a session that stands there twice counts once."""
    judged = judge("".join(night.text() for night in history + history[:twice]))
    with loaded(judged) as connection:
        for view, both in asked.items():
            for numbers in both:
                compared(connection, judged, view, named(numbers, judged))


OWN_SPELLING = {"no payments": 1, "transfer alone": 2}
EVERYTHING = [
    # Each way to write a night down, three times; some persons appear only where payments are not written.
    *(
        Played(seed, 2 + seed % 5, "", False, None, None, OWN_SPELLING.get(way, 0), (way, None))
        for seed, way in enumerate(list(WAYS) * 3, 1)
    ),
    # Each slip, with two to six players.
    *(
        Played(seed, 2 + seed % 5, "", False, slip, None, 0, ("everything", None))
        for seed, slip in enumerate((*SCRIBES, *PLAYERS_KINDS), 100)
    ),
    # The Comet is played at two thirds of the first hand exactly, and at one third of the fourth.
    Played(371, 4, "", False, None, None, 0, ("everything", None)),
]
"""What is rare among random nights."""


@pytest.mark.parametrize(
    "chosen",
    [
        Filters(),
        Filters(include_faulty=True),
        Filters(include_faulty=True, as_recorded=True, players=("Ben", "Benno", "Änna"), min_hands=2),
    ],
    ids=["legal", "faulty", "recorded"],
)
def test_what_is_rare_is_counted(chosen: Filters) -> None:
    judged = judge("".join(night.text() for night in EVERYTHING))
    with loaded(judged) as connection:
        for view in VIEWS:
            compared(connection, judged, view, chosen)


def test_two_spellings_at_one_table_are_no_person() -> None:
    judged = judge(Night(5, ["Anna", "Ben", "Cleo"]).text(2))
    with loaded(judged) as connection, pytest.raises(ValueError, match=r"“Anna” and “Ben”.* hand 1 of .*night-5"):
        statistic(connection, "players", Filters(aliases={"Ben": "Anna"}))


# Nights counted by hand


Counted = Callable[..., list[Row]]
"""Gives the rows of a view, the same by SQL and by the plain count."""


@contextmanager
def counting(text: str) -> Iterator[Counted]:
    judged = judge(text)
    with loaded(judged) as connection:
        yield lambda view, **chosen: compared(connection, judged, view, Filters(**chosen))


def one(rows: list[Row], **cells: Any) -> Row:
    """Return the one row that has these cells."""
    (row,) = [row for row in rows if all(row[column] == value for column, value in cells.items())]
    return row


def cells(rows: list[Row], *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in columns) for row in rows]


KITCHEN = FORMAT.read_text(encoding="utf-8").split("```")[1].lstrip()
"""The example of the format: Anna opens a run of 11 hearts, Ben one of 11 diamonds in which Cleo plays the Comet for
8♦ as the 18th of 34 cards, then 2♥ alone and 11 clubs, and goes out. Anna has 6 cards left, Cleo 11, at a chip each."""


@pytest.fixture(scope="module")
def kitchen() -> Iterator[Counted]:
    with counting(KITCHEN) as counted:
        yield counted


def test_a_hand_counted_by_hand_people(kitchen: Counted) -> None:
    rows = kitchen("players")
    assert cells(rows, "player", "net", "net_pot", "net_comet", "net_cards", "wins", "cards_left") == [
        ("Ben", 18, 2, -1, 17, 1, None),
        ("Anna", -8, -1, -1, -6, 0, 6),
        ("Cleo", -10, -1, 2, -11, 0, 11),
    ]
    # Anna led five hearts of suits of 3, 3, 5 and 6; Ben six diamonds beside five clubs and 2♥, then 2♥, then clubs.
    assert cells(rows, "opened", "opened_choice", "opened_longest", "shed_opening") == [
        (3, 2, 1, pytest.approx((6 + 1 + 5) / 3)), (1, 1, 0, 5), (0, 0, 0, None),
    ]  # fmt: skip
    assert one(rows, player="Cleo")["comet_timing"] == pytest.approx(17 / 33)
    assert cells(kitchen("pairs"), "payer", "payee", "pot", "comet", "cards", "paid", "balance") == [
        ("Anna", "Ben", 1, 0, 6, 7, -7),
        ("Anna", "Cleo", 0, 1, 0, 1, -1),
        ("Ben", "Anna", 0, 0, 0, 0, 7),
        ("Ben", "Cleo", 0, 1, 0, 1, 11),
        ("Cleo", "Anna", 0, 0, 0, 0, 1),
        ("Cleo", "Ben", 1, 0, 11, 12, -11),
    ]


def test_a_hand_counted_by_hand_game(kitchen: Counted) -> None:
    comets = kitchen("comet")
    assert cells([row for row in comets if row["comets"]], "by", "value", "of", "chips", "net_mean") == [
        ("outcome", "played", 1, 2, -10), ("use", "gap", 1, 2, -10),
        ("rank", "8", 1, 2, -10), ("third", "middle", 1, 2, -10),
    ]  # fmt: skip
    assert len(comets) == 2 + 5 + 13 + 3
    openings = [row for row in kitchen("openings") if row["openings"]]
    assert cells(openings, "by", "value", "openings", "of", "run_length", "shed") == [
        ("all", None, 4, 4, 8.5, 17 / 4),
        ("length", "1", 1, 4, 1, 1), ("length", "5", 2, 4, 11, 5), ("length", "6", 1, 4, 11, 6),
        ("suit", "c", 1, 4, 11, 5), ("suit", "d", 1, 4, 11, 6), ("suit", "h", 2, 4, 6, 3),
        ("rank", "2", 2, 4, 6, 3.5), ("rank", "3", 2, 4, 11, 5),
    ]  # fmt: skip
    stops = kitchen("stops")
    assert cells(stops, "suit", "runs", "king", "gap", "played", "out", "played_rate", "length") == [
        ("all", 4, 2, 0, 1, 1, 0.25, 8.5),
        ("c", 1, 0, 0, 0, 1, 0, 11), ("d", 1, 1, 0, 0, 0, 0, 11), ("h", 2, 1, 0, 1, 0, 0.5, 6),
        ("s", 0, 0, 0, 0, 0, None, None),
    ]  # fmt: skip
    assert (stops[0]["length_se"], stops[1]["length_se"]) == (2.5, None)
    seats = kitchen("seats")
    assert cells(seats, "by", "value", "cards_dealt", "wins", "net", "cards_left") == [
        ("position", 1, 17, 0, -8, 6), ("position", 2, 17, 1, 18, None), ("position", 3, 17, 0, -10, 11),
        ("cards", 17, 17, 1, 0, 8.5),
    ]  # fmt: skip
    # One of three: 6.15 % to 79.23 % (Wilson).
    assert seats[3]["win_low"] == pytest.approx(0.0615, abs=5e-5)
    assert seats[3]["win_high"] == pytest.approx(0.7923, abs=5e-5)
    assert seats[3]["net_se"] == pytest.approx(244**0.5 / 3**0.5)


FIRE = (SAMPLES / "2026-02-21-two-by-the-fire.comet").read_text(encoding="utf-8")
"""Eight hands of two with cards at 2 chips. By its stacks Nell wins 16, -6, 13, 4, 2, -5, -2 and 9; she deals first.
She plays the Comet in hands 1 (for 8♦), 4 (for K♦, which Tom holds) and 7 (for 2♦, on the table already), Tom in
hands 2 (led) and 5 (for his own Q♦); it is stuck with Nell in hand 6, with Tom in 3 and 8."""


@pytest.fixture(scope="module")
def fire() -> Iterator[Counted]:
    with counting(FIRE) as counted:
        yield counted


@pytest.mark.parametrize("as_recorded", [False, True])
def test_a_night_counted_by_hand(fire: Counted, as_recorded: bool) -> None:
    standings = fire("sessions", as_recorded=as_recorded)
    columns = ("player", "rank", "winner", "hands", "wins", "net", "best", "worst", "high", "low", "swing")
    assert cells(standings, *columns) == [
        ("Nell", 1, True, 8, 5, 31, 16, -6, 31, 0, 31),
        ("Tom", 2, False, 8, 3, -31, 6, -16, 0, -31, 31),
    ]
    line = [row for row in fire("timeline", as_recorded=as_recorded) if row["player"] == "Nell"]
    assert cells(line, "net", "total_net") == [
        (16, 16), (-6, 10), (13, 23), (4, 27), (2, 29), (-5, 24), (-2, 22), (9, 31),
    ]  # fmt: skip
    seats = fire("seats", as_recorded=as_recorded)
    assert cells(seats, "by", "value", "net", "extra_cost") == [
        ("position", 1, -27, None), ("position", 2, 27, None), ("cards", 25, 27, None), ("cards", 26, -27, 54 / 8),
    ]  # fmt: skip


def test_comets_counted_by_hand(fire: Counted) -> None:
    rows = fire("comet")
    assert cells(rows[:2], "value", "comets", "of", "chips", "wins", "net_mean") == [
        ("played", 5, 8, 5, 3, (16 + 6 + 4 - 2 - 2) / 5),
        ("stuck", 3, 8, 0, 0, (-5 - 13 - 9) / 3),
    ]
    uses = {row["value"]: row["comets"] for row in rows if row["by"] == "use"}
    assert uses == dict.fromkeys(("gap", "rescue", "preempt", "own", "led"), 1)
    ranks = {row["value"]: row["of"] for row in rows if row["by"] == "rank" and row["comets"]}
    assert ranks == dict.fromkeys(("2", "8", "Q", "K"), 4)
    assert cells(fire("comet", players=("Tom",))[:2], "comets", "of") == [(2, 4), (2, 4)]


def test_a_night_under_two_spellings() -> None:
    again = FIRE.replace("fire-2026-02-21", "fire-2026-02-28").replace("Nell", "nell").replace("date: 2026-02-21", "")
    one_nell = {"nell": "Nell"}
    with counting(FIRE + again) as counted:
        players = counted("players", aliases=one_nell, min_hands=9, players=("Nell",))
        dated = counted("players", aliases=one_nell, since=date(2026, 2, 21))
        lines = counted("timeline", aliases=one_nell, min_hands=9, players=("Nell",))
    assert cells(players, "player", "hands", "sessions", "net") == [("Nell", 16, 2, 62)]
    assert cells(dated, "player", "hands") == [("Nell", 8), ("Tom", 8)]
    assert [row["number"] for row in lines] == list(range(1, 17))
    assert (lines[-1]["session_net"], lines[-1]["total_net"]) == (31, 62)

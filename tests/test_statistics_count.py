"""Every statistic against the plain count, on generated histories with random filters; and the plain count by hand."""

import random
import re
from collections.abc import Iterator
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
from comet_hist.rules import agree
from comet_hist.stats.columns import VIEWS
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import statistic
from comet_hist.store.load import Loader

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SPELLINGS = {"Anna": ("Anna", "anna", "Änna"), "Ben": ("Ben", "Benno"), "Cleo": ("Cleo", "Cléo"), "Dora": ("Dora",)}
DAYS = [date(2026, 1, 9), date(2026, 2, 6), date(2026, 2, 21), None]
RULES = ["", "", "progressive", "ante 0, comet 3", "gap stop, hands 3", "led free, keep yes, card 2", "comet 0"]
SLIPS = [None, None, None, *SCRIBES, *PLAYERS_KINDS]


# Nights as they come: with slips, under several spellings, with payments or without


@dataclass
class Played:
    """A night as it is written down, apart from its hands."""

    seed: int
    size: int
    items: str
    slip: str | None
    day: date | None
    spelling: int
    untold: int
    scribe: str

    def text(self) -> str:
        rules = agree([(item.split()[0], (item.split()[1:] or [None])[0]) for item in self.items.split(", ") if item])
        planted = None
        if self.slip is not None:
            plant = scribes_slip if self.slip in SCRIBES else players_slip
            planted = plant(self.slip, self.seed, self.size, self.items, rules)
        names = PLAYERS[: self.size]
        text = planted.text if planted else Night(self.seed, names, rules, self.items).text(1 + self.seed % 4)
        text = re.sub("^Date: .*\n", f"Date: {self.day}\n" if self.day else "", text, flags=re.MULTILINE)
        for name, spellings in SPELLINGS.items():
            text = re.sub(rf"\b{name}\b", spellings[self.spelling % len(spellings)], text)
        head, *hands = re.split(r"^(?=Hand )", text, flags=re.MULTILINE)
        hands[self.untold % len(hands)] = SCRIBES_WAYS[self.scribe](hands[self.untold % len(hands)], self.seed)
        return head + "".join(hands)


def _without(keywords: str) -> Any:
    return lambda hand, seed: re.sub(rf"^(?:{keywords}).*\n", "", hand, flags=re.MULTILINE)


def _with_transfer(hand: str, seed: int) -> str:
    names = re.findall(r"^Deal (\w+):", hand, flags=re.MULTILINE)
    payer, payee = random.Random(seed).sample(names, 2)
    return re.sub("^Stacks: ", f"Pay transfer: {payer} 5 -> {payee}\nStacks: ", hand, flags=re.MULTILINE)


def _with_shared_pot(hand: str, seed: int) -> str:
    """Let half of the pot go to somebody who did not win it."""
    names = re.findall(r"^Deal (\w+):", hand, flags=re.MULTILINE)
    return re.sub(r"^Pay pot: ", f"Pay pot: {seed % 4} -> {names[0]}\nPay pot: ", hand, flags=re.MULTILINE)


SCRIBES_WAYS = {
    "everything": lambda hand, seed: hand,
    "no payments": _without("Pay|Stacks"),
    "stacks": _without("Pay"),
    "no antes": _without("Pay ante"),
    "two hands unseen": lambda hand, seed: re.sub(r"^Deal .*\n", "", hand, count=2, flags=re.MULTILINE),
    "void": lambda hand, seed: hand.replace("\n", "\nVoid: misdeal\n", 1),
    "cut off": lambda hand, seed: re.sub(r"(?:^Run: .*\n)(?!Run|Pay comet)", "", hand, flags=re.MULTILINE),
    "transfer": _with_transfer,
    "transfer alone": lambda hand, seed: _without("Pay (?!transfer)")(_with_transfer(hand, seed), seed),
    "shared pot": _with_shared_pot,
}


@st.composite
def nights(draw: st.DrawFn) -> Played:
    size = draw(st.integers(2, 6))
    named = {2: ["deux"], 4: ["quatre", "quatre, ante 2"]}.get(size, [])
    return Played(
        seed=draw(st.integers(0, 10**6)),
        size=size,
        items=draw(st.sampled_from(RULES + named)),
        slip=draw(st.sampled_from(SLIPS)),
        day=draw(st.sampled_from(DAYS)),
        spelling=draw(st.integers(0, 2)),
        untold=draw(st.integers(0, 3)),
        scribe=draw(st.sampled_from(list(SCRIBES_WAYS))),
    )


HISTORIES = st.lists(nights(), min_size=1, max_size=5, unique_by=lambda night: night.seed)

ALIASES = st.dictionaries(
    st.sampled_from([spelling for name in SPELLINGS for spelling in SPELLINGS[name][1:]]), st.just(""), max_size=4
).map(lambda some: {spelling: person for person in SPELLINGS for spelling in SPELLINGS[person] if spelling in some})


@st.composite
def filters(draw: st.DrawFn) -> Filters:
    """Draw filters, most of them open; sessions and players are numbers still, of those that there are."""
    seldom = st.sampled_from([False, False, True])

    def some(values: list[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=3))) if draw(seldom) else ()

    def day() -> date | None:
        return draw(st.sampled_from([day for day in DAYS if day])) if draw(seldom) and draw(seldom) else None

    return Filters(
        players=some(list(range(8))),
        sessions=some(list(range(5))),
        since=day(),
        until=day(),
        sizes=some([2, 3, 4, 5, 6]),
        games=some(["classic", "classic", "quatre", "deux"]),
        include_faulty=draw(st.booleans()),
        as_recorded=draw(st.booleans()),
        min_hands=draw(st.sampled_from([0, 0, 0, 1, 2, 4])),
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


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(HISTORIES, st.lists(filters(), min_size=1, max_size=2))
def test_statistics_are_the_plain_count(history: list[Played], asked: list[Filters]) -> None:
    judged = judge("".join(night.text() for night in history))
    with loaded(judged) as connection:
        for one in asked:
            for view in VIEWS:
                compared(connection, judged, view, named(one, judged))

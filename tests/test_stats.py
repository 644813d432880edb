"""The players' table against a plain count in Python over the values of replay and audit."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import Night
from plain_count import plain_count

from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.stats.columns import VIEWS
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import statistic
from comet_hist.store.load import Loader

DOCUMENT = Path(__file__).parent.parent / "docs" / "statistics.md"
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"]


def judged(text: str) -> list[Judged]:
    return list(Judge().judge(read(BytesIO(text.encode()), "nights.comet")))


def statistics(text: str, **options: bool) -> dict[str, dict[str, Any]]:
    """Load a text and return the players' table by player."""
    with Loader(None) as loader:
        with loader.file("nights.comet", "0" * 64, len(text)) as load:
            for one in judged(text):
                load.add(one)
        table = statistic(loader.connection, "players", Filters(**options))
    assert table.columns == [column.name for column in VIEWS["players"].columns]
    return {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}


def count(text: str, name: str, **options: bool) -> dict[str, Any]:
    """Return a player's row by the plain count in Python."""
    return next(row for row in plain_count(judged(text), "players", Filters(**options)) if row["player"] == name)


# A seed, the number of players, the number of hands; seeds differ, since they name the sessions.
NIGHT = st.tuples(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 5))
NIGHTS = st.lists(NIGHT, min_size=1, max_size=3, unique_by=lambda night: night[0])


def text_of(nights: list[tuple[int, int, int]]) -> str:
    return "".join(Night(seed, NAMES[:size]).text(hands) for seed, size, hands in nights)


@settings(max_examples=15, deadline=None)
@given(NIGHTS)
def test_table_is_the_plain_count_and_its_parts_add_up(nights: list[tuple[int, int, int]]) -> None:
    text = text_of(nights)
    table = statistics(text)
    assert set(table) == {name for _, size, _ in nights for name in NAMES[:size]}
    for name, row in table.items():
        assert row == pytest.approx(count(text, name), abs=1e-9), name
    rows = list(table.values())
    for row in rows:
        assert row["net"] == row["net_pot"] + row["net_comet"] + row["net_cards"]
        uses = ("gap", "rescue", "preempt", "own", "led")
        assert row["comet_played"] == sum(row[f"comet_{use}"] for use in uses)
        assert row["comet_dealt"] == row["comet_played"] + row["comet_stuck"]
        assert 0 <= row["win_low"] <= row["win_rate"] <= row["win_high"] <= 1
    for zero_sum in ("net", "net_pot", "net_comet", "net_cards"):
        assert sum(row[zero_sum] for row in rows) == 0
    assert sum(row["wins"] for row in rows) == sum(hands for *_, hands in nights)
    assert sum(row["expected_wins"] for row in rows) == pytest.approx(sum(hands for *_, hands in nights))


FAULTY = Night(1, NAMES[:3]).text(4)
FIRST_RUN = FAULTY.index("Run: ")
FAULTY = FAULTY[:FIRST_RUN] + re.sub(r"^Run: \w+", "Run: Nobody", FAULTY[FIRST_RUN:], count=1)


def test_faulty_hands_count_only_when_asked() -> None:
    assert [replay.legal for replay in judged(FAULTY)[0].replay.hands] == [False, True, True, True]  # type: ignore[union-attr]
    for name in NAMES[:3]:
        assert statistics(FAULTY)[name] == pytest.approx(count(FAULTY, name), abs=1e-9)
        every = statistics(FAULTY, include_faulty=True)[name]
        assert every["hands"] == 4
        assert every == pytest.approx(count(FAULTY, name, include_faulty=True), abs=1e-9)


def test_void_hands_never_count() -> None:
    text = FAULTY.replace("Hand 2\n", "Hand 2\nVoid: spilled\n")
    assert statistics(text, include_faulty=True)["Ada"]["hands"] == 3


def test_amounts_as_recorded() -> None:
    text = re.sub(r"^Pay pot: 3 ", "Pay pot: 2 ", Night(2, NAMES[:3]).text(2), count=1, flags=re.MULTILINE)
    owed, recorded = statistics(text), statistics(text, as_recorded=True)
    assert sum(row["net"] for row in owed.values()) == 0
    assert sum(row["net"] for row in recorded.values()) == -1
    for name in NAMES[:3]:
        assert recorded[name] == pytest.approx(count(text, name, as_recorded=True), abs=1e-9)


def test_unrecorded_hands_have_no_recorded_amounts() -> None:
    text = Night(2, NAMES[:3]).text(2)
    first, second = text.split("Hand 2")
    text = re.sub(r"^(Pay|Stacks).*\n", "", first, flags=re.MULTILINE) + "Hand 2" + second
    row, last = statistics(text, as_recorded=True)["Ada"], statistics(text)["Ada"]
    assert (row["hands"], last["hands"]) == (2, 2)
    assert row["net"] == row["net_hand"] == row["best"] == row["worst"]
    assert row["net_se"] is None
    bare = re.sub(r"^(Pay|Stacks).*\n", "", text, flags=re.MULTILINE)
    amounts = ("net", "net_hand", "net_se", "net_pot", "net_comet", "net_cards", "best", "worst")
    assert {statistics(bare, as_recorded=True)["Ada"][column] for column in amounts} == {None}


def test_no_opportunity_is_no_rate() -> None:
    """Only one of two players is dealt the Comet in one hand."""
    rows = statistics(Night(3, NAMES[:2]).text(1))
    without = next(row for row in rows.values() if not row["comet_dealt"])
    assert (without["comet_play_rate"], without["comet_timing"], without["net_se"]) == (None, None, None)
    winner = next(row for row in rows.values() if row["wins"])
    assert winner["cards_left"] is None


def test_nothing_loaded_is_an_empty_table() -> None:
    with Loader(None) as loader:
        table = statistic(loader.connection, "players")
    assert (table.columns, table.rows) == ([column.name for column in VIEWS["players"].columns], [])


def test_document_holds_every_column() -> None:
    shown = {"text": "text", "number": "whole number", "decimal": "decimal", "rate": "percent"}
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    columns = [column for view in VIEWS.values() for column in view.columns]
    assert rows == [(column.name, shown[column.shown], column.meaning) for column in columns]

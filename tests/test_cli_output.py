"""How results are shown: excerpts with carets, tables in every format, and nothing that steers a terminal."""

import csv
import json
import unicodedata
from datetime import date
from decimal import Decimal
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from comet_hist.cli.output.as_json import array_lines, encode
from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.excerpt import excerpt
from comet_hist.cli.output.findings import finding_lines, finding_text
from comet_hist.cli.output.table import TABLE_FORMATS, Column, Table, render
from comet_hist.cli.output.terminal import coloured
from comet_hist.findings import Finding

STEERING = {"Cc", "Cs", "Zl", "Zp"}


def finding(source: str, column: int, end_column: int, **fields: str) -> Finding:
    """Return a finding that points into a line."""
    given = {"message": "“1s” is not a card", "expected": None, "actual": "1s", "suggestion": None, **fields}
    return Finding(
        "E103", "night.comet", 7, column, end_column, "night", 1,
        given["message"], given["expected"], given["actual"], given["suggestion"], source,
    )  # fmt: skip


def under_carets(shown: str, carets: str) -> str:
    """Return what stands above the carets, by terminal columns."""
    begin, end = carets.index("^"), len(carets)
    return "".join(sign for at, sign in enumerate(shown) if begin <= wcswidth(shown[:at]) < end)


@pytest.mark.parametrize(
    "before",
    [
        "Run: Ben ",
        'Run: "日本" ',
        'Run: "Zoe\u0301" ',
        'Run: "❤\ufe0f👩\u200d🚀🇩🇪🇫🇷" ',
        "\tRun:\tBen\t",
        'Run: "\x1b[31m" ',
        'Run: "\u202eneB" ',
    ],
)
def test_carets_stand_under_the_span(before: str) -> None:
    shown, carets = excerpt(before + "1s 2s", len(before) + 1, len(before) + 3, 80)
    assert under_carets(shown, carets) == "1s"


def test_long_line_is_cut_around_the_span_and_marked_so() -> None:
    line = "Run: Ben " + "As " * 100 + "1s " + "2s " * 100
    at = line.index("1s")
    shown, carets = excerpt(line, at + 1, at + 3, 60)
    assert under_carets(shown, carets) == "1s"
    assert shown.startswith("…") and shown.endswith("…")
    assert wcswidth(shown) <= 60


def test_ends_of_a_long_line_are_marked_only_where_it_is_cut() -> None:
    line = "Ruun: " + "As " * 100
    assert excerpt(line, 1, 5, 60)[0].startswith("Ruun: As")
    assert excerpt(line + "end", len(line) + 1, len(line) + 4, 60)[0].endswith("As end")


def test_span_behind_the_end_of_its_line_gets_one_caret() -> None:
    assert excerpt("Run: Ben", 9, 10, 60) == ("Run: Ben", "        ^")


@given(st.text(min_size=1, max_size=400), st.data())
def test_excerpt_never_exceeds_its_room_and_points_at_what_is_meant(source: str, data: st.DataObject) -> None:
    begin = data.draw(st.integers(1, len(source)))
    end = data.draw(st.integers(begin + 1, len(source) + 1))
    shown, carets = excerpt(source, begin, end, 40)
    # A tab or an escape is up to ten columns wide and is not taken apart.
    assert len(carets) <= 50 and "^" in carets
    assert not any(unicodedata.category(sign) in STEERING for sign in shown)
    if source[begin - 1].isascii() and source[begin - 1].isprintable() and not source[begin - 1].isspace():
        assert next(sign for sign in under_carets(shown + " ", carets) if wcswidth(sign)) == source[begin - 1]


def test_finding_shows_place_message_line_and_caret() -> None:
    assert finding_text(finding("Run: Ben 1s 2s", 10, 12), 120, False) == (
        "night.comet:7:10: E103 “1s” is not a card\n"
        "    Run: Ben 1s 2s\n"
        "             ^^"
    )  # fmt: skip


def test_finding_shows_what_was_expected_unless_the_message_says_so() -> None:
    shown = finding_text(finding("Run: 1s", 6, 8, expected="a card such as As", suggestion="As"), 120, False)
    assert shown.endswith("\n    expected: a card such as As\n    write: As")
    again = finding_text(finding("Run: 1s", 6, 8, message="found 1s, write As", suggestion="As"), 120, False)
    assert "write: " not in again


def test_finding_in_colour_says_the_same() -> None:
    import click

    plain = finding_text(finding("Run: Ben 1s 2s", 10, 12), 120, False)
    bright = finding_text(finding("Run: Ben 1s 2s", 10, 12), 120, True)
    assert bright != plain
    assert click.unstyle(bright) == plain


def test_colour_needs_a_terminal_and_no_wish_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert not coloured("auto", StringIO())
    assert coloured("always", StringIO())
    assert not coloured("never", StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured("always", StringIO())


@pytest.mark.parametrize("form", ["text", *TABLE_FORMATS[1:]])
def test_nothing_in_a_finding_steers_the_terminal(form: str) -> None:
    evil = "a\x1b[2J\x07\x9b1m\u202eb\u2028c\udc80"
    shown = "\n".join(finding_lines([finding(evil, 1, 3, message=evil, expected=evil)], form, "never"))
    assert not any(unicodedata.category(sign) in STEERING for sign in shown.replace("\n", ""))
    assert "\u202e" not in shown


def test_visible_keeps_names_as_they_are_spelt() -> None:
    assert visible("Zoë 日本 👩\u200d🚀") == "Zoë 日本 👩\u200d🚀"
    assert visible("a\tb\x00\udcff") == "a\\x09b\\x00\\xff"


TABLE = Table(
    [Column("player"), Column("hands", "number"), Column("win_rate", "rate"), Column("net_hand", "decimal")],
    [["Cleo", 7, 3 / 7, 1.5], ["1E10", 12, None, -2], ["日本", 1, 0, Decimal("0.25")], ["Zoe\u0301", 100, 1, 3]],
)


def test_table_keeps_columns_straight_and_names_as_they_are() -> None:
    assert list(render(TABLE, "table")) == [
        "player      hands    win_rate    net_hand",
        "--------  -------  ----------  ----------",
        "Cleo            7      42.9 %        1.50",
        "1E10           12                   -2.00",
        "日本            1       0.0 %        0.25",
        "Zoe\u0301           100     100.0 %        3.00",
    ]


def test_wide_table_is_broken_below_each_other_with_its_first_column() -> None:
    for room in range(20, 41):
        lines = list(render(TABLE, "table", room))
        assert all(wcswidth(line) <= room for line in lines)
        assert sum(line.startswith("player") for line in lines) == 1 + (room < 41) + (room < 29)
        assert all(sum(column.name in line for line in lines) == 1 for column in TABLE.columns[1:])


def test_json_and_jsonl_hold_the_same_exact_values() -> None:
    rows = [json.loads(line, parse_float=Decimal) for line in render(TABLE, "jsonl")]
    assert rows == json.loads("\n".join(render(TABLE, "json")), parse_float=Decimal)
    assert rows[2] == {"player": "日本", "hands": 1, "win_rate": 0, "net_hand": Decimal("0.25")}


def test_empty_table_is_valid_in_every_format() -> None:
    nothing = Table(TABLE.columns, [])
    assert json.loads("\n".join(render(nothing, "json"))) == []
    assert list(render(nothing, "jsonl")) == []
    assert list(render(nothing, "csv")) == ["player,hands,win_rate,net_hand"]
    assert len(list(render(nothing, "table"))) == 2
    assert next(iter(render(nothing, "markdown"))).startswith("| player")


def test_json_array_holds_one_value_a_line() -> None:
    assert list(array_lines([1, "b"])) == ["[", "  1,", '  "b"', "]"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("1.50"), "1.50"),
        (10**30, "1" + "0" * 30),
        (date(2026, 11, 28), '"2026-11-28"'),
        (float("inf"), '"inf"'),
        ([None, True, {"a": Decimal("0.1")}], '[null, true, {"a": 0.1}]'),
        (b"\x00\xff", '"00ff"'),
    ],
)
def test_json_values(value: object, text: str) -> None:
    assert encode(value) == text


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_json_comes_back_as_it_was(value: object) -> None:
    assert json.loads(encode(value)) == value
    assert "\n" not in encode(value)


def test_csv_defuses_formulas_in_text_and_leaves_numbers() -> None:
    table = Table([Column("player"), Column("net", "number")], [["=1+2", -5], ["@x", 0.5], ["a,b", None], ["-", 1]])
    rows = list(csv.reader(render(table, "csv")))
    assert rows[1:] == [["'=1+2", "-5"], ["'@x", "0.5"], ["a,b", ""], ["'-", "1"]]


def test_markdown_escapes_what_would_break_its_table() -> None:
    table = Table([Column("a|b")], [["x|y\nz"], ["*bold*"], ["<b>"]])
    lines = list(render(table, "markdown"))
    assert len(lines) == 5
    assert [line.strip("| ") for line in lines] == [
        "a\\|b",
        lines[1].strip("| "),
        "x\\|y\\\\x0az",
        "\\*bold\\*",
        "\\<b\\>",
    ]

"""`comet-hist stats` at its edges: nothing to show, equal values, composed letters, spellings, and what goes where."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nights import PROCOPE, Night

from comet_hist.aliases import read_aliases
from comet_hist.cli.app import comet_hist
from comet_hist.cli.status import Status
from comet_hist.stats.columns import VIEWS

ALWAYS_THERE = ["comet", "openings", "stops"]
"""Views with rows that are there even if no hand counts."""


@pytest.fixture
def night(tmp_path: Path) -> Path:
    file = tmp_path / "night.comet"
    file.write_text(PROCOPE, encoding="utf-8")
    return file


def stats(*arguments: str | Path) -> Result:
    return CliRunner().invoke(comet_hist, ["stats", *map(str, arguments)])


# Nothing to show


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("form", ["table", "csv", "json", "jsonl", "markdown"])
def test_nothing_that_counts_is_no_error(view: str, form: str, night: Path) -> None:
    done = stats(view, night, "--min-hands", "2", "--format", form)
    assert (done.exit_code, done.exception) == (Status.CLEAN, None)
    if form == "json":
        assert bool(json.loads(done.stdout)["rows"]) == (view in ALWAYS_THERE)


@pytest.mark.parametrize("view", ALWAYS_THERE)
def test_no_opportunity_has_no_rate_and_no_mean(view: str, night: Path) -> None:
    """What is counted is 0, and what is taken over nothing is empty."""
    answer = json.loads(stats(view, night, "--min-hands", "2", "--format", "json").stdout)
    shown = {column.name: column.shown for column in VIEWS[view].columns}
    counts = {"comets", "openings", "of", "runs", "king", "gap", "played", "out", "wins"}
    for row in answer["rows"]:
        assert {row[name] for name in counts & row.keys()} == {0}
        assert {row[name] for name in row if shown[name] in ("rate", "decimal")} == {None}


def test_limit_of_none_leaves_the_names_of_the_columns(night: Path) -> None:
    done = stats(night, "--limit", "0", "--format", "csv")
    assert done.stdout.splitlines() == [",".join(column.name for column in VIEWS["players"].columns)]
    assert "the first 0 of 3 rows" in done.stderr


def test_limit_that_cuts_nothing_says_nothing(night: Path) -> None:
    assert "rows" not in stats(night, "--limit", "3").stderr


# Order


def test_equal_values_keep_the_order_they_have(night: Path) -> None:
    usual = [row["player"] for row in csv.DictReader(stats(night, "--format", "csv").stdout.splitlines())]
    for direction in ([], ["--desc"]):
        done = stats(night, "--sort", "sessions", *direction, "--format", "csv")
        assert [row["player"] for row in csv.DictReader(done.stdout.splitlines())] == usual


def test_limit_comes_after_sorting(night: Path) -> None:
    done = stats(night, "--sort", "player", "--limit", "1", "--columns", "player", "--format", "csv")
    assert done.stdout.splitlines() == ["player", "Ben"]


# Names


def test_names_are_compared_after_composing_their_letters(tmp_path: Path) -> None:
    file, names = tmp_path / "night.comet", tmp_path / "names.toml"
    file.write_text(PROCOPE.replace("Cleo", "Zoë"), encoding="utf-8")
    names.write_text('"Zoe\u0308" = ["Be\u006e"]\n"Emil" = ["E\u0301mile"]\n', encoding="utf-8")
    decomposed = "Zoe\u0308"
    assert "Zoë" in stats(file, "--player", decomposed, "--format", "csv").stdout
    assert read_aliases(names) == {"Ben": "Zoë", "\u00c9mile": "Emil"}


def test_aliases_are_stored_nowhere(tmp_path: Path, night: Path) -> None:
    database, names = tmp_path / "nights.duckdb", tmp_path / "names.toml"
    assert CliRunner().invoke(comet_hist, ["load", str(night), "--db", str(database)]).exit_code == Status.CLEAN
    names.write_text('"Benjamin" = ["Ben"]\n', encoding="utf-8")
    before = database.read_bytes()
    assert "Benjamin" in stats("--db", database, "--alias", names).stdout
    assert database.read_bytes() == before
    assert "Benjamin" not in stats("--db", database).stdout


@pytest.mark.parametrize("text", ["", '"Ben" = ["Ben"]\n', '"Ben" = []\n', '"Nobody" = ["Nowhere"]\n'])
def test_aliases_that_change_nothing(text: str, night: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.toml"
    names.write_text(text, encoding="utf-8")
    assert stats(night, "--alias", names, "--format", "csv").stdout == stats(night, "--format", "csv").stdout


def test_player_limits_who_is_shown_and_nobody_s_rank(tmp_path: Path) -> None:
    file = tmp_path / "nights.comet"
    file.write_text("".join(Night(seed, ["Ada", "Ben", "Cleo"]).text(3) for seed in (3, 4)), encoding="utf-8")
    every = json.loads(stats("sessions", file, "--format", "json").stdout)["rows"]
    ada = json.loads(stats("sessions", file, "--player", "Ada", "--format", "json").stdout)["rows"]
    assert ada == [row for row in every if row["player"] == "Ada"] != []


# What goes where


@pytest.mark.parametrize("view", VIEWS)
def test_lines_and_cells_hold_rows_alone(view: str, night: Path) -> None:
    rows = json.loads(stats(view, night, "--format", "json").stdout)["rows"]
    assert [json.loads(line) for line in stats(view, night, "--format", "jsonl").stdout.splitlines()] == rows
    head, *cells = csv.reader(stats(view, night, "--format", "csv").stdout.splitlines())
    assert head == [column.name for column in VIEWS[view].columns] and len(cells) == len(rows)


def test_squares_are_for_people_who_ask_for_nothing_else(night: Path) -> None:
    for form in ("table", "markdown"):
        shown = stats("pairs", night, "--format", form).stdout
        assert [kind for kind in ("pot", "comet", "cards", "paid") if f"{kind}: from" in shown] == [
            "pot", "comet", "cards", "paid",
        ]  # fmt: skip
        for asked in (["--columns", "payer,payee,paid"], ["--sort", "paid"], ["--limit", "9"]):
            assert ": from" not in stats("pairs", night, *asked, "--format", form).stdout
    for form in ("csv", "json", "jsonl"):
        assert ": from" not in stats("pairs", night, "--format", form).stdout


def test_nobody_pays_themselves(night: Path) -> None:
    square = stats("pairs", night, "--format", "markdown").stdout.split("\n\n")[3].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in square]
    assert [row[at + 1] for at, row in enumerate(cells[2:5])] == ["", "", ""]
    assert cells[-1][0] == cells[0][-1] == "all"

"""Databases on the command line: their names, altered ones, refusals that stay, values that come out as they are."""

import csv
import json
from contextlib import chdir
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result
from nights import Night

from comet_hist.cli.app import comet_hist


def run(*arguments: str | Path, cwd: str | Path = ".", input: str | None = None) -> Result:
    with chdir(cwd):
        return CliRunner(catch_exceptions=False).invoke(comet_hist, [*map(str, arguments)], input=input)


def one_line(done: Result) -> str:
    """Return what the command complained of, which is one line and nothing beside it."""
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.startswith("comet-hist: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr.removeprefix("comet-hist: ").strip()


@pytest.fixture
def night(tmp_path: Path) -> Path:
    file = tmp_path / "night.comet"
    file.write_text(Night(1, ["Ada", "Ben", "Cleo"], ident="one").text(3), encoding="utf-8")
    return file


@pytest.fixture
def database(night: Path) -> Path:
    file = night.with_name("nights.duckdb")
    assert run("load", night, "--db", file).exit_code == 0
    return file


# The file


@pytest.mark.parametrize("name", [":memory:", ":memory:x", "md:x", "sqlite:x.db"])
@pytest.mark.parametrize("command", ["load", "analyze", "stats"])
def test_name_that_means_no_file_is_refused(night: Path, name: str, command: str) -> None:
    paths = [] if command == "stats" else [night]
    done = run(command, *paths, "--db", name, cwd=night.parent)
    assert one_line(done) == f"{name}: names no file to DuckDB; give a file, such as nights.duckdb"
    assert list(night.parent.iterdir()) == [night]


def test_empty_name_and_empty_file(night: Path, tmp_path: Path) -> None:
    done = run("load", night, "--db", "")
    assert done.exit_code == 2 and "it is empty; give a file" in done.stderr
    empty = tmp_path / "empty.duckdb"
    empty.touch()
    for done in (run("load", night, "--db", empty), run("stats", "--db", empty)):
        assert one_line(done) == f"{empty}: is an empty file and no DuckDB database; remove it, or give another file"
    assert empty.stat().st_size == 0


def test_no_database_is_left_where_nothing_was_loaded(tmp_path: Path, database: Path) -> None:
    before = database.read_bytes()
    for target in (tmp_path / "new.duckdb", database):
        for command in ("load", "analyze"):
            assert run(command, tmp_path / "none.comet", "--db", target).exit_code == 2
    assert not (tmp_path / "new.duckdb").exists()
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE private.hands RENAME names TO n", "ALTER TABLE private.comet_hist RENAME schema_version TO x",
        "DROP VIEW findings", "DROP TABLE private.findings", "ALTER TABLE private.sessions RENAME digest TO d",
    ],
)  # fmt: skip
def test_altered_database_is_one_line(night: Path, database: Path, change: str) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute(change)
    said = []
    night.write_text(night.read_text().replace("Date: ", "Place: Here\nDate: ", 1))
    for arguments in (["stats"], ["load", night], ["load", night], ["analyze", night]):
        done = run(*arguments, "--db", database)
        if done.exit_code == 2:
            said += [line for line in done.stderr.splitlines() if line.startswith("comet-hist: ")]
    assert said
    for line in said:
        assert line.startswith(f"comet-hist: {database}: is not as comet-hist made it: "), line
        assert line.endswith("; load the histories into a new file")


def test_refused_session_is_shown_whenever_its_file_is_loaded(night: Path, database: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.comet"
    other.write_text(night.read_text().replace("Date: ", "Place: Elsewhere\nDate: ", 1))
    for _ in range(2):
        done = run("load", other, "--db", database)
        assert done.exit_code == 1
        assert ":1:1: E206 " in done.stdout
        assert "refused 1 session" in done.stderr and "already loaded" not in done.stderr
    assert ":1:1: E206 " in run("analyze", other, "--db", database).stdout
    counted = run("query", "SELECT count(*) AS n FROM findings", "--db", database, "--format", "csv")
    assert counted.stdout == "n\n1\n"
    assert "already loaded, nothing changed" in run("load", night, "--db", database).stderr


# Questions


ODD = """
    SELECT DATE '-infinity' AS day, TIMESTAMP 'infinity' AS time, INTERVAL '14 months -3 days' AS span,
        TIMESTAMP_NS '2020-01-01 00:00:00.123456789' AS fine, '-inf'::DOUBLE AS low, 'nan'::FLOAT AS none,
        [DATE 'infinity'] AS days, {'a b': INTERVAL '1 month', 'n': 1} AS pair, MAP {1: DATE '2020-01-01'} AS of,
        (1, DATE '2020-01-01') AS row, TIMESTAMPTZ '2020-01-01 00:00:00+00' AS zone, -5 AS n
"""
SHOWN = {
    "day": "-infinity", "time": "infinity", "span": "1 year 2 months -3 days",
    "fine": "2020-01-01 00:00:00.123456789", "low": "-inf", "none": "nan",
    "days": ["infinity"], "pair": {"a b": "1 month", "n": 1}, "of": {"1": "2020-01-01"},
    "row": "(1, 2020-01-01)", "zone": "2020-01-01 00:00:00+00", "n": -5,
}  # fmt: skip


def test_values_are_shown_as_duckdb_shows_them(database: Path) -> None:
    (row,) = json.loads(run("query", ODD, "--db", database, "--format", "json").stdout)
    assert row == SHOWN
    (cells,) = csv.DictReader(run("query", ODD, "--db", database, "--format", "csv").stdout.splitlines())
    for name, value in SHOWN.items():
        assert cells[name] == (value if isinstance(value, str) else json.dumps(value))
    table = run("query", ODD, "--db", database).stdout.splitlines()[2]
    assert all(value in table for value in SHOWN.values() if isinstance(value, str))


def test_order_of_an_answer_is_the_query_s(database: Path) -> None:
    sql = "SELECT hand, INTERVAL (hand) DAY AS span FROM hands ORDER BY hand DESC"
    rows = json.loads(run("query", sql, "--db", database, "--format", "json").stdout)
    assert [row["hand"] for row in rows] == [3, 2, 1]
    assert rows[0]["span"] == "3 days"


def test_names_that_stand_twice(database: Path) -> None:
    done = run("query", "SELECT 5 AS n, 6 AS n, 7 AS n_2, 8 AS n", "--db", database, "--format", "jsonl")
    assert json.loads(done.stdout) == {"n": 5, "n_3": 6, "n_2": 7, "n_4": 8}


def test_words_that_are_no_query(database: Path) -> None:
    done = run("query", "from", "hands", "--db", database)
    assert done.exit_code == 2
    assert done.stderr.endswith('Error: the query is one argument; put it in quotes: "from hands"\n')
    done = run("query", "-- all\nFROM hands", "--db", database)
    assert done.exit_code == 2 and "write - for it, and give it on standard input" in done.stderr
    assert run("query", "-", "--db", database, input="-- all\nFROM hands").exit_code == 0
    assert "No such option '--fromat'" in run("query", "FROM hands", "--fromat", "csv", "--db", database).stderr


# Statistics


def test_words_of_stats(night: Path, database: Path) -> None:
    assert "did you mean “players”?" in run("stats", "player", night).stderr
    assert "not both" in run("stats", night, "--db", database).stderr
    named = night.with_name("player")
    named.write_text(night.read_text())
    assert run("stats", "player", cwd=night.parent).exit_code == 0


def test_amounts_as_recorded_say_over_how_many_hands(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    recorded = Night(1, ["Ada", "Ben", "Cleo"], ident="one").text(3)
    bare = Night(2, ["Ada", "Ben", "Cleo"], ident="two").text(2)
    bare = "".join(line for line in bare.splitlines(True) if not line.startswith(("Pay", "Stacks")))
    file.write_text(recorded + bare)
    done = run("stats", file, "--as-recorded", "--format", "json")
    assert "3 of 5 hands record amounts, over which all amounts are taken\n" in done.stderr
    for row in json.loads(done.stdout)["rows"]:
        assert row["hands"] == 5 and row["net_hand"] == pytest.approx(row["net"] / 3)
    assert "record amounts" not in run("stats", file).stderr


def test_expected_wins_are_exact(tmp_path: Path) -> None:
    names = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"]
    for players in range(2, 7):
        text = Night(players, names[:players], ident=f"n{players}").text(players)
        (tmp_path / f"{players}.comet").write_text(text)
    rows = {row["player"]: row for row in json.loads(run("stats", tmp_path, "--format", "json").stdout)["rows"]}
    assert (rows["Ada"]["expected_wins"], rows["Fay"]["expected_wins"]) == (5, 1)

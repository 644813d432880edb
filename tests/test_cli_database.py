"""Databases on the command line: their names, altered ones, refusals that stay, values that come out as they are."""

import csv
import json
import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result
from nights import Night

from comet_hist.cli.app import comet_hist
from comet_hist.store import database as database_module
from comet_hist.store.load import Loader


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


@pytest.mark.parametrize(
    "name",
    [
        "private.duckdb", "PRIVATE.db", "main.duckdb", "information_schema.duckdb", "comet_hist.duckdb", "./md:x",
        "12:30.duckdb", "~x.duckdb", "it's #1 %20.duckdb", "-x.duckdb", "none/../b.duckdb", "line\nend",
    ],
)  # fmt: skip
def test_file_of_any_name_is_a_database(night: Path, name: str) -> None:
    assert run("load", night, f"--db={name}", cwd=night.parent).exit_code == 0
    answer = run("query", "SELECT count(*) AS n FROM hands", f"--db={name}", "--format", "csv", cwd=night.parent)
    assert answer.stdout == "n\n3\n"
    made = night.parent / Path(name).name
    assert sorted(night.parent.iterdir()) == sorted([night, made])


@pytest.mark.parametrize("name", ["what?.duckdb", "wh?t/x.duckdb", "a\\b.duckdb", "n" * 245])
@pytest.mark.parametrize("command", ["load", "stats"])
def test_name_that_duckdb_cannot_hold_is_refused(night: Path, name: str, command: str) -> None:
    (night.parent / "wh?t").mkdir()
    paths = [] if command == "stats" else [night]
    said = one_line(run(command, *paths, "--db", name, cwd=night.parent))
    assert said.startswith(f"{name}: ") and said.endswith(
        ("use another name or folder", "DuckDB appends up to 15 characters to it")
    )
    assert not list(night.parent.rglob("*wal*")) and not list(night.parent.rglob("*.duckdb"))


def test_home_folder_and_links_in_a_name(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, folder = night.parent / "home", night.parent
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (folder / "link.duckdb").symlink_to(home / "n.duckdb")
    for name in ("link.duckdb", "~/n.duckdb"):
        done = run("load", night, f"--db={name}", cwd=folder)
        assert done.exit_code == 0
    assert "already loaded" in done.stderr
    assert (folder / "link.duckdb").is_symlink() and [*home.iterdir()] == [home / "n.duckdb"]


def test_name_in_utf8_under_another_locale(night: Path) -> None:
    latin = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [Path(sys.executable).with_name("comet-hist"), "load", night, "--db", "café.duckdb"]
    done = subprocess.run(command, cwd=night.parent, env=os.environ | latin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (night.parent / "café.duckdb").exists()


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


def test_file_without_a_session_leaves_no_database(tmp_path: Path, night: Path) -> None:
    unread, empty, target = tmp_path / "unread.comet", tmp_path / "empty.comet", tmp_path / "new.duckdb"
    unread.write_text("Comet session\n")
    empty.touch()
    for command in ("load", "analyze"):
        for paths in ([empty], [empty, unread]):
            run(command, *paths, "--db", target)
            assert sorted(tmp_path.iterdir()) == sorted([night, unread, empty])
    assert run("load", empty, night, "--db", target).exit_code == 0
    assert target.exists()


LOGGED = """
import duckdb, os, sys
connection = duckdb.connect(sys.argv[1])
connection.execute("CREATE TABLE kept AS SELECT 1")
os._exit(0)
"""
OTHER = """
import sys
from pathlib import Path
from comet_hist.store.load import Loader
with Loader(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.readline()
"""


def test_database_of_another_process_is_not_removed(night: Path) -> None:
    target = night.with_name("nights.duckdb")
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin and other.stdout and other.stdout.readline() == "open\n"
        assert "is in use by" in one_line(run("load", night, "--db", target))
        # The other has the file open and is told to end, but somebody else takes its name before.
        target.unlink()
        target.with_name("nights.duckdb.wal").unlink()
        assert run("load", night, "--db", target).exit_code == 0
        made = target.read_bytes()
        other.communicate("end\n")
    assert other.returncode == 0
    assert target.read_bytes() == made


def test_new_database_is_removed_before_it_is_unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the removal and the end of the lock another process makes a file of that name, and leaves its log."""
    target, other = tmp_path / "nights.duckdb", [sys.executable, "-c", LOGGED, tmp_path / "nights.duckdb"]
    remove = database_module._remove
    monkeypatch.setattr(database_module, "_remove", lambda *new: (remove(*new), subprocess.run(other, check=True)))
    with Loader(target):
        assert target.exists()
    with duckdb.connect(str(target)) as connection:
        assert connection.execute("FROM kept").fetchall() == [(1,)]


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

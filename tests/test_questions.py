"""Long answers: rows as they are worked out, orders and limits in SQL, and tables that people see the beginning of."""

import csv
import json
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nights import Night

from comet_hist.cli.app import comet_hist
from comet_hist.cli.commands import query as query_command
from comet_hist.cli.commands import stats as stats_command
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.stats.columns import VIEWS
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import Order, statistic, statistic_rows
from comet_hist.store.load import Loader
from comet_hist.store.query import SqlError, connect_readonly, run_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

COMMAND = Path(sysconfig.get_path("scripts")) / "comet-hist"
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil"]
TEXT = "".join(Night(seed, NAMES[: 2 + seed % 4], ident=f"n{seed}").text(seed % 5 + 1) for seed in range(6))
ENDLESS = "SELECT a.range AS n, 'x' AS t FROM range(100000000) a, range(100000000) b"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("questions") / "nights.duckdb"
    with Loader(path) as loader, loader.file("nights.comet", "0" * 64, len(TEXT)) as load:
        for judged in Judge().judge(read(BytesIO(TEXT.encode()), "nights.comet")):
            load.add(judged)
    return path


@pytest.fixture(scope="module")
def asking(database: Path) -> "Iterator[DuckDBPyConnection]":
    with connect_readonly(database) as connection:
        yield connection


def run(*arguments: str | Path) -> Result:
    return CliRunner(catch_exceptions=False).invoke(comet_hist, [*map(str, arguments)])


# Orders and limits

CHOSEN = st.builds(
    Filters,
    players=st.sampled_from([(), ("Ben",), ("Emil", "Cleo")]),
    sessions=st.sampled_from([(), ("n2", "n5")]),
    sizes=st.sampled_from([(), (2, 4)]),
    min_hands=st.sampled_from([0, 9]),
    aliases=st.sampled_from([{}, {"Dora": "Doris"}]),
)


def in_order(rows: list[tuple[Any, ...]], at: int, descending: bool) -> list[tuple[Any, ...]]:
    filled = sorted((row for row in rows if row[at] is not None), key=lambda row: row[at], reverse=descending)
    return [*filled, *(row for row in rows if row[at] is None)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("descending", [False, True])
def test_every_column_sorts(view: str, descending: bool, asking: "DuckDBPyConnection") -> None:
    """The smallest or the largest first, empty values last, and equal ones as they were."""
    rows = statistic(asking, view).rows
    for at, column in enumerate(VIEWS[view].columns):
        order = Order(column.name, descending)
        assert list(statistic_rows(asking, view, Filters(), order)) == in_order(rows, at, descending), column.name


@pytest.mark.parametrize("view", VIEWS)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=CHOSEN, limit=st.integers(0, 60), data=st.data())
def test_limit_leaves_the_first_rows(
    view: str, asking: "DuckDBPyConnection", chosen: Filters, limit: int, data: st.DataObject
) -> None:
    """What is left out changes nothing in the rows that are not, and all of them are counted."""
    order = data.draw(st.none() | st.sampled_from([Order(column.name, True) for column in VIEWS[view].columns]))
    rows = list(statistic_rows(asking, view, chosen, order))
    first = statistic_rows(asking, view, chosen, order, limit)
    assert list(first) == rows[:limit]
    assert (first.taken, first.total()) == (len(rows[:limit]), len(rows))


def test_people_see_the_beginning_and_are_told(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats_command, "MOST_ROWS", 5)
    whole = run("stats", "timeline", "--db", database, "--format", "csv")
    count = len(whole.stdout.splitlines()) - 1
    assert whole.stderr == "" and count > 5
    for form, heading in (("table", 2), ("markdown", 2)):
        done = run("stats", "timeline", "--db", database, "--format", form)
        assert len(done.stdout.splitlines()) == heading + 5
        assert done.stderr == f"the first 5 of {count} rows; `--limit N` shows more, `--format csv` all\n"
    done = run("stats", "timeline", "--db", database, "--limit", "7")
    assert len(done.stdout.splitlines()) == 2 + 7 and done.stderr == f"the first 7 of {count} rows\n"
    done = run("stats", "timeline", "--db", database, "--limit", str(count))
    assert len(done.stdout.splitlines()) == 2 + count and done.stderr == ""
    # Squares of some pairs would show sums of some; squares of all are shown.
    assert run("stats", "pairs", "--db", database).stdout.startswith("payer ")
    assert run("stats", "pairs", "--db", database, "--session", "n0").stdout.startswith("pot: from ")


def test_misspelt_name_is_found_among_many(database: Path) -> None:
    assert "did you mean “Cleo”?" in run("stats", "--player", "Celo", "--db", database).stderr
    assert "there is no session “n77”\n" in run("stats", "--session", "n77", "--db", database).stderr


# Long answers of queries


def test_rows_come_before_the_last_is_worked_out(asking: "DuckDBPyConnection") -> None:
    answer = run_query(asking, ENDLESS)
    assert (answer.columns, answer.numeric) == (["n", "t"], [True, False])
    assert all(row[1] == "x" for row, _ in zip(answer.rows, range(5000), strict=False))
    asking.abort()


def test_failure_further_down_is_told_as_at_the_top(database: Path, asking: "DuckDBPyConnection") -> None:
    late = "SELECT CASE WHEN range = 50000 THEN error('too late') ELSE range END AS n FROM range(100000)"
    with pytest.raises(SqlError, match="too late"):
        list(run_query(asking, late).rows)
    done = run("query", late, "--db", database, "--format", "csv")
    assert done.exit_code == 2 and "too late" in done.stderr
    lines = done.stdout.splitlines()
    assert lines == ["n", *map(str, range(len(lines) - 1))]


def test_long_table_is_cut_and_no_other_format(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_command, "MOST_ROWS", 10)
    for rows, more in ((10, False), (11, True)):
        sql = f"SELECT range AS n FROM range({rows})"
        done = run("query", sql, "--db", database)
        assert done.stdout.split() == ["n", "---", *map(str, range(10))]
        assert done.stderr == ("the first 10 rows, of more; `--format csv` gives all\n" if more else "")
        done = run("query", sql, "--db", database, "--format", "csv")
        assert done.stdout.split() == ["n", *map(str, range(rows))] and done.stderr == ""
        done = run("query", sql, "--db", database, "--format", "json")
        assert [row["n"] for row in json.loads(done.stdout)] == list(range(rows))


def test_numbers_stand_to_the_right_whatever_is_empty(database: Path) -> None:
    sql = "SELECT NULL::INTEGER AS whole, 'text' AS words, 1.5 AS exact, NULL::DATE AS day"
    heading, _, row = run("query", sql, "--db", database).stdout.splitlines()
    assert heading.split() == ["whole", "words", "exact", "day"]
    assert row.index("text") == heading.index("words")
    assert row.index("1.5") + len("1.5") == heading.index("exact") + len("exact")


@pytest.mark.parametrize("form", ["csv", "jsonl", "json"])
def test_endless_answer_begins_at_once_and_ends_with_its_reader(form: str, database: Path) -> None:
    command = [str(COMMAND), "query", ENDLESS, "--db", str(database), "--format", form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        lines = [process.stdout.readline() for _ in range(20_000)]
        process.stdout.close()
        assert process.wait(20) != 0 and process.stderr.read() == ""
    assert all(lines)


def test_interrupt_ends_an_endless_answer(database: Path) -> None:
    command = [str(COMMAND), "query", ENDLESS, "--db", str(database), "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline() == "n,t\n"
        process.send_signal(signal.SIGINT)
        while process.stdout.readline():
            pass
        assert process.stderr.read() == "comet-hist: interrupted\n"
    assert process.returncode == 128 + signal.SIGINT


PEAK = """
import resource, sys
from comet_hist.cli.app import comet_hist
comet_hist(sys.argv[1:], standalone_mode=False)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


def test_memory_does_not_grow_with_the_rows(database: Path) -> None:
    def megabytes(rows: int) -> int:
        sql = f"SELECT range AS n, repeat('x', 100) || range AS t FROM range({rows})"
        command = [sys.executable, "-c", PEAK, "query", sql, "--db", str(database), "--format", "csv"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
        return int(done.stderr)

    assert megabytes(400_000) < megabytes(4_000) + 30, "400,000 rows of 100 letters are 40 MB and more"


def test_csv_of_a_statistic_guards_names_wherever_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    file.write_text(Night(1, ['"=Ada"', "Ben"], ident="one").text(2))
    rows = list(csv.DictReader(run("stats", "timeline", file, "--format", "csv").stdout.splitlines()))
    assert [row["player"] for row in rows] == ["'=Ada", "Ben"] * 2


# What is no query, and what is no answer


@pytest.mark.parametrize("sql", ["UPDATE EXTENSIONS", "CONNECT x", "DISCONNECT"])
def test_statements_that_python_does_not_know_are_refused(database: Path, sql: str) -> None:
    done = run("query", sql, "--db", database)
    assert done.exit_code == 2
    refusal = "the database is only read here: give a query such as SELECT, not this statement"
    assert done.stderr == f"comet-hist: {refusal}\n"


@pytest.mark.parametrize(
    ("sql", "form", "said"),
    [
        ("SELECT repeat('x', 1000001) AS x", "table", "is too long for a table; take `--format csv`"),
        ("SELECT range(1000001) AS x", "markdown", "is too long for a table; take `--format csv`"),
        (f"SELECT {'[' * 500}{']' * 500} AS x", "json", "nested too deeply"),
    ],
)
def test_answers_that_cannot_be_shown_are_one_line(database: Path, sql: str, form: str, said: str) -> None:
    done = run("query", sql, "--db", database, "--format", form)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("comet-hist: ") and said in done.stderr


def test_numbers_of_views_can_be_calculated_with(asking: "DuckDBPyConnection") -> None:
    for view, column, kind in asking.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'main'"
    ).fetchall():
        assert not kind.startswith("U") and kind not in ("TINYINT", "SMALLINT"), (view, column)
    (least,) = run_query(asking, "SELECT min(position - cards_dealt) FROM seats").rows
    assert least[0] < 0

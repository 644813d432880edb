"""The command line: arguments, exit statuses, streams and formats, tried on real histories."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from nights import PROCOPE as CLEAN

from comet_hist import __version__
from comet_hist.cli import commands
from comet_hist.cli.app import COMMANDS, comet_hist, command
from comet_hist.cli.options import FINDING_FORMATS
from comet_hist.cli.output.table import TABLE_FORMATS
from comet_hist.cli.status import Status
from comet_hist.stats.columns import VIEWS

COMMAND = Path(sys.executable).with_name("comet-hist")


SLIPPED = (
    CLEAN.replace("procope-2026-11-28", "slipped")
    .replace("Pay cards: Emil 3, Ben 1", "Pay cards: Emil 2, Ben 1")
    .replace("Ben As 2s", "Ben 1s 2s")
)
UNDERPAID = CLEAN.replace("Emil 3, Ben 1 -> Cleo", "Emil 2, Ben 1 -> Cleo").replace(
    "Stacks: Cleo 45, Emil 35", "Stacks: Cleo 44, Emil 36"
)
SHORT = CLEAN.replace("progressive", "hands 2")


def run(*arguments: str | Path, stdin: str | bytes | None = None, **environment: str) -> Result:
    """Run a command within this process."""
    return CliRunner().invoke(comet_hist, list(map(str, arguments)), input=stdin, env=environment)


def installed(*arguments: str | Path, **extra: object) -> "subprocess.CompletedProcess[str]":
    """Run the installed command as a user would."""
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False, **extra)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def nights(tmp_path: Path) -> Path:
    """Return a folder of two clean nights."""
    folder = tmp_path / "nights"
    folder.mkdir()
    (folder / "a.comet").write_text(CLEAN, encoding="utf-8")
    (folder / "b.comet").write_text(CLEAN.replace("procope-2026-11-28", "second"), encoding="utf-8")
    return folder


@pytest.fixture
def slips(tmp_path: Path) -> Path:
    """Return a folder with a night in which a card cannot be read."""
    folder = tmp_path / "slips"
    folder.mkdir()
    (folder / "slip.comet").write_text(SLIPPED, encoding="utf-8")
    return folder


# The commands and their help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented_with_examples(name: str) -> None:
    shown = run(name, "--help")
    assert shown.exit_code == Status.CLEAN
    assert f"    comet-hist {name}" in shown.stdout.split("Examples:")[1]
    for parameter in command(name).params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_name_options_that_exist(name: str) -> None:
    known = {option for parameter in command(name).params for option in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", (command(name).epilog or "").split("Columns")[0])) <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    assert command(name).get_short_help_str(1000) == COMMANDS[name]
    assert len(COMMANDS[name]) <= 68
    assert re.search(rf"^  {name} +{re.escape(COMMANDS[name])}$", run("--help").stdout, re.MULTILINE)


def test_every_module_of_a_command_is_one() -> None:
    folder = Path(commands.__path__[0])
    assert {path.stem for path in folder.glob("[a-z]*.py")} == set(COMMANDS)


def test_a_command_that_is_not_there_names_the_nearest() -> None:
    shown = run("chek")
    assert shown.exit_code == Status.USAGE and "'check'" in shown.stderr


@pytest.mark.parametrize(
    ("words", "completed"),
    [("s", ["stats", "schema", "show", "simulate"]), ("explain --f", ["--format"])],
)
def test_shell_completes_commands_and_their_options(words: str, completed: list[str]) -> None:
    before, _, incomplete = words.rpartition(" ")
    shown = ShellComplete(comet_hist, {}, "comet-hist", "_COMET_HIST_COMPLETE")
    found = shown.get_completions(before.split(), incomplete)
    assert [item.value for item in found] == completed
    assert all(item.help == COMMANDS[item.value] for item in found if item.value in COMMANDS)


def test_without_a_command_there_is_help() -> None:
    shown = run()
    assert "Commands:" in shown.output and "comet-hist analyze" in shown.output


def test_help_of_stats_says_what_every_column_means() -> None:
    words = " ".join(run("stats", "--help").stdout.split())
    for column in [column for view in VIEWS.values() for column in view.columns]:
        assert f"{column.name} {' '.join(column.meaning.split())}" in words


START = {
    "cli", "cli.app", "cli.ending", "cli.options", "cli.output", "cli.output.characters", "cli.settings", "cli.status",
    "processes", "signals",
}  # fmt: skip
"""The modules of the program that every command loads."""

SLOW = {
    "asyncio", "dataclasses", "hashlib", "importlib.metadata", "importlib.resources", "json", "multiprocessing",
    "random", "tempfile", "tomllib", "unittest",
}  # fmt: skip
"""Modules of Python that take a millisecond or more to load."""


def loaded_by(*arguments: str, start: str = "from comet_hist.cli import main") -> set[str]:
    """Return the modules that are loaded when the command has ended."""
    script = f"import sys; {start}\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.fixture(scope="module")
def loaded_by_click() -> set[str]:
    return loaded_by(start="import click; main = dict")


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["--version"], set[str]()),
        (["--help"], set[str]()),
        (["explain", "E406"], {"cli.commands", "cli.commands.explain", "explain", "explanations"}),
    ],
    ids=["version", "help", "explain"],
)
def test_quick_commands_load_what_they_use_and_no_more(
    arguments: list[str], more: set[str], loaded_by_click: set[str]
) -> None:
    loaded = loaded_by(*arguments)
    ours = {name for name in loaded if name.split(".")[0] == "comet_hist"}
    assert ours == {"comet_hist", *(f"comet_hist.{name}" for name in START | more)}
    others = loaded - ours - loaded_by_click
    assert {name.split(".")[0] for name in others} <= sys.stdlib_module_names | {"click"}
    assert not others & SLOW


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_loads_nothing_heavy(name: str) -> None:
    loaded = {name.split(".")[0] for name in loaded_by(name, "--help")}
    assert "comet_hist" in loaded and "click" in loaded
    assert not loaded & {"duckdb", "numpy", "pyarrow", "pyparsing", "tabulate", "wcwidth", "zstandard"}


def test_version() -> None:
    assert installed("--version").stdout == f"comet-hist {__version__}\n"


# Exit statuses and streams


def test_installed_command_says_how_it_went(nights: Path, slips: Path) -> None:
    assert installed("analyze", nights).returncode == 0
    assert installed("analyze", slips).returncode == 1
    assert installed("check", nights / "none.comet").returncode == 2
    assert installed("check").returncode == 2
    assert installed("check", nights, "--format", "xml").returncode == 2


def test_path_that_cannot_be_read_outweighs_errors_and_costs_no_other(slips: Path, tmp_path: Path) -> None:
    done = run("check", tmp_path / "none", slips, "--format", "json")
    assert done.exit_code == Status.USAGE
    assert [finding["code"] for finding in json.loads(done.stdout)] == ["E103"]
    assert done.stderr.startswith("comet-hist: ") and "none" in done.stderr and done.stderr.count("\n") == 1


def test_warnings_alone_are_no_errors_unless_strict(tmp_path: Path) -> None:
    file = tmp_path / "short.comet"
    file.write_text(SHORT, encoding="utf-8")
    done = run("audit", file, "--format", "json")
    assert [finding["code"] for finding in json.loads(done.stdout)["findings"]] == ["W602"]
    assert done.exit_code == Status.CLEAN
    for name in ("audit", "analyze"):
        assert run(name, file, "--strict").exit_code == Status.ERRORS


def test_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    file = tmp_path / "many.comet"
    bad = "\n".join(f"Ruun: {number}" for number in range(3000))
    file.write_text(f"Comet session many\n{bad}\n", encoding="utf-8")
    with subprocess.Popen(
        [COMMAND, "check", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == Status.CLOSED_PIPE


def test_interrupt_is_told_from_failure() -> None:
    with subprocess.Popen([COMMAND, "check", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stderr
        # More than a pipe holds: once it is written, the command is reading.
        process.stdin.write("# a comment\n" * 50_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == Status.INTERRUPTED
        assert process.stderr.read() == "comet-hist: interrupted\n"


def test_database_that_cannot_be_used_is_one_line(tmp_path: Path, nights: Path) -> None:
    other = tmp_path / "other.duckdb"
    other.write_text("no database", encoding="utf-8")
    for arguments in (["load", nights], ["query", "FROM hands"], ["stats"], ["analyze", nights]):
        done = run(*arguments, "--db", other)
        assert done.exit_code == Status.USAGE, arguments
        assert done.stderr.startswith("comet-hist: ") and done.stderr.count("\n") == 1
    assert run("stats", "--db", tmp_path / "none.duckdb").exit_code == Status.USAGE


# Checking


def test_check_of_clean_nights(nights: Path) -> None:
    done = run("check", nights)
    assert done.exit_code == Status.CLEAN
    assert done.stdout == ""
    assert done.stderr == "2 files, 2 sessions, 2 hands: 2 legal; 0 errors, 0 warnings\n"
    assert run("check", nights, "--format", "json").stdout == "[]\n"
    assert run("check", nights, "--format", "jsonl").stdout == ""


def test_check_shows_the_line_with_a_caret(slips: Path) -> None:
    done = run("check", slips)
    assert done.exit_code == Status.ERRORS
    place, line, carets = done.stdout.split("\n")[:3]
    assert place.startswith(f"{slips}/slip.comet:15:10: E103 ")
    assert line[carets.index("^") : len(carets)] == "1s"
    assert done.stderr == "1 file, 1 session, 1 hand: 0 legal, 1 not legal; 1 error, 0 warnings\n"


def test_formats_of_findings_say_the_same(slips: Path) -> None:
    whole = json.loads(run("check", slips, "--format", "json").stdout)
    assert list(whole[0]) == [
        "code", "severity", "file", "line", "column", "end_column",
        "session", "hand", "message", "expected", "actual", "suggestion",
    ]  # fmt: skip
    assert [json.loads(line) for line in run("check", slips, "--format", "jsonl").stdout.splitlines()] == whole
    rows = list(csv.DictReader(run("check", slips, "--format", "csv").stdout.splitlines()))
    assert [row["code"] for row in rows] == [finding["code"] for finding in whole]
    assert rows[0]["column"] == str(whole[0]["column"])
    assert "| E103 " in run("check", slips, "--format", "markdown").stdout


@pytest.mark.parametrize("form", FINDING_FORMATS[1:])
def test_data_alone_stands_on_standard_output_and_nothing_beside_it(slips: Path, form: str) -> None:
    assert run("check", slips, "--format", form).stderr == ""


def test_check_leaves_payments_to_the_audit(tmp_path: Path) -> None:
    file = tmp_path / "underpaid.comet"
    file.write_text(UNDERPAID, encoding="utf-8")
    assert run("check", file).exit_code == Status.CLEAN
    done = run("audit", file)
    assert done.exit_code == Status.ERRORS
    assert "E502" in done.stdout


def test_colour_is_for_terminals(slips: Path) -> None:
    assert "\x1b[" not in run("check", slips).stdout
    assert "\x1b[" in run("check", slips, "--color", "always", NO_COLOR="").stdout
    assert "\x1b[" not in run("check", slips, "--color", "always", NO_COLOR="1").stdout


def test_standard_input_and_the_same_file_twice(nights: Path) -> None:
    assert "1 file, 1 session" in run("check", "-", stdin=CLEAN).stderr
    assert "2 files, 2 sessions" in run("check", nights, nights / "a.comet", nights / "../nights/b.comet").stderr


def test_escapes_in_a_record_do_not_reach_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "evil.comet"
    file.write_text(CLEAN.replace("Dealer: Emil", 'Dealer: "\x1b]0;owned\x07\u202e"'), encoding="utf-8")
    for form in FINDING_FORMATS:
        shown = run("check", file, "--format", form)
        assert shown.exit_code == Status.ERRORS
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown.output)


# Auditing


def test_audit_for_programs(tmp_path: Path, nights: Path) -> None:
    (nights / "c.comet").write_text(UNDERPAID.replace("procope-2026-11-28", "third"), encoding="utf-8")
    whole = json.loads(run("audit", nights, "--format", "json").stdout)
    assert list(whole) == ["sessions", "findings", "period"]
    assert [session["session"] for session in whole["sessions"]] == ["procope-2026-11-28", "second", "third"]
    third = whole["sessions"][2]
    assert list(third) == ["session", "hands", "balances", "settle", "money"]
    (hand,) = third["hands"]
    assert (hand["hand"], hand["status"]) == (1, "wrong")
    assert hand["corrections"] == [{"payer": "Emil", "payee": "Cleo", "amount": 1}]
    assert {"kind": "cards", "payer": "Emil", "payee": "Cleo", "owed": 3, "recorded": 2} in hand["payments"]
    assert {"kind": "ante", "payer": "Ben", "payee": None, "owed": 1, "recorded": 1} in hand["payments"]
    assert third["balances"][0] == {
        "player": "Cleo", "start": 40, "bought": 0, "owed_net": 5, "recorded_net": 4, "end": 45,
    }  # fmt: skip
    assert third["settle"] == [{"payer": "Cleo", "payee": "Emil", "amount": 5}]
    lines = [json.loads(line) for line in run("audit", nights, "--format", "jsonl").stdout.splitlines()]
    assert [line.pop("findings") for line in lines] == [[], [], whole["findings"]]
    assert lines == whole["sessions"]


def test_audit_for_people(tmp_path: Path) -> None:
    file = tmp_path / "underpaid.comet"
    file.write_text(UNDERPAID, encoding="utf-8")
    for form in ("text", "markdown"):
        shown = run("audit", file, "--format", form).stdout
        assert "Session procope-2026-11-28: 1 hand, 1 wrong" in shown
        assert "To settle: Emil pays Cleo for 5 chips." in shown
        assert "Hand 1 is wrong; to put it right: Emil pays Cleo 1." in shown
    rows = list(csv.DictReader(run("audit", file, "--format", "csv").stdout.splitlines()))
    assert ["procope-2026-11-28", "1", "wrong", "pot", "", "Cleo", "3", "3"] in [list(row.values()) for row in rows]


def test_audit_of_nothing_to_find_is_still_valid() -> None:
    nothing = json.loads(run("audit", "-", "--format", "json", stdin="").stdout)
    assert (nothing["sessions"], nothing["findings"], nothing["period"]["sessions"]) == ([], [], 0)


# Loading and asking


def test_loading_twice_changes_nothing(tmp_path: Path, nights: Path, slips: Path) -> None:
    database = tmp_path / "nights.duckdb"
    first = run("load", nights, slips, "--db", database)
    assert first.exit_code == Status.ERRORS
    assert first.stdout == ""
    assert len(first.stderr.splitlines()) == 3
    assert "loaded 1 session with 1 hand" in first.stderr
    before = run("query", "FROM hands ORDER BY ALL", "--db", database, "--format", "json").stdout
    assert len(json.loads(before)) == 3
    again = run("load", nights, slips, "--db", database)
    assert again.exit_code == Status.ERRORS
    assert again.stderr.count("already loaded, nothing changed") == 3
    assert run("query", "FROM hands ORDER BY ALL", "--db", database, "--format", "json").stdout == before


def test_corrected_file_replaces_what_it_brought(tmp_path: Path) -> None:
    database, file = tmp_path / "nights.duckdb", tmp_path / "night.comet"
    file.write_text(CLEAN.replace("Run: Cleo Td", "Run: Emil Td"), encoding="utf-8")
    assert run("load", file, "--db", database).exit_code == Status.ERRORS
    file.write_text(CLEAN, encoding="utf-8")
    done = run("load", file, "--db", database)
    assert done.exit_code == Status.CLEAN
    assert "replaced 1 session with 1 hand" in done.stderr


def test_other_session_of_the_same_name_is_refused_and_shown(tmp_path: Path, nights: Path) -> None:
    database = tmp_path / "nights.duckdb"
    run("load", nights, "--db", database)
    other = tmp_path / "other.comet"
    other.write_text(CLEAN.replace("Café Procope, Paris", "Vienna"), encoding="utf-8")
    done = run("load", other, "--db", database)
    assert done.exit_code == Status.ERRORS
    assert ":1:1: E206 " in done.stdout and "refused 1 session" in done.stderr


def test_stats_of_a_database_and_of_histories_are_the_same(tmp_path: Path, nights: Path) -> None:
    database = tmp_path / "nights.duckdb"
    run("load", nights, "--db", database)
    for form in TABLE_FORMATS:
        from_database = run("stats", "players", "--db", database, "--format", form)
        from_paths = run("stats", nights, "--format", form)
        assert from_database.exit_code == from_paths.exit_code == Status.CLEAN
        assert from_database.stdout == from_paths.stdout != ""
    rows = json.loads(run("stats", nights, "--format", "json").stdout)["rows"]
    assert [row["player"] for row in rows] == ["Cleo", "Ben", "Emil"]
    assert (rows[0]["hands"], rows[0]["wins"], rows[0]["net"]) == (2, 2, 10)
    assert list(rows[0]) == [column.name for column in VIEWS["players"].columns]


def test_stats_say_what_they_leave_out(tmp_path: Path, nights: Path, slips: Path) -> None:
    (nights / "c.comet").write_text(
        CLEAN.replace("procope-2026-11-28", "third").replace("Run: Cleo Td", "Run: Emil Td"), encoding="utf-8"
    )
    done = run("stats", nights, "--format", "csv")
    assert "2 of 3 hands counted" in done.stderr and "--include-faulty" in done.stderr
    assert done.exit_code == Status.ERRORS
    cleo = next(csv.DictReader(run("stats", nights, "--include-faulty", "--format", "csv").stdout.splitlines()))
    assert cleo["hands"] == "3"


def test_stats_ask_one_thing(tmp_path: Path, nights: Path) -> None:
    assert run("stats").exit_code == Status.USAGE
    assert run("stats", nights, "--db", tmp_path / "x.duckdb").exit_code == Status.USAGE


def test_query_loses_no_column_and_writes_nothing(tmp_path: Path, nights: Path) -> None:
    database = tmp_path / "nights.duckdb"
    run("load", nights, "--db", database)
    sql = "SELECT 1 AS a, 2 AS a, 1.50 AS d, DATE '2026-11-28' AS day, NULL AS n, chr(27) AS e"
    (row,) = json.loads(run("query", sql, "--db", database, "--format", "json").stdout, parse_float=str)
    assert row == {"a": 1, "a_2": 2, "d": "1.50", "day": "2026-11-28", "n": None, "e": "\x1b"}
    assert "\x1b" not in run("query", sql, "--db", database).output
    assert run("query", "-", "--db", database, stdin="SELECT 1 AS one").stdout.split() == ["one", "-----", "1"]
    for bad in ("DROP VIEW hands", "SELECT nothing FROM hands", "SELECT 1; SELECT 2"):
        done = run("query", bad, "--db", database)
        assert done.exit_code == Status.USAGE and done.stderr.startswith("comet-hist: ") and done.stdout == ""


def test_schema_shows_every_view() -> None:
    rows = [json.loads(line) for line in run("schema", "--format", "jsonl").stdout.splitlines()]
    views = list(dict.fromkeys(row["view"] for row in rows))
    assert views == ["sources", "sessions", "hands", "seats", "deals", "runs", "plays", "payments", "findings"]
    for view in views:
        assert f"{view}: one row is " in run("schema", view).stdout
    assert run("schema", "nothing").exit_code == Status.USAGE


# The main job


def test_analysis_of_clean_nights(nights: Path) -> None:
    done = run("analyze", nights)
    assert done.exit_code == Status.CLEAN
    assert done.stdout.startswith("2 files, 2 sessions, 2 hands: 2 legal; 0 errors, 0 warnings\n\nTo settle")
    assert "\n\nplayer " in done.stdout
    assert "Next:\n" in done.stdout
    assert done.stderr == ""


def test_analysis_shows_findings_first(slips: Path) -> None:
    done = run("analyze", slips)
    assert done.exit_code == Status.ERRORS
    assert done.stdout.index("E103") < done.stdout.index("1 file, 1 session, 1 hand: 0 legal, 1 not legal; 1 error")


def test_formats_of_an_analysis(nights: Path, slips: Path) -> None:
    whole = json.loads(run("analyze", nights, slips, "--format", "json").stdout)
    assert list(whole) == ["findings", "summary", "corrections", "period", "players"]
    assert whole["summary"]["hands"] == 3 and whole["summary"]["errors"] == len(whole["findings"])
    lines = [json.loads(line) for line in run("analyze", nights, slips, "--format", "jsonl").stdout.splitlines()]
    assert [line["player"] for line in lines if "player" in line] == whole["players"]
    assert [line["finding"] for line in lines if "finding" in line] == whole["findings"]
    assert [line["period"] for line in lines if "period" in line] == [whole["period"]]
    table = run("analyze", nights, slips, "--format", "csv")
    assert len(table.stdout.splitlines()) == 4 and "3 hands" in table.stderr
    assert "| player " in run("analyze", nights, slips, "--format", "markdown").stdout


def test_analysis_into_a_database_keeps_the_hands(tmp_path: Path, nights: Path) -> None:
    database = tmp_path / "nights.duckdb"
    first = run("analyze", nights, "--db", database)
    assert first.stdout == run("analyze", nights, "--db", database).stdout
    count = run("query", "SELECT count(*) AS n FROM hands", "--db", database, "--format", "csv").stdout
    assert count == "n\n2\n"


# Explaining


def test_explain() -> None:
    assert "E406" in run("explain").stdout and "Session\n" in run("explain").stdout
    assert run("explain", "e406").stdout.startswith("E406 run stopped")
    assert set(re.findall(r"E\d+", run("explain", "E3").stdout)) == {"E301", "E302", "E303", "E304", "E305"}
    assert [entry["code"] for entry in json.loads(run("explain", "W", "--format", "json").stdout)] == [
        "W208", "W508", "W602",
    ]  # fmt: skip
    done = run("explain", "E499\x1b")
    assert done.exit_code == Status.USAGE and done.stdout == "" and done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr


def test_explain_in_markdown_is_the_page_of_the_docs() -> None:
    page = Path(__file__).parent.parent / "docs" / "findings.md"
    assert run("explain", "--format", "markdown").stdout == page.read_text(encoding="utf-8")


# The package


def test_every_package_is_shipped() -> None:
    top = Path(__file__).parent.parent
    packages = {".".join(path.parent.relative_to(top).parts) for path in (top / "comet_hist").rglob("__init__.py")}
    shipped = set(
        re.findall(r'^    "(comet_hist[\w.]*)",$', (top / "pyproject.toml").read_text(encoding="utf-8"), re.M)
    )
    assert packages <= shipped


def test_ci_job_is_executable() -> None:
    assert os.access(Path(__file__).parent.parent / ".ci" / "run", os.X_OK)

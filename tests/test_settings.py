"""Settings from `comet-hist.toml` and `pyproject.toml`: which file holds, what it may say, and what outweighs it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from comet_hist.cli.app import comet_hist
from comet_hist.cli.settings import SETTINGS
from comet_hist.cli.status import Status

COMMAND = Path(sys.executable).with_name("comet-hist")
DOCS = Path(__file__).parent.parent / "docs" / "settings.md"

NIGHT = """\
Comet session night
Rules: ante 30, hands 7
Seat 1: Ben 10
Seat 2: Ida 10

Hand 1
Pay ante: Ben 30, Ida 30 -> pot
Void: spilt wine
"""
"""Warnings alone: W508 twice, and W602."""

SLIP = NIGHT + "Stacsk: Ben 10\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, two folders deep, with a night that has warnings and one that has an error too."""
    folder = tmp_path / "club" / "nights"
    folder.mkdir(parents=True)
    (folder / "night.comet").write_text(NIGHT, encoding="utf-8")
    (folder / "slip.comet").write_text(SLIP, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def run(*arguments: str) -> Result:
    """Run a command within this process."""
    return CliRunner().invoke(comet_hist, list(arguments))


def codes(*arguments: str) -> set[str]:
    """Return the codes that an audit of the night reports."""
    return {finding["code"] for finding in json.loads(run("audit", *arguments, "--format", "json").stdout)["findings"]}


def own(folder: Path, text: str) -> None:
    """Write a `comet-hist.toml`."""
    (folder / "comet-hist.toml").write_text(text, encoding="utf-8")


def shared(folder: Path, text: str) -> None:
    """Write a `pyproject.toml`."""
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def test_without_settings(folder: Path) -> None:
    assert codes("night.comet") == {"W508", "W602"}
    assert run("audit", "night.comet").exit_code == Status.CLEAN


def test_every_key_does_what_its_option_does(folder: Path) -> None:
    own(folder, 'select = ["w5"]')
    assert codes("night.comet") == {"W508"}
    own(folder, 'ignore = ["W508", "E"]')
    assert codes("night.comet") == {"W602"}
    own(folder, "strict = true")
    for command in (["audit"], ["analyze"], ["load", "--db", "night.duckdb"]):
        assert run(*command, "night.comet").exit_code == Status.ERRORS
    own(folder, "max-findings = 1")
    assert "2 more findings not shown (--max-findings 1)" in run("audit", "night.comet").stderr
    own(folder, 'color = "always"')
    assert "\x1b[" in run("audit", "night.comet").stdout
    assert set(SETTINGS) == {"select", "ignore", "strict", "max-findings", "color"}


def test_command_line_outweighs_settings(folder: Path) -> None:
    own(folder, 'select = ["W5"]\nignore = ["W508"]\nstrict = true\nmax-findings = 1\ncolor = "always"')
    assert codes("night.comet") == set()
    assert codes("night.comet", "--ignore", "W602") == {"W508"}
    assert codes("night.comet", "--select", "W", "--max-findings", "9") == {"W508", "W602"}
    assert codes("night.comet", "--select", "W", "--ignore", "W5", "--max-findings", "9") == {"W602"}
    assert run("audit", "night.comet", "--select", "W").exit_code == Status.ERRORS
    assert run("audit", "night.comet", "--select", "W", "--no-strict").exit_code == Status.CLEAN
    assert "\x1b[" not in run("audit", "night.comet", "--select", "W", "--color", "never").stdout


def test_settings_may_select_what_another_command_reports(folder: Path) -> None:
    own(folder, 'select = ["E5"]')
    assert run("check", "slip.comet").exit_code == Status.CLEAN
    assert run("check", "slip.comet", "--select", "E5").exit_code == Status.USAGE


def test_nearest_file_holds_alone(folder: Path) -> None:
    own(folder.parent.parent, 'ignore = ["W602"]\nstrict = true')
    assert codes("night.comet") == {"W508"}
    shared(folder.parent, '[tool.comet-hist]\nignore = ["W508"]')
    assert codes("night.comet") == {"W602"}
    assert run("audit", "night.comet").exit_code == Status.CLEAN
    own(folder.parent, "")
    assert codes("night.comet") == {"W508", "W602"}
    own(folder, 'select = ["W602"]')
    assert codes("night.comet") == {"W602"}


def test_folders_of_the_paths_do_not_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own(folder, 'ignore = ["W602"]')
    monkeypatch.chdir(folder.parent)
    assert codes("nights/night.comet") == {"W508", "W602"}


def test_project_that_knows_nothing_of_comet_is_passed_over(folder: Path) -> None:
    own(folder.parent, 'ignore = ["W602"]')
    shared(folder, "[tool.other]\nselect = 1")
    assert codes("night.comet") == {"W508"}
    shared(folder, "this is [no TOML")
    assert codes("night.comet") == {"W508"}
    shared(folder, '[project]\ndependencies = ["comet-hist"]')
    assert codes("night.comet") == {"W508"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("selct = []", "there is no setting “selct”; did you mean “select”? (the settings are select, ignore, "),
        ("max_findings = 3", "there is no setting “max_findings”; did you mean “max-findings”?"),
        ("verbose = true", "no setting “verbose”; the settings are select, ignore, max-findings, strict, color"),
        ('strict = "yes"', "“strict” takes true or false, found “yes”"),
        ("strict = 1", "“strict” takes true or false, found 1"),
        ("max-findings = true", "“max-findings” takes a whole number from 1, found true"),
        ("max-findings = 0", "“max-findings” takes a whole number from 1, found 0"),
        ("max-findings = 2.5", "“max-findings” takes a whole number from 1, found 2.5"),
        ('select = "E5"', "“select” takes a list of codes or beginnings of codes, such as"),
        ("select = []", "“select” takes a list of codes"),
        ("ignore = [5]", "“ignore” takes a list of codes"),
        ('ignore = ["E499"]', "“ignore”: no finding has the code “E499”; the nearest is E409"),
        ('color = "red"', "“color” takes \"auto\", \"always\" or \"never\", found “red”"),
        ('ignore = [""]', "“ignore”: no code is given; write one or its beginning, such as E406"),
        ('select = ["E4,"]', "“select”: no code is given; write one or its beginning, such as E406"),
        ("strict = " + "[" * 100_000, "is not read: its arrays or tables are nested too deeply"),
        ("strict = " + "9" * 100_000, "is not read: it has a number of too many digits"),
        ("strict = 0x" + "f" * 100_000, "“strict” takes true or false, found something much longer"),
        ("a." * 100_000 + "b = 1", "has a key of more than 20 parts"),
        ("# " + "." * 1_000_000, "is larger than 1000000 bytes, which is the most that is read"),
        ("strict = maybe", "is not TOML: "),
        ("strict true", "(at line 1, column 8)"),
    ],
)  # fmt: skip
def test_wrong_settings_are_one_line_that_names_file_and_mend(folder: Path, text: str, said: str) -> None:
    for write, name, head in ((own, "comet-hist.toml", ""), (shared, "pyproject.toml", "[tool.comet-hist]\n")):
        write(folder.parent, head + text)
        done = run("check", "night.comet")
        assert done.exit_code == Status.USAGE and done.stdout == ""
        assert done.stderr.startswith(f"comet-hist: {folder.parent / name}: ") and done.stderr.count("\n") == 1
        assert said.replace("line 1,", f"line {1 + bool(head)},") in done.stderr
        (folder.parent / name).unlink()


def test_wrong_file_is_no_traceback(folder: Path) -> None:
    (folder / "comet-hist.toml").write_bytes(b'select = ["\xff"]')
    assert "comet-hist.toml: is not UTF-8: byte 11 of the file" in run("check", "night.comet").stderr
    own(folder, "")
    (folder / "comet-hist.toml").unlink()
    shared(folder, "tool.comet-hist = 5")
    assert "“comet-hist” is a table, written [tool.comet-hist]" in run("check", "night.comet").stderr
    (folder / "pyproject.toml").unlink()
    (folder / "comet-hist.toml").mkdir()
    assert run("check", "night.comet").exit_code == Status.CLEAN


def test_settings_may_begin_with_a_byte_order_mark(folder: Path) -> None:
    own(folder, '\ufeffignore = ["W508"]')
    assert codes("night.comet") == {"W602"}
    (folder / "comet-hist.toml").unlink()
    shared(folder, '\ufeff[tool.comet-hist]\nignore = ["W602"]')
    assert codes("night.comet") == {"W508"}


def test_file_of_settings_that_is_none_is_not_waited_for(folder: Path) -> None:
    for name in ("pyproject.toml", "comet-hist.toml"):
        os.mkfifo(folder / name)
        assert f"{name}: is a pipe or a device; give a regular file" in run("check", "night.comet").stderr
    (folder / "comet-hist.toml").unlink()
    (folder / "comet-hist.toml").symlink_to("/dev/zero")
    assert "comet-hist.toml: is a pipe or a device" in run("check", "night.comet").stderr


def test_file_that_cannot_be_read(folder: Path) -> None:
    (folder / "comet-hist.toml").symlink_to("comet-hist.toml")
    done = run("check", "night.comet")
    assert done.exit_code == Status.USAGE and "comet-hist.toml: cannot be read: Too many levels" in done.stderr


def test_wrong_settings_are_no_hindrance_to_help(folder: Path) -> None:
    own(folder, "wrong = 1")
    for arguments in (["--version"], ["--help"], ["check", "--help"], ["explain", "E406"], ["schema"]):
        assert run(*arguments).exit_code == Status.CLEAN, arguments


def test_installed_command_reads_settings(folder: Path) -> None:
    own(folder, "strict = true")
    assert subprocess.run([COMMAND, "audit", "night.comet"], check=False, capture_output=True).returncode == 1
    own(folder, "stirct = true")
    done = subprocess.run([COMMAND, "audit", "night.comet"], check=False, capture_output=True, text=True)
    assert done.returncode == 2 and "did you mean “strict”?" in done.stderr


def test_toml_is_read_only_where_there_are_settings(folder: Path) -> None:
    script = (
        "import sys; from comet_hist.cli import main\n"
        "try: main()\n"
        "finally: print('comet_hist.cli.settings' in sys.modules, 'difflib' in sys.modules, file=sys.stderr)"
    )
    arguments = [sys.executable, "-c", script, "check", "--help"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["True", "False"]


def test_working_folder_that_is_gone(folder: Path) -> None:
    script = f"mkdir gone && cd gone && rmdir ../gone && {COMMAND} audit {folder / 'night.comet'}"
    done = subprocess.run(script, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_documentation_names_every_key() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for key, setting in SETTINGS.items():
        assert f"| `{key}` | {setting.takes} | {setting.about} |" in page


def test_hooks_run_commands_that_exist(folder: Path) -> None:
    manifest = (DOCS.parent.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^- id: (\S+)$.*?^  entry: comet-hist (.*?)$.*?^  files: (.*?)$", manifest, re.M | re.S)
    assert [hook for hook, _, _ in entries] == ["comet-hist-check", "comet-hist-fmt"]
    for _, entry, pattern in entries:
        assert re.search(pattern, "nights/night.comet") and not re.search(pattern, "night.comet.gz")
        assert run(*entry.split(), "night.comet").exit_code == Status.CLEAN
        assert run(*entry.split(), "slip.comet").exit_code == Status.ERRORS

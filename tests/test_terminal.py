"""What a terminal is shown: nothing wider than it is, no escapes where it takes none, names in their own direction."""

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Final

import pytest
from nights import PROCOPE
from wcwidth import wcswidth

from comet_hist.cli.output.characters import isolated
from comet_hist.cli.output.terminal import on_terminal
from comet_hist.stats.columns import VIEWS

COMMAND = Path(sys.executable).with_name("comet-hist")
SLIPS = Path(__file__).parent.parent / "samples" / "slips"

STYLE: Final = re.compile(r"\x1b\[[0-9;]*m")


def seen(*arguments: str | Path, columns: int = 80, term: str | None = "xterm-256color", **variables: str) -> str:
    """Return all that a command writes to a terminal, standard error too."""
    master, slave = os.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "TERM", "NO_COLOR")}
    environment |= variables | ({} if term is None else {"TERM": term})
    with subprocess.Popen([COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment):
        os.close(slave)
        written = b""
        while piece := _read(master):
            written += piece
    os.close(master)
    return written.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that nobody has the other end any more
        return b""


def piped(*arguments: str | Path) -> str:
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file long enough for a progress bar."""
    file = tmp_path_factory.mktemp("terminal") / "many.comet"
    subprocess.run([COMMAND, "simulate", "--sessions", "60", "--seed", "7", "-o", file], check=True)
    return file


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_nothing_is_wider_than_the_terminal(columns: int) -> None:
    """Words stay whole: what was folded says the same as in a pipe."""
    shown = STYLE.sub("", seen("audit", SLIPS / "the-plough.comet", columns=columns))
    assert all(wcswidth(line) <= columns for line in shown.split("\n") if " " in line.strip())
    corrections = re.compile("To settle: .*?right[.]\n\n", re.DOTALL)
    assert _words(corrections, shown) == _words(corrections, piped("audit", SLIPS / "the-plough.comet"))


def _words(part: re.Pattern[str], text: str) -> list[str]:
    found = part.search(text)
    assert found
    return found[0].split()


def test_the_readme_shows_what_a_newcomer_sees() -> None:
    """The first output in the README is that of its first command, without the lines at …."""
    readme = (SLIPS.parent.parent / "README.md").read_text(encoding="utf-8")
    shown = re.search("analyze samples/nights\n```\n+```\n(.*?)```", readme, re.DOTALL)
    assert shown
    said = seen("analyze", SLIPS.parent / "nights")
    for part in shown[1].split("…\n"):
        _, found, said = said.partition(part)
        assert found


def test_a_pipe_has_a_line_for_each_finding() -> None:
    findings = [line for line in piped("check", SLIPS / "club-evening.comet").split("\n") if ".comet:" in line]
    assert len(findings) == 9 and max(map(len, findings)) > 200


def test_a_narrow_table_has_the_most_important_columns_and_says_how_to_see_all(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    file.write_text(PROCOPE, encoding="utf-8")
    narrow = seen("stats", file).split("\n")
    assert narrow[0].split() == ["player", "hands", "wins", "win_rate", "net", "net_hand", "comet_dealt"]
    assert narrow[-3].startswith("7 of 32 columns, as many as fit; --wide shows all")
    wide = seen("stats", file, "--wide")
    assert {column.name for column in VIEWS["players"].columns} <= set(wide.split()) and "--wide" not in wide
    assert len(piped("stats", file).split("\n", 1)[0].split()) == 32


def test_text_in_a_table_is_wrapped_in_its_column() -> None:
    lines = seen("check", "--statistics", SLIPS / "mill-lane.comet", columns=40).split("\n")
    at = lines[0].index("title")
    assert any(line[:at].isspace() and line[at:] for line in lines)


def test_what_is_shown_first_are_columns() -> None:
    for view in VIEWS.values():
        assert set(view.first) <= {column.name for column in view.columns}


@pytest.mark.parametrize("columns", [12, 40, 60, 100])
def test_the_progress_bar_stays_within_the_terminal(many: Path, columns: int) -> None:
    written = seen("check", many, columns=columns)
    bars = [part for part in re.split(r"\r|\x1b\[2K|\n", written) if part.startswith(("Reading", "100%"))]
    assert bars and all(len(bar) < columns for bar in bars)
    assert written.rpartition("\r\x1b[2K")[2].startswith("1 file, 60 sessions")


@pytest.mark.parametrize("term", ["dumb", None])
def test_a_terminal_that_takes_no_escapes_gets_none(many: Path, term: str | None) -> None:
    assert "\x1b" not in seen("check", many, SLIPS, term=term)
    assert "\x1b" not in seen("show", SLIPS / "mill-lane.comet", "--hand", "1", "--step", term=term)


def test_colour_that_is_asked_for_comes_before_no_color() -> None:
    assert not STYLE.search(seen("check", SLIPS, NO_COLOR="1"))
    assert STYLE.search(seen("check", SLIPS, "--color", "always", NO_COLOR="1"))
    assert not STYLE.search(seen("check", SLIPS, "--color", "never"))


def test_a_name_from_the_right_is_isolated_on_a_terminal_alone(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    file.write_text(PROCOPE.replace("Cleo", '"דנה כהן"'), encoding="utf-8")
    for arguments in (["audit", file], ["show", file, "--hand", "1"]):
        shown = seen(*arguments)
        assert shown.count("דנה כהן") == shown.count("\u2068דנה כהן\u2069") > 0
        assert "\u2068" not in piped(*arguments) and "דנה כהן" in piped(*arguments)
    assert "\u2068דנה כהן\u2069" in seen("plot", "players", file, "--terminal")


def test_only_what_is_written_from_the_right_is_isolated() -> None:
    assert isolated("Zoë 3, Ömer 4") == "Zoë 3, Ömer 4"
    assert isolated("דנה 3 א. ב. כהן") == "\u2068דנה\u2069 3 \u2068א. ב. כהן\u2069"


def test_folding_keeps_indentation_and_long_words() -> None:
    assert list(on_terminal("  one two three four five", 20)) == ["  one two three four", "    five"]
    assert list(on_terminal("a " + "x" * 30 + " b", 20)) == ["a", "  " + "x" * 30, "  b"]
    assert list(on_terminal("a " + "x" * 30 + " b", None)) == ["a " + "x" * 30 + " b"]

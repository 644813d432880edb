"""`benchmarks/run` at its smallest: its tables come out, and nothing stays behind."""

import os
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).resolve().parent.parent / "benchmarks" / "run"
PARTS = ("lanes", "commands", "loading", "questions", "growth", "startup", "others")


def run(scratch: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(RUN), "--hands", "50", "--rounds", "1", *arguments]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def tables(text: str) -> dict[str, list[list[str]]]:
    """Return the cells of each Markdown table by its title, without its head."""
    found: dict[str, list[list[str]]] = {}
    for part in text.split("### ")[1:]:
        title, _, rest = part.partition("\n")
        lines = [line.strip("|").split("|") for line in rest.splitlines() if line.startswith("|")]
        found[title] = [[cell.strip() for cell in line] for line in lines[2:]]
    return found


def number(cell: str) -> float:
    return float(cell.replace(",", ""))


def test_a_part_prints_its_tables_and_the_scratch_folder_goes(tmp_path: Path) -> None:
    done = run(tmp_path, "--markdown", "lanes", "loading", "growth")
    assert done.returncode == 0, done.stderr
    printed = tables(done.stdout)
    machine, lanes, loading, disk, growth, memory = printed.values()
    assert {"date", "processor", "Python", "DuckDB"} <= {row[0] for row in machine}
    assert [row[1:3] for row in lanes] == [["50", "100.0%"]] * 8, "clean hands come through either lane"
    assert all(number(cell) > 0 for row in lanes for cell in row[3:] if cell != "–")
    load, read, ratio = loading
    assert abs(number(ratio[3]) - number(load[3]) / number(read[3])) < 0.05
    assert number(disk[0][1]) > number(disk[1][1])
    assert [row[0] for row in growth] == [row[0] for row in memory] == ["check", "audit", "load"]
    assert all(10 < number(row[3]) < 1000 for row in memory), "a process of Python, in MB"
    assert not list(tmp_path.iterdir())


def test_what_is_not_installed_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, "--markdown", "others")
    assert done.returncode == 0, done.stderr
    rows = tables(done.stdout)["Other validators"]
    assert [row[0].split()[1] for row in rows[:2]] == ["check", "audit"]
    for name in ("python-chess", "pgn-extract", "PokerKit"):
        (row,) = [row for row in rows if row[0].startswith(name)]
        assert row[1].startswith("not installed") or number(row[6]) > 0


def test_a_part_that_there_is_not_is_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, "lane")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("there is no part lane; there are " + ", ".join(PARTS))


def test_what_a_program_leaves_running_counts_as_its_own() -> None:
    works = "import time\nwhile time.process_time() < 0.5: pass"
    leaves = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {works!r}])"
    asked = f"from measuring import measure\nprint(measure([{sys.executable!r}, '-c', {leaves!r}]).cpu)"
    command = [sys.executable, "-c", asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=RUN.parent)
    assert float(done.stdout) > 0.5

"""The files that the installed command writes: never over what it reads, whole or not at all, links as they are."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from nights import PROCOPE

COMMAND = Path(sys.executable).with_name("comet-hist")


def run(*arguments: str | Path, **extra: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60, **extra)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with a night in it."""
    (tmp_path / "night.comet").write_text(PROCOPE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def temporary(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(".comet-hist-*")]


# What is read


@pytest.mark.parametrize(
    "arguments",
    [
        "report night.comet -o night.comet",
        "report night.comet -o ./sub/../night.comet",
        "plot timeline night.comet -o link.svg",
        "export hard.comet --to json -o night.comet",
        "export sub/.. --to jsonl -o night.comet",
        "export *.comet --to beancount -o link.svg",
        "export - --to json -o night.comet",
        "export /dev/fd/0 --to json -o night.comet",
        "export sub/hands.csv --to csv -o sub",
        "load night.comet --db night.comet",
        "load *.wal --db x.duckdb",
        "analyze night.comet --db hard.comet",
    ],
)
def test_a_history_that_is_read_is_not_written(folder: Path, arguments: str) -> None:
    night = folder / "night.comet"
    (folder / "link.svg").symlink_to("night.comet")
    (folder / "hard.comet").hardlink_to(night)
    (folder / "x.duckdb.wal").hardlink_to(night)
    (folder / "sub").mkdir()
    (folder / "sub" / "hands.csv").hardlink_to(night)
    before = sorted(folder.rglob("*"))
    with night.open() as opened:
        done = run(*arguments.split(), stdin=opened)
    assert done.returncode == 2 and done.stdout == ""
    assert "this command reads it" in done.stderr and done.stderr.count("\n") == 1
    assert night.read_text(encoding="utf-8") == PROCOPE and sorted(folder.rglob("*")) == before


def test_nothing_else_that_is_read_is_written(folder: Path) -> None:
    assert run("load", "night.comet", "--db", "n.duckdb").returncode == 0
    (folder / "link.svg").symlink_to("n.duckdb")
    (folder / "names.toml").write_text('"B" = ["Ben"]', encoding="utf-8")
    (folder / "comet-hist.toml").write_text("strict = false", encoding="utf-8")
    database = (folder / "n.duckdb").read_bytes()
    for arguments in (
        "report --db n.duckdb -o n.duckdb",
        "plot players --db n.duckdb -o link.svg",
        "report --db n.duckdb -o n.duckdb.wal",
        "report --db n.duckdb -o night.comet",
        "report night.comet --alias names.toml -o names.toml",
        "export night.comet --to json -o comet-hist.toml",
    ):
        done = run(*arguments.split())
        assert done.returncode == 2 and "this command reads it" in done.stderr, arguments
    assert (folder / "n.duckdb").read_bytes() == database
    assert (folder / "night.comet").read_text(encoding="utf-8") == PROCOPE
    with (folder / "night.comet").open("a") as end:
        done = subprocess.run([COMMAND, "fmt", "."], stdout=end, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2 and "standard output: this command reads it, as night.comet" in done.stderr


def test_two_outputs_are_two_files(folder: Path) -> None:
    (folder / "new.comet").touch()
    (folder / "new.faults.jsonl").symlink_to("new.comet")
    done = run("simulate", "--faults", "0.1", "-o", "new.comet")
    assert done.returncode == 2 and "new.faults.jsonl: is the same file as new.comet" in done.stderr


# What is replaced


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ("plot players night.comet -o {}", "players.svg"),
        ("export night.comet --to json -o {}", "night.json"),
        ("export night.comet --to csv -o .", "hands.csv"),
        ("export night.comet --to parquet -o .", "hands.parquet"),
        ("simulate -o {}", "new.comet"),
        ("fmt --write {}", "free.comet"),
    ],
)
def test_links_and_modes_stay(folder: Path, arguments: str, name: str) -> None:
    real, link = folder / f"real-{name}", folder / name
    real.write_text(PROCOPE + "\n\n", encoding="utf-8")
    real.chmod(0o640)
    hard = folder / "hard"
    hard.hardlink_to(real)
    link.symlink_to(real.name)
    done = run(*arguments.format(name).split())
    assert done.returncode == 0 and link.is_symlink() and link.readlink() == Path(real.name)
    assert f"{name}: was a hard link; the other names of the file keep its old content" in done.stderr
    assert real.stat().st_mode & 0o777 == 0o640 and not temporary(folder)
    assert hard.read_text(encoding="utf-8") == PROCOPE + "\n\n" and real.read_bytes() != hard.read_bytes()
    if name == "night.json":
        real.unlink()
        assert run(*arguments.format(name).split()).returncode == 0
        assert link.is_symlink() and real.stat().st_size


def test_open_descriptor_is_written_to_as_it_is(folder: Path) -> None:
    script = f'echo first > log; "{COMMAND}" export night.comet --to jsonl -o /dev/stdout >> log'
    assert subprocess.run(["bash", "-c", script], capture_output=True, check=False).returncode == 0
    first, session = (folder / "log").read_text(encoding="utf-8").splitlines()
    assert first == "first" and session.startswith('{"format"')


def test_what_a_killed_command_left_is_cleared_by_the_next_one(folder: Path) -> None:
    command = [COMMAND, "simulate", "--sessions", "100000000", "--workers", "2", "-o", "new.comet"]
    with subprocess.Popen(command) as killed, subprocess.Popen(command) as alive:
        try:
            while len(temporary(folder)) < 2 and killed.poll() is None and alive.poll() is None:
                time.sleep(0.01)
            killed.kill()
            killed.wait()
            assert len(temporary(folder)) == 2
            assert run("simulate", "-o", "new.comet").returncode == 0
            assert len(temporary(folder)) == 1  # which is still being written
        finally:
            killed.kill()
            alive.terminate()
    assert not temporary(folder)


@pytest.mark.parametrize("name", ["new.comet.GZ", "new.comet.Zst"])
def test_endings_count_in_any_case(folder: Path, name: str) -> None:
    assert run("simulate", "-o", name).returncode == 0
    assert b"Comet" not in (folder / name).read_bytes()[:100]
    assert "10 legal" in run("check", name).stderr
    (folder / "night.comet").rename("NIGHT.COMET")
    assert "2 files, 2 sessions" in run("check", ".").stderr
    assert run("export", "NIGHT.COMET", "--to", "json", "-o", "N.JSON").returncode == 0
    assert "1 legal" in run("check", "N.JSON").stderr

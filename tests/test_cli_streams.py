"""The installed command where its surroundings fail it: streams closed or full, other encodings, a full disk."""

import json
import os
import resource
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import duckdb
import pytest
from nights import Night

COMMAND = Path(sys.executable).with_name("comet-hist")
FULL = Path("/dev/full")
TEXT = Night(1, ["Zoë", "Ben", "Cleo"], ident="one").text(3)

needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("night") / "night.comet"
    file.write_text(TEXT, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def database(night: Path) -> Path:
    """Return a database that no test changes."""
    file = night.with_name("nights.duckdb")
    assert run("load", night, "--db", file).returncode == 0
    return file


def run(*arguments: str | Path | bytes, **extra: Any) -> "subprocess.CompletedProcess[bytes]":
    extra = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **extra}
    return subprocess.run([COMMAND, *arguments], check=False, timeout=60, **extra)


def closing(*descriptors: int) -> Any:
    def close() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return close


EVERY_OUTPUT = [
    ["--help"], ["--version"], ["check", "--help"], ["schema"], ["explain", "E4"],
    ["check", "NIGHT", "--format", "json"], ["audit", "NIGHT"], ["analyze", "NIGHT"], ["stats", "NIGHT"],
    ["fmt", "NIGHT"], ["show", "NIGHT", "--hand", "1"], ["export", "NIGHT", "--to", "json"],
    ["export", "NIGHT", "--to", "csv"], ["query", "FROM hands", "--db", "DATABASE"],
]  # fmt: skip


@needs_full
@pytest.mark.parametrize("words", EVERY_OUTPUT, ids=lambda words: words[0])
def test_full_output_is_one_line(night: Path, database: Path, words: list[str]) -> None:
    arguments = [{"NIGHT": night, "DATABASE": database}.get(word, word) for word in words]
    for unbuffered in ("", "1") if words[0] == "check" else ("",):
        with FULL.open("wb") as full:
            done = run(*arguments, stdout=full, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
        assert done.returncode == 2
        assert done.stderr.endswith(b"comet-hist: standard output: cannot be written: No space left on device\n")
        assert b"Traceback" not in done.stderr


@needs_full
def test_full_error_output_keeps_the_status(night: Path) -> None:
    with FULL.open("wb") as full:
        assert run("check", "none.comet", stderr=full).returncode == 2
        assert run("audit", night, stdout=full, stderr=full).returncode == 2


@pytest.mark.parametrize("words", EVERY_OUTPUT, ids=lambda words: words[0])
def test_nobody_reads(night: Path, database: Path, words: list[str]) -> None:
    arguments = [{"NIGHT": night, "DATABASE": database}.get(word, word) for word in words]
    reader, writer = os.pipe()
    os.close(reader)
    done = run(*arguments, stdout=writer)
    os.close(writer)
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr


def test_closed_pipe_breaks_loading_off_quietly(tmp_path: Path) -> None:
    file = tmp_path / "many.comet"
    file.write_text(TEXT.replace("Hand 1\n", "Hand 1\n" + "Ruun: x\n" * 5000), encoding="utf-8")
    for words in (["analyze", file], ["analyze", file, "--db", tmp_path / "x.duckdb"]):
        with subprocess.Popen([COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout and process.stderr
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait() == 141
    assert not (tmp_path / "x.duckdb").exists()


def test_closed_descriptors(night: Path, tmp_path: Path) -> None:
    done = run("check", "-", preexec_fn=closing(0))
    assert done.returncode == 2
    assert done.stderr.startswith(b"comet-hist: -: cannot be read: standard input is closed\n")
    done = run("audit", night, preexec_fn=closing(1))
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2, b"comet-hist: standard output: cannot be written: Bad file descriptor",
    )  # fmt: skip
    done = run("check", night, preexec_fn=closing(1))
    assert done.returncode == 0 and done.stderr.startswith(b"1 file, 1 session")
    assert run("check", night, tmp_path / "none", preexec_fn=closing(2)).returncode == 2


def test_no_message_is_written_into_a_database(night: Path, tmp_path: Path) -> None:
    database = tmp_path / "x.duckdb"
    assert run("load", night, tmp_path / "none", "--db", database, preexec_fn=closing(0, 1, 2)).returncode == 2
    assert b"\n3\n" in run("query", "SELECT count(*) AS n FROM hands", "--db", database, "--format", "csv").stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
def test_machines_get_utf8_in_every_encoding(database: Path, night: Path, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    sql = "SELECT DISTINCT player, '🂡' AS ace FROM seats WHERE player LIKE 'Z%'"
    for form in ("json", "jsonl", "csv", "markdown"):
        shown = run("query", sql, "--db", database, "--format", form, env=environment).stdout.decode("utf-8")
        assert "Zoë" in shown and "🂡" in shown
        assert "Zoë" in run("stats", night, "--format", form, env=environment).stdout.decode("utf-8")
    whole = json.loads(run("query", sql, "--db", database, "--format", "json", env=environment).stdout)
    assert whole == [{"player": "Zoë", "ace": "🂡"}]


def test_arguments_that_are_not_utf8(night: Path, database: Path, tmp_path: Path) -> None:
    for done in (
        run("query", b"select '\xff'", "--db", database),
        run("query", "-", "--db", database, input=b"select '\xff'"),
        run("load", night, "--db", os.fsencode(tmp_path) + b"/r\xff.duckdb"),
        run("stats", "--db", os.fsencode(tmp_path) + b"/r\xff.duckdb"),
        run("check", os.fsencode(tmp_path) + b"/r\xff.comet", "--format", "json"),
    ):
        assert done.returncode == 2
        assert done.stderr.startswith(b"comet-hist: ") and done.stderr.count(b"\n") == 1


def test_folder_for_parquet_is_utf8(night: Path, tmp_path: Path) -> None:
    done = run("export", night, "--to", "parquet", "-o", os.fsencode(tmp_path) + b"/\xff")
    assert done.returncode == 2 and b"takes no name that is not UTF-8" in done.stderr


def test_query_on_standard_input_is_utf8_in_every_encoding(database: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = run("query", "-", "--db", database, "--format", "csv", input="SELECT 'Zoë' AS n".encode(), env=environment)
    assert done.stdout.decode() == "n\nZoë\n"


def test_full_disk_leaves_a_database_whole(night: Path, database: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk without room."""
    big = tmp_path / "big.comet"
    big.write_text("".join(Night(seed, ["Ada", "Ben", "Cleo"], ident=f"s{seed}").text(20) for seed in range(60)))
    database, other = Path(copy(database, tmp_path)), tmp_path / "other.duckdb"
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (700_000, 700_000))
    for target in (database, other):
        done = run("load", big, "--db", target, preexec_fn=limit)
        assert done.returncode == 2
        assert done.stderr.startswith(f"comet-hist: {target}: cannot be read or written: ".encode())
        assert done.stderr.count(b"\n") == 1
    assert not other.exists() and not other.with_name("other.duckdb.wal").exists()
    with duckdb.connect(str(database)) as connection:
        assert connection.execute("SELECT path, hands FROM sources").fetchall() == [(str(night), 3)]


def test_interrupt_while_the_program_is_still_being_imported(tmp_path: Path) -> None:
    (tmp_path / "click").mkdir()
    (tmp_path / "click" / "__init__.py").write_text(
        "import os, signal, sys\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        f"sys.path.remove({str(tmp_path)!r})\n"
        "del sys.modules['click']\n"
        "import click\n"
    )
    done = run("--version", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (128 + signal.SIGINT, b"comet-hist: interrupted\n")

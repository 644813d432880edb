"""Commands that are ended from outside, and those that get too little memory."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from signal_trial import Trial

from comet_hist.signals import exit_status

COMMAND = Path(sys.executable).with_name("comet-hist")
NIGHT = Path(__file__).parents[1] / "samples" / "nights"
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"

# It stands for a library that takes long to import, and is not to be interrupted meanwhile.
SLOW_IMPORT = """
import os, pathlib, time
os.kill(os.getpid(), {number})
until = time.monotonic() + 0.1
while time.monotonic() < until:
    pass
pathlib.Path("imported").touch()
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_an_import_is_not_interrupted(tmp_path: Path, number: int) -> None:
    (tmp_path / "duckdb.py").write_text(SLOW_IMPORT.format(number=int(number)))
    done = subprocess.run(
        [COMMAND, "stats", NIGHT], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True
    )
    assert (tmp_path / "imported").exists()
    said = b"comet-hist: interrupted\n" if number == signal.SIGINT else b""
    assert (done.returncode, done.stdout, done.stderr) == (exit_status(number), b"", said)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_load_that_is_ended_leaves_no_database(tmp_path: Path, number: int) -> None:
    command = [COMMAND, "load", "-", "--db", tmp_path / "new.duckdb"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 20
        while not list(tmp_path.iterdir()) and time.monotonic() < until:
            time.sleep(0.002)
        process.send_signal(number)  # it opens the database, or has opened it
        process.send_signal(number)
        assert process.wait(20) == exit_status(number)
        assert process.stderr is not None
        assert process.stderr.read() in (b"", b"comet-hist: interrupted\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", SIGNALS)
def test_a_query_without_end_is_ended_at_once(tmp_path: Path, number: int) -> None:
    database = tmp_path / "nights.duckdb"
    subprocess.run([COMMAND, "load", NIGHT, "--db", database], check=True, capture_output=True)
    with subprocess.Popen([COMMAND, "query", ENDLESS, "--db", database], stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 20
        while not (len(list(Path(f"/proc/{process.pid}/task").iterdir())) > 1 or time.monotonic() > until):
            time.sleep(0.002)
        process.send_signal(number)
        process.send_signal(number)
        assert process.wait(4) == exit_status(number)
        assert process.stderr is not None
        assert process.stderr.read() in (b"", b"comet-hist: interrupted\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_is_ignored_from_the_start_stays_ignored(number: int) -> None:
    command, ignore = [COMMAND, "check", "-"], partial(signal.signal, number, signal.SIG_IGN)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=ignore) as process:
        assert process.stdin is not None
        # More than a pipe holds: once it is written, the command is reading.
        process.stdin.write(b"# a comment\n" * 50_000)
        process.send_signal(number)
        process.communicate(timeout=20)
        assert process.returncode == 0


def test_random_moments(tmp_path: Path) -> None:
    trial, rng, words = Trial(COMMAND, tmp_path, 5), random.Random(1), "load slips.comet --db out/new.duckdb"
    whole = trial.run_whole(words)
    for run in range(9):
        end, faults = trial.end(words, whole, SIGNALS[run % 3], rng, run)
        assert not faults, (end, faults)


@pytest.mark.parametrize("megabytes", [200, 400, 1000, 3000])
def test_too_little_memory_is_one_line(tmp_path: Path, megabytes: int) -> None:
    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (megabytes << 20,) * 2)
    words = ["load", NIGHT, "--db", "new.duckdb"] if megabytes < 3000 else ["plot", "players", NIGHT, "-o", "p.png"]
    done = subprocess.run([COMMAND, *words], cwd=tmp_path, preexec_fn=limit, capture_output=True)
    assert (done.returncode, done.stderr) == (2, b"comet-hist: not enough memory\n")
    assert not list(tmp_path.iterdir())

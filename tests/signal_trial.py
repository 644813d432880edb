"""Ends commands by signals at random moments and counts how they end: `python tests/signal_trial.py 1000`.

The number is how many runs there are in all; each command and each of SIGINT, SIGTERM and SIGHUP gets its share. With
`--command` it is not the `comet-hist` of this environment that runs, with `--only` only commands whose names contain a
word. A moment lies anywhere between the start of the process and its usual end. Every second signal goes to all
processes of the command, as from a terminal, and every third one is sent twice.

For each command and signal it prints how often it ended with which exit status, and what is a fault:

* an exit status other than 130 for SIGINT, 143 for SIGTERM and SIGHUP, or that of the command without a signal;
* lines on standard error other than `comet-hist: interrupted` and those that the command writes without a signal;
* a file, temporary ones included, that is neither as it was before nor as the whole command leaves it;
* a process that is there a second after the command has ended, or a command that does not end within 20 seconds.

Before the first line of the package runs, Python's own handling holds: SIGTERM and SIGHUP end the process without a
word and SIGINT prints a traceback. These ends are counted as “start-up”, with their statuses. An editable install makes
this phase several times as long as it is otherwise.
"""

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import duckdb

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONG = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"
COMMANDS = {
    "load": "load slips.comet --db out/new.duckdb",
    "load again": "load slips.comet night.comet --db out/nights.duckdb",
    "stats": "stats slips.comet",
    "stats --db": "stats comet --db nights.duckdb",
    "query": "query FROM&plays --db nights.duckdb --format csv",
    "query without end": f"query {LONG.replace(' ', '&')} --db nights.duckdb",
    "report": "report slips.comet -o out/page.html",
    "export csv": "export slips.comet --to csv -o out/tables",
    "export parquet": "export night.comet --to parquet -o out/tables",
    "export json": "export slips.comet --to json -o out/slips.json",
    "simulate": "simulate --sessions 2000 -o out/many.comet",
    "check": "check slips.comet",
    "check with workers": "check slow.comet",
    "analyze": "analyze slips.comet",
    "audit": "audit slips.comet",
    "plot": "plot players night.comet -o out/players.png",
    "show": "show night.comet --hand 1",
    "fmt": "fmt --write out/loose.comet",
}
"""The commands by name; & stands for a space within an argument. They may write below `out`."""

Contents = dict[str, str]
"""The files below a folder by their paths, with what tells their contents apart."""


class Whole(NamedTuple):
    """A command that no signal ended: its status and its lines on standard error, its seconds, the files it left."""

    status: int | None
    lines: set[str]
    seconds: float
    files: Contents


def contents(folder: Path) -> Contents:
    """Return the files below a folder; a database is told by what it holds."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".duckdb":
            with duckdb.connect(path, read_only=True) as connection:
                held = connection.execute("SELECT sha256, sessions FROM sources ORDER BY ALL").fetchall()
            found[str(path.relative_to(folder))] = str(held)
        elif path.is_file() and path.stem != "sources":  # it holds the time of loading
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


class Trial:
    """Commands that are ended, in a folder with what they read.

    Args:
        command: the command itself.
        folder: where to work.
        sessions: how many there are in each history.
    """

    def __init__(self, command: Path, folder: Path, sessions: int = 200) -> None:
        self._command = command
        self._folder = folder
        self._made = folder / "out"
        self._kept = folder / "kept"
        self._made.mkdir()
        self._kept.mkdir()
        (folder / "tmp").mkdir()
        for words in (
            f"simulate --sessions {sessions} --seed 2 -o night.comet",
            f"simulate --sessions {sessions} --faults 0.2 -o slips.comet",
            f"simulate --sessions {sessions} --hands 40 -o slow.comet",
            "load night.comet --db nights.duckdb",
        ):
            subprocess.run([command, *words.split()], cwd=folder, check=True, stderr=subprocess.DEVNULL)
        (folder / "slips.faults.jsonl").unlink()
        # The wide spaces keep these from the fast path, so that worker processes are started.
        slow = folder / "slow.comet"
        slow.write_bytes(slow.read_bytes().replace(b"\nDeal ", b"\nDeal  "))
        loose = self._kept / "loose.comet"
        loose.write_bytes((folder / "night.comet").read_bytes().replace(b"\nDeal ", b"\nDeal  "))
        shutil.copy(folder / "nights.duckdb", self._kept)
        self.reset()
        self.before = contents(self._made)

    def reset(self) -> None:
        """Put the files back that commands may change."""
        shutil.rmtree(self._made)
        shutil.copytree(self._kept, self._made)

    def start(self, words: str) -> "subprocess.Popen[str]":
        """Start a command in a session of its own."""
        return subprocess.Popen(
            [self._command, *(word.replace("&", " ") for word in words.split())],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(self._folder / "tmp")},
        )

    def run_whole(self, words: str) -> Whole:
        """Run a command to its end; one without end gets two seconds."""
        self.reset()
        began = time.monotonic()
        with self.start(words) as process:
            try:
                errors, status = (
                    process.communicate(timeout=2 if LONG.split()[1] in words else 60)[1],
                    process.returncode,
                )
            except subprocess.TimeoutExpired:
                process.kill()
                return Whole(None, set(), 2, self.before)
        return Whole(status, set(errors.splitlines()), time.monotonic() - began, contents(self._made))

    def end(
        self, words: str, whole: Whole, number: signal.Signals, rng: random.Random, run: int
    ) -> tuple[str, list[str]]:
        """End a command by a signal.

        Returns:
            How it ended, and the faults in that.
        """
        self.reset()
        with self.start(words) as process:
            time.sleep(whole.seconds * 1.05 * rng.random())
            for _ in range(2 if run % 3 == 0 else 1):
                if process.poll() is None:
                    (os.killpg if run % 2 else os.kill)(process.pid, number)
                time.sleep(0.03 * rng.random())
            try:
                errors = process.communicate(timeout=20)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                return "killed", ["does not end"]
        status = process.returncode
        faults = [*self._left_over(whole), *self._left_running(process.pid)]
        if status == -number or "KeyboardInterrupt" in errors:
            return f"start-up {status}", faults
        if status not in (130 if number == signal.SIGINT else 143, whole.status):
            faults.append(f"status {status}")
        unknown = set(errors.splitlines()) - whole.lines - {"comet-hist: interrupted"}
        if unknown:
            faults.append(f"says {errors.strip()[-600:]}")
        return str(status), faults

    def _left_over(self, whole: Whole) -> list[str]:
        left = [f"left {path.name}" for path in (self._folder / "tmp").iterdir()]
        for path in (self._folder / "tmp").iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        try:
            now = contents(self._made)
        except duckdb.Error as error:
            return [*left, str(error).splitlines()[0]]
        for name in {*now, *self.before}:
            if now.get(name) not in (self.before.get(name), whole.files.get(name)):
                left.append(f"{name} is {'half written' if name in now else 'gone'}")
        return left

    def _left_running(self, session: int) -> list[str]:
        until = time.monotonic() + 1
        while running := processes_of(session):
            if time.monotonic() > until:
                for process in running:
                    os.kill(process, signal.SIGKILL)
                return [f"{len(running)} processes left"]
            time.sleep(0.01)
        return []


def processes_of(session: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of = stat.read_text().rsplit(")", 1)[1].split()[:4]
        except OSError:
            continue
        if int(of) == session and state != "Z":
            found.append(int(stat.parent.name))
    return found


def main() -> int:
    """Do the trial, print what was counted, and return 1 if there was any fault."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--command", type=Path, default=Path(sys.executable).with_name("comet-hist"))
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    commands = {name: words for name, words in COMMANDS.items() if asked.only in name}
    share = max(1, asked.runs // (len(commands) * len(SIGNALS)))
    # A script that a shell started in the background ignores Ctrl-C, and so would the commands.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    faulty = 0
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(asked.command.absolute(), Path(folder))
        for name, words in commands.items():
            whole = trial.run_whole(words)
            for number in SIGNALS:
                ends: Counter[str] = Counter()
                for run in range(share):
                    end, faults = trial.end(words, whole, number, rng, run)
                    ends[end] += 1
                    faulty += bool(faults)
                    for fault in faults:
                        print(f"    FAULT after {end}: {fault}", flush=True)
                told = ", ".join(f"{count} × {end}" for end, count in ends.most_common())
                print(f"{name:20} {number.name:8} {told}", flush=True)
    print(f"{faulty} faulty ends")
    return int(bool(faulty))


if __name__ == "__main__":
    sys.exit(main())

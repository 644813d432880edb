"""What running a program takes: seconds on the clock, seconds of processors, and memory. For Linux."""

import ctypes
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import IO, Final, NamedTuple

_LOOK: Final = 0.02
"""Seconds between two looks at the memory of a watched program."""
_ADOPT: Final = 36
"""PR_SET_CHILD_SUBREAPER, see prctl(2)."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class MeasuringError(Exception):
    """A program did not do what it was measured for; the message is one line."""


class Measured(NamedTuple):
    """What one run took, or what is typical of several.

    Attributes:
        wall: seconds from its start to its end.
        cpu: seconds that processors worked for it and for the processes it started, in the system included.
        largest: bytes of memory (RSS) that its largest process had at its peak, as the system counted them.
        together: bytes that all its processes had at their peak, as seen every 20 ms; what they share counts for each.
            0 where it was not watched.
    """

    wall: float
    cpu: float
    largest: int
    together: int


def program() -> str:
    """Return the installed command of the environment that runs the benchmarks.

    Raises:
        MeasuringError: if comet-hist is not installed there.
    """
    path = Path(sysconfig.get_path("scripts"), "comet-hist")
    if not path.exists():
        raise MeasuringError(f"comet-hist is not installed in {sys.prefix}; `pip install .` in the project's folder")
    return str(path)


def typical(runs: Sequence[Measured]) -> Measured:
    """Return the medians of the times, and the highest peaks of memory."""
    return Measured(
        median(run.wall for run in runs),
        median(run.cpu for run in runs),
        max(run.largest for run in runs),
        max(run.together for run in runs),
    )


def alternating(rounds: int, *jobs: Callable[[], Measured]) -> list[Measured]:
    """Run several jobs in turn, so many times, and return what is typical of each: what disturbs one disturbs all."""
    runs = [[job() for job in jobs] for _ in range(rounds)]
    return [typical(each) for each in zip(*runs, strict=True)]


def measure(
    command: Sequence[str | Path], *, cores: int = 0, watched: bool = False, statuses: Sequence[int] = (0,)
) -> Measured:
    """Run a program to its end and say what it took. What it writes is thrown away.

    Args:
        command: the program and its arguments.
        cores: how many processors it may use; 0 for all there are.
        watched: whether to look at the memory of all its processes while it runs.
        statuses: the exit statuses it may end with.

    Raises:
        MeasuringError: if it ends with another one.
    """
    _adopt()
    with tempfile.TemporaryFile() as errors, _on(cores):
        begin = time.perf_counter()
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=errors)
        try:
            together = _watch(process) if watched else 0
            _, ended, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - begin
            process.returncode = os.waitstatus_to_exitcode(ended)
        finally:
            if process.returncode is None:
                process.kill()
                process.wait()
        if process.returncode not in statuses:
            raise MeasuringError(_unexpected(command, process.returncode, errors))
    usages = [usage, *_orphans()]
    cpu = sum(each.ru_utime + each.ru_stime for each in usages)
    return Measured(wall, cpu, max(each.ru_maxrss for each in usages) * 1024, together)


def output(command: Sequence[str | Path], *, errors: bool = False) -> str:
    """Run a program to its end and return what it wrote, with `errors` also what went to standard error.

    Raises:
        MeasuringError: if it fails.
    """
    _adopt()
    aside = subprocess.STDOUT if errors else subprocess.PIPE
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=aside, text=True)
    _orphans()
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise MeasuringError(f"{_words(command)}: exit status {done.returncode}: {''.join(last)}")
    return done.stdout


def _adopt() -> None:
    """Become the parent of all processes that those started here leave behind, such as a server of workers.

    What these took is told to nobody but their parent.
    """
    ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)


def _orphans() -> list[resource.struct_rusage]:
    """Wait for the processes that were left behind, and return what they took."""
    usages = []
    while True:
        try:
            usages.append(os.wait3(0)[2])
        except ChildProcessError:
            return usages


def _unexpected(command: Sequence[str | Path], returned: int, errors: IO[bytes]) -> str:
    errors.seek(0)
    last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
    return f"{_words(command)}: exit status {returned}: {''.join(last)}"


def _words(command: Sequence[str | Path]) -> str:
    return " ".join(Path(word).name if isinstance(word, Path) else word for word in command)


@contextmanager
def _on(cores: int) -> Iterator[None]:
    """Keep this process, and what it starts, on so many processors."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:cores] if cores else allowed)
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _watch(process: "subprocess.Popen[bytes]") -> int:
    """Look at the memory of a process and all below it until it ends, and return the most that was seen."""
    most = 0
    ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while os.waitid(os.P_PID, process.pid, ended) is None:
        most = max(most, sum(map(_memory, _family(process.pid))))
        time.sleep(_LOOK)
    return most


def _family(pid: int) -> list[int]:
    """Return a process and all below it, as far as they are still there."""
    family = [pid]
    for each in family:
        try:
            tasks = list(Path(f"/proc/{each}/task").iterdir())
            family += [int(child) for task in tasks for child in (task / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has ended since.
    return family


def _memory(pid: int) -> int:
    """Return the bytes a process has in memory; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (FileNotFoundError, ProcessLookupError):
        return 0

"""What grows with the number of hands: time a hand should not, nor memory."""

from pathlib import Path
from typing import Final

from commands import run_over
from corpora import Corpora, Corpus
from measuring import Measured, typical
from tables import Table, figure, megabytes

COMPARED: Final = 100_000
"""The number of hands by whose time a hand the others are judged."""

GROWING: Final = ("check", "audit", "load")


def growth(corpora: Corpora, hands: int, rounds: int) -> list[Table]:
    """Measure commands over ever more hands, each ten times as many, up to those asked for."""
    sizes = [size for size in (10**power for power in range(4, 9)) if size < hands] + [hands]
    base = min(COMPARED, hands)
    times = Table(
        "Growth",
        ("command", "hands", "wall s", "CPU s", "wall µs/hand", "CPU µs/hand", "wall ×", "CPU ×"),
        f"Rounds: {rounds}, medians. Whole processes on all cores, start of the program included. Last columns: time a "
        f"hand, compared with that at {figure(base)} hands.",
    )
    memory = Table(
        "Memory",
        ("command", "hands", "text MB", "largest process MB", "all processes MB"),
        "Highest peaks (RSS) of the same runs. All processes: seen every 20 ms; memory they share counts for each.",
    )
    database = corpora.folder / "growth.duckdb"
    for command in GROWING:
        taken = {size: _taken(command, corpora.clean(size), database, rounds) for size in sizes}
        for size, run in taken.items():
            corpus = corpora.clean(size)
            times.rows.append((command, figure(corpus.hands), *_times(run, size, taken[base], base)))
            peaks = (megabytes(run.largest), megabytes(run.together))
            memory.rows.append((command, figure(corpus.hands), megabytes(corpus.size), *peaks))
    return [times, memory]


def _taken(command: str, corpus: Corpus, database: Path, rounds: int) -> Measured:
    taken = typical([run_over(command, corpus, database, watched=True) for _ in range(rounds)])
    database.unlink(missing_ok=True)
    return taken


def _times(run: Measured, hands: int, compared: Measured, base: int) -> tuple[str, ...]:
    """Return seconds, millionths of a second a hand, and how many times that is what it is in another run."""
    wall, cpu = run.wall / hands, run.cpu / hands
    ratios = (f"{wall / compared.wall * base:.2f}", f"{cpu / compared.cpu * base:.2f}")
    return (figure(run.wall), figure(run.cpu), figure(wall * 1e6), figure(cpu * 1e6), *ratios)

"""The commands end to end, as they are called from the shell: start-up, reading, answer, end."""

from pathlib import Path
from typing import Final

from corpora import Corpora, Corpus, sessions
from measuring import Measured, measure, program, typical
from tables import Table, figure

GERMAN: Final = 10_000
"""The most hands that are read in German: they go the ordinary road, which takes its time."""


def commands(corpora: Corpora, hands: int, rounds: int) -> list[Table]:
    """Measure `simulate` and the commands that read, on one core and on all, over each kind of input."""
    table = Table(
        "The commands, from the shell",
        ("command", "input", "cores", "hands", "wall s", "CPU s", "hands/s", "plays/s", "MB/s"),
        f"Rounds: {rounds}, medians. Rates by wall time, start of the program included; MB of unpacked text.",
        words=2,
    )
    clean, houses, slips = corpora.clean(hands), corpora.houses(hands), corpora.slips(hands)
    german = corpora.german(min(hands, GERMAN))
    for cores in (1, 0):
        table.rows.append(_row("simulate", "", clean, cores, _simulating(clean, cores, rounds)))
        for command in ("check", "audit", "load"):
            table.rows.append(_row(command, "classic", clean, cores, _reading(command, clean, cores, rounds)))
    for command, label, corpus in (
        ("analyze", "classic", clean),
        ("stats", "classic", clean),
        ("audit", "house rules", houses),
        ("check", "1 % of hands with slips", slips),
        ("audit", "1 % of hands with slips", slips),
        ("check", ".gz", corpora.packed(clean, ".gz")),
        ("check", ".zst", corpora.packed(clean, ".zst")),
        ("check", "German", german),
    ):
        table.rows.append(_row(command, label, corpus, 0, _reading(command, corpus, 0, rounds)))
    return [table]


def run_over(command: str, corpus: Corpus, database: Path, *, cores: int = 0, watched: bool = False) -> Measured:
    """Run a command once over a corpus; `load` into a new database, which stays.

    Raises:
        MeasuringError: if it does not end as it must.
    """
    words: list[str | Path] = [program(), command]
    if command == "stats":
        words.append("players")
    words.append(corpus.path)
    if command == "load":
        database.unlink(missing_ok=True)
        words += ["--db", database]
    return measure(words, cores=cores, watched=watched, statuses=corpus.statuses)


def _reading(command: str, corpus: Corpus, cores: int, rounds: int) -> Measured:
    database = corpus.path.with_name("commands.duckdb")
    taken = typical([run_over(command, corpus, database, cores=cores) for _ in range(rounds)])
    database.unlink(missing_ok=True)
    return taken


def _simulating(corpus: Corpus, cores: int, rounds: int) -> Measured:
    """Measure how a classic corpus is made once more."""
    again = corpus.path.with_name("again.comet")
    workers = ["--workers", str(cores)] if cores else []
    command: list[str | Path] = [program(), "simulate", *sessions(corpus.hands), *workers, "-o", again]
    taken = typical([measure(command, cores=cores) for _ in range(rounds)])
    again.unlink()
    return taken


def _row(command: str, label: str, corpus: Corpus, cores: int, taken: Measured) -> tuple[str, ...]:
    return (
        command,
        label,
        str(cores) if cores else "all",
        figure(corpus.hands),
        figure(taken.wall),
        figure(taken.cpu),
        figure(corpus.hands / taken.wall),
        figure(corpus.plays / taken.wall),
        figure(corpus.size / 1e6 / taken.wall),
    )

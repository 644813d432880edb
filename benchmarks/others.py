"""Other programs that validate records of games, each on its own data, beside this one on Comet."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from commands import run_over
from corpora import Corpora
from measuring import Measured, MeasuringError, measure, output, typical
from tables import Table, figure

MOST: Final = 1000
"""The most games that are made for others."""

AGAIN: Final = 40
"""How many times pgn-extract, which is fast, is given the same games, one below the other."""

_HERE: Final = Path(__file__).parent
_GAMES: Final = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
"""Where to look for pgn-extract: Debian installs it among the games."""

Row = tuple[str, ...]


def others(corpora: Corpora, hands: int, rounds: int) -> list[Table]:
    """Measure what is installed of pgn-extract, python-chess and PokerKit, and `check` and `audit`, on one core."""
    table = Table(
        "Other validators",
        ("program", "data", "records", "plays", "CPU s", "records/s", "plays/s", "check: plays/s ×"),
        f"Rounds: {rounds}, medians. Whole processes on one core; rates by CPU time. Plays: cards of Comet, half-moves "
        "of chess, actions of poker players. Last column: by how much more plays a second `check` does.",
        words=2,
    )
    corpus = corpora.clean(hands)
    database = corpora.folder / "others.duckdb"
    compared = 0.0
    for command, checked in (("check", "legality"), ("audit", "legality, payments, stacks")):
        taken = typical([run_over(command, corpus, database, cores=1) for _ in range(rounds)])
        compared = compared or corpus.plays / taken.cpu
        label = f"comet-hist {command} ({checked})"
        table.rows.append(_row(label, "Comet", corpus.hands, corpus.plays, taken, compared))
    games = max(10, min(MOST, hands // 200))
    table.rows += [*_chess(corpora.folder, games, rounds, compared), *_poker(corpora.folder, games, rounds, compared)]
    return [table]


def _chess(folder: Path, games: int, rounds: int, compared: float) -> Iterator[Row]:
    """Measure pgn-extract and python-chess, over games that python-chess makes."""
    extract = shutil.which("pgn-extract", path=_GAMES)
    chess = _version("chess")
    if chess is None:
        yield _missing("python-chess", "pip install chess")
        yield _missing("pgn-extract", "its games are made by python-chess, which is not installed")
        return
    path = folder / "games.pgn"
    plies = _number("pgn.py", "make", path, str(games))
    label = f"python-chess {chess} (legality)"
    yield _row(label, "PGN", games, plies, _replay("pgn.py", path, plies, rounds), compared)
    if extract is None:
        yield _missing("pgn-extract", "Debian: apt-get install pgn-extract")
        return
    many = folder / "many.pgn"
    many.write_text(path.read_text(encoding="ascii") * AGAIN, encoding="ascii")
    told = output([extract, "-r", many], errors=True)
    if f"{games * AGAIN} games matched out of {games * AGAIN}" not in told:
        raise MeasuringError(f"pgn-extract does not take the games as they are: {told.splitlines()[-1:]}")
    taken = typical([measure([extract, "-r", "-s", many], cores=1) for _ in range(rounds)])
    name = output([extract, "--version"], errors=True).strip().replace(" v", " ")
    yield _row(f"{name} (legality)", "PGN", games * AGAIN, plies * AGAIN, taken, compared)


def _poker(folder: Path, hands: int, rounds: int, compared: float) -> Iterator[Row]:
    """Measure PokerKit, over hands that it makes."""
    pokerkit = _version("pokerkit")
    if pokerkit is None:
        yield _missing("PokerKit", "pip install pokerkit")
        return
    path = folder / "hands.phhs"
    actions = _number("phh.py", "make", path, str(hands))
    label = f"PokerKit {pokerkit} (legality, chips)"
    yield _row(label, "PHH", hands, actions, _replay("phh.py", path, actions, rounds), compared)


def _replay(script: str, path: Path, plays: int, rounds: int) -> Measured:
    """Measure a script's replay of a file, after it has replayed once as many plays as were made."""
    replayed = _number(script, "replay", path)
    if replayed != plays:
        raise MeasuringError(f"{script} made {plays} plays, but replays {replayed}")
    return typical([measure([sys.executable, _HERE / script, "replay", path], cores=1) for _ in range(rounds)])


def _number(script: str, *arguments: str | Path) -> int:
    words: Sequence[str | Path] = [sys.executable, _HERE / script, *arguments]
    return int(output(words))


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _missing(name: str, how: str) -> Row:
    return (name, f"not installed ({how})", *[""] * 6)


def _row(label: str, data: str, records: int, plays: int, taken: Measured, compared: float) -> Row:
    rates = (figure(records / taken.cpu), figure(plays / taken.cpu), figure(compared * taken.cpu / plays))
    return (label, data, figure(records), figure(plays), figure(taken.cpu), *rates)

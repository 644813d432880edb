"""`comet-hist simulate`: game nights that nobody played."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from comet_hist.cli.options import examples
from comet_hist.cli.status import Failure
from comet_hist.processes import cores

if TYPE_CHECKING:
    from comet_hist.simulate.faults import Planted
    from comet_hist.simulate.workers import Piece

_MOST_FAULTS: Final = 0.5
"""After a hand with a slip comes one without."""


@click.command(
    epilog=examples(
        "comet-hist simulate -o night.comet                                one night of ten hands",
        "comet-hist simulate --sessions 1000 --hands 20 -o nights.comet.gz",
        'comet-hist simulate --players 3 --rules "progressive, ante 2" --seed 7 | comet-hist stats -',
        "comet-hist simulate --hands 1000 --strategy Anna=longest+hold --strategy random+at-once -o a.comet",
        "comet-hist simulate --sessions 100 --faults 0.02 -o slips.comet   and what was planted: slips.faults.jsonl",
    )
)
@click.option("--sessions", type=click.IntRange(1, 10**8), default=1, show_default=True, help="How many sessions.")
@click.option("--hands", type=click.IntRange(1, 10**8), default=10, show_default=True, help="Hands a session.")
@click.option(
    "--players", type=click.IntRange(2, 6), help="Players at the table; without it 4, or as many as the game is for."
)
@click.option(
    "--rules", default="", metavar="ITEMS", help="Items of a Rules line, such as “progressive, ante 2”; else classic."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    default=1,
    show_default=True,
    help="What all chance follows from: the same seed gives the same bytes.",
)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="[NAME=]STRATEGY",
    help="How a player plays, or without a name all others; longest+hold if not given. May be repeated.",
)
@click.option(
    "--faults",
    type=click.FloatRange(0, _MOST_FAULTS),
    default=0.0,
    metavar="RATE",
    help="The share of hands to plant a slip in, up to 0.5; what was planted goes to *.faults.jsonl beside FILE.",
)
@click.option("--workers", type=click.IntRange(1), help="Processes at once; without it one for each core.")
@click.option("-o", "--output", metavar="FILE", default="-", help="Where to write it, in place of standard output.")
def simulate(
    sessions: int,
    hands: int,
    players: int | None,
    rules: str,
    seed: int,
    strategies: tuple[str, ...],
    faults: float,
    workers: int | None,
    output: str,
) -> None:
    """Write game nights that nobody played, legal and paid right.

    Cards are dealt by chance and played by strategies, each an opening and a way with the Comet,
    joined by +. Openings: longest suit, shortest, random. The Comet: at-once; hold, for a run
    that has stalled in the own longest suit; block, which keeps the diamonds shut; gap-only; and
    random:P, at each occasion with probability P.

    The text is canonical, and the same for a seed on every machine and with any number of
    workers. FILE replaces an old one when it is complete, and is packed where its name ends in .gz or
    .zst.

    With --faults every kind of slip is planted, of scribes and of players. Beside FILE stands then,
    for each of them, the finding that must answer it, as a line of JSON.
    """
    from comet_hist.cli.outputs import refuse_inputs
    from comet_hist.cli.progress import counting
    from comet_hist.simulate.plan import PlanError, make_plan
    from comet_hist.simulate.workers import simulate as simulated

    if faults and output == "-":
        raise click.UsageError("--faults writes what was planted beside the file: give one, -o FILE")
    planted = planted_path(Path(output))
    refuse_inputs(([] if output == "-" else [Path(output)]) + ([planted] if faults else []), [])
    try:
        plan = make_plan(seed, hands, players, rules, strategies, faults)
        pieces = simulated(plan, sessions, workers or cores())
        with counting(sessions * hands, "Dealing", "hands") as step, ExitStack() as stack:
            text = stack.enter_context(_binary(output))
            told = stack.enter_context(_binary(str(planted))) if faults else None
            _write(pieces, text, told, output, step)
    except PlanError as error:
        raise Failure(str(error)) from error


def planted_path(path: Path) -> Path:
    """Return where the slips planted into a file are written.

    >>> planted_path(Path("nights/night.comet.gz")).name
    'night.faults.jsonl'
    """
    from comet_hist.notation.sources import without_packing

    name = without_packing(path.name)
    name = name[: -len(".comet")] if name.lower().endswith(".comet") else name
    return path.with_name(f"{name}.faults.jsonl")


@contextmanager
def _binary(path: str) -> Iterator[IO[bytes]]:
    """Give what takes the bytes of a file, or of standard output for `-`."""
    from comet_hist.cli.replacing import writing

    if path == "-":
        yield sys.stdout.buffer
        return
    with writing(Path(path)) as stream:
        yield stream


def _write(
    pieces: "Iterator[Piece]", text: IO[bytes], told: IO[bytes] | None, file: str, step: Callable[[int], None]
) -> None:
    """Write the text, and what was planted into it."""
    above = 0
    for piece in pieces:
        text.write(piece.text)
        if told is not None:
            for slip in piece.planted:
                told.write(_as_json(slip, file, above + slip.line))
        above += piece.lines
        step(piece.hands)


def _as_json(slip: "Planted", file: str, line: int) -> bytes:
    """Return a slip as a line of JSON; its place is that of the finding in the file."""
    told = {
        "file": file,
        "session": slip.session,
        "hand": slip.hand,
        "line": line,
        "column": slip.column,
        "code": slip.code,
        "slip": slip.slip,
        "was": slip.was,
        "now": slip.now,
    }
    return json.dumps(told).encode() + b"\n"

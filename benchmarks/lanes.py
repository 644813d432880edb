"""The two lanes by themselves: on one core, in one process, through the project's own functions.

As a program, `python lanes.py STEP FILE ROUNDS` measures one step over a file and prints its figures as JSON.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from corpora import Corpora, Corpus
from measuring import output
from tables import Table, figure

ORDINARY: Final = 2000
"""The most hands that go the ordinary road in a round: it takes its time."""


class Passage(NamedTuple):
    """A passage of a file along a lane: the hands and cards that were replayed, and medians of its seconds."""

    hands: int
    plays: int
    cpu: float
    wall: float
    compiled: bool


def lanes(corpora: Corpora, hands: int, rounds: int) -> list[Table]:
    """Measure the bulk lane by one core, chunks and kernel, and the ordinary road as far as reading, replay, audit."""
    table = Table(
        "The lanes on one core",
        ("lane", "hands", "taken", "hands/s (CPU)", "plays/s (CPU)", "MB/s (CPU)", "hands/s (wall)"),
        f"Rounds: {rounds}, medians, in one process that has started. Taken: the share of hands that came through.",
    )
    bulk = [("classic", corpora.clean(hands)), ("house rules", corpora.houses(hands))]
    for label, corpus in bulk:
        passage = _passage("bulk", corpus, rounds)
        form = "compiled" if passage.compiled else "as plain Python"
        table.rows.append(_row(f"bulk lane {form}, {label}", corpus, passage))
    few = min(hands, ORDINARY)
    for label, corpus in (("classic", corpora.clean(few)), ("house rules", corpora.houses(few))):
        for step in ("read", "replay", "audit"):
            passage = _passage(step, corpus, rounds)
            table.rows.append(_row(f"ordinary road up to {step}, {label}", corpus, passage))
    return [table]


def _passage(step: str, corpus: Corpus, rounds: int) -> Passage:
    return Passage(**json.loads(output([sys.executable, __file__, step, corpus.path, str(rounds)])))


def _row(label: str, corpus: Corpus, passage: Passage) -> tuple[str, ...]:
    return (
        label,
        figure(corpus.hands),
        f"{passage.hands / corpus.hands:.1%}",
        figure(passage.hands / passage.cpu),
        figure(passage.plays / passage.cpu) if passage.plays else "–",
        figure(corpus.size / 1e6 / passage.cpu),
        figure(passage.hands / passage.wall),
    )


def _bulk(path: Path) -> tuple[int, int]:
    """Take a file along the bulk lane, and return the hands and cards that it proved clean."""
    from comet_hist.bulk.chunks import chunks
    from comet_hist.bulk.kernel import Kernel

    kernel = Kernel()
    hands = plays = 0
    with path.open("rb") as stream:
        for chunk in chunks(stream):
            kernel.read(chunk.text)
            hands += kernel.used["hands"]
            plays += kernel.used["plays"]
    return hands, plays


def _ordinary(path: Path, step: str) -> tuple[int, int]:
    """Take a file along the ordinary road up to a step, and return its hands, and the cards that were replayed."""
    from comet_hist.audit import audit
    from comet_hist.engine.session import replay
    from comet_hist.notation import read
    from comet_hist.record import Session

    hands = plays = 0
    with path.open("rb") as stream:
        for session in read(stream, path.name):
            assert isinstance(session, Session), "what simulate writes has no stray lines"
            hands += len(session.hands)
            if step == "read":
                continue
            replayed = replay(session)
            plays += sum(len(hand.laid) for hand in replayed.hands)
            if step == "audit":
                audit(session, replayed)
    return hands, plays


def _timed(job: Callable[[], tuple[int, int]], rounds: int) -> dict[str, Any]:
    """Do a job so many times, once more before the clock runs, and return its figures."""
    from comet_hist.bulk.kernel import is_compiled

    hands, plays = job()
    cpu, wall = [], []
    for _ in range(rounds):
        worked, begun = time.process_time(), time.perf_counter()
        job()
        cpu.append(time.process_time() - worked)
        wall.append(time.perf_counter() - begun)
    figures = Passage(hands, plays, median(cpu), median(wall), is_compiled())
    return figures._asdict()


def main() -> None:
    """Measure one step over a file."""
    step, path, rounds = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    job = (lambda: _bulk(path)) if step == "bulk" else (lambda: _ordinary(path, step))
    print(json.dumps(_timed(job, rounds)))


if __name__ == "__main__":
    main()

"""Sessions on several cores, in the order in which one core would write them."""

from collections.abc import Iterator
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import Final, NamedTuple

from comet_hist.processes import WorkerEndedError, prepare, starting
from comet_hist.simulate.faults import Planted, Script
from comet_hist.simulate.plan import Plan, PlanError

_HANDS: Final = 2_000
"""Hands that a worker hands over together, as far as sessions allow; a session of more is not split."""


class Piece(NamedTuple):
    """Text that follows what was given before.

    Attributes:
        text: the bytes.
        lines: how many lines it has.
        hands: how many hands.
        planted: the slips of the sessions that end in it; lines count from the first of the piece, which is 1.
    """

    text: bytes
    lines: int
    hands: int
    planted: list[Planted]


def simulate(plan: Plan, sessions: int, workers: int) -> Iterator[Piece]:
    """Give the text of sessions piece by piece; what comes out does not hang on the number of workers.

    Args:
        plan: what was agreed.
        sessions: how many.
        workers: how many processes may work at once; 1 is this one alone.

    Raises:
        PlanError: if chips outgrow what can be written.
        WorkerEndedError: if a process was ended.
    """
    together = max(1, _HANDS // plan.hands)
    parts = _Parts(range(0, sessions, together), sessions)
    workers = min(workers, len(parts.first))
    if workers < 2 or plan.hands > _HANDS:
        for part in parts.each():
            yield from _pieces(plan, part)
    else:
        yield from _from_workers(plan, parts, workers)


class _Parts(NamedTuple):
    """Sessions that are handed over together.

    Attributes:
        first: the first session of each part.
        sessions: how many there are in all.
    """

    first: range
    sessions: int

    def each(self, worker: int = 0, workers: int = 1) -> Iterator[range]:
        """Give the parts that one of several workers writes."""
        for first in self.first[worker::workers]:
            yield range(first, min(first + self.first.step, self.sessions))


def _pieces(plan: Plan, part: range) -> Iterator[Piece]:
    """Give sessions in pieces of about as many hands as are handed over together."""
    blocks: list[str] = []
    planted: list[Planted] = []
    lines = hands = 0
    for session in part:
        script = Script(plan, session)
        for block in script.blocks():
            blocks += block
            hands += block[0] == ""
            if hands >= _HANDS and plan.hands > _HANDS:
                # The slips of a session are known when it ends: W602 points at its last hand.
                yield Piece(_bytes(blocks), len(blocks), hands, [])
                lines -= len(blocks)
                blocks, hands = [], 0
        planted += [slip._replace(line=slip.line + lines) for slip in script.planted]
        lines += script.line
    yield Piece(_bytes(blocks), len(blocks), hands, planted)


def _bytes(lines: list[str]) -> bytes:
    # A slip may be a byte that is no text.
    return "".join([f"{line}\n" for line in lines]).encode(errors="surrogateescape")


def _from_workers(plan: Plan, parts: _Parts, workers: int) -> Iterator[Piece]:
    """Let each of several workers write every so many-th part, and take their pieces in turn.

    A worker waits when its pipe is full, so that no more than a piece of each is kept.
    """
    pipes = []
    processes = []
    try:
        for worker in range(workers):
            mine, theirs = Pipe(duplex=False)
            process = Process(target=_work, args=(plan, parts, worker, workers, theirs), daemon=True)
            with starting():
                process.start()
            theirs.close()
            pipes.append(mine)
            processes.append(process)
        for at in range(len(parts.first)):
            try:
                piece = pipes[at % workers].recv()
            except EOFError as error:
                raise WorkerEndedError from error
            if isinstance(piece, PlanError):
                raise piece
            yield piece
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _work(plan: Plan, parts: _Parts, worker: int, workers: int, pipe: Connection) -> None:
    prepare()
    for part in parts.each(worker, workers):
        try:
            (piece,) = _pieces(plan, part)
        except PlanError as error:
            pipe.send(error)
            return
        pipe.send(piece)

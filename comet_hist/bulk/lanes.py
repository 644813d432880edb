"""Both lanes over whole streams, on all cores, and what comes of it in the order of the text.

Chunks are read by kernels in threads; what those leave is judged here, or by other processes once there is much of it.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from io import BufferedReader, BytesIO, RawIOBase
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.bulk.chunks import SIZE, BrokenOffError, Chunk, chunks
from comet_hist.bulk.kernel import Kernel, is_compiled
from comet_hist.bulk.proven import Proven, Stretch, parts
from comet_hist.bulk.room import LONG
from comet_hist.judge import Judged, judge_alone, without_records
from comet_hist.notation import json_form, read
from comet_hist.notation.lines import Start
from comet_hist.processes import WorkerEndedError, cores, prepare, starting
from comet_hist.record import Session, Stray
from comet_hist.signals import received, undisturbed

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

LEAST: Final = 1 << 14
"""Bytes of about as many hands as the ordinary road judges while a kernel is set up."""

_ALONE: Final = 1.0
"""Seconds of work on the ordinary road from which on other processes are worth starting."""

_IN_HAND: Final = 6
"""Chunks that wait for other processes, the one that is given next among them."""


class _Taken(NamedTuple):
    """A chunk on its way.

    Attributes:
        parts: what is to be given of it, from top to bottom; a future where another process judges a stretch.
        kernel: the kernel that holds its tables, and can read on after it; None where there is none, or where they are
            made for this chunk alone.
    """

    parts: "Sequence[Proven | Judged | Stretch | Future[list[Judged]]]"
    kernel: Kernel | None


class Lanes:
    """Judges the sessions of streams, each by itself.

    Args:
        chips: whether to audit the chips; without, sessions are only checked for legality.
        records: whether records and plays are wanted of what goes the ordinary road (`without_records`).
        least: bytes from which on a kernel is worth setting up.
        size: bytes that are read together.

    Attributes:
        uncompiled: whether a kernel was needed, and is not compiled.
    """

    def __init__(self, *, chips: bool = True, records: bool = True, least: int = LEAST, size: int = SIZE) -> None:
        self.uncompiled = False
        self._least = least
        self._size = size
        self._chips = chips
        self._records = records
        self._cores = cores()
        self._bytes = 0
        self._spent = 0.0
        self._kernels: list[Kernel] = []
        self._threads: ThreadPoolExecutor | None = None
        self._processes: ProcessPoolExecutor | None = None

    @undisturbed
    def close(self) -> None:
        """End what works beside."""
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        if self._processes is not None:
            # After a signal the processes are ended, and what waits for their answers may wait for ever.
            self._processes.shutdown(wait=not received(), cancel_futures=True)

    def judged(self, stream: "BufferedReader[Any]", file: str, *, whole: bool = True) -> Iterator[Judged | Proven]:
        """Give the sessions of a stream in their order, clean ones together.

        Args:
            stream: its bytes, unpacked.
            file: its path as findings show it.
            whole: False for a pipe, of which is taken what it has.

        Returns:
            A `Proven` is valid until the next item is asked for.

        Raises:
            OSError: where the stream fails, after everything before that has been given.
            WorkerEndedError: where another process was ended.
        """
        if json_form(file) is not None:
            yield from self._alone(read(stream, file))
            return
        if self._records:
            # Whether columns are worth it is then a question of each file, not of all that came so far.
            self._bytes = 0
        waiting: deque[_Taken] = deque()
        broken: BrokenOffError | None = None
        line = 0
        try:
            for chunk, kernel in self._read(self._cut(stream, whole), whole):
                waiting.append(self._take(chunk, kernel, file, line))
                line += chunk.text.count(b"\n") if kernel is None else kernel.used["lines"]
                if not whole or self._processes is None or len(waiting) > _IN_HAND:
                    yield from self._give(waiting.popleft(), file)
        except BrokenOffError as error:
            broken = error
        while waiting:
            yield from self._give(waiting.popleft(), file)
        if broken is not None:
            yield from self._alone(read(BufferedReader(_Failing(broken)), file, start=Start(line, broken.rest.at)))

    def _alone(self, readings: Iterator[Session | Stray]) -> Iterator[Judged]:
        return (judge_alone(reading, chips=self._chips) for reading in readings)

    def _cut(self, stream: "BufferedReader[Any]", whole: bool) -> Iterator[Chunk]:
        """Cut a stream, a long one in a thread of its own, so that it is unpacked beside the reading."""
        cut = chunks(stream, self._size, whole=whole)
        for chunk in cut:
            yield chunk
            if whole and len(chunk.text) >= self._size // 2:
                break
        else:
            return
        from comet_hist.bulk.ahead import ahead

        yield from ahead(cut)

    def _read(self, cut: Iterator[Chunk], whole: bool) -> Iterator[tuple[Chunk, Kernel | None]]:
        """Let kernels read chunks in threads, a few ahead of what is asked for.

        Raises:
            BrokenOffError: as `chunks` does, after the chunks above.
        """
        asked: deque[tuple[Chunk, Future[Kernel] | None]] = deque()
        broken: BrokenOffError | None = None
        try:
            for chunk in cut:
                asked.append((chunk, self._ask(chunk)))
                if not whole or len(asked) > self._cores:
                    yield _answered(*asked.popleft())
        except BrokenOffError as error:
            broken = error
        while asked:
            yield _answered(*asked.popleft())
        if broken is not None:
            raise broken

    def _ask(self, chunk: Chunk) -> "Future[Kernel] | None":
        """Let a kernel read a chunk; None where all that came so far is not worth setting one up."""
        self._bytes += len(chunk.text)
        if self._bytes < self._least:
            return None
        self.uncompiled = not is_compiled()
        if self._threads is None:
            from concurrent.futures import ThreadPoolExecutor

            self._threads = ThreadPoolExecutor(self._cores)
        return self._threads.submit(self._with_kernel, chunk)

    def _with_kernel(self, chunk: Chunk) -> Kernel:
        try:
            kernel = self._kernels.pop()
        except IndexError:
            kernel = Kernel()
        kernel.read(chunk.text)
        return kernel

    def _take(self, chunk: Chunk, kernel: Kernel | None, file: str, line: int) -> _Taken:
        """Say what is to be given of a chunk, below so many lines; other processes, if there are any, begin with it."""
        if kernel is None and self._records:
            # A few hands are kept faster by themselves than as columns.
            return _Taken([*self._alone(read(BytesIO(chunk.text), file, start=Start(line, chunk.at)))], None)
        if kernel is None:
            return _Taken([self._sent(Stretch(chunk.text, line, chunk.at), file)], None)
        found = parts(kernel, chunk, line)
        sent = [self._sent(part, file) if isinstance(part, Stretch) else part for part in found]
        return _Taken(sent, kernel if len(chunk.text) < LONG else None)

    @undisturbed
    def _sent(self, stretch: Stretch, file: str) -> "Stretch | Future[list[Judged]]":
        if self._processes is None:
            return stretch
        with starting():  # the first time processes start here
            return self._processes.submit(_judge, stretch, file, self._chips, self._records)

    def _give(self, taken: _Taken, file: str) -> Iterator[Judged | Proven]:
        for part in taken.parts:
            if isinstance(part, Proven | Judged):
                yield part
            elif isinstance(part, Stretch):
                yield from self._judge_here(part, file)
            else:
                yield from _result(part)
        if taken.kernel is not None:
            self._kernels.append(taken.kernel)

    def _judge_here(self, stretch: Stretch, file: str) -> list[Judged]:
        """Judge a stretch; after too much of that, start the other processes."""
        before = time.perf_counter()
        judged = _judge(stretch, file, self._chips, self._records)
        self._spent += time.perf_counter() - before
        if self._spent > _ALONE and self._cores > 1 and self._processes is None:
            self._start_processes()
        return judged

    @undisturbed
    def _start_processes(self) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_all_start_methods, get_context

        # A process with threads must not be copied; what starts afresh is safe wherever it runs.
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
        with starting():
            self._processes = ProcessPoolExecutor(self._cores, get_context(method), prepare)


def _answered(chunk: Chunk, asked: "Future[Kernel] | None") -> tuple[Chunk, Kernel | None]:
    return chunk, None if asked is None else asked.result()


def _result(asked: "Future[list[Judged]]") -> list[Judged]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return asked.result()
    except BrokenProcessPool as error:
        raise WorkerEndedError from error


def _judge(stretch: Stretch, file: str, chips: bool, records: bool) -> list[Judged]:
    from comet_hist.bulk.mixed import judge_stretch

    judged = judge_stretch(stretch, file, chips=chips)
    return list(judged if records else map(without_records, judged))


class _Failing(RawIOBase):
    """What was read of a stream before it failed, and then its failure."""

    def __init__(self, broken: BrokenOffError) -> None:
        self._rest = memoryview(broken.rest.text)
        self._reason = broken.reason

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:
            raise self._reason
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

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
from comet_hist.notation.lines import Start, is_text
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
        waiting: deque[_Taken] = deque()
        broken: BrokenOffError | None = None
        line = 0
        try:
            reading = self._read(self._cut(stream, whole), whole)
            for chunk, kernel in reading:
                if chunk.at == 0 and not is_text(chunk.text):
                    yield from self._alone(read(BytesIO(chunk.text), file))
                    return
                if chunk.goes_on:
                    while waiting:
                        yield from self._give(waiting.popleft(), file)
                    parts_of_text = _Parts(chunk, reading)
                    start = Start(line, chunk.at)
                    yield from self._alone(read(BufferedReader(parts_of_text), file, start=start))
                    line += parts_of_text.lines
                    continue
                waiting.append(self._take(chunk, kernel, file, line))
                line += chunk.text.count(b"\n") if kernel is None else kernel.used["lines"]
                if not whole or self._processes is None or len(waiting) > _IN_HAND:
                    yield from self._give(waiting.popleft(), file)
        except BrokenOffError as error:
            broken = error
        while waiting:
            yield from self._give(waiting.popleft(), file)
        if broken is not None:
            rest = BufferedReader(_Parts(broken.rest, iter(()), broken.reason))
            yield from self._alone(read(rest, file, start=Start(line, broken.rest.at)))

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
                asked.append((chunk, None if chunk.goes_on or chunk.begun else self._ask(chunk)))
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


class _Parts(RawIOBase):
    """A text that is given in parts, and the failure of its stream, if it has one, behind them.

    Args:
        first: its first part.
        further: the chunks below, of which those that go on with it are taken.
        failure: how the stream fails behind the first part.

    Attributes:
        lines: the lines that were given.
    """

    def __init__(
        self, first: Chunk, further: Iterator[tuple[Chunk, Kernel | None]], failure: OSError | None = None
    ) -> None:
        self.lines = 0
        self._further = further
        self._failure = failure
        self._goes_on = False
        self._rest = memoryview(b"")
        self._take(first)

    def _take(self, chunk: Chunk) -> None:
        self._rest = memoryview(chunk.text)
        self._goes_on = chunk.goes_on
        self.lines += chunk.text.count(b"\n")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest and self._goes_on:
            self._goes_on = False
            try:
                for chunk, _ in self._further:
                    self._take(chunk)
                    break
            except BrokenOffError as error:
                self._take(error.rest)
                self._failure = error.reason
        if not self._rest and self._failure is not None:
            raise self._failure
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

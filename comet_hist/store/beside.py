"""Statements that run beside the program, so that it goes on meanwhile, and Ctrl-C is answered at once."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Final

from comet_hist.signals import check, undisturbed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


_AHEAD: Final = 2
"""Things that are begun at most, the one that runs among them, so that it never has to wait for the next."""


class Beside:
    """Runs what asks a connection in a thread, one thing at a time; nothing else may use the connection meanwhile."""

    def __init__(self, connection: "DuckDBPyConnection") -> None:
        self._connection = connection
        self._thread = ThreadPoolExecutor(1)
        self._running: deque[Future[object]] = deque()

    @undisturbed
    def close(self) -> None:
        """Break off what runs, and end."""
        self.stop()
        self._thread.shutdown()

    @undisturbed
    def stop(self) -> None:
        """Break off what runs, whatever comes of it."""
        for running in reversed(self._running):
            running.cancel()
        while self._running:
            # An interrupt that comes before a statement has begun is lost, so that it is said until it is heard.
            while not _is_done(self._running[0], 0.05):
                self._connection.interrupt()
            self._running.popleft()

    @undisturbed
    def start(self, work: Callable[[], object]) -> None:
        """Begin with something as soon as what was begun before is done.

        Raises:
            Exception: that of something before.
            Ended: as `wait`.
        """
        while len(self._running) >= _AHEAD:
            self._wait_for_first(check)
        self._running.append(self._thread.submit(work))

    @undisturbed
    def wait(self) -> None:
        """Wait until nothing runs.

        Raises:
            Exception: that of what ran.
            Ended: if a signal ends the command, at once; for a program without `signals.take` it is KeyboardInterrupt.
        """
        while self._running:
            self._wait_for_first(check)

    def _wait_for_first(self, meanwhile: Callable[[], None]) -> None:
        while not _is_done(self._running[0], 0.1):
            meanwhile()
        self._running.popleft().result()

    @undisturbed
    def run(self, work: Callable[[], object]) -> None:
        """Do something and wait for it; for what is raised see `wait`."""
        self.start(work)
        self.wait()

    def ask(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows; for what is raised see `wait`."""
        rows: list[tuple[Any, ...]] = []
        self.run(lambda: rows.extend(self._connection.execute(sql, parameters).fetchall()))
        return rows

    @undisturbed
    def complete(self, work: Callable[[], object]) -> None:
        """Do something that is not broken off: signals are answered when it is done.

        Raises:
            Exception: that of the work.
            KeyboardInterrupt: if it was interrupted, and is done all the same.
        """
        self.start(work)
        interrupted: KeyboardInterrupt | None = None
        while self._running:
            try:
                self._wait_for_first(lambda: None)
            except KeyboardInterrupt as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted


def _is_done(running: "Future[object]", seconds: float) -> bool:
    return bool(wait([running], seconds).done)

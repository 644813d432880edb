"""How the command ends when something from outside cuts it short.

* Ctrl-C, SIGTERM and SIGHUP are received from the first lines of `comet_hist.cli.main` on. `comet_hist.signals` says
  where in the program they become the exception `Ended`. On its way out it passes the code that removes unfinished
  files, rolls back and closes databases and restores the terminal. Some libraries turn it into an exception of their
  own. What counts is therefore that a signal was received: `run` then ends all worker processes and the process itself,
  with the status of the signal, at the latest after five seconds.
* Once the command is done its exit status is settled; a signal then only limits the time of Python's own end.
* Closed streams and pipes, a full disk and too little memory are exceptions. `ending` turns each into a status and a
  line. `is_out_of_memory` alone says which exceptions mean too little memory.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, Never

from comet_hist import signals
from comet_hist.processes import WorkerEndedError, end_all
from comet_hist.signals import Ended

_STANDARD: Final = range(3)
"""The descriptors of standard input, output and error."""

_UNLOADED: Final = ("failed to map segment", "cannot allocate memory", "cannot create shared object descriptor")
"""What the loader of libraries says where an extension module does not fit into memory."""


def run() -> Never:
    """Run the command with the arguments of the process, and leave with its exit status."""
    status: object = None
    # No linear algebra is done with numpy; the threads that it starts for it take memory that may be short.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        try:
            signals.begin()
            take_streams()
            with ending():
                from comet_hist.cli.app import comet_hist

                comet_hist()
        except SystemExit as leaving:
            status = leaving.code
        signals.finish(status if isinstance(status, int) else 0)
    except Ended:
        pass  # The exception goes before the process does, and with it what its traceback still holds.
    if signals.received():
        _end_by_signal(signals.received())
    sys.exit(status)  # type: ignore[arg-type]


def take_streams() -> None:
    """Make do with standard streams that were closed before the program began.

    Their descriptors are taken, lest a file that is opened later get one and a message be written into it. What is
    written to a closed standard output fails, since it is lost; messages for a closed standard error are not wanted.
    """
    for descriptor in _STANDARD:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
    # Typed as always there, they are None where the descriptor was closed. They live as long as the program.
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


@contextmanager
def ending() -> Iterator[None]:
    """End the command as it should where it is cut short.

    Raises:
        SystemExit: with the exit status, where nobody reads on, what is written cannot be kept, or memory is short.
        Ended: if a signal was received, whatever exception came of it.
    """
    try:
        try:
            yield
        finally:
            if not signals.received():
                sys.stdout.flush()
    except BaseException as error:
        if signals.received():
            raise signals.ended() from error
        ended = _end_of(error)
        if ended is None:
            raise
    else:
        return
    # The exception is gone here, and the memory with it that its traceback held.
    _leave(*ended)


def _end_of(error: BaseException) -> tuple[int, str | None] | None:
    """Return the exit status and the line for an exception; None for one that stays as it is."""
    from comet_hist.cli.status import Status

    if isinstance(error, BrokenPipeError):
        return Status.CLOSED_PIPE, None
    if isinstance(error, KeyboardInterrupt):
        return Status.INTERRUPTED, "interrupted"
    if isinstance(error, WorkerEndedError):
        return Status.USAGE, str(error)
    if isinstance(error, Exception) and is_out_of_memory(error):
        return Status.USAGE, "not enough memory"
    if isinstance(error, OSError):
        # Only the standard streams have no name, and a failing standard error will show nothing.
        reason = error.strerror or str(error)
        where = error.filename if error.filename is not None else "standard output: cannot be written"
        return Status.USAGE, f"{where}: {reason}"
    return None


def is_out_of_memory(error: BaseException | None) -> bool:
    """Say whether an exception, or one that it was raised from, means that the process got no more memory.

    >>> is_out_of_memory(RuntimeError("can't start new thread")), is_out_of_memory(ValueError())
    (True, False)
    """
    while error is not None:
        said = str(error).lower()
        if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":  # the latter is DuckDB's
            return True
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            return True
        if isinstance(error, RuntimeError) and said.startswith("can't start new thread"):
            return True
        if isinstance(error, ImportError) and any(part in said for part in _UNLOADED):
            return True
        error = error.__cause__ or error.__context__
    return False


def _end_by_signal(number: int) -> Never:
    """End the process with the status of a signal."""
    status = signals.exit_status(number)
    signals.finish(status)
    end_all()
    with suppress(Exception):
        sys.stdout.flush()
    if number == signals.INTERRUPT:
        _tell("interrupted")
    if "multiprocessing" in sys.modules:
        sys.exit(status)  # it has files and semaphores to remove
    os._exit(status)


def _leave(status: int, message: str | None = None) -> Never:
    end_all()
    if message:
        _tell(message)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # What is still buffered would fail again when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)


def _tell(message: str) -> None:
    """Write a line to standard error, as far as it can be written and there is memory for it."""
    try:
        from comet_hist.cli.status import complain

        complain(message)
    except (MemoryError, ImportError):
        os.write(sys.stderr.fileno(), f"comet-hist: {message}\n".encode())
    except OSError:
        pass  # it may be as full as standard output is; then there is nobody left to tell

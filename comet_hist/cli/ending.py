"""How the command ends when something from outside cuts it short: Ctrl-C, closed streams and pipes, a full disk."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, Never

from comet_hist.cli.status import Status, complain
from comet_hist.processes import WorkerEndedError, end_all

_STANDARD: Final = range(3)
"""The descriptors of standard input, output and error."""


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
    """End the command as it should where nobody reads on, Ctrl-C is pressed, or what is written cannot be kept.

    Raises:
        SystemExit: with the exit status for that.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _leave(Status.CLOSED_PIPE)
    except KeyboardInterrupt:
        _leave(Status.INTERRUPTED, "interrupted")
    except WorkerEndedError as error:
        _leave(Status.USAGE, str(error))
    except OSError as error:
        # Only the standard streams have no name, and a failing standard error will show nothing.
        reason = error.strerror or str(error)
        where = error.filename if error.filename is not None else "standard output: cannot be written"
        _leave(Status.USAGE, f"{where}: {reason}")


def end_on_termination() -> None:
    """Let SIGTERM end the command in order, so that nothing half is left behind, and no other process."""
    signal.signal(signal.SIGTERM, _terminate)


def _terminate(number: int, frame: FrameType | None) -> Never:
    end_all()
    sys.exit(Status.TERMINATED)


def _leave(status: Status, message: str | None = None) -> Never:
    end_all()
    # Standard error may be as full as standard output is; then there is nobody left to tell.
    with suppress(OSError):
        if message:
            complain(message)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # What is still buffered would fail again when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)

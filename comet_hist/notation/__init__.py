"""Text to record and back: reads histories session by session, and writes them in canonical form."""

from collections.abc import Iterator
from typing import BinaryIO

from comet_hist.record import Session, Stray


def read(stream: BinaryIO, file: str) -> Iterator[Session | Stray]:
    """Give the sessions of a history, each as soon as the next one begins or the stream ends.

    Args:
        stream: its bytes, unpacked; at most the largest session is kept of them.
        file: its path as findings show it.

    Returns:
        The sessions in order; between them a `Stray` with what was wrong in text that belongs to none.

    Raises:
        OSError: where the stream fails, after everything before that has been given.
    """
    from comet_hist.notation.reader import sessions

    return sessions(stream, file)

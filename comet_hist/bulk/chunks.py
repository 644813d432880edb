"""Cuts a stream of bytes into chunks at its sessions."""

from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

from comet_hist.bulk.scanner import closes_hand

SIZE: Final = 1 << 18
"""Bytes read together: few enough that they and what the kernel makes of them stay in the processor's cache."""

_OPENING: Final = b"\n\nComet session "


class Chunk(NamedTuple):
    """Whole sessions of a stream, one below the other.

    Attributes:
        text: their bytes.
        at: the bytes of the stream above them.
    """

    text: bytes
    at: int


def chunks(stream: BinaryIO, size: int = SIZE) -> Iterator[Chunk]:
    """Give a stream in chunks that begin and end where a session does, or the stream.

    Sessions are found by the canonical line that opens them, with a blank line above; others stay with the one above
    them. Above each cut ends a hand, so that chunks can be judged each by itself (`closes_hand`).

    Raises:
        OSError: where the stream fails, after what was read before that has been given.
    """
    at = 0
    text = b""
    searched = 0
    while True:
        failure = None
        try:
            block = stream.read(size)
        except OSError as error:
            block, failure = b"", error
        text += block
        cut = _last_opening(text, searched) if block else len(text)
        if block and not cut:
            searched = max(0, text.rfind(b"\n\n"))
            continue
        if cut:
            yield Chunk(text[:cut], at)
        if failure is not None:
            raise failure
        if not block:
            return
        at += cut
        text = text[cut:]
        searched = 0


def _last_opening(text: bytes, start: int) -> int:
    """Return where the last session opens below a hand, of those that do behind `start`; 0 if none does.

    What has only white space behind it so far may be the beginning of a line that breaks off, and opens none (E101).
    """
    found = text.rfind(_OPENING, start)
    while found >= 0:
        ident = found + len(_OPENING)
        above = text.rfind(b"\n", 0, found) + 1
        whole = text[ident : ident + 1].isalnum() or text.find(b"\n", ident) >= 0
        if whole and closes_hand(text, above):
            return found + 2
        found = text.rfind(_OPENING, start, ident - 1)
    return 0

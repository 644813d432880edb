"""Cuts a stream of bytes into chunks at its sessions."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from comet_hist.bulk.scanner import closes_hand
from comet_hist.notation.vocabulary import opened_language

SIZE: Final = 1 << 18
"""Bytes read together: few enough that they and what the kernel makes of them stay in the processor's cache."""

_OPENING: Final = b"\n\nComet session "
_BLANK: Final = re.compile(rb"\n[ \t]*\r?(?=\n)")
_AT_ONCE: Final = SIZE
"""Bytes in which a session opened in another form is looked for, if no canonical one opens in them."""


class Readable(Protocol):
    """A stream of bytes."""

    def read1(self, size: int, /) -> bytes:
        """Give what there is, so many bytes at most."""
        ...


class Chunk(NamedTuple):
    """Whole sessions of a stream, one below the other.

    Attributes:
        text: their bytes.
        at: the bytes of the stream above them.
    """

    text: bytes
    at: int


class BrokenOffError(OSError):
    """A stream that failed.

    Attributes:
        rest: what was read of it below the last chunk.
        reason: how it failed.
    """

    def __init__(self, rest: Chunk, reason: OSError) -> None:
        super().__init__(str(reason))
        self.rest = rest
        self.reason = reason


def chunks(stream: Readable, size: int = SIZE, *, whole: bool = True) -> Iterator[Chunk]:
    """Give a stream in chunks that begin and end where a session does, or the stream.

    Sessions are found by the line that opens them, with a blank line above: by the canonical one, and where there is
    none for long, by one of another form or language. Others stay with the one above them. Chunks can be judged each by
    itself (`closes_hand`).

    Args:
        stream: the bytes.
        size: how many of them are read together.
        whole: whether to wait until there are as many; a pipe may be slow, and is asked for what it has.

    Raises:
        BrokenOffError: where the stream fails, after the chunks above.
    """
    at = 0
    text = bytearray()
    searched = 0
    while True:
        try:
            if not _read_on(text, stream, size, whole):
                break
        except OSError as error:
            raise BrokenOffError(Chunk(bytes(text), at), error) from error
        cut = _last_opening(text, searched)
        if not cut and len(text) - searched >= _AT_ONCE:
            cut = _last_free_opening(text, searched)
            searched = max(searched, len(text) - _LOOK_BACK)
        if cut:
            yield Chunk(bytes(memoryview(text)[:cut]), at)
            at += cut
            del text[:cut]
            searched = 0
    if text:
        yield Chunk(bytes(text), at)


def _read_on(text: bytearray, stream: Readable, size: int, whole: bool) -> bool:
    """Append what comes next, so that nothing is lost where the stream fails; say whether there was any."""
    wanted = len(text) + size
    while len(text) < wanted:
        block = stream.read1(wanted - len(text))
        text += block
        if not block or not whole:
            return bool(block)
    return True


_LOOK_BACK: Final = 1 << 12
"""What is searched once more when more has been read: an opening that is not yet whole."""


def _last_opening(text: bytearray, start: int) -> int:
    """Return where the last session opens below a hand, of those that do behind `start`; 0 if none does.

    What has only white space behind it so far may be the beginning of a line that breaks off, and opens none (E101).
    """
    found = text.rfind(_OPENING, start)
    while found >= 0:
        ident = found + len(_OPENING)
        above = text.rfind(b"\n", 0, found) + 1
        whole = text[ident : ident + 1].isalnum() or text.find(b"\n", ident) >= 0
        if whole and closes_hand(bytes(text[above:found]) + b"\0", 0):
            return found + 2
        found = text.rfind(_OPENING, start, ident - 1)
    return 0


def _last_free_opening(text: bytearray, start: int) -> int:
    """Return where the last session opens in any form, of those behind `start`; 0 if none surely does.

    The line above must surely be read as part of the session above, and must not open it: opened once more by the same
    line, a session is the same (E107).
    """
    for blank in reversed(list(_BLANK.finditer(text, start))):
        cut = blank.end() + 1
        end = text.find(b"\n", cut)
        above = text.rfind(b"\n", 0, blank.start()) + 1
        if end >= 0 and _opens(text[cut:end]) and _goes_on(text[above : blank.start()]):
            return cut
    return 0


def _opens(line: bytearray) -> bool:
    return not line[:1].isspace() and opened_language(line.decode(errors="replace")) is not None


def _goes_on(line: bytearray) -> bool:
    return bool(line.strip()) and line[:1].isalpha() and opened_language(line.decode(errors="replace")) is None

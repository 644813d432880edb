"""Cuts a stream of bytes into chunks at its sessions."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple, Protocol

from comet_hist.bulk.scanner import closes_hand
from comet_hist.notation.vocabulary import languages, opened_language, sessions, vocabulary

SIZE: Final = 1 << 18
"""Bytes read together: few enough that they and what the kernel makes of them stay in the processor's cache."""

_OPENING: Final = b"\nComet session "
_AT_ONCE: Final = SIZE
"""Bytes in which a session opened in another form is looked for, if no canonical one opens in them."""

_LOOK_BACK: Final = 1 << 12
"""What is searched once more when more has been read: an opening that is not yet whole, and the lines above it."""

_LONGEST_OPENING: Final = 400
"""Bytes at the beginning of a line in which the words that open a session stand."""

_MOST_BARE: Final = 1 << 22
"""Bytes without a line that opens a hand which are kept; more are given in parts."""


class Readable(Protocol):
    """A stream of bytes."""

    def read1(self, size: int, /) -> bytes:
        """Give what there is, so many bytes at most."""
        ...


class Chunk(NamedTuple):
    """Whole sessions of a stream, one below the other, or a part of a text that is too long to be kept.

    Attributes:
        text: their bytes.
        at: the bytes of the stream above them.
        goes_on: whether the text goes on in the next chunk, in the middle of a session or of a line.
        begun: whether it goes on from the chunk above.
    """

    text: bytes
    at: int
    goes_on: bool = False
    begun: bool = False


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

    Sessions are found by the line that opens them: by the canonical one below a line that ends a hand, and where there
    is none for long, by one of another form or language. Others stay with the one above them. Such chunks can be judged
    each by itself (`closes_hand`).

    A text in which no session and no hand opens for long is given in parts, as it comes: zeros, blank lines, comments,
    or anything else that may stand there without end. So memory is bounded by the largest session.

    Args:
        stream: the bytes.
        size: how many of them are read together.
        whole: whether to wait until there are as many; a pipe may be slow, and is asked for what it has.

    Raises:
        BrokenOffError: where the stream fails, after the chunks above.
    """
    at = searched = 0
    text = bytearray()
    begun = False
    titled: bool | None = None
    while True:
        try:
            if not _read_on(text, stream, size, whole):
                break
        except OSError as error:
            raise BrokenOffError(Chunk(bytes(text), at, begun=begun), error) from error
        cut, goes_on = _last_opening(text, searched), False
        if not cut and (begun or len(text) - searched >= _AT_ONCE):
            cut = _last_free_opening(text, searched)
            searched = max(searched, len(text) - _LOOK_BACK)
        if not cut and len(text) > _LOOK_BACK and (begun or len(text) > _MOST_BARE):
            if titled is None:
                titled = _is_titled(text)
            goes_on = begun or not titled or _hand_lines().search(text, len(text) - _MOST_BARE) is None
            cut = len(text) - _LOOK_BACK if goes_on else 0
        if cut:
            yield Chunk(bytes(memoryview(text)[:cut]), at, goes_on, begun)
            at += cut
            del text[:cut]
            searched, begun, titled = 0, goes_on, True
    if text:
        yield Chunk(bytes(text), at, begun=begun)


def _read_on(text: bytearray, stream: Readable, size: int, whole: bool) -> bool:
    """Append what comes next, so that nothing is lost where the stream fails; say whether there was any."""
    wanted = len(text) + size
    while len(text) < wanted:
        block = stream.read1(wanted - len(text))
        text += block
        if not block or not whole:
            return bool(block)
    return True


def _last_opening(text: bytearray, start: int) -> int:
    """Return where the last session opens below a hand, of those that do behind `start`; 0 if none does.

    What has only white space behind it so far may be the beginning of a line that breaks off, and opens none (E101).
    """
    found = text.rfind(_OPENING, start)
    while found >= 0:
        ident = found + len(_OPENING)
        end = found - 1 if text[found - 1 : found] == b"\n" else found
        above = text.rfind(b"\n", 0, end) + 1
        whole = text[ident : ident + 1].isalnum() or text.find(b"\n", ident) >= 0
        if whole and closes_hand(bytes(text[above:end]) + b"\0", 0):
            return found + 1
        found = text.rfind(_OPENING, start, ident - 1)
    return 0


def _last_free_opening(text: bytearray, start: int) -> int:
    """Return where the last session opens in any form, of those behind `start`; 0 if none surely does.

    The line above must surely be read as part of the session above, and must not open it: opened once more by the same
    line, a session is the same (E107).
    """
    for found in reversed(list(_first_letters().finditer(text, start))):
        cut = found.end()
        if text.find(b"\n", cut) >= 0 and _opens(text, cut) and _goes_on(text, found.start()):
            return cut
    return 0


@cache
def _first_letters() -> re.Pattern[bytes]:
    """Return what finds the lines that may open a session, by the first letter; accents and marks may be on it."""
    letters = {comet[0].encode() for comet, _ in sessions() if comet[0].isascii()}
    either = re.escape(b"".join(sorted(letters | {letter.upper() for letter in letters})))
    return re.compile(rb"\n(?=[" + either + rb"\x80-\xff])")


@cache
def _hand_lines() -> re.Pattern[bytes]:
    """Return what finds lines that open hands."""
    words = {vocabulary(language).keywords["hand"].encode() for language in languages()}
    return re.compile(rb"\n[ \t]*(?:" + b"|".join(map(re.escape, sorted(words))) + rb")[ \t]", re.IGNORECASE)


def _opens(text: bytearray, at: int) -> bool:
    line = text[at : at + _LONGEST_OPENING].partition(b"\n")[0].decode(errors="replace").lstrip("\ufeff")
    return not line[:1].isspace() and opened_language(line) is not None


def _is_titled(text: bytearray) -> bool:
    """Say whether a session opens anywhere in a text."""
    return _opens(text, 0) or any(_opens(text, found.end()) for found in _first_letters().finditer(text))


def _goes_on(text: bytearray, end: int) -> bool:
    """Say whether the last line above `end` that is no comment surely goes on with a session that opens above it."""
    stop = max(0, end - _LOOK_BACK)
    while (start := text.rfind(b"\n", stop, end) + 1) > 0:
        line = text[start : min(end, start + _LONGEST_OPENING)]
        if line[:1].isalpha():
            return not _opens(text, start)
        if line.strip() and not line[:1].isspace() and line[:1] != b"#":
            return False
        end = start - 1
    return False

"""What comes out of a chunk, in the order of its text: sessions proved clean, and stretches that were not taken."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from comet_hist.bulk import columns
from comet_hist.bulk.chunks import Chunk
from comet_hist.bulk.kernel import Kernel
from comet_hist.rules import Rules, agree

_SESSION_WIDTH: Final = len(columns.SESSIONS)
_START: Final = columns.SESSIONS.index("start")
_LEFT_WIDTH: Final = len(columns.LEFT)


class Proven(NamedTuple):
    """Clean sessions of a chunk that stand one below the other.

    Attributes:
        text: the bytes of the whole chunk.
        line: the lines of the file above the chunk.
        tables: the tables of the whole chunk, laid out as in `columns`; the kernel's own, until it reads on.
        used: the number of rows of each table.
        first: the row of the first of the sessions.
        after: the row after that of the last.
    """

    text: bytes
    line: int
    tables: dict[str, Any]
    used: dict[str, int]
    first: int
    after: int


class Stretch(NamedTuple):
    """Text that goes the ordinary road.

    Attributes:
        text: its bytes.
        line: the lines of the file above it.
        at: the bytes of the file above it.
    """

    text: bytes
    line: int
    at: int


def parts(kernel: Kernel, chunk: Chunk, line: int) -> Iterator[Proven | Stretch]:
    """Give what a kernel made of a chunk, from top to bottom.

    Args:
        kernel: it has read the chunk.
        chunk: the chunk.
        line: the lines of the file above it.
    """
    tables, used = kernel.tables, kernel.used
    sessions, left = tables["sessions"], tables["left"]
    done = 0
    for row in range(used["left"]):
        start, end, above = left[_LEFT_WIDTH * row : _LEFT_WIDTH * row + _LEFT_WIDTH]
        first = done
        while done < used["sessions"] and sessions[_SESSION_WIDTH * done + _START] < start:
            done += 1
        if done > first:
            yield Proven(chunk.text, line, tables, used, first, done)
        yield Stretch(chunk.text[start:end], line + above, chunk.at + start)
    if done < used["sessions"]:
        yield Proven(chunk.text, line, tables, used, done, used["sessions"])


@lru_cache(maxsize=1024)
def rules_of(items: bytes) -> Rules:
    """Return the rules that the canonical items of a clean `Rules` line set, as few tables agree on rules of their own.

    >>> rules_of(b"ante 1, comet 2, card 1, chip 0.05 EUR").comet
    2
    """
    split = (item.partition(" ") for item in items.decode().split(", "))
    return agree([(word, value or None) for word, _, value in split])

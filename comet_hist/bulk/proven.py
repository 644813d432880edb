"""What comes out of a chunk, in the order of its text: sessions proved clean, and stretches that were not taken."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from comet_hist.bulk import columns
from comet_hist.bulk.chunks import Chunk
from comet_hist.bulk.kernel import Kernel
from comet_hist.bulk.scanner import name_of
from comet_hist.notation.write import digest
from comet_hist.rules import Rules, agree

_WIDTH: Final = len(columns.SESSIONS)
_LINE_FEED: Final = 10
_START: Final = columns.SESSIONS.index("start")
_COUNTED: Final = columns.SESSIONS.index("counted")
_HANDS: Final = columns.SESSIONS.index("hands")
_LEFT_WIDTH: Final = len(columns.LEFT)


class Row(NamedTuple):
    """A row of `SESSIONS`: what its columns mean stands there."""

    start: int
    end: int
    line: int
    ident_at: int
    ident_length: int
    date: int
    began: int
    place_at: int
    place_length: int
    rules_at: int
    rules_length: int
    players: int
    counted: int
    hands: int
    first_hand: int
    first_balance: int


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

    def session(self, row: int) -> Row:
        """Return a row of `SESSIONS`."""
        return Row(*self.tables["sessions"][_WIDTH * row : _WIDTH * row + _WIDTH])

    def ident(self, session: Row) -> str:
        """Return the identifier of a session."""
        return name_of(self.text[session.ident_at : session.ident_at + session.ident_length])

    def marks(self) -> Iterator[tuple[str, str, int]]:
        """Give for each session its identifier, its digest, and the number of its first line."""
        whole = memoryview(self.text)
        rows = self.tables["sessions"][_WIDTH * self.first : _WIDTH * self.after]
        for at in range(0, len(rows), _WIDTH):
            start, end, line, ident_at, ident_length = rows[at : at + 5]
            written = whole[start:end]
            if self.text[end - 2] != _LINE_FEED:
                # The blank line below it is part of its canonical text; the file ends without.
                written = memoryview(bytes(written) + b"\n")
            yield name_of(self.text[ident_at : ident_at + ident_length]), digest(written), self.line + line + 1

    def counted(self) -> tuple[int, int]:
        """Return how many hands there are, void ones not among them, and how many are void."""
        sessions, span = self.tables["sessions"], slice(_WIDTH * self.first, _WIDTH * self.after)
        legal = sum(sessions[span][_COUNTED::_WIDTH])
        return legal, sum(sessions[span][_HANDS::_WIDTH]) - legal


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
        while done < used["sessions"] and sessions[_WIDTH * done + _START] < start:
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

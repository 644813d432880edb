"""Comments of a session beside its record, by line of its canonical text: from 1, blank lines not counted."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from comet_hist.notation.comments import Comments
from comet_hist.notation.vocabulary import DEFAULT
from comet_hist.notation.write import commented
from comet_hist.record import Line, Session

BELOW: Final = 0
"""The number for what stands below the last line."""


class Remark(NamedTuple):
    """The comments of a line.

    Attributes:
        line: which line of the canonical text it is, or `BELOW`.
        above: those on lines of their own above it, with an empty text for a blank line between them.
        behind: the one behind it, or None.
    """

    line: int
    above: tuple[str, ...]
    behind: str | None


def remarks_of(session: Session, comments: Comments) -> list[Remark]:
    """Take the comments of a session out of those of its file; those below the last line stay."""
    remarks = []
    for number, line in _written(session):
        above = comments.apart.pop(line.key, [])
        *within, behind = comments.with_line("", line)
        if any(above) or within or behind:
            remarks.append(Remark(number, (*above, *within), behind.strip() or None))
    return remarks


def remarks_below(comments: Comments) -> list[Remark]:
    """Take the comments below the last line of a file."""
    last = comments.last()
    return [Remark(BELOW, tuple(last), None)] if last else []


def attach(session: Session, remarks: list[Remark], comments: Comments) -> None:
    """Put comments of a session among those of its file; what belongs to no line goes below its last one."""
    by_line = {remark.line: remark for remark in remarks}
    before = comments.apart.pop(BELOW, [])
    for number, line in _written(session):
        remark = by_line.pop(number, None)
        if remark is not None:
            comments.apart[line.key] = list(remark.above)
            if remark.behind is not None:
                comments.behind[line.key] = remark.behind
    if before:
        opening = session.line.key
        comments.apart[opening] = [*before, "", *comments.apart.get(opening, [])]
    below = [text for remark in by_line.values() for text in (*remark.above, remark.behind) if text]
    if below:
        comments.apart[BELOW] = below


def _written(session: Session) -> Iterator[tuple[int, Line]]:
    """Give the lines of a session that were read, in the order of writing, each with its number there."""
    marks = _Marks()
    written = [text for text in commented(session, DEFAULT, marks).split("\n") if text]
    for number, text in enumerate(written, 1):
        if text.startswith("#"):
            yield number, marks.lines[int(text[1:])]


class _Marks(Comments):
    """Puts a mark in place of each line that is written, and keeps the line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []

    def with_line(self, text: str, line: Line) -> list[str]:
        self.lines.append(line)
        return [f"#{len(self.lines) - 1}"]

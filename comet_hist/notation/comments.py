"""Comments on their way from the lines they were read with to the lines that are written.

A comment behind a line stays behind it, one on a line of its own stays above the line below it. Of the comments in a
folded line, which becomes one line, the last that stands behind anything stays behind it, and the others go above it.
Where a hand or session ends, a blank line tells what a comment belongs to: one just below the last line, with a blank
line after it, stays at the end, any other goes above what begins.
"""

from typing import Final

from comet_hist.notation.lines import comment_start
from comet_hist.record import Line

_END: Final = 0


class Comments:
    """The comments of a history.

    Attributes:
        apart: the comments on lines of their own, by the number of the line below them, with an empty text for the
            blank lines at a place; those below the last line of the file have the number 0. The comments within and
            behind lines are in `Line.raw`.
        behind: the comments behind lines that are no text, by the key of the line.
    """

    def __init__(self) -> None:
        self.apart: dict[int, list[str]] = {}
        self.behind: dict[int, str] = {}

    def with_line(self, text: str, line: Line) -> list[str]:
        """Return a written line with the comments of the line it was read from, which are taken out.

        Args:
            text: the line as it is written.
            line: the line as it was read.

        Returns:
            The comments that stand above it, a line each, then the line itself.
        """
        above = [comment for comment in self.apart.pop(line.key, ()) if comment]
        behind = self.behind.pop(line.key, None)
        if behind is None and "#" in line.raw:
            within, behind = _in_line(line.raw)
            above += within
        if behind is None:
            return [*above, text]
        whole = f"{text} {behind}"
        # Where the text has a quotation mark, and the comment its pair, it would not be a comment.
        return [*above, whole] if comment_start(whole) == len(text) + 1 else [*above, behind, text]

    def closing(self, line: Line) -> list[str]:
        """Take the comments that end what stands above a line that opens a hand or session."""
        comments = self.apart.get(line.key, [])
        count = comments.index("") if "" in comments else 0
        closing = comments[:count]
        del comments[:count]
        return closing

    def last(self) -> list[str]:
        """Take the comments below the last line of the file."""
        return [comment for comment in self.apart.pop(_END, ()) if comment]


def _in_line(raw: str) -> tuple[list[str], str | None]:
    r"""Return the comments within a line, and the one that stays behind it, if there is one.

    >>> _in_line("Run: Ben As # begun\n  # by Ben\n  2s # ended")
    (['# begun', '# by Ben'], '# ended')
    """
    comments: list[str] = []
    last: int | None = None
    for physical in raw.split("\n"):
        start = comment_start(physical)
        if start is not None:
            if physical[:start].strip():
                last = len(comments)
            comments.append(physical[start:].rstrip())
    behind = None if last is None else comments.pop(last)
    return comments, behind

"""What the benchmarks print: tables with a title, for the terminal or in Markdown."""

import textwrap
from dataclasses import dataclass, field
from typing import Final

from tabulate import tabulate

_WIDTH: Final = 110


@dataclass
class Table:
    """A table of figures.

    Attributes:
        title: what it is of.
        columns: the head of each column, with its unit.
        note: what has to be known to read it, in a sentence or two.
        words: how many columns, from the left, are words.
        rows: the cells.
    """

    title: str
    columns: tuple[str, ...]
    note: str = ""
    words: int = 1
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def text(self, *, markdown: bool) -> str:
        """Return the table as it is printed."""
        sides = ["left"] * self.words + ["right"] * (len(self.columns) - self.words)
        table = tabulate(
            self.rows, self.columns, "pipe" if markdown else "simple", colalign=sides, disable_numparse=True
        )
        heading = f"### {self.title}" if markdown else f"{self.title}\n{'=' * len(self.title)}"
        note = self.note if markdown else textwrap.fill(self.note, _WIDTH)
        return "\n\n".join(part for part in (heading, note, table) if part)


def figure(number: float) -> str:
    """Return a count as it is, and what was measured with three digits (below 1 three places), in groups of three."""
    if isinstance(number, int):
        return f"{number:,}"
    places = next((places for places, below in ((3, 1), (2, 10), (1, 100)) if number < below), 0)
    return f"{number:,.{places}f}"


def megabytes(size: int) -> str:
    """Return bytes as MB, a million bytes each."""
    return figure(size / 1e6)

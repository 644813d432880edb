"""The lines of a hand, or of a session's header, as a slip is planted into them."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from comet_hist.simulate.chance import Chance

_NAME: Final = r'"(?:[^"\\]|\\.)*"|[^\s,"]+'
_WORD: Final = re.compile(rf"{_NAME}|,")
_SHARE: Final = re.compile(rf"({_NAME}) (-?\d+)")


class Slip(NamedTuple):
    """A slip planted into lines, and the finding that must answer it.

    Attributes:
        code: the finding's code.
        at: index of the line that it points at.
        column: 1-based column that it points at.
    """

    code: str
    at: int
    column: int


class Group(NamedTuple):
    """A player with the cards that they play in a row, as in a `Run` line."""

    name: str
    cards: list[str]


class Share(NamedTuple):
    """A name with its amount, as in a `Pay` or `Stacks` line, and the 0-based columns where the two begin."""

    name: str
    amount: int
    at: int
    amount_at: int


class Sheet:
    """Lines that are canonical until a slip is planted.

    Args:
        lines: they themselves, which planting changes.
        names: the players at the table in seat order, as they are written.
    """

    def __init__(self, lines: list[str], names: Sequence[str]) -> None:
        self.lines = lines
        self.names = names

    def find(self, beginning: str) -> list[int]:
        """Return the indices of the lines that begin so."""
        return [at for at, line in enumerate(self.lines) if line.startswith(beginning)]

    def groups(self, at: int) -> list[Group]:
        """Return a `Run` line as its groups."""
        groups: list[Group] = []
        for word in ["," , *_WORD.findall(self.lines[at].removeprefix("Run:"))]:
            if word == ",":
                groups.append(Group("", []))
            elif not groups[-1].name:
                groups[-1] = Group(word, [])
            else:
                groups[-1].cards.append(word)
        return groups

    def pairs(self, at: int) -> list[tuple[str, str]]:
        """Return a `Run` line as pairs of name and card."""
        return [(group.name, card) for group in self.groups(at) for card in group.cards]

    def put(self, at: int, pairs: Sequence[tuple[str, str]]) -> None:
        """Write a `Run` line from pairs of name and card."""
        self.lines[at] = run_line(pairs)

    def cards(self, at: int) -> tuple[str, list[str]]:
        """Return a `Deal` or `Left` line as what stands before its colon, and its cards."""
        head, cards = self.lines[at].rsplit(":", 1)
        return head, cards.split()

    def put_cards(self, at: int, head: str, cards: Sequence[str]) -> None:
        """Write a `Deal` or `Left` line."""
        self.lines[at] = f"{head}: {' '.join(cards)}"

    def shares(self, at: int) -> list[Share]:
        """Return the names with their amounts in a line."""
        found = _SHARE.finditer(self.lines[at], self.lines[at].index(":") + 1)
        return [Share(share[1], int(share[2]), share.start(), share.start(2)) for share in found]

    def put_amount(self, at: int, share: Share, amount: int) -> None:
        """Write another amount in place of a share's."""
        line = self.lines[at]
        self.lines[at] = f"{line[: share.amount_at]}{amount}{line[share.amount_at + len(str(share.amount)) :]}"

    def played(self) -> set[str]:
        """Return the cards that stand in the runs."""
        return {card.split("=")[0] for at in self.find("Run:") for _, card in self.pairs(at)}

    def slip(self, code: str, at: int, token: str | None = None, nth: int = 0) -> Slip:
        """Return the slip whose finding points at a line, or at the nth place where a token stands in it."""
        if token is None:
            return Slip(code, at, 1)
        places = [
            found.start() + 1 for found in re.finditer(rf"(?<![^\s]){re.escape(token)}(?=[\s,:]|$)", self.lines[at])
        ]
        return Slip(code, at, places[nth])


Planter = Callable[[Sheet, Chance], Slip | None]
"""Plants one slip; None, and the lines are as they were, where they give no occasion."""


def run_line(pairs: Sequence[tuple[str, str]]) -> str:
    """Write pairs of name and card as a `Run` line; neighbours of one name are joined."""
    parts: list[str] = []
    speaker = None
    for name, card in pairs:
        if name != speaker:
            parts.append(f", {name}")
            speaker = name
        parts.append(f" {card}")
    return f"Run: {''.join(parts)[2:]}"

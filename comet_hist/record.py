"""What a history says, as plain values that know where in the text they stand.

The notation builds these and nothing else changes them. They hold what was written, right or wrong:
whether a name is seated, a card was held or an amount was owed is for the engine and the audit to say.
Places are worked out only when somebody asks, since most values are never pointed at.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, Protocol

from comet_hist.rules import Rules


class Place(NamedTuple):
    """Where something stands: 1-based line and columns, the last exclusive, in characters of the raw line."""

    line: int
    column: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Line:
    """A logical line of a file: a physical line with those that continue it.

    Attributes:
        number: the number of its first physical line.
        raw: its physical lines as written, joined by line feeds, without line ends.
        at: the offset in `raw` of its keyword, what findings about the line itself point at.
        end: the offset just after the keyword.
    """

    number: int
    raw: str
    at: int = 0
    end: int = 0

    @property
    def line(self) -> "Line":
        """Itself, so that a line can be pointed at like the values in it."""
        return self

    @property
    def key(self) -> int:
        """A number that no other line of its file has."""
        return self.number

    def place(self, at: int, end: int) -> Place:
        """Return where the characters from offset `at` to before `end` stand, as far as their first line goes."""
        starts, lines = _physical_lines(self.raw)
        above = bisect_right(starts, at) - 1
        start = starts[above]
        return Place(self.number + above, at - start + 1, min(end - start, len(lines[above])) + 1)

    def physical(self, at: int) -> str:
        """Return the physical line on which the offset lies."""
        starts, lines = _physical_lines(self.raw)
        return lines[bisect_right(starts, at) - 1]


@lru_cache(maxsize=16)
def _physical_lines(raw: str) -> tuple[list[int], list[str]]:
    """Return where the physical lines of a logical line begin, and the lines; there may be many faults in one."""
    lines = raw.split("\n")
    return [0, *accumulate(len(line) + 1 for line in lines[:-1])], lines


class Placed(Protocol):
    """Anything that stands in the text: characters `at` to before `end` of a line."""

    @property
    def line(self) -> Line: ...  # noqa: D102
    @property
    def at(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102


class Span(NamedTuple):
    """A stretch of text that is no value, such as a word that could not be read."""

    line: Line
    at: int
    end: int


class Name(NamedTuple):
    """A player's name where it was written, after Unicode NFC and without quotes."""

    text: str
    line: Line
    at: int
    end: int


@dataclass(frozen=True, slots=True)
class Chips:
    """An amount of chips where it was written."""

    count: int
    line: Line
    at: int
    end: int


class Dealt(NamedTuple):
    """A card in a `Deal` or `Left` line."""

    card: int
    line: Line
    at: int
    end: int


class Play(NamedTuple):
    """A card laid in a run.

    Attributes:
        name: who played it; where the text leaves the name out, the holder, standing at the card.
        card: the card laid.
        stands_for: the card it was said to stand for, written or following from the text, or None.
        line: the run's line.
        at: offset of the card's token.
        end: offset just after it.
    """

    name: Name
    card: int
    stands_for: int | None
    line: Line
    at: int
    end: int

    @property
    def claimed(self) -> int:
        """The card that the run has come to with it: the one it stands for, else itself (G7)."""
        return self.card if self.stands_for is None else self.stands_for


class Run(NamedTuple):
    """A `Run` line: its plays from the opening to the stop."""

    line: Line
    plays: tuple[Play, ...]


class Cards(NamedTuple):
    """A `Deal` or `Left` line: a player and cards in the order written."""

    line: Line
    player: Name
    cards: tuple[Dealt, ...]


class Seat(NamedTuple):
    """A `Seat` line; `number` counts from 1 clockwise, `chips` is None where they are left out."""

    line: Line
    number: Chips
    player: Name
    chips: Chips | None


class Share(NamedTuple):
    """One name with its amount, in `Pay`, `Buy` and `Stacks` lines."""

    player: Name
    chips: Chips


class Pay(NamedTuple):
    """A `Pay` line.

    Attributes:
        line: where it stands.
        kind: `ante`, `comet`, `cards`, `pot` or `transfer`.
        shares: the payers with what each paid; empty for `pot`.
        given: for `pot` the amount given out, else None.
        payee: who was paid; None is the pot.
        payee_at: where the payee stands, the bare `pot` too.
    """

    line: Line
    kind: str
    shares: tuple[Share, ...]
    given: Chips | None
    payee: Name | None
    payee_at: Span

    @property
    def saying(self) -> tuple[Share, ...]:
        """The shares without a zero to oneself, which says nothing."""
        if self.payee is None:
            return self.shares
        payee = self.payee.text
        return tuple([share for share in self.shares if share.chips.count or share.player.text != payee])


class Shares(NamedTuple):
    """A `Buy` or `Stacks` line."""

    line: Line
    shares: tuple[Share, ...]


class Text(NamedTuple):
    """A line whose value is text: `Date`, `Place`, `Time`, `Void`; times are normalised ISO 8601."""

    line: Line
    text: str
    at: int
    end: int


class Fault(NamedTuple):
    """Something wrong at a place, before it is known in which session and hand it is reported.

    Attributes:
        code: a code of `comet_hist.findings`.
        where: what it points at.
        message: what is wrong, for a card player.
        expected: what would have been right, or None.
        actual: what was found, or None.
        suggestion: what to write instead, or None.
    """

    code: str
    where: Placed
    message: str
    expected: str | None = None
    actual: str | None = None
    suggestion: str | None = None


class Cut(NamedTuple):
    """The last line of a file that does not end, so that the hand it stands in may be cut off there.

    Attributes:
        line: that line.
        faults: what is wrong with its text.
        unread: whether it could not be read.
    """

    line: Line
    faults: tuple[Fault, ...]
    unread: bool


@dataclass(slots=True)
class Hand:
    """One recorded hand.

    Attributes:
        line: the `Hand` line.
        number: its number, None where it could not be read.
        unread: whether a line of it could not be read, which keeps it out of the replay.
        cut: where the file breaks off in this hand, in the middle of its last line, else None. `faults` and `unread`
            speak of the other lines.
        faults: what was wrong with its text (E1).
    """

    line: Line
    number: int | None
    time: Text | None = None
    seats: list[Seat] = field(default_factory=list)
    leaves: list[Name] = field(default_factory=list)
    buys: list[Shares] = field(default_factory=list)
    dealer: Name | None = None
    deals: list[Cards] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    pays: list[Pay] = field(default_factory=list)
    left: list[Cards] = field(default_factory=list)
    stacks: Shares | None = None
    void: Text | None = None
    unread: bool = False
    cut: Cut | None = None
    faults: list[Fault] = field(default_factory=list)

    @property
    def records_payments(self) -> bool:
        """Whether it records payments that the rules know: a transfer alone says nothing of them."""
        return any(pay.kind != "transfer" for pay in self.pays)


@dataclass(slots=True)
class Session:
    """One recorded session.

    Attributes:
        file: the path it was read from, as it is shown.
        line: its opening line.
        ident: its identifier, the key everywhere.
        language: the language it is written in, a name of `grammars/` such as `en`.
        rules: what it is played by; None where the `Rules` line could not be read.
        rules_line: the `Rules` line, None where there is none.
        unread: whether a `Seat` or `Rules` line could not be read, which keeps its hands out of the replay.
        digest: the same for two sessions exactly where they say the same, however they are written.
        faults: what was wrong with its own lines (E1).
    """

    file: str
    line: Line
    ident: Name
    language: str
    date: Text | None = None
    location: Text | None = None
    rules: Rules | None = None
    rules_line: Line | None = None
    seats: list[Seat] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)
    winner: tuple[Name, ...] = ()
    unread: bool = False
    digest: str = ""
    faults: list[Fault] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Stray:
    """Faults in text that stands before any session of a file (E1)."""

    file: str
    faults: tuple[Fault, ...]

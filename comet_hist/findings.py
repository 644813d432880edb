"""The one vocabulary for everything that is wrong with a record.

Rooms collect `Fault` values (see `comet_hist.record`); a `Finding` is a fault with the file, session and hand
it was found in, and is what every output shows. `explanations.py` says for each code what it means.
"""

from collections.abc import Iterable
from typing import Any, Final, Literal, NamedTuple

from comet_hist.record import Fault

KEYS: Final = (
    "code",
    "severity",
    "file",
    "line",
    "column",
    "end_column",
    "session",
    "hand",
    "message",
    "expected",
    "actual",
    "suggestion",
)
"""What outputs show of a finding, in this order."""


class Finding(NamedTuple):
    """One finding, with everything that outputs show.

    Attributes:
        code: such as `E406`; a code never changes its meaning.
        file: the path as the user gave or would find it, `-` for standard input.
        line: 1-based number of the physical line.
        column: 1-based, in characters of the raw line.
        end_column: exclusive.
        session: the session's identifier, None before any session.
        hand: the hand's number, None outside one.
        message: what is wrong.
        expected: what would have been right, or None.
        actual: what was found, or None.
        suggestion: what to write instead, or None.
        source: the raw physical line, for showing.
    """

    code: str
    file: str
    line: int
    column: int
    end_column: int
    session: str | None
    hand: int | None
    message: str
    expected: str | None
    actual: str | None
    suggestion: str | None
    source: str

    @property
    def severity(self) -> Literal["error", "warning"]:
        """`E` codes are errors, `W` codes warnings."""
        return "error" if self.code[0] == "E" else "warning"

    def advice(self) -> list[str]:
        """Return lines with what was expected and what to write, as far as the message does not say so itself."""
        told = (("expected", self.expected), ("write", self.suggestion))
        return [f"{label}: {text}" for label, text in told if text and text not in self.message]

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as outputs for machines write it, keys in a fixed order."""
        return {key: getattr(self, key) for key in KEYS}


def find(fault: Fault, file: str, session: str | None, hand: int | None) -> Finding:
    """Return the finding that reports a fault of the given file, session and hand."""
    line, at = fault.where.line, fault.where.at
    place = line.place(at, fault.where.end)
    return Finding(
        fault.code, file, place.line, place.column, max(place.end_column, place.column + 1), session, hand,
        fault.message, fault.expected, fault.actual, fault.suggestion, line.physical(at),
    )  # fmt: skip


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings of one file in order of line, then column."""
    return sorted(findings, key=lambda finding: (finding.line, finding.column, finding.code))


def some(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural where it has one.

    >>> some(1, "chip"), some(3, "chip")
    ('1 chip', '3 chips')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

"""How long the tables of a chunk have to be, so that no row that is read from it is beyond them."""

from typing import Final

from comet_hist.bulk import columns

LONG: Final = 1 << 20
"""Bytes from which on a chunk is looked through, so that its tables are no longer than they need be."""

WIDTHS: Final = {
    "sessions": len(columns.SESSIONS),
    "hands": len(columns.HANDS),
    "seats": len(columns.SEATS),
    "runs": len(columns.RUNS),
    "payments": len(columns.PAYMENTS),
    "balances": len(columns.BALANCES),
    "words": len(columns.WORDS),
    "questions": 2,
    "left": len(columns.LEFT),
}
"""The columns of each table; `questions` is the scanner's."""

_SPARE: Final = 64
_MOST_SEATED: Final = 6
_MOST_OWED: Final = 17
"""What is owed in a hand of six at most: six antes, five for the Comet, five for cards, and the pot."""


def rows_for(chunk: bytes) -> dict[str, int]:
    """Return the most rows that a chunk can ask for of each table, and the most plays."""
    rows = _by_lines(chunk) if len(chunk) >= LONG else _by_size(len(chunk))
    return {table: most + _SPARE for table, most in rows.items()}


def _by_size(size: int) -> dict[str, int]:
    """Go by the fewest bytes that a row is read from."""
    fewest = {
        "sessions": 40,
        "hands": 16,  # void
        "seats": 24,
        "runs": 10,
        "payments": 5,
        "balances": 10,
        "words": 8,
        "questions": 8,
        "left": 40,
        "plays": 3,
    }
    return {table: size // bytes_of_row for table, bytes_of_row in fewest.items()}


def _by_lines(chunk: bytes) -> dict[str, int]:
    """Go by the lines there are, the commas between payments, and the spaces before cards."""
    lines, hands = chunk.count(b"\n"), chunk.count(b"\nHand ")
    sessions, seats = chunk.count(b"Comet session "), chunk.count(b"\nSeat ")
    return {
        "sessions": sessions,
        "hands": hands,
        "seats": _MOST_SEATED * hands,
        "runs": chunk.count(b"\nRun: "),
        "payments": lines + chunk.count(b",") + _MOST_OWED * hands,
        "balances": seats,
        "words": 2 * lines,
        "questions": 2 * lines,
        "left": sessions,
        "plays": chunk.count(b" "),
    }

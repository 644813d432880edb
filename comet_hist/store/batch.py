"""Rows on their way into the tables, written many at a time."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from comet_hist.audit import HandAudit
from comet_hist.engine.facts import Replay
from comet_hist.store.marks import Marks
from comet_hist.store.rows import Row, faulty_row, hand_row, seat_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SESSION_TABLES: Final = ("sessions", "hands", "kept_seats", "faulty")
"""The private tables that hold a session's rows, by `session_id`."""

_TOGETHER: Final = 50_000
"""Rows of a table that are written together: so many that the cost of a statement vanishes."""


class Batch:
    """Rows that wait to be written, by table. Nothing is in the database before `write`."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}

    @property
    def full(self) -> bool:
        """Whether so many rows wait that they should be written."""
        return any(len(rows) >= _TOGETHER for rows in self._rows.values())

    def add(self, table: str, rows: Iterable[Row]) -> None:
        """Take rows for a private table."""
        self._rows.setdefault(table, []).extend(rows)

    def add_hands(self, session_id: int, hands: list[tuple[Replay, HandAudit]], marks: Marks) -> None:
        """Take all rows of a session but its own; `hands` are those to load, `marks` what is kept of faulty ones."""
        self.add("hands", [hand_row(session_id, *hand) for hand in hands])
        for replay, audit in hands:
            self.add("kept_seats", seat_rows(session_id, replay, audit))
        self.add("faulty", [faulty_row(session_id, *turns) for turns in marks.turns.items()])

    def merge(self, later: "Batch") -> None:
        """Take the rows that wait in another batch."""
        for table, rows in later._rows.items():
            self.add(table, rows)

    def write(self, connection: "DuckDBPyConnection") -> None:
        """Write everything that waits."""
        for table, rows in self._rows.items():
            if rows:
                # The appender is about 400 times as fast as executemany; it writes when its context ends.
                with connection.appender(f"private.{table}") as appender:
                    appender.append_rows(rows)

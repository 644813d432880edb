"""Rows on their way into the tables, written many at a time."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from comet_hist.audit import HandAudit
from comet_hist.engine.facts import Replay
from comet_hist.store.beside import Beside
from comet_hist.store.marks import Marks
from comet_hist.store.rows import Row, faulty_row, hand_row, seat_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SESSION_TABLES: Final = ("sessions", "hands", "kept_seats", "faulty")
"""The private tables that hold a session's rows, by `session_id`."""

# Rows of a table held back before they are written together: enough that the cost of a statement vanishes.
_TOGETHER: Final = 50_000


class Batch:
    """Rows that wait to be written, by table. Nothing is in the database before `write`."""

    def __init__(self, connection: "DuckDBPyConnection", beside: Beside) -> None:
        self._connection = connection
        self._beside = beside
        self._rows: dict[str, list[Row]] = {}

    def add(self, table: str, rows: Iterable[Row]) -> None:
        """Take rows for a private table, and write them if enough are waiting."""
        waiting = self._rows.setdefault(table, [])
        waiting += rows
        if len(waiting) >= _TOGETHER:
            self._append(table)

    def add_hands(self, session_id: int, hands: list[tuple[Replay, HandAudit]], marks: Marks) -> None:
        """Take all rows of a session but its own; `hands` are those to load, `marks` what is kept of faulty ones."""
        self.add("hands", [hand_row(session_id, *hand) for hand in hands])
        for replay, audit in hands:
            self.add("kept_seats", seat_rows(session_id, replay, audit))
        self.add("faulty", [faulty_row(session_id, *turns) for turns in marks.turns.items()])

    def write(self) -> None:
        """Write everything that waits."""
        for table in list(self._rows):
            self._append(table)

    def _append(self, table: str) -> None:
        self._beside.start(partial(_append, self._connection, table, self._rows.pop(table)))


def _append(connection: "DuckDBPyConnection", table: str, rows: list[Row]) -> None:
    # The appender is about 400 times as fast as executemany; it writes when its context ends.
    with connection.appender(f"private.{table}") as appender:
        appender.append_rows(rows)

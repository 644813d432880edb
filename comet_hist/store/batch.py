"""Rows on their way into the tables, written many at a time."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from comet_hist.audit import HandAudit
from comet_hist.engine.facts import Replay
from comet_hist.record import Session
from comet_hist.store.marks import Marks
from comet_hist.store.rows import Row, faulty_row, hand_row, payment_rows, run_rows, seat_rows, session_row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SESSION_TABLES: Final = ("sessions", "hands", "seats", "runs", "faulty", "payments")
"""The private tables that hold a session's rows, by `session_id`."""

# Rows of a table held back before they are written together: enough that the cost of a statement vanishes.
_TOGETHER: Final = 50_000


class Batch:
    """Rows that wait to be written, by table. Nothing is in the database before `write`."""

    def __init__(self, connection: "DuckDBPyConnection") -> None:
        self._connection = connection
        self._rows: dict[str, list[Row]] = {}

    def add(self, table: str, rows: Iterable[Row]) -> None:
        """Take rows for a private table, and write them if enough are waiting."""
        waiting = self._rows.setdefault(table, [])
        waiting += rows
        if len(waiting) >= _TOGETHER:
            self._append(table)

    def add_session(
        self, session_id: int, source: int, session: Session, hands: list[tuple[Replay, HandAudit]], marks: Marks
    ) -> None:
        """Take all rows of a session; `hands` are those that are loaded, `marks` what is kept of faulty ones."""
        replays = [replay for replay, _ in hands]
        self.add("sessions", [session_row(session_id, source, session, replays)])
        self.add("hands", [hand_row(session_id, *hand) for hand in hands])
        for replay, audit in hands:
            self.add("seats", seat_rows(session_id, replay, audit))
            self.add("runs", run_rows(session_id, replay))
            self.add("payments", payment_rows(session_id, replay.hand.number, audit.payments))
        self.add("faulty", [faulty_row(session_id, *turns) for turns in marks.turns.items()])

    def write(self) -> None:
        """Write everything that waits."""
        for table in self._rows:
            self._append(table)

    def _append(self, table: str) -> None:
        # The appender is about 400 times as fast as executemany; it writes when its context ends.
        with self._connection.appender(f"private.{table}") as appender:
            appender.append_rows(self._rows[table])
        self._rows[table].clear()

"""What files change in the database, kept until it is written."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from comet_hist.store.batch import SESSION_TABLES, Batch

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from comet_hist.bulk.proven import Proven
    from comet_hist.store.columnar import Columns


@dataclass(slots=True)
class Changes:
    """Rows to add, and what to change of rows that the database has already.

    Attributes:
        batch: rows to add.
        columns: hands to add that are columns already, None where there are none.
        sessions: how many sessions are among the rows to add.
        touched: the files that any of it is about, by number.
        reloaded: those of them whose earlier rows go.
        orphans: sessions of files that are gone, as number of the file and identifier: what the files say of them goes.
        doomed: the numbers of sessions whose rows go.
        handed_over: sessions that pass to another file: their number, their identifier, the other file.
        renamed: sessions that are written in another language now: their number, the language.
    """

    batch: Batch = field(default_factory=Batch)
    columns: "Columns | None" = None
    sessions: int = 0
    touched: set[int] = field(default_factory=set)
    reloaded: list[int] = field(default_factory=list)
    orphans: list[tuple[int, str]] = field(default_factory=list)
    doomed: list[int] = field(default_factory=list)
    handed_over: list[tuple[int, str, int]] = field(default_factory=list)
    renamed: list[tuple[int, str]] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """Whether it is so much that it should be written."""
        return self.batch.full or (self.columns is not None and self.columns.full)

    def take(self, proven: "Proven", session_id: int) -> None:
        """Add the hands of clean sessions; for the arguments see `Columns.take`."""
        self._columns().take(proven, session_id)

    def merge(self, later: "Changes") -> None:
        """Take the changes of a further file, which is about none of the files that these are about."""
        self.batch.merge(later.batch)
        if later.columns is not None:
            self._columns().merge(later.columns)
        self.sessions += later.sessions
        self.touched |= later.touched
        self.reloaded += later.reloaded
        self.orphans += later.orphans
        self.doomed += later.doomed
        self.handed_over += later.handed_over
        self.renamed += later.renamed

    def _columns(self) -> "Columns":
        if self.columns is None:
            from comet_hist.store.columnar import Columns

            self.columns = Columns()
        return self.columns

    def write(self, connection: "DuckDBPyConnection") -> None:
        """Write everything, in the transaction of the connection."""
        for table in ("sources", "claims", "findings"):
            _delete(connection, table, "source", self.reloaded)
        for source, ident in self.orphans:
            for table in ("claims", "findings"):
                connection.execute(f"DELETE FROM private.{table} WHERE source = ? AND session = ?", [source, ident])
        self.batch.write(connection)
        if self.columns is not None:
            self.columns.write(connection)
        for table in SESSION_TABLES:
            _delete(connection, table, "session_id", self.doomed)
        for session_id, ident, heir in self.handed_over:
            connection.execute("UPDATE private.sessions SET source = ? WHERE session_id = ?", [heir, session_id])
            connection.execute(
                "UPDATE private.claims SET standing = 'loaded' WHERE source = ? AND session = ?", [heir, ident]
            )
        for session_id, language in self.renamed:
            connection.execute("UPDATE private.sessions SET language = ? WHERE session_id = ?", [language, session_id])


def _delete(connection: "DuckDBPyConnection", table: str, column: str, numbers: list[int]) -> None:
    if numbers:
        connection.execute(f"DELETE FROM private.{table} WHERE {column} IN (SELECT unnest(?))", [numbers])

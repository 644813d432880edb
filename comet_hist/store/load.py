"""Loading: one transaction a file, every session once, in bulk.

Who a session stands by, where several files bring one of the same identifier:

* The first file that brings a session has its rows. A file that brings the same one later is remembered as
  bringing it too, and adds nothing; one that brings a different one is refused that session (E206), not the rest.
* A file loaded again replaces what it brought: sessions it no longer has go, changed ones change, and all others
  stay untouched. A session that goes or changes, but that another file brought just so, is not lost: it stands by
  that other file from then on. A changed one then differs from it and is refused (E206).
* A session that stands by a file that is no longer there, moved or deleted, yields to a different one that another
  file brings.
* A file that was refused a session counts as not loaded: it is read and refused again, until that session is free or
  has become the same.
* Standard input and pipes are no places that could be loaded again: whatever comes from them adds, and never replaces.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from comet_hist.audit import Audit
from comet_hist.bulk.proven import Proven
from comet_hist.bulk.values import judged as judged_alone
from comet_hist.engine.facts import SessionReplay
from comet_hist.findings import Finding, find
from comet_hist.judge import Judged, findings_of
from comet_hist.notation.vocabulary import DEFAULT
from comet_hist.record import Fault, Session
from comet_hist.signals import undisturbed
from comet_hist.store.batch import SESSION_TABLES, Batch
from comet_hist.store.beside import Beside
from comet_hist.store.database import open_database, remove, telling
from comet_hist.store.marks import Marks, marks
from comet_hist.store.rows import finding_row, proven_session_row, session_row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from comet_hist.store.columnar import Columns

STANDARD_INPUT: Final = "-"
"""The path that means standard input, or a pipe."""


_MEMORY: Final = "600MB"
"""What DuckDB may keep of a database in memory: the rest of a file is written already, that of another goes to disk."""


@dataclass(slots=True)
class Loaded:
    """What loading a file did.

    Attributes:
        sessions: sessions written, new and replaced ones.
        hands: hands written with them, void and unreadable ones too.
        replaced: of the sessions written, those that this file had brought before, differently, or one that is gone.
        same: sessions that stood in the database just so, by this file or another, and were left alone.
        dropped: sessions that this file had brought before, no longer has, and no other file brings.
        refused: sessions that differ from another of the same identifier, in this file or an earlier one.
        findings: E206 for each session refused that had no E206 yet: those that differ from one in the database.
    """

    sessions: int = 0
    hands: int = 0
    replaced: int = 0
    same: int = 0
    dropped: int = 0
    refused: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether any session was written or taken out."""
        return bool(self.sessions or self.dropped)


class _Kept(NamedTuple):
    """A session in the database: its number there, what it says, the file it stands by, its language."""

    session_id: int
    digest: str
    source: int
    language: str


class _Verdict(Enum):
    """What becomes of a session: it is written, there already, in this file already, or refused (E206)."""

    NEW = auto()
    SAME = auto()
    REPEATED = auto()
    REFUSED = auto()


@dataclass(slots=True)
class _Known:
    """What the database holds, kept up with what is loaded.

    Attributes:
        sessions: the sessions by identifier.
        sources: the numbers of the files by what `_key` says of them.
        next_session: the number of the next session.
        next_source: the number of the next file.
    """

    sessions: dict[str, _Kept]
    sources: dict[str, int]
    next_session: int
    next_source: int


class _Whole(NamedTuple):
    """A session with everything that is loaded of it."""

    session: Session
    replay: SessionReplay
    audit: Audit
    findings: list[Finding]
    marks: Marks
    rest: Proven | None

    @classmethod
    def of(cls, judged: Judged) -> Self:
        """Take it from what was judged; a session judged before has its findings all the same, with its own lines."""
        session, replay, audit = judged.session, judged.replay, judged.audit
        if session is None or replay is None or audit is None:
            raise ValueError("a session is loaded with its replay and its audit")
        findings = findings_of(session, replay, audit) if judged.repeated else judged.findings
        return cls(session, replay, audit, findings, marks(session, replay, audit), judged.rest)


class Loader:
    """Loads judged sessions into a database, file by file; a context manager that closes it.

    >>> with Loader(None) as loader, loader.file("night.comet", "0" * 64, 0) as load:
    ...     load.result.changed
    False

    Attributes:
        connection: the DuckDB connection, for questions between two files.
    """

    @undisturbed
    def __init__(self, path: Path | None) -> None:
        """Open the database.

        Args:
            path: its file, made if there is none; None for a database in memory.

        Raises:
            StoreError: if it is in use, cannot be written, or is no database of this version.
        """
        self._path = path
        self._new = path is not None and not os.path.lexists(path)
        self.connection = open_database(path)
        self._beside = Beside(self.connection)
        self._overflow: TemporaryDirectory[str] | None = None
        try:
            with telling(path):
                self._beside.ask(f"SET memory_limit = '{_MEMORY}'")
                if path is None:
                    self._overflow = TemporaryDirectory(prefix="comet-hist-")
                    folder = self._overflow.name.replace("'", "''")
                    self._beside.ask(f"SET temp_directory = '{folder}'")
                self._recall()
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the database; a new one into which nothing was loaded is not left behind."""
        self._close()
        if self._path is not None and self._new:
            remove(self._path)

    def _close(self) -> None:
        self._beside.close()
        self.connection.close()
        if self._overflow is not None:
            self._overflow.cleanup()

    def already_loaded(self, path: str | Path, sha256: str) -> bool:
        """Say whether a file of these bytes was loaded whole, so that it need not be read."""
        source = self._find_source(path, sha256)
        if source is None:
            return False
        with telling(self._path):
            found = self._beside.ask(
                """
                SELECT count(*) FROM private.sources
                WHERE source = ? AND sha256 = ? AND source NOT IN (
                    SELECT source FROM private.findings WHERE code = 'E206'
                )
                """,
                [source, sha256],
            )
        return found == [(1,)]

    def counts_kept(self, path: str | Path, sha256: str) -> tuple[int, int]:
        """Return how many errors and warnings were loaded with a file that is `already_loaded`."""
        with telling(self._path):
            ((errors, warnings),) = self._beside.ask(
                """
                SELECT count(*) FILTER (severity = 'error'), count(*) FILTER (severity = 'warning')
                FROM findings WHERE source = ?
                """,
                [self._find_source(path, sha256)],
            )
        return errors, warnings

    @contextmanager
    def file(self, path: str | Path, sha256: str, size: int) -> Iterator["FileLoad"]:
        """Load one file: a context in which its sessions are added, written whole at its end or not at all.

        Args:
            path: where the file is, `-` for standard input or a pipe; kept as an absolute path without links.
            sha256: of its bytes, in hexadecimal.
            size: its bytes.

        Raises:
            StoreError: if the database cannot be written, as on a full disk, or is not as this program made it.
        """
        with telling(self._path):
            self.connection.begin()
            try:
                load = self._open_load(path, sha256, size)
                yield load
                load.finish()
            except BaseException:
                self._beside.stop()
                self.connection.rollback()
                self._recall()
                raise
            # Where this fails DuckDB has taken everything back, and what was recalled is no longer so: it is the end.
            self._beside.complete(self._commit)

    def _commit(self) -> None:
        self.connection.commit()
        self._new = False

    def _open_load(self, path: str | Path, sha256: str, size: int) -> "FileLoad":
        source, known = self._find_source(path, sha256), self._known
        new = source is None
        if source is None:
            source = known.next_source
            known.next_source += 1
            known.sources[_key(path, sha256)] = source
        load = FileLoad(self.connection, self._beside, known, source, new=new)
        now = datetime.now(UTC).replace(tzinfo=None)
        row = [source, _name_of(path), sha256, size, now]
        self._beside.ask("INSERT INTO private.sources VALUES (?, ?, ?, ?, ?)", row)
        return load

    def _find_source(self, path: str | Path, sha256: str) -> int | None:
        return self._known.sources.get(_key(path, sha256))

    def _recall(self) -> None:
        """Read which sessions and files the database holds."""
        rows = self._beside.ask("SELECT session, session_id, digest, source, language FROM private.sessions")
        sessions = {session: _Kept(*rest) for session, *rest in rows}
        files = self._beside.ask("SELECT source, path, sha256 FROM private.sources")
        sources = {_key(path, sha256): source for source, path, sha256 in files}
        next_session = 1 + max((session.session_id for session in sessions.values()), default=0)
        self._known = _Known(sessions, sources, next_session, 1 + max(sources.values(), default=0))


def _key(path: str | Path, sha256: str) -> str:
    """Return what a file is known by: its name in the database, and for what has none its bytes."""
    name = _name_of(path)
    return f"{STANDARD_INPUT} {sha256}" if name == STANDARD_INPUT else name


def _name_of(path: str | Path) -> str:
    """Return the name of a file in the database: its absolute path, bytes that are not UTF-8 written in hexadecimal."""
    if str(path) == STANDARD_INPUT:
        return STANDARD_INPUT
    return os.fsencode(Path(path).resolve()).decode("utf-8", "backslashreplace")


class FileLoad:
    """The loading of one file; made by `Loader.file`.

    Attributes:
        result: what has been done so far; whole once the context has ended.
    """

    def __init__(
        self, connection: "DuckDBPyConnection", beside: Beside, known: _Known, source: int, *, new: bool
    ) -> None:
        self.result = Loaded()
        self._connection = connection
        self._beside = beside
        self._known = known
        self._kept = known.sessions
        self._source = source
        self._before: set[str] = set()
        self._heirs: dict[str, int] = {}
        self._claimed: dict[str, str] = {}
        self._doomed: list[int] = []
        self._handed_over: list[tuple[int, str, int]] = []
        self._orphans: list[tuple[int, str]] = []
        self._batch = Batch(connection, beside)
        self._columns: Columns | None = None
        if not new:
            self._before = {ident for ident, session in self._kept.items() if session.source == source}
            self._heirs = self._find_heirs()
            for table in ("sources", "claims", "findings"):
                beside.ask(f"DELETE FROM private.{table} WHERE source = ?", [source])

    def add(self, judged: Judged) -> None:
        """Take in the next session of the file, by the rules at the head of this module.

        Raises:
            ValueError: if the session was judged without its chips.
        """
        if judged.session is None:
            self.note(judged.findings)
            return
        whole = _Whole.of(judged)
        session = whole.session
        verdict = self._claim(session.ident.text, session.digest, session.language)
        if verdict is _Verdict.NEW:
            self._write(whole)
        if verdict is _Verdict.REFUSED:
            self._refuse(whole, self._kept[session.ident.text])
        elif verdict is not _Verdict.REPEATED:
            # Another file of the same run may be the one that was refused; this session is not.
            self._note((finding for finding in whole.findings if finding.code != "E206"), whole.marks)

    def add_proven(self, proven: Proven, file: str) -> None:
        """Take in the next sessions of the file, which are clean, by the same rules.

        Args:
            proven: the sessions; what is used of them is copied.
            file: the file's path as findings show it.
        """
        start = proven.first
        for row, (ident, digest, _) in enumerate(proven.marks(), proven.first):
            verdict = self._claim(ident, digest, DEFAULT)
            if verdict is _Verdict.NEW:
                session = proven.session(row)
                number = self._known.next_session
                stored = proven_session_row(number, self._source, ident, digest, proven, session)
                self._batch.add("sessions", [stored])
                self._keep(ident, digest, DEFAULT, session.hands)
                continue
            self._take(proven, start, row)
            start = row + 1
            if verdict is _Verdict.REFUSED:
                alone = proven._replace(first=row, after=start)
                self._refuse(_Whole.of(judged_alone(alone, file)), self._kept[ident])
        self._take(proven, start, proven.after)

    def _take(self, proven: Proven, first: int, after: int) -> None:
        """Take the hands of clean sessions that have just been given their numbers."""
        if first == after:
            return
        if self._columns is None:
            from comet_hist.store.columnar import Columns

            self._columns = Columns(self._connection, self._beside)
        self._columns.take(proven._replace(first=first, after=after), self._known.next_session - (after - first))

    def note(self, findings: Iterable[Finding]) -> None:
        """Keep findings of the file that belong to no session."""
        self._note(findings, Marks())

    def finish(self) -> None:
        """Write what is left and take out what the file no longer brings."""
        for ident in self._before - self._claimed.keys():
            if self._give_up(ident) is None:
                self.result.dropped += 1
        self._batch.write()
        if self._columns is not None:
            self._columns.write()
        if self._doomed:
            for table in SESSION_TABLES:
                self._beside.ask(
                    f"DELETE FROM private.{table} WHERE session_id IN (SELECT unnest(?))", [self._doomed]
                )
        for source, ident in self._orphans:
            for table in ("claims", "findings"):
                self._beside.ask(f"DELETE FROM private.{table} WHERE source = ? AND session = ?", [source, ident])
        for session_id, ident, heir in self._handed_over:
            self._beside.ask("UPDATE private.sessions SET source = ? WHERE session_id = ?", [heir, session_id])
            self._beside.ask(
                "UPDATE private.claims SET standing = 'loaded' WHERE source = ? AND session = ?", [heir, ident]
            )
        self._beside.wait()

    def _note(self, findings: Iterable[Finding], marks: Marks) -> None:
        plies = marks.plies
        self._batch.add("findings", [finding_row(self._source, each, plies.get(each)) for each in findings])

    def _claim(self, ident: str, digest: str, language: str) -> _Verdict:
        """Decide what becomes of a session, and remember that this file brings it."""
        if ident in self._claimed:
            if self._claimed[ident] != digest:
                return _Verdict.REFUSED
            self.result.same += 1
            return _Verdict.REPEATED
        self._claimed[ident] = digest
        kept = self._kept.get(ident)
        ours = kept is not None and kept.source == self._source
        if kept is not None and kept.digest != digest:
            kept = self._make_way(ident, kept, ours)
        if kept is None:
            standing, verdict = "loaded", _Verdict.NEW
        elif kept.digest == digest:
            self.result.same += 1
            standing, verdict = "loaded" if ours else "same", _Verdict.SAME
            if ours and kept.language != language:
                self._rename_language(ident, kept, language)
        else:
            standing, verdict = "differs", _Verdict.REFUSED
        self._batch.add("claims", [(self._source, ident, digest, standing)])
        return verdict

    def _make_way(self, ident: str, kept: _Kept, ours: bool) -> _Kept | None:
        """Take out a session that yields to a different one; return the one that stands there then, if any."""
        if ours:
            left = self._give_up(ident)
            self.result.replaced += left is None
            return left
        if not self._is_orphan(ident, kept):
            return kept
        self._doomed.append(self._kept.pop(ident).session_id)
        self._orphans.append((kept.source, ident))
        self.result.replaced += 1
        return None

    def _is_orphan(self, ident: str, kept: _Kept) -> bool:
        """Say whether the file that a session stands by is gone, and no other file brings it just so."""
        ((path, others),) = self._beside.ask(
            """
            SELECT path, (SELECT count(*) FROM private.claims WHERE session = ? AND standing = 'same')
            FROM private.sources WHERE source = ?
            """,
            [ident, kept.source],
        )
        return not others and path != STANDARD_INPUT and not Path(path).exists()

    def _refuse(self, whole: _Whole, kept: _Kept) -> None:
        """Leave a session out, and keep E206 alone of its findings: the others are about hands that are not there."""
        self.result.refused += 1
        known = [finding for finding in whole.findings if finding.code == "E206"]
        if not known:
            known = [self._differs(whole.session, kept)]
            self.result.findings += known
        self.note(known)

    def _differs(self, session: Session, kept: _Kept) -> Finding:
        ((path,),) = self._beside.ask(
            "SELECT path FROM private.sources WHERE source = ?", [kept.source]
        )
        if path == STANDARD_INPUT:
            path = "standard input or a pipe"
        ident = session.ident.text
        fault = Fault(
            "E206",
            session.line,
            f"session “{ident}” differs from the one of that name loaded from {path}",
            expected="an identifier of its own, or the same session",
            actual=ident,
            suggestion=f"give one of the two another name; if this one is the right one, correct {path} and load it",
        )
        return find(fault, session.file, ident, None)

    def _write(self, whole: _Whole) -> None:
        session, rest, session_id = whole.session, whole.rest, self._known.next_session
        ident, digest = session.ident.text, session.digest
        pairs = zip(whole.replay.hands, whole.audit.hands, strict=True)
        hands = [(replay, audit) for replay, audit in pairs if replay.loadable]
        replays = [replay for replay, _ in hands]
        if rest is None:
            row = session_row(session_id, self._source, session, replays)
            self._keep(ident, digest, session.language, len(hands))
        else:
            clean = rest.session(rest.first)
            row = proven_session_row(session_id, self._source, ident, digest, rest, clean, replays)
            self._keep(ident, digest, session.language, len(hands) + clean.hands)
            self._take(rest, rest.first, rest.after)
        self._batch.add("sessions", [row])
        self._batch.add_hands(session_id, hands, whole.marks)

    def _keep(self, ident: str, digest: str, language: str, hands: int) -> None:
        """Count a session that is written, and remember it by the next number."""
        self._kept[ident] = _Kept(self._known.next_session, digest, self._source, language)
        self._known.next_session += 1
        self.result.sessions += 1
        self.result.hands += hands

    def _give_up(self, ident: str) -> _Kept | None:
        """Let go of a session that this file brought: hand it over to another file that brings it, or drop it."""
        kept = self._kept.pop(ident)
        heir = self._heirs.get(ident)
        if heir is None:
            self._doomed.append(kept.session_id)
            return None
        self._handed_over.append((kept.session_id, ident, heir))
        self._kept[ident] = kept._replace(source=heir)
        return self._kept[ident]

    def _find_heirs(self) -> dict[str, int]:
        """Return for the sessions of this file the earliest other file that brings each just so."""
        rows = self._beside.ask(
            """
            SELECT theirs.session, min(theirs.source)
            FROM private.claims AS ours JOIN private.claims AS theirs USING (session)
            WHERE ours.source = ? AND ours.standing = 'loaded' AND theirs.standing = 'same'
            GROUP BY theirs.session
            """,
            [self._source],
        )
        return dict(rows)

    def _rename_language(self, ident: str, kept: _Kept, language: str) -> None:
        """Keep up with a file that says the same in another language."""
        self._kept[ident] = kept._replace(language=language)
        self._beside.ask(
            "UPDATE private.sessions SET language = ? WHERE session_id = ?", [language, kept.session_id]
        )

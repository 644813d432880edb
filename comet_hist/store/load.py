"""Loading: every file whole or not at all, every session once, in bulk.

Files share a transaction: what a file changes is kept in memory until the file has been read to its end, and is then
written together with what other files change, at the latest half a second after the first of them. A file that is too
large for that is written while it is read, in a transaction of its own. So a file that breaks off leaves no trace, and
costs its neighbours nothing.

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
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, auto
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from comet_hist.audit import Audit
from comet_hist.bulk.proven import Proven
from comet_hist.bulk.values import judged as judged_alone
from comet_hist.engine.facts import SessionReplay
from comet_hist.findings import Finding, find
from comet_hist.judge import Judged, findings_of
from comet_hist.notation.vocabulary import DEFAULT
from comet_hist.record import Fault, Session
from comet_hist.signals import undisturbed
from comet_hist.store.beside import Beside
from comet_hist.store.changes import Changes
from comet_hist.store.database import literal, open_database, telling
from comet_hist.store.marks import Marks, marks
from comet_hist.store.rows import finding_row, proven_session_row, session_row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

STANDARD_INPUT: Final = "-"
"""The path that means standard input, or a pipe."""


_SECONDS: Final = 0.5
"""How long a file waits at most, while others are read, until it is written."""

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


class _File(NamedTuple):
    """A file in the database: its path there, the SHA-256 of its bytes, the sessions it was refused (E206)."""

    path: str
    sha256: str
    refused: frozenset[str | None] = frozenset()


@dataclass(slots=True)
class _Known:
    """What the database holds, kept up with what is loaded, written or not.

    Attributes:
        sessions: the sessions by identifier.
        copies: by identifier the other files that bring a session just so.
        sources: the numbers of the files by what `_key` says of them.
        files: the files by number.
        next_session: the number of the next session.
        next_source: the number of the next file.
    """

    sessions: dict[str, _Kept]
    copies: dict[str, frozenset[int]]
    sources: dict[str, int]
    files: dict[int, _File]
    next_session: int
    next_source: int


class _Journal:
    """Changes of what is known, so that they can be taken back."""

    def __init__(self, known: _Known) -> None:
        self._known = known
        self._numbers = known.next_session, known.next_source
        self._before: list[tuple[MutableMapping[Any, Any], Any, Any]] | None = []

    def close(self) -> None:
        """Remember no more: from now on nothing can be taken back."""
        self._before = None

    def put(self, mapping: MutableMapping[Any, Any], key: object, value: object) -> None:
        """Set an entry of a mapping of `_Known`; None removes it."""
        if self._before is not None:
            self._before.append((mapping, key, mapping.get(key)))
        _put(mapping, key, value)

    def undo(self) -> None:
        """Take all changes back."""
        for mapping, key, value in reversed(self._before or ()):
            _put(mapping, key, value)
        self._known.next_session, self._known.next_source = self._numbers


def _put(mapping: MutableMapping[Any, Any], key: object, value: object) -> None:
    if value is None:
        mapping.pop(key, None)
    else:
        mapping[key] = value


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
        self._opened = open_database(path)
        self._beside = Beside(self._opened.connection)
        self._overflow: TemporaryDirectory[str] | None = None
        self._empty = True
        self._waiting = Changes()
        self._since: float | None = None
        self._counts: dict[int, tuple[int, int]] = {}
        try:
            with telling(path):
                self._beside.ask(f"SET memory_limit = '{_MEMORY}'")
                if path is None:
                    self._overflow = TemporaryDirectory(prefix="comet-hist-")
                    self._beside.ask(f"SET temp_directory = {literal(self._overflow.name)}")
                self._recall()
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the files that are whole, and close the database; a new one that would hold no session is removed."""
        try:
            self.commit()
        finally:
            self._close()

    def _close(self) -> None:
        self._beside.close()
        if self._empty:
            self._opened.discard()
        else:
            self._opened.connection.close()
        if self._overflow is not None:
            self._overflow.cleanup()

    @property
    def connection(self) -> "DuckDBPyConnection":
        """The DuckDB connection, for questions between two files; what waits is written first."""
        self.commit()
        return self._opened.connection

    @property
    def waiting(self) -> bool:
        """Whether there are files that have been read and are not written yet."""
        return self._since is not None

    def commit(self) -> None:
        """Write the files that wait. Ctrl-C is answered when they are written.

        Raises:
            StoreError: if they cannot be written; none of them then is.
        """
        if self._since is None:
            return
        changes, self._waiting, self._since = self._waiting, Changes(), None
        with telling(self._path):
            self._complete(partial(self._write, changes))

    def commit_if_due(self) -> None:
        """Write the files that wait, if they have waited long enough or are many; for what is raised see `commit`."""
        if self._since is not None and (self._waiting.full or monotonic() - self._since > _SECONDS):
            self.commit()

    def _complete(self, work: Callable[[], None]) -> None:
        """Do something that ends with a commit; where it fails all is taken back, and what is known read again."""
        try:
            self._beside.complete(work)
        except Exception:
            self._recall()
            raise

    def _write(self, changes: Changes) -> None:
        connection = self._opened.connection
        connection.begin()
        try:
            changes.write(connection)
        except BaseException:
            connection.rollback()
            raise
        self._commit(changes.sessions)

    def _commit(self, sessions: int) -> None:
        self._opened.connection.commit()
        if sessions:
            self._empty = False

    def already_loaded(self, path: str | Path, sha256: str) -> bool:
        """Say whether a file of these bytes was loaded whole, so that it need not be read."""
        source = self._find_source(path, sha256)
        if source is None:
            return False
        file = self._known.files[source]
        return file.sha256 == sha256 and not file.refused

    def counts_kept(self, path: str | Path, sha256: str) -> tuple[int, int]:
        """Return how many errors and warnings were loaded with a file that is `already_loaded`."""
        source = self._find_source(path, sha256)
        if source not in self._counts:
            self.commit()
            with telling(self._path):
                rows = self._beside.ask(
                    """
                    SELECT
                        sources.source, count(*) FILTER (severity = 'error'), count(*) FILTER (severity = 'warning')
                    FROM private.sources AS sources LEFT JOIN findings USING (source)
                    GROUP BY ALL
                    """
                )
            self._counts = {number: (errors, warnings) for number, errors, warnings in rows}
        return self._counts[source]  # type: ignore[index]

    @contextmanager
    def file(self, path: str | Path, sha256: str, size: int) -> Iterator["FileLoad"]:
        """Load one file: a context in which its sessions are added; at its end all of it is loaded, or nothing.

        It is in the database once no file is `waiting`.

        Args:
            path: where the file is, `-` for standard input or a pipe; kept as an absolute path without links.
            sha256: of its bytes, in hexadecimal.
            size: its bytes.

        Raises:
            StoreError: if the database cannot be written, as on a full disk, or is not as this program made it.
        """
        with telling(self._path):
            load = self._open_load(path, sha256, size)
            try:
                yield load
                load.finish()
                if load.spilled:
                    self._spill(load)
                    self._beside.wait()
            except BaseException:
                self._beside.stop()
                if load.spilled:
                    self._opened.connection.rollback()
                    self._recall()
                else:
                    load.journal.undo()
                raise
            for source in load.changes.touched:
                self._counts.pop(source, None)
            if load.spilled:
                self._complete(partial(self._commit, load.result.sessions))
            else:
                self._take(load.changes)

    def _take(self, changes: Changes) -> None:
        """Let what a file changes wait for further files."""
        if not changes.touched.isdisjoint(self._waiting.touched):
            self.commit()
        self._waiting.merge(changes)
        if self._since is None:
            self._since = monotonic()
        self.commit_if_due()

    def make_room(self, load: "FileLoad") -> None:
        """Write what is due while a file is read: the files that wait, or what there is of itself if that is much.

        Raises:
            StoreError: if it cannot be written.
        """
        self.commit_if_due()
        if load.changes.full:
            if not load.spilled:
                self.commit()
                self._beside.run(self._opened.connection.begin)
                load.spilled = True
                load.journal.close()
            self._spill(load)

    def _spill(self, load: "FileLoad") -> None:
        """Begin to write what there is of a file, in the transaction that is its own."""
        changes = load.changes
        load.changes = Changes(touched=changes.touched)
        self._beside.start(partial(changes.write, self._opened.connection))

    def _open_load(self, path: str | Path, sha256: str, size: int) -> "FileLoad":
        known = self._known
        source = self._find_source(path, sha256)
        if source in self._waiting.touched:
            self.commit()
        load = FileLoad(self, self._beside, known, known.next_source if source is None else source)
        name = _name_of(path)
        if source is None:
            known.next_source += 1
            load.journal.put(known.sources, _key(path, sha256), load.source)
        else:
            load.reload()
        load.journal.put(known.files, load.source, _File(name, sha256))
        load.changes.batch.add("sources", [(load.source, name, sha256, size, datetime.now(UTC).replace(tzinfo=None))])
        return load

    def _find_source(self, path: str | Path, sha256: str) -> int | None:
        return self._known.sources.get(_key(path, sha256))

    def _recall(self) -> None:
        """Read which sessions and files the database holds."""
        ask = self._beside.ask
        rows = ask("SELECT session, session_id, digest, source, language FROM private.sessions")
        sessions = {session: _Kept(*rest) for session, *rest in rows}
        copies = ask("SELECT session, list(source) FROM private.claims WHERE standing = 'same' GROUP BY session")
        refused = dict(ask("SELECT source, list(session) FROM private.findings WHERE code = 'E206' GROUP BY source"))
        files = {
            source: _File(path, sha256, frozenset(refused.get(source, ())))
            for source, path, sha256 in ask("SELECT source, path, sha256 FROM private.sources")
        }
        self._counts.clear()
        self._known = _Known(
            sessions,
            {session: frozenset(sources) for session, sources in copies},
            {_key(file.path, file.sha256): source for source, file in files.items()},
            files,
            1 + max((session.session_id for session in sessions.values()), default=0),
            1 + max(files, default=0),
        )


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
        source: the number of the file.
        changes: what is to be written of it.
        spilled: whether some of it has been written, in a transaction of its own.
        journal: what of `_Known` was changed for it.
    """

    def __init__(self, loader: Loader, beside: Beside, known: _Known, source: int) -> None:
        self.result = Loaded()
        self.source = source
        self.changes = Changes(touched={source})
        self.spilled = False
        self.journal = _Journal(known)
        self._loader = loader
        self._beside = beside
        self._known = known
        self._before: set[str] = set()
        self._claimed: dict[str, str] = {}

    def reload(self) -> None:
        """Let go of what the file said when it was loaded before."""
        self.changes.reloaded.append(self.source)
        for ident, standing in self._beside.ask(
            "SELECT session, standing FROM private.claims WHERE source = ?", [self.source]
        ):
            if standing == "loaded":
                self._before.add(ident)
            elif standing == "same":
                self._drop_copy(ident, self.source)

    def _drop_copy(self, ident: str, source: int) -> None:
        copies = self._known.copies
        self.journal.put(copies, ident, copies[ident] - {source} or None)

    def add(self, judged: Judged) -> None:
        """Take in the next session of the file, by the rules at the head of this module.

        Raises:
            ValueError: if the session was judged without its chips.
        """
        if judged.session is None:
            self.note(judged.findings)
            return
        self._add(_Whole.of(judged))
        self._loader.make_room(self)

    def _add(self, whole: _Whole) -> None:
        session = whole.session
        verdict = self._claim(session.ident.text, session.digest, session.language)
        if verdict is _Verdict.NEW:
            self._write(whole)
        if verdict is _Verdict.REFUSED:
            self._refuse(whole, self._known.sessions[session.ident.text])
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
                stored = proven_session_row(number, self.source, ident, digest, proven, session)
                self.changes.batch.add("sessions", [stored])
                self._keep(ident, digest, DEFAULT, session.hands)
                continue
            self._take(proven, start, row)
            start = row + 1
            if verdict is _Verdict.REFUSED:
                alone = proven._replace(first=row, after=start)
                self._refuse(_Whole.of(judged_alone(alone, file)), self._known.sessions[ident])
        self._take(proven, start, proven.after)
        self._loader.make_room(self)

    def _take(self, proven: Proven, first: int, after: int) -> None:
        """Take the hands of clean sessions that have just been given their numbers."""
        if first == after:
            return
        self.changes.take(proven._replace(first=first, after=after), self._known.next_session - (after - first))

    def note(self, findings: Iterable[Finding]) -> None:
        """Keep findings of the file that belong to no session."""
        self._note(findings, Marks())

    def finish(self) -> None:
        """Take out what the file no longer brings."""
        for ident in self._before - self._claimed.keys():
            if self._give_up(ident) is None:
                self.result.dropped += 1

    def _note(self, findings: Iterable[Finding], marks: Marks) -> None:
        rows = [finding_row(self.source, each, marks.plies.get(each)) for each in findings]
        self.changes.batch.add("findings", rows)

    def _claim(self, ident: str, digest: str, language: str) -> _Verdict:
        """Decide what becomes of a session, and remember that this file brings it."""
        if ident in self._claimed:
            if self._claimed[ident] != digest:
                return _Verdict.REFUSED
            self.result.same += 1
            return _Verdict.REPEATED
        self._claimed[ident] = digest
        kept = self._known.sessions.get(ident)
        ours = kept is not None and kept.source == self.source
        if kept is not None and kept.digest != digest:
            kept = self._make_way(ident, kept, ours)
        if kept is None:
            standing, verdict = "loaded", _Verdict.NEW
        elif kept.digest == digest:
            self.result.same += 1
            standing, verdict = "loaded" if ours else "same", _Verdict.SAME
            if not ours:
                copies = self._known.copies
                self.journal.put(copies, ident, copies.get(ident, frozenset()) | {self.source})
            elif kept.language != language:
                self._rename_language(ident, kept, language)
        else:
            standing, verdict = "differs", _Verdict.REFUSED
        self.changes.batch.add("claims", [(self.source, ident, digest, standing)])
        return verdict

    def _make_way(self, ident: str, kept: _Kept, ours: bool) -> _Kept | None:
        """Take out a session that yields to a different one; return the one that stands there then, if any."""
        if ours:
            left = self._give_up(ident)
            self.result.replaced += left is None
            return left
        if not self._is_orphan(ident, kept):
            return kept
        self._doom(ident, kept)
        self.changes.orphans.append((kept.source, ident))
        self.changes.touched.add(kept.source)
        files = self._known.files
        file = files[kept.source]
        self.journal.put(files, kept.source, file._replace(refused=file.refused - {ident}))
        self.result.replaced += 1
        return None

    def _is_orphan(self, ident: str, kept: _Kept) -> bool:
        """Say whether the file that a session stands by is gone, and no other file brings it just so."""
        path = self._known.files[kept.source].path
        return ident not in self._known.copies and path != STANDARD_INPUT and not Path(path).exists()

    def _doom(self, ident: str, kept: _Kept) -> None:
        """Take a session out."""
        self.journal.put(self._known.sessions, ident, None)
        self.changes.doomed.append(kept.session_id)

    def _refuse(self, whole: _Whole, kept: _Kept) -> None:
        """Leave a session out, and keep E206 alone of its findings: the others are about hands that are not there."""
        self.result.refused += 1
        known = [finding for finding in whole.findings if finding.code == "E206"]
        if not known:
            known = [self._differs(whole.session, kept)]
            self.result.findings += known
        self.note(known)
        files = self._known.files
        file = files[self.source]
        self.journal.put(files, self.source, file._replace(refused=file.refused | {whole.session.ident.text}))

    def _differs(self, session: Session, kept: _Kept) -> Finding:
        path = self._known.files[kept.source].path
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
        replays = whole.replay.hands
        if rest is None:
            row = session_row(session_id, self.source, session, replays)
            self._keep(ident, digest, session.language, len(hands))
        else:
            clean = rest.session(rest.first)
            row = proven_session_row(session_id, self.source, ident, digest, rest, clean, replays)
            self._keep(ident, digest, session.language, len(hands) + clean.hands)
            self._take(rest, rest.first, rest.after)
        self.changes.batch.add("sessions", [row])
        self.changes.batch.add_hands(session_id, hands, whole.marks)

    def _keep(self, ident: str, digest: str, language: str, hands: int) -> None:
        """Count a session that is written, and remember it by the next number."""
        kept = _Kept(self._known.next_session, digest, self.source, language)
        self.journal.put(self._known.sessions, ident, kept)
        self._known.next_session += 1
        self.changes.sessions += 1
        self.result.sessions += 1
        self.result.hands += hands

    def _give_up(self, ident: str) -> _Kept | None:
        """Let go of a session that this file brought: hand it over to another file that brings it, or drop it."""
        kept = self._known.sessions[ident]
        heir = min(self._known.copies.get(ident, ()), default=None)
        if heir is None:
            self._doom(ident, kept)
            return None
        self._drop_copy(ident, heir)
        self.changes.handed_over.append((kept.session_id, ident, heir))
        self.changes.touched.add(heir)
        kept = kept._replace(source=heir)
        self.journal.put(self._known.sessions, ident, kept)
        return kept

    def _rename_language(self, ident: str, kept: _Kept, language: str) -> None:
        """Keep up with a file that says the same in another language."""
        self.journal.put(self._known.sessions, ident, kept._replace(language=language))
        self.changes.renamed.append((kept.session_id, language))

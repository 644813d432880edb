"""Histories on their way out: what of them can be exported, and the files that it goes into."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from comet_hist.cli.status import Failure, Status
from comet_hist.findings import some
from comet_hist.signals import undisturbed

if TYPE_CHECKING:
    from comet_hist.cli.reading import Reading
    from comet_hist.export.comments import Remark
    from comet_hist.findings import Finding
    from comet_hist.judge import Judged
    from comet_hist.notation.sources import Source
    from comet_hist.record import Session
    from comet_hist.store.load import Loader


class Exporting:
    """What of the paths of a command is exported; a session that cannot be read whole is refused, with its findings.

    Args:
        reading: the paths.
        color: for findings `auto`, `always` or `never`.
    """

    def __init__(self, reading: "Reading", color: str) -> None:
        self._reading = reading
        self._color = color
        self._sessions = self._hands = self._refused = 0
        self._errors = False

    def objects(self) -> Iterator[dict[str, Any]]:
        """Give every session, as it was written and with its comments, in the form that JSON shows."""
        from comet_hist.export.json_write import session_object

        for source in self._reading.sources():
            with self._reading.guarding():
                for session, remarks in self._recorded(source):
                    self._count(session)
                    yield session_object(session, remarks)

    def ledger(self, otherwise: date | None) -> Iterator[str]:
        """Give the lines of a ledger of all sessions, each once; `otherwise` is the day of those without a date."""
        from comet_hist.export.ledger import LedgerError, ledger_lines, opening_lines

        yield from opening_lines()
        for source in self._reading.sources():
            with self._reading.guarding():
                for judged in self._judged(source):
                    if judged.repeated or judged.session is None or judged.audit is None:
                        continue
                    try:
                        yield from ledger_lines(judged.session, judged.audit, otherwise)
                        self._count(judged.session)
                    except LedgerError as error:
                        self._reading.tally.unreadable += 1
                        self._refused += 1
                        self._reading.narrate(f"comet-hist: {error}")

    def load(self, loader: "Loader") -> None:
        """Load all sessions, each once."""
        from comet_hist.notation.sources import SourceError, fingerprint

        for source in self._reading.sources():
            with self._reading.guarding():
                mark = fingerprint(source)
                try:
                    with loader.file(source.place, mark.sha256, mark.size) as load:
                        for judged in self._judged(source):
                            load.add(judged)
                except SourceError:
                    self._reading.forget(source)
                    raise
                self._sessions += load.result.sessions
                self._hands += load.result.hands

    def summary(self, target: str | None) -> str:
        """Return what was done, in a line."""
        where = f" to {target}" if target else ""
        text = f"exported {some(self._sessions, 'session')} with {some(self._hands, 'hand')}{where}"
        return f"{text}; refused {self._refused}" if self._refused else text

    def status(self) -> Status:
        """Return the exit status: what is exported may have any fault that is not one of reading."""
        if self._reading.tally.unreadable:
            return Status.USAGE
        return Status.ERRORS if self._errors else Status.CLEAN

    def _count(self, session: "Session") -> None:
        self._sessions += 1
        self._hands += len(session.hands)

    def _recorded(self, source: "Source") -> "Iterator[tuple[Session, list[Remark]]]":
        """Give the sessions of a file with their comments; those below its last line belong to the last session."""
        from comet_hist.export.comments import remarks_below, remarks_of
        from comet_hist.formatting import unread_parts
        from comet_hist.notation import read
        from comet_hist.notation.comments import Comments
        from comet_hist.notation.sources import SourceError
        from comet_hist.record import Session

        comments = Comments()
        held: tuple[Session, list[Remark]] | None = None
        failure: SourceError | None = None
        with source.open() as stream:
            try:
                for piece in read(stream, source.path, comments):
                    self._reading.step()
                    findings = unread_parts(piece)
                    if findings:
                        self._refuse(findings, isinstance(piece, Session))
                    elif isinstance(piece, Session):
                        if held is not None:
                            yield held
                        held = piece, remarks_of(piece, comments)
            except SourceError as error:
                failure = error
        if held is not None:
            session, remarks = held
            yield session, remarks + remarks_below(comments)
        if failure is not None:
            raise failure

    def _judged(self, source: "Source") -> "Iterator[Judged]":
        """Give the judged sessions of a file that are exported."""
        from comet_hist.formatting import unread_parts

        for judged in self._reading.judged(source):
            if judged.session is None:
                self._refuse(judged.findings, False)
                continue
            findings = unread_parts(judged.session)
            if judged.conflict:
                findings += [finding for finding in judged.findings if finding.code == "E206"]
            if findings:
                self._refuse(findings, True)
            else:
                yield judged

    def _refuse(self, findings: "list[Finding]", session: bool) -> None:
        """Show on standard error why something is not exported, and remember it."""
        from comet_hist.cli.output.findings import finding_text
        from comet_hist.cli.output.terminal import PIPE_WIDTH, coloured, terminal_width
        from comet_hist.findings import in_order

        self._refused += session
        self._errors = True
        columns, colour = terminal_width(sys.stderr) or PIPE_WIDTH, coloured(self._color, sys.stderr)
        for finding in in_order(findings):
            self._reading.report(finding_text(finding, columns, colour))


def write_lines(lines: Iterable[str], path: Path | None) -> None:
    """Write lines in UTF-8 to a file, or to standard output.

    Raises:
        Failure: if the file cannot be written.
    """
    if path is None:
        for line in lines:
            sys.stdout.buffer.write(line.encode() + b"\n")
        return
    from comet_hist.cli.replacing import packed

    with whole(path) as new, new.open("wb") as raw, packed(str(path), raw) as stream:
        for line in lines:
            stream.write(line.encode() + b"\n")


@contextmanager
@undisturbed
def whole(path: Path) -> Iterator[Path]:
    """Give a new file to write, which takes the place of a path once it is whole.

    What is no ordinary file, such as a pipe, is given itself.

    Raises:
        Failure: if the path cannot be written; it is then as it was.
    """
    from comet_hist.cli.replacing import beside

    try:
        if path.is_dir():
            raise Failure(f"{path}: is a folder; give the name of a file")
        if path.exists() and not path.is_file():
            yield path
            return
        real = path.resolve()
        with beside(real) as new:
            new.close()
            made = Path(new.name)
            yield made
            made.chmod(real.stat().st_mode if real.exists() else 0o666 & ~_umask())
            made.replace(real)
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror or error}") from error


def _umask() -> int:
    """Return the mask of modes for new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""A history into its canonical form, with its comments: what is read is written again, whole or not at all."""

from collections.abc import Iterator
from typing import BinaryIO, Final

from comet_hist.findings import Finding, find, in_order
from comet_hist.notation import read
from comet_hist.notation.comments import Comments
from comet_hist.notation.lines import LONGEST
from comet_hist.record import Fault, Session, Stray

_UNREAD: Final = "E1"
"""The beginning of the codes of text that is not in the record, and would be lost."""


class Unformatted(Exception):
    """A history that cannot be formatted, since something in it cannot be read.

    Attributes:
        findings: what cannot be read, in order of line and column.
    """

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(f"{len(findings)} places cannot be read")
        self.findings = findings


def formatted(stream: BinaryIO, file: str, language: str | None = None) -> Iterator[str]:
    """Give the canonical text of a history, session by session.

    It says what the history says, faults of record, deal, play and chips included, and carries every comment.

    Args:
        stream: the history's bytes, unpacked.
        file: its path as findings show it.
        language: the language to write, None for each session's own.

    Returns:
        Pieces of text, which count only where the last has been given.

    Raises:
        Unformatted: at the end, if something cannot be read; the findings are those of the whole history.
        OSError: where the stream fails.
    """
    from comet_hist.notation.write import commented

    comments = Comments()
    findings: list[Finding] = []
    began = False
    for piece in read(stream, file, comments):
        findings += unread_parts(piece)
        if isinstance(piece, Session) and not findings:
            if began:
                yield _lines(comments.closing(piece.line)) + "\n"
            text = commented(piece, language or piece.language, comments)
            findings += _too_long(piece, text)
            yield text
            began = True
    yield _lines(comments.last()) + "\n" * began
    if findings:
        raise Unformatted(in_order(findings))


def _lines(comments: list[str]) -> str:
    return "".join(comment + "\n" for comment in comments)


def unread_parts(piece: Session | Stray) -> list[Finding]:
    """Return what cannot be read: lines that are in no record, and a hand that the file breaks off in."""
    if isinstance(piece, Stray):
        return [find(fault, piece.file, None, None) for fault in piece.faults]
    broken_off = _broken_off(piece)
    file, ident = piece.file, piece.ident.text
    findings = [find(fault, file, ident, None) for fault in piece.faults]
    for hand in piece.hands:
        cut = hand.cut.faults if hand.cut is not None and not broken_off else ()
        findings += [find(fault, file, ident, hand.number) for fault in (*hand.faults, *cut)]
    return [finding for finding in findings if finding.code.startswith(_UNREAD)] + broken_off


def _broken_off(session: Session) -> list[Finding]:
    """Return the E207 of a hand in whose midst the file breaks off: how its last line went on is not known."""
    last = session.hands[-1] if session.hands else None
    if last is None or last.cut is None:
        return []
    from comet_hist.engine.session import replay

    faults = replay(session).hands[-1].faults
    return [find(fault, session.file, session.ident.text, last.number) for fault in faults if fault.code == "E207"]


def _too_long(session: Session, text: str) -> list[Finding]:
    """Return the finding on a session in which a line, written out, would be too long to be read again."""
    if len(text) <= LONGEST // 4 or all(len(line.encode()) <= LONGEST for line in text.split("\n")):
        return []
    message = f"written out, a line of this session would have more than {LONGEST} bytes, which is not read"
    fault = Fault("E101", session.line, message, f"at most {LONGEST} bytes")
    return [find(fault, session.file, session.ident.text, None)]

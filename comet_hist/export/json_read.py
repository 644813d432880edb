"""JSON files back to sessions: what is such a file, and how reading goes on where it is no JSON (see `json_write`)."""

from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, Final

from comet_hist.export.comments import attach
from comet_hist.export.json_record import Builder, found
from comet_hist.export.json_write import FORMAT, VERSION
from comet_hist.export.places import Cursor, Malformed, Member, Value
from comet_hist.notation.comments import Comments
from comet_hist.notation.sources import SourceError
from comet_hist.record import Fault, Line, Session, Span, Stray

_BOM: Final = b"\xef\xbb\xbf"
_PIECE: Final = 1 << 20
"""Bytes that are read at once."""

_HEADER: Final = ("format", "version")


def sessions(stream: BinaryIO, file: str, lines: bool, comments: Comments | None = None) -> Iterator[Session | Stray]:
    """Give the sessions of a JSON file.

    Args:
        stream: its bytes, unpacked.
        file: its path as findings show it.
        lines: whether each line is a session (`.jsonl`), of which one at a time is kept; else the whole text is.
        comments: takes up the comments of the sessions; None if nobody wants them.

    Returns:
        The sessions in order; between them a `Stray` with what was wrong where no session could be made out.

    Raises:
        SourceError: if it is no such file, or one of another version; or if the stream fails.
    """
    reader = _Reader(file, comments)
    return reader.by_line(stream) if lines else reader.whole(stream)


class _Reader:
    """Reads one file.

    Attributes:
        begun: whether it was seen to be such a file; from then on what is no JSON is a fault and no failure.
    """

    def __init__(self, file: str, comments: Comments | None) -> None:
        self.begun = False
        self._file = file
        self._comments = comments
        self._keys = count(1)

    def by_line(self, stream: BinaryIO) -> Iterator[Session | Stray]:
        """Give the sessions of a file with one on each line."""
        for number, line in enumerate(_lines_of(stream), 1):
            data = line.removeprefix(_BOM) if number == 1 else line
            if not data.strip():
                continue
            text = data.decode(errors="replace").rstrip("\r\n")
            cursor = Cursor(text)
            try:
                self._decode(data, number)
                value = cursor.value()
                cursor.finish()
            except Malformed as error:
                yield self._malformed(Line(number, text), error.at, error, "this session is not read")
                continue
            self._check_header(value.data if value.kind == "object" else {}, number)
            yield self._session(value, Line(number, text), 0, _HEADER)

    def whole(self, stream: BinaryIO) -> Iterator[Session | Stray]:
        """Give the sessions of a file that is one object."""
        data = b"".join(_until_zero(iter(lambda: stream.read(_PIECE), b""))).removeprefix(_BOM)
        text = data.decode(errors="replace")
        try:
            self._decode(data, 1)
            yield from self._members(Cursor(text))
        except Malformed as error:
            line, base = _lines_around(text, error.at, error.at)
            yield self._malformed(line, error.at - base, error, "neither this session nor what follows is read")

    def _members(self, cursor: Cursor) -> Iterator[Session | Stray]:
        """Give the sessions; where they stand above format or version, only after those have been looked for."""
        header: dict[str, Member] = {}
        listed: int | None = None
        done = cursor.opens_empty("{", "}")
        while not done:
            name = cursor.name()
            if name.data == "sessions" and listed is None:
                listed = cursor.at
                if header.keys() >= set(_HEADER):
                    self._check_header(header, 1)
                    yield from self._listed(cursor)
                else:
                    cursor.value()
            else:
                header[name.data] = Member(cursor.value(), name.at, name.end)
            done = cursor.ends("}")
        cursor.finish()
        unlisted = not self.begun
        self._check_header(header, 1)
        if listed is None:
            raise SourceError(f'{self._file}: has no "sessions" in it')
        if unlisted:
            cursor.at = listed
            yield from self._listed(cursor)
        for unknown in header.keys() - set(_HEADER):
            member = header[unknown]
            line, base = _lines_around(cursor.text, member.at, member.end)
            where = Span(line, member.at - base, member.end - base)
            message = f"{found(Value('text', unknown, 0, 0))} is not known beside format, version and sessions"
            yield Stray(self._file, (Fault("E101", where, message, "format, version and sessions"),))

    def _listed(self, cursor: Cursor) -> Iterator[Session | Stray]:
        """Give the sessions of the array that comes next, each as soon as it has been taken."""
        if cursor.text[cursor.at : cursor.at + 1] != "[":
            raise SourceError(f'{self._file}: "sessions" is no array')
        done = cursor.opens_empty("[", "]")
        lines = _Lines(cursor.text)
        while not done:
            value = cursor.value()
            yield self._session(value, *lines.around(value.at, value.end))
            done = cursor.ends("]")

    def _session(self, value: Value, lines: Line, base: int, header: tuple[str, ...] = ()) -> Session | Stray:
        builder = Builder(self._file, lines, base, self._keys)
        session = builder.session(value, header)
        if self._comments is not None and isinstance(session, Session):
            attach(session, builder.remarks, self._comments)
        return session

    def _check_header(self, header: dict[str, Member], number: int) -> None:
        """Make sure that a file, or a line of one, is what it should be."""
        where = self._file if number == 1 else f"{self._file}: line {number}"
        form, version = (header[name].value if name in header else None for name in _HEADER)
        if form is None or form.data != FORMAT:
            raise SourceError(f'{where}: is no export of comet-hist: it has no "format": "{FORMAT}"')
        if version is None or version.kind != "number":
            raise SourceError(f'{where}: does not say its version: it has no "version": {VERSION}')
        if version.data != str(VERSION):
            raise SourceError(f"{where}: is of version {version.data[:20]}, and this program reads version {VERSION}")
        self.begun = True

    def _decode(self, data: bytes, number: int) -> None:
        """Make sure that bytes are UTF-8, as JSON is."""
        try:
            data.decode()
        except UnicodeDecodeError as error:
            message = f"byte 0x{data[error.start]:02X} is not UTF-8"
            raise Malformed(len(data[: error.start].decode()), message, "E102") from error

    def _malformed(self, line: Line, at: int, error: Malformed, cost: str) -> Stray:
        if not self.begun:
            place = line.place(at, at + 1)
            raise SourceError(f"{self._file}:{place.line}:{place.column}: is not JSON: {error.message}") from error
        fault = Fault(error.code, Span(line, at, at + 1), f"not JSON: {error.message}; {cost}")
        return Stray(self._file, (fault,))


def _lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """Give the lines of a stream, the last one up to a byte that is zero."""
    parts: list[bytes] = []
    for piece in _until_zero(iter(lambda: stream.readline(_PIECE), b"")):
        parts.append(piece)
        if piece.endswith(b"\n"):
            yield b"".join(parts)
            parts.clear()
    if parts:
        yield b"".join(parts)


def _until_zero(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Give pieces up to a byte that is zero, which no JSON has: those that follow may be without end."""
    for piece in pieces:
        yield piece
        if b"\0" in piece:
            return


class _Lines:
    """The physical lines of a text, as stretches of it are asked for from its beginning to its end.

    A whole file may be one line: it is looked through, and cut out, once for all stretches on it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._number = 1
        self._start = self._seen = 0
        self._stop = -1
        self._raw = ""

    def around(self, at: int, end: int) -> tuple[Line, int]:
        """Return the lines on which a stretch stands, pointing at it, and the offset at which they begin."""
        text = self._text
        newline = text.rfind("\n", self._seen, at)
        if newline >= 0:
            self._number += text.count("\n", self._start, newline + 1)
            self._start = newline + 1
        if newline >= 0 or end > self._stop:
            stop = text.find("\n", end)
            self._stop = len(text) if stop < 0 else stop
            self._raw = text[self._start : self._stop]
        self._seen = end
        return Line(self._number, self._raw, at - self._start, end - self._start), self._start


def _lines_around(text: str, at: int, end: int) -> tuple[Line, int]:
    """Return the physical lines on which a stretch of text stands, and the offset at which they begin."""
    return _Lines(text).around(at, end)

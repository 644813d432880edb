"""Bytes into logical lines: decoding, comments and folded lines, a line at a time."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedReader, BytesIO
from itertools import chain
from typing import BinaryIO, Final, NamedTuple

LONGEST: Final = 1_000_000
"""Bytes of the longest line that is read, folded lines together."""

_KEPT: Final = 200
"""Characters of a line beyond `LONGEST` that are kept, to show it and to see what it was."""

_BOM: Final = b"\xef\xbb\xbf"

_BLOCK: Final = 64
"""Bytes at the beginning of a file that are looked at before any of it is read."""

IN_QUOTES: Final = r'(?:"(?:[^"\\\n]|\\.)*"|[“„”][^"“„”\n]*[“”])'
"""Anything between two quotation marks on one line."""

_IN_QUOTES_OR_COMMENT = re.compile(rf"(?<![\w\\]){IN_QUOTES}|(?<!\S)#")

_NO_HISTORIES: Final = (
    (0, b"\xff\xfe\0\0", "text in UTF-32"),
    (0, b"\0\0\xfe\xff", "text in UTF-32"),
    (0, b"\xff\xfe", "text in UTF-16"),
    (0, b"\xfe\xff", "text in UTF-16"),
    (0, b"\x1f\x8b", "packed by gzip, under a name that does not end in .gz"),
    (0, b"\x28\xb5\x2f\xfd", "packed by Zstandard, under a name that does not end in .zst"),
    (0, b"PK\3\4", "a ZIP archive or an office document"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"{\\rtf", "a rich text document"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (8, b"DUCK", "a DuckDB database"),
)
"""What is given by mistake: the bytes by which it is known, where they stand, and what it is."""


class Start(NamedTuple):
    """Where in its file a text begins.

    Attributes:
        line: the lines above it.
        at: the bytes above it.
    """

    line: int = 0
    at: int = 0


TOP: Final = Start()
"""The beginning of a file."""


class Broken(NamedTuple):
    """Why a line cannot be read before any of its words is looked at.

    Attributes:
        code: E102 or E101.
        at: offset in the logical line.
        end: offset just after it.
        message: what is wrong.
        expected: what would have been right.
        actual: what was found; for E102 the byte offset in the file.
    """

    code: str
    at: int
    end: int
    message: str
    expected: str
    actual: str


class NoTextError(Exception):
    """A file that is no text to read by lines, so that nothing of it is read.

    Attributes:
        raw: its beginning, to show it.
        broken: why it cannot be read.
    """

    def __init__(self, raw: str, broken: Broken) -> None:
        super().__init__(broken.message)
        self.raw = raw
        self.broken = broken


class Logical(NamedTuple):
    """A logical line as the reader takes it.

    Attributes:
        number: the number of its first physical line.
        raw: its physical lines as written, joined by line feeds.
        text: the same, as long, with comments blanked.
        after_blank: whether a blank line, or the beginning of the file, stands above it.
        whole: whether its last physical line ended with a line feed.
        broken: why it cannot be read, or None.
        comment: the line just above it, with its number, where that has nothing but a comment; else None.
    """

    number: int
    raw: str
    text: str
    after_blank: bool
    whole: bool
    broken: Broken | None
    comment: tuple[int, str] | None = None


def comment_start(line: str) -> int | None:
    r"""Return where the comment of a physical line begins, or None if it has none.

    A comment begins with `#` at the start of the line or after white space, outside quotes. A quote begins where no
    letter or digit stands before it and ends on its line; any other quotation mark is a sign like others.

    >>> comment_start('Dealer: "# one" # who?'), comment_start('Place: the 12" table # big')
    (16, 21)
    """
    return next((found.start() for found in _IN_QUOTES_OR_COMMENT.finditer(line) if found[0] == "#"), None)


def behind_keyword(text: str) -> str:
    """Return free text as it is written behind its keyword: a `#` at its beginning would open a comment after a space.

    >>> behind_keyword("#5 rue de Buci"), behind_keyword("the inn")
    (':#5 rue de Buci', ': the inn')
    """
    return f":{text}" if text.startswith("#") else f": {text}"


def without_comment(line: str) -> str:
    r"""Return a physical line with its comment blanked by spaces.

    >>> without_comment('Dealer: "# one" # who?')
    'Dealer: "# one"       '
    """
    start = comment_start(line)
    return line if start is None else line[:start] + " " * (len(line) - start)


def logical_lines(
    stream: BinaryIO,
    begins: Callable[[str, str], bool],
    apart: dict[int, list[str]] | None = None,
    start: Start = TOP,
) -> Iterator[Logical]:
    """Give the logical lines of a stream; blank and comment-only ones are left out.

    Args:
        stream: the bytes, UTF-8 where they are right; LF or CRLF; byte-order marks before a line are passed over.
        begins: says of an indented line (first argument) whether it begins with a keyword of its own, rather
            than continuing the line above (second argument).
        apart: takes up the comments on lines of their own, as `Comments.apart` has them; None if nobody wants them.
        start: where in its file the stream begins, below a blank line or at the top.

    Raises:
        NoTextError: before any line at the top, where the stream is no text, or its lines end with CR alone.
        OSError: where the stream fails, after the lines before that have been given.
    """
    physical = _Physical(stream, start)
    above: Logical | None = None
    folding: _Folding | None = None
    after_blank = True
    passed: list[str] = []
    comment: tuple[int, str] | None = None
    for raw, broken in physical:
        text = without_comment(raw) if broken is None and "#" in raw else raw
        if not text or text.isspace():
            if apart is not None and (text is not raw or passed[-1:] != [""]):
                passed.append(raw.strip())
            comment = None if text is raw else (physical.number, raw)
            if comment is not None:
                if above is not None:
                    folding = folding or _Folding(above)
                    folding.pass_over(raw)
                continue
            after_blank = True
            if above is not None:
                yield folding.close() if folding else above
                above = folding = None
        elif above is not None and text[0].isspace() and not begins(text, folding.texts[-1] if folding else above.text):
            folding = folding or _Folding(above)
            folding.fold(raw, text, physical.whole, broken)
            passed = []
            comment = None
        else:
            if above is not None:
                yield folding.close() if folding else above
            above = Logical(physical.number, raw, text, after_blank, physical.whole, broken, comment)
            folding = comment = None
            after_blank = False
            if apart is not None and passed:
                apart[physical.number] = passed
                passed = []
    if apart is not None:
        apart[0] = passed
    if above is not None:
        yield folding.close() if folding else above
    if physical.failure is not None:
        raise physical.failure


class _Physical:
    """The physical lines of a stream, each decoded, with what is wrong with it.

    Attributes:
        number: the number of the line given last.
        whole: whether it ended with a line feed.
        failure: the error that ended the stream, or None.
    """

    def __init__(self, stream: BinaryIO, start: Start) -> None:
        self.number = start.line
        self.whole = True
        self.failure: OSError | None = None
        self._stream = stream
        self._offset = start.at

    def __iter__(self) -> Iterator[tuple[str, Broken | None]]:
        first: list[bytes] = []
        try:
            _read_first(self._stream, first)
        except OSError as error:
            self.failure = error
        if self._offset == 0:
            _check_text(first)
        ahead = len(first)
        further: Iterator[bytes] = iter(()) if self.failure else iter(partial(self._stream.readline, LONGEST + 2), b"")
        try:
            for line in chain(first, further):
                start = self._offset
                self._offset += len(line)
                self.number += 1
                self.whole = line[-1:] == b"\n"
                ahead -= 1
                if line == b"\n" and ahead <= 0:
                    self._pass_blank_lines()
                while line.startswith(_BOM):
                    line = line[len(_BOM) :]
                    start += len(_BOM)
                if len(line) > LONGEST:
                    yield self._too_long(line)
                    continue
                body = line[: -2 if line[-2:] == b"\r\n" else -1] if self.whole else line
                try:
                    yield body.decode(), None
                except UnicodeDecodeError as error:
                    yield _undecoded(body, error, start, self.number)
        except OSError as error:
            self.failure = error

    def _pass_blank_lines(self) -> None:
        """Pass over further empty lines that are at hand, since one says as much as millions."""
        if isinstance(self._stream, BufferedReader):
            ahead = self._stream.peek()
            blank = len(ahead) - len(ahead.lstrip(b"\n"))
            self._stream.read(blank)
            self._offset += blank
            self.number += blank

    def _too_long(self, line: bytes) -> tuple[str, Broken]:
        """Pass over the rest of a line that is too long, and keep its beginning."""
        raw = line[:_KEPT].decode(errors="replace")
        while not self.whole and (line := self._stream.readline(LONGEST)):
            self._offset += len(line)
            self.whole = line[-1:] == b"\n"
        return raw, _too_long(len(raw))


def is_text(beginning: bytes) -> bool:
    """Say whether a file with this beginning is read, as it is neither packed nor anything else but text.

    Args:
        beginning: its bytes from the top, the first line at least.
    """
    lines: list[bytes] = []
    _read_first(BytesIO(beginning), lines)
    try:
        _check_text(lines)
    except NoTextError:
        return False
    return True


def _read_first(stream: BinaryIO, lines: list[bytes]) -> None:
    """Append the lines of the first block of a stream, so that they are kept where it fails."""
    while sum(map(len, lines)) < _BLOCK and (line := stream.readline(LONGEST + 2)):
        lines.append(line)


def _check_text(lines: list[bytes]) -> None:
    """Look at the first lines of a file for what is no history at all.

    Text in UTF-16 that does not say so is known by its zero bytes, every other one where letters are Latin. A few of
    them are damage, which costs the lines it is in.

    Raises:
        NoTextError: E102, or E101 where all lines end with CR alone.
    """
    block = b"".join(lines)[:_BLOCK]
    what = next((what for at, sign, what in _NO_HISTORIES if block.startswith(sign, at)), None)
    if what is None and block.count(0) * 4 > len(block):
        what = "text in UTF-16, or no text at all"
    raw = b"".join(lines)[:_KEPT].decode(errors="replace").split("\r")[0].split("\n")[0] or "\ufffd"
    if what is not None:
        message = f"this is {what}, and nothing of it is read; a history is text, saved as UTF-8"
        raise NoTextError(raw, Broken("E102", 0, 1, message, "text in UTF-8", "0"))
    if len(lines) == 1 and b"\n" not in lines[0] and b"\r" in lines[0].rstrip(b"\r"):
        message = "the lines of this file end with CR alone, and it is not read; save it with LF or CRLF at their ends"
        raise NoTextError(raw, Broken("E101", len(raw), len(raw) + 1, message, "LF or CRLF", "CR"))


def _too_long(end: int) -> Broken:
    expected = f"at most {LONGEST} bytes"
    message = f"a line of more than {LONGEST} bytes is not read"
    return Broken("E101", end, end, message, expected, "a longer line")


def _undecoded(body: bytes, error: UnicodeDecodeError, start: int, number: int) -> tuple[str, Broken]:
    column = len(body[: error.start].decode())
    offset = start + error.start
    message = (
        f"byte 0x{body[error.start]:02X} (byte {offset} of the file, line {number}, column {column + 1}) is not UTF-8; "
        "save the file as UTF-8"
    )
    return body.decode(errors="replace"), Broken("E102", column, column + 1, message, "UTF-8", str(offset))


class _Folding:
    """A logical line that other lines continue, or comments follow that may stand before such lines."""

    def __init__(self, first: Logical) -> None:
        self.texts = [first.text]
        self._first = first
        self._raws = [first.raw]
        self._whole = first.whole
        self._broken = first.broken
        self._size = len(first.raw)
        self._passed: list[str] = []

    def pass_over(self, raw: str) -> None:
        """Take a comment-only line, which is part of the line if something continues it below."""
        self._size += len(raw) + 1
        if self._size <= LONGEST:
            self._passed.append(raw)

    def fold(self, raw: str, text: str, whole: bool, broken: Broken | None) -> None:
        """Take a line that continues it."""
        self._whole = whole
        self._size += len(raw) + 1
        if self._size > LONGEST:
            self._broken = self._broken or _too_long(min(_KEPT, len(self._raws[0])))
            return
        for comment in self._passed:
            self._raws.append(comment)
            self.texts.append(" " * len(comment))
        self._passed.clear()
        if broken and not self._broken:
            above = sum(map(len, self._raws)) + len(self._raws)
            self._broken = broken._replace(at=above + broken.at, end=above + broken.end)
        self._raws.append(raw)
        self.texts.append(text)

    def close(self) -> Logical:
        """Return the line with everything that continues it."""
        raw, text = "\n".join(self._raws), "\n".join(self.texts)
        return self._first._replace(raw=raw, text=text, whole=self._whole, broken=self._broken)

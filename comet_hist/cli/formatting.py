"""A file's text as it is and in canonical form, side by side, in no more memory than a session takes."""

import io
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, Final, cast

from comet_hist.formatting import formatted
from comet_hist.notation.sources import Source, SourceError

_KEPT: Final = 8_000_000
"""Bytes of a text that are kept in memory; a longer one is kept on disk."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """The bytes of a file, unpacked, as they are and as `fmt` writes them."""

    before: IO[bytes]
    after: IO[bytes]

    def is_canonical(self) -> bool:
        """Say whether the two are the same; both are then to be read from their beginning."""
        same = self.before.tell() == self.after.tell()
        self._rewind()
        while same and (chunk := self.before.read(_KEPT)):
            same = chunk == self.after.read(_KEPT)
        self._rewind()
        return same

    def _rewind(self) -> None:
        self.before.seek(0)
        self.after.seek(0)


@contextmanager
def format_source(source: Source, language: str | None, step: Callable[[], None]) -> Iterator[Formatted]:
    """Give the text of a file as it is and in canonical form.

    Args:
        source: the file, read once.
        language: the language to write, None for each session's own.
        step: is called after each session.

    Raises:
        Unformatted: if something in it cannot be read.
        SourceError: if the file cannot be read to its end.
    """
    with tempfile.SpooledTemporaryFile(_KEPT) as before, tempfile.SpooledTemporaryFile(_KEPT) as after:
        try:
            with source.open() as stream:
                copied = cast(BinaryIO, io.BufferedReader(_Copied(stream, before)))
                for text in formatted(copied, source.path, language):
                    after.write(text.encode())
                    step()
        except SourceError:
            raise
        except OSError as error:
            raise SourceError(f"{source.path}: cannot be kept while it is formatted: {error.strerror}") from error
        yield Formatted(before, after)


class _Copied(io.RawIOBase):
    """A stream that copies to a file what is read of it."""

    def __init__(self, stream: BinaryIO, copy: IO[bytes]) -> None:
        self._stream = stream
        self._copy = copy

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        self._copy.write(data)
        buffer[: len(data)] = data
        return len(data)

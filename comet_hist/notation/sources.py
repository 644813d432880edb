"""Where histories come from: files, directories, globs and standard input, packed or not."""

import glob
import gzip
import hashlib
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, NamedTuple, cast

SUFFIXES: Final = (".comet", ".comet.gz", ".comet.zst")
"""What is read of a directory."""

_PACKED_CHUNK: Final = 1024
_SPOOL: Final = 8_000_000
_BUFFER: Final = 1 << 16


class SourceError(OSError):
    """A path that does not exist, cannot be read, or breaks off; its text is one line for the user."""


class Source(NamedTuple):
    """Something to read.

    Attributes:
        path: as it is shown, `-` for standard input.
        open_raw: opens its bytes as they are stored.
    """

    path: str
    open_raw: Callable[[], BufferedReader]

    def open(self) -> BinaryIO:
        """Return its bytes unpacked, from the beginning.

        Standard input can be opened once, unless `fingerprint` was asked for before.

        Raises:
            SourceError: here or while reading; what was unpacked before it broke off has then been given.
        """
        raw = self.open_raw()
        suffix = Path(self.path).suffix
        pull: Callable[[int], bytes]
        errors: tuple[type[Exception], ...] = (OSError,)
        if suffix == ".gz":
            pull = gzip.GzipFile(fileobj=raw).read1
            errors = (OSError, EOFError, zlib.error)
        elif suffix == ".zst":
            pull, error = _unpack_zstd(raw)
            errors = (OSError, EOFError, error)
        else:
            pull = raw.read1
        return cast(BinaryIO, BufferedReader(_Stream(self.path, raw, pull, errors), _BUFFER))


class Fingerprint(NamedTuple):
    """What a source is, by its bytes as they are stored: SHA-256 in hexadecimal, and their number."""

    sha256: str
    size: int


def fingerprint(source: Source) -> Fingerprint:
    """Return what the stored bytes of a source are; standard input is read to its end and kept for `open`.

    Raises:
        SourceError: if it cannot be read.
    """
    digest = hashlib.sha256()
    size = 0
    try:
        with source.open_raw() if source.path != "-" else _stdin.kept() as stream:
            while chunk := stream.read(1 << 18):
                digest.update(chunk)
                size += len(chunk)
    except SourceError:
        raise
    except OSError as error:
        raise _cannot(source.path, error) from error
    return Fingerprint(digest.hexdigest(), size)


def find_sources(paths: Sequence[str]) -> Iterator[Source]:
    """Give what the paths name, in their order, each file once.

    Args:
        paths: files, directories (every `*.comet`, `*.comet.gz` and `*.comet.zst` below, sorted), globs, or `-`.

    Raises:
        SourceError: for a path that is not there or cannot be read, a directory or glob without any history.
    """
    seen: set[tuple[int, int] | str] = set()
    for path in paths:
        for file in ["-"] if path == "-" else _files(path):
            key: tuple[int, int] | str = file if file == "-" else _identity(file)
            if key not in seen:
                seen.add(key)
                yield Source(file, _stdin.open if file == "-" else _opener(file))


def _files(path: str) -> list[str]:
    """Return the files that a path names, sorted."""
    if not os.path.lexists(path) and glob.has_magic(path):
        found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 (the pattern may be absolute)
        if not found:
            raise SourceError(f"{path}: no file matches")
        return [file for match in found for file in (_below(match) if Path(match).is_dir() else [match])]
    if not Path(path).is_dir():
        return [path]
    below = _below(path)
    if not below:
        raise SourceError(f"{path}: no {', '.join('*' + suffix for suffix in SUFFIXES)} in this directory")
    return below


def _below(folder: str) -> list[str]:
    def fail(error: OSError) -> None:
        raise _cannot(str(error.filename or folder), error) from error

    return sorted(
        str(Path(where) / name)
        for where, _, names in os.walk(folder, onerror=fail)
        for name in names
        if name.endswith(SUFFIXES)
    )


def _identity(file: str) -> tuple[int, int]:
    try:
        status = Path(file).stat()
    except OSError as error:
        raise _cannot(file, error) from error
    return status.st_dev, status.st_ino


def _opener(file: str) -> Callable[[], BufferedReader]:
    def open_file() -> BufferedReader:
        try:
            return Path(file).open("rb")
        except OSError as error:
            raise _cannot(file, error) from error

    return open_file


def _cannot(path: str, error: Exception) -> SourceError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return SourceError(f"{path}: cannot be read: {reason}")


class _Stdin:
    """Standard input, which can be read once unless it is kept."""

    def __init__(self) -> None:
        self._spool: IO[bytes] | None = None

    def open(self) -> BufferedReader:
        """Return what was kept, from its beginning, else the stream itself."""
        return self.kept() if self._spool is not None else cast(BufferedReader, sys.stdin.buffer)

    def kept(self) -> BufferedReader:
        """Return the whole of standard input, from its beginning, kept in memory or on disk."""
        if self._spool is None:
            self._spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL)  # noqa: SIM115 (lives as long as the program)
            shutil.copyfileobj(sys.stdin.buffer, self._spool)
        self._spool.seek(0)
        return BufferedReader(_Unclosed(self._spool))


class _Unclosed(io.RawIOBase):
    """A view of a file that leaves it open when it is itself closed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


_stdin = _Stdin()


class _Stream(io.RawIOBase):
    """Bytes from a function, its failures told as `SourceError`."""

    def __init__(
        self, path: str, raw: BufferedReader, pull: Callable[[int], bytes], errors: tuple[type[Exception], ...]
    ) -> None:
        self._path = path
        self._raw = raw
        self._pull = pull
        self._errors = errors

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._pull(len(buffer))
        except self._errors as error:
            raise _cannot(self._path, error) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if self._raw is not sys.stdin.buffer:
            self._raw.close()
        super().close()


def _unpack_zstd(raw: BufferedReader) -> tuple[Callable[[int], bytes], type[Exception]]:
    """Return a function that gives unpacked bytes, as many as asked for at most, and the error it may raise."""
    import zstandard

    def frames() -> Iterator[bytes]:
        unpacker = zstandard.ZstdDecompressor().decompressobj()
        rest = b""
        started = False
        while chunk := rest or raw.read(_PACKED_CHUNK):
            started = True
            yield unpacker.decompress(chunk)
            rest = b""
            if unpacker.eof:
                rest = unpacker.unused_data
                unpacker = zstandard.ZstdDecompressor().decompressobj()
                started = False
        if started:
            raise EOFError("it breaks off before its end")

    pieces = frames()
    waiting = memoryview(b"")

    def pull(size: int) -> bytes:
        nonlocal waiting
        while not waiting:
            piece = next(pieces, None)
            if piece is None:
                return b""
            waiting = memoryview(piece)
        data, waiting = waiting[:size], waiting[size:]
        return bytes(data)

    return pull, zstandard.ZstdError

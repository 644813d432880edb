"""Where histories come from: files, directories, globs and standard input, packed or not."""

import glob
import gzip
import hashlib
import io
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

SUFFIXES: Final = (".comet", ".comet.gz", ".comet.zst")
"""What is read of a directory."""

_PACKED_CHUNK: Final = 1024
_SPOOL: Final = 8_000_000
_BUFFER: Final = 1 << 16
_MAGIC: Final = slice(8, 12)
"""Where a DuckDB file says that it is one."""


class SourceError(OSError):
    """A path that does not exist, cannot be read, or breaks off; its text is one line for the user."""


class Source(NamedTuple):
    """Something to read.

    Attributes:
        path: as it is shown, `-` for standard input.
        open_raw: opens its bytes as they are stored.
        keep: for what can be read only once, standard input or a pipe: reads it to its end and opens what it was,
            after which `open_raw` does the same. None for a file.
    """

    path: str
    open_raw: Callable[[], BufferedReader]
    keep: Callable[[], BufferedReader] | None = None

    @property
    def place(self) -> str:
        """Where it can be found again: its path, or `-` for what can be read only once."""
        return self.path if self.keep is None else "-"

    def open(self) -> "BufferedReader[_Stream]":
        """Return its bytes unpacked, from the beginning.

        What can be read only once can be opened once, unless `fingerprint` was asked for before.

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
        stream = BufferedReader(_Stream(self.path, raw, pull, errors), _BUFFER)
        if suffix not in (".gz", ".zst") and stream.peek(_MAGIC.stop)[_MAGIC] == b"DUCK":
            stream.close()
            raise SourceError(f"{self.path}: is a database, not a history; give it by --db")
        return stream


class Fingerprint(NamedTuple):
    """What a source is, by its bytes as they are stored: SHA-256 in hexadecimal, and their number."""

    sha256: str
    size: int


def fingerprint(source: Source) -> Fingerprint:
    """Return what the stored bytes of a source are; what can be read only once is kept for `open`.

    Raises:
        SourceError: if it cannot be read.
    """
    digest = hashlib.sha256()
    size = 0
    try:
        with (source.keep or source.open_raw)() as stream:
            while chunk := stream.read(1 << 18):
                digest.update(chunk)
                size += len(chunk)
    except SourceError:
        raise
    except OSError as error:
        raise _cannot(source.path, error) from error
    return Fingerprint(digest.hexdigest(), size)


def _fail(error: SourceError) -> None:
    raise error


def find_sources(paths: Sequence[str], complain: Callable[[SourceError], None] = _fail) -> Iterator[Source]:
    """Give what the paths name, in their order, each file once, by whatever names it has.

    A folder or a glob is searched for files, also behind links; pipes and devices in it are passed over, since whoever
    reads them waits. Named themselves they are read.

    Args:
        paths: files, directories (every `*.comet`, `*.comet.gz` and `*.comet.zst` below, sorted), globs, or `-`.
        complain: takes what is wrong with a path, or with one of the entries it stands for, after which the others
            are given; without it the first error is raised.

    Raises:
        SourceError: for a path or entry that is not there or cannot be read, a directory or glob without any history.
    """
    seen: set[tuple[int, int] | str] = set()
    for path in paths:
        for found in _named(path):
            if isinstance(found, SourceError):
                complain(found)
            elif found.identity not in seen:
                seen.add(found.identity)
                yield found.source()


class _Entry(NamedTuple):
    """A path that is there, with what it is; for standard input without."""

    path: str
    status: os.stat_result | None

    @property
    def identity(self) -> tuple[int, int] | str:
        return self.path if self.status is None else (self.status.st_dev, self.status.st_ino)

    def is_folder(self) -> bool:
        return self.status is not None and stat.S_ISDIR(self.status.st_mode)

    def is_file(self) -> bool:
        return self.status is not None and stat.S_ISREG(self.status.st_mode)

    def source(self) -> Source:
        opener = _opener(self.path)
        if self.is_file():
            return Source(self.path, opener)
        once = _stdin if self.status is None else _Once(self.path, opener)
        return Source(self.path, once.open, once.kept)


_Found = list[_Entry | SourceError]
"""What a path stands for, and what is wrong with parts of that, in order."""


def _named(path: str) -> _Found:
    """Return what a path given by the user stands for."""
    if path == "-":
        return [_Entry(path, None)]
    if glob.has_magic(path) and not os.path.lexists(path):
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 (the pattern may be absolute)
        return [found for match in matches for found in _searched(match)] or [SourceError(f"{path}: no file matches")]
    entry = _entry(path)
    if isinstance(entry, SourceError) or not entry.is_folder():
        return [entry]
    wanted = ", ".join("*" + suffix for suffix in SUFFIXES)
    return _below(path) or [SourceError(f"{path}: no {wanted} in this directory")]


def _searched(path: str) -> _Found:
    """Return what a path that was come across stands for: a file, the files below a folder, nothing else."""
    entry = _entry(path)
    if isinstance(entry, SourceError) or entry.is_file():
        return [entry]
    return _below(path) if entry.is_folder() else []


def _below(folder: str) -> _Found:
    """Return the histories below a folder, sorted; linked folders too, but no folder twice, so that circles end."""
    wrong: list[SourceError] = []
    files: list[str] = []
    seen: set[tuple[int, int] | str] = set()

    def is_new(path: str) -> bool:
        entry = _entry(path)
        if isinstance(entry, SourceError):
            wrong.append(entry)
            return False
        new = entry.identity not in seen
        seen.add(entry.identity)
        return new

    def fail(error: OSError) -> None:
        wrong.append(_cannot(str(error.filename or folder), error))

    is_new(folder)
    for where, folders, names in os.walk(folder, onerror=fail, followlinks=True):
        folders[:] = [name for name in sorted(folders) if is_new(str(Path(where) / name))]
        files += [str(Path(where) / name) for name in names if name.endswith(SUFFIXES)]
    return [*wrong, *(found for file in sorted(files) for found in _searched(file))]


def _entry(path: str) -> _Entry | SourceError:
    try:
        return _Entry(path, Path(path).stat())
    except OSError as error:
        return _cannot(path, error)


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


class _Once:
    """What can be read once unless it is kept.

    Args:
        path: as it is shown.
        open_stream: opens it; asked once.
    """

    def __init__(self, path: str, open_stream: Callable[[], BufferedReader]) -> None:
        self._path = path
        self._open = open_stream
        self._spool: IO[bytes] | None = None

    def open(self) -> BufferedReader:
        """Return what was kept, from its beginning, else the stream itself."""
        return self.kept() if self._spool is not None else self._open()

    def kept(self) -> BufferedReader:
        """Return all of it, from its beginning, kept in memory or on disk."""
        if self._spool is None:
            spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL)  # noqa: SIM115 (lives as long as the program)
            try:
                shutil.copyfileobj(self._open(), spool)
            except SourceError:
                raise
            except OSError as error:
                raise _cannot(self._path, error) from error
            self._spool = spool
        self._spool.seek(0)
        return BufferedReader(_Unclosed(self._spool))


def _open_stdin() -> BufferedReader:
    if sys.stdin is None:
        raise SourceError("-: cannot be read: standard input is closed")
    return cast(BufferedReader, sys.stdin.buffer)


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


_stdin = _Once("-", _open_stdin)


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
        if sys.stdin is None or self._raw is not sys.stdin.buffer:
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

"""Where histories come from: files, directories, globs and standard input, packed or not."""

import fnmatch
import glob
import gzip
import hashlib
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from comet_hist.notation import json_form
from comet_hist.notation.lines import LONGEST, is_text

SUFFIXES: Final = (".comet", ".comet.gz", ".comet.zst")
"""The endings of what is read of a directory, in any case."""

PACKINGS: Final = (".gz", ".zst")
"""The endings of compressed files, in any case."""

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
        kind = packing(self.path)
        pull: Callable[[int], bytes]
        errors: tuple[type[Exception], ...] = (OSError,)
        if kind == ".gz":
            pull = _unpack_gzip(raw)
            errors = (OSError, EOFError, zlib.error)
        elif kind == ".zst":
            pull, error = _unpack_zstd(raw)
            errors = (OSError, EOFError, error)
        else:
            pull = raw.read1
        stream = BufferedReader(_Stream(self.path, raw, pull, errors), _BUFFER)
        if kind is None and stream.peek(_MAGIC.stop)[_MAGIC] == b"DUCK":
            stream.close()
            raise SourceError(f"{self.path}: is a database, not a history; give it by --db")
        return stream


def packing(path: str) -> str | None:
    """Return `.gz` or `.zst` where the name of a file says that it is compressed so.

    >>> packing("night.comet.GZ"), packing("night.comet")
    ('.gz', None)
    """
    return next((ending for ending in PACKINGS if path.lower().endswith(ending)), None)


def without_packing(path: str) -> str:
    """Return the name of a file without the ending that says how it is compressed."""
    return path[: len(path) - len(packing(path) or "")]


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
    seen: set[_Identity] = set()
    for path in paths:
        for found in _named(path):
            if isinstance(found, SourceError):
                complain(found)
            elif found.identity not in seen:
                seen.add(found.identity)
                yield found.source()


_Identity = tuple[int, int] | str
"""What tells a file from others under whatever name: its device and number; `-` for standard input."""


class _Entry(NamedTuple):
    """A path that is there, with what it is; for standard input without."""

    path: str
    status: os.stat_result | None

    @property
    def identity(self) -> _Identity:
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
        walked: set[_Identity] = set()
        wrong: list[SourceError] = []
        found = [each for match in sorted(_matches(path, wrong)) for each in _searched(match, walked)]
        return [*wrong, *found] or [SourceError(f"{path}: no file matches")]
    entry = _entry(path)
    if isinstance(entry, SourceError) or not entry.is_folder():
        return [entry]
    wanted = ", ".join("*" + suffix for suffix in SUFFIXES)
    return _below(path, set()) or [SourceError(f"{path}: no {wanted} in this directory")]


def _matches(pattern: str, wrong: list[SourceError]) -> Iterator[str]:
    """Give the paths that match a glob, as `glob.glob` does, but search a folder once, also where links loop.

    Args:
        pattern: the glob.
        wrong: takes the folders below `**` that cannot be searched.
    """
    anchor = pattern[: len(pattern) - len(pattern.lstrip("/"))]
    parts = [part for part in pattern.split("/") if part] + [""] * pattern.endswith("/")
    seen: set[tuple[_Identity, int]] = set()
    todo = [(anchor, 0)]
    while todo:
        folder, at = todo.pop()
        if at == len(parts):
            yield folder
            continue
        entry = _entry(folder or ".")
        if isinstance(entry, SourceError) or not entry.is_folder() or (entry.identity, at) in seen:
            continue
        seen.add((entry.identity, at))
        part = parts[at]
        if not glob.has_magic(part):
            path = os.path.join(folder, part)  # noqa: PTH118 (`./` stays)
            todo += [(path, at + 1)] if os.path.lexists(path) else []
            continue
        try:
            inner = _inside(folder, hidden=part.startswith("."))
        except OSError as error:
            wrong += [_cannot(folder or ".", error)] if part == "**" else []
            continue
        if part == "**":
            if at + 1 == len(parts):
                todo += [(path, at + 1) for path in (os.path.join(folder, ""), *inner) if path]  # noqa: PTH118
            todo += [(path, at) for path in inner]
            todo += [(folder, at + 1)] if at + 1 < len(parts) else []
        else:
            fits = re.compile(fnmatch.translate(part)).match
            todo += [(path, at + 1) for path in inner if fits(os.path.basename(path))]  # noqa: PTH119


def _inside(folder: str, hidden: bool) -> list[str]:
    """Return what is in a folder, links first; what is hidden only if asked for.

    Searched from the end, a folder is found by its own name rather than by that of a link.
    """
    with os.scandir(folder or ".") as entries:
        inner = [(not entry.is_symlink(), entry.name) for entry in entries if hidden or not entry.name.startswith(".")]
    return [os.path.join(folder, name) for _, name in sorted(inner)]  # noqa: PTH118


def _searched(path: str, walked: set[_Identity]) -> _Found:
    """Return what a path that was come across stands for: a file, the files below a folder, nothing else."""
    entry = _entry(path)
    if isinstance(entry, SourceError) or entry.is_file():
        return [entry]
    return _below(path, walked) if entry.is_folder() else []


def _below(folder: str, walked: set[_Identity]) -> _Found:
    """Return the histories below a folder, sorted; linked folders too, but no folder twice, so that circles end.

    Args:
        folder: the folder.
        walked: the folders that were gone through already; further ones are added.
    """
    wrong: _Found = []
    files: list[str] = []

    def is_new(path: str) -> bool:
        entry = _entry(path)
        if isinstance(entry, SourceError):
            wrong.append(entry)
            return False
        new = entry.identity not in walked
        walked.add(entry.identity)
        return new

    def fail(error: OSError) -> None:
        wrong.append(_cannot(str(error.filename or folder), error))

    if not is_new(folder):
        return wrong
    for where, folders, names in os.walk(folder, onerror=fail, followlinks=True):
        folders[:] = [name for name in sorted(folders) if is_new(str(Path(where) / name))]
        files += [str(Path(where) / name) for name in names if name.lower().endswith(SUFFIXES)]
    return [*wrong, *(found for file in sorted(files) for found in _searched(file, walked))]


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
                stream = self._open()
                beginning = stream.read(LONGEST)
                spool.write(beginning)
                # What is no text may have no end, as a device, and nothing of it is read.
                if packing(self._path) is not None or json_form(self._path) is not None or is_text(beginning):
                    shutil.copyfileobj(stream, spool)
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


_EMPTY: Final = "it is empty, which no compressed file is"


def _unpack_gzip(raw: BufferedReader) -> Callable[[int], bytes]:
    """Return a function that gives unpacked bytes, as many as asked for at most."""
    unpacker = gzip.GzipFile(fileobj=raw)
    begun = False

    def pull(size: int) -> bytes:
        nonlocal begun
        if not begun and not raw.peek(1):
            raise EOFError(_EMPTY)
        begun = True
        return unpacker.read1(size)

    return pull


def _unpack_zstd(raw: BufferedReader) -> tuple[Callable[[int], bytes], type[Exception]]:
    """Return a function that gives unpacked bytes, as many as asked for at most, and the error it may raise."""
    import zstandard

    def frames() -> Iterator[bytes]:
        unpacker = zstandard.ZstdDecompressor().decompressobj()
        rest = b""
        started = ended = False
        while chunk := rest or raw.read(_PACKED_CHUNK):
            started = True
            yield unpacker.decompress(chunk)
            rest = b""
            if unpacker.eof:
                rest = unpacker.unused_data
                unpacker = zstandard.ZstdDecompressor().decompressobj()
                started, ended = False, True
        if started:
            raise EOFError("it breaks off before its end")
        if not ended:
            raise EOFError(_EMPTY)

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

"""Writing output files: the old file stays until the new one is complete, whatever ends the command."""

import fcntl
import gzip
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import IO, Final, cast

from comet_hist.cli.status import Failure, complain
from comet_hist.notation.sources import packing
from comet_hist.signals import undisturbed

_NUMBERED: Final = 4
"""Temporary files of one output that have known names, so that a later command finds them."""

_MOST_LINKS: Final = 40
"""Symbolic links that are followed from one to the next, as on Linux."""

_held: set[int] = set()
"""The descriptors of the temporary files of this process, by which they are locked."""


class OutputError(Failure):
    """An output cannot be written; it is as it was."""


@contextmanager
@undisturbed
def writing(path: Path, tell: Callable[[str], None] = complain) -> Iterator[IO[bytes]]:
    """Give a stream whose bytes replace a file when the context ends without an error.

    Args:
        path: the file. If its name ends in `.gz` or `.zst`, what is written is compressed. A pipe, a device or an
            open descriptor, such as `/dev/stdout`, is written to directly.
        tell: takes a line that the user should know of.

    Raises:
        OutputError: if it cannot be written.
    """
    with _reporting(path), ExitStack() as stack:
        descriptor = _descriptor(path)
        if descriptor is None:
            raw: IO[bytes] = stack.enter_context(stack.enter_context(whole(path, tell)).open("wb"))
        else:
            raw = stack.enter_context(os.fdopen(os.dup(descriptor), "wb"))
        yield stack.enter_context(_packed(path, raw))


@contextmanager
@undisturbed
def whole(path: Path, tell: Callable[[str], None] = complain) -> Iterator[Path]:
    """Give the path of a temporary file, which replaces a file when the context ends without an error.

    The new file has the mode of the old one and, where that is possible, its owner. A symbolic link stays, and the
    file that it leads to is replaced or made. Hard links are split, which `tell` is told. A pipe or device is given
    itself. Temporary files that a killed command left for the same output are removed.

    Args:
        path: the file.
        tell: takes a line that the user should know of.

    Raises:
        OutputError: if it cannot be written.
    """
    with _reporting(path):
        before = _status(path)
        if before is not None and not stat.S_ISREG(before.st_mode):
            if stat.S_ISDIR(before.st_mode):
                raise OutputError(f"{path}: is a folder; give the name of a file")
            yield path
            return
        if before is not None and not os.access(path, os.W_OK):
            raise OutputError(f"{path}: cannot be written: it is write-protected")
        real = Path(os.path.realpath(path))
        with _Temporary(real, 0o666 if before is None else 0o600) as temporary:
            yield temporary.path
            if before is not None:
                _keep_owner_and_mode(temporary.descriptor, before)
            os.fsync(temporary.descriptor)
            temporary.path.replace(real)
        if before is not None and before.st_nlink > 1:
            tell(f"{path}: was a hard link; the other names of the file keep its old content")


@contextmanager
def _reporting(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


def _status(path: Path) -> os.stat_result | None:
    """Return what a path leads to; None if there is nothing, or if the path is a link to nothing."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _descriptor(path: Path) -> int | None:
    """Return the open descriptor of this process that a path such as `/dev/stdout` stands for, or None."""
    own, at = os.path.realpath("/dev/fd"), str(path)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(at)
        folder = os.path.realpath(folder or ".")
        if folder == own and name.isdecimal():
            return int(name)
        try:
            at = str(Path(folder, Path(folder, name).readlink()))
        except OSError:
            return None
    return None


class _Temporary:
    """A new locked file in the folder of an output, for as long as the context lasts; an error removes it.

    The lock shows other processes that the file is in use. The kernel releases it when this process ends, so that a
    file without a lock was left by a process that was killed.

    Args:
        real: the output.
        mode: of the new file.

    Attributes:
        path: the new file.
        descriptor: holds the lock.
    """

    def __init__(self, real: Path, mode: int) -> None:
        self.path = real
        self.descriptor = -1
        self._real = real
        self._mode = mode

    def __enter__(self) -> "_Temporary":
        try:
            self._create()
        except BaseException:
            self._leave(remove=True)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._leave(remove=kind is not None)

    def _create(self) -> None:
        # The name has a fixed length, whatever that of the output, and its ending is that of no history.
        prefix = f".comet-hist-{sha256(os.fsencode(self._real.name)).hexdigest()[:12]}"
        known = [f"{prefix}-{number}.tmp" for number in range(_NUMBERED)]
        for name in known:
            _remove_if_left(self._real.with_name(name))
        for name in chain(known, iter(lambda: f"{prefix}-{secrets.token_hex(8)}.tmp", None)):
            self.path = self._real.with_name(name)
            with suppress(FileExistsError):
                self.descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, self._mode)
                _held.add(self.descriptor)
                # Until it is locked, another process may take the file for one that was left, and remove it.
                if _lock(self.descriptor) is not False and _is_same(self.path, self.descriptor):
                    return
                self._leave(remove=False)

    def _leave(self, remove: bool) -> None:
        """Close the file; remove it too, unless it has another name by now."""
        if self.descriptor >= 0:
            if remove:
                self.path.unlink(missing_ok=True)
            _held.discard(self.descriptor)
            os.close(self.descriptor)
            self.descriptor = -1
        elif self.path != self._real:  # an interrupt came before the descriptor of the new file was known
            _remove_if_left(self.path)


def _remove_if_left(path: Path) -> None:
    """Remove a temporary file that no process has locked."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if _lock(descriptor) and _is_same(path, descriptor):
                path.unlink()
        finally:
            os.close(descriptor)


def _lock(descriptor: int) -> bool | None:
    """Lock a file; return False if another process has locked it, None on a file system without locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_same(path: Path, descriptor: int) -> bool:
    now = _status(path)
    return now is not None and os.path.samestat(now, os.fstat(descriptor))


def _release_locks() -> None:
    """Close the temporary files of the parent in a forked process, which would keep their locks after it."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_release_locks)


@contextmanager
def _packed(path: Path, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Give a stream that compresses what is written to it, as the ending of a path says."""
    kind = packing(str(path))
    if kind == ".gz":
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as archive:
            yield cast(IO[bytes], archive)
    elif kind == ".zst":
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as frame:
            yield frame
    else:
        yield raw


def _keep_owner_and_mode(descriptor: int, before: os.stat_result) -> None:
    now = os.fstat(descriptor)
    if now.st_gid != before.st_gid:
        with suppress(PermissionError):
            os.fchown(descriptor, -1, before.st_gid)
    if now.st_uid != before.st_uid:
        with suppress(PermissionError):
            os.fchown(descriptor, before.st_uid, -1)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))

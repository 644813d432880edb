"""Files written in place: the old one stays until the new one is whole."""

import gzip
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from comet_hist.notation.sources import SourceError
from comet_hist.signals import undisturbed


def replace(path: str, content: IO[bytes]) -> None:
    """Replace a file by one with other content, of the same mode and, where that is possible, the same owner.

    A symbolic link stays, and the file behind it is replaced. What is called `.gz` or `.zst` is packed.

    Args:
        path: the file.
        content: its new bytes, unpacked, from the place where they stand now to the end.

    Raises:
        SourceError: if it cannot be written; it is then as it was.
    """
    try:
        real = Path(path).resolve(strict=True)
        before = real.stat()
        if not stat.S_ISREG(before.st_mode):
            raise SourceError(f"{path}: cannot be written: it is no ordinary file")
        if not os.access(real, os.W_OK):
            raise SourceError(f"{path}: cannot be written: it is write-protected")
        with beside(real) as new:
            with packed(path, new) as packing:
                shutil.copyfileobj(content, packing)
            new.flush()
            _keep_owner_and_mode(new.fileno(), before)
            os.fsync(new.fileno())
            Path(new.name).replace(real)
    except SourceError:
        raise
    except OSError as error:
        raise SourceError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
@undisturbed
def beside(file: Path) -> Iterator[IO[bytes]]:
    """Give a new file in the same folder, which is taken away again if anything fails."""
    # Its name ends so that it is no history, in case the machine stops before it has taken the old one's place.
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".comet-hist-", suffix=".tmp", delete=False) as new:
        try:
            yield new
        except BaseException:
            Path(new.name).unlink(missing_ok=True)
            raise


@contextmanager
def packed(path: str, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Give what packs, in the way that the path's ending says, everything written to it."""
    suffix = Path(path).suffix
    if suffix == ".gz":
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as archive:
            yield cast(IO[bytes], archive)
    elif suffix == ".zst":
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as frame:
            yield frame
    else:
        yield raw


def _keep_owner_and_mode(descriptor: int, before: os.stat_result) -> None:
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))

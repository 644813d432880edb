"""Files on their way into the database, with what happened to each in words."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from comet_hist.findings import some

if TYPE_CHECKING:
    from comet_hist.cli.reading import Reading
    from comet_hist.findings import Finding
    from comet_hist.notation.sources import Fingerprint, Source
    from comet_hist.store.load import Loaded, Loader


class FileLoading:
    """The loading of one file: iterate over its findings to have it done.

    The file is loaded whole when the iteration ends, and not at all when it is broken off.

    Args:
        reading: what the file is read by.
        loader: the database.
        source: the file.
        mark: its fingerprint.

    Attributes:
        result: what the loading did, once it is done.
    """

    def __init__(self, reading: "Reading", loader: "Loader", source: "Source", mark: "Fingerprint") -> None:
        self.result: Loaded | None = None
        self._reading = reading
        self._loader = loader
        self._source = source
        self._mark = mark

    def __iter__(self) -> "Generator[Finding]":
        """Give the findings to report of the file as they come, those last that the database makes (E206).

        Raises:
            SourceError: if the file cannot be read to its end.
            StoreError: if the database cannot be written.
        """
        from comet_hist.judge import Judged
        from comet_hist.notation.sources import SourceError

        reading = self._reading
        try:
            with self._loader.file(self._source.place, self._mark.sha256, self._mark.size) as load:
                for item in reading.noting(self._source, reading.passed(self._source)):
                    if isinstance(item, Judged):
                        load.add(item)
                    else:
                        load.add_proven(item, self._source.path)
                    yield from reading.reported(item)
        except SourceError:
            reading.forget(self._source)
            raise
        self.result = load.result
        yield from reading.counted(load.result.findings)


_LARGE: Final = 10_000_000
"""Bytes from which on reading a file takes a good part of a second."""


def marked(loader: "Loader", source: "Source") -> "Fingerprint":
    """Return the fingerprint of a file to load.

    Raises:
        SourceError: if it cannot be read.
        StoreError: if the files that wait cannot be written.
    """
    from comet_hist.notation.sources import fingerprint

    # Nothing waits while a pipe is waited for, or much is read.
    if source.keep is not None or _is_large(source.path):
        loader.commit()
    return fingerprint(source)


def _is_large(path: str) -> bool:
    try:
        return Path(path).stat().st_size > _LARGE
    except OSError:
        # Whoever reads the file says what is wrong with it.
        return False


def findings_while_loading(reading: "Reading", loader: "Loader") -> "Generator[Finding]":
    """Load all files of a reading and give their findings as they come; what is loaded already is only judged.

    Raises:
        StoreError: if the database cannot be written.
    """
    for source in reading.sources():
        with reading.guarding():
            mark = marked(loader, source)
            if loader.already_loaded(source.place, mark.sha256):
                for item in reading.noting(source, reading.passed(source)):
                    yield from reading.reported(item)
            else:
                yield from FileLoading(reading, loader, source, mark)


def described(result: "Loaded") -> str:
    """Return what loading a file did, in words."""
    parts = []
    new = result.sessions - result.replaced
    if new:
        parts.append(f"loaded {some(new, 'session')}")
    if result.replaced:
        parts.append(f"replaced {some(result.replaced, 'session')}")
    if result.sessions:
        parts[-1] += f" with {some(result.hands, 'hand')}"
    if result.same:
        parts.append(f"{some(result.same, 'session')} there already")
    if result.dropped:
        parts.append(f"took out {some(result.dropped, 'session')} no longer in the file")
    if result.refused:
        parts.append(f"refused {some(result.refused, 'session')}")
    return ", ".join(parts) or "nothing to load"

"""Opening the database file, and one clear line for whatever stands in the way."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from comet_hist.processes import cores, reserve
from comet_hist.signals import undisturbed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SCHEMA_VERSION: Final = 3
"""The layout of the file that this program writes and reads."""

SEALED: Final[Mapping[str, bool]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
"""Settings by which DuckDB never fetches or loads an extension."""

# The file can be read by DuckDB 1.4 and later.
_STORAGE: Final = {"storage_compatibility_version": "v1.4.0"}


# DuckDB takes such a beginning for the name of another kind of database, or of none that is kept.
_PREFIX: Final = re.compile(r":memory:|\w{2,}:")


_ROOM: Final = 1 << 30
_ROOM_OF_THREAD: Final = 1 << 27
"""Bytes of address space that DuckDB and numpy take at most for a small database, and for each of DuckDB's threads."""


_PATIENCE: Final = 1.0
"""Seconds in which DuckDB should have heard an interrupt."""


class StoreError(Exception):
    """The database cannot be used as asked; the message is one clear line."""


@undisturbed
def open_database(path: Path | None) -> "DuckDBPyConnection":
    """Open a database for loading, and make its schema where there is none yet.

    Args:
        path: the file, made if it does not exist; None for a database in memory.

    Raises:
        StoreError: if the file is in use, cannot be written, is no database of comet-hist, or one of another version.
    """
    new = False
    if path is not None:
        _check_name(path)
        new = not os.path.lexists(path)
    connection = _connect(path, read_only=False, config={**SEALED, **_STORAGE})
    try:
        with telling(path):
            if _is_empty(connection):
                _make_schema(connection)
            else:
                _check_schema(connection, path)
    except BaseException:
        connection.close()
        if path is not None and new:
            remove(path)
        raise
    return connection


def remove(path: Path) -> None:
    """Take away a database file, which is closed, with what DuckDB may have left beside it."""
    for file in (path, path.with_name(path.name + ".wal")):
        file.unlink(missing_ok=True)


def interrupt(connection: "DuckDBPyConnection", done: Event) -> None:
    """Interrupt what a connection does in another thread, and wait until that says that it is done.

    DuckDB does not hear it in the middle of one long function, such as `repeat`, and is then left alone after a second.
    """
    until = monotonic() + _PATIENCE
    # An interrupt that comes before a statement has begun is lost, so that it is said until it is heard.
    while not done.wait(0.02) and monotonic() < until:
        connection.interrupt()


@undisturbed
def close(connection: "DuckDBPyConnection") -> None:
    """Close a connection without waiting for the rest of an answer that nobody wants."""
    import duckdb

    connection.interrupt()
    # It is busy with what could not be interrupted; then the process ends.
    with suppress(duckdb.Error):
        connection.close()


@undisturbed
def open_sealed(path: Path, config: Mapping[str, bool | str]) -> "DuckDBPyConnection":
    """Open an existing database for reading only, with further settings.

    Raises:
        StoreError: if there is no such file, it is being written, or it is no database of this version.
    """
    _check_name(path)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreError(f"{path}: there is no such file; `comet-hist load PATH… --db {path}` makes it") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
    connection = _connect(path, read_only=True, config={**SEALED, **config})
    try:
        with telling(path):
            _check_schema(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def telling(path: Path | None) -> Iterator[None]:
    """Tell in one line what DuckDB finds wrong with a database that is open.

    Args:
        path: its file; None for a database in memory.

    Raises:
        StoreError: for every error of DuckDB's.
    """
    import duckdb

    altered = (duckdb.CatalogException, duckdb.BinderException)
    try:
        yield
    except duckdb.Error as error:
        where, said = path or "the database in memory", str(error).splitlines()[0].rstrip("!.")
        if path is not None and isinstance(error, altered):
            said = f"is not as comet-hist made it: {said}; load the histories into a new file"
            raise StoreError(f"{where}: {said}") from error
        raise StoreError(f"{where}: cannot be read or written: {said}") from error


def _connect(path: Path | None, read_only: bool, config: Mapping[str, bool | str]) -> "DuckDBPyConnection":
    reserve(_ROOM + cores() * _ROOM_OF_THREAD)
    import duckdb

    try:
        return duckdb.connect(str(path) if path else ":memory:", read_only=read_only, config=dict(config))
    except duckdb.Error as error:
        assert path is not None
        raise StoreError(_why_not_opened(path, str(error))) from error


def _check_name(path: Path) -> None:
    """Refuse what names no file to DuckDB, so that nothing is loaded into what is gone, or elsewhere, afterwards."""
    name = str(path)
    if _PREFIX.match(name):
        raise StoreError(f"{name}: names no file to DuckDB; give a file, such as nights.duckdb")
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise StoreError(f"{name}: is no name in UTF-8, and DuckDB takes no other") from error


def _why_not_opened(path: Path, said: str) -> str:
    """Turn what DuckDB said when a file could not be opened into one line."""
    held = re.search(r"lock is held in (.*?) \((PID \d+)", said)
    if held:
        return f"{path}: is in use by {held[1]} ({held[2]}); try again when that has ended"
    if os.path.isdir(path):  # noqa: PTH112 (the one of Path fails where a folder may not be searched)
        return f"{path}: is a directory; give the database file itself"
    if not os.path.isdir(path.parent):  # noqa: PTH112
        return f"{path}: there is no directory {path.parent}"
    there = os.path.exists(path)  # noqa: PTH110
    if there and not os.access(path, os.R_OK):
        return f"{path}: may not be read by you"
    if not os.access(path if there else path.parent, os.W_OK):
        return f"{path}: may not be written by you"
    if there and not path.stat().st_size:
        return f"{path}: is an empty file and no DuckDB database; remove it, or give another file"
    if "not a valid DuckDB database" in said or "extension" in said.lower():
        return f"{path}: is not a DuckDB database"
    return f"{path}: {said.splitlines()[0]}"


def _is_empty(connection: "DuckDBPyConnection") -> bool:
    found = connection.execute(
        "SELECT (SELECT count(*) FROM duckdb_tables()) + (SELECT count(*) FROM duckdb_views() WHERE NOT internal)"
    ).fetchall()
    return found == [(0,)]


def _make_schema(connection: "DuckDBPyConnection") -> None:
    here = files("comet_hist.store")
    connection.begin()
    connection.execute(here.joinpath("schema.sql").read_text(encoding="utf-8"))
    connection.execute(here.joinpath("views.sql").read_text(encoding="utf-8"))
    connection.execute("INSERT INTO private.comet_hist VALUES (?)", [SCHEMA_VERSION])
    connection.commit()


def _check_schema(connection: "DuckDBPyConnection", path: Path | None) -> None:
    ours = connection.execute(
        "SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'private' AND table_name = 'comet_hist'"
    ).fetchall()
    if ours != [(1,)]:
        raise StoreError(f"{path}: is a DuckDB database, but not one that comet-hist made; give another file")
    ((version,),) = connection.execute("SELECT max(schema_version) FROM private.comet_hist").fetchall()
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{path}: has schema version {version}, this comet-hist knows version {SCHEMA_VERSION}; "
            "load the histories into a new file"
        )

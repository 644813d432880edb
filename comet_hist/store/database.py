"""Opening the database file, and one clear line for whatever stands in the way."""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from comet_hist.processes import cores, reserve
from comet_hist.signals import undisturbed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SCHEMA_VERSION: Final = 4
"""The layout of the file that this program writes and reads."""

SEALED: Final[Mapping[str, bool]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
"""Settings by which DuckDB never fetches or loads an extension."""

# A new file can be read by DuckDB 1.4 and later.
_STORAGE: Final = {"storage_compatibility_version": "v1.4.0"}

_CATALOG: Final = "comet_hist"
"""The name of the database in SQL. DuckDB would take the file's, which may be that of a schema, such as `private`."""

_BESIDE: Final = (".wal", ".wal.checkpoint", ".wal.recovery")
"""What DuckDB appends to the name of a file for the files that it writes beside it."""


_REFUSED: Final = "?\\"
"""What no path may have: DuckDB takes what follows ? for options, and a backslash for a slash."""


_ROOM: Final = 1 << 30
_ROOM_OF_THREAD: Final = 1 << 27
"""Bytes of address space that DuckDB and numpy take at most for a small database, and for each of DuckDB's threads."""


_PATIENCE: Final = 1.0
"""Seconds in which DuckDB should have heard an interrupt."""


class StoreError(Exception):
    """The database cannot be used as asked; the message is one clear line."""


class Opened(NamedTuple):
    """A database that is open for loading.

    Attributes:
        connection: the connection.
        new: the file that was made for it, and what it is; None where it was there before, or is in memory.
    """

    connection: "DuckDBPyConnection"
    new: tuple[Path, os.stat_result] | None

    def discard(self) -> None:
        """Close a database into which nothing was loaded, and remove its file if it is new.

        The file goes while it is still locked, and DuckDB is kept from writing to its name afterwards: by then that
        may be the name of another file, which another process made and loaded.
        """
        try:
            if self.new is not None:
                self.connection.execute("PRAGMA disable_checkpoint_on_shutdown")
                _remove(*self.new)
        finally:
            self.connection.close()


def _remove(file: Path, status: os.stat_result) -> None:
    """Remove a file, and what DuckDB wrote beside it, unless its name is that of another file by now."""
    try:
        same = os.path.samestat(file.stat(), status)
    except FileNotFoundError:
        return
    if same:
        for suffix in (*_BESIDE, ""):
            file.with_name(file.name + suffix).unlink(missing_ok=True)


@undisturbed
def open_database(path: Path | None) -> Opened:
    """Open a database for loading, and make its schema where there is none yet.

    Args:
        path: the file, made if it does not exist; None for a database in memory.

    Raises:
        StoreError: if the file is in use, cannot be written, is no database of comet-hist, or one of another version.
    """
    if path is None:
        connection = _in_memory()
        _make_schema(connection)
        return Opened(connection, None)
    file = _resolve(path)
    existed = os.path.lexists(file)
    connection = _attach(file, path, read_only=False)
    opened = Opened(connection, None)
    try:
        status = _status(file, path)
        with telling(path):
            connection.execute(f"SET temp_directory = {literal(f'{file}.tmp')}")
            # Another process may have made and loaded the file before this one locked it.
            if _is_empty(connection):
                opened = Opened(connection, None if existed else (file, status))
                _make_schema(connection)
            else:
                _check_schema(connection, path)
    except BaseException:
        opened.discard()
        raise
    return opened


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

    Args:
        path: the file.
        config: settings by name, made in this order once the file is open.

    Raises:
        StoreError: if there is no such file, it is being written, or it is no database of this version.
    """
    file = _resolve(path)
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreError(f"{path}: there is no such file; `comet-hist load PATH… --db {path}` makes it") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
    connection = _attach(file, path, read_only=True)
    try:
        with telling(path):
            for name, value in config.items():
                connection.execute(f"SET {name} = {literal(str(value))}")
            _check_schema(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _status(file: Path, path: Path) -> os.stat_result:
    """Return what a file is that has just been opened."""
    try:
        return file.stat()
    except FileNotFoundError as error:
        raise StoreError(f"{path}: was removed by another process meanwhile; try again") from error


def literal(text: str) -> str:
    """Return text as a literal of SQL; the bytes of a path are taken for UTF-8, whatever encoding the locale has."""
    return "'" + os.fsencode(text).decode().replace("'", "''") + "'"


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


def _in_memory() -> "DuckDBPyConnection":
    reserve(_ROOM + cores() * _ROOM_OF_THREAD)
    import duckdb

    return duckdb.connect(":memory:", config={**SEALED, **_STORAGE})


def _attach(file: Path, path: Path, read_only: bool) -> "DuckDBPyConnection":
    """Open a file under the name `_CATALOG`.

    Args:
        file: the file as `_resolve` returns it.
        path: the same as messages show it.
        read_only: whether nothing is written to it.
    """
    import duckdb

    connection = _in_memory()
    try:
        connection.execute(f"ATTACH {literal(str(file))} AS {_CATALOG}{' (READ_ONLY)' if read_only else ''}")
        connection.execute(f"USE {_CATALOG}")
    except duckdb.Error as error:
        connection.close()
        raise StoreError(_why_not_opened(path, str(error))) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _resolve(path: Path) -> Path:
    """Return the absolute path of a database file, links followed, so that what DuckDB writes beside it lies there.

    Raises:
        StoreError: if DuckDB cannot open a file of that name.
    """
    try:
        file = Path(os.path.realpath(path))
        text = os.fsencode(file).decode()
    except OSError as error:
        raise StoreError(f"{path}: there is no such file; the current folder is gone") from error
    except UnicodeDecodeError as error:
        raise StoreError(f"{path}: is no name in UTF-8, and DuckDB takes no other") from error
    for sign in _REFUSED:
        if sign in text:
            raise StoreError(f"{path}: DuckDB cannot open {file} because of the {sign}; use another name or folder")
    try:
        os.lstat(f"{file}{max(_BESIDE, key=len)}")
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise StoreError(f"{path}: the name is too long; DuckDB appends up to 15 characters to it") from error
    return file


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

"""Opening the database file, and one clear line for whatever stands in the way."""

import os
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SCHEMA_VERSION: Final = 1
"""The layout of the file that this program writes and reads."""

SEALED: Final[Mapping[str, bool]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
}
"""Settings by which DuckDB never fetches or loads an extension."""

# The file can be read by DuckDB 1.4 and later.
_STORAGE: Final = {"storage_compatibility_version": "v1.4.0"}


class StoreError(Exception):
    """The database cannot be used as asked; the message is one clear line or DuckDB's own words on an SQL text."""


def open_database(path: Path | None) -> "DuckDBPyConnection":
    """Open a database for loading, and make its schema where there is none yet.

    Args:
        path: the file, made if it does not exist; None for a database in memory.

    Raises:
        StoreError: if the file is in use, cannot be written, is no database of comet-hist, or one of another version.
    """
    connection = _connect(path, read_only=False, config={**SEALED, **_STORAGE})
    try:
        if _is_empty(connection):
            _make_schema(connection)
        else:
            _check_schema(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def open_sealed(path: Path, config: Mapping[str, bool | str]) -> "DuckDBPyConnection":
    """Open an existing database for reading only, with further settings.

    Raises:
        StoreError: if there is no such file, it is being written, or it is no database of this version.
    """
    if not path.exists():
        raise StoreError(f"{path}: there is no such file; `comet-hist load PATH… --db {path}` makes it")
    connection = _connect(path, read_only=True, config={**SEALED, **config})
    try:
        _check_schema(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path | None, read_only: bool, config: Mapping[str, bool | str]) -> "DuckDBPyConnection":
    import duckdb

    try:
        return duckdb.connect(str(path) if path else ":memory:", read_only=read_only, config=dict(config))
    except duckdb.Error as error:
        assert path is not None
        raise StoreError(_why_not_opened(path, str(error))) from error


def _why_not_opened(path: Path, said: str) -> str:
    """Turn what DuckDB said when a file could not be opened into one line."""
    held = re.search(r"lock is held in (.*?) \((PID \d+)", said)
    if held:
        return f"{path}: is in use by {held[1]} ({held[2]}); try again when that has ended"
    if path.is_dir():
        return f"{path}: is a directory; give the database file itself"
    if not path.parent.is_dir():
        return f"{path}: there is no directory {path.parent}"
    if path.exists() and not os.access(path, os.R_OK):
        return f"{path}: may not be read by you"
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return f"{path}: may not be written by you"
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

"""The views of the database as files, one a view, or one of them as lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from comet_hist.store.columns import VIEWS
from comet_hist.store.query import fetch, fetch_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

def view_names() -> tuple[str, ...]:
    """Return the names of the views in their order."""
    return tuple(view.name for view in VIEWS)


def column_names(view: str) -> list[str]:
    """Return the names of the columns of a view in their order."""
    return [column.name for each in VIEWS if each.name == view for column in each.columns]


def view_rows(connection: "DuckDBPyConnection", view: str) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a view, ordered by its columns from left to right."""
    return fetch_rows(connection, f"SELECT * FROM {view} ORDER BY ALL")


def write_parquet(connection: "DuckDBPyConnection", view: str, file: Path) -> None:
    """Write a view as a parquet file, ordered by its columns from left to right.

    Raises:
        OSError: if it cannot be written.
    """
    import duckdb

    target = str(file).replace("'", "''")
    try:
        # The file is locked by the caller: it may not be replaced by another one.
        options = "FORMAT parquet, USE_TMP_FILE false"
        fetch(connection, f"COPY (SELECT * FROM {view} ORDER BY ALL) TO '{target}' ({options})")
    except duckdb.IOException as error:
        raise OSError(str(error).splitlines()[0]) from error

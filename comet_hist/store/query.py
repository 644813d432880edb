"""Questions to the database: read-only, and shut off from files, network and extensions."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.store.database import StoreError, open_sealed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SHUT_OFF: Final[dict[str, bool | str]] = {
    "enable_external_access": False,
    "lock_configuration": True,
    "temp_directory": "",
}


class Table(NamedTuple):
    """An answer: the names of its columns, and its rows as Python values."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


def connect_readonly(path: Path) -> "DuckDBPyConnection":
    """Open a database of comet-hist so that SQL can read it and reach nothing else.

    Raises:
        StoreError: if the file does not exist, is being written, or is no database of this version.
    """
    return open_sealed(path, _SHUT_OFF)


def run_query(connection: "DuckDBPyConnection", sql: str) -> Table:
    """Run one query (`SELECT`, `FROM`, `DESCRIBE`, `SHOW`, `SUMMARIZE`, `PIVOT`, `EXPLAIN` …) and return its answer.

    Ctrl-C ends the query at once.

    Raises:
        StoreError: if the text is not exactly one query, or DuckDB finds fault with it.
        KeyboardInterrupt: if it was interrupted.
    """
    import duckdb

    try:
        statements = connection.extract_statements(sql)
    except duckdb.Error as error:
        raise StoreError(str(error)) from error
    if len(statements) != 1:
        raise StoreError(f"give one query at a time, found {len(statements) or 'none'}")
    kinds = duckdb.StatementType
    # A PIVOT without an IN list counts as several statements: one that finds the columns, and the query.
    if statements[0].type not in (kinds.SELECT, kinds.EXPLAIN, kinds.MULTI):
        raise StoreError(f"the database is only read here: give a query such as SELECT, not {statements[0].type.name}")
    try:
        return fetch(connection, sql)
    except duckdb.Error as error:
        raise StoreError(str(error)) from error


def fetch(connection: "DuckDBPyConnection", sql: str, parameters: dict[str, Any] | None = None) -> Table:
    """Run a query in a thread of its own, so that Ctrl-C can interrupt it, and return its answer.

    Args:
        connection: any connection; nothing else may use it meanwhile.
        sql: the query.
        parameters: values for its `$names`.

    Raises:
        duckdb.Error: if DuckDB finds fault with the query.
        KeyboardInterrupt: if it was interrupted.
    """
    answers: list[Table] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            connection.execute(sql, parameters)
            rows = connection.fetchall()
            answers.append(Table([column[0] for column in connection.description or ()], rows))
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        while not done.wait(0.1):
            pass
    except KeyboardInterrupt:
        connection.interrupt()
        raise
    finally:
        worker.join()
    if failures:
        raise failures[0]
    return answers[0]

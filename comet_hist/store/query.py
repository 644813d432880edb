"""Questions to the database: read-only, and shut off from files, network and extensions."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from comet_hist.signals import check, undisturbed
from comet_hist.store.database import StoreError, close, interrupt, open_sealed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, Statement
    from duckdb.sqltypes import DuckDBPyType

_T = TypeVar("_T")

_SHUT_OFF: Final[dict[str, bool | str]] = {
    "temp_directory": "",
    "enable_external_access": False,
    "lock_configuration": True,
}
"""Settings in the order in which they are made; the last one forbids others."""


_WHOLE: Final = ("tinyint", "smallint", "integer", "bigint", "hugeint")
_NUMBERS: Final = frozenset((*_WHOLE, *("u" + name for name in _WHOLE), "float", "double", "decimal"))
_EXACT: Final = _NUMBERS | {"boolean", "varchar", "enum", "uuid", "blob", "bit", "null"}
"""The types, by their DuckDB names, whose every value has a Python one that says the same."""


_READING: Final = frozenset({"SELECT", "EXPLAIN", "MULTI"})
"""The kinds of statements that are run. PIVOT without an IN list is MULTI: it finds the columns, and then selects."""


class SqlError(StoreError):
    """An SQL text that cannot be run; the message is DuckDB's own, with a line that shows the place."""


_VECTOR: Final = 2048
"""Rows that are fetched at a time, as many as DuckDB works on at a time."""


class Table(NamedTuple):
    """An answer: the names of its columns, and its rows as Python values."""

    columns: list[str]
    rows: list[tuple[Any, ...]]


class Stream(NamedTuple):
    """An answer whose rows are worked out and fetched as they are taken; until then nothing else may be asked.

    Attributes:
        columns: the names of its columns.
        numeric: for each of them whether it holds numbers.
        rows: its rows as Python values.
    """

    columns: list[str]
    numeric: list[bool]
    rows: Iterator[tuple[Any, ...]]


def connect_readonly(path: Path) -> "DuckDBPyConnection":
    """Open a database of comet-hist so that SQL can read it and reach nothing else.

    Raises:
        StoreError: if the file does not exist, is being written, or is no database of this version.
    """
    return open_sealed(path, _SHUT_OFF)


@contextmanager
@undisturbed
def reading(path: Path) -> "Iterator[DuckDBPyConnection]":
    """Open a database as `connect_readonly` does, for as long as the context lasts.

    Raises:
        StoreError: as `connect_readonly` does.
    """
    connection = connect_readonly(path)
    try:
        yield connection
    finally:
        close(connection)


def run_query(connection: "DuckDBPyConnection", sql: str) -> Stream:
    """Begin one query (`SELECT`, `FROM`, `DESCRIBE`, `SHOW`, `SUMMARIZE`, `PIVOT`, `EXPLAIN` …) and return its answer.

    Dates, times, intervals and whatever else Python cannot hold exactly come as the text that DuckDB shows, such as
    `1 month` or `infinity`. Ctrl-C ends the query at once.

    Raises:
        SqlError: if the text is not exactly one query, or DuckDB finds fault with it; also from the rows.
        KeyboardInterrupt: if it was interrupted; also from the rows.
    """
    import duckdb

    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise SqlError("the query is not UTF-8") from error
    try:
        statements = connection.extract_statements(sql)
        if len(statements) != 1:
            raise SqlError(f"give one query at a time, found {len(statements) or 'none'}")
        found = _kind(statements[0])
        if found not in _READING:
            raise SqlError(f"the database is only read here: give a query such as SELECT, not {found}")
        stream = _interruptible(connection, lambda: _begun(connection, sql))
    except duckdb.Error as error:
        raise SqlError(str(error)) from error
    return stream._replace(rows=_telling(stream.rows))


def _kind(statement: "Statement") -> str:
    """Return the name of the kind of a statement; DuckDB has kinds that its Python module does not know."""
    try:
        return statement.type.name
    except ValueError:
        return "this statement"


def _begun(connection: "DuckDBPyConnection", sql: str) -> Stream:
    """Begin a query, with text for the values that Python would change."""
    relation = connection.sql(sql)
    columns, types = relation.columns, relation.types
    kept = [_kept(kind) for kind in types]
    if any(kept):
        relation = relation.project(
            ", ".join(f"CAST(#{at} AS {kind})" if kind else f"#{at}" for at, kind in enumerate(kept, 1))
        )
    # What a relation fetches itself it holds whole; what `execute` gives is fetched piece by piece.
    connection.execute(relation.sql_query())
    return Stream(columns, [kind.id in _NUMBERS for kind in types], _rows(connection))


def _telling(rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Give rows, and tell what DuckDB finds wrong while it works them out as an `SqlError`."""
    import duckdb

    try:
        yield from rows
    except duckdb.Error as error:
        raise SqlError(str(error)) from error


def _kept(kind: "DuckDBPyType") -> str | None:
    """Return the type to which values are turned so that Python holds them exactly; None for one that it holds."""
    if kind.id in _EXACT:
        return None
    if kind.id in ("list", "array", "struct", "map"):
        children = dict(kind.children)
        parts = {name: _kept(part) for name, part in children.items() if not isinstance(part, (int, list))}
        if not any(parts.values()):
            return None
        whole = {name: part or str(children[name]) for name, part in parts.items()}
        if kind.id == "map":
            return f"MAP({whole['key']}, {whole['value']})"
        if kind.id == "list":
            return f"{whole['child']}[]"
        if kind.id == "struct" and "" not in whole:
            fields = ('"' + name.replace('"', '""') + f'" {part}' for name, part in whole.items())
            return f"STRUCT({', '.join(fields)})"
    return "VARCHAR"


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

    def run() -> Table:
        connection.execute(sql, parameters)
        rows = connection.fetchall()
        return Table([column[0] for column in connection.description or ()], rows)

    return _interruptible(connection, run)


def fetch_rows(
    connection: "DuckDBPyConnection", sql: str, parameters: dict[str, Any] | None = None
) -> Iterator[tuple[Any, ...]]:
    """Give the rows of a query as they are worked out, whatever their number; else as `fetch`."""
    _interruptible(connection, lambda: connection.execute(sql, parameters))
    yield from _rows(connection)


def _rows(connection: "DuckDBPyConnection") -> Iterator[tuple[Any, ...]]:
    """Give the rows of what a connection has begun to work out."""
    while rows := _interruptible(connection, lambda: connection.fetchmany(_VECTOR)):
        yield from rows


@undisturbed
def _interruptible(connection: "DuckDBPyConnection", run: Callable[[], _T]) -> _T:
    """Run something that asks a connection in a thread of its own, so that signals can interrupt it."""
    answers: list[_T] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            answers.append(run())
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    # The process may end before the thread does.
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        while not done.wait(0.1):
            check()
    except BaseException:
        interrupt(connection, done)
        raise
    if failures:
        raise failures[0]
    return answers[0]

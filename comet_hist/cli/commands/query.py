"""`comet-hist query`: SQL over the views of a database."""

import sys
from collections.abc import Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from comet_hist.cli.options import database_option, examples, format_option
from comet_hist.cli.output.table import TABLE_FORMATS, Column, Table, render
from comet_hist.cli.status import Failure


@click.command(
    epilog=examples(
        """comet-hist query "FROM hands WHERE comet_use = 'rescue'" --db nights.duckdb""",
        """comet-hist query "SELECT stop, count(*) FROM runs GROUP BY stop" --db nights.duckdb --format csv""",
        "comet-hist query - --db nights.duckdb < question.sql",
    )
)
@click.argument("sql")
@database_option(True, "The database to ask; `load` makes it.")
@format_option(*TABLE_FORMATS)
def query(sql: str, database: Path, form: str) -> None:
    """Ask a database in SQL; nothing in it can be changed.

    SQL is one query over the views that `comet-hist schema` shows, or - to read it from standard
    input. A column whose name was there before gets a number at its end.
    """
    from comet_hist.cli.output.terminal import terminal_width
    from comet_hist.store.database import StoreError
    from comet_hist.store.query import connect_readonly, run_query

    text = sys.stdin.read() if sql == "-" else sql
    try:
        with closing(connect_readonly(database)) as connection:
            answer = run_query(connection, text)
    except StoreError as error:
        raise Failure(str(error)) from error
    columns = columns_for(answer.columns, answer.rows)
    lines = render(Table(columns, answer.rows), form, terminal_width(sys.stdout))
    sys.stdout.writelines(line + "\n" for line in lines)


def columns_for(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[Column]:
    """Return columns for an answer: with names that differ, numbers to the right.

    >>> [column.name for column in columns_for(["net", "net"], [])]
    ['net', 'net_2']
    """
    taken: set[str] = set()
    columns = []
    for at, name in enumerate(names):
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name}_{number}"
        taken.add(unique)
        values = [row[at] for row in rows if row[at] is not None]
        numeric = values and all(
            isinstance(value, (int, float, Decimal)) and not isinstance(value, bool) for value in values
        )
        columns.append(Column(unique, "number" if numeric else "text"))
    return columns

"""`comet-hist query`: SQL over the views of a database."""

import sys
from collections.abc import Sequence, Sized
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click

from comet_hist.cli.options import database_option, examples, format_option, wide_option
from comet_hist.cli.output.table import FOR_PEOPLE, SHOWS_ALL, TABLE_FORMATS, Column, Table, render
from comet_hist.cli.status import Failure, note

MOST_ROWS: Final = 10_000
"""The most rows of a table for people, which is drawn whole; the other formats write rows as they come."""

LONGEST: Final = 1_000_000
"""The most characters, bytes or items of a value in a table for people."""


class _Query(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say what to do where SQL begins with a comment, which looks like an option."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if " " in error.option_name:
                hint = "SQL that begins with -- looks like an option: write - for it, and give it on standard input"
                raise click.UsageError(hint, ctx) from error
            raise


@click.command(
    cls=_Query,
    epilog=examples(
        """comet-hist query "FROM hands WHERE comet_use = 'rescue'" --db nights.duckdb""",
        """comet-hist query "SELECT stop, count(*) FROM runs GROUP BY stop" --db nights.duckdb --format csv""",
        "comet-hist query - --db nights.duckdb < question.sql",
    ),
)
@click.argument("words", nargs=-1, required=True, metavar="SQL")
@database_option(True, "The database to ask; `load` makes it.")
@wide_option
@format_option(*TABLE_FORMATS)
def query(words: tuple[str, ...], database: Path, wide: bool, form: str) -> None:
    """Ask a database in SQL; nothing in it can be changed.

    SQL is one query over the views that `comet-hist schema` shows, or - to read it from standard
    input. Dates, times and intervals are shown as DuckDB shows them. A column whose name was there
    before gets a number at its end. A terminal that is too narrow for all columns shows the first
    ones, and --wide all. Of more than 10000 rows people see the first, and standard
    error says so; csv, json and jsonl have all, as they are worked out.
    """
    if len(words) > 1:
        raise click.UsageError(f'the query is one argument; put it in quotes: "{" ".join(words)}"')
    from comet_hist.cli.output.terminal import terminal_width
    from comet_hist.cli.storing import using
    from comet_hist.store.query import SqlError, reading, run_query

    sql = _standard_input() if words == ("-",) else words[0]
    with using(database), reading(database) as connection:
        try:
            answer = run_query(connection, sql)
            rows, more = answer.rows, False
            if form in FOR_PEOPLE:
                first = list(map(_drawable, islice(rows, MOST_ROWS + 1)))
                rows, more = iter(first[:MOST_ROWS]), len(first) > MOST_ROWS
            table = Table(columns_for(answer.columns, answer.numeric), rows)
            lines = render(table, form, terminal_width(sys.stdout), None if wide else SHOWS_ALL)
            sys.stdout.writelines(line + "\n" for line in lines)
        except SqlError as error:
            raise Failure(str(error), several=True) from error
        except MemoryError as error:
            raise Failure("the answer does not fit into memory; ask for less of it") from error
        except RecursionError as error:
            raise Failure("a value is nested too deeply to be shown; take it apart in the query") from error
    if more:
        note(f"the first {MOST_ROWS} rows, of more; `--format csv` gives all")


def _drawable(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row that can be drawn in a table for people.

    Raises:
        Failure: if one of its values would be too long.
    """
    for value in row:
        if isinstance(value, Sized) and len(value) > LONGEST:
            raise Failure(f"a value of {len(value)} characters or items is too long for a table; take `--format csv`")
    return row


def _standard_input() -> str:
    """Return what is on standard input, which is UTF-8 whatever the terminal's encoding is."""
    if sys.stdin is None:
        raise Failure("standard input is closed")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"standard input is not UTF-8: byte {error.start + 1} of it") from error


def columns_for(names: Sequence[str], numeric: Sequence[bool]) -> list[Column]:
    """Return columns for an answer: with names that differ, numbers to the right.

    Only a name that was there before gets a number, and one that makes it no other column's.

    >>> [column.name for column in columns_for(["net", "net", "net_2"], [True] * 3)]
    ['net', 'net_3', 'net_2']
    """
    taken: set[str] = set()
    columns = []
    for name, number in zip(names, numeric, strict=True):
        unique, count = name, 1
        while unique in taken or (count > 1 and unique in names):
            count += 1
            unique = f"{name}_{count}"
        taken.add(unique)
        columns.append(Column(unique, "number" if number else "text"))
    return columns

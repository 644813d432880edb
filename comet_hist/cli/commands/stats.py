"""`comet-hist stats`: the statistics of players."""

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

import click

from comet_hist.cli.options import database_option, examples, faulty_option, format_option, recorded_option
from comet_hist.cli.output.table import TABLE_FORMATS, render
from comet_hist.cli.status import Status
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.stats.columns import PLAYERS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

VIEWS: Final = ("players",)
"""The statistics there are, the default first."""

_COLUMNS_HELP: Final = "\b\nColumns of players:\n" + "\n".join(
    fill(f"{column.name:16} {column.meaning}", 77, initial_indent="  ", subsequent_indent=" " * 19)
    for column in PLAYERS
)


@click.command(
    epilog=examples(
        "comet-hist stats players --db nights.duckdb",
        "comet-hist stats nights/ --format csv > players.csv",
        "comet-hist stats nights/ --include-faulty --as-recorded",
    )
    + "\n\n"
    + _COLUMNS_HELP
)
@click.argument("words", nargs=-1, metavar="[VIEW] [PATH...]", type=click.Path())
@database_option(False, "The database to ask, in place of PATH.")
@faulty_option
@recorded_option
@format_option(*TABLE_FORMATS)
@click.pass_context
def stats(
    context: click.Context,
    words: tuple[str, ...],
    database: Path | None,
    include_faulty: bool,
    as_recorded: bool,
    form: str,
) -> None:
    """Show the statistics of players.

    They are those of a database, or of histories read for the purpose. VIEW is `players`, which is
    also what is shown without it. Only legal hands count, and amounts are what was owed, unless
    options say otherwise. With --as-recorded net, net_hand and net_se are taken over the hands that
    record amounts alone; standard error says how many these are. Errors in histories that are read
    make the exit status 1, as in `check`, which shows them.

    On a terminal a table that is too wide is broken into several. In csv, json and jsonl rates are
    shares of 1.
    """
    paths = _paths(words)
    if paths and database is not None:
        raise click.UsageError("give histories (PATH...) or a database (--db FILE), not both")
    if not paths and database is None:
        raise click.UsageError("give histories (PATH...) or a database (--db FILE)")
    from comet_hist.cli.output.terminal import terminal_width
    from comet_hist.cli.players import left_out, players_table, without_amounts
    from comet_hist.cli.storing import using

    status = Status.CLEAN
    with using(database), ExitStack() as stack:
        if database is not None:
            from comet_hist.store.query import connect_readonly

            connection = stack.enter_context(closing(connect_readonly(database)))
        else:
            connection, status = _read(stack, paths)
        table = players_table(connection, include_faulty=include_faulty, as_recorded=as_recorded)
        notes = [
            None if include_faulty else left_out(connection),
            without_amounts(connection, include_faulty=include_faulty) if as_recorded else None,
        ]
    sys.stdout.writelines(line + "\n" for line in render(table, form, terminal_width(sys.stdout)))
    for note in filter(None, notes):
        click.echo(note, err=True)
    context.exit(status)


def _paths(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths among the words, of which the first may be a view instead."""
    if not words or words[0] not in VIEWS:
        meant = nearest(words[0], VIEWS) if words and not Path(words[0]).exists() else None
        if meant:
            raise click.UsageError(f"there is no file “{words[0]}” and no such view{did_you_mean(meant)}")
        return words
    return words[1:]


def _read(stack: ExitStack, paths: tuple[str, ...]) -> "tuple[DuckDBPyConnection, Status]":
    """Read histories into a database in memory; return it with the exit status that what was found asks for."""
    from comet_hist.cli.loading import findings_while_loading
    from comet_hist.cli.reading import Reading
    from comet_hist.store.load import Loader

    reading = Reading(paths)
    loader = stack.enter_context(Loader(None))
    for _ in findings_while_loading(reading, loader):
        pass
    if reading.tally.errors:
        reading.narrate(f"{reading.tally.summary()} (`comet-hist check` and `comet-hist audit` show them)")
    return loader.connection, reading.tally.status(strict=False)

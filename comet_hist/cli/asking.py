"""Something to ask: a database, or histories that are read into one in memory for the purpose."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from comet_hist.cli.status import Status

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Asked(NamedTuple):
    """A connection to a database of comet-hist, and the exit status that what was read for it asks for."""

    connection: "DuckDBPyConnection"
    status: Status


@contextmanager
def asking(paths: Sequence[str], database: Path | None, outputs: Sequence[Path] = ()) -> Iterator[Asked]:
    """Open what a question is about, for as long as the context lasts.

    Args:
        paths: histories, or none.
        database: a database, or None.
        outputs: the files that the command writes, none of which may be among those it reads.

    Raises:
        click.UsageError: if both are given, or neither.
        Failure: if the database cannot be used, or an output is read.
    """
    if paths and database is not None:
        raise click.UsageError("give histories (PATH...) or a database (--db FILE), not both")
    if not paths and database is None:
        raise click.UsageError("give histories (PATH...) or a database (--db FILE)")
    from comet_hist.cli.storing import using

    with using(database), ExitStack() as stack:
        if database is None:
            yield _read(stack, paths, outputs)
        else:
            from comet_hist.cli.outputs import database_files, refuse_inputs
            from comet_hist.store.query import reading

            refuse_inputs(outputs, database_files(database))
            yield Asked(stack.enter_context(reading(database)), Status.CLEAN)


def _read(stack: ExitStack, paths: Sequence[str], outputs: Sequence[Path]) -> Asked:
    """Read histories into a database in memory."""
    from comet_hist.cli.loading import findings_while_loading
    from comet_hist.cli.reading import Reading
    from comet_hist.store.load import Loader

    reading = Reading(tuple(paths), outputs=outputs)
    loader = stack.enter_context(Loader(None))
    for _ in findings_while_loading(reading, loader):
        pass
    if reading.tally.errors:
        reading.narrate(f"{reading.tally.summary()} (`comet-hist check` and `comet-hist audit` show them)")
    return Asked(loader.connection, reading.tally.status(strict=False))

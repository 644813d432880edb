"""`comet-hist load`: histories into a database."""

from contextlib import closing
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

import click

from comet_hist.cli.options import (
    color_option,
    database_option,
    examples,
    paths_argument,
    strict_option,
)

if TYPE_CHECKING:
    from comet_hist.cli.reading import Reading
    from comet_hist.notation.sources import Source
    from comet_hist.store.load import Loader


@click.command(
    epilog=examples(
        "comet-hist load nights/ --db nights.duckdb",
        "comet-hist load 2026-11-28.comet --db nights.duckdb   one more, or one corrected",
        "zstdcat old.zst | comet-hist load - --db nights.duckdb",
    )
)
@paths_argument
@database_option(True, "The database; it is made if there is none.")
@strict_option
@color_option
@click.pass_context
def load(context: click.Context, paths: tuple[str, ...], database: Path, strict: bool, color: str) -> None:
    """Load hands into a DuckDB database.

    Loading the same thing twice changes nothing, and a file loaded again replaces what it brought
    before. A file is loaded whole or not at all. Standard error says what was done with each, once
    it is in the database.

    Findings are loaded too, and counted; errors make the exit status 1, also where a file was
    loaded before and is passed over. Only E206, by which a session is refused, is shown, and again
    whenever such a file is loaded.
    """
    from comet_hist.cli.outputs import database_files
    from comet_hist.cli.reading import Reading
    from comet_hist.cli.storing import using
    from comet_hist.store.load import Loader

    reading = Reading(paths, outputs=database_files(database))
    reading.find()
    done: list[str] = []
    with using(database), Loader(database) as loader:
        try:
            for source in reading.sources():
                with reading.guarding():
                    done.append(_load(reading, loader, source, color))
                if not loader.waiting:
                    _tell(reading, done)
        finally:
            # Whatever ends the loop: the files that are whole are kept.
            loader.commit()
            _tell(reading, done)
    context.exit(reading.tally.status(strict))


def _tell(reading: "Reading", done: list[str]) -> None:
    """Say what was done with files that are in the database for good by now."""
    for line in done:
        reading.narrate(line)
    done.clear()


def _load(reading: "Reading", loader: "Loader", source: "Source", color: str) -> str:
    """Load a file and return what was done, in a line."""
    from comet_hist.cli.loading import FileLoading, described, marked
    from comet_hist.cli.output.findings import finding_lines

    mark = marked(loader, source)
    before = copy(reading.tally)
    if loader.already_loaded(source.place, mark.sha256):
        errors, warnings = loader.counts_kept(source.place, mark.sha256)
        reading.tally.errors += errors
        reading.tally.warnings += warnings
        return f"{source.path}: already loaded, nothing changed; {reading.tally.since(before).found()}"
    loading = FileLoading(reading, loader, source, mark)
    # Loading that is broken off, as by a closed pipe, ends before the database is closed.
    with closing(iter(loading)) as findings:
        refusals = (finding for finding in findings if finding.code == "E206")
        for line in finding_lines(refusals, "text", color):
            reading.say(line)
    assert loading.result is not None
    now = reading.tally.since(before)
    return f"{source.path}: {described(loading.result)}; read {now.hands}: {now.judged()}; {now.found()}"

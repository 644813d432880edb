"""`comet-hist report`: one page that shows everything and works without a network."""

from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

import click

from comet_hist.cli.filtering import filter_options, warn_of_strangers
from comet_hist.cli.options import HISTORY, OUTPUT, database_option, examples
from comet_hist.cli.status import Failure, note

if TYPE_CHECKING:
    from comet_hist.stats.filters import Filters


@click.command(
    epilog=examples(
        "comet-hist report night.comet -o night.html",
        "comet-hist report --db nights.duckdb -o nights.html",
        "comet-hist report --db nights.duckdb --since 2026-06-01 -o summer.html",
        "comet-hist report --db nights.duckdb --replay procope-2026-11-28 -o nights.html",
    )
)
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=HISTORY)
@database_option(False, "The database to show, in place of PATH.")
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    metavar="FILE",
    help="The page to write, in place of standard output.",
)
@click.option(
    "--replay",
    "replayed",
    multiple=True,
    metavar="SESSION",
    help="A session whose hands can be stepped through on the page, several by repeating it; without it the latest "
    "ones with at most 300 hands.",
)
@filter_options
@click.pass_context
def report(
    context: click.Context,
    paths: tuple[str, ...],
    database: Path | None,
    output: Path | None,
    replayed: tuple[str, ...],
    filters: "Filters",
) -> None:
    """Make one page of histories or of a database.

    It shows the standings, the sessions, the timeline, the Comet, who paid whom, the debts, the
    findings with their lines, and hands to step through. The page is a single file, which loads
    nothing: it can be opened from disk and sent to whoever played.

    The options that choose hands and players are those of `stats`, and so are the numbers. Standard
    error says which sessions can be stepped through, where that is not all of them. Errors in
    histories that are read make the exit status 1, as in `check`, and stand on the page.
    """
    from comet_hist.cli.asking import asking
    from comet_hist.cli.exporting import write_lines
    from comet_hist.cli.outputs import refuse_inputs
    from comet_hist.report.findings import loaded_files
    from comet_hist.report.page import page

    outputs = [] if output is None else [output]
    with asking(paths, database, outputs) as asked:
        refuse_inputs(outputs, loaded_files(asked.connection))
        warn_of_strangers(asked.connection, filters)
        try:
            made = page(asked.connection, filters, [normalize("NFC", session) for session in replayed])
        except ValueError as error:
            raise Failure(str(error)) from error
    write_lines(made.html.splitlines(), output)
    for line in made.notes:
        note(line)
    context.exit(asked.status)

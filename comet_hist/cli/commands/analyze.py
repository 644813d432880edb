"""`comet-hist analyze`: the main job in one go."""

import shlex
from functools import partial
from itertools import chain
from pathlib import Path

import click

from comet_hist.cli.options import (
    FINDING_FORMATS,
    color_option,
    database_option,
    examples,
    format_option,
    paths_argument,
    strict_option,
)
from comet_hist.cli.status import Failure


@click.command(
    epilog=examples(
        "comet-hist analyze samples/nights",
        "comet-hist analyze nights/ --db nights.duckdb   and keep the hands for stats and query",
        "comet-hist analyze night.comet --format json",
    )
)
@paths_argument
@database_option(False, "Load into this database and show the players of all it holds; in memory without it.")
@format_option(*FINDING_FORMATS)
@strict_option
@color_option
@click.pass_context
def analyze(
    context: click.Context, paths: tuple[str, ...], database: Path | None, form: str, strict: bool, color: str
) -> None:
    """Check, audit and load hands in one go.

    text and markdown show all findings, then the summary, what puts wrong hands right and the
    players in short. json is one object with findings, summary, corrections and players; jsonl has
    a line for each finding, for the summary, for each hand to put right and for each player; csv
    is the players' table alone, with the summary on standard error.
    """
    from comet_hist.cli.loading import findings_while_loading
    from comet_hist.cli.output.analysis import analysis_lines
    from comet_hist.cli.output.characters import visible
    from comet_hist.cli.players import left_out, players_table
    from comet_hist.cli.reading import Reading
    from comet_hist.store.database import StoreError
    from comet_hist.store.load import Loader

    reading = Reading(paths)
    try:
        with Loader(database) as loader:
            findings = findings_while_loading(reading, loader)
            first = next(findings, None)
            if first is None and reading.tally.unreadable and not reading.tally.files:
                context.exit(reading.tally.status(strict))
            if first is not None:
                findings = chain([first], findings)
            players = partial(players_table, loader.connection)
            for line in analysis_lines(findings, reading.tally, reading.wrong, players, form, color):
                reading.say(line)
            missing = left_out(loader.connection)
    except StoreError as error:
        raise Failure(str(error)) from error
    if form == "csv":
        reading.narrate(reading.tally.summary())
    elif form == "text":
        for line in _next_steps(paths, database, bool(reading.tally.errors or reading.tally.warnings), missing):
            reading.say(visible(line))
    context.exit(reading.tally.status(strict))


def _next_steps(paths: tuple[str, ...], database: Path | None, found: bool, missing: str | None) -> list[str]:
    """Return lines that say what to try next."""
    given = shlex.join(paths) if len(paths) <= 3 else "PATH..."
    kept = shlex.quote(str(database or "nights.duckdb"))
    steps = [("comet-hist explain CODE", "what a finding means, its rule and the mend")] if found else []
    steps.append((f"comet-hist audit {given}", "what was owed, and who pays whom to settle"))
    if database is None:
        steps.append((f"comet-hist load {given} --db {kept}", "keep the hands, for the two below"))
    steps.append((f"comet-hist stats --db {kept}", "all statistics of the players"))
    steps.append((f'comet-hist query "FROM hands" --db {kept}', "any question in SQL"))
    width = max(len(command) for command, _ in steps)
    notes = ["", missing] if missing else []
    return [*notes, "", "Next:", *(f"  {command:{width}}  {purpose}" for command, purpose in steps)]

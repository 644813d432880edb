"""`comet-hist analyze`: the main job in one go."""

import shlex
import sys
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

import click

from comet_hist.cli.filtering import alias_option
from comet_hist.cli.options import database_option, examples, paths_argument, wide_option
from comet_hist.cli.reporting import Report, report_options


@click.command(
    epilog=examples(
        "comet-hist analyze samples/nights",
        "comet-hist analyze nights/ --db nights.duckdb   and keep the hands for stats and query",
        "comet-hist analyze night.comet --format json",
    )
)
@paths_argument
@database_option(False, "Load into this database and show the players of all it holds; in memory without it.")
@alias_option
@wide_option
@report_options
def analyze(
    context: click.Context,
    paths: tuple[str, ...],
    database: Path | None,
    alias_file: Path | None,
    wide: bool,
    report: Report,
) -> None:
    """Check, audit and load hands in one go.

    text and markdown show all findings, then the summary, what puts wrong hands right, who pays
    whom by what was owed, and the players in short. Debts are shown session by session where there
    are few, and for all sessions together. json is one object with findings, summary, corrections,
    period and players; jsonl has a line for each finding, for the summary, for each hand to put
    right, for the period (the debts of all sessions together) and for each player; csv is the
    players' table alone, with the summary on standard error. github and sarif have the findings
    alone.
    """
    from comet_hist.cli.filtering import aliases_of, warn_of_strangers
    from comet_hist.cli.loading import findings_while_loading
    from comet_hist.cli.output.analysis import analysis_lines
    from comet_hist.cli.output.characters import visible
    from comet_hist.cli.output.terminal import on_terminal, terminal_width
    from comet_hist.cli.outputs import database_files
    from comet_hist.cli.reading import Reading
    from comet_hist.cli.settling import Settling
    from comet_hist.cli.statistics import left_out, shown_statistic
    from comet_hist.cli.storing import using
    from comet_hist.stats.filters import Filters
    from comet_hist.store.load import Loader

    reading = Reading(paths, report.selection(), outputs=database_files(database))
    filters = Filters(aliases=aliases_of(alias_file))
    reading.find()
    reading.settling = settling = Settling(filters.aliases)
    # Loading that is broken off ends before the database is closed.
    with using(database), Loader(database) as loader, closing(findings_while_loading(reading, loader)) as found:
        first = next(found, None)
        if first is None and reading.tally.unreadable and not reading.tally.sessions:
            context.exit(reading.tally.status(report.strict))
        findings = found if first is None else chain([first], found)
        if report.findings_alone:
            lines = report.lines(reading, findings)
        else:
            players, shown = partial(shown_statistic, loader.connection, "players", filters), reading.shown(findings)
            lines = analysis_lines(shown, reading, settling, players, report.form, report.color, wide)
        for line in lines:
            reading.say(line)
        missing = left_out(loader.connection, filters)
        warn_of_strangers(loader.connection, filters)
    if report.form == "text" and not report.statistics:
        room = terminal_width(sys.stdout)
        for line in _next_steps(paths, database, bool(reading.tally.errors or reading.tally.warnings), missing, room):
            for row in on_terminal(visible(line), room):
                reading.say(row)
    report.end(context, reading, summary=report.form == "csv" or (report.form == "text" and report.statistics))


def _next_steps(
    paths: tuple[str, ...], database: Path | None, found: bool, missing: list[str], room: int | None
) -> list[str]:
    """Return lines that say what to try next; where a terminal has no room beside the commands, in lines below them."""
    given = shlex.join(paths) if len(paths) <= 3 else "PATH..."
    kept = shlex.quote(str(database or "nights.duckdb"))
    steps = [("comet-hist explain CODE", "what a finding means, its rule and the mend")] if found else []
    steps.append((f"comet-hist audit {given}", "what was owed, and who pays whom to settle"))
    if database is None:
        steps.append((f"comet-hist load {given} --db {kept}", "keep the hands, for the two below"))
    steps.append((f"comet-hist stats --db {kept}", "all statistics of the players"))
    steps.append((f'comet-hist query "FROM hands" --db {kept}', "any question in SQL"))
    notes = ["", *missing] if missing else []
    width = max(len(command) for command, _ in steps)
    lines = [f"  {command:{width}}  {purpose}" for command, purpose in steps]
    if room is not None and max(map(len, lines)) > room:
        lines = [line for command, purpose in steps for line in (f"  {command}", f"      {purpose}")]
    return [*notes, "", "Next:", *lines]

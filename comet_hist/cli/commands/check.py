"""`comet-hist check`: are the hands legal?"""

import click

from comet_hist.cli.options import (
    FINDING_FORMATS,
    color_option,
    examples,
    format_option,
    paths_argument,
    strict_option,
)


@click.command(
    epilog=examples(
        "comet-hist check night.comet",
        "comet-hist check nights/ --format json > findings.json",
        "zstdcat old.zst | comet-hist check - --strict",
    )
)
@paths_argument
@format_option(*FINDING_FORMATS)
@strict_option
@color_option
@click.pass_context
def check(context: click.Context, paths: tuple[str, ...], form: str, strict: bool, color: str) -> None:
    """Replay hands and say which are not legal.

    Reports what is wrong with text, record, deal and play (E1 to E4), and what could not be
    checked (W208). Payments are for `comet-hist audit`.

    text shows each finding with its line and a caret under what is meant; json is one array of
    findings, jsonl one finding a line, csv and markdown are tables of them. In csv, text that a
    spreadsheet would take for a formula begins with an apostrophe.
    """
    from comet_hist.cli.output.findings import finding_lines
    from comet_hist.cli.reading import Reading
    from comet_hist.judge import CHECKED

    reading = Reading(paths, CHECKED, chips=False)
    for line in finding_lines(reading.findings(), form, color):
        reading.say(line)
    if form == "text":
        reading.narrate(reading.tally.summary())
    context.exit(reading.tally.status(strict))

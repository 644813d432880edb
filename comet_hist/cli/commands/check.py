"""`comet-hist check`: are the hands legal?"""

import click

from comet_hist.cli.options import examples, paths_argument
from comet_hist.cli.reporting import Report, report_options


@click.command(
    epilog=examples(
        "comet-hist check night.comet",
        "comet-hist check nights/ --format json > findings.json",
        "zstdcat old.zst | comet-hist check - --strict",
    )
)
@paths_argument
@report_options
def check(context: click.Context, paths: tuple[str, ...], report: Report) -> None:
    """Replay hands and say which are not legal.

    Reports what is wrong with text, record, deal and play (E1 to E4), and what could not be
    checked (W208). Payments are for `comet-hist audit`.

    text shows each finding with its line and a caret under what is meant; json is one array of
    findings, jsonl one finding a line, csv and markdown are tables of them; github makes annotations
    in a GitHub workflow, sarif is a SARIF 2.1.0 log. In csv, text that a spreadsheet would take for a
    formula begins with an apostrophe.
    """
    from comet_hist.cli.reading import Reading
    from comet_hist.judge import CHECKED

    reading = Reading(paths, report.selection(CHECKED), chips=False, records=False)
    for line in report.lines(reading, reading.findings()):
        reading.say(line)
    report.end(context, reading, summary=report.form == "text")

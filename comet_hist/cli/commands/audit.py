"""`comet-hist audit`: what was owed against what was recorded, and who pays whom."""

from pathlib import Path

import click

from comet_hist.cli.filtering import about_strangers, alias_option, aliases_of
from comet_hist.cli.options import examples, paths_argument, wide_option
from comet_hist.cli.reporting import Report, report_options


@click.command(
    epilog=examples(
        "comet-hist audit night.comet                    balances, settlement, corrections",
        "comet-hist audit nights/ --settle               only who pays whom, each night and all together",
        "comet-hist audit nights/ --format json          everything, for programs",
        "comet-hist audit nights/ --format csv > pay.csv every payment, owed and recorded",
    )
)
@paths_argument
@click.option(
    "--settle", is_flag=True, help="Show who pays whom and nothing else: of each session, then of all together."
)
@alias_option
@wide_option
@report_options
def audit(
    context: click.Context, paths: tuple[str, ...], settle: bool, alias_file: Path | None, wide: bool, report: Report
) -> None:
    """Audit payments, balance every session, and say who pays whom.

    Reports what is wrong with chips and sessions (E5, E6, W508, W602), and what cannot be read and
    so not be audited (E1, E2).

    text and markdown show for each session the balances, who pays whom to settle by what was owed,
    the hands that are wrong with what would put them right, and the findings. json is one object
    with the sessions, all findings, and the period, which is all sessions together; jsonl has one
    session a line with its findings among its keys; csv has one row a payment, owed and recorded,
    where an empty payer or payee is the pot. github and sarif have the findings alone.

    In the balances, start and bought are the chips brought, owed_net is what was won by the rules and
    recorded_net by the record, and end is what should lie before a player: start, bought and
    owed_net. To settle, whoever has fewer chips than they brought pays for what is lacking; where the
    Rules line says what a chip is worth (chip 0.05 EUR), in money. In json "settle" moves the chips
    themselves, from who has too many, and "money" is paid the other way, by who lost.

    --settle is for text, markdown and json. --alias counts for all sessions together; each session
    is shown with the names it has.
    """
    from comet_hist.cli.output.audits import audit_lines, settle_lines
    from comet_hist.cli.reading import Reading
    from comet_hist.cli.settling import Settling
    from comet_hist.judge import AUDITED

    if settle and (report.statistics or report.form not in ("text", "markdown", "json")):
        asked = "--statistics" if report.statistics else f"--format {report.form}"
        raise click.UsageError(f"--settle shows debts, for which {asked} has no place; try --format json")
    reading = Reading(paths, report.selection(AUDITED), records=False)
    reading.settling = settling = Settling(aliases_of(alias_file))
    if report.findings_alone:
        lines = report.lines(reading, reading.findings())
    elif settle and report.form != "json":
        lines = settle_lines(reading.audited(payments=False), settling.period, report.form == "markdown")
    else:
        audited = reading.audited(payments=report.form in ("json", "jsonl", "csv"))
        narrowed = ((judged, list(reading.shown(reading.reported(judged)))) for judged in audited)
        lines = audit_lines(narrowed, settling.period, report.form, report.color, wide)
    for line in lines:
        reading.say(line)
    if settle and report.form == "text" and (reading.tally.errors or reading.tally.warnings):
        reading.narrate("errors and warnings are shown without --settle")
    if settling.period.strangers:
        reading.narrate(f"comet-hist: {about_strangers(settling.period.strangers)}")
    report.end(context, reading, summary=report.form in ("text", "csv"))

"""`comet-hist audit`: what was owed against what was recorded, and who pays whom."""

import click

from comet_hist.cli.options import examples, paths_argument
from comet_hist.cli.reporting import Report, report_options


@click.command(
    epilog=examples(
        "comet-hist audit night.comet                    balances, settlement, corrections",
        "comet-hist audit nights/ --format json          everything, for programs",
        "comet-hist audit nights/ --format csv > pay.csv every payment, owed and recorded",
    )
)
@paths_argument
@report_options
def audit(context: click.Context, paths: tuple[str, ...], report: Report) -> None:
    """Audit payments, balance every session, and say who pays whom.

    Reports what is wrong with chips and sessions (E5, E6, W508, W602), and what cannot be read and
    so not be audited (E1, E2).

    text and markdown show for each session the balances, who pays whom to settle by what was owed,
    the hands that are wrong with what would put them right, and the findings. json is one object
    with the sessions and all findings; jsonl has one session a line with its findings among its
    keys; csv has one row a payment, owed and recorded, where an empty payer or payee is the pot.
    github and sarif have the findings alone.

    In the balances, start and bought are the chips brought, owed_net is what was won by the rules and
    recorded_net by the record, and end is what should lie before a player: start, bought and
    owed_net. To settle, whoever has fewer chips than they brought pays for what is lacking.
    """
    from comet_hist.cli.output.audits import audit_lines
    from comet_hist.cli.reading import Reading
    from comet_hist.judge import AUDITED

    reading = Reading(paths, report.selection(AUDITED))
    if report.findings_alone:
        lines = report.lines(reading, reading.findings())
    else:
        narrowed = ((judged, list(reading.shown(reading.reported(judged)))) for judged in reading.everything())
        lines = audit_lines(narrowed, report.form, report.color)
    for line in lines:
        reading.say(line)
    report.end(context, reading, summary=report.form in ("text", "csv"))

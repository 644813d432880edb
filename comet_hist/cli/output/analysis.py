"""An analysis: findings, the summary, what puts wrong hands right, who pays whom, and the players' table."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from comet_hist.audit.facts import HandAudit
from comet_hist.cli.output.as_json import encode
from comet_hist.cli.output.audits import mend_in_words
from comet_hist.cli.output.characters import shown
from comet_hist.cli.output.debts import period_lines, period_object, short_lines
from comet_hist.cli.output.findings import finding_lines
from comet_hist.cli.output.table import Table, objects, render
from comet_hist.cli.output.terminal import terminal_width
from comet_hist.findings import Finding

if TYPE_CHECKING:
    from comet_hist.cli.reading import Reading
    from comet_hist.cli.settling import Settling

IN_SHORT: Final = (
    "player", "hands", "wins", "win_rate", "net", "net_hand", "comet_dealt", "comet_played", "cards_left",
)  # fmt: skip
"""The columns of the players' table that an analysis shows to people."""


Wrong = list[tuple[str, HandAudit]]
"""Hands with wrong payments or stacks, each with the identifier of its session."""


def analysis_lines(
    findings: Iterable[Finding],
    reading: "Reading",
    settling: "Settling",
    players: Callable[[], Table],
    form: str,
    color: str,
) -> Iterator[str]:
    """Give an analysis for standard output.

    Args:
        findings: shown as they come, except for `csv`, which has no place for them.
        reading: what they come from; its counts and the hands to put right are whole once the findings have ended.
        settling: the debts, whole once the findings have ended.
        players: gives the players' table once the findings have ended.
        form: `text`, `markdown`, `json`, `jsonl` or `csv`.
        color: of the findings in text, `auto`, `always` or `never`.
    """
    if form == "json":
        yield from _object_lines(findings, reading, settling, players)
    elif form == "jsonl":
        yield from (encode({"finding": finding.as_dict()}) for finding in findings)
        yield encode({"summary": reading.tally.as_dict()})
        yield from (encode({"correction": correction}) for correction in _corrections(reading.wrong))
        yield encode({"period": period_object(settling.period)})
        yield from (encode({"player": player}) for player in objects(players()))
    elif form == "csv":
        for _ in findings:
            pass
        yield from render(players(), form)
    else:
        yield from _lines_for_people(findings, reading, form, color)
        yield from _debts(settling, form == "markdown")
        yield from render(_short(players()), "table" if form == "text" else form, terminal_width(sys.stdout))


def _corrections(wrong: Wrong) -> list[dict[str, Any]]:
    return [
        {
            "session": ident,
            "hand": hand.hand.number,
            "corrections": [transfer._asdict() for transfer in hand.corrections],
        }
        for ident, hand in wrong
    ]


def _object_lines(
    findings: Iterable[Finding], reading: "Reading", settling: "Settling", players: Callable[[], Table]
) -> Iterator[str]:
    yield '{"findings": ['
    comma = ""
    for finding in findings:
        yield comma + encode(finding.as_dict())
        comma = ","
    yield f'], "summary": {encode(reading.tally.as_dict())},'
    yield f'"corrections": {encode(_corrections(reading.wrong))},'
    yield f'"period": {encode(period_object(settling.period))},'
    yield f'"players": {encode(list(objects(players())))}}}'


def _lines_for_people(findings: Iterable[Finding], reading: "Reading", form: str, color: str) -> Iterator[str]:
    yield from finding_lines(findings, form, color)
    if form == "markdown" or reading.tally.errors or reading.tally.warnings:
        yield ""
    yield reading.tally.summary()
    yield ""
    if reading.wrong:
        yield from _mends(reading.wrong, form == "markdown")
        yield ""


def _debts(settling: "Settling", markdown: bool) -> Iterator[str]:
    """Give who pays whom: a line for each session where there are few, then all sessions together."""
    if settling.first and settling.all_at_hand:
        yield "To settle, by what was owed:"
        if markdown:
            yield ""
        yield from short_lines(settling.first, markdown)
        yield ""
    if settling.period.whole.sessions > 1:
        yield from period_lines(settling.period, markdown)


def _mends(wrong: Wrong, markdown: bool) -> Iterator[str]:
    """Give a line for each hand to put right."""
    yield "To put right:"
    if markdown:
        yield ""
    for ident, hand in wrong:
        bullet = "*" if markdown else " "
        yield f"{bullet} {shown(ident, markdown)}, hand {hand.hand.number}: {mend_in_words(hand, markdown)}"


def _short(table: Table) -> Table:
    short = [at for at, column in enumerate(table.columns) if column.name in IN_SHORT]
    return Table([table.columns[at] for at in short], [[row[at] for at in short] for row in table.rows])

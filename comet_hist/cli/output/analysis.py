"""An analysis: findings, the summary, what puts wrong hands right, who pays whom, and the players' table."""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from comet_hist.audit.facts import HandAudit
from comet_hist.cli.output.as_json import encode
from comet_hist.cli.output.audits import mend_in_words
from comet_hist.cli.output.characters import shown
from comet_hist.cli.output.debts import period_lines, period_object, short_lines
from comet_hist.cli.output.findings import finding_lines
from comet_hist.cli.output.table import SHOWS_ALL, Table, objects, render
from comet_hist.cli.output.terminal import on_terminal, terminal_width
from comet_hist.findings import Finding

if TYPE_CHECKING:
    from comet_hist.cli.reading import Reading
    from comet_hist.cli.settling import Settling

Wrong = list[tuple[str, HandAudit]]
"""Hands with wrong payments or stacks, each with the identifier of its session."""


def analysis_lines(
    findings: Iterable[Finding],
    reading: "Reading",
    settling: "Settling",
    players: Callable[[], Table],
    form: str,
    color: str,
    wide: bool,
) -> Iterator[str]:
    """Give an analysis for standard output.

    Args:
        findings: shown as they come, except for `csv`, which has no place for them.
        reading: what they come from; its counts and the hands to put right are whole once the findings have ended.
        settling: the debts, whole once the findings have ended.
        players: gives the players' table once the findings have ended.
        form: `text`, `markdown`, `json`, `jsonl` or `csv`.
        color: of the findings in text, `auto`, `always` or `never`.
        wide: whether to show all columns of a table that is wider than the terminal.
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
        room = terminal_width(sys.stdout) if form == "text" else None
        yield from finding_lines(findings, form, color)
        for line in chain(_outcome(reading, form == "markdown"), _debts(settling, form == "markdown")):
            yield from on_terminal(line, room)
        more = None if wide else SHOWS_ALL
        yield from render(_short(players()), "table" if form == "text" else form, room, more)


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


def _outcome(reading: "Reading", markdown: bool) -> Iterator[str]:
    """Give the summary, and what puts wrong hands right."""
    if markdown or reading.tally.errors or reading.tally.warnings:
        yield ""
    yield reading.tally.summary()
    yield ""
    if reading.wrong:
        yield from _mends(reading.wrong, markdown)
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
    """Return the players' table with those of its columns that are shown first."""
    short = [at for at, column in enumerate(table.columns) if column.name in table.first]
    rows = [[row[at] for at in short] for row in table.rows]
    return Table([table.columns[at] for at in short], rows, table.first)

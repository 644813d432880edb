"""An analysis: findings, the summary, what puts wrong hands right, and the players' table."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from comet_hist.audit.facts import HandAudit
from comet_hist.cli.output.as_json import encode
from comet_hist.cli.output.audits import mend_in_words
from comet_hist.cli.output.characters import for_markdown, visible
from comet_hist.cli.output.findings import finding_lines
from comet_hist.cli.output.table import Table, objects, render
from comet_hist.cli.output.terminal import terminal_width
from comet_hist.cli.tally import Tally
from comet_hist.findings import Finding

IN_SHORT: Final = (
    "player", "hands", "wins", "win_rate", "net", "net_hand", "comet_dealt", "comet_played", "cards_left",
)  # fmt: skip
"""The columns of the players' table that an analysis shows to people."""


Wrong = list[tuple[str, HandAudit]]
"""Hands with wrong payments or stacks, each with the identifier of its session."""


def analysis_lines(
    findings: Iterable[Finding], tally: Tally, wrong: Wrong, players: Callable[[], Table], form: str, color: str
) -> Iterator[str]:
    """Give an analysis for standard output.

    Args:
        findings: shown as they come, except for `csv`, which has no place for them.
        tally: what went by, whole once the findings have ended.
        wrong: the hands to put right, whole once the findings have ended.
        players: gives the players' table once the findings have ended.
        form: `text`, `markdown`, `json`, `jsonl` or `csv`.
        color: of the findings in text, `auto`, `always` or `never`.
    """
    if form == "json":
        yield from _object_lines(findings, tally, wrong, players)
    elif form == "jsonl":
        yield from (encode({"finding": finding.as_dict()}) for finding in findings)
        yield encode({"summary": tally.as_dict()})
        yield from (encode({"correction": correction}) for correction in _corrections(wrong))
        yield from (encode({"player": player}) for player in objects(players()))
    elif form == "csv":
        for _ in findings:
            pass
        yield from render(players(), form)
    else:
        yield from _lines_for_people(findings, tally, wrong, players, form, color)


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
    findings: Iterable[Finding], tally: Tally, wrong: Wrong, players: Callable[[], Table]
) -> Iterator[str]:
    yield '{"findings": ['
    comma = ""
    for finding in findings:
        yield comma + encode(finding.as_dict())
        comma = ","
    yield f'], "summary": {encode(tally.as_dict())},'
    yield f'"corrections": {encode(_corrections(wrong))},'
    yield f'"players": {encode(list(objects(players())))}}}'


def _lines_for_people(
    findings: Iterable[Finding], tally: Tally, wrong: Wrong, players: Callable[[], Table], form: str, color: str
) -> Iterator[str]:
    yield from finding_lines(findings, form, color)
    if form == "markdown" or tally.errors or tally.warnings:
        yield ""
    yield tally.summary()
    yield ""
    if wrong:
        yield from _mends(wrong, form == "markdown")
        yield ""
    yield from render(_short(players()), "table" if form == "text" else form, terminal_width(sys.stdout))


def _mends(wrong: Wrong, markdown: bool) -> Iterator[str]:
    """Give a line for each hand to put right."""
    yield "To put right:"
    if markdown:
        yield ""
    for ident, hand in wrong:
        session = for_markdown(ident) if markdown else visible(ident)
        bullet = "*" if markdown else " "
        yield f"{bullet} {session}, hand {hand.hand.number}: {mend_in_words(hand, markdown)}"


def _short(table: Table) -> Table:
    shown = [at for at, column in enumerate(table.columns) if column.name in IN_SHORT]
    return Table([table.columns[at] for at in shown], [[row[at] for at in shown] for row in table.rows])

"""An analysis: findings, the summary and the players' table."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from comet_hist.cli.output.as_json import encode
from comet_hist.cli.output.findings import finding_lines
from comet_hist.cli.output.table import Table, objects, render
from comet_hist.cli.output.terminal import terminal_width
from comet_hist.cli.tally import Tally
from comet_hist.findings import Finding

IN_SHORT: Final = (
    "player", "hands", "wins", "win_rate", "net", "net_hand", "comet_dealt", "comet_played", "cards_left",
)  # fmt: skip
"""The columns of the players' table that an analysis shows to people."""


def analysis_lines(
    findings: Iterable[Finding], tally: Tally, players: Callable[[], Table], form: str, color: str
) -> Iterator[str]:
    """Give an analysis for standard output.

    Args:
        findings: shown as they come, except for `csv`, which has no place for them.
        tally: what went by, whole once the findings have ended.
        players: gives the players' table once the findings have ended.
        form: `text`, `markdown`, `json`, `jsonl` or `csv`.
        color: of the findings in text, `auto`, `always` or `never`.
    """
    if form == "json":
        yield from _object_lines(findings, tally, players)
    elif form == "jsonl":
        yield from (encode({"finding": finding.as_dict()}) for finding in findings)
        yield encode({"summary": tally.as_dict()})
        yield from (encode({"player": player}) for player in objects(players()))
    elif form == "csv":
        for _ in findings:
            pass
        yield from render(players(), form)
    else:
        yield from _lines_for_people(findings, tally, players, form, color)


def _object_lines(findings: Iterable[Finding], tally: Tally, players: Callable[[], Table]) -> Iterator[str]:
    yield '{"findings": ['
    comma = ""
    for finding in findings:
        yield comma + encode(finding.as_dict())
        comma = ","
    yield f'], "summary": {encode(tally.as_dict())},'
    yield f'"players": {encode(list(objects(players())))}}}'


def _lines_for_people(
    findings: Iterable[Finding], tally: Tally, players: Callable[[], Table], form: str, color: str
) -> Iterator[str]:
    yield from finding_lines(findings, form, color)
    if form == "markdown" or tally.errors or tally.warnings:
        yield ""
    yield tally.summary()
    yield ""
    yield from render(_short(players()), "table" if form == "text" else form, terminal_width(sys.stdout))


def _short(table: Table) -> Table:
    shown = [at for at, column in enumerate(table.columns) if column.name in IN_SHORT]
    return Table([table.columns[at] for at in shown], [[row[at] for at in shown] for row in table.rows])

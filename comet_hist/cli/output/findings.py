"""Findings as text for people: place, message, the line, and a caret under what is meant."""

import sys
from collections.abc import Iterable, Iterator
from typing import Final

import click

from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.excerpt import excerpt
from comet_hist.cli.output.table import Column, Table, render
from comet_hist.cli.output.terminal import PIPE_WIDTH, coloured, terminal_width
from comet_hist.findings import KEYS, Finding

FINDING_COLUMNS: Final = tuple(
    Column(name, "number" if name in ("line", "column", "end_column", "hand") else "text") for name in KEYS
)
"""The columns of a table of findings, the keys of `Finding.as_dict`."""

_INDENT: Final = "    "
_LEAST_ROOM: Final = 20


def finding_lines(findings: Iterable[Finding], form: str, color: str) -> Iterator[str]:
    """Give findings for standard output, one by one as they come.

    Args:
        findings: what to show.
        form: `text`, `github`, or a format of tables.
        color: `auto`, `always` or `never`.
    """
    if form == "github":
        from comet_hist.cli.output.github import github_line

        return map(github_line, findings)
    if form != "text":
        rows = (tuple(finding.as_dict().values()) for finding in findings)
        return render(Table(FINDING_COLUMNS, rows), form)
    columns, colour = terminal_width(sys.stdout) or PIPE_WIDTH, coloured(color, sys.stdout)
    return (finding_text(finding, columns, colour) for finding in findings)


def finding_text(finding: Finding, columns: int, colour: bool) -> str:
    """Return a finding as several lines of text, without the last line end.

    Args:
        finding: the finding.
        columns: the terminal columns that the line it points into may take.
        colour: whether to use colour.
    """
    place = f"{visible(finding.file)}:{finding.line}:{finding.column}:"
    code, carets = finding.code, ""
    lines = [visible(finding.message)]
    if finding.source.strip():
        source, carets = excerpt(
            finding.source, finding.column, finding.end_column, max(_LEAST_ROOM, columns - len(_INDENT))
        )
        lines.append(source)
    if colour:
        red = "red" if finding.severity == "error" else "yellow"
        place, code = click.style(place, bold=True), click.style(code, fg=red, bold=True)
        carets = click.style(carets, fg=red, bold=True)
    if carets:
        lines.append(carets)
    lines += map(visible, finding.advice())
    return f"{place} {code} " + ("\n" + _INDENT).join(lines)

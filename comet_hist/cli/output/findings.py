"""Findings as text for people: place, message, the line, and a caret under what is meant."""

import sys
from collections.abc import Iterable, Iterator
from typing import Final

import click

from comet_hist.cli.output.characters import isolated, visible
from comet_hist.cli.output.excerpt import excerpt
from comet_hist.cli.output.table import Column, Table, render
from comet_hist.cli.output.terminal import PIPE_WIDTH, coloured, on_terminal, terminal_width
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
    room, colour = terminal_width(sys.stdout), coloured(color, sys.stdout)
    return (finding_text(finding, room, colour) for finding in findings)


def finding_text(finding: Finding, room: int | None, colour: bool) -> str:
    """Return a finding as several lines of text, without the last line end.

    Args:
        finding: the finding.
        room: the columns of the terminal, None for a pipe.
        colour: whether to use colour.
    """
    place = f"{visible(finding.file)}:{finding.line}:{finding.column}:"
    code, quoted = finding.code, []
    if finding.source.strip():
        width = max(_LEAST_ROOM, (room or PIPE_WIDTH) - len(_INDENT))
        source, carets = excerpt(finding.source, finding.column, finding.end_column, width)
        quoted = [source if room is None else isolated(source), carets]
    if colour:
        red = "red" if finding.severity == "error" else "yellow"
        place, code = click.style(place, bold=True), click.style(code, fg=red, bold=True)
        quoted[1:] = [click.style(carets, fg=red, bold=True) for carets in quoted[1:]]
    lines = list(on_terminal(f"{place} {code} {visible(finding.message)}", room, len(_INDENT)))
    lines += [_INDENT + line for line in quoted]
    for line in finding.advice():
        lines += on_terminal(_INDENT + visible(line), room)
    return "\n".join(lines)

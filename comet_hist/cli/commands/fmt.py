"""`comet-hist fmt`: the canonical form."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from comet_hist.cli.options import color_option, examples, paths_argument
from comet_hist.cli.status import Status
from comet_hist.findings import some

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from comet_hist.cli.formatting import Formatted
    from comet_hist.cli.reading import Reading
    from comet_hist.formatting import Unformatted
    from comet_hist.notation.sources import Source


def _known_language(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    from comet_hist.notation.vocabulary import languages

    if name is not None and name not in languages():
        raise click.BadParameter(f"there is no language “{name}”; there are {', '.join(languages())}")
    return name


def _complete_language(
    context: click.Context, option: click.Parameter, beginning: str
) -> "list[str] | list[CompletionItem]":
    from comet_hist.notation.vocabulary import languages

    return [name for name in languages() if name.startswith(beginning)]


@click.command(
    epilog=examples(
        "comet-hist fmt night.comet                    to standard output",
        "comet-hist fmt --write nights/                each file in place",
        "comet-hist fmt --check nights/                which files are not canonical?",
        "comet-hist fmt --diff night.comet             what would change",
        "comet-hist fmt --language en - < soiree.comet",
    )
)
@paths_argument
@click.option("--write", is_flag=True, help="Write in place the files that are not canonical already.")
@click.option("--check", is_flag=True, help="Name the files that would change; if there are any, exit status 1.")
@click.option("--diff", is_flag=True, help="Show what would change, as a unified diff.")
@click.option(
    "--language",
    metavar="NAME",
    callback=_known_language,
    shell_complete=_complete_language,
    help="The language to write, such as en; without it each session's own.",
)
@color_option
@click.pass_context
def fmt(
    context: click.Context,
    paths: tuple[str, ...],
    write: bool,
    check: bool,
    diff: bool,
    language: str | None,
    color: str,
) -> None:
    """Write histories in canonical form.

    There is one canonical text for what a history says, so that files can be compared. It goes to
    standard output, unless options say otherwise; --check and --diff change nothing. Comments are
    kept on their lines.

    Formatting never changes what is read: faults of deal, play and payment stay as they are. A file
    with errors in its text (E1: a line that cannot be read, stands twice or where it cannot stand) is
    left as it is. What is wrong goes to standard error, and the exit status is 1.

    --write replaces a file at once and whole, and keeps its mode and a symbolic link; what was packed
    (.gz, .zst) is packed again. A file that is canonical already is not touched.

    The JSON of `comet-hist export` is turned back into text, to standard output alone.
    """
    if write and (check or diff):
        raise click.UsageError("--write changes files, --check and --diff do not: give one or the other")
    if write and "-" in paths:
        raise click.UsageError("standard input cannot be written in place; without --write the text goes to output")
    from comet_hist.cli.reading import Reading

    reading = Reading(paths)
    work = _Work(reading, write, check, diff, color)
    for source in reading.sources():
        with reading.guarding():
            if write or check or diff:
                _refuse_json(source.path)
            work.do(source, language)
    if write or check:
        reading.narrate(work.summary())
    status = reading.tally.status(strict=False)
    context.exit(Status.ERRORS if status is Status.CLEAN and check and work.changed else status)


def _refuse_json(path: str) -> None:
    """Keep JSON from being replaced by, or compared with, the text that it stands for."""
    from comet_hist.notation import json_form
    from comet_hist.notation.sources import SourceError

    if json_form(path):
        raise SourceError(f"{path}: is JSON, not text; without --write, --check and --diff its text goes to output")


class _Work:
    """What is done with the canonical text of each file, and how often.

    Args:
        reading: what the files are read by.
        write: whether to write in place.
        check: whether to name the files that would change.
        diff: whether to show what would change.
        color: `auto`, `always` or `never`.

    Attributes:
        changed: how many files were, or would be, changed.
        canonical: how many were canonical already.
        refused: how many have lines that cannot be read.
    """

    def __init__(self, reading: "Reading", write: bool, check: bool, diff: bool, color: str) -> None:
        self.changed = self.canonical = self.refused = 0
        self._reading = reading
        self._write = write
        self._check = check
        self._diff = diff
        self._color = color

    def do(self, source: "Source", language: str | None) -> None:
        """Do with a file what was asked for; one with lines that cannot be read is reported.

        Raises:
            SourceError: if it cannot be read to its end, or not be written.
        """
        from comet_hist.cli.formatting import format_source
        from comet_hist.formatting import Unformatted

        try:
            with format_source(source, language, self._reading.step) as formatted:
                self._take(source.path, formatted)
        except Unformatted as unformatted:
            self.refused += 1
            self._refuse(source.path, unformatted)

    def summary(self) -> str:
        """Return the counts in one line."""
        changed = "rewritten" if self._write else "would change"
        files = some(self.changed + self.canonical + self.refused, "file")
        parts = [f"{self.changed} {changed}", f"{self.canonical} canonical already"]
        if self.refused:
            parts.append(f"{self.refused} not formatted")
        return f"{files}: {', '.join(parts)}"

    def _take(self, path: str, formatted: "Formatted") -> None:
        is_canonical = formatted.is_canonical()
        if not (self._write or self._check or self._diff):
            self._print(formatted)
        elif not is_canonical:
            self._change(path, formatted)
        self.canonical += is_canonical
        self.changed += not is_canonical

    def _refuse(self, path: str, unformatted: "Unformatted") -> None:
        """Say on standard error why a file is not formatted."""
        from comet_hist.cli.output.findings import finding_text
        from comet_hist.cli.output.terminal import coloured, terminal_width

        reading = self._reading
        room, colour = terminal_width(sys.stderr), coloured(self._color, sys.stderr)
        for finding in unformatted.findings:
            reading.tally.add_finding(finding)
            reading.report(finding_text(finding, room, colour))
        reading.narrate(f"{path}: not formatted, {some(len(unformatted.findings), 'error')} in its text")

    def _change(self, path: str, formatted: "Formatted") -> None:
        if self._write:
            self._replace(path, formatted)
            self._reading.narrate(f"{path}: rewritten")
        elif self._diff:
            self._show_diff(path, formatted)
        else:
            self._reading.say(_shown(path))

    def _replace(self, path: str, formatted: "Formatted") -> None:
        from comet_hist.cli.replacing import OutputError, writing
        from comet_hist.notation.sources import SourceError

        if not Path(path).is_file():
            raise SourceError(f"{path}: cannot be written: it is no ordinary file")
        try:
            with writing(Path(path), self._reading.narrate) as stream:
                shutil.copyfileobj(formatted.after, stream)
        except OutputError as error:
            raise SourceError(error.message) from error

    def _print(self, formatted: "Formatted") -> None:
        if sys.stdout.isatty():
            for line in formatted.after.read().decode().split("\n")[:-1]:
                self._reading.say(_shown(line))
        else:
            sys.stdout.flush()
            shutil.copyfileobj(formatted.after, sys.stdout.buffer)

    def _show_diff(self, path: str, formatted: "Formatted") -> None:
        from comet_hist.cli.output.diff import diff_lines, diff_on_terminal
        from comet_hist.cli.output.terminal import coloured

        lines = diff_lines(path, formatted.before.read().decode(), formatted.after.read().decode())
        colour = coloured(self._color, sys.stdout)
        if colour or sys.stdout.isatty():
            for line in diff_on_terminal(lines, colour):
                self._reading.say(line)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.writelines(f"{line}\n".encode() for line in lines)


def _shown(line: str) -> str:
    from comet_hist.cli.output.characters import visible

    return visible(line)

"""The command `comet-hist` itself: its commands, and how it ends when something cuts it short."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from comet_hist import __version__
from comet_hist.cli.ending import ending
from comet_hist.cli.options import examples
from comet_hist.cli.status import Failure
from comet_hist.processes import seldom_look_for_cycles

COMMANDS: Final = {
    "analyze": "Check, audit and load hands in one go.",
    "check": "Replay hands and say which are not legal.",
    "audit": "Audit payments, balance every session, and say who pays whom.",
    "load": "Load hands into a DuckDB database.",
    "stats": "Show statistics of players and of the game.",
    "plot": "Draw statistics as a picture, in a file or in the terminal.",
    "report": "Make one page of histories or of a database.",
    "query": "Ask a database in SQL; nothing in it can be changed.",
    "schema": "Show the views that queries can ask.",
    "show": "Show a hand as it was played.",
    "fmt": "Write histories in canonical form.",
    "export": "Write histories for other programs.",
    "simulate": "Write game nights that nobody played, legal and paid right.",
    "explain": "Say what a finding means: its rule, an example and the mend.",
}
"""The commands as a newcomer meets them, with what each says of itself first."""


def command(name: str) -> click.Command:
    """Import a command: the function of its name in the module of its name.

    What one needs takes longer to import than most of them take to run, so that each is imported where it is run.

    Args:
        name: a key of `COMMANDS`.
    """
    found = getattr(import_module(f"comet_hist.cli.commands.{name}"), name)
    assert isinstance(found, click.Command)
    found.context_class = _Context
    return found


class _Formatter(click.HelpFormatter):
    def getvalue(self) -> str:
        """Return the help, with lines that are wider than a terminal folded below what they explain."""
        from comet_hist.cli.output.terminal import on_terminal, terminal_width

        room = terminal_width(sys.stdout)
        lines = super().getvalue().split("\n")
        return "\n".join(row for line in lines for row in on_terminal(line, room, _hang(line)))


def _hang(line: str) -> int:
    """Return how far what explains a word, two blanks or more after it, begins beyond the line's indentation."""
    found = re.match(r"\S+(?: \S+)* {2,}(?=\S)", line.lstrip())
    return found.end() if found else 4


class _Context(click.Context):
    formatter_class = _Formatter


@contextmanager
def _folding() -> Iterator[None]:
    """Fold what is said of wrong usage to the width of a terminal."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        from comet_hist.cli.output.terminal import on_terminal, terminal_width

        head = "Error: "
        text = "\n".join(on_terminal(head + error.format_message(), terminal_width(sys.stderr)))
        raise click.UsageError(text.removeprefix(head), error.ctx) from error


class _Commands(click.Group):
    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the commands in their order."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Import the command that is to run, or whose options the shell completes."""
        name, known, rest = super().resolve_command(ctx, args)
        return name, command(name) if name and known else None, rest

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run, and write what a terminal cannot show, such as a suit sign, as its escape."""
        seldom_look_for_cycles()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        with ending():
            return super().main(*args, **extra)

    # Click has ends of its own for what comes out of these two.
    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the command line, or answer it with help."""
        with ending(), _folding():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with ending(), _folding():
            return super().invoke(ctx)


@click.group(
    cls=_Commands,
    commands={name: click.Command(name, short_help=line) for name, line in COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "comet-hist analyze samples/nights   the main job in one go",
        "comet-hist check nights/            every history below a folder",
        "comet-hist explain E406             what a finding means, and the mend",
    )
    + "\n\n\b\nExit status:\n"
    "  0  no errors found\n"
    "  1  errors found\n"
    "  2  wrong usage, a path that cannot be read, a database or output that cannot be used, too little memory\n"
    "  130  interrupted\n"
    "  141  whoever read the output stopped reading, as `head` does\n"
    "  143  ended from outside (SIGTERM, SIGHUP)",
)
@click.version_option(__version__, prog_name="comet-hist", message="%(prog)s %(version)s")
def comet_hist() -> None:
    """Read, replay, audit and query recorded hands of the card game Comet.

    PATH is a file, a folder (every *.comet, *.comet.gz and *.comet.zst below it, also behind
    links), a quoted glob, a pipe, or - for standard input. Each file is read once, whatever names
    it has.
    """
    if os.environ.get("COMET_HIST_GRAMMARS"):
        _check_languages()


def _check_languages() -> None:
    """End the command if the user's own languages cannot be used."""
    from comet_hist.notation.languages import LanguageError
    from comet_hist.notation.vocabulary import languages, sessions, vocabulary

    try:
        sessions()
        for language in languages():
            vocabulary(language)
    except LanguageError as error:
        raise Failure(str(error)) from error

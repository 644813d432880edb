"""The command `comet-hist` itself: its commands, and how it ends when something cuts it short."""

import gc
import os
import sys
from importlib import import_module
from typing import Any, Final

import click

from comet_hist import __version__
from comet_hist.cli.ending import ending
from comet_hist.cli.options import examples
from comet_hist.cli.status import Failure

COMMANDS: Final = (
    "analyze", "check", "audit", "load", "stats", "plot", "report", "query", "schema", "show", "fmt", "export",
    "simulate", "explain",
)  # fmt: skip
"""The commands, each the function of its name in the module of its name, as a newcomer meets them."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the commands in their order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command when it is asked for: what the others need takes longer than most of them."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"comet_hist.cli.commands.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; click proposes the nearest of those it knows for one that is not there."""
        if args and args[0] not in COMMANDS:
            for name in COMMANDS:
                command = self.get_command(ctx, name)
                assert command is not None
                self.add_command(command)
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run, and write what a terminal cannot show, such as a suit sign, as its escape."""
        # Records are many small values without cycles: looking for cycles among them less often saves a twentieth.
        gc.set_threshold(100_000, 20, 20)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        with ending():
            return super().main(*args, **extra)

    # Click has ends of its own for what comes out of these two.
    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the command line, or answer it with help."""
        with ending():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with ending():
            return super().invoke(ctx)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "comet-hist analyze samples/nights   the main job in one go",
        "comet-hist check nights/            every history below a folder",
        "comet-hist explain E406             what a finding means, and the mend",
    )
    + "\n\n\b\nExit status:\n"
    "  0  no errors found\n"
    "  1  errors found\n"
    "  2  wrong usage, a path that cannot be read, a database or output that cannot be used\n"
    "  130  interrupted\n"
    "  141  whoever read the output stopped reading, as `head` does",
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

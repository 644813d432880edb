"""The command `comet-hist` itself: its commands, and how it ends when something cuts it short."""

import os
import sys
from typing import Any

import click

from comet_hist import __version__
from comet_hist.cli.commands.analyze import analyze
from comet_hist.cli.commands.audit import audit
from comet_hist.cli.commands.check import check
from comet_hist.cli.commands.explain import explain
from comet_hist.cli.commands.export import export
from comet_hist.cli.commands.fmt import fmt
from comet_hist.cli.commands.load import load
from comet_hist.cli.commands.query import query
from comet_hist.cli.commands.schema import schema
from comet_hist.cli.commands.show import show
from comet_hist.cli.commands.stats import stats
from comet_hist.cli.ending import ending
from comet_hist.cli.options import examples
from comet_hist.cli.status import Failure


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the commands in the order in which a newcomer meets them."""
        return list(self.commands)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run, and write what a terminal cannot show, such as a suit sign, as its escape."""
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


for _command in (analyze, check, audit, load, stats, query, schema, show, fmt, export, explain):
    comet_hist.add_command(_command)

"""Arguments and options that several commands share."""

import os
import re
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from comet_hist.cli.settings import COLORS, from_settings
from comet_hist.cli.status import Failure

_F = TypeVar("_F", bound=Callable[..., Any])

FINDING_FORMATS: Final = ("text", "json", "jsonl", "csv", "markdown", "github", "sarif")
"""The formats of findings, the default first."""


HISTORY: Final = click.Path(readable=False)
"""The type of a path that is read: one that cannot be read is complained of when its turn comes, like a missing one."""

OUTPUT: Final = click.Path(readable=False, path_type=Path)
"""The type of the path of an output."""

COUNT: Final = click.IntRange(0, 10**18)
"""The type of a number of rows or hands: DuckDB and lists take no larger one."""

paths_argument = click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=HISTORY)

strict_option = click.option(
    "--strict/--no-strict", default=from_settings("strict", False), help="Warnings too make the exit status 1."
)

color_option = click.option(
    "--color",
    type=click.Choice(COLORS),
    default=from_settings("color", COLORS[0]),
    help="Colour in text: auto, the default, is on a terminal only, and not where the variable NO_COLOR is set.",
)

wide_option = click.option(
    "--wide", is_flag=True, help="Show all columns of a table that is wider than the terminal, in several tables."
)

faulty_option = click.option(
    "--include-faulty", is_flag=True, help="Count every hand that was replayed to its end, not only legal ones."
)

recorded_option = click.option(
    "--as-recorded", is_flag=True, help="Take amounts as they were written, not as the rules owe them."
)


def format_option(*formats: str) -> Callable[[_F], _F]:
    """Return the option `--format` with the given formats, the first of which is the default.

    What is not for the terminal is written in UTF-8, whatever the terminal takes.
    """
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        callback=_in_utf8,
        help="How to show it.",
    )


def _in_utf8(context: click.Context, option: click.Parameter, form: str) -> str:
    if form != option.default and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return form


_NO_FILE: Final = re.compile(
    r":memory:|[\w.+-]+://|(md|motherduck|file|https?|s3|gcs?|r2|hf|azure?|abfss?|ducklake|mysql|postgres|sqlite):",
    re.IGNORECASE,
)
"""How a text begins that means another kind of database to DuckDB, or one that is not kept."""


class _DatabaseFile(click.Path):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path of a file; `~/` is the home folder, since the shell leaves it alone in `--db=~/FILE`."""
        if value == "":
            self.fail("it is empty; give a file, such as nights.duckdb", param, ctx)
        if _NO_FILE.match(value):
            raise Failure(f"{value}: names no file to DuckDB; give a file, such as nights.duckdb")
        if value.startswith("~/"):
            value = os.path.expanduser(value)  # noqa: PTH111 (the one of Path fails where there is no home)
        return super().convert(value, param, ctx)


def database_option(required: bool, text: str) -> Callable[[_F], _F]:
    """Return the option `--db` with its help text."""
    kind = _DatabaseFile(dir_okay=False, path_type=Path)
    return click.option("--db", "database", type=kind, required=required, metavar="FILE", help=text)


def examples(*lines: str) -> str:
    """Return the end of a command's help: examples, each on a line of its own."""
    return "\b\nExamples:\n" + "\n".join("  " + line for line in lines)

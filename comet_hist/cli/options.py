"""Arguments and options that several commands share."""

import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from comet_hist.cli.settings import COLORS, from_settings

_F = TypeVar("_F", bound=Callable[..., Any])

FINDING_FORMATS: Final = ("text", "json", "jsonl", "csv", "markdown", "github", "sarif")
"""The formats of findings, the default first."""


paths_argument = click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())

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


class _DatabaseFile(click.Path):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Take the name of a file, which an empty one is not."""
        if value == "":
            self.fail("it is empty; give a file, such as nights.duckdb", param, ctx)
        return super().convert(value, param, ctx)


def database_option(required: bool, text: str) -> Callable[[_F], _F]:
    """Return the option `--db` with its help text."""
    kind = _DatabaseFile(dir_okay=False, path_type=Path)
    return click.option("--db", "database", type=kind, required=required, metavar="FILE", help=text)


def examples(*lines: str) -> str:
    """Return the end of a command's help: examples, each on a line of its own."""
    return "\b\nExamples:\n" + "\n".join("  " + line for line in lines)

"""`comet-hist schema`: the views of the database."""

import sys
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Final

import click

from comet_hist.cli.options import examples, format_option
from comet_hist.cli.output.table import TABLE_FORMATS, Column, Table, render

if TYPE_CHECKING:
    from comet_hist.store.columns import View

_COLUMNS: Final = (Column("view"), Column("column"), Column("type"), Column("meaning"))
_WIDTH: Final = 100
_LEAST_WIDTH: Final = 40


@click.command(
    epilog=examples(
        "comet-hist schema                     all views with their columns",
        "comet-hist schema hands               one view",
        "comet-hist schema --format markdown   for a document",
    )
)
@click.argument("view", required=False)
@format_option(*TABLE_FORMATS)
def schema(view: str | None, form: str) -> None:
    """Show the views that queries can ask.

    Each column stands there with its type and meaning. With VIEW only those of that one.
    """
    from comet_hist.nearest import did_you_mean, nearest
    from comet_hist.store.columns import VIEWS

    names = [each.name for each in VIEWS]
    if view is not None and view not in names:
        meant = did_you_mean(nearest(view, names)) or f"; the views are {', '.join(names)}"
        raise click.UsageError(f"there is no view “{view}”{meant}")
    asked = [each for each in VIEWS if view in (None, each.name)]
    if form == "table":
        lines = _described(asked)
    else:
        rows = [(each.name, *column) for each in asked for column in each.columns]
        lines = render(Table(_COLUMNS, rows), form)
    sys.stdout.writelines(line + "\n" for line in lines)


def _described(views: "Sequence[View]") -> Iterator[str]:
    """Give the lines that describe views and their columns, and the types of their own that these have."""
    from comet_hist.cli.output.terminal import terminal_width
    from comet_hist.store.columns import ENUMS

    width = max(_LEAST_WIDTH, terminal_width(sys.stdout) or _WIDTH)
    for view in views:
        yield f"{view.name}: one row is {view.row}"
        for column in view.columns:
            yield _entry(f"{column.name:15} {column.type:10}", column.meaning, width)
        yield ""
    types = {column.type for view in views for column in view.columns}
    for name, meaning in ENUMS.items():
        if name in types:
            yield _entry(f"type {name:21}", meaning, width, "")


def _entry(head: str, text: str, width: int, indent: str = "  ") -> str:
    return fill(text, width, initial_indent=f"{indent}{head} ", subsequent_indent=" " * (len(indent + head) + 1))

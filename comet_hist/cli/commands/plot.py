"""`comet-hist plot`: statistics as pictures."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from comet_hist.cli.filtering import filter_options, warn_of_strangers
from comet_hist.cli.options import HISTORY, OUTPUT, color_option, database_option, examples
from comet_hist.cli.status import Failure, note
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.pictures import ENDINGS, VIEWS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from comet_hist.pictures.charts import Picture
    from comet_hist.stats.filters import Filters
    from comet_hist.store.query import Table


class _View(click.ParamType[str]):
    name = "VIEW"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Take the name of a picture."""
        if value in VIEWS:
            return str(value)
        meant = did_you_mean(nearest(value, VIEWS)) or f"; there are {', '.join(VIEWS)}"
        return self.fail(f"there is no picture “{value}”{meant}", param, ctx)


@click.command(
    epilog=examples(
        "comet-hist plot timeline nights/ -o timeline.png",
        "comet-hist plot players --db nights.duckdb --since 2026-01-01 -o players.svg",
        "comet-hist plot pairs --db nights.duckdb --alias names.toml -o pairs.html",
        "comet-hist plot seats nights/ --size 4 --terminal",
    )
)
@click.argument("view", type=_View(), metavar="VIEW")
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=HISTORY)
@database_option(False, "The database to ask, in place of PATH.")
@click.option("-o", "--output", type=OUTPUT, metavar="FILE", help="Where to write it.")
@click.option("--terminal", is_flag=True, help="Draw it in the terminal, of signs.")
@filter_options
@color_option
@click.pass_context
def plot(
    context: click.Context,
    view: str,
    paths: tuple[str, ...],
    database: Path | None,
    output: Path | None,
    terminal: bool,
    filters: "Filters",
    color: str,
) -> None:
    """Draw statistics as a picture, in a file or in the terminal.

    \b
    timeline  chips won by each player, hand by hand
    comet     whose Comets were played or stuck, and what they were played for
    seats     chips won and hands won by place after the dealer
    pairs     who paid whom
    players   chips won and hands won by each player

    FILE is a picture of the kind that its ending says: .png, .svg, or .html, a page that shows
    numbers under the pointer. Each stands alone and needs no network. Statistics are those of
    `stats` with the same options, which name what is left out; the picture says of how many hands
    it is. Where there is nothing to draw, no file is written and the exit status is 2.
    """  # noqa: D301 - for click \b is the sign itself
    if terminal == (output is not None):
        raise click.UsageError("give a file to draw into (-o FILE) or --terminal" + (", not both" if terminal else ""))
    if output is not None and output.suffix.lower() not in ENDINGS:
        raise click.UsageError(f"-o {output}: the name of a picture ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    from comet_hist.cli.asking import asking
    from comet_hist.cli.statistics import left_out
    from comet_hist.pictures.charts import PICTURES

    picture = PICTURES[view]
    with asking(paths, database, [] if output is None else [output]) as asked:
        drawn = picture.read(_statistic(asked.connection, picture.view, filters))
        notes = left_out(asked.connection, filters)
        warn_of_strangers(asked.connection, filters)
    for line in notes:
        note(line)
    if drawn is None:
        raise Failure(f"nothing to draw: {picture.empty}")
    if output is None:
        _show(picture, drawn, color)
    else:
        _write(picture, drawn, output)
    context.exit(asked.status)


def _statistic(connection: "DuckDBPyConnection", view: str, filters: "Filters") -> "Table":
    from comet_hist.stats.run import statistic

    try:
        return statistic(connection, view, filters)
    except ValueError as error:
        raise Failure(str(error)) from error


def _show(picture: "Picture[Any]", drawn: Any, color: str) -> None:
    from comet_hist.cli.output.characters import isolated
    from comet_hist.cli.output.terminal import PIPE_WIDTH, coloured, terminal_width
    from comet_hist.pictures.terminal import LEAST_WIDTH

    room = terminal_width(sys.stdout)
    lines = picture.lines(drawn, max(LEAST_WIDTH, room or PIPE_WIDTH), coloured(color, sys.stdout))
    sys.stdout.writelines((line if room is None else isolated(line)) + "\n" for line in lines)


def _write(picture: "Picture[Any]", drawn: Any, output: Path) -> None:
    from comet_hist.cli.replacing import writing
    from comet_hist.pictures.write import written

    content = written(picture.chart(drawn), output.suffix.lower())
    with writing(output) as stream:
        stream.write(content)

"""`comet-hist stats`: the statistics."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import click

from comet_hist.cli.filtering import filter_options, warn_of_strangers
from comet_hist.cli.options import COUNT, HISTORY, database_option, examples, format_option, wide_option
from comet_hist.cli.output.table import FOR_PEOPLE, SHOWS_ALL, TABLE_FORMATS, Table, objects, render
from comet_hist.cli.status import note
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.stats.columns import VIEWS, View

if TYPE_CHECKING:
    from comet_hist.stats.filters import Filters


def _columns_help(view: View) -> str:
    lines = (
        fill(f"{column.name:16} {column.meaning}", 77, initial_indent="  ", subsequent_indent=" " * 19)
        for column in view.columns
    )
    return f"\b\nColumns of {view.name} ({view.about}; a row is {view.row}):\n" + "\n".join(lines)


MOST_ROWS: Final = 1000
"""The most rows that people are shown where nobody says how many."""

_MORE: Final = f"{SHOWS_ALL}, --columns A,B,… those you name"

_EXAMPLES: Final = examples(
    "comet-hist stats players --db nights.duckdb",
    "comet-hist stats nights/ --format csv > players.csv",
    "comet-hist stats comet --db nights.duckdb --player Anna --since 2026-01-01",
    "comet-hist stats pairs nights/ --alias names.toml",
    "comet-hist stats players nights/ --sort win_rate --desc --limit 5 --columns player,hands,wins,win_rate",
)


@click.command(epilog="\n\n".join([_EXAMPLES, *map(_columns_help, VIEWS.values())]))
@click.argument("words", nargs=-1, metavar="[VIEW] [PATH...]", type=HISTORY)
@database_option(False, "The database to ask, in place of PATH.")
@filter_options
@click.option("--sort", metavar="COLUMN", help="Sort by this column, the smallest first; empty cells come last.")
@click.option("--desc", is_flag=True, help="With --sort, the largest first.")
@click.option("--limit", type=COUNT, metavar="N", help="Show the first N rows.")
@click.option("--columns", metavar="A,B,…", help="Show these columns, in this order.")
@wide_option
@format_option(*TABLE_FORMATS)
@click.pass_context
def stats(
    context: click.Context,
    words: tuple[str, ...],
    database: Path | None,
    filters: "Filters",
    sort: str | None,
    desc: bool,
    limit: int | None,
    columns: str | None,
    wide: bool,
    form: str,
) -> None:
    """Show statistics of players and of the game.

    They are those of a database, or of histories read for the purpose. VIEW is players, which is
    also what is shown without it, sessions, comet, openings, stops, seats, pairs or timeline. Only
    legal hands count, and amounts are what was owed, unless options say otherwise; standard error
    says which hands are left out. comet, openings, stops and seats pool all players, or those that
    --player names. Errors in histories that are read make the exit status 1, as in `check`, which
    shows them.

    On a terminal that is too narrow for all columns the most important ones are shown; --wide shows
    all, --columns those you name. Pairs are shown as squares. Without --limit people see the first
    1000 rows, and standard error says of how many; csv, json and jsonl have all.
    json holds the view, the meaning of its columns, and its rows; in csv, json and jsonl rates are
    shares of 1.
    """
    from comet_hist.cli.asking import asking
    from comet_hist.cli.statistics import chosen_columns, column_named, cut_short, first_rows, left_out, table_of
    from comet_hist.stats.run import Order

    view, paths = _view_and_paths(words)
    if desc and sort is None:
        raise click.UsageError("--desc goes with --sort COLUMN")
    order = None if sort is None else Order(VIEWS[view].columns[column_named(view, sort)].name, desc)
    shown = [column_named(view, name.strip()) for name in columns.split(",")] if columns is not None else None
    if shown is not None and len(set(shown)) < len(shown):
        raise click.UsageError("--columns names a column twice")
    plain = sort is None and limit is None and shown is None
    more = None if wide or shown is not None else _MORE
    most = MOST_ROWS if limit is None and form in FOR_PEOPLE else limit
    with asking(paths, database) as asked:
        notes = left_out(asked.connection, filters)
        warn_of_strangers(asked.connection, filters)
        rows = first_rows(asked.connection, view, filters, order, most)
        table = table_of(view, rows) if shown is None else chosen_columns(table_of(view, rows), shown)
        sys.stdout.writelines(line + "\n" for line in _lines(view, table, form, plain, more))
        if cut := cut_short(rows):
            notes.append(cut if limit is not None else f"{cut}; `--limit N` shows more, `--format csv` all")
    for line in notes:
        note(line)
    context.exit(asked.status)


def _view_and_paths(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the view and the paths among the words, of which the first may be a view."""
    if words and words[0] in VIEWS:
        return words[0], words[1:]
    # The one of Path fails where a folder may not be searched, of which is complained when its turn comes.
    meant = nearest(words[0], VIEWS) if words and not os.path.exists(words[0]) else None  # noqa: PTH110
    if meant:
        raise click.UsageError(f"there is no file “{words[0]}” and no such view{did_you_mean(meant)}")
    return "players", words


def _lines(view: str, table: Table, form: str, plain: bool, more: str | None) -> Iterator[str]:
    """Give the lines of a statistic.

    Args:
        view: its name.
        table: its rows.
        form: the format.
        plain: whether neither order nor columns were asked for.
        more: as for `render`.
    """
    from comet_hist.cli.output.terminal import terminal_width

    room = terminal_width(sys.stdout)
    if form == "json":
        yield from _object_lines(VIEWS[view], table)
    elif view == "pairs" and plain and form in FOR_PEOPLE:
        yield from _square_lines(table, form, room, more)
    else:
        yield from render(table, form, room, more)


def _square_lines(table: Table, form: str, room: int | None, more: str | None) -> Iterator[str]:
    """Give the lines of pairs as squares, or as they are where they may not be all."""
    from comet_hist.cli.statistics import squares

    rows = list(table.rows)
    pairs = table._replace(rows=rows)
    if len(rows) == MOST_ROWS:
        yield from render(pairs, form, room, more)
        return
    for number, (_, square) in enumerate(squares(pairs)):
        if number:
            yield ""
        yield from render(square, form, room, more)


def _object_lines(view: View, table: Table) -> Iterator[str]:
    from comet_hist.cli.output.as_json import array_lines, encode

    meanings = {column.name: column.meaning for column in view.columns}
    columns: list[dict[str, Any]] = [{"name": each.name, "meaning": meanings[each.name]} for each in table.columns]
    yield f'{{"view": {encode(view.name)}, "row": {encode(view.row)}, "columns": {encode(columns)}, "rows":'
    yield from array_lines(objects(table))
    yield "}"

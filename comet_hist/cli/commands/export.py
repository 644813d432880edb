"""`comet-hist export`: histories for other programs."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from comet_hist.cli.options import OUTPUT, color_option, examples, paths_argument
from comet_hist.cli.status import Failure

if TYPE_CHECKING:
    from comet_hist.cli.exporting import Exporting
    from comet_hist.store.load import Loader

FORMS: Final = ("json", "jsonl", "csv", "parquet", "beancount")
"""What histories can be exported to."""

_PLAYS: Final = "plays"
"""The view that csv shows where it can show only one."""


@click.command(
    epilog=examples(
        "comet-hist export nights/ --to json -o nights.json        and nights.json is read by every command",
        "comet-hist export nights/ --to jsonl | jq .session",
        "comet-hist export nights/ --to csv > plays.csv            every card played",
        "comet-hist export nights/ --to csv -o tables/             hands.csv, seats.csv, payments.csv ...",
        "comet-hist export nights/ --to parquet -o tables/",
        "comet-hist export night.comet --to beancount -o night.beancount && bean-check night.beancount",
    )
)
@paths_argument
@click.option("--to", "form", type=click.Choice(FORMS), required=True, help="What to write.")
@click.option(
    "-o",
    "--output",
    type=OUTPUT,
    metavar="FILE",
    help="Where to write it, in place of standard output; for csv and parquet a folder.",
)
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="For beancount the day, such as 2026-11-28, of sessions that have no date.",
)
@color_option
@click.pass_context
def export(
    context: click.Context, paths: tuple[str, ...], form: str, output: Path | None, day: datetime | None, color: str
) -> None:
    """Write histories for other programs.

    json is one object, jsonl has one session a line. Both carry all that was written, faults and
    comments too, and are read back by every command that takes a PATH, by their names (*.json,
    *.jsonl, packed or not); a folder is searched for texts alone.

    csv and parquet are the tables of the database, a file for each view of `comet-hist schema`;
    csv without -o is the view of the plays.

    beancount is the ledger of the chips: payments as they were written, and the stacks that must
    come out, for `bean-check` to say whether they do.

    A session that cannot be read whole is refused: its findings go to standard error, and the exit
    status is 1. All others are exported, faults of play and payment as they are.
    """
    from comet_hist.cli.exporting import Exporting, write_lines
    from comet_hist.cli.reading import Reading

    if day is not None and form != "beancount":
        raise click.UsageError(f"--date is for beancount; {form} needs no date")
    tables = form in ("csv", "parquet")
    if tables:
        _check_folder(form, output)
    reading = Reading(paths, chips=form not in ("json", "jsonl"), outputs=_outputs(form, output))
    work = Exporting(reading, color)
    if tables:
        _write_tables(work, form, output)
    else:
        write_lines(_lines(work, form, None if day is None else day.date()), output)
    reading.narrate(work.summary(None if output is None else str(output)))
    context.exit(work.status())


def _outputs(form: str, output: Path | None) -> list[Path]:
    """Return the files that are written."""
    if output is None:
        return []
    if form not in ("csv", "parquet"):
        return [output]
    from comet_hist.export.tables import view_names

    return [_table_file(output, view, form) for view in view_names()]


def _table_file(folder: Path, view: str, form: str) -> Path:
    return folder / f"{view}.{form}"


def _check_folder(form: str, output: Path | None) -> None:
    if output is None:
        if form == "parquet":
            raise click.UsageError("parquet is one file a view: give a folder for them, -o FOLDER")
    elif form == "parquet" and not _is_utf8(str(output)):
        raise click.UsageError("parquet is written by DuckDB, which takes no name that is not UTF-8")
    elif output.is_file() or (output.suffix == f".{form}" and not output.exists()):
        alone = f"; for the plays alone write > {output}" if form == "csv" else ""
        raise click.UsageError(f"-o is the folder for the tables, a file a view, and not a file{alone}")


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _lines(work: "Exporting", form: str, day: date | None) -> Iterator[str]:
    from comet_hist.cli.output.as_json import harmless
    from comet_hist.export.json_write import json_lines, jsonl_lines

    if form == "beancount":
        return work.ledger(day)
    return map(harmless, (json_lines if form == "json" else jsonl_lines)(work.objects()))


def _write_tables(work: "Exporting", form: str, folder: Path | None) -> None:
    from comet_hist.cli.exporting import write_lines
    from comet_hist.cli.replacing import whole
    from comet_hist.cli.storing import using
    from comet_hist.export.tables import view_names, write_parquet
    from comet_hist.store.load import Loader

    with using(None), Loader(None) as loader:
        work.load(loader)
        if folder is None:
            write_lines(_csv(loader, _PLAYS), None)
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"{folder}: cannot be made: {error.strerror}") from error
        for view in view_names():
            file = _table_file(folder, view, form)
            if form == "csv":
                write_lines(_csv(loader, view), file)
            else:
                with whole(file) as new:
                    write_parquet(loader.connection, view, new)


def _csv(loader: "Loader", view: str) -> Iterable[str]:
    from comet_hist.cli.output.as_csv import csv_lines
    from comet_hist.cli.output.table import Column, Table
    from comet_hist.export.tables import column_names, view_rows

    columns = [Column(name) for name in column_names(view)]
    return csv_lines(Table(columns, view_rows(loader.connection, view)))

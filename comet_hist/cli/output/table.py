"""Tables, and the formats they can be asked for in."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

TABLE_FORMATS: Final = ("table", "csv", "json", "jsonl", "markdown")
"""The formats of a table, the default first."""

FOR_PEOPLE: Final = ("table", "markdown")
"""Those of them that are drawn whole, and read by people."""


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: what stands above it, and its key in JSON.
        shown: how people are shown its values: `text` to the left; `number` to the right as it is; `decimal`
            with a fixed number of places; `rate`, a share of 1, in percent.
        places: the places of a `decimal`.
    """

    name: str
    shown: Literal["text", "number", "decimal", "rate"] = "text"
    places: int = 2


class Table(NamedTuple):
    """Columns, whose names differ, and rows with a value or None for each.

    Attributes:
        columns: the columns.
        rows: the rows.
        first: names of columns, the most important first; any others are less important, in their order.
    """

    columns: Sequence[Column]
    rows: Iterable[Sequence[Any]]
    first: Sequence[str] = ()


SHOWS_ALL: Final = "--wide shows all"
"""What a table that does not fit says of the commands that have this option."""


def render(table: Table, form: str, room: int | None = None, more: str | None = None) -> Iterator[str]:
    """Give the lines of a table in one of `TABLE_FORMATS`, without line ends.

    Rows are taken as they are needed; `table` and `markdown` need all of them at once.

    Args:
        table: what to show.
        form: the format.
        room: for `table`, the columns of the terminal: text is wrapped in its cells, and a table that is wider all
            the same shows its most important columns. None for as wide as it gets.
        more: how to see the other columns, which then stands below. None to show all of them all the same, in several
            tables that begin with the same column.
    """
    # Each rendering is imported when it is asked for: tabulate alone takes longer than the rest of a start.
    if form == "csv":
        from comet_hist.cli.output.as_csv import csv_lines

        return csv_lines(table)
    if form == "json":
        from comet_hist.cli.output.as_json import array_lines

        return array_lines(objects(table))
    if form == "jsonl":
        from comet_hist.cli.output.as_json import encode

        return map(encode, objects(table))
    from comet_hist.cli.output.as_table import markdown_lines, table_lines

    return markdown_lines(table) if form == "markdown" else table_lines(table, room, more)


def objects(table: Table) -> Iterator[dict[str, Any]]:
    """Give each row of a table as a mapping from the names of its columns."""
    names = [column.name for column in table.columns]
    return (dict(zip(names, row, strict=True)) for row in table.rows)

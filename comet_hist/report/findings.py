"""The findings of a database, each with the line that it points into if its file is still as it was loaded."""

import os
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist.explain import explanations
from comet_hist.notation.sources import SourceError, find_sources, fingerprint
from comet_hist.store.load import STANDARD_INPUT
from comet_hist.store.query import fetch

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from comet_hist.notation.sources import Source

MOST_FINDINGS: Final = 200
"""The most findings that a page shows."""

_AROUND: Final = 160
"""The most characters of a line that are shown before and after what a finding points at."""

_BOM: Final = "\ufeff"
_CUT: Final = "…"


class Excerpt(NamedTuple):
    """A line, taken apart at what a finding points at: the finding's column is the first character of `marked`."""

    before: str
    marked: str
    after: str


class Found(NamedTuple):
    """A finding.

    Attributes:
        code: such as `E406`.
        title: what the code means, in a few words.
        error: whether it is an error; else it is a warning.
        message: what is wrong.
        session: its session, None outside one.
        hand: its hand, None outside one.
        line: 1-based.
        column: 1-based.
        excerpt: the line, None where it cannot be shown.
    """

    code: str
    title: str
    error: bool
    message: str
    session: str | None
    hand: int | None
    line: int
    column: int
    excerpt: Excerpt | None


class FileFindings(NamedTuple):
    """The findings of one file, and why their lines are not shown, None where they are."""

    name: str
    lines_missing: str | None
    findings: list[Found]


class Findings(NamedTuple):
    """What was found: how many findings, the first of them by file, and how many there are of each code."""

    total: int
    shown: int
    files: list[FileFindings]
    codes: list[tuple[str, str, int]]


def findings(connection: "DuckDBPyConnection", sessions: Sequence[str] | None) -> Findings:
    """Return what was found in sessions, file by file and line by line, the first `MOST_FINDINGS` of it.

    Args:
        connection: a database of comet-hist, open in any way.
        sessions: their identifiers; None for all there are, and what was found outside of sessions too.
    """
    chosen = {"everything": sessions is None, "sessions": list(sessions or ())}
    titles = explanations()
    counts = fetch(connection, _COUNTS, chosen).rows
    rows = fetch(connection, _FINDINGS, {**chosen, "most": MOST_FINDINGS}).rows
    by_file = [(source, list(found)) for source, found in groupby(rows, lambda row: row[:2])]
    names = short_names([path for (path, _), _ in by_file])
    files = [_in_file(name, source[0], source[1], found) for name, (source, found) in zip(names, by_file, strict=True)]
    return Findings(
        sum(count for _, count in counts),
        len(rows),
        files,
        [(code, titles[code].title, count) for code, count in counts],
    )


_COUNTS: Final = """
    SELECT code, count(*)
    FROM private.told WHERE $everything OR list_contains($sessions, session)
    GROUP BY code ORDER BY count(*) DESC, code
"""

_FINDINGS: Final = """
    SELECT path, sha256, code, severity::VARCHAR, message, session, hand, line, "column", end_column
    FROM private.told JOIN (SELECT source, path, sha256 FROM private.sources) USING (source)
    WHERE $everything OR list_contains($sessions, session)
    ORDER BY path, source, line, "column", code, message LIMIT $most
"""


def short_names(paths: Sequence[str]) -> list[str]:
    """Return paths below the folder that they have in common, since a page may go to others.

    >>> short_names(["/home/ann/nights/may.comet", "/home/ann/nights/old/april.comet", "-"])
    ['may.comet', 'old/april.comet', 'standard input or a pipe']
    """
    folders = [str(Path(path).parent) for path in paths if path != STANDARD_INPUT]
    common = os.path.commonpath(folders) if folders else ""
    return [
        "standard input or a pipe" if path == STANDARD_INPUT else str(Path(path).relative_to(common)) for path in paths
    ]


def loaded_files(connection: "DuckDBPyConnection") -> list[str]:
    """Return the paths of the files that a database was loaded from, from which a page takes lines."""
    found = fetch(connection, "SELECT path FROM sources WHERE path <> $standard", {"standard": STANDARD_INPUT})
    return [path for (path,) in found.rows]


def _in_file(name: str, path: str, sha256: str, rows: list[tuple[Any, ...]]) -> FileFindings:
    """Return the findings of a file with their lines, if the file is still the same."""
    try:
        lines = _lines(_unchanged(path, sha256), {row[7] for row in rows})
        missing = None
    except SourceError as error:
        lines, missing = {}, str(error)
    titles = explanations()
    return FileFindings(
        name,
        missing,
        [
            Found(
                code, titles[code].title, severity == "error", message, session, hand, line, column,
                excerpt(lines[line], column, end_column) if line in lines else None,
            )
            for _, _, code, severity, message, session, hand, line, column, end_column in rows
        ],
    )  # fmt: skip


def _unchanged(path: str, sha256: str) -> "Source":
    """Return the file that was loaded.

    Raises:
        SourceError: if it is not there any more, or has changed; the text says which, without the path.
    """
    if path == STANDARD_INPUT:
        raise SourceError("it came from standard input or a pipe")
    try:
        source = next(find_sources([path]))
        now = fingerprint(source).sha256
    except SourceError as error:
        raise SourceError("the file cannot be read any more") from error
    if now != sha256:
        raise SourceError("the file has changed since it was loaded")
    return source


def _lines(source: "Source", wanted: set[int]) -> dict[int, str]:
    """Return physical lines of a file by their numbers, as far as it has them."""
    last = max(wanted)
    lines = {}
    with source.open() as stream:
        for number, line in enumerate(stream, 1):
            if number in wanted:
                lines[number] = line.rstrip(b"\r\n").decode(errors="replace").removeprefix(_BOM)
            if number == last:
                break
    return lines


def excerpt(line: str, column: int, end_column: int) -> Excerpt:
    """Return a line taken apart at what a finding points at; what is far from it is cut off, and marked so.

    Args:
        line: the raw line.
        column: 1-based, in characters, where the finding begins.
        end_column: exclusive.

    >>> excerpt("Run: Ada 2h 3h, Ben 5h", 10, 12)
    Excerpt(before='Run: Ada ', marked='2h', after=' 3h, Ben 5h')
    """
    before, marked, after = line[: column - 1], line[column - 1 : end_column - 1], line[end_column - 1 :]
    return Excerpt(
        before if len(before) <= _AROUND else _CUT + before[-_AROUND:],
        marked if len(marked) <= _AROUND else marked[:_AROUND] + _CUT,
        after if len(after) <= _AROUND else after[:_AROUND] + _CUT,
    )

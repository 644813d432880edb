"""Outputs of a command that are its inputs too: they are refused before anything is written."""

import os
import stat
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Final

import click

from comet_hist.cli.status import Failure

_STANDARD_OUTPUT: Final = "standard output"

_Key = tuple[int, int] | str
"""What tells a file from others under whatever name: its device and number, or its real path if it is not there."""


def note_input(path: Path) -> None:
    """Remember that the command reads a file that is neither history nor database, such as a settings file."""
    _noted().append(path)


def database_files(database: Path | None) -> list[Path]:
    """Return the files of a database: its own, and the one in which DuckDB keeps what is to go into it."""
    return [] if database is None else [database, database.with_name(f"{database.name}.wal")]


def refuse_inputs(outputs: Iterable[Path], inputs: Iterable[str | Path]) -> None:
    """Make sure that no file is written that is read; standard output may be such a file, too.

    Args:
        outputs: the files that the command writes, whether or not they are there.
        inputs: the files that it reads, `-` for standard input, beside those that were noted.

    Raises:
        Failure: if an output is an input, under whatever name, or two outputs are one file.
    """
    written: dict[_Key, str] = {}
    standard = _opened(1)
    if standard is not None:
        written[standard] = _STANDARD_OUTPUT
    for path in map(str, outputs):
        key = _key(path)
        other = None if key is None else written.get(key)
        if other not in (None, path, _STANDARD_OUTPUT):
            raise Failure(f"{path}: is the same file as {other}; give another file for one of the outputs")
        if key is not None:
            written[key] = path
    if not written:
        return
    for path in map(str, chain(inputs, _noted(), _grammars())):
        output = written.get(_key(path) or "")
        if output is not None:
            other = "" if output == path else f", as {'standard input' if path == '-' else path}"
            raise Failure(f"{output}: this command reads it{other}; give another file for the output")


def _key(path: str) -> _Key | None:
    """Return what tells a file from others; None for a pipe, a device or a folder."""
    if path == "-":
        return _opened(0)
    try:
        return _regular(Path(path).stat())
    except OSError:
        return os.path.realpath(path)


def _opened(descriptor: int) -> _Key | None:
    try:
        return _regular(os.fstat(descriptor))
    except OSError:
        return None


def _regular(status: os.stat_result) -> _Key | None:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _noted() -> list[Path]:
    noted: list[Path] = click.get_current_context().meta.setdefault(__name__, [])
    return noted


def _grammars() -> list[Path]:
    from comet_hist.notation.languages import further_files

    return further_files()

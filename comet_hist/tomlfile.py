"""TOML files that the user writes: settings, aliases, words of a language. Whatever they hold is read or refused."""

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, Final

LARGEST: Final = 1_000_000
"""Bytes of the largest file that is read."""

_BOM: Final = b"\xef\xbb\xbf"

_STRING: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*'
_DOTTED: Final = re.compile(
    rf'((?:(?:[\w-]++|{_STRING}"|\'[^\'\n]*+\')[ \t]*+\.[ \t]*+){{20}})|{_STRING}"?+|\'[^\'\n]*+\'?+|#[^\n]*+|[\w-]++'
)
"""A key of more than 20 parts, for which `tomllib` takes a time that grows with the square of their number; or what
may look like one inside: a string, a comment, a word."""


class TomlError(ValueError):
    """A file that is no TOML file of a usable kind and size; the message is one line that begins with its path."""


def read_bytes(path: Path, *, pipe: bool = False) -> bytes:
    """Return the bytes of a file.

    Args:
        path: the file.
        pipe: whether it may be a pipe, such as `<(…)` of a shell.

    Raises:
        TomlError: if it is neither a regular file nor a pipe that may be one, or too large.
        OSError: if it cannot be read.
    """
    # Opening a pipe does not wait for somebody to write to it: if nobody does, it is empty.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "Is a directory", str(path))
        is_pipe = stat.S_ISFIFO(mode)
        if not stat.S_ISREG(mode) and not (pipe and is_pipe):
            raise TomlError(f"{path}: is a pipe or a device; give a regular file")
        os.set_blocking(descriptor, True)
        contents = file.read(LARGEST + 1)
    if len(contents) > LARGEST:
        raise TomlError(f"{path}: is larger than {LARGEST} bytes, which is the most that is read")
    if is_pipe and not contents:
        raise TomlError(f"{path}: is a pipe from which nothing comes; give a file")
    return contents


def parse(path: Path, contents: bytes) -> dict[str, Any]:
    """Return what the bytes of a file say, which may begin with a byte-order mark.

    Raises:
        TomlError: if it is no TOML, or nested too deeply.
    """
    try:
        text = contents.removeprefix(_BOM).decode()
        if any(found[1] for found in _DOTTED.finditer(text)):
            raise TomlError(f"{path}: has a key of more than 20 parts; write a short one")
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        start = error.start + len(contents) - len(contents.removeprefix(_BOM))
        raise TomlError(f"{path}: is not UTF-8: byte {start} of the file") from error
    except RecursionError as error:
        raise TomlError(f"{path}: is not read: its arrays or tables are nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"{path}: is not TOML: {error}") from error
    except TomlError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise TomlError(f"{path}: is not read: it has a number of too many digits") from error


def read(path: Path, *, pipe: bool = False) -> dict[str, Any]:
    """Return what a file says.

    Args:
        path: the file.
        pipe: whether it may be a pipe.

    Raises:
        TomlError: if it is no TOML file of a usable kind and size.
        OSError: if it cannot be read.
    """
    return parse(path, read_bytes(path, pipe=pipe))

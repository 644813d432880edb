"""What a terminal is like: its columns, the columns that text takes on it, and whether it wants colour."""

import os
import re
from collections.abc import Iterator
from typing import Final, TextIO

from comet_hist.cli.output.characters import isolated

PIPE_WIDTH: Final = 120
"""The columns a line may take where there is no terminal to ask."""

_LEAST_WIDTH: Final = 20
"""Columns that a folded line may take on the narrowest terminal."""

_STYLE: Final = re.compile(r"\x1b\[[0-9;]*m")
_BLANKS: Final = re.compile(r"( +)")


def widths(signs: list[str]) -> list[int]:
    """Return the terminal columns that each piece of visible text adds: 0 for combining signs, 2 for wide ones."""
    from wcwidth import wcswidth

    found = []
    before = ""
    width = 0
    for sign in signs:
        # What a sign adds can depend on those before it (flags, joined emoji), but not across ASCII.
        if sign.isascii():
            before, width = sign, len(sign)
            found.append(width)
        else:
            before += sign
            after = wcswidth(before)
            found.append(max(0, after - width))
            width = after
    return found


def terminal_width(stream: TextIO) -> int | None:
    """Return the columns of the terminal that a stream is, or None where it is none."""
    if not stream.isatty():
        return None
    asked = os.environ.get("COLUMNS", "")
    wanted = int(asked) if asked.isdecimal() else 0
    try:
        return wanted or os.get_terminal_size(stream.fileno()).columns or PIPE_WIDTH
    except OSError:  # a terminal that cannot say how wide it is
        return PIPE_WIDTH


def takes_escapes(stream: TextIO) -> bool:
    """Say whether a stream is a terminal that takes escapes; one takes none where TERM is `dumb`, or not set."""
    unset = "dumb" if os.name == "posix" else ""
    return stream.isatty() and os.environ.get("TERM", unset) not in ("dumb", unset)


def coloured(choice: str, stream: TextIO) -> bool:
    """Say whether to write in colour: `choice` is `auto`, `always` or `never`.

    With `auto` it is on a terminal that takes escapes, unless the variable NO_COLOR is set to anything.
    """
    if choice == "auto":
        return takes_escapes(stream) and not os.environ.get("NO_COLOR")
    return choice == "always"


def on_terminal(line: str, room: int | None, hang: int = 2) -> Iterator[str]:
    """Give a line of words as it is written to a terminal; for a pipe it stays as it is.

    It is folded between words, and what is written from the right to the left is isolated from what stands beside it.
    A word that is wider than the terminal stays whole, so that it can be copied.

    Args:
        line: visible text, which may have colours; it keeps its indentation.
        room: the columns of the terminal; None for a pipe.
        hang: the blanks before each further line, beyond the indentation.
    """
    if room is None:
        yield line
    else:
        yield from map(isolated, _folded(line, max(room, _LEAST_WIDTH), hang))


def _folded(line: str, room: int, hang: int) -> Iterator[str]:
    if len(line) <= room and line.isascii():
        yield line
        return
    indent = len(line) - len(line.lstrip(" "))
    first, *rest = _BLANKS.split(line[indent:])
    row = " " * indent + first
    used = indent + _columns(first)
    for blanks, word in zip(rest[::2], rest[1::2], strict=True):
        size = _columns(word)
        if used + len(blanks) + size > room:
            yield row
            row, used = " " * min(indent + hang, room // 3) + word, min(indent + hang, room // 3) + size
        else:
            row, used = row + blanks + word, used + len(blanks) + size
    yield row


def _columns(text: str) -> int:
    return sum(widths(list(_STYLE.sub("", text))))

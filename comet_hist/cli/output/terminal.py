"""What a terminal is like: its columns, the columns that text takes on it, and whether it wants colour."""

import os
import shutil
from typing import Final, TextIO

from wcwidth import wcswidth

PIPE_WIDTH: Final = 120
"""The columns a line may take where there is no terminal to ask."""


def widths(signs: list[str]) -> list[int]:
    """Return the terminal columns that each piece of visible text adds: 0 for combining signs, 2 for wide ones."""
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
    return shutil.get_terminal_size((PIPE_WIDTH, 24)).columns if stream.isatty() else None


def coloured(choice: str, stream: TextIO) -> bool:
    """Say whether to write in colour: `choice` is `auto` (on a terminal only), `always` or `never`.

    The variable NO_COLOR, where it is set to anything, turns colour off.
    """
    if os.environ.get("NO_COLOR") or choice == "never":
        return False
    return choice == "always" or (stream.isatty() and os.environ.get("TERM") != "dumb")

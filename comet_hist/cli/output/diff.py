"""What formatting would change, as a unified diff."""

from collections.abc import Iterator
from difflib import unified_diff
from typing import Final

import click

from comet_hist.cli.output.characters import visible

_COLOURS: Final = {"-": "red", "+": "green", "@": "cyan"}
_NO_LINE_END: Final = "\\ No newline at end of file"


def diff_lines(path: str, before: str, after: str) -> Iterator[str]:
    r"""Give the lines of a unified diff, without line ends, as `patch` takes them.

    >>> print(*diff_lines("a.comet", "hand 1\n", "Hand 1\n"), sep="\n")
    --- a.comet
    +++ a.comet
    @@ -1 +1 @@
    -hand 1
    +Hand 1
    """
    name = visible(path)
    for line in unified_diff(_lines(before), _lines(after), name, name):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield _NO_LINE_END


def diff_on_terminal(lines: Iterator[str], colour: bool) -> Iterator[str]:
    """Give the lines of a diff as a terminal shows them."""
    for number, line in enumerate(lines):
        shown = visible(line)
        if colour and number < 2:
            shown = click.style(shown, bold=True)
        elif colour and line[:1] in _COLOURS:
            shown = click.style(shown, fg=_COLOURS[line[:1]])
        yield shown


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their line feeds, which alone end them."""
    *whole, rest = text.split("\n")
    return [*(line + "\n" for line in whole), *([rest] if rest else [])]

"""How the command ends: the exit statuses, and the errors that end it; and what it says on standard error."""

import sys
from enum import IntEnum
from typing import IO, Any

import click

from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.terminal import on_terminal, terminal_width


class Status(IntEnum):
    """The exit statuses of `comet-hist`."""

    CLEAN = 0
    """No errors were found; warnings alone are none, except with `--strict`."""
    ERRORS = 1
    """Errors were found in what was read."""
    USAGE = 2
    """Wrong usage, too little memory, a path or a database that cannot be used; it outweighs `ERRORS`."""
    INTERRUPTED = 130
    """Ctrl-C."""
    TERMINATED = 143
    """Ended from outside, by SIGTERM or SIGHUP."""
    CLOSED_PIPE = 141
    """Whoever read the output stopped reading, as `head` does."""


class Failure(click.ClickException):
    """What was asked cannot be done; ends the command with one message on standard error and `Status.USAGE`.

    Args:
        message: one line, in which a line end, as the name of a file may have one, is shown as an escape.
        several: whether it is several lines instead.
    """

    exit_code = Status.USAGE

    def __init__(self, message: str, several: bool = False) -> None:
        super().__init__(message)
        self._lines = message.split("\n") if several else [message]

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the message to standard error."""
        complain(*self._lines)


def complain(*lines: str) -> None:
    """Write a message of the program's own, a line or several, to standard error."""
    if len(lines) == 1:
        note(f"comet-hist: {lines[0]}")
    else:
        # Several lines belong below each other, such as a place in SQL and the mark below it.
        click.echo("comet-hist: " + "\n".join(map(visible, lines)), err=True)


def note(line: str) -> None:
    """Write a line to standard error, folded to the width of a terminal."""
    click.echo("\n".join(on_terminal(visible(line), terminal_width(sys.stderr))), err=True)

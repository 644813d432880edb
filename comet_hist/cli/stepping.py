"""Walks through frames on the terminal, by the keys, and leaves the terminal as it was."""

import os
import re
import select
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from comet_hist.cli.output.terminal import takes_escapes
from comet_hist.signals import undisturbed

try:
    import termios
except ImportError:  # a system whose terminals work in another way
    termios = None  # type: ignore[assignment]

Frame = Callable[[int, int], list[str]]
"""Gives the lines of a frame by its number, from 0, and the columns they may take."""

_ENTER: Final = "\x1b[?1049h\x1b[?25l"
"""The other screen, without a cursor."""
_LEAVE: Final = "\x1b[?25h\x1b[?1049l"
_HOME: Final = "\x1b[H"
_END_OF_LINE: Final = "\x1b[K\r\n"
_REST: Final = "\x1b[J"

_KEY: Final = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.)|.", re.DOTALL)
_UNFINISHED: Final = re.compile(r"\x1b(?:\[[0-9;?]*|O)?\Z")
_FORWARD: Final = ("\x1b[C", "\x1bOC", " ", "\r", "\n")
_BACK: Final = ("\x1b[D", "\x1bOD", "\x7f", "\b")
_FIRST: Final = ("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~")
_LAST: Final = ("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~")
_QUIT: Final = ("q", "Q", "\x04")
_INTERRUPT: Final = "\x03"
_LOOK_AGAIN: Final = 0.25
"""Seconds after which the size of the window is looked at."""


def can_step() -> bool:
    """Say whether there is a terminal with keys to walk by: at both standard input and output."""
    return termios is not None and sys.stdin.isatty() and takes_escapes(sys.stdout)


def step_through(frame: Frame, last: int, start: int, keys: str) -> None:
    """Show one frame at a time: right, space and Enter go on, left goes back, Home and End to the ends, q quits.

    Args:
        frame: gives the frames.
        last: the number of the last one.
        start: the number of the one to begin with.
        keys: what stands below each frame, on one line.

    Raises:
        KeyboardInterrupt: on Ctrl-C, once the terminal is as it was.
    """
    at = start
    with _terminal() as descriptor:
        size = None
        for key in _keys(descriptor):
            now = shutil.get_terminal_size()
            at = _moved(at, key, last)
            if at < 0:
                return
            if key or now != size:
                size = now
                _draw(frame(at, size.columns), keys, size)


def _moved(at: int, key: str, last: int) -> int:
    """Return the number of the frame that a key leads to, -1 to quit."""
    if key == _INTERRUPT:
        raise KeyboardInterrupt
    if key in _QUIT:
        return -1
    if key in _FIRST:
        return 0
    if key in _LAST:
        return last
    return max(0, min(last, at + (key in _FORWARD) - (key in _BACK)))


def _draw(lines: list[str], keys: str, size: os.terminal_size) -> None:
    """Write a frame over the one before; what is too tall is cut off, and that is said."""
    room = max(1, size.lines - 1)
    if len(lines) > room:
        note = f"({len(lines) - room + 1} more lines in a taller window)"
        lines = [*lines[: room - 1], note[: size.columns]]
    text = "".join(line + _END_OF_LINE for line in lines)
    sys.stdout.write(_HOME + text + _REST + f"\x1b[{size.lines}H" + keys[: size.columns - 1] + "\x1b[K")
    sys.stdout.flush()


@contextmanager
@undisturbed
def _terminal() -> Iterator[int]:
    """Take the terminal: keys come one by one and unseen, and the frames have a screen of their own."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    keys_alone = [*before[:6], list(before[6])]
    keys_alone[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
    try:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, keys_alone)
        sys.stdout.write(_ENTER)
        yield descriptor
    finally:
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _keys(descriptor: int) -> Iterator[str]:
    """Give the keys as they are pressed, and an empty one at first and whenever none was for a while."""
    yield ""
    rest = ""
    while True:
        ready, _, _ = select.select([descriptor], [], [], _LOOK_AGAIN)
        if not ready:
            # An escape that nothing followed was the key of that name, which means nothing here.
            rest = ""
            yield ""
            continue
        read = os.read(descriptor, 1024)
        if not read:
            return
        text = rest + read.decode("latin-1")
        cut = _UNFINISHED.search(text)
        text, rest = (text[: cut.start()], cut.group()) if cut else (text, "")
        yield from _KEY.findall(text)

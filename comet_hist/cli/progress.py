"""The progress bar of long work: how much of it is done, how fast, and the time that is left, on a terminal only."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Final

from comet_hist.cli.output.terminal import takes_escapes, terminal_width
from comet_hist.signals import undisturbed

if TYPE_CHECKING:
    from comet_hist.notation.sources import Source

_ERASE: Final = "\r\x1b[2K"
_WIDTH: Final = 20
_MEGABYTE: Final = 1_000_000
_PAUSE: Final = 0.1
_LONG: Final = 120
_LEAST_BYTES: Final = 200_000
"""Less than this is read before a bar could be looked at."""


class _Bar:
    """A bar on a line of standard error, which stays narrower than the terminal; the cursor stays on that line.

    Args:
        label: what is being done.
        length: how much of it there is.
        amount: says in words how much is done of all, and how fast, of what is done, all, and the seconds so far.
    """

    def __init__(self, label: str, length: int, amount: Callable[[int, int, float], str]) -> None:
        self._label, self._length, self._amount = label, length, amount
        self._began = time.monotonic()
        self._moved = self._began - _PAUSE
        self._shown = False

    def move_to(self, done: int) -> None:
        """Show how much is done, as often as somebody can see it."""
        now = time.monotonic()
        if now - self._moved >= _PAUSE:
            self._moved = now
            room = (terminal_width(sys.stderr) or 0) - 1
            sys.stderr.write(_ERASE + next((text for text in self._texts(done, now) if len(text) <= room), ""))
            sys.stderr.flush()
            self._shown = True

    def erase(self) -> None:
        """Take the bar off the terminal, if it is there; a later move brings it back."""
        if self._shown:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._shown = False

    def _texts(self, done: int, now: float) -> Iterator[str]:
        """Give what can be shown, the longest first."""
        share = min(1.0, done / self._length) if self._length else 1.0
        percent = f"{share:.0%}"
        bar = f"[{'#' * round(share * _WIDTH):-<{_WIDTH}}]"
        seconds = now - self._began
        if done and seconds:
            left = (self._length - done) * seconds / done
            time_left = f"{left:.0f} s left" if left < _LONG else f"{left / 60:.0f} min left"
            amount = f"{self._amount(done, self._length, seconds)}, {time_left}"
            yield f"{self._label}  {bar}  {amount}"
            yield f"{self._label}  {amount}"
            yield f"{self._label}  {percent}, {time_left}"
        yield f"{self._label}  {bar}"
        yield f"{self._label}  {percent}"
        yield percent


class Progress:
    """A bar on standard error over the stored bytes of all files; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._bar: _Bar | None = None
        self._raw: BufferedReader | None = None
        self._before = 0

    @undisturbed
    def over(self, sources: "Sequence[Source]") -> "Iterator[Source]":
        """Give the sources one after another, and move the bar by what is read of each."""
        sizes = [_size(source) for source in sources]
        if not takes_escapes(sys.stderr) or sum(sizes) < _LEAST_BYTES:
            yield from sources
            return
        self._bar = _Bar("Reading", sum(sizes), _megabytes)
        try:
            for source, size in zip(sources, sizes, strict=True):
                yield source if source.keep else source._replace(open_raw=partial(self._opened, source))
                self._before += size
                self._bar.move_to(self._before)
        finally:
            self._bar.erase()
            self._bar = None

    def step(self) -> None:
        """Move the bar to where the file now being read is."""
        if self._bar is not None and self._raw is not None and not self._raw.closed:
            self._bar.move_to(self._before + self._raw.tell())

    def clear(self) -> None:
        """Take the bar off the terminal, so that something else can be written; the next move brings it back."""
        if self._bar is not None:
            self._bar.erase()

    def _opened(self, source: "Source") -> BufferedReader:
        self._raw = source.open_raw()
        return self._raw


def _megabytes(done: int, length: int, seconds: float) -> str:
    return f"{done / _MEGABYTE:.1f} of {length / _MEGABYTE:.1f} MB, {done / _MEGABYTE / seconds:.1f} MB/s"


def _size(source: "Source") -> int:
    """Return the stored bytes of a file, 0 for what can be read only once and for what has gone meanwhile."""
    try:
        return 0 if source.keep else Path(source.path).stat().st_size
    except OSError:
        return 0


@contextmanager
@undisturbed
def counting(length: int, label: str, unit: str) -> Iterator[Callable[[int], None]]:
    """Give what moves a bar by so many things done; nothing is shown where there is no terminal.

    Args:
        length: how many things there are.
        label: what is done to them.
        unit: what they are, in the plural.
    """
    if not takes_escapes(sys.stderr):
        yield lambda done: None
        return
    bar = _Bar(label, length, lambda done, of, seconds: f"{done:,} of {of:,} {unit}")
    total = 0

    def step(done: int) -> None:
        nonlocal total
        total += done
        bar.move_to(total)

    try:
        yield step
    finally:
        bar.erase()

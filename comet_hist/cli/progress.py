"""The progress bar of long work: by bytes, with their rate and the time that is left, on a terminal only."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from comet_hist.signals import undisturbed

if TYPE_CHECKING:
    from comet_hist.notation.sources import Source

_ERASE: Final = "\r\x1b[2K"
_UP: Final = "\x1b[A"
_WIDTH: Final = 20
_MEGABYTE: Final = 1_000_000
_PAUSE: Final = 0.1
_LONG: Final = 120
_LEAST_BYTES: Final = 200_000
"""Less than this is read before a bar could be looked at."""


class Progress:
    """A bar on standard error over the stored bytes of all files; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._raw: BufferedReader | None = None
        self._before = 0
        self._shown = 0
        self._began = self._moved = time.monotonic()

    @undisturbed
    def over(self, sources: "Sequence[Source]") -> "Iterator[Source]":
        """Give the sources one after another, and move the bar by what is read of each."""
        sizes = [_size(source) for source in sources]
        if not sys.stderr.isatty() or sum(sizes) < _LEAST_BYTES:
            yield from sources
            return
        try:
            bar = click.progressbar(
                length=sum(sizes),
                file=sys.stderr,
                label="Reading",
                item_show_func=self._rate,
                show_eta=False,
                show_percent=False,
                width=_WIDTH,
            )
            with bar as self._bar:
                for source, size in zip(sources, sizes, strict=True):
                    yield source if source.keep else source._replace(open_raw=partial(self._opened, source))
                    self._before += size
                    self._move_to(self._before)
        finally:
            # The bar ends its line; the cursor goes back to where it began, also when nobody wants to read on.
            sys.stderr.write(_UP + _ERASE)
            self._bar = None

    def step(self) -> None:
        """Move the bar to where the file now being read is, as often as somebody can see it."""
        if self._raw is None or self._raw.closed:
            return
        now = time.monotonic()
        if now - self._moved >= _PAUSE:
            self._moved = now
            self._move_to(self._before + self._raw.tell())

    def clear(self) -> None:
        """Take the bar off the terminal, so that something else can be written; the next move brings it back."""
        if self._bar is not None:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()

    def _opened(self, source: "Source") -> BufferedReader:
        self._raw = source.open_raw()
        return self._raw

    def _move_to(self, position: int) -> None:
        self._bar.update(position - self._shown, position)
        self._shown = position

    def _rate(self, position: int | None) -> str | None:
        """Say how much was read of all, how fast, and how long it will take."""
        seconds = time.monotonic() - self._began
        if not position or not seconds:
            return None
        read, length = position / _MEGABYTE, self._bar.length / _MEGABYTE
        left = (length - read) * seconds / read
        time_left = f"{left:.0f} s" if left < _LONG else f"{left / 60:.0f} min"
        return f"{read:.1f} of {length:.1f} MB, {read / seconds:.1f} MB/s, {time_left} left"


def _size(source: "Source") -> int:
    """Return the stored bytes of a file, 0 for what can be read only once and for what has gone meanwhile."""
    try:
        return 0 if source.keep else Path(source.path).stat().st_size
    except OSError:
        return 0


@contextmanager
@undisturbed
def counting(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Give what moves a bar by so many things done, of `length` in all; nothing is shown where there is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    try:
        with click.progressbar(length=length, file=sys.stderr, label=label) as bar:
            yield bar.update
    finally:
        sys.stderr.write(_UP + _ERASE)

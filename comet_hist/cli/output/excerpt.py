"""The line that a finding points into, with a caret under the exact characters."""

from itertools import accumulate
from typing import Final

from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.terminal import widths

_TAB: Final = 8
_CUT: Final = "…"


def excerpt(source: str, column: int, end_column: int, room: int) -> tuple[str, str]:
    r"""Return a line as a terminal shows it and the carets to write below it.

    Args:
        source: the raw line.
        column: 1-based, in characters of the raw line, where the carets begin.
        end_column: exclusive; at least one caret is written.
        room: the terminal columns that both may take; what does not fit is cut off, and marked so.

    >>> print(*excerpt("Run: 日本 1s", 9, 11, 40), sep="\n")
    Run: 日本 1s
              ^^
    """
    # Nothing farther away than `room` characters can be shown, and a line may be as long as a file.
    away = max(0, column - 1 - 2 * room)
    near = source[away : column - 1 + 2 * room]
    begin = min(column - 1 - away, len(near))
    end = max(begin, min(end_column - 1 - away, len(near)))
    cells = _cells(near)
    starts = list(accumulate(widths(cells), initial=0))
    left, right = _window(starts, begin, end, room, away > 0, away + len(near) < len(source))
    cut_left, cut_right = left > 0 or away > 0, right < len(cells) or away + len(near) < len(source)
    shown = _CUT * cut_left + "".join(cells[left:right]) + _CUT * cut_right
    before = cut_left + starts[begin] - starts[left]
    carets = max(1, starts[min(end, right)] - starts[begin])
    return shown.rstrip(), " " * before + "^" * carets


def _cells(source: str) -> list[str]:
    """Return each character as it is shown, tabs as the blanks up to the next tab stop."""
    cells: list[str] = []
    column = 0
    for sign in source:
        cell = " " * (_TAB - column % _TAB) if sign == "\t" else visible(sign)
        cells.append(cell)
        column += widths([cell])[0]
    return cells


def _window(starts: list[int], begin: int, end: int, room: int, more_left: bool, more_right: bool) -> tuple[int, int]:
    """Return from which to before which cell a line is shown so that the cells `begin` to `end` are seen."""
    last = len(starts) - 1
    if starts[last] + more_left + more_right <= room:
        return 0, last
    budget = max(1, room - 2 * len(_CUT))
    spare = max(0, budget - (starts[end] - starts[begin]))
    left = begin
    while left and starts[begin] - starts[left - 1] <= spare // 2:
        left -= 1
    right = begin
    while right < last and starts[right + 1] - starts[left] <= budget:
        right += 1
    while left and starts[right] - starts[left - 1] <= budget:
        left -= 1
    return left, right

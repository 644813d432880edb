"""Rows of words in styles, wrapped to a width and never wider."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import click

from comet_hist.cli.output.terminal import widths

_STYLES: Final[dict[str, dict[str, Any]]] = {
    "": {},
    "red": {"fg": "red"},
    "strong": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "latest": {"reverse": True},
    "latest red": {"fg": "red", "reverse": True},
}
"""Red and the terminal's own colour of text are both seen on light and on dark ground."""

_LEAST_ROOM: Final = 2
"""The columns that one wide character takes."""


class Bit(NamedTuple):
    """Visible text in a style, one of `red`, `strong`, `error`, `warning`, `latest`, `latest red` or none."""

    text: str
    style: str = ""


Word = tuple[Bit, ...]
"""What is kept on one line; only what is wider than a line is cut."""

Group = Sequence[Word]
"""Words that are kept on one line where they fit one."""


def words(text: str, style: str = "") -> list[Group]:
    """Return visible text as groups of one word each, cut at its blanks."""
    return [[(Bit(word, style),)] for word in text.split(" ") if word]


def listed(texts: Sequence[str]) -> list[Group]:
    """Return visible texts as groups, each kept together, with a comma after each but the last."""
    commas = [*(f"{text}," for text in texts[:-1]), *texts[-1:]]
    return [[(Bit(word),) for word in text.split(" ") if word] for text in commas]


def columns(word: Iterable[Bit]) -> int:
    """Return the terminal columns that a word takes."""
    return sum(sum(widths(list(text))) for text, _ in word)


def row(groups: Iterable[Group], width: int, hang: int = 0, label: Word = (), gap: int = 1) -> list[Word]:
    """Wrap words into lines.

    Args:
        groups: the words, in groups.
        width: the columns that a line may take.
        hang: the blanks before each line, at most a third of the width.
        label: stands in those blanks on the first line, or on lines of its own where it does not fit.
        gap: the blanks between two groups; words of a group stand one apart.

    Returns:
        The lines, each of the bits that it is written of.
    """
    hang = min(hang, width // 3)
    room = max(_LEAST_ROOM, width - hang)
    lines = _filled(groups, room, gap)
    size = columns(label)
    if size and size < hang and lines:
        head: list[Word] = [(*label, Bit(" " * (hang - size)), *lines.pop(0))]
    else:
        head = list(_cut(label, max(_LEAST_ROOM, width)))
    return head + [(Bit(" " * hang), *line) for line in lines]


def _filled(groups: Iterable[Group], room: int, gap: int) -> list[Word]:
    lines: list[Word] = []
    line: Word = ()
    used = 0
    for group in groups:
        whole = sum(map(columns, group)) + len(group) - 1
        for index, word in enumerate(group):
            blanks = (gap if index == 0 else 1) if used else 0
            need = whole if index == 0 and whole <= room else columns(word)
            if used and used + blanks + need > room:
                lines.append(line)
                line, used, blanks = (), 0, 0
            *cut, rest = _cut(word, room) or [()]
            lines += cut
            line = (*line, Bit(" " * blanks), *rest)
            used += blanks + columns(rest)
    return [*lines, line] if used else lines


def _cut(word: Word, room: int) -> list[Word]:
    """Cut a word that is wider than the room into pieces that are not."""
    if columns(word) <= room:
        return [word] if word else []
    pieces: list[Word] = []
    piece: list[Bit] = []
    used = 0
    for text, style in word:
        for sign, size in zip(text, widths(list(text)), strict=True):
            if used + size > room:
                pieces.append(tuple(piece))
                piece, used = [], 0
            if piece and piece[-1].style == style:
                # The width of a sign can depend on those before it.
                sign = piece.pop().text + sign
            piece.append(Bit(sign, style))
            used += size
    return [*pieces, tuple(piece)]


def written(lines: Iterable[Word], colour: bool) -> Iterator[str]:
    """Give lines as they are written to the terminal, in colour or plain, without blanks at the end."""
    for line in lines:
        if not colour:
            yield "".join(bit.text for bit in line).rstrip()
            continue
        yield "".join(click.style(text, **_STYLES[style]) if style else text for text, style in line).rstrip()

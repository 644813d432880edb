"""Which findings a command reports, and how many of them it shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

EVERYTHING: Final = ("E", "W")
"""The beginnings of all codes."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The findings that are reported: what is not among them is neither shown nor counted.

    Attributes:
        within: the beginnings of the codes that are the command's to report.
        select: the beginnings of those that were asked for.
        ignore: the beginnings of those that were asked away; they go before `select`.
        most: how many findings are shown, None for all. Those beyond are counted.
    """

    within: tuple[str, ...] = EVERYTHING
    select: tuple[str, ...] = EVERYTHING
    ignore: tuple[str, ...] = ()
    most: int | None = None

    def __contains__(self, code: str) -> bool:
        """Say whether findings with a code are reported.

        >>> selection = Selection(("E1", "E5"), select=("E5",), ignore=("E502",))
        >>> [code for code in ("E101", "E501", "E502") if code in selection]
        ['E501']
        """
        return code.startswith(self.within) and code.startswith(self.select) and not code.startswith(self.ignore)


def codes_in(items: Iterable[str]) -> tuple[str, ...]:
    """Return the codes, or beginnings of codes, that texts list with commas, in upper case.

    Raises:
        UnknownCode: if no finding's code begins so, as none begins with an empty text.

    >>> codes_in(["e5, W508", "E1"])
    ('E5', 'W508', 'E1')
    """
    from comet_hist.explain import UnknownCode, find

    words = [word.strip() for item in items for word in item.split(",")]
    for word in words:
        if not word:
            raise UnknownCode("no code is given; write one or its beginning, such as E406 or E4")
        find(word)
    return tuple(word.upper() for word in words)

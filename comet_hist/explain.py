"""What each finding means, shown to people and machines: its rule, an example and the mend."""

from collections.abc import Iterable, Mapping
from functools import cache
from textwrap import fill
from typing import Any, Final, NamedTuple

from comet_hist.explanations import ENTRIES, RULES

GROUPS: Final[Mapping[str, str]] = {
    "1": "Text",
    "2": "Record",
    "3": "Deal",
    "4": "Play",
    "5": "Chips",
    "6": "Session",
}
"""What the first digit of a code stands for."""


class UnknownCode(ValueError):
    """A code, or the beginning of one, that no finding bears; the message names the nearest."""


class Explanation(NamedTuple):
    """What a finding means.

    Attributes:
        code: such as `E406`.
        title: what is wrong, in a few words.
        points: what the finding points at in the text.
        rules: the rules it rests on, as pairs of identifier and text; empty where only the notation is concerned.
        about: what it means and how reading or replay goes on.
        example: lines of text with the slip.
        mend: the same lines put right.
    """

    code: str
    title: str
    points: str
    rules: tuple[tuple[str, str], ...]
    about: str
    example: str
    mend: str

    @property
    def group(self) -> str:
        """The kind of finding, a value of `GROUPS`."""
        return GROUPS[self.code[1]]

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as outputs for machines write it, keys in a fixed order."""
        return {
            "code": self.code,
            "group": self.group,
            "title": self.title,
            "points": self.points,
            "rules": dict(self.rules),
            "about": self.about,
            "example": self.example,
            "mend": self.mend,
        }


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return all explanations by code, in the order of the codes' numbers."""
    return {
        code: Explanation(
            code=code,
            title=entry.title,
            points=entry.points,
            rules=tuple((rule, RULES[rule]) for rule in entry.rules),
            about=entry.about,
            example=entry.example.strip("\n"),
            mend=entry.mend.strip("\n"),
        )
        for code, entry in ENTRIES.items()
    }


def find(code: str) -> list[Explanation]:
    """Return the explanations whose code is, or begins with, the given text, in any case.

    Raises:
        UnknownCode: if there are none.

    >>> [explanation.code for explanation in find("e30")][:2]
    ['E301', 'E302']
    """
    wanted = code.upper()
    found = [each for each in explanations().values() if each.code.startswith(wanted)]
    if not found or not wanted:
        raise UnknownCode(_unknown(code))
    return found


def _unknown(code: str) -> str:
    from comet_hist.nearest import nearest

    # A wrong letter is the likeliest slip, since the number alone already tells codes apart.
    by_number = [each for each in explanations() if each[1:] == code[1:]]
    meant = by_number[0] if by_number else nearest(code.upper(), explanations()) if len(code) > 2 else None
    begins = ", ".join(dict.fromkeys(each[:2] for each in explanations()))
    listed_all = f"; codes begin with {begins}; `comet-hist explain` lists them all"
    hint = f"; the nearest is {meant}" if meant else listed_all
    return f"no finding has the code “{code}”{hint}"


WIDTH: Final = 78
"""The columns that the sentences of an explanation take where nothing else is said."""


def as_text(explanation: Explanation, width: int = WIDTH) -> str:
    """Return an explanation as plain text of several lines, without a line end.

    Args:
        explanation: what to show.
        width: the columns that its sentences may take; the example is shown as it is.
    """
    rules = [fill(f"{rule:4} {text}", width, subsequent_indent=" " * 5) for rule, text in explanation.rules]
    parts = [
        f"{explanation.code} {explanation.title}",
        fill(explanation.about, width),
        fill(f"Points at {explanation.points}.", width),
        *(["\n".join(rules)] if rules else []),
        "Example\n" + _indented(explanation.example),
        "Mend\n" + _indented(explanation.mend),
    ]
    return "\n\n".join(parts)


def listed(found: Iterable[Explanation]) -> str:
    """Return codes and titles, one a line, under the names of their groups, without a last line end."""
    lines: list[str] = []
    group = ""
    for explanation in found:
        if explanation.group != group:
            lines += [""] if group else []
            group = explanation.group
            lines.append(group)
        lines.append(f"  {explanation.code}  {explanation.title}")
    return "\n".join(lines)


def as_markdown(found: Iterable[Explanation]) -> str:
    """Return explanations as Markdown under headings for their groups, without a last line end."""
    parts: list[str] = []
    group = ""
    for explanation in found:
        if explanation.group != group:
            group = explanation.group
            parts.append(f"## {group}")
        parts += [f"### {explanation.code}: {explanation.title}", explanation.about]
        parts.append(f"*Points at* {explanation.points}.")
        if explanation.rules:
            parts.append("\n".join(f"* **{rule}** {text}" for rule, text in explanation.rules))
        parts += ["Example:", _fenced(explanation.example), "Mend:", _fenced(explanation.mend)]
    return "\n\n".join(parts)


def reference() -> str:
    """Return the whole of docs/findings.md, which holds every explanation."""
    return f"{_PREFACE}\n{as_markdown(explanations().values())}\n"


_PREFACE: Final = """\
# Findings

One vocabulary for everything that can be wrong with a record. A code never changes its meaning. `E` codes are
errors: a hand with one of E1 to E4 is not legal, and one of E5 makes its audit `wrong`. `W` codes are warnings.

Every finding has `code`, `severity` (`error` or `warning`), `file`, `line`, `column` and `end_column` (counted
from 1 in characters of the line as it was written, the end exclusive), `session`, `hand`, `message`, `expected`,
`actual` and `suggestion`. `session` and `hand` are empty outside one, and so are the last three where there is
nothing to say.

This page is what `comet-hist explain` prints; `comet-hist explain CODE` prints one entry of it.
"""


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))


def _fenced(text: str) -> str:
    return f"```\n{text}\n```"

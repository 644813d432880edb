"""Characters that may be shown, and escapes for those that could steer a terminal or hide in a line."""

import re
from typing import Final
from unicodedata import category

_JOINERS: Final = "\u200c\u200d"
"""Format characters that belong to the spelling of names and of composed signs."""

_LETTER: Final = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
"""A letter, mark or digit of a script that is written from the right to the left; these have blocks of their own."""

_RIGHT_TO_LEFT: Final = re.compile(rf"({_LETTER}(?:[-.'’\"{_JOINERS}]? ?{_LETTER})*)")

_MARKDOWN: Final = re.compile(r"[\\`*\[\]<>|&~]|(?<![^\W_])_|_(?![^\W_])")
"""What means something in Markdown and its tables; an underscore does where a word begins or ends, not within."""


def is_shown(sign: str) -> bool:
    """Say whether a character can be written to a terminal as it is."""
    kind = category(sign)
    return (kind[0] != "C" and kind not in ("Zl", "Zp")) or sign in _JOINERS


def visible(text: str) -> str:
    r"""Return text with everything that could steer a terminal, or could not be seen, written as an escape.

    Control characters, direction overrides, line separators and bytes that are no text become `\x1b`,
    `\u202e` and so on; everything else stays.

    >>> visible("Zoë\x1b[2J")
    'Zoë\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(sign if is_shown(sign) else _escape(sign) for sign in text)


def isolated(text: str) -> str:
    r"""Return text in which everything written from the right to the left is isolated from what stands beside it.

    Otherwise numbers and words beside a Hebrew or Arabic name are shown in another order than they are written in.
    A name of several words is one piece.

    >>> isolated("\u05d3\u05df 3, Ben 4") == "\u2068\u05d3\u05df\u2069 3, Ben 4"
    True
    """
    return text if text.isascii() else _RIGHT_TO_LEFT.sub("\u2068\\1\u2069", text)


def by_direction(text: str) -> list[str]:
    """Return text in pieces, of which every second one is written from the right to the left."""
    return _RIGHT_TO_LEFT.split(text)


def for_markdown(text: str) -> str:
    r"""Return visible text with a backslash before what means something in Markdown and its tables.

    >>> for_markdown("_Ann_ & Bo, end_column")
    '\\_Ann\\_ \\& Bo, end_column'
    """
    return _MARKDOWN.sub(r"\\\g<0>", visible(text))


def shown(text: str, markdown: bool) -> str:
    """Return text as it is shown to people: visible, and in Markdown with nothing in it that would mean something."""
    return for_markdown(text) if markdown else visible(text)


def _escape(sign: str) -> str:
    code = ord(sign)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a path that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"

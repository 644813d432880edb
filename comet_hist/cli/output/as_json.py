"""Values as JSON: exact decimals, ISO dates, and nothing that could steer a terminal."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any, Final

from comet_hist.cli.output.characters import is_shown


def encode(value: Any) -> str:
    r"""Return a value as JSON on one line.

    Decimals are written digit by digit, dates and times in ISO form, bytes in hexadecimal, and whatever JSON has no
    form for, such as infinity, as text. Characters that could steer a terminal are written as escapes.

    >>> encode({"net": 3, "name": "Zoë\x9b"})
    '{"net": 3, "name": "Zoë\\u009b"}'
    """
    try:
        text = _ENCODER.encode(value)
    except (TypeError, ValueError):
        return _encode_piece_by_piece(value)
    return harmless(text)


def harmless(text: str) -> str:
    """Return a line of JSON with what could steer a terminal, or could not be seen, written as escapes."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def _day(value: Any) -> str:
    """Return a day as text; whatever else the encoder does not know, it refuses."""
    if isinstance(value, date):
        return plain(value)
    raise TypeError


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_day)
"""Fast, but it refuses decimals, times and infinity."""


def _encode_piece_by_piece(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{encode(str(key))}: {encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(encode, value)) + "]"
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if value is None or isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return json.dumps(value)
    return _quoted(plain(value))


def plain(value: Any) -> str:
    """Return a value that is no number as text: dates and times in ISO form, bytes in hexadecimal."""
    if isinstance(value, (date, time)):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else str(value)


def array_lines(values: Iterable[Any]) -> Iterator[str]:
    """Give the lines of a JSON array, a value on each, without holding more than one of them."""
    before = None
    for value in values:
        yield "[" if before is None else f"  {before},"
        before = encode(value)
    if before is None:
        yield "[]"
    else:
        yield f"  {before}"
        yield "]"


def _quoted(text: str) -> str:
    return harmless(json.dumps(text, ensure_ascii=False))


def _escaped(sign: str) -> str:
    return sign if is_shown(sign) else json.dumps(sign)[1:-1]

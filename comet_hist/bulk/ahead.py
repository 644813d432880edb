"""Work that is done ahead of whoever asks for it, beside them."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

T = TypeVar("T")

_MOST: Final = 4
"""How many items are kept ready."""


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Give what an iterator gives, which runs in a thread of its own, a few items ahead.

    Broken off, it waits for the item that is being made, so that what the iterator reads can be closed.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(1) as thread:
        asked = deque(thread.submit(_next, items) for _ in range(_MOST))
        try:
            while item := asked.popleft().result():
                asked.append(thread.submit(_next, items))
                yield item[0]
        finally:
            for future in asked:
                future.cancel()


def _next(items: Iterator[T]) -> tuple[T] | None:
    for item in items:
        return (item,)
    return None

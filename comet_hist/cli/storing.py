"""Databases at work in a command: whatever stands in the way ends it with one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from comet_hist.cli.status import Failure


@contextmanager
def using(database: Path | None) -> Iterator[None]:
    """Do something with a database.

    Args:
        database: its file; None for one in memory.

    Raises:
        Failure: if it cannot be used as asked.
    """
    from comet_hist.store.database import StoreError, telling

    try:
        with telling(database):
            yield
    except StoreError as error:
        raise Failure(str(error)) from error

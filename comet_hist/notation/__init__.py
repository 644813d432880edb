"""Text to record and back: reads histories session by session, and writes them in canonical form."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from comet_hist.notation.lines import TOP, Start
from comet_hist.record import Session, Stray

if TYPE_CHECKING:
    from comet_hist.notation.comments import Comments


def read(
    stream: BinaryIO, file: str, comments: "Comments | None" = None, start: Start = TOP
) -> Iterator[Session | Stray]:
    """Give the sessions of a history, each as soon as the next one begins or the stream ends.

    Args:
        stream: its bytes, unpacked; at most the largest session is kept of them.
        file: its path as findings show it.
        comments: takes up the comments, which belong to no record; those of a session are there when it is given.
        start: where in its file the stream begins: at the top, or in text at a session that stands below a hand.

    Returns:
        The sessions in order; between them a `Stray` with what was wrong in text that belongs to none.

    Raises:
        OSError: where the stream fails, after everything before that has been given.
    """
    form = json_form(file)
    if form is not None:
        from comet_hist.export.json_read import sessions as sessions_of_json

        return sessions_of_json(stream, file, form == ".jsonl", comments)
    from comet_hist.notation.reader import sessions

    return sessions(stream, file, comments, start)


def json_form(file: str) -> str | None:
    """Return `.json` or `.jsonl` where a file's name says that it is the JSON that `export` writes, packed or not.

    >>> json_form("nights.JSON.gz"), json_form("night.comet")
    ('.json', None)
    """
    from comet_hist.notation.sources import without_packing

    name = without_packing(file).lower()
    return next((suffix for suffix in (".json", ".jsonl") if name.endswith(suffix)), None)

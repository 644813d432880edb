"""The options that say which hands count and which persons are meant, for every command that shows statistics."""

import functools
import unicodedata
from collections.abc import Callable, Collection
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from comet_hist.cli.options import COUNT, faulty_option, recorded_option
from comet_hist.cli.status import Failure, complain
from comet_hist.rules import TABLE_SIZES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from comet_hist.stats.filters import Filters

_F = TypeVar("_F", bound=Callable[..., Any])


_NAMED: Final = 3
"""Spellings that nobody bears which are named; of more only the number is said."""


class _Day(click.ParamType[date]):
    name = "DAY"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a day such as 2026-11-28."""
        if isinstance(value, date):
            return value
        try:
            return datetime.strptime(value, "%Y-%m-%d").date()
        except ValueError:
            self.fail(f"“{value}” is no day; write it like 2026-11-28", param, ctx)


alias_option = click.option(
    "--alias",
    "alias_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help='A TOML file that says who is the same person: "Anna" = ["anna", "Anna M."].',
)

_OPTIONS: Final = (
    click.option("--player", "players", multiple=True, metavar="NAME", help="Only this player; repeat it for several."),
    click.option(
        "--session", "sessions", multiple=True, metavar="IDENT", help="Only this session; repeat it for several."
    ),
    click.option("--since", type=_Day(), help="Only sessions from this day on, such as 2026-01-31."),
    click.option("--until", type=_Day(), help="Only sessions up to this day, itself included."),
    click.option(
        "--size", "sizes", type=click.IntRange(2, 6), multiple=True, help="Only hands with so many players; repeatable."
    ),
    click.option(
        "--game", "games", type=click.Choice(list(TABLE_SIZES)), multiple=True, help="Only this named game; repeatable."
    ),
    click.option("--min-hands", type=COUNT, default=0, help="Leave out players with fewer hands that count."),
    alias_option,
    faulty_option,
    recorded_option,
)

_FIELDS: Final = (
    "players", "sessions", "since", "until", "sizes", "games", "min_hands", "include_faulty", "as_recorded",
)  # fmt: skip
"""The fields of `Filters` that these options fill in as they are."""


def filter_options(command: _F) -> _F:
    """Give a command the options that choose hands and persons; it takes them as one argument `filters`."""

    @functools.wraps(command)
    def with_filters(*args: Any, **given: Any) -> Any:
        chosen = {name: given.pop(name) for name in _FIELDS}
        return command(*args, filters=_filters(given.pop("alias_file"), chosen), **given)

    for option in reversed(_OPTIONS):
        with_filters = option(with_filters)
    return with_filters  # type: ignore[return-value]


def _filters(alias_file: Path | None, chosen: dict[str, Any]) -> "Filters":
    from comet_hist.stats.filters import Filters

    if chosen["since"] and chosen["until"] and chosen["until"] < chosen["since"]:
        raise click.UsageError(f"--until {chosen['until']} lies before --since {chosen['since']}")
    for name in ("players", "sessions"):
        chosen[name] = tuple(unicodedata.normalize("NFC", each) for each in chosen[name])
    return Filters(**chosen, aliases=aliases_of(alias_file))


def warn_of_strangers(connection: "DuckDBPyConnection", filters: "Filters") -> None:
    """Say on standard error which spellings of `--alias` no player of a database bears."""
    from comet_hist.stats.run import strangers

    if filters.aliases and (names := strangers(connection, filters)):
        complain(about_strangers(names))


def about_strangers(names: Collection[str]) -> str:
    """Return a line on spellings of `--alias` that nobody bears: in a file for many nights that may be right.

    >>> about_strangers(["Ana", "Bn", "Clo", "Dra", "Eml"])
    '--alias: no player is called “Ana”, “Bn”, “Clo”, or 2 more of its spellings'
    """
    named = [f"“{name}”" for name in islice(names, _NAMED)]
    more = len(names) - len(named)
    if more:
        return f"--alias: no player is called {', '.join(named)}, or {more} more of its spellings"
    return f"--alias: no player is called {' or '.join(named)}"


def aliases_of(path: Path | None) -> dict[str, str]:
    """Return the person for each spelling in a file given by `--alias`; none without a file.

    Raises:
        Failure: if it is no such file.
    """
    from comet_hist.aliases import read_aliases
    from comet_hist.cli.outputs import note_input

    if path is None:
        return {}
    note_input(path)
    try:
        return read_aliases(path)
    except (ValueError, OSError) as error:
        raise Failure(str(error)) from error

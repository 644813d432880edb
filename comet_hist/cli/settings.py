"""Settings from files: `comet-hist.toml`, or `[tool.comet-hist]` of a `pyproject.toml`."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from comet_hist.cli.status import Failure

COLORS: Final = ("auto", "always", "never")
"""When to write in colour, the default first."""

_TABLE: Final = "comet-hist"

_LONGEST_SHOWN: Final = 80
"""Characters of a wrong value that a message shows."""


class Setting(NamedTuple):
    """A key of a settings file.

    Attributes:
        fits: says whether a value is one that the key takes.
        takes: what the key takes, for messages and the documentation.
        about: what it does.
    """

    fits: Callable[[Any], bool]
    takes: str
    about: str


def _is_codes(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


SETTINGS: Final[Mapping[str, Setting]] = {
    "select": Setting(
        lambda value: _is_codes(value) and bool(value),
        'a list of codes or beginnings of codes, such as ["E1", "E406"]',
        "report these findings alone",
    ),
    "ignore": Setting(
        _is_codes, 'a list of codes or beginnings of codes, such as ["W508"]', "do not report these findings"
    ),
    "max-findings": Setting(_is_number, "a whole number from 1", "show no more findings than this"),
    "strict": Setting(lambda value: isinstance(value, bool), "true or false", "warnings too make the exit status 1"),
    "color": Setting(COLORS.__contains__, '"auto", "always" or "never"', "colour in text"),
}
"""The keys of a settings file; each is an option of the command line too, which outweighs it."""


def from_settings(key: str, fallback: Any) -> Callable[[], Any]:
    """Return a default for an option: what a settings file says, or else the fallback.

    It is asked for only where the option is not given, so that help and commands without such options read no file.

    Args:
        key: a key of `SETTINGS`.
        fallback: the default where no file says anything.
    """

    def default() -> Any:
        context = click.get_current_context()
        if context.resilient_parsing:  # the shell asks for completions; a wrong file is none of its business
            return fallback
        kept = context.find_root().meta
        if __name__ not in kept:
            kept[__name__] = read_settings()
        return kept[__name__].get(key, fallback)

    return default


def read_settings() -> Mapping[str, Any]:
    """Return the settings that hold in the working folder.

    They are those of the nearest file in it or above it; in one folder `comet-hist.toml` goes before `pyproject.toml`,
    and a `pyproject.toml` without the table does not count. Files are not added up.

    Raises:
        Failure: if that file cannot be read, or has a key or value that is none of `SETTINGS`.
    """
    try:
        folder = Path.cwd()
    except FileNotFoundError:  # the working folder was removed: nothing stands in it or above it
        return {}
    for place in (folder, *folder.parents):
        own = _contents(place / "comet-hist.toml")
        if own is not None:
            return _checked(place / "comet-hist.toml", _parsed(place / "comet-hist.toml", own))
        shared = _contents(place / "pyproject.toml")
        # Most projects know nothing of Comet, and whether their files are in order is no concern of it.
        if shared is not None and _TABLE.encode() in shared:
            found = _parsed(place / "pyproject.toml", shared)
            tool = found.get("tool")
            if isinstance(tool, dict) and _TABLE in tool:
                return _checked(place / "pyproject.toml", tool[_TABLE])
    return {}


def _contents(path: Path) -> bytes | None:
    """Return the bytes of a file, or None where there is none."""
    from comet_hist.cli.outputs import note_input
    from comet_hist.tomlfile import TomlError, read_bytes

    try:
        contents = read_bytes(path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except TomlError as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise Failure(f"{path}: cannot be read: {error.strerror}") from error
    note_input(path)
    return contents


def _parsed(path: Path, contents: bytes) -> dict[str, Any]:
    from comet_hist.tomlfile import TomlError, parse

    try:
        return parse(path, contents)
    except TomlError as error:
        raise Failure(str(error)) from error


def _checked(path: Path, found: Any) -> Mapping[str, Any]:
    """Return the settings of a file, each of them one there is, with codes that findings bear."""
    if not isinstance(found, dict):
        raise Failure(f"{path}: “{_TABLE}” is a table, written [tool.{_TABLE}]")
    for key, value in found.items():
        if key not in SETTINGS:
            raise Failure(f"{path}: {_unknown(key)}")
        if not SETTINGS[key].fits(value):
            raise Failure(f"{path}: “{key}” takes {SETTINGS[key].takes}, found {_shown(value)}")
    return {key: _codes(path, key, value) if isinstance(value, list) else value for key, value in found.items()}


def _codes(path: Path, key: str, codes: list[str]) -> tuple[str, ...]:
    from comet_hist.cli.selection import codes_in
    from comet_hist.explain import UnknownCode

    try:
        return codes_in(codes)
    except UnknownCode as error:
        raise Failure(f"{path}: “{key}”: {error}") from error


def _unknown(key: str) -> str:
    from comet_hist.nearest import nearest

    known = f"the settings are {', '.join(SETTINGS)}"
    near = nearest(key.replace("_", "-"), SETTINGS)
    if near is None:
        return f"there is no setting {_shown(key)}; {known}"
    return f"there is no setting “{key}”; did you mean “{near}”? ({known})"


def _shown(value: Any) -> str:
    """Return a value as a settings file would have it, as far as a message needs it."""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        shown = f"“{value}”" if isinstance(value, str) else str(value)
    except (RecursionError, ValueError):  # it is nested deeply, or a number of thousands of digits
        return "something much longer"
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[: _LONGEST_SHOWN - 1]}…"

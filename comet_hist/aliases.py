"""The same person under several spellings: a file of names, applied when a question is asked and stored nowhere."""

import unicodedata
from pathlib import Path

from comet_hist.tomlfile import read


def read_aliases(path: Path) -> dict[str, str]:
    """Read a TOML file that says for persons how else they are spelt, such as `"Anna" = ["anna", "Anna M."]`.

    It may come through a pipe, such as `<(…)` of a shell.

    Returns:
        The person for each spelling. Names are compared letter by letter after NFC, as in a history.

    Raises:
        ValueError: if it is no such file, or gives a spelling to two persons; the message is one clear line.
        OSError: if it cannot be read.
    """
    table = read(path, pipe=True)
    persons: dict[str, str] = {}
    for key, spellings in table.items():
        person = unicodedata.normalize("NFC", key)
        if not isinstance(spellings, list) or not all(isinstance(each, str) for each in spellings):
            example = f'"{key}" = ["spelling", "another"]'
            raise ValueError(f"{path}: “{key}” takes a list of spellings, such as {example}")
        if not all((person, *spellings)):
            raise ValueError(f"{path}: “{key}” has an empty name; a name has at least one character")
        for spelling in (unicodedata.normalize("NFC", each) for each in spellings):
            other = persons.setdefault(spelling, person)
            if other != person:
                raise ValueError(f"{path}: “{spelling}” is given to two persons, “{other}” and “{person}”")
    for person in persons.values():
        if persons.get(person, person) != person:
            raise ValueError(f"{path}: “{person}” is a person, and also a spelling of “{persons[person]}”")
    return persons

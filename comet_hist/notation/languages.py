"""The files of words: which languages there are, and whether a file says all that a language needs."""

import os
import re
import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from comet_hist.cards import RANKS

GRAMMARS: Final = "COMET_HIST_GRAMMARS"
"""The environment variable that names a folder with further languages, files such as `it.toml`."""

DEFAULT: Final = "en"
"""The language of lines that stand before any session."""

Words = dict[str, dict[str, tuple[str, ...]]]
"""What a file says, by section and meaning: the spellings, the written one first."""

_SECTIONS: Final = ("opening", "keywords", "payments", "rules", "ranks", "suits")
_WORD: Final = re.compile(r'[^\s\d:,"#=]+')
_LETTERS: Final = re.compile(r'[^\s:,"#=→.-]+')


class LanguageError(Exception):
    """A file of words that cannot be used, or a folder of them; its text is one line for the user."""


@cache
def languages() -> tuple[str, ...]:
    """Return the names of the languages, sorted: those of the program and those in the folder of `GRAMMARS`.

    Raises:
        LanguageError: if that is no folder, or a file in it has the name of a language there is already.
    """
    return tuple(sorted(_files()))


@cache
def load(language: str) -> tuple[str, Words]:
    """Return what the file of a language says: what messages call it, such as `German`, and its words.

    Raises:
        LanguageError: if the file cannot be read, or lacks a word that English has.
    """
    file = _files()[language]
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LanguageError(f"{file}: {error}") from error
    name = data.pop("language", None)
    if not isinstance(name, str) or not name.isprintable() or not name:
        raise LanguageError(f'{file}: a line such as language = "Italian" is needed')
    if unknown := set(data) - set(_SECTIONS):
        raise LanguageError(f"{file}: [{min(unknown)}] is not one of {', '.join(_SECTIONS)}")
    words = {section: _section(file, section, data.get(section)) for section in _SECTIONS}
    if language != DEFAULT:
        _compare(file, words, load(DEFAULT)[1])
    return name, words


def further_files() -> list[Path]:
    """Return the files of words in the folder of `GRAMMARS`, none if there is no such variable.

    Raises:
        LanguageError: if that is no folder.
    """
    folder = os.environ.get(GRAMMARS)
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise LanguageError(f"{GRAMMARS}: {folder} is not a folder")
    return sorted(Path(folder).glob("*.toml"))


def _files() -> dict[str, Traversable]:
    """Return the file of each language."""
    own = {_language(entry): entry for entry in files("comet_hist.grammars").iterdir() if entry.name.endswith(".toml")}
    further: dict[str, Traversable] = {_language(path): path for path in further_files()}
    if taken := own.keys() & further.keys():
        language = min(taken)
        raise LanguageError(f"{further[language]}: there is a language {language} already; name the file otherwise")
    return own | further


def _language(file: Traversable) -> str:
    return file.name.removesuffix(".toml")


def _section(file: Traversable, section: str, found: Any) -> dict[str, tuple[str, ...]]:
    """Return the words of a section, each as the tuple of its spellings."""
    if not isinstance(found, dict):
        raise LanguageError(f"{file}: the section [{section}] is needed")
    fits = _LETTERS if section in ("ranks", "suits") else _WORD
    words = {}
    for meaning, spelt in found.items():
        spellings = tuple(spelt) if isinstance(spelt, list) else (spelt,)
        if not spellings or not all(isinstance(word, str) and fits.fullmatch(word) for word in spellings):
            raise LanguageError(f"{file}: [{section}] {meaning} is not a word, or a list of words")
        words[meaning] = spellings
    return words


def _compare(file: Traversable, words: Words, english: Words) -> None:
    """Hold the words of a language against the English ones: it has every one of them, and no others."""
    for section in _SECTIONS:
        known = set(RANKS) if section == "ranks" else set(english[section])
        needed: set[str] = set() if section == "ranks" else known
        have = set(words[section])
        if lacking := needed - have:
            raise LanguageError(f"{file}: [{section}] lacks {', '.join(sorted(lacking))}")
        if unknown := have - known:
            raise LanguageError(f"{file}: [{section}] {min(unknown)} is not one of {', '.join(sorted(known))}")

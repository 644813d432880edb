"""The files of words: which languages there are, and whether a file says all that a language needs."""

import os
import re
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final
from unicodedata import category, normalize

from comet_hist.cards import RANKS
from comet_hist.tomlfile import TomlError, read

GRAMMARS: Final = "COMET_HIST_GRAMMARS"
"""The environment variable that names a folder with further languages, files such as `it.toml`."""

DEFAULT: Final = "en"
"""The language of lines that stand before any session."""

Words = dict[str, dict[str, tuple[str, ...]]]
"""What a file says, by section and meaning: the spellings, the written one first."""

_SECTIONS: Final = ("opening", "keywords", "payments", "rules", "ranks", "suits")

LONGEST_LETTERS: Final = 4
"""Characters of the longest spelling of a rank or suit."""

_NAME: Final = re.compile(r"[\w-]+", re.ASCII)
_LONGEST: Final = 32
"""Characters of the longest word."""

_MOST_SPELLINGS: Final = 6
"""Cards are read in any case: how long and how many spellings are, decides how many there are of each card."""

_JOINING: Final = re.compile("[-'’]")
"""What may stand within a word, between two letters."""


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
    if not _NAME.fullmatch(language):
        raise LanguageError(f"{file}: the name of a language has letters, digits, - and _ only; name the file it.toml")
    try:
        with as_file(file) as path:
            data = read(path)
    except TomlError as error:
        raise LanguageError(str(error)) from error
    except OSError as error:
        raise LanguageError(f"{file}: cannot be read: {error.strerror}") from error
    name = data.pop("language", None)
    if not isinstance(name, str) or not name.isprintable() or not 1 <= len(name) <= _LONGEST:
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
    words = {}
    for meaning, spelt in found.items():
        given = spelt if isinstance(spelt, list) else [spelt]
        where = f"{file}: [{section}] {meaning[:_LONGEST]}"
        if not 1 <= len(given) <= _MOST_SPELLINGS or not all(isinstance(word, str) for word in given):
            raise LanguageError(f"{where} is not a word, or a list of up to {_MOST_SPELLINGS} words")
        words[meaning] = tuple(_word(section, word, where) for word in given)
    return words


def _word(section: str, word: str, where: str) -> str:
    """Return a word in NFC, made only of what no line uses as a sign, so that it can be read where it is written.

    Raises:
        LanguageError: if it is made of anything else, or is too long.
    """
    text = normalize("NFC", word)
    if section in ("ranks", "suits"):
        most, made_of = LONGEST_LETTERS, "letters, or signs such as ♣" + ", or digits" * (section == "ranks")
        fits = _is_letters(text, "So") or (section == "ranks" and text.isascii() and text.isdecimal())
    else:
        most, made_of = _LONGEST, "letters"
        fits = all(map(_is_letters, _JOINING.split(text)))
    if not fits or len(text) > most:
        shown = text[:_LONGEST] if text.isprintable() else ascii(text[:_LONGEST])[1:-1]
        raise LanguageError(f"{where} is not a word: “{shown}”; it takes 1 to {most} {made_of}")
    return text


def _is_letters(text: str, other: str = "") -> bool:
    """Say whether a text has letters, with their marks, and characters of one other category; a mark does not begin it.

    >>> _is_letters("Règles"), _is_letters("->"), _is_letters("♣"), _is_letters("♣", "So")
    (True, False, False, True)
    """
    kinds = [category(sign) for sign in text]
    return bool(kinds) and kinds[0][0] != "M" and all(kind[0] in "LM" or kind == other for kind in kinds)


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

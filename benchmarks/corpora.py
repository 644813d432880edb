"""The histories that are measured: made by `comet-hist simulate` in a scratch folder, each once."""

import gzip
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from measuring import output, program

SESSION: Final = 10
"""Hands a session."""

HOUSES: Final = (
    ("5", "progressive, ante 2, cap 64", "random+random:0.3"),
    ("4", "quatre, led free", "longest+at-once"),
    ("2", "deux, gap stop, keep yes", "shortest+gap-only"),
    ("3", "comet 2, standin stalled, first hand", "random+block"),
    ("6", "progressive, card 3, suit change, standin gap", "random+at-once"),
)
"""Tables that between them play by every house rule: players, rules and strategy."""


@dataclass(frozen=True)
class Corpus:
    """A file of histories.

    Attributes:
        path: the file.
        hands: how many hands it has.
        plays: how many cards are written in its `Run` lines.
        size: its bytes, unpacked.
        statuses: how a command may end that has read it.
    """

    path: Path
    hands: int
    plays: int
    size: int
    statuses: tuple[int, ...] = (0,)


class Corpora:
    """Makes corpora where they are asked for, and keeps them.

    Args:
        folder: where to keep them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: dict[Path, Corpus] = {}

    def clean(self, hands: int) -> Corpus:
        """Return classic hands of four players, all legal and paid right."""
        return self._simulated("clean", hands, [[]])

    def houses(self, hands: int) -> Corpus:
        """Return hands of two to six players by all house rules, all legal and paid right."""
        options = [["--players", players, "--rules", rules, "--strategy", way] for players, rules, way in HOUSES]
        return self._simulated("houses", hands, options)

    def slips(self, hands: int) -> Corpus:
        """Return classic hands of which one in a hundred has a slip."""
        corpus = self._simulated("slips", hands, [["--faults", "0.01"]])
        return replace(corpus, statuses=(0, 1))  # Few hands may have no slip, or one that is no error.

    def german(self, hands: int) -> Corpus:
        """Return clean hands written in German."""
        path = self.folder / f"german-{hands}.comet"
        if path not in self._made:
            clean = self.clean(hands)
            text = output([program(), "fmt", "--language", "de", clean.path])
            path.write_text(text, encoding="utf-8")
            self._made[path] = Corpus(path, clean.hands, clean.plays, path.stat().st_size)
        return self._made[path]

    def packed(self, corpus: Corpus, ending: str) -> Corpus:
        """Return a corpus packed, its size that of the text: `.gz` as `gzip -6` packs it, `.zst` as `zstd -3`."""
        path = corpus.path.with_name(corpus.path.name + ending)
        if path not in self._made:
            _pack(corpus.path, path)
            self._made[path] = Corpus(path, corpus.hands, corpus.plays, corpus.size)
        return self._made[path]

    def _simulated(self, name: str, hands: int, tables: list[list[str]]) -> Corpus:
        """Return a corpus to which each kind of table gives as many sessions."""
        each = max(SESSION, hands // len(tables))
        path = self.folder / f"{name}-{hands}.comet"
        if path not in self._made:
            with path.open("wb") as whole:
                for options in tables:
                    part = self.folder / "part.comet"
                    output([program(), "simulate", *sessions(each), *options, "-o", part])
                    with part.open("rb") as text:
                        shutil.copyfileobj(text, whole, 1 << 20)
                    part.unlink()
            written = each // SESSION * SESSION * len(tables)
            self._made[path] = Corpus(path, written, _plays(path), path.stat().st_size)
        return self._made[path]


def sessions(hands: int) -> list[str]:
    """Return the options by which `simulate` writes so many hands, a last session that is not full left out."""
    return ["--sessions", str(hands // SESSION), "--hands", str(SESSION)]


def _pack(path: Path, packed: Path) -> None:
    with path.open("rb") as text, packed.open("wb") as file:
        if packed.suffix == ".gz":
            with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6) as zipped:
                shutil.copyfileobj(text, zipped, 1 << 20)
        else:
            import zstandard

            zstandard.ZstdCompressor(3).copy_stream(text, file)


def _plays(path: Path) -> int:
    """Return the cards in the `Run` lines of a file: all words but the keyword, and a name before each player's."""
    with path.open("rb") as lines:
        return sum(len(line.split()) - 2 - line.count(b",") for line in lines if line.startswith(b"Run: "))

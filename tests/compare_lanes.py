"""Holds the two lanes against each other over damaged sessions: `python tests/compare_lanes.py 100000`.

Each text is two or three sessions, with damage in them: bytes flipped, dropped or put in, the end cut off, lines given
twice, left out or exchanged, and cards, names and numbers written for others. Whatever the kernel takes must have no
finding by the ordinary road, and the same facts. Of what is clean and canonical it takes nearly all.
"""

import io
import random
import re
import sys
from typing import NamedTuple

from evenings import evening
from lanes import bulk, ordinary

from comet_hist import notation
from comet_hist.cards import NAMES
from comet_hist.notation.write import canonical
from comet_hist.record import Session

_CARD = re.compile(rb"[A2-9TJQK][cdhs]")
_NUMBER = re.compile(rb"(?<![\w:.-])\d+(?![\w:.-])")
_WORD = re.compile(rb"[^\s,:=]+")
_PUT_IN = (b" ", b"\n", b"\r", b",", b"\0", b"#", b'"', b"0", b"9d", b"\n\n", b"\t")


class Compared(NamedTuple):
    """What was found in a text: its sessions, those clean and canonical, those taken, and what does not agree."""

    sessions: int
    clean: int
    taken: int
    differences: list[str]


def damaged(rng: random.Random, text: bytes) -> bytes:
    """Return a text with one thing in it changed."""
    at = rng.randrange(len(text))
    kind = rng.randrange(11)
    if kind == 0:
        return text[:at] + bytes([text[at] ^ 1 << rng.randrange(8)]) + text[at + 1 :]
    if kind == 1:
        return text[:at] + text[at + rng.randrange(1, 4) :]
    if kind == 2:
        return text[:at] + rng.choice([*_PUT_IN, bytes([rng.randrange(256)])]) + text[at:]
    if kind == 3:
        return text[:at]
    if kind == 4:
        return _other(rng, text, _CARD, [name.encode() for name in NAMES])
    if kind == 5:
        return _other(rng, text, _NUMBER, [b"%d" % rng.randrange(100)])
    if kind == 6:
        return _other(rng, text, _WORD, _WORD.findall(text))
    lines = text.split(b"\n")
    line = rng.randrange(len(lines))
    if kind == 7:
        del lines[line]
    elif kind == 8:
        lines.insert(rng.randrange(len(lines)), lines[line])
    elif kind == 9:
        other = rng.randrange(len(lines))
        lines[line], lines[other] = lines[other], lines[line]
    else:
        opening = next((line for line in lines if line.startswith(b"Comet session ")), b"Comet session x")
        lines.insert(line, rng.choice([opening, b"\n" + opening, b"Winner: Anna", b"# a comment", b"Hand 1", b""]))
    return b"\n".join(lines)


def _other(rng: random.Random, text: bytes, what: re.Pattern[bytes], others: list[bytes]) -> bytes:
    """Return a text in which one token of a kind is another one."""
    found = list(what.finditer(text))
    if not found:
        return text
    start, end = rng.choice(found).span()
    return text[:start] + rng.choice(others) + text[end:]


def compare(text: bytes, size: int = 1 << 20) -> Compared:
    """Hold what the two lanes tell of a text against each other."""
    told, faulty = ordinary(text)
    taken = bulk(text, size)
    written = {
        session.line.number: canonical(session).encode()
        for session in notation.read(io.BytesIO(text), "x.comet")
        if isinstance(session, Session)
    }
    lines = text.split(b"\n")
    differences = []
    for line, facts in taken.items():
        if line in faulty:
            differences.append(f"line {line}: taken, but has findings")
        elif told.get(line) != facts:
            differences.append(f"line {line}: {told.get(line)} is not {facts}")
    clean = sum(
        b"\n".join(lines[line - 1 :]).startswith(written[line]) and (line == 1 or not lines[line - 2])
        for line in told.keys() - faulty
    )
    return Compared(len(told), clean, len(taken), differences)


def main() -> None:
    """Compare as many damaged sessions as are asked for, from a seed on."""
    wanted = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    sessions = clean = taken = 0
    while sessions < wanted:
        rng = random.Random(seed)
        text = "".join(evening(rng.randrange(10**9), rng.randrange(1, 3)) for _ in range(rng.randrange(2, 4))).encode()
        for _ in range(rng.choice([1, 1, 1, 2])):
            text = damaged(rng, text) or text
        compared = compare(text, rng.choice([64, 2000, 1 << 20]))
        sessions += compared.sessions
        clean += compared.clean
        taken += compared.taken
        for difference in compared.differences:
            print(f"seed {seed}, {difference}")
        seed += 1
    print(f"{sessions} sessions, {clean} clean and canonical, {taken} taken by the kernel; seeds up to {seed - 1}")


if __name__ == "__main__":
    main()

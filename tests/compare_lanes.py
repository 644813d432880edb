"""Holds the two lanes against each other over sessions with slips: `python tests/compare_lanes.py 100000`.

Each text is two or three sessions. Half of them are damaged: bytes flipped, dropped or put in, the end cut off, lines
given twice, left out or exchanged, and cards, names and numbers written for others. In the other half `simulate` has
planted slips. Whatever the kernel takes must have no finding by the ordinary road, and the same facts; of what is clean
and canonical it takes nearly all. Where it leaves a session, and takes some of its hands after all, everything said of
that session must be as if it had gone the ordinary road whole.
"""

import io
import random
import re
import sys
from typing import NamedTuple

from evenings import evening
from lanes import bulk, left_over, ordinary, verdict

from comet_hist import notation
from comet_hist.cards import NAMES
from comet_hist.judge import Judged, judge_alone
from comet_hist.notation.write import canonical
from comet_hist.record import Session
from comet_hist.simulate.faults import Script
from comet_hist.simulate.plan import make_plan

_CARD = re.compile(rb"[A2-9TJQK][cdhs]")
_NUMBER = re.compile(rb"(?<![\w:.-])\d+(?![\w:.-])")
_WORD = re.compile(rb"[^\s,:=]+")
_RULES = (
    "", "progressive", "progressive, cap 4, ante 2", "led free", "keep yes, suit change", "standin stalled",
    "standin gap, first hand", "gap stop", "comet 0", "ante 0, card 3", "card 0, progressive",
)  # fmt: skip
_PUT_IN = (b" ", b"\n", b"\r", b",", b"\0", b"#", b'"', b"0", b"9d", b"\n\n", b"\t")


class Compared(NamedTuple):
    """What was found in a text.

    Attributes:
        sessions: as many are in it.
        clean: those of them that are clean and canonical.
        taken: those that the kernel takes.
        by_hand: those of the others of which it takes hands.
        differences: what does not agree.
    """

    sessions: int
    clean: int
    taken: int
    by_hand: int
    differences: list[str]


def with_slips(rng: random.Random, sessions: int) -> bytes:
    """Return sessions in which many hands have a slip."""
    plan = make_plan(
        seed=rng.randrange(10**9),
        hands=rng.randrange(1, 9),
        players=rng.randrange(2, 7),
        rules=rng.choice(_RULES),
        strategies=["random+random:0.5"],
        faults=rng.choice([0.1, 0.3, 0.5]),
    )
    blocks = (block for session in range(sessions) for block in Script(plan, session).blocks())
    return "".join(f"{line}\n" for block in blocks for line in block).encode(errors="surrogateescape")


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
    by_hand = 0
    for chips in (True, False):
        judged, among = left_over(text, size, chips=chips)
        whole = [judge_alone(reading, chips=chips) for reading in notation.read(io.BytesIO(text), "x.comet")]
        differences += unlike([each for each in whole if each.session is None or _line(each) not in among], judged)
        by_hand = sum(each.rest is not None for each in judged)
    clean = sum(
        b"\n".join(lines[line - 1 :]).startswith(written[line]) and (line == 1 or not lines[line - 2])
        for line in told.keys() - faulty
    )
    return Compared(len(told), clean, len(taken), by_hand, differences)


def unlike(whole: list[Judged], by_hand: list[Judged]) -> list[str]:
    """Say where sessions that went the ordinary road whole differ from the same ones that went it hand by hand."""
    if len(whole) != len(by_hand):
        return [f"{len(whole)} sessions and texts without one are not {len(by_hand)}"]
    found = []
    for one, other in zip(whole, by_hand, strict=True):
        told, also = verdict(one), verdict(other)
        found += [
            f"line {_line(one)}, {field}: {left} is not {right}"
            for field, left, right in zip(told._fields, told, also, strict=True)
            if left != right
        ]
        if not _hands(other) <= _hands(one):
            found.append(f"line {_line(one)}: a hand of the ordinary road differs")
    return found


def _line(judged: Judged) -> int | None:
    return None if judged.session is None else judged.session.line.number


def _hands(judged: Judged) -> set[str]:
    """Return everything known about each hand, as text that can be compared."""
    replays = [] if judged.replay is None else judged.replay.hands
    audits = [] if judged.audit is None else judged.audit.hands
    return {*map(repr, replays), *map(repr, audits)}


def some_sessions(rng: random.Random) -> bytes:
    """Return two or three sessions with slips or damage in them."""
    sessions = rng.randrange(2, 4)
    if rng.random() < 0.5:
        return with_slips(rng, sessions)
    text = "".join(evening(rng.randrange(10**9), rng.randrange(1, 4)) for _ in range(sessions)).encode()
    for _ in range(rng.choice([1, 1, 1, 2])):
        text = damaged(rng, text) or text
    return text


def main() -> None:
    """Compare as many damaged sessions as are asked for, from a seed on."""
    wanted = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    sessions = clean = taken = by_hand = 0
    while sessions < wanted:
        rng = random.Random(seed)
        text = some_sessions(rng)
        compared = compare(text, rng.choice([64, 2000, 1 << 20]))
        sessions += compared.sessions
        clean += compared.clean
        taken += compared.taken
        by_hand += compared.by_hand
        for difference in compared.differences:
            print(f"seed {seed}, {difference}")
        seed += 1
    print(
        f"{sessions} sessions, {clean} clean and canonical, {taken} taken by the kernel, {by_hand} in part; "
        f"seeds up to {seed - 1}"
    )


if __name__ == "__main__":
    main()

"""Both lanes over whole streams: what comes out is what the ordinary road alone gives, in the same order."""

import io
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from compare_lanes import damaged
from evenings import evening
from hypothesis import given, settings
from hypothesis import strategies as st

from comet_hist.bulk import lanes
from comet_hist.bulk.lanes import LEAST, Lanes
from comet_hist.bulk.values import each, held_against, whole
from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.notation.languages import languages
from comet_hist.notation.write import canonical
from comet_hist.record import Session

COMMAND = Path(sys.executable).with_name("comet-hist")


def run(*arguments: str | Path, **extra: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60, **extra)


def told(judged: Judged) -> tuple[Any, ...]:
    """Return what is known of a session, whichever lane it went."""
    found = [finding.as_dict() for finding in judged.findings]
    session, audit, replay = judged.session, judged.audit, judged.replay
    if session is None or replay is None:
        return None, found
    hands = [replayed.legal for replayed in replay.hands if replayed.state != "void"]
    if judged.rest is not None:
        hands += [True] * judged.rest.counted()[0]
    money: tuple[Any, ...] = ()
    if audit is not None:
        paid = [(hand.hand.number, hand.status, hand.payments, hand.corrections) for hand in audit.hands]
        money = (audit.balances, audit.settle, paid)
    place = session.line.number, session.ident.text, session.digest, session.rules
    return place, found, judged.repeated, judged.conflict, sorted(hands, key=str), money


def ordinary(text: bytes, chips: bool) -> list[tuple[Any, ...]]:
    """Judge a text on the ordinary road."""
    return [told(judged) for judged in Judge(chips=chips).judge(read(io.BytesIO(text), "x.comet"))]


def both(text: bytes, chips: bool, size: int, *, breaks: bool = False) -> list[tuple[Any, ...]]:
    """Judge a text by both lanes."""
    return [told(judged) for judged in by_lanes(stream(text, breaks=breaks), chips, size)]


def by_lanes(source: "io.BufferedReader[Any]", chips: bool, size: int) -> Iterator[Judged]:
    both_lanes, judge = Lanes(chips=chips, least=0, size=size), Judge(chips=chips)
    try:
        for item in both_lanes.judged(source, "x.comet"):
            if isinstance(item, Judged):
                yield whole(judge.meet(item))
                continue
            for met in held_against(judge, item, "x.comet"):
                clean: Iterable[Judged] = [met] if isinstance(met, Judged) else each(met, "x.comet")
                yield from map(whole, clean)
    finally:
        both_lanes.close()


class _Breaking(io.BytesIO):
    """Bytes that fail at their end."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size) or self._fail()

    def readinto(self, buffer: Any, /) -> int:
        return super().readinto(buffer) or len(self._fail())

    def _fail(self) -> bytes:
        raise OSError("it breaks off")


def stream(text: bytes, *, breaks: bool = False) -> "io.BufferedReader[Any]":
    return io.BufferedReader(_Breaking(text) if breaks else io.BytesIO(text))  # type: ignore[type-var]


def nights(rng: random.Random) -> bytes:
    """Return sessions one below the other, in several languages and forms, some twice, some with damage in them."""
    pieces: list[bytes] = []
    for _ in range(rng.randrange(1, 6)):
        text = evening(rng.randrange(20), rng.randrange(1, 3))
        (session,) = read(io.BytesIO(text.encode()), "x.comet")
        assert isinstance(session, Session)
        piece = rng.choice([text, text, text, canonical(session, rng.choice(list(languages())))]).encode()
        if rng.random() < 0.3:
            piece = damaged(rng, piece)
        if rng.random() < 0.1:
            piece = piece.replace(b"\n", rng.choice([b"\r\n", b"\n\n", b"\n "]))
        if rng.random() < 0.1:
            piece = rng.choice([b"# by hand\n", b"\n", b"Winner: Anna\n", b"Comet session 0\n\n", b"\xff\n"]) + piece
        pieces.append(piece)
    return b"".join(pieces)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), size=st.sampled_from([100, 1500, 1 << 18]))
def test_both_lanes_give_what_the_ordinary_road_gives(seed: int, size: int) -> None:
    text = nights(random.Random(seed))
    assert both(text, True, size) == ordinary(text, True)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_what_stands_above_a_break_is_judged(seed: int) -> None:
    text = nights(random.Random(seed))
    text = text[: random.Random(seed).randrange(len(text) + 1)]
    expected, given_ = [], []
    with pytest.raises(OSError, match="breaks off"):
        expected += (told(one) for one in Judge().judge(read(stream(text, breaks=True), "x.comet")))
    with pytest.raises(OSError, match="breaks off"):
        given_ += (told(one) for one in by_lanes(stream(text, breaks=True), True, 1500))
    assert given_ == expected


def test_other_processes_judge_the_same_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "_ALONE", 0.0)
    monkeypatch.setattr(lanes, "cores", lambda: 2)
    text = b"".join(nights(random.Random(seed)) for seed in range(8))
    assert both(text, True, 1500) == ordinary(text, True)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_it_ends_at_once_with_its_processes(tmp_path: Path, number: int, status: int) -> None:
    """They are at work on a session that takes far longer than the test waits."""
    few, long = tmp_path / "a.comet", tmp_path / "b.comet"
    run("simulate", "--sessions", "300", "-o", few)
    run("simulate", "--hands", "20000", "-o", long)
    for file in (few, long):
        file.write_bytes(file.read_bytes().replace(b"\nDeal ", b"\nDeal  "))
    with subprocess.Popen([COMMAND, "check", few, long, long], stderr=subprocess.PIPE) as process:
        wait_for(lambda: bool(children_of(process.pid)))
        time.sleep(1)
        workers = [child for parent in children_of(process.pid) for child in children_of(parent)]
        process.send_signal(number)
        process.communicate(timeout=10)
    assert process.returncode == status
    assert workers
    wait_for(lambda: not any(map(is_there, workers)))


def test_processes_end_with_the_first_one(tmp_path: Path) -> None:
    command = [COMMAND, "simulate", "--sessions", "100000", "--workers", "2", "-o", tmp_path / "many.comet"]
    with subprocess.Popen(command) as process:
        wait_for(lambda: len(children_of(process.pid)) == 2)
        workers = children_of(process.pid)
        process.kill()
    wait_for(lambda: not any(map(is_there, workers)))


def children_of(parent: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


def is_there(process: int) -> bool:
    """Say whether a process has not ended; one that nobody has asked for its status yet has."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return found.stdout.strip()[:1] not in ("", "Z")


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something holds; a test in which it never does fails."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


class _Slow(io.RawIOBase):
    """A pipe that has a session at a time.

    Attributes:
        given: how many were read so far.
    """

    def __init__(self, sessions: list[bytes]) -> None:
        self.given = 0
        self._sessions = sessions

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.given == len(self._sessions):
            return 0
        text = self._sessions[self.given]
        buffer[: len(text)] = text
        self.given += 1
        return len(text)


@pytest.mark.parametrize("alone", [0.0, 60.0])
def test_a_slow_pipe_is_judged_as_it_comes(monkeypatch: pytest.MonkeyPatch, alone: float) -> None:
    """A session ends where the next one begins, so that one more has to be there, and no other."""
    monkeypatch.setattr(lanes, "_ALONE", alone)
    texts = [evening(seed, 1).replace("evening-", f"{seed}-").encode() for seed in range(12)]
    texts = [text if at % 2 else text.replace(b"\nDeal ", b"\nDeal  ") for at, text in enumerate(texts)]
    pipe, judged, judging = _Slow(texts), 0, Lanes(least=0)
    for item in judging.judged(io.BufferedReader(pipe, 1 << 16), "x.comet", whole=False):
        judged += 1 if isinstance(item, Judged) else item.after - item.first
        assert pipe.given - judged <= 1
    judging.close()
    assert judged == len(texts)


@pytest.fixture(scope="module")
def long_night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file long enough for the kernels, with slips in it, and beside it the same with comments, which keep it out."""
    folder = tmp_path_factory.mktemp("long")
    plain, commented = folder / "plain" / "nights.comet", folder / "commented" / "nights.comet"
    for file in (plain, commented):
        file.parent.mkdir()
    run("simulate", "--sessions", "30", "--hands", "6", "--faults", "0.05", "--seed", "3", "-o", plain)
    text = plain.read_bytes()
    assert len(text) > LEAST
    commented.write_bytes(text.replace(b"\nDate: ", b"\n# by hand\nDate: "))
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ["check", "--format", "jsonl"],
        ["audit"],
        ["audit", "--settle"],
        ["audit", "--format", "json"],
        ["audit", "--format", "jsonl"],
        ["audit", "--format", "csv"],
        ["analyze"],
        ["analyze", "--format", "json"],
        ["stats", "players", "--format", "csv"],
    ],
    ids=" ".join,
)
def test_which_lane_it_was_is_never_seen(long_night: Path, command: list[str]) -> None:
    """The comments move each session down by as many lines as stand above it; nothing else differs."""
    plain, commented = (
        run(*command, "nights.comet", cwd=long_night / lane).stdout for lane in ("plain", "commented")
    )
    assert without_lines(plain) == without_lines(commented)
    assert len(plain) > 300


def without_lines(shown: str) -> str:
    return re.sub(r'(nights\.comet:|"line": ?)\d+', r"\1", shown)

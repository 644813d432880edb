"""Where sessions and hands begin in the text: in the middle of a line, without their line, after text without end."""

import io
import random
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard
from evenings import evening
from hypothesis import given, settings
from hypothesis import strategies as st
from test_lanes import both, nights
from test_lanes import ordinary as told_alone

from comet_hist.bulk import chunks
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.notation.write import canonical
from comet_hist.record import Session

COMMAND = Path(sys.executable).with_name("comet-hist")
HANDS = {"en": "Hand", "de": "Runde", "fr": "Donne", "es": "Mano"}
Found = tuple[list[tuple[str, int, int]], list[tuple[str, list[bool | None]]]]


def found(text: str) -> Found:
    """Return the findings of a text by place, and each of its sessions with what its hands are."""
    findings, sessions = [], []
    for judged in Judge().judge(read(io.BytesIO(text.encode()), "x.comet")):
        findings += [(each.code, each.line, each.column) for each in judged.findings]
        if judged.session is not None and judged.replay is not None:
            sessions.append((judged.session.ident.text, [hand.legal for hand in judged.replay.hands]))
    return sorted(findings, key=lambda each: each[1:]), sessions


def written(seed: int, language: str, hands: int = 2) -> str:
    (session,) = read(io.BytesIO(evening(seed, hands).encode()), "x.comet")
    assert isinstance(session, Session)
    return canonical(session, language)


@pytest.mark.parametrize(("tail", "mark"), [("", ""), ("", "\ufeff"), (" # nice", "")])
@pytest.mark.parametrize("language", HANDS)
def test_a_file_joined_to_another_costs_one_finding(language: str, tail: str, mark: str) -> None:
    """Whichever line the first one ends with; `Place` above all seats alone might be meant so."""
    above, below = written(1, language), written(2, "fr" if language == "en" else "en")
    lines = above.rstrip().split("\n")
    for count in range(1, len(lines) + 1):
        if lines[count - 1]:
            head = "\n".join(lines[:count]) + tail
            findings, sessions = found(f"{head}\n{below}")
            joined = [(code, line - (line > count), column) for code, line, column in findings]
            joined.append(("E101", count, len(lines[count - 1] + tail + mark) + 1))
            assert found(head + mark + below) == (sorted(joined, key=lambda each: each[1:]), sessions)


@pytest.mark.parametrize("tail", ["", " # nice"])
@pytest.mark.parametrize("language", HANDS)
def test_a_hand_joined_to_a_line_costs_one_finding(language: str, tail: str) -> None:
    for seed in (1, 12):  # with a void hand
        text = written(seed, language, 3)
        opening = f"{HANDS[language]} 2\n"
        findings, sessions = found(text.replace(f"\n\n{opening}", f"{tail}{opening}"))
        assert [code for code, _, _ in findings] == ["E101"]
        assert sessions == found(text)[1]


def test_a_session_without_its_line_costs_itself() -> None:
    above, headless, below = written(1, "en"), written(2, "en").partition("\n")[2], written(3, "en")
    findings, sessions = found(above + headless + below)
    assert findings == [("E106", above.count("\n") + 1, 1)]
    assert sessions == found(above)[1] + found(below)[1]
    assert found(headless + below) == ([("E106", 1, 1)], found(below)[1])


def test_names_and_places_may_have_the_words_of_openings() -> None:
    text = (
        'Comet session a\nPlace: at Comet session club\nSeat 1: Hand 40\nSeat 2: "Comet session" 40\n\n'
        "Hand 1\nDealer: Hand\nVoid: see Hand 2\n\nHand 2\nVoid: Comet session x\n"
    )
    assert found(text) == ([], [("a", [None, None])])


def test_marks_before_lines_cost_nothing() -> None:
    text = written(1, "en")
    assert found(text.replace("\n", "\n\ufeff")) == found(text)


def test_text_below_a_finished_session_does_not_change_it() -> None:
    text = (Path(__file__).parent / "cases" / "winner-right.comet").read_text()
    findings, sessions = found(f"{text}\n:\nSuite: 2K, 3K\n\n{written(2, 'en')}")
    assert {code for code, _, _ in findings} == {"E101"}
    assert sessions == found(text)[1] + found(written(2, "en"))[1]


def test_findings_on_junk_are_counted() -> None:
    text = written(1, "en")
    assert len(found("foo\n" * 300 + text)[0]) == 1
    assert len(found(text + "foo\n" * 300)[0]) == 100


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**9), size=st.sampled_from([64, 999, 5000]), bare=st.sampled_from([64, 3000, 1 << 22]))
def test_both_paths_agree_wherever_the_text_is_cut(seed: int, size: int, bare: int) -> None:
    """Blank lines between sessions may be missing, and other text may stand between them, in parts."""
    rng = random.Random(seed)
    text = nights(rng) + nights(rng)
    between = rng.choice([b"\n\n", b"\n", b"\n# by Ben\n", b"\n\xef\xbb\xbf", b"\n \n\t\n", b"\nfoo\n", b""])
    text = text.replace(b"\n\nComet session", between + b"Comet session")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "_AT_ONCE", 500)
        patch.setattr(chunks, "_MOST_BARE", bare)
        patch.setattr(chunks, "_LOOK_BACK", 200)
        assert both(text, True, size) == told_alone(text, True)


@pytest.mark.parametrize("kind", ["zeros", "line", "comments"])
def test_memory_is_bounded_whatever_stands_between_sessions(tmp_path: Path, kind: str) -> None:
    session = written(1, "en").encode()
    piece = {
        "zeros": bytes(1 << 20),
        "line": b"x" * (1 << 20),
        "comments": b"#" * 60_000 + b"\n",
    }[kind]
    packed = tmp_path / "long.comet.zst"
    with packed.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as stream:
        stream.write(session)
        for _ in range(150_000_000 // len(piece)):
            stream.write(piece)
        stream.write(b"\n" + session.replace(b"evening-1", b"evening-2"))
    program = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True, timeout=100)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", program, COMMAND, "check", packed]
    peak = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert peak < 250_000


def test_indented_lines_below_an_opening_are_in_its_language() -> None:
    text = written(1, "es") + written(2, "en").replace("\n", "\n ").rstrip() + "\n"
    assert found(text)[0] == []

"""A session with slips goes two roads hand by hand, and all is said of it as if it had gone the ordinary one whole."""

import io
import random
import re

import pytest
from compare_lanes import compare, some_sessions, unlike, with_slips
from hypothesis import given, settings
from hypothesis import strategies as st
from slips import EVERYWHERE, plant

from comet_hist import notation
from comet_hist.bulk.mixed import judge_stretch
from comet_hist.bulk.proven import Stretch
from comet_hist.judge import Judged, judge_alone
from comet_hist.simulate.chance import Chance
from comet_hist.simulate.faults import Script
from comet_hist.simulate.plan import make_plan

SEEDS = st.integers(0, 10**9)
HANDS = 30


def clean(seed: int, rules: str = "", hands: int = HANDS) -> str:
    """Return a clean session in canonical text."""
    plan = make_plan(seed, hands, 4, rules, ["random+at-once"])
    return "".join(f"{line}\n" for block in Script(plan, 0).blocks() for line in block)


def by_hand(text: str, chips: bool = True) -> Judged:
    """Judge a session hand by hand, and hold it against the ordinary road."""
    data = text.encode(errors="surrogateescape")
    judged = list(judge_stretch(Stretch(data, 0, 0), "x.comet", chips=chips))
    whole = [judge_alone(reading, chips=chips) for reading in notation.read(io.BytesIO(data), "x.comet")]
    assert not unlike(whole, judged)
    assert len(judged) == 1
    return judged[0]


def others(judged: Judged) -> list[int | None]:
    """Return the numbers of the hands that went the ordinary road."""
    assert judged.session is not None
    return [hand.number for hand in judged.session.hands]


def replaced(text: str, number: int, pattern: str, by: str) -> str:
    """Return a session in which something in one hand, of a number, is replaced once."""
    above, hand, below = re.split(rf"(?m)(^Hand {number}\n(?:.+\n)*)", text)
    changed = re.sub(pattern, by, hand, count=1)
    assert changed != hand
    return above + changed + below


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS)
def test_what_is_said_is_what_the_ordinary_road_says(seed: int) -> None:
    rng = random.Random(seed)
    assert not compare(some_sessions(rng), rng.choice([64, 2000, 1 << 20])).differences


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, amount=st.integers(1, 3), rules=st.sampled_from(["", "progressive", "ante 2, card 3"]))
def test_chips_may_go_astray_for_good(seed: int, amount: int, rules: str) -> None:
    """Somebody pays too much, and all stacks below tell so: two counts stay right, and the kernel follows the first."""
    rng = random.Random(seed)
    text = clean(seed, rules, 8)
    number = rng.randrange(1, 8)
    pay = re.compile(r"(?m)^Pay cards: (?:\w+ \d+, )*?(\w+) (\d+) -> (\w+)$")
    start = text.index(f"Hand {number}\n")
    found = pay.search(text, start)
    if found is None:
        return
    payer, paid, payee = found.groups()
    above, below = text[: found.start(2)] + str(int(paid) + amount), text[found.end(2) :]

    def stack(share: re.Match[str]) -> str:
        chips = int(share[2]) + amount * ((share[1] == payee) - (share[1] == payer))
        return f"{share[1]} {chips}"

    told = re.sub(r"(?m)^Stacks: .*", lambda line: re.sub(r"(\w+) (-?\d+)", stack, line[0]), below)
    judged = by_hand(above + told)
    assert any(finding.code == "E503" for finding in judged.findings)
    assert len(others(judged)) <= 3


@pytest.mark.parametrize("kind", EVERYWHERE)
def test_a_slip_costs_its_own_hand(kind: str) -> None:
    for seed in range(20):
        planted = plant(clean(seed), 15, EVERYWHERE[kind], Chance(seed))
        if planted is not None:
            break
    assert planted is not None
    judged = by_hand(planted.text)
    assert (planted.code, planted.line) in [(finding.code, finding.line) for finding in judged.findings]
    assert judged.rest is not None
    assert len(others(judged)) <= 3
    assert judged.rest.used["hands"] + len(others(judged)) in (HANDS, HANDS - 1)


def test_a_clean_session_has_no_hand_on_the_ordinary_road() -> None:
    judged = by_hand(clean(1))
    assert not others(judged) and judged.rest is not None and judged.rest.used["hands"] == HANDS


def test_a_wrong_winner_costs_the_last_hand() -> None:
    text = re.sub(r"(?m)^Winner: .*$", "Winner: Nobody", clean(1))
    judged = by_hand(text)
    assert [finding.code for finding in judged.findings] == ["E201"]
    assert others(judged) == [HANDS]


def test_a_header_that_is_not_clean_costs_no_hand() -> None:
    for pattern, by, codes in (
        (r"Date: .*", "Date: 31.12.2025", ["E109"]),
        (r"(Seat 1:) ", r"\1   ", []),
        (r"(Rules: .*)", r"# by Ben\n\1", []),
        (r"(Seat 1: .*\n)(Seat 2: .*\n)", r"\2\1", []),
        (r"(Seat 4: .*\n)", r"\1Dealer: Anna\n", ["E106"]),
    ):
        judged = by_hand(re.sub(pattern, by, clean(1), count=1))
        assert [finding.code for finding in judged.findings] == codes
        assert not others(judged)


def test_a_hand_under_an_earlier_number_is_held_against_that_hand() -> None:
    text = clean(2)
    judged = by_hand(re.sub(r"(?m)^Hand 15$", "Hand 7", text))
    assert "E205" in [finding.code for finding in judged.findings]
    assert len(others(judged)) <= 3
    copy = re.search(r"(?m)^Hand 15\n(?:.+\n)*\n", text)
    assert copy is not None
    judged = by_hand(text.replace("\nHand 16\n", f"\n{copy[0]}Hand 16\n"))
    assert [finding.code for finding in judged.findings] == ["E205", "W602"]
    assert "second time" in judged.findings[0].message
    assert len(others(judged)) <= 3


def test_how_many_hands_were_agreed_on_costs_none() -> None:
    for chips in (True, False):
        judged = by_hand(re.sub(r"hands \d+", "hands 31", clean(1)), chips)
        assert [finding.code for finding in judged.findings] == ["W602"] * chips
        assert not others(judged)


def test_what_is_not_the_matter_of_a_hand_costs_the_session() -> None:
    text = clean(3)
    for changed in (
        replaced(text, 9, r"(Stacks: .*\n)", r"\1Winner: Anna\n"),
        re.sub(r"(Rules: .*)", r"\1, deux", text),
        text.replace("Seat 2: Ben", "Seat 1: Ben"),
        text.replace("Seat 2: Ben", "Seat 2: Benn"),
    ):
        data = changed.encode()
        judged = list(judge_stretch(Stretch(data, 0, 0), "x.comet", chips=True))
        whole = [judge_alone(reading) for reading in notation.read(io.BytesIO(data), "x.comet")]
        assert not unlike(whole, judged)
        assert all(each.rest is None for each in judged) and len(judged[0].findings) > 0


def test_text_of_another_form_is_not_tried_hand_by_hand_for_long() -> None:
    rng = random.Random(4)
    text = with_slips(rng, 3).replace(b"\nDealer: ", b"\nDealer:  ")
    judged = list(judge_stretch(Stretch(text, 0, 0), "x.comet", chips=True))
    assert not unlike([judge_alone(each) for each in notation.read(io.BytesIO(text), "x.comet")], judged)
    assert all(each.rest is None for each in judged)


def test_beginning_of_a_line_below_belongs_to_the_session_above() -> None:
    for end in ("Comet session ", "Comet session \N{NO-BREAK SPACE}", "Han"):
        judged = by_hand(clean(1) + end)
        assert [finding.code for finding in judged.findings] == ["E101"]
        assert others(judged) == [HANDS]


@pytest.mark.parametrize("top", ["%PDF-1.4\n", "\N{BYTE ORDER MARK}", "# by Ben\n", "\0\0\n", "Seat 1: Anna\n"])
def test_the_top_of_a_file_is_what_it_is(top: str) -> None:
    data = (top + clean(1, hands=3)).encode()
    judged = list(judge_stretch(Stretch(data, 0, 0), "x.comet", chips=True))
    assert not unlike([judge_alone(each) for each in notation.read(io.BytesIO(data), "x.comet")], judged)


def test_places_are_those_of_the_file() -> None:
    text = replaced(clean(5), 4, r"Stacks: ", "Stacks\udcff ").encode(errors="surrogateescape")
    above = clean(6).encode()
    (judged,) = judge_stretch(Stretch(text, above.count(b"\n"), len(above)), "x.comet", chips=False)
    (finding,) = [finding for finding in judged.findings if finding.code == "E102"]
    offset = len(above) + text.index(b"\xff")
    assert finding.actual == str(offset)
    assert finding.line == (above + text)[:offset].count(b"\n") + 1

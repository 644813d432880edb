"""One slip, one finding: every kind of slip planted into random nights, of all house rules and numbers of players."""

import io
import random

import pytest
from nights import Night
from slips import EVERYWHERE, PLAYERS, PLAYERS_KINDS, SCRIBES, Planted, plant, players_slip, scribes_slip

from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.rules import Rules, agree
from comet_hist.simulate.chance import Chance

HOUSES = ["", "progressive", "card 2", "gap stop", "keep yes", "suit change", "first hand, led free"]
SEEDS = range(14)


def found(text: str) -> list[tuple[str, int, int]]:
    """Return code, line and column of every finding; who is below zero (W508) is no slip."""
    judged = Judge().judge(read(io.BytesIO(text.encode(errors="surrogateescape")), "night.comet"))
    findings = [finding for each in judged for finding in each.findings]
    return [(finding.code, finding.line, finding.column) for finding in findings if finding.code != "W508"]


def agreed(items: str) -> Rules:
    words = [item.split() for item in items.split(", ") if item]
    return agree([(word, value[0] if value else None) for word, *value in words])


def only_finding(planted: list[Planted | None]) -> None:
    nights = [each for each in planted if each is not None]
    assert nights, "no hand gave an occasion for this slip"
    for night in nights:
        assert found(night.text) == [(night.code, night.line, night.column)], night.text


@pytest.mark.parametrize("kind", EVERYWHERE)
def test_scribes_slip_gives_one_finding(kind: str) -> None:
    only_finding([scribes_slip(kind, seed, 2 + seed % 5, items := HOUSES[seed % 7], agreed(items)) for seed in SEEDS])


@pytest.mark.parametrize("kind", PLAYERS_KINDS)
def test_players_slip_gives_one_finding(kind: str) -> None:
    seeds = range(60) if kind in ("E408", "E410") else SEEDS
    houses = ["suit change", "standin stalled", "standin gap"] if kind == "E411" else HOUSES
    only_finding(
        [players_slip(kind, seed, 2 + seed % 5, items := houses[seed % len(houses)], agreed(items)) for seed in seeds]
    )


def test_a_file_broken_off_anywhere_loses_nothing_before() -> None:
    """Cut at every byte: the first hand stays clean, and a hand that is not played out is one E207."""
    whole = Night(3, PLAYERS[:3]).text(2).rstrip("\n").encode()
    second = whole.index(b"Hand 2")
    out = whole.index(b"\n", whole.rindex(b"Run:"))
    for end in range(second + 5, len(whole)):
        judged = list(Judge().judge(read(io.BytesIO(whole[:end]), "night.comet")))
        findings = [finding for each in judged for finding in each.findings]
        assert {finding.hand for finding in findings} <= {2, None}, whole[second:end]
        if end < out:
            assert [finding.code for finding in findings] == ["E207"], whole[second:end]


def test_two_slips_in_a_hand_leave_its_neighbours_alone() -> None:
    """However two slips in the second of three hands go together, the first and the third have no finding."""
    kinds = sorted(SCRIBES)
    tried = 0
    for seed in range(150):
        rng = random.Random(seed)
        text = Night(seed, PLAYERS[: 2 + seed % 5]).text(3)
        first = plant(text, 2, SCRIBES[rng.choice(kinds)], Chance(seed))
        second = first and plant(first.text, 2, SCRIBES[rng.choice(kinds)], Chance(seed + 1))
        if first is None or second is None:
            continue
        tried += 1
        (judged,) = Judge().judge(read(io.BytesIO(second.text.encode()), "night.comet"))
        assert {finding.hand for finding in judged.findings} == {2}, second.text
    assert tried > 100

"""What a page says of its hands, held against the engine's own table at every ply."""

import hashlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import Night
from slips import SCRIBES, scribes_slip

from comet_hist.cards import CARDS, mask_of
from comet_hist.engine.facts import Replay
from comet_hist.engine.position import watch
from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.placing import place
from comet_hist.report.replays import replays
from comet_hist.rules import Rules
from comet_hist.store.load import Loader
from comet_hist.store.turns import turns

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
PLAYERS = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"]


def judged(text: bytes) -> list[Judged]:
    return [each for each in Judge().judge(read(BytesIO(text), "night.comet")) if each.session]


def embedded(sessions: list[Judged], aliases: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Return what a page is given for sessions, by way of a database."""
    with Loader(None) as loader:
        with loader.file("night.comet", hashlib.sha256().hexdigest(), 0) as load:
            for each in sessions:
                load.add(each)
        idents = [each.session.ident.text for each in sessions if each.session]
        return replays(loader.connection, idents, SimpleNamespace(aliases=aliases or {}))


def pairs(text: bytes, aliases: Mapping[str, str] | None = None) -> Iterator[tuple[Judged, Replay, dict[str, Any]]]:
    """Give each hand of a text as the engine replayed it, and as a page has it."""
    sessions = judged(text)
    for each, shown in zip(sessions, embedded(sessions, aliases), strict=True):
        assert each.replay is not None
        hands = [replay for replay in each.replay.hands if replay.loadable]
        assert [hand["hand"] for hand in shown["hands"]] == [replay.hand.number for replay in hands]
        for replay, hand in zip(hands, shown["hands"], strict=True):
            yield each, replay, hand


def check(text: bytes) -> int:
    """Hold every hand of a text against the engine; return how many plies there were."""
    plies = 0
    for each, replay, hand in pairs(text):
        assert each.session is not None and each.replay is not None and each.audit is not None
        watched = watch(replay, each.session.rules or Rules())
        assert hand["turns"] == list(turns(watched, replay.laid))
        assert [mask_of(CARDS[deal[i : i + 2]] for i in range(0, len(deal), 2)) for deal in hand["deals"]] == [
            *(replay.dealt if replay.players else ())
        ]
        laid = [(run["cards"][2 * i : 2 * i + 2], by) for run in hand["runs"] for i, by in enumerate(run["by"])]
        assert [(CARDS[card], int(by) - 1) for card, by in laid] == [(play.card, play.player) for play in replay.laid]
        comet = hand["comet"] and (hand["comet"]["ply"], hand["comet"]["for"] and CARDS[hand["comet"]["for"]])
        assert comet == (replay.comet and (replay.comet.ply, replay.comet.stands_for))
        audit = each.audit.hands[each.replay.hands.index(replay)]
        placing = place(each.session, replay, audit, watched)
        placed = sorted((finding.code, ply) for ply, found in placing.plies.items() for finding in found)
        assert sorted((code, ply) for code, _, _, _, ply in hand["findings"] if ply is not None) == placed
        plies += len(hand["turns"])
    return plies


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*.comet")), ids=lambda path: path.stem)
def test_every_sample_is_what_the_engine_says(path: Path) -> None:
    assert check(path.read_bytes()) > 100


@pytest.mark.parametrize("kind", SCRIBES)
def test_a_faulty_hand_is_what_the_engine_says(kind: str) -> None:
    planted = [scribes_slip(kind, seed, 2 + seed % 5, "", Rules()) for seed in range(3)]
    nights = [night.text for night in planted if night is not None]
    assert nights and check("".join(nights).encode())


HOUSES = [
    ("", Rules()),
    ("gap stop, keep yes", Rules(gap="stop", keep="yes")),
    ("standin stalled, suit change", Rules(standin="stalled", suit="change")),
    ("standin gap, first hand, led free", Rules(standin="gap", first="hand", led="free")),
]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from(HOUSES))
def test_a_legal_hand_is_what_the_engine_says(seed: int, players: int, house: tuple[str, Rules]) -> None:
    items, rules = house
    assert check(Night(seed, PLAYERS[:players], rules=rules, items=items).text(1).encode())


def test_a_person_has_one_name() -> None:
    for _, replay, hand in pairs(Night(1, ["ann", "Ben"]).text(2).encode(), {"ann": "Anna"}):
        assert hand["players"] == [{"ann": "Anna"}.get(name, name) for name in replay.players]
        assert {name for _, payer, payee, *_ in hand["payments"] for name in (payer, payee)} == {"Anna", "Ben", None}


def test_a_hand_that_was_not_replayed_says_why() -> None:
    sample = (SAMPLES / "slips" / "chapel-row.comet").read_bytes()
    unread = [hand for _, _, hand in pairs(sample) if hand["state"] == "unread"]
    assert unread
    for hand in unread:
        assert hand["runs"] == hand["turns"] == []
        assert [code for code, *_ in hand["findings"] if code < "E2"]

"""Simulated nights: legal, canonical and the same bytes everywhere; strategies; every planted slip is found."""

import gzip
import hashlib
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from comet_hist.cards import CARDS, cards_in, mask_of
from comet_hist.cli.app import comet_hist as command
from comet_hist.engine.table import Table
from comet_hist.explain import explanations
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.notation.write import canonical
from comet_hist.rules import CHOICES, Rules
from comet_hist.simulate import workers
from comet_hist.simulate.chance import CHOICES as CHOSEN
from comet_hist.simulate.chance import DEALS, Chance, stream
from comet_hist.simulate.faults import Script
from comet_hist.simulate.moves import NOTHING, House
from comet_hist.simulate.plan import Plan, PlanError, make_plan
from comet_hist.simulate.play import Playing, deal
from comet_hist.simulate.strategies import COMETS, OPENINGS, StrategyError, View, strategy
from comet_hist.simulate.workers import simulate

SMALL = "eedb74ad61d63b22490791990179f2711d0df291002406e16fe40a52352586c1"
"""SHA-256 of `small`, on every machine, compiled or not."""

STRATEGIES = [f"{opening}+{comet}" for opening in OPENINGS for comet in (*COMETS, "random:0.3")]


def small() -> Plan:
    return make_plan(7, 30, 3, "progressive, keep yes", ["Anna=random+random:0.25", "shortest+block"], 0.1)


def text_of(plan: Plan, sessions: int) -> bytes:
    return b"".join(piece.text for piece in simulate(plan, sessions, 1))


def found(text: bytes) -> set[tuple[str, int | None, int, int, str]]:
    """Return session, hand, line, column and code of every finding."""
    judged = Judge().judge(read(io.BytesIO(text), "night.comet"))
    findings = [finding for each in judged for finding in each.findings]
    return {(each.session or "", each.hand, each.line, each.column, each.code) for each in findings}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, ["simulate", *map(str, arguments)])


# Chance


def test_chance_is_splitmix64() -> None:
    """The first numbers of the generator's published reference for this seed."""
    chance = Chance(1234567)
    assert [chance.number() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_below_gives_every_number_about_as_often() -> None:
    chance = Chance(1)
    counts = [0] * 51
    for _ in range(51_000):
        counts[chance.below(51)] += 1
    assert min(counts) > 850 and max(counts) < 1150


@given(st.integers(0, 2**64 - 1), st.integers(2, 6))
@settings(max_examples=50, deadline=None)
def test_everything_is_dealt_by_the_rules(seed: int, players: int) -> None:
    hands = deal(Chance(seed), players)
    assert sum(hand.bit_count() for hand in hands) == 51
    assert mask_of(card for hand in hands for card in cards_in(hand)) == sum(hands)
    assert [hand.bit_count() for hand in hands] == [51 // players + (at < 51 % players) for at in range(players)]


# Legal play

houses = st.builds(Rules, **{item: st.sampled_from(choices) for item, choices in CHOICES.items()})


@given(houses, st.integers(0, 2**64 - 1), st.lists(st.sampled_from(STRATEGIES), min_size=2, max_size=6))
@settings(max_examples=250, deadline=None)
def test_every_choice_is_one_that_the_engine_allows(rules: Rules, seed: int, told: list[str]) -> None:
    """Whatever is agreed, each play is legal at the engine's table, and the hand ends when the engine says so."""
    hands = deal(stream(seed, 0, DEALS), len(told))
    playing = Playing(hands, [strategy(each) for each in told], House(rules), stream(seed, 0, CHOSEN))
    winner = playing.play()
    table = Table(rules, hands)
    for move in playing.moves:
        assert move in list(table.legal())
        table.play(move)
    assert table.winner == winner
    assert table.hands == playing.hands


items = st.lists(
    st.sampled_from(
        [
            "progressive", "ante 0", "ante 3", "comet 0", "comet 5", "card 0", "card 2", "gap stop", "led free",
            "keep yes", "standin stalled", "standin gap", "first hand", "suit change", "quatre", "deux", "classic",
        ]
    ),
    max_size=5,
)  # fmt: skip


seeds = st.integers(0, 2**64 - 1)


@given(items, st.none() | st.integers(2, 6), seeds, st.lists(st.sampled_from(STRATEGIES), max_size=1))
@settings(max_examples=60, deadline=None)
def test_a_night_is_clean_and_canonical(agreed: list[str], players: int | None, seed: int, told: list[str]) -> None:
    try:
        plan = make_plan(seed, 8, players, ", ".join(agreed), told)
    except PlanError as error:
        assert "quatre" in str(error) or "deux" in str(error)
        return
    text = text_of(plan, 2)
    assert found(text) == set()
    sessions = list(read(io.BytesIO(text), "night.comet"))
    assert len(sessions) == 2
    assert "".join(canonical(session) for session in sessions).encode() == text


def test_who_runs_short_buys() -> None:
    text = text_of(make_plan(3, 400, 4, "card 3", ["random+at-once"]), 1)
    assert b"\nBuy: " in text
    assert found(text) == set()


def test_chips_that_cannot_be_written_end_it() -> None:
    with pytest.raises(PlanError, match="chips outgrow the 1000000000"):
        text_of(make_plan(1, 3, 4, "ante 900000000", []), 1)


# The same bytes


def test_same_bytes_everywhere() -> None:
    assert hashlib.sha256(text_of(small(), 4)).hexdigest() == SMALL


def test_same_bytes_uncompiled() -> None:
    """The modules run as plain Python, whether or not they are compiled, and give the same."""
    script = f"""
import sys
from importlib.machinery import FileFinder, SourceFileLoader
plain = FileFinder.path_hook((SourceFileLoader, [".py"]))
def only_source(path):
    if "comet_hist" not in path:
        raise ImportError
    return plain(path)
sys.path_hooks.insert(0, only_source)
sys.path_importer_cache.clear()
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_simulate import small, text_of
from comet_hist.simulate import play
assert play.__file__.endswith(".py"), play.__file__
sys.stdout.buffer.write(text_of(small(), 4))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, timeout=60)
    assert hashlib.sha256(done.stdout).hexdigest() == SMALL


def test_same_bytes_with_any_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_HANDS", 50)
    plan = make_plan(5, 20, 4, "", [], 0.05)
    pieces = list(simulate(plan, 15, 1))
    assert len(pieces) == 8
    for count in (2, 4):
        assert list(simulate(plan, 15, count)) == pieces


def test_a_long_session_comes_in_pieces_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_HANDS", 200)
    long = make_plan(5, 450, 2, "", [], 0.05)
    pieces = list(simulate(long, 1, 4))
    assert [piece.hands for piece in pieces] == [200, 200, 50]
    script = Script(long, 0)
    lines = [line for block in script.blocks() for line in block]
    assert b"".join(piece.text for piece in pieces) == "".join(f"{line}\n" for line in lines).encode(
        errors="surrogateescape"
    )
    above = sum(piece.lines for piece in pieces[:-1])
    assert [slip.line + above for slip in pieces[-1].planted] == [slip.line for slip in script.planted]


def test_more_sessions_begin_with_the_same() -> None:
    assert text_of(small(), 4).startswith(text_of(small(), 3))


def test_what_is_dealt_does_not_hang_on_how_it_is_played() -> None:
    def deals(told: str) -> list[bytes]:
        text = text_of(make_plan(9, 5, 3, "", [told]), 1)
        return [line for line in text.split(b"\n") if line.startswith(b"Deal ")]

    assert deals("longest+hold") == deals("random+at-once")


# Strategies


def hand(cards: str) -> int:
    return mask_of(CARDS[card] for card in cards.split())


def view(own: str, need: str = "", leads: str = "", fallen: str = "", luck: int = 0) -> View:
    return View(hand(own), hand(fallen), CARDS[need] if need else NOTHING, hand(leads), luck)


@pytest.mark.parametrize(
    ("opening", "luck", "lead"),
    [
        ("longest", 0, "4h"),
        ("shortest", 0, "3c"),
        ("random", 0, "3c"),
        ("random", 2**31, "4h"),
        ("random", 2**32 - 1, "2s"),
    ],
)
def test_openings(opening: str, luck: int, lead: str) -> None:
    asked = view("3c 9d 4h 6h Jh 2s Ks", leads="3c 4h 2s", luck=luck)
    assert OPENINGS[opening](asked) == CARDS[lead]


def test_the_comet_does_not_make_a_suit_longer() -> None:
    assert OPENINGS["longest"](view("3c 5c Td 9d", leads="3c Td")) == CARDS["3c"]
    assert OPENINGS["shortest"](view("3c 5c Td 9d", leads="3c Td")) == CARDS["Td"]


@pytest.mark.parametrize(
    ("comet", "asked", "plays"),
    [
        ("at-once", view("9d 2c", need="5h"), True),
        ("at-once", view("9d Td"), True),
        # Hearts are the longest suit, have stalled at 6♥, and can go on with the jack.
        ("hold", view("9d 7h 9h Jh 2s", need="6h", fallen="6h"), True),
        ("hold", view("9d 7h 9h Jh 2s", need="6h"), False),  # somebody holds 6♥
        ("hold", view("9d 2h 3h 2s", need="6h", fallen="6h"), False),  # nothing to go on with
        ("hold", view("9d 7h Jh 2s 4s 6s", need="6h", fallen="6h"), False),  # spades are longer
        ("hold", view("9d Td Qd Kd 2s", need="8d"), True),
        ("hold", view("9d Td Qd Kd 2s"), False),  # is not led
        ("hold", view("9d", need="5h"), True),  # goes out
        ("hold", view("9d"), True),
        ("block", view("9d Td 2s", need="8d"), False),
        ("block", view("9d Td 2s", need="6h", fallen="6h"), True),
        ("block", view("9d Td 2s", need="6h"), False),
        ("block", view("9d Td 2s"), False),
        ("block", view("9d", need="8d"), True),
        ("gap-only", view("9d 2s", need="8d"), True),
        ("gap-only", view("9d 2s", need="5h", fallen="5h"), False),
        ("gap-only", view("9d Td"), False),
    ],
)
def test_ways_with_the_comet(comet: str, asked: View, plays: bool) -> None:
    assert COMETS[comet](asked) is plays


def test_random_plays_with_its_probability() -> None:
    comet = strategy("random:0.25").comet
    assert comet(view("9d 2c", need="5h", luck=2**30 - 1)) is True
    assert comet(view("9d 2c", need="5h", luck=2**30)) is False
    assert strategy("random:1").comet(view("9d 2c", luck=2**32 - 1)) is True
    assert strategy("random:0").comet(view("9d 2c", luck=0)) is False


def test_a_view_holds_nothing_else() -> None:
    """What a strategy is given cannot tell it of other hands, nor be made to."""
    asked = view("9d")
    assert {name for name in dir(asked) if not name.startswith("__")} == {"fallen", "leads", "luck", "need", "own"}
    with pytest.raises(AttributeError):
        asked.hands = [0]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("longst", "there is no strategy “longst”; did you mean “longest”?"),
        ("longest+shortest", "opens in two ways"),
        ("hold+block", "plays the Comet in two ways"),
        ("random:2", "takes a probability from 0 to 1"),
        ("random:x", "takes a probability from 0 to 1"),
        ("random:nan", "takes a probability from 0 to 1"),
        ("", "there is no strategy “”"),
    ],
)
def test_strategies_that_there_are_not(text: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message.replace("?", r"\?")):
        strategy(text)


def test_who_plays_how() -> None:
    plan = make_plan(1, 5, 3, "", ["Zoë=hold", "Ben=block", "random"])
    assert plan.players == ("Zoë", "Ben", "Cleo")
    assert plan.strategies == ("hold", "block", "random")
    assert make_plan(1, 5, None, "quatre", []).players == ("Anna", "Ben", "Cleo", "Dora")
    assert make_plan(1, 5, 2, "", ["Jean Luc=hold"]).lines[1] == 'Seat 1: "Jean Luc" 40'


# Slips


def test_comet_for_the_ace_of_clubs_is_not_led() -> None:
    """That card has the number 0. The Comet stands for it wrongly in hand 10, and is paid all the same (E408, R4)."""
    plan = make_plan(9, 10, None, "first hand, progressive, led free, card 0", [], 0.2)
    script = Script(plan, 108)
    lines = [line for block in script.blocks() for line in block]
    codes = [(slip.hand, slip.code) for slip in script.planted]
    assert "9d=Ac" in "\n".join(lines)
    assert [(hand, code) for _, hand, _, _, code in sorted(found("\n".join(lines).encode()))] == codes


TABLES = [
    (20, "progressive", 12, 0.3),
    (20, "suit change, card 2", 12, 0.3),
    (20, "standin stalled, gap stop", 12, 0.3),
    (20, "standin gap, keep yes", 12, 0.3),
    (20, "first hand, card 0, ante 4", 12, 0.3),
    (200, "", 2, 0.2),
]


def test_every_slip_is_found_and_nothing_else() -> None:
    """What is planted and what is found are the same set, at many tables; and every code that there is, is planted."""
    codes = set()
    for at, (sessions, rules, hands, rate) in enumerate(TABLES):
        plan = make_plan(at, hands, 2 + at % 5, rules, ["random+random:0.1"], rate)
        planted = set()
        above = 0
        parts = []
        for piece in simulate(plan, sessions, 1):
            parts.append(piece.text)
            planted |= {(slip.session, slip.hand, above + slip.line, slip.column, slip.code) for slip in piece.planted}
            above += piece.lines
        assert found(b"".join(parts)) == planted
        codes |= {code for *_, code in planted}
    assert codes == set(explanations())


def test_about_as_many_slips_as_asked_for() -> None:
    plan = make_plan(2, 20, 4, "", [], 0.1)
    planted = sum(len(piece.planted) for piece in simulate(plan, 100, 1))
    assert 160 < planted < 240


def test_faults_are_written_beside_the_text(tmp_path: Path) -> None:
    night = tmp_path / "night.comet.gz"
    done = run("--sessions", 3, "--hands", 20, "--faults", "0.2", "-o", night)
    assert (done.exit_code, done.output) == (0, "")
    told = [json.loads(line) for line in (tmp_path / "night.faults.jsonl").read_text().splitlines()]
    assert {each["file"] for each in told} == {str(night)}
    places = {(each["session"], each["hand"], each["line"], each["column"], each["code"]) for each in told}
    assert len(told) > 5 and found(gzip.decompress(night.read_bytes())) == places
    lines = gzip.decompress(night.read_bytes()).decode(errors="replace").split("\n")
    assert all(line in lines for each in told for line in each["now"] if line.isascii())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["night.comet.gz", "night.faults.jsonl"]


# The command


def test_command_takes_the_place_of_a_file_as_a_whole(tmp_path: Path) -> None:
    night = tmp_path / "night.comet"
    night.write_text("old")
    done = run("--rules", "ante 900000000", "-o", night)
    assert done.exit_code == 2 and "chips outgrow" in done.output
    assert night.read_text() == "old"
    assert run("-o", night).exit_code == 0
    assert night.read_bytes() == run().stdout_bytes
    assert [path.name for path in tmp_path.iterdir()] == ["night.comet"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rules", "antee"], "the rules: “antee” is not a house rule; did you mean “ante”?"),
        (["--rules", "hands 4"], "the number of hands is given by --hands, not among the rules"),
        (["--rules", "cap 4"], "the rules: “cap” without “progressive” limits nothing"),
        (["--rules", "card 1\nSeat 3: Zoe"], "the rules: they are one line"),
        (["--players", "3", "--rules", "quatre"], "3 players: quatre is for 4 (G1)"),
        (["--players", "2", "--strategy", "A=hold", "--strategy", "B=hold", "--strategy", "C=hold"], "2 are at"),
        (["--strategy", "A=hold", "--strategy", "A=block"], "two strategies for A"),
        (["--strategy", "hold", "--strategy", "block"], "two strategies for everybody"),
        (["--strategy", "=hold"], "“”: "),
        (["--faults", "0.1"], "give one, -o FILE"),
        (["--faults", "0.9", "-o", "x"], "0.9 is not in the range"),
        (["--seed", "-1"], "-1 is not in the range"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


@pytest.mark.parametrize(
    ("count", "number", "status", "message"),
    [
        (1, signal.SIGINT, 130, "comet-hist: interrupted\n"),
        (2, signal.SIGINT, 130, "comet-hist: interrupted\n"),
        (2, signal.SIGHUP, 143, ""),
    ],
)
def test_interrupted_it_leaves_nothing(tmp_path: Path, count: int, number: int, status: int, message: str) -> None:
    night = tmp_path / "night.comet"
    words = ["simulate", "--sessions", "100000", "--hands", "50", "--workers", str(count), "-o", str(night)]
    script = "from comet_hist.cli import main; main()"
    with subprocess.Popen([sys.executable, "-c", script, *words], stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 30
        while not any(path.stat().st_size for path in tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (status, message)
    assert list(tmp_path.iterdir()) == []

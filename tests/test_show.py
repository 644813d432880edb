"""Watching a hand: what is shown, where its findings stand, every ply, every width, and the keys on a real terminal."""

import fcntl
import io
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import PROCOPE as HAND
from nights import Night
from slips import PLAYERS, SCRIBES, scribes_slip
from wcwidth import wcswidth

from comet_hist.cards import CARDS
from comet_hist.cli.app import comet_hist
from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.hand import hand_lines
from comet_hist.cli.output.house import rules_in_words
from comet_hist.cli.output.moment import moment_lines
from comet_hist.cli.output.rows import Bit, columns, row, written
from comet_hist.cli.output.scene import Scene, scene_of
from comet_hist.cli.output.signs import Signs
from comet_hist.cli.status import Status
from comet_hist.engine.table import Table
from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.rules import ChipPrice, Rules

COMMAND = Path(sys.executable).with_name("comet-hist")


WHOLE = """\
procope-2026-11-28, hand 1
2026-11-28 20:15, Café Procope, Paris
ante 1, Comet 1, each card left 1; the Comet payment doubles while nobody plays it; in this hand the Comet is 1
standard input, line 9
Players    Ben (seat 3), Cleo (seat 1), Emil (seat 2, dealer)

Ben   ♣ 2 10 Q       ♦ A 3 4 5 6 7 9 J  ♥ 2 6 10         ♠ A 2 K
Cleo  ♣ 3 5 9 J      ♦ 10 K             ♥ 3 4 5 7 8 J Q  ♠ 3 6 7 Q
Emil  ♣ A 4 6 7 8 K  ♦ 2 Q              ♥ A 9 K          ♠ 4 5 8 9 10 J

Ante       Cleo 1, Emil 1, Ben 1 → the pot
 1  1-13   Ben A♠ 2♠, Cleo 3♠, Emil 4♠ 5♠, Cleo 6♠ 7♠, Emil 8♠ 9♠ 10♠ J♠, Cleo Q♠, Ben K♠
           stops at the king
 2  14-20  Ben A♦, Emil 2♦, Ben 3♦ 4♦ 5♦ 6♦ 7♦
           stops at the gap: 8♦ is not in the pack
 3  21-32  Ben 2♥, Cleo 3♥ 4♥ 5♥, Ben 6♥, Cleo 7♥ 8♥, Emil 9♥, Ben 10♥, Cleo J♥ Q♥, Ben 9♦=K♥
           Ben plays the Comet for K♥, which Emil held
    Comet  Cleo 1, Emil 1 → Ben
           stops at the king
 4  33-44  Ben 2♣, Cleo 3♣, Emil 4♣, Cleo 5♣, Emil 6♣ 7♣ 8♣, Cleo 9♣, Ben 10♣, Cleo J♣, Ben Q♣, Emil K♣
           stops at the king
 5  45-46  Emil Q♦, Cleo K♦
           stops at the king
 6  47     Cleo 10♦
           Cleo goes out

Cleo wins.
Left       Ben 1: J♦, Emil 3: A♣ A♥ K♥
Cards      Emil 3, Ben 1 → Cleo
Pot        3 → Cleo
Chips      Cleo 40 + 5 = 45, Emil 40 - 5 = 35, Ben 40 + 0 = 40
"""


def show(text: str, *arguments: str, hand: int = 1, **environment: str) -> Result:
    """Show a hand of a text."""
    return CliRunner().invoke(comet_hist, ["show", "-", "--hand", str(hand), *arguments], input=text, env=environment)


def judged(text: str) -> Judged:
    (found,) = Judge().judge(read(io.BytesIO(text.encode()), "night.comet"))
    return found


def scenes(text: str, ascii: bool, width: int) -> Iterator[Scene]:
    found = judged(text)
    assert found.session is not None
    return (scene_of(found, index, ascii, width) for index in range(len(found.session.hands)))


def said(scene: Scene) -> str:
    """Return a whole hand without the line ends of wrapping."""
    return " ".join(" ".join(written(hand_lines(scene), False)).split())


# A whole hand


def test_whole_hand() -> None:
    done = show(HAND)
    assert done.stdout == WHOLE
    assert (done.stderr, done.exit_code) == ("", Status.CLEAN)


def test_unrecorded_payments_are_shown_as_owed() -> None:
    text = "\n".join(line for line in HAND.split("\n") if not line.startswith(("Pay", "Stacks")))
    shown = show(text).stdout
    assert "The hand records no payments: the amounts are what the rules owe." in shown
    assert "Cards      Emil 3, Ben 1 → Cleo" in shown and "Chips      Cleo 40 + 5 = 45" in shown


def test_what_was_recorded_stands_beside_what_was_owed() -> None:
    done = show(HAND.replace("Pay cards: Emil 3", "Pay cards: Emil 2"))
    assert "Emil 3 (recorded 2)" in done.stdout
    assert "Emil 40 - 4 = 36 (recorded 35, owed -5)" in done.stdout
    assert done.exit_code == Status.ERRORS


def test_finding_stands_in_the_run_it_is_about() -> None:
    lines = show(HAND.replace("Ben Ad, Emil 2d", "Ben Ad, Cleo 2d")).stdout.split("\n")
    at = next(index for index, line in enumerate(lines) if " E403 " in line)
    assert lines[at].strip() == "16:19 E403 Cleo did not hold 2♦: Emil did"
    assert lines[at - 2].startswith(" 2  14-20  Ben A♦, Emil 2♦")
    assert lines[at + 1].startswith(" 3  21-32")


def test_card_left_out_is_marked() -> None:
    shown = show(HAND.replace("Cleo 6s 7s", "Cleo 7s")).stdout
    assert "Cleo [6♠] 7♠" in shown and shown.count("[") == 2
    assert "[ ] is not what is written, but what must have been played" in shown


def test_hand_that_does_not_end_owes_nothing() -> None:
    text = HAND[: HAND.index("Run: Ben 2c")].replace("Pay comet: Cleo 1, Emil 1 -> Ben\n", "")
    done = show(text)
    assert "Nobody went out: the hand is unfinished, and nothing is owed." in done.stdout
    assert "E207" in done.stdout and done.exit_code == Status.ERRORS


def test_void_hand_is_shown_as_written() -> None:
    for arguments in ((), ("--at", "3"), ("--step",)):
        shown = show(HAND[: HAND.index("Pay comet")] + "Void: misdealt\n", *arguments).stdout
        assert "Void: misdealt. The antes go back, nobody is paid, and the dealer deals again (R18)." in shown
        assert "16 Run: Ben Ad, Emil 2d" in shown.replace("  ", " ")


def test_unread_hand_shows_the_finding_below_its_line() -> None:
    lines = show(HAND.replace("Ben Ad", "Ben 1d")).stdout.split("\n")
    at = next(index for index, line in enumerate(lines) if "E103" in line)
    assert lines[at - 1].startswith("16  Run: Ben 1d")
    assert "A line of this hand could not be read, so that it was not replayed." in lines


def test_hands_nobody_could_play_say_why() -> None:
    assert "3 players cannot play this game" in show(HAND.replace("progressive", "deux")).stdout
    shown = show(HAND.replace("progressive", "progresive")).stdout
    assert "A Seat or Rules line of the session could not be read" in shown and "4:33 E108" in shown


def test_unknown_deal_is_counted() -> None:
    text = "\n".join(line for line in HAND.split("\n") if not line.startswith("Deal "))
    shown = show(text).stdout
    assert "and 1 not known" in shown and "and 3 not known" in shown
    assert "Left       Ben 1: (not known), Emil 3: (not known)" in shown
    assert "W208" in shown


def test_house_rules_in_words() -> None:
    price = ChipPrice(Decimal("0.50"), "EUR")
    rules = Rules(
        game="quatre", progressive=True, cap=8, hands=12, chip=price, gap="stop", led="free", suit="change"
    )  # fmt: skip
    assert rules_in_words(rules) == (
        "quatre: ante 1, Comet 1, each card left 1; the Comet payment doubles while nobody plays it, up to 8; "
        "12 hands agreed; a chip is worth 0.5 EUR; a run ends where the Comet stood for 8♦; "
        "the Comet led as 9♦ is not paid; a new run changes the suit"
    )


# Which hand


def test_session_is_needed_only_among_several() -> None:
    two = HAND + "\n" + HAND.replace("procope-2026-11-28", '"Lyon, 18 July"')
    done = show(two)
    assert (done.stdout, done.exit_code) == ("", Status.USAGE)
    assert done.stderr == (
        "comet-hist: - holds 2 sessions; choose one with --session: procope-2026-11-28, 'Lyon, 18 July'\n"
    )
    assert show(two, "--session", "Lyon, 18 July").stdout.startswith("Lyon, 18 July, hand 1\n")
    assert show(HAND + "\n" + HAND).stdout == WHOLE
    assert "no session Vienna in -, but procope-2026-11-28" in show(HAND, "--session", "Vienna").stderr
    assert show("").stderr == "comet-hist: there is no session in -\n"


def test_hands_that_are_there_are_named() -> None:
    done = show(Night(1, PLAYERS[:3]).text(3).replace("Hand 3", "Hand 5"), hand=4)
    assert done.stderr == "comet-hist: session night-1 has no hand 4, but 1 to 2, 5\n"
    assert done.exit_code == Status.USAGE


def test_path_that_cannot_be_read_is_one_message(tmp_path: Path) -> None:
    done = CliRunner().invoke(comet_hist, ["show", str(tmp_path / "none.comet"), "--hand", "1"])
    assert done.exit_code == Status.USAGE and done.stderr.count("\n") == 1


def test_hands_of_the_same_number_are_both_shown() -> None:
    text = Night(1, PLAYERS[:3]).text(2).replace("Hand 2", "Hand 1")
    done = show(text)
    assert done.stdout.count("night-1, hand 1\n") == 2 and done.stdout.count("E205") == 1
    first = show(text, "--at", "1")
    assert "each begin a hand 1; this is the first" in first.stderr and first.stdout.count("after play 1 of") == 1


# At a ply


def test_state_after_a_ply() -> None:
    assert show(HAND, "--at", "20").stdout == (
        "procope-2026-11-28, hand 1, after play 20 of 47\n"
        "\n"
        " 2  14-20  Ben A♦, Emil 2♦, Ben 3♦ 4♦ 5♦ 6♦ 7♦\n"
        "\n"
        "Ben   ♣ 2 10 Q       ♦ 9 J   ♥ 2 6 10\n"
        "Cleo  ♣ 3 5 9 J      ♦ 10 K  ♥ 3 4 5 7 8 J Q\n"
        "Emil  ♣ A 4 6 7 8 K  ♦ Q     ♥ A 9 K\n"
        "\n"
        "  The run needs 8♦, which is not in the pack.\n"
        "  Ben opens the next run.\n"
        "  Ben may play the Comet for 8♦.\n"
        "  Legal plays: Ben 9♦=8♦ 2♣ 9♦ 2♥\n"
    )


def test_state_after_the_deal_and_at_the_end() -> None:
    dealt = show(HAND, "--at", "0").stdout
    assert "No card is on the table." in dealt and "Ben opens the first run." in dealt
    assert "Legal plays: Ben 2♣ A♦ 2♥ A♠" in dealt
    ended = show(HAND, "--at", "47").stdout
    assert "Cleo has gone out: the hand is over." in ended and "Pot        3 → Cleo" in ended
    assert "Legal" not in ended and "Cleo  " in ended and "no cards" in ended
    done = show(HAND, "--at", "48")
    assert done.stderr == "comet-hist: hand 1 has 47 plays: --at takes 0 to 47\n"
    assert (done.stdout, done.exit_code) == ("", Status.USAGE)


def test_state_says_who_must_play_and_who_may() -> None:
    shown = show(HAND, "--at", "21").stdout
    assert "The run needs 3♥: Cleo must play it." in shown and "Ben may play the Comet for 3♥." in shown
    assert "Legal plays: Cleo 3♥, Ben 9♦=3♥" in shown
    assert "may play the Comet" not in show(HAND.replace("progressive", "standin gap"), "--at", "21").stdout


def test_state_after_a_fault_is_that_of_the_replay() -> None:
    faulty = HAND.replace("Emil 2d, Ben 3d 4d 5d", "Emil 2d, Ben 5d 3d 4d")
    shown = show(faulty, "--at", "16").stdout
    assert "16:27 E405 5♦ does not follow" in shown
    assert "The run needs 3♦: Ben must play it." in shown and "The run needs 6♦: Ben must play it." in shown
    assert "After the fault the record may go on in more than one way." in shown


@given(seed=st.integers(0, 10**6), players=st.integers(2, 6))
@settings(max_examples=15, deadline=None)
def test_every_ply_is_the_table_as_it_was_played(seed: int, players: int) -> None:
    for scene in scenes(Night(seed, PLAYERS[:players]).text(1), False, 80):
        replay = scene.replay
        table = Table(Rules(), replay.dealt)
        assert len(scene.watched.tables) == len(replay.laid) + 1
        for play, watched in zip(replay.laid, scene.watched.tables, strict=False):
            assert (watched.hands, watched.need, watched.openers) == (table.hands, table.need, table.openers)
            (move,) = (m for m in table.legal() if m[:3] == (play.player, play.card, play.stands_for))
            table.play(move)
        assert scene.watched.tables[-1].winner == replay.winner == table.winner


# Every width, every slip


@pytest.mark.parametrize("kind", SCRIBES)
def test_each_finding_stands_once_and_no_line_is_too_wide(kind: str) -> None:
    planted = [scribes_slip(kind, seed, 2 + seed % 5, "", Rules()) for seed in range(2)]
    for night in filter(None, planted):
        found = judged(night.text)
        assert found.session is not None
        for index, hand in enumerate(found.session.hands):
            own = sorted(finding for finding in found.findings if finding.hand == hand.number)
            for width, ascii in ((16, True), (40, False), (100, True)):
                scene = scene_of(found, index, ascii, width)
                assert sorted(scene.placing.all()) == own
                lines = list(hand_lines(scene))
                assert max(map(columns, lines)) <= width
            text = said(scene)
            assert [text.count(f"{each.line}:{each.column} {each.code} ") for each in own] == [1] * len(own)
            for ply in range(0, len(scene.replay.laid) + 1, 9):
                assert max(map(columns, moment_lines(scene_of(found, index, False, 30), ply))) <= 30


@given(
    name=st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cn")), min_size=1, max_size=64),
    width=st.integers(8, 120),
)
@settings(max_examples=40, deadline=None)
def test_any_name_fits_any_width(name: str, width: int) -> None:
    text = HAND.replace("Cleo", '"' + re.sub(r'[\\"\x00-\x1f\x7f-\x9f]', "x", name).strip() + 'é"')
    for scene in scenes(text, True, width):
        for lines in (hand_lines(scene), moment_lines(scene, 3) if scene.replay.players else ()):
            for line in lines:
                shown = "".join(bit.text for bit in line)
                assert shown == visible(shown) and wcswidth(shown) <= width


def test_rows_break_between_words_and_cut_what_is_wider() -> None:
    groups = [[(Bit("Ben"), Bit(" A♠"))], [(Bit("2♠"),)], [(Bit("日本語日本語"),)]]
    lines = row(groups, 9, 3, (Bit("1"),))
    assert list(written(lines, False)) == ["1  Ben A♠", "   2♠", "   日本語", "   日本語"]


# Signs and colours


def test_ascii_is_pure_but_for_names() -> None:
    text = HAND.replace("Café Procope, Paris", "Paris")
    for arguments in ((), ("--at", "32"), ("--at", "0")):
        shown = show(text.replace("Ben Ad", "Cleo Ad"), "--ascii", *arguments).stdout
        assert shown.isascii() and "procope-2026-11-28" in shown
    assert (
        "Ben 9d=Kh" in show(text, "--ascii").stdout and "Comet  Cleo 1, Emil 1 -> Ben" in show(text, "--ascii").stdout
    )
    assert "Emil A♣" in show(HAND.replace("Cleo", '"Emil A♣"').replace("Ben Ad", '"Emil A♣" Ad'), "--ascii").stdout
    assert Signs(True, {"Zoë 10♣"}).said("Zoë 10♣ held 10♣ → “no”") == 'Zoë 10♣ held Tc -> "no"'


def test_red_suits_are_red_and_a_pipe_is_plain() -> None:
    assert "\x1b" not in show(HAND).stdout
    shown = show(HAND, "--color", "always", NO_COLOR="1").stdout
    assert "\x1b[31m2♥\x1b[0m" in shown and "\x1b[31m2♠" not in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == WHOLE
    assert Signs().card(CARDS["Th"]) == ("10♥", "red") and Signs(True).card(CARDS["Ts"]) == ("Ts", "")


def test_names_cannot_steer_the_terminal() -> None:
    for arguments in ((), ("--at", "5"), ("--ascii",)):
        shown = show(HAND.replace("Cleo", '"C\u202eleo"').replace("Café", "C\x9bafé"), *arguments).stdout
        assert "\u202e" not in shown and "\x9b" not in shown
    assert "C\\u202eleo" in shown


# Step by step


def test_stepping_without_a_terminal_shows_all() -> None:
    assert show(HAND, "--step").stdout == WHOLE
    assert show(HAND, "--step", "--at", "20").stdout == show(HAND, "--at", "20").stdout


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, *arguments: str, size: tuple[int, int] = (30, 100)) -> None:
        self.master, self.slave = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": "1"}
        for variable in ("COLUMNS", "LINES"):
            environment.pop(variable, None)
        streams = {"stdin": self.slave, "stdout": self.slave, "stderr": self.slave}
        self.process = subprocess.Popen([COMMAND, *arguments], env=environment, **streams)  # type: ignore[call-overload]
        self.seen = ""

    def resize(self, rows: int, columns: int) -> None:
        """Give the window another size."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        """Send keys, and forget what was written before."""
        self.seen = ""
        os.write(self.master, keys.encode())

    def until(self, text: str) -> str:
        """Wait until a text is written; return all that was written since the last keys."""
        end = time.monotonic() + 20
        while text not in self.seen:
            assert time.monotonic() < end, f"no {text!r} in {self.seen!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 65536).decode()
        return self.seen

    def ended(self) -> int:
        """Wait for the end; the terminal must be as it was before."""
        self.until("\x1b[?1049l")
        status = self.process.wait(20)
        assert termios.tcgetattr(self.slave) == self.before
        assert "\x1b[?25h" in self.seen
        return status


@contextmanager
def stepping(tmp_path: Path, *arguments: str, size: tuple[int, int] = (30, 100)) -> Iterator[Terminal]:
    file = tmp_path / "night.comet"
    file.write_text(HAND, encoding="utf-8")
    terminal = Terminal("show", str(file), "--hand", "1", "--step", *arguments, size=size)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)
        os.close(terminal.slave)


def test_keys_walk_through_the_hand(tmp_path: Path) -> None:
    with stepping(tmp_path) as terminal:
        terminal.until("q quit")
        assert "after the deal" in terminal.seen and "\x1b[?1049h" in terminal.seen
        assert terminal.before[3] & termios.ECHO and not termios.tcgetattr(terminal.slave)[3] & termios.ECHO
        for keys, where in (
            ("\x1b[C", "after play 1 of 47"),
            ("\x1b[C\x1b[C\x1bOC", "after play 4 of 47"),
            (" \r", "after play 6 of 47"),
            ("\x1b[D", "after play 5 of 47"),
            ("\x1b[F", "after play 47 of 47"),
            ("\x1b[C\x1b[D", "after play 46 of 47"),
            ("\x1b[H", "after the deal"),
            ("\x1b[D\x1b[C", "after play 1 of 47"),
            ("x\x1a\x1b[5~\x1b[A\x1b[C", "after play 2 of 47"),
        ):
            terminal.press(keys)
            terminal.until(where)
            terminal.until("q quit")
        terminal.press("q")
        assert terminal.ended() == Status.CLEAN


def test_walk_begins_at_the_ply_and_follows_the_window(tmp_path: Path) -> None:
    with stepping(tmp_path, "--at", "44", size=(12, 100)) as terminal:
        terminal.until("after play 44 of 47")
        terminal.until("q quit")
        terminal.press("\x1b[F")
        assert "more lines in a taller window" in terminal.until("q quit")
        terminal.seen = ""
        terminal.resize(40, 50)
        assert "Emil 40 - 5 = 35" in terminal.until("q quit")
        terminal.press("q")
        assert terminal.ended() == Status.CLEAN


def test_interrupt_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    with stepping(tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press("\x03")
        assert terminal.ended() == Status.INTERRUPTED


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_signals_leave_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals, status: int) -> None:
    with stepping(tmp_path) as terminal:
        terminal.until("q quit")
        terminal.process.send_signal(number)
        assert terminal.ended() == status

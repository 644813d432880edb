"""Work grows with the number of lines, not with its square: counted in calls of functions, which no noise changes."""

import cProfile
from collections.abc import Callable
from io import BytesIO
from itertools import islice

import pytest

from comet_hist.cards import NAMES
from comet_hist.judge import Judge
from comet_hist.notation import read

HEADER = "Comet session many\nRules: ante 1, comet 1, card 1\nSeat 1: Ann 40\nSeat 2: Ben 40\n"
HAND = "\nHand 1\nDealer: Ben\nRun: Ann 3c 4c\n"


def seats(many: int) -> str:
    return HEADER + "".join(f"Seat {at % 6 + 1}: P{at} 40\n" for at in range(many)) + HAND


def joins(many: int) -> str:
    return f"{HEADER}\nHand 1\n" + "".join(f"Seat {at % 6 + 1}: P{at} 40\n" for at in range(many)) + "Run: Ann 3c\n"


def payments(many: int) -> str:
    return HEADER + HAND + "".join(f"Pay cards: P{at} 1 -> Ben\n" for at in range(many))


def comings_and_goings(many: int) -> str:
    hands = (
        f"\nHand {at}\nSeat 3: P{at} 40\n" + (f"Leaves: P{at - 1}\n" if at > 1 else "") + "Void: misdealt\n"
        for at in range(1, many)
    )
    return HEADER + "".join(hands)


def hands_of_one_number(many: int) -> str:
    plays = islice((f"{one} {other}" for one in NAMES for other in NAMES), many)
    return HEADER + "".join(f"\nHand 1\nDealer: Ben\nRun: Ann {cards}\n" for cards in plays)


def calls(text: str) -> int:
    """Return how many functions are called to check and audit a text."""
    profile = cProfile.Profile()
    profile.enable()
    for judged in Judge().judge(read(BytesIO(text.encode()), "many.comet")):
        assert judged.findings or judged.audit
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("text", [seats, joins, payments, comings_and_goings, hands_of_one_number])
def test_four_times_the_lines_are_at_most_five_times_the_work(text: Callable[[int], str]) -> None:
    calls(text(50))  # what is worked out once, such as the grammar, is no work of the lines
    assert calls(text(800)) < 5 * calls(text(200))


def test_a_table_of_thousands_is_told_once() -> None:
    text = HEADER + "".join(f"Seat {at % 6 + 1}: P{at} 40\n" for at in range(2000)) + HAND
    (judged,) = Judge().judge(read(BytesIO(text.encode()), "many.comet"))
    told = [finding for finding in judged.findings if finding.code == "E203"]
    assert [finding.actual for finding in told] == ["2002 players"]
    assert "beyond 60 players" in told[0].message
    assert len([finding for finding in judged.findings if finding.code == "E202"]) == 54

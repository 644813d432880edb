"""The sample nights: the clean ones have no finding, the others exactly those that their README names."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from comet_hist.notation import read
from comet_hist.notation.write import canonical
from comet_hist.record import Session

COMMAND = Path(sys.executable).with_name("comet-hist")
SAMPLES = Path(__file__).parent.parent / "samples"
FILES = sorted(path.relative_to(SAMPLES).as_posix() for path in SAMPLES.rglob("*.comet"))

SLIP = re.compile(r"^\| (\d+):(\d+) \| .+ \| ([EW]\d{3}) \| .+ \|$")

Slip = tuple[int, int, str]
"""Line, column and code."""


def named_slips() -> dict[str, list[Slip]]:
    """Return the slips that the README names, by the file in whose section they stand."""
    slips: dict[str, list[Slip]] = {}
    for line in (SAMPLES / "slips" / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            file = line.removeprefix("## ")
            slips[file] = []
        elif found := SLIP.match(line):
            slips[file].append((int(found[1]), int(found[2]), found[3]))
    return slips


def analyzed(folder: str, status: int) -> dict[str, Any]:
    """Return what the command finds in a folder, after a look at its exit status."""
    result = subprocess.run([COMMAND, "analyze", SAMPLES / folder, "--format", "json"], capture_output=True)
    assert (result.returncode, result.stderr) == (status, b"")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def sessions(file: str) -> list[Session]:
    with (SAMPLES / file).open("rb") as stream:
        readings = list(read(stream, file))
    assert all(isinstance(reading, Session) for reading in readings)
    return [reading for reading in readings if isinstance(reading, Session)]


def text_of(file: str) -> str:
    return "".join(canonical(session) for session in sessions(file))


def has_unread_lines(file: str) -> bool:
    return any(code.startswith("E1") for _, _, code in named_slips().get(Path(file).name, []))


@pytest.mark.parametrize("folder", ["nights", "forms"])
def test_what_was_played_and_paid_right_is_clean(folder: str) -> None:
    found = analyzed(folder, 0)
    assert found["findings"] == []
    files = [file for file in FILES if file.startswith(f"{folder}/")]
    assert found["summary"]["hands"] == sum(len(session.hands) for file in files for session in sessions(file))


def test_nights_are_those_of_one_table() -> None:
    nights = [session for file in FILES if file.startswith("nights/") for session in sessions(file)]
    people = {seat.player.text for session in nights for seat in session.seats}
    assert people == {"Margaret", "Tom", "Priya", "Declan", "Ruth"}
    assert {str(session.rules.chip) for session in nights if session.rules} == {"0.05 GBP"} and len(nights) == 4


def test_slips_are_found_as_their_readme_names_them() -> None:
    found: dict[str, list[Slip]] = {}
    for finding in analyzed("slips", 1)["findings"]:
        place = (finding["line"], finding["column"], finding["code"])
        found.setdefault(Path(finding["file"]).name, []).append(place)
    assert found == named_slips()


def test_every_sample_is_described() -> None:
    described = re.findall(r"^\| \[.+?\]\((.+?)\) \|", (SAMPLES / "README.md").read_text(encoding="utf-8"), re.M)
    assert sorted(described) == FILES


@pytest.mark.parametrize("file", [file for file in FILES if not has_unread_lines(file)])
def test_canonical_text_says_the_same(file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.comet"
    copy.write_text(text_of(file), encoding="utf-8", newline="")
    again = sessions(str(copy))
    assert [session.digest for session in again] == [session.digest for session in sessions(file)]
    assert text_of(str(copy)) == copy.read_text(encoding="utf-8")


def test_chapel_row_is_canonical() -> None:
    file = "nights/2026-01-09-chapel-row.comet"
    assert text_of(file).encode() == (SAMPLES / file).read_bytes()


def test_samples_show_what_the_game_can_bring() -> None:
    nights = [session for file in FILES if not file.startswith("slips/") for session in sessions(file)]
    hands = [hand for session in nights for hand in session.hands]
    rules = [session.rules for session in nights if session.rules is not None]
    assert {len(session.seats) for session in nights} == {2, 3, 4, 5, 6}
    assert {agreed.game for agreed in rules} == {"classic", "quatre", "deux"}
    assert any(agreed.cap is not None for agreed in rules)
    assert any(hand.seats for hand in hands)
    assert any(hand.leaves for hand in hands)
    assert any(hand.buys for hand in hands)
    assert any(hand.void for hand in hands)
    assert any(not hand.deals and not hand.void for hand in hands)
    assert any(not hand.pays and not hand.stacks and not hand.void for hand in hands)
    assert any(pay.kind == "transfer" for hand in hands for pay in hand.pays)

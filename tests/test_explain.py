"""What each finding means: the explanations, the page made of them, and the codes that the program gives."""

import ast
import re
from io import BytesIO
from pathlib import Path

import pytest

from comet_hist.explain import GROUPS, UnknownCode, as_markdown, as_text, explanations, find, listed, reference
from comet_hist.judge import Judge
from comet_hist.notation import read

HERE = Path(__file__).parent.parent
CODE = re.compile(r"[EW][1-6]\d\d")


def codes_given() -> set[str]:
    """Return the codes that stand as constants in the program's source, but for the explanations themselves."""
    sources = [path for path in (HERE / "comet_hist").rglob("*.py") if path.name != "explanations.py"]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sources]
    values = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return {value for value in values if isinstance(value, str) and CODE.fullmatch(value)}


def test_every_code_that_the_program_gives_is_explained_and_no_other() -> None:
    assert codes_given() == set(explanations())


def test_docs_page_is_made_of_the_explanations() -> None:
    assert (HERE / "docs" / "findings.md").read_text(encoding="utf-8") == reference()


@pytest.mark.parametrize("code", list(explanations()))
def test_explanation_is_whole(code: str) -> None:
    entry = explanations()[code]
    assert entry.group in GROUPS.values()
    assert entry.title and entry.points and entry.about.endswith((".", "?"))
    assert entry.example != entry.mend
    assert all(len(line) <= 74 for line in (entry.example + "\n" + entry.mend).split("\n"))
    shown = as_text(entry)
    for part in (code, entry.title, *(rule for rule, _ in entry.rules)):
        assert part in shown
    for line in (entry.example + "\n" + entry.mend).split("\n"):
        assert "    " + line in shown
    assert all(len(line) <= 78 for line in shown.split("\n"))


def test_codes_come_in_the_order_of_their_numbers() -> None:
    numbers = [int(code[1:]) for code in explanations()]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) == len(numbers)


def test_beginning_of_a_code_finds_all_that_begin_so() -> None:
    assert [entry.code for entry in find("E6")] == ["E601"]
    assert {entry.code for entry in find("w")} == {"W208", "W508", "W602"}
    assert [entry.code for entry in find("e406")] == ["E406"]


@pytest.mark.parametrize(
    ("code", "hint"),
    [("E508", "W508"), ("W406", "E406"), ("E4066", "E406"), ("xyz", "lists them all"), ("", "lists them all")],
)
def test_unknown_code_names_the_nearest(code: str, hint: str) -> None:
    with pytest.raises(UnknownCode, match=hint):
        find(code)


SHOWN_WHOLE = [code for code in explanations() if re.match("E1|E20[1-5]|E30[12]|E40[13456789]|E410", code)]
"""Codes whose examples need nothing but players around them."""


def codes_found(text: str) -> set[str]:
    """Return the codes found in an example, with a session and a hand put around it where it has none."""
    keyword = re.split(r"[ :]", text)[0]
    above = "Seat 1: Cleo 40\nSeat 2: Emil 40\n" + "Seat 3: Ben 40\n" * (keyword != "Seat")
    if keyword == "Seat" and "\n" in text:
        above = ""
    if keyword not in ("Comet", "Place", "Rules", "Date", "Seat", "Hand"):
        above += "Hand 1\n" + "Dealer: Emil\n" * (keyword != "Dealer")
    whole = text if keyword == "Comet" else f"Comet session example\n{above}{text}"
    # The sign that editors show for a byte they cannot decode stands for such a byte.
    stream = BytesIO((whole + "\n").encode().replace("\ufffd".encode(), b"\xe9"))
    return {finding.code for judged in Judge().judge(read(stream, "example")) for finding in judged.findings}


@pytest.mark.parametrize("code", SHOWN_WHOLE)
def test_example_has_its_slip_and_the_mend_has_not(code: str) -> None:
    entry = explanations()[code]
    assert code in codes_found(entry.example)
    assert code not in codes_found(entry.mend)


def test_list_is_grouped() -> None:
    lines = listed(explanations().values()).split("\n")
    assert [line for line in lines if line and not line.startswith(" ")] == list(GROUPS.values())
    assert "  E406  run stopped though a player held the next card" in lines


def test_markdown_keeps_examples_as_they_are() -> None:
    assert "```\nRun: Emil 8s 9s\nRun: Cleo Ts, Emil Js\n```" in as_markdown(find("E406"))

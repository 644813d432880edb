"""Who pays whom: each session and all together, in chips and in money, for people and for machines."""

import io
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import PROCOPE, Night

from comet_hist.audit.period import Period
from comet_hist.cli.app import comet_hist
from comet_hist.cli.status import Status
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.notation.write import canonical
from comet_hist.record import Session


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(comet_hist, list(map(str, arguments)), input=stdin)


def night(ident: str, price: str = "") -> str:
    """Return a night after which Emil has 5 chips too few and Cleo 5 too many."""
    item = f", chip {price}" if price else ""
    return PROCOPE.replace("procope-2026-11-28", ident).replace("progressive", f"progressive{item}") + "\n"


def settled(text: str, *arguments: str) -> list[str]:
    done = run("audit", "-", "--settle", *arguments, stdin=text)
    assert done.exit_code == Status.CLEAN
    return done.stdout.splitlines()


def audited(text: str) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(run("audit", "-", "--format", "json", stdin=text).stdout)
    return whole


# For people


def test_debts_of_one_session() -> None:
    counts = "Session a: 1 of 1 hand count by what was owed"
    assert settled(night("a")) == [counts, "  Emil pays Cleo for 5 chips", ""]
    assert settled(night("a", "0.05 EUR")) == [counts, "  Emil pays Cleo 0.25 EUR (5 chips)", ""]
    assert settled(night("a", "0.05 EUR"), "--format", "markdown") == [
        f"## {counts}", "", "* Emil pays Cleo 0.25 EUR (5 chips)", "",
    ]  # fmt: skip


def test_debts_that_had_to_be_rounded_are_not_said_in_chips() -> None:
    assert "  Emil pays Cleo 0.01 EUR" in settled(night("a", "0.0015 EUR"))
    assert "  nobody owes anything" in settled(night("a", "0.0005 EUR"))


def test_debts_of_all_sessions_together() -> None:
    same = settled(night("a", "0.05 EUR") + night("b", "0.05 EUR"))
    assert same[-3:] == [
        "To settle all 2 sessions by what was owed, in EUR", "  Emil pays Cleo 0.50 EUR (10 chips)", "",
    ]  # fmt: skip
    several = settled(night("a", "0.05 EUR") + night("b", "0.10 EUR") + night("c", "3 JPY") + night("d"))
    assert several[several.index("To settle 2 of 4 sessions by what was owed, in EUR") :] == [
        "To settle 2 of 4 sessions by what was owed, in EUR", "  Emil pays Cleo 0.75 EUR", "",
        "To settle 1 of 4 sessions by what was owed, in JPY", "  Emil pays Cleo 15 JPY (5 chips)", "",
        "To settle 1 of 4 sessions without a price of a chip by what was owed, in chips",
        "  Emil pays Cleo for 5 chips", "",
    ]  # fmt: skip


def test_what_debts_rest_on_is_said() -> None:
    second = PROCOPE[PROCOPE.index("Hand 1") :].replace("Hand 1", "Hand 2").replace("Emil\n", "Ben\n", 1)
    text = night("a") + second.replace("Run: Ben As", "Run: Ben 1s") + "\nHand 3\nVoid: cards fell\n\n" + night("b")
    done = run("audit", "-", "--settle", stdin=text)
    assert done.exit_code == Status.ERRORS
    assert done.stdout.startswith(
        "Session a: 1 of 3 hands count by what was owed, 1 void, hand 2 could not be replayed to its end, so that "
        "these debts are partial\n  Emil pays Cleo for 5 chips\n"
    )
    assert "1 session has hands that could not be replayed, so that debts are partial.\n" in done.stdout
    assert "E103" not in done.stdout and "shown without --settle" in done.stderr


def test_whatever_shows_partial_debts_says_so(tmp_path: Path) -> None:
    text = night("a") + night("b").replace("Run: Ben As", "Run: Ben 1s")
    for form, mark in (("text", ""), ("markdown", "* ")):
        shown = run("audit", "-", "--format", form, stdin=text).stdout
        above, below = shown.split("Session b")
        assert "partial" not in above
        assert f"\n{mark}These balances and debts are partial: hand 1 could not be replayed to its end.\n" in below
    sessions = json.loads(run("audit", "-", "--format", "json", stdin=text).stdout)["sessions"]
    assert [session["partial"] for session in sessions] == [False, True]
    lines = run("audit", "-", "--format", "jsonl", stdin=text).stdout.splitlines()
    assert [json.loads(line)["partial"] for line in lines] == [False, True]
    (tmp_path / "nights.comet").write_text(text, encoding="utf-8")
    short = run("analyze", tmp_path / "nights.comet").stdout
    assert "  b: nobody owes anything; partial: hand 1 could not be replayed to its end\n" in short


def test_of_many_hands_that_debts_lack_some_are_named() -> None:
    hands = "".join(f"Hand {number}\nRun: Ben 1s\n\n" for number in range(1, 13))
    header = night("a")[: night("a").index("Hand 1")]
    shown = run("audit", "-", stdin=header + hands).stdout
    assert "hands 1, 2, 3, 4, 5, 6, 7, 8 and 4 more could not be replayed to their end." in shown


def test_a_session_that_cannot_be_settled_is_named() -> None:
    done = run("audit", "-", "--settle", stdin=night("a") + night("b", "much"))
    assert "Session b: 0 of 1 hand count by what was owed" in done.stdout
    assert "To settle 1 session by what was owed, in chips\n" in done.stdout
    assert "1 more session without a hand that counts." in done.stdout


def test_another_session_of_the_same_name_is_not_added_up() -> None:
    text = night("a") + night("a").replace("Café Procope", "Café Central")
    assert "1 more session left out, under the identifier of another (E206)" in run(
        "audit", "-", "--settle", stdin=text
    ).stdout
    period = audited(text)["period"]
    assert (period["sessions"], period["left_out"]) == (1, 1)
    assert period["settle"] == [{"payer": "Cleo", "payee": "Emil", "amount": 5}]


def test_the_same_session_twice_counts_once(tmp_path: Path) -> None:
    for name in ("a.comet", "b.comet"):
        (tmp_path / name).write_text(night("a", "1 EUR"), encoding="utf-8")
    whole = json.loads(run("audit", tmp_path, "--format", "json").stdout)
    assert whole["period"]["sessions"] == 1 and len(whole["sessions"]) == 1


def test_columns_are_aligned_whatever_is_written_in_them() -> None:
    text = night("a", "0.5 EUR").replace("Emil", "李娜").replace("Cleo", '"\u0631"')
    assert "  李娜 pays \u0631 2.50 EUR (5 chips)" in settled(text)
    lines = settled((Path(__file__).parent.parent / "samples/forms/2026-02-27-stammtisch-de.comet").read_text("utf-8"))
    assert lines[1:4] == [
        "  Jutta pays Heinz 1.10 EUR (11 chips)",
        "  Ömer  pays Heinz 0.40 EUR (4 chips)",
        "  Uschi pays Heinz 3.00 EUR (30 chips)",
    ]


@pytest.mark.parametrize("arguments", [("--format", "csv"), ("--format", "sarif"), ("--statistics",)])
def test_what_has_no_place_for_debts_is_refused(arguments: tuple[str, ...]) -> None:
    done = run("audit", "-", "--settle", *arguments, stdin=night("a"))
    assert done.exit_code == Status.USAGE and "try --format json" in done.stderr


def test_the_audit_itself_settles_in_money_too() -> None:
    assert "To settle: Emil pays Cleo 0.25 EUR (5 chips).\n" in run("audit", "-", stdin=night("a", "0.05 EUR")).stdout


def test_an_analysis_has_the_debts_in_short(tmp_path: Path) -> None:
    file = tmp_path / "nights.comet"
    file.write_text(night("a", "0.05 EUR") + night("b", "0.05 EUR"), encoding="utf-8")
    assert (
        "To settle, by what was owed:\n"
        "  a: Emil pays Cleo 0.25 EUR (5 chips)\n"
        "  b: Emil pays Cleo 0.25 EUR (5 chips)\n\n"
        "To settle all 2 sessions by what was owed, in EUR\n  Emil pays Cleo 0.50 EUR (10 chips)\n\n"
    ) in run("analyze", file).stdout
    file.write_text("".join(night(f"n{number}", "0.05 EUR") for number in range(13)), encoding="utf-8")
    many = run("analyze", file).stdout
    assert "\n  n0: " not in many
    assert "To settle all 13 sessions by what was owed, in EUR\n  Emil pays Cleo 3.25 EUR (65 chips)\n" in many


# For machines


def test_money_of_a_session() -> None:
    first, second = audited(night("a", "0.05 EUR") + night("b"))["sessions"]
    assert first["settle"] == [{"payer": "Cleo", "payee": "Emil", "amount": 5}]
    assert first["money"] == {
        "currency": "EUR",
        "balances": [
            {"player": "Cleo", "amount": "0.25"},
            {"player": "Emil", "amount": "-0.25"},
            {"player": "Ben", "amount": "0.00"},
        ],
        "settle": [{"payer": "Emil", "payee": "Cleo", "amount": "0.25"}],
    }
    assert second["money"] is None


def test_period() -> None:
    period = audited(night("a", "0.0015 EUR") + night("b", "0.0015 EUR") + night("c"))["period"]
    assert period == {
        "sessions": 3,
        "left_out": 0,
        "partial": 0,
        "balances": [
            {"player": "Cleo", "chips": 15}, {"player": "Emil", "chips": -15}, {"player": "Ben", "chips": 0},
        ],
        "settle": [{"payer": "Cleo", "payee": "Emil", "amount": 15}],
        "fewest": True,
        "money": [
            {
                "sessions": 2,
                "currency": "EUR",
                "balances": [
                    {"player": "Cleo", "amount": "0.02"},
                    {"player": "Emil", "amount": "-0.02"},
                    {"player": "Ben", "amount": "0.00"},
                ],
                "settle": [{"payer": "Emil", "payee": "Cleo", "amount": "0.02"}],
                "fewest": True,
            }
        ],
    }  # fmt: skip


NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Frida"]
some_nights = st.lists(
    st.tuples(
        st.integers(0, 999),
        st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True),
        st.sampled_from(["", "0.05 EUR", "0.0333 EUR", "7 JPY", "0.000001 KWD"]),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25, deadline=None)
@given(some_nights)
def test_a_period_is_the_sum_of_its_sessions(drawn: list[tuple[int, list[str], str]]) -> None:
    period = Period({"Frida": "Ada"})
    chips: Counter[str] = Counter()
    worth: dict[str, Counter[str]] = {}
    for number, (seed, names, price) in enumerate(drawn):
        items = f"ante 1, chip {price}" if price else "ante 1"
        text = Night(seed, names, items=items, ident=f"n{number}").text(2)
        (judged,) = Judge().judge(read(io.BytesIO(text.encode()), "x"))
        assert judged.session is not None and judged.audit is not None
        period.add(judged.session.rules, judged.audit)
        for name, stack in judged.audit.hands[-1].stack_after.items():
            person = "Ada" if name == "Frida" else name
            assert stack is not None
            chips[person] += stack - 40
            if price:
                each, currency = price.split()
                worth.setdefault(currency, Counter())[person] += (stack - 40) * Fraction(each)  # type: ignore[assignment]
    assert {name: won for name, won in period.whole.chips.items() if won} == {n: won for n, won in chips.items() if won}
    assert period.whole.sessions == len(drawn) == period.unpriced.sessions + sum(
        part.sessions for part in period.priced.values()
    )
    for currency, amounts in worth.items():
        assert {name: won for name, won in period.priced[currency].money.items() if won} == {
            name: won for name, won in amounts.items() if won
        }


# What a chip is worth, in the record


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**15), st.sampled_from(["EUR", "JPY"]))
def test_a_price_is_written_one_way_and_stays_exact(millionths: int, currency: str) -> None:
    written = f"{millionths // 10**6}.{millionths % 10**6:06}"
    text = canonical(_only(night("a", f"{written} {currency}")))
    (item,) = [item for item in text.split("Rules: ")[1].split("\n")[0].split(", ") if item.startswith("chip ")]
    amount = item.split()[1]
    assert Fraction(amount) == Fraction(millionths, 10**6)
    assert not amount.endswith(".") and not ("." in amount and amount.endswith("0"))
    assert canonical(_only(text)) == text
    assert _only(text).digest == _only(night("a", f"{written} {currency}")).digest


def _only(text: str) -> Session:
    (session,) = read(io.BytesIO(text.encode()), "x")
    assert isinstance(session, Session) and session.rules is not None
    return session

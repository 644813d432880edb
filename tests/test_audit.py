"""The audit of one night, played by three: what a slip in it is called, where it is shown, what puts it right."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import Night

from comet_hist.audit import Audit, HandAudit, Payment, Transfer, audit, record_faults
from comet_hist.audit.purses import Purse
from comet_hist.engine.owed import CometPayment
from comet_hist.engine.session import replay
from comet_hist.notation import read
from comet_hist.record import Fault, Session
from comet_hist.rules import Rules, agree

NIGHT = """\
Comet session procope
Rules: ante 2, comet 3, card 1, progressive
Seat 1: Ida 40
Seat 2: Karl 40
Seat 3: Paul 40

Hand 1
Dealer: Karl
Deal Paul: 3c 4c 5c 6c Qc Ad 2d 3d 6d 3h 4h 6h 7h Th 4s Ts Qs
Deal Ida: 7c 9c Jc Kc 7d Kd 2h 8h 9h Jh Qh Kh As 5s 6s 7s Ks
Deal Karl: Ac 2c 8c Tc 4d 5d 9d Td Jd Qd Ah 5h 2s 3s 8s 9s Js
Pay ante: Ida 2, Karl 2, Paul 2 -> pot
Run: Paul 3h 4h, Karl 5h, Paul 6h 7h, Ida 8h 9h, Paul Th, Ida Jh Qh Kh
Run: Ida 7c, Karl 8c, Ida 9c, Karl Tc, Ida Jc, Paul Qc, Ida Kc
Run: Ida 2h
Run: Ida 7d
Run: Ida As, Karl 2s 3s, Paul 4s, Ida 5s 6s 7s, Karl 8s 9s, Paul Ts, Karl Js, Paul Qs, Ida Ks
Run: Ida Kd
Pay cards: Karl 9, Paul 8 -> Ida
Pay pot: 6 -> Ida
Stacks: Ida 61, Karl 29, Paul 30

Hand 2
Dealer: Paul
Deal Ida: 2c 7c 9c Tc Qc 2d 6d 7d Jd Ah 3h Qh Kh 3s 7s 9s Js
Deal Karl: Ac 6c Jc Kc Ad 4d 5d 9d Qd 6h 7h As 2s 4s 5s 6s 8s
Deal Paul: 3c 4c 5c 8c 3d Td Kd 2h 4h 5h 8h 9h Th Jh Ts Qs Ks
Pay ante: Ida 2, Karl 2, Paul 2 -> pot
Run: Ida 2c, Paul 3c 4c 5c, Karl 6c, Ida 7c, Paul 8c, Ida 9c Tc, Karl Jc, Ida Qc, Karl Kc
Run: Karl As 2s 9d=3s 4s 5s 6s, Ida 7s, Karl 8s, Ida 9s, Paul Ts, Ida Js, Paul Qs Ks
Pay comet: Ida 6, Paul 6 -> Karl
Run: Paul 2h, Ida 3h, Paul 4h 5h, Karl 6h 7h, Paul 8h 9h Th Jh, Ida Qh Kh
Run: Ida 2d, Paul 3d, Karl 4d 5d, Ida 6d 7d
Run: Ida Jd, Karl Qd, Paul Kd
Run: Paul Td
Pay cards: Ida 2, Karl 2 -> Paul
Pay pot: 6 -> Paul
Stacks: Ida 51, Karl 37, Paul 32

Hand 3
Dealer: Ida
Deal Karl: 6c 8c Kc 3d 4d Jd Qd Kd Ah 3h 5h 8h 9h Th 6s Ts Js
Deal Paul: Ac 3c 5c Qc 2d 5d 7d 2h 4h 6h Qh Kh As 3s 4s 8s Ks
Deal Ida: 2c 4c 7c 9c Tc Jc Ad 6d 9d Td 7h Jh 2s 5s 7s 9s Qs
Pay ante: Ida 2, Karl 2, Paul 2 -> pot
Run: Karl Ah, Paul 2h, Karl 3h, Paul 4h, Karl 5h, Paul 6h, Ida 7h, Karl 8h 9h Th, Ida Jh, Paul Qh Kh
Run: Paul As, Ida 2s, Paul 3s, Ida 9d=4s 5s, Karl 6s, Ida 7s, Paul 8s, Ida 9s, Karl Ts Js, Ida Qs, Paul Ks
Pay comet: Karl 3, Paul 3 -> Ida
Run: Paul 4s
Run: Paul Ac, Ida 2c, Paul 3c, Ida 4c, Paul 5c, Karl 6c, Ida 7c, Karl 8c, Ida 9c Tc Jc, Paul Qc, Karl Kc
Run: Karl 3d 4d, Paul 5d, Ida 6d, Paul 7d
Run: Paul 2d
Pay cards: Ida 2, Karl 3 -> Paul
Pay pot: 6 -> Paul
Stacks: Ida 53, Karl 29, Paul 38

Winner: Ida
"""


def session_of(text: str) -> Session:
    (session,) = read(io.BytesIO(text.encode()), "night.comet")
    assert isinstance(session, Session)
    return session


def audited(text: str) -> Audit:
    session = session_of(text)
    return audit(session, replay(session))


def changed(*changes: tuple[str, str], text: str = NIGHT) -> str:
    """Return the night with texts replaced, each of which stands in it exactly once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
        text = text.replace(old, new)
    return text


def without(*starts: str, text: str = NIGHT) -> str:
    """Return the night without the lines that begin so."""
    return "".join(line for line in text.splitlines(True) if not line.startswith(starts))


def in_hand(number: int, old: str, new: str, text: str = NIGHT) -> str:
    """Return the night with a text of one hand replaced, which stands in it exactly once."""
    parts = text.split("\nHand ")
    parts[number] = changed((old, new), text=parts[number])
    return "\nHand ".join(parts)


def pointed(fault: Fault) -> str:
    return fault.where.line.raw[fault.where.at : fault.where.end]


def found(text: str) -> list[tuple[int | None, str, str]]:
    """Return the findings of an audit: hand, code, and the text that it points at."""
    result = audited(text)
    faults = [(hand.hand.number, fault.code, pointed(fault)) for hand in result.hands for fault in hand.faults]
    return faults + [(None, fault.code, pointed(fault)) for fault in result.faults]


def message(text: str) -> str:
    """Return the message of the one finding of an audit."""
    result = audited(text)
    (fault,) = [*result.faults, *(fault for hand in result.hands for fault in hand.faults)]
    return fault.message


def test_clean_night_has_no_findings_and_adds_up() -> None:
    result = audited(NIGHT)
    assert found(NIGHT) == []
    assert [hand.status for hand in result.hands] == ["ok", "ok", "ok"]
    assert [hand.comet_payment for hand in result.hands] == [3, 6, 3]
    second = result.hands[1]
    assert sorted(second.payments, key=lambda payment: payment[:2]) == [
        Payment("ante", "Ida", None, 2, 2),
        Payment("ante", "Karl", None, 2, 2),
        Payment("ante", "Paul", None, 2, 2),
        Payment("cards", "Ida", "Paul", 2, 2),
        Payment("cards", "Karl", "Paul", 2, 2),
        Payment("comet", "Ida", "Karl", 6, 6),
        Payment("comet", "Paul", "Karl", 6, 6),
        Payment("pot", None, "Paul", 6, 6),
    ]
    assert second.owed_net == second.recorded_net == {"Ida": -10, "Karl": 8, "Paul": 2}
    assert second.stack_before == {"Ida": 61, "Karl": 29, "Paul": 30}
    assert second.stack_after == {"Ida": 51, "Karl": 37, "Paul": 32}
    assert not any(hand.corrections for hand in result.hands)
    assert [(balance.player, balance.start, balance.owed_net, balance.end) for balance in result.balances] == [
        ("Ida", 40, 13, 53),
        ("Karl", 40, -11, 29),
        ("Paul", 40, -2, 38),
    ]
    assert result.settle == [Transfer("Ida", "Karl", 11), Transfer("Ida", "Paul", 2)]


ONE_SLIP = {
    "antes missing": (in_hand(1, "Pay ante: Ida 2, Karl 2, Paul 2 -> pot\n", ""), (1, "E501", "Hand")),
    "Comet payment missing": (changed(("Pay comet: Ida 6, Paul 6 -> Karl\n", "")), (2, "E501", "Hand")),
    "cards missing": (changed(("Pay cards: Karl 9, Paul 8 -> Ida\n", "")), (1, "E501", "Hand")),
    "pot missing": (in_hand(3, "Pay pot: 6 -> Paul\n", ""), (3, "E501", "Hand")),
    "payer missing": (changed(("Karl 9, Paul 8 -> Ida", "Karl 9 -> Ida")), (1, "E501", "Pay")),
    "payer missing, one line a payer": (
        changed(("Pay comet: Ida 6, Paul 6 -> Karl", "Pay comet: Ida 6 -> Karl")),
        (2, "E501", "Pay"),
    ),
    "too little": (changed(("Karl 9, Paul 8", "Karl 7, Paul 8")), (1, "E502", "7")),
    "nothing": (changed(("Karl 9, Paul 8", "Karl 0, Paul 8")), (1, "E502", "0")),
    "too much": (changed(("Karl 9, Paul 8", "Karl 19, Paul 8")), (1, "E503", "19")),
    "all too little": (changed(("Ida 6, Paul 6 -> Karl", "Ida 3, Paul 3 -> Karl")), (2, "E502", "3")),
    "all antes too high": (
        in_hand(2, "Ida 2, Karl 2, Paul 2 -> pot", "Ida 3, Karl 3, Paul 3 -> pot"),
        (2, "E503", "3"),
    ),
    "wrong payee": (changed(("Ida 6, Paul 6 -> Karl", "Ida 6, Paul 6 -> Paul")), (2, "E504", "Paul")),
    "line for the wrong payee": (changed(("Ida 6, Paul 6 -> Karl", "Ida 6, Karl 6 -> Paul")), (2, "E504", "Paul")),
    "Comet paid into the pot": (changed(("Ida 6, Paul 6 -> Karl", "Ida 6, Paul 6 -> pot")), (2, "E504", "pot")),
    "ante paid to a player": (in_hand(1, "Paul 2 -> pot", "Paul 2 -> Ida"), (1, "E504", "Ida")),
    "pot to the wrong player": (in_hand(1, "6 -> Ida", "6 -> Karl"), (1, "E504", "Karl")),
    "Comet not played": (
        in_hand(1, "Pay pot", "Pay comet: Karl 3, Paul 3 -> Ida\nPay pot"),
        (1, "E505", "Karl"),
    ),
    "line that pays once more": (
        in_hand(1, "Pay pot", "Pay cards: Ida 1, Karl 9 -> Ida\nPay pot"),
        (1, "E505", "Ida"),
    ),
    "line that pays the wrong player once more, above the right one": (
        changed(("Pay comet: Ida 6, Paul 6", "Pay comet: Ida 6 -> Paul\nPay comet: Ida 6, Paul 6")),
        (2, "E505", "Ida"),
    ),
    "winner pays too": (changed(("Karl 9, Paul 8 -> Ida", "Karl 9, Paul 8, Ida 1 -> Ida")), (1, "E505", "Ida")),
    "payer twice": (changed(("Karl 9, Paul 8 -> Ida", "Karl 9, Paul 8, Paul 8 -> Ida")), (1, "E505", "Paul")),
    "one name for another": (changed(("Karl 9, Paul 8 -> Ida", "Karl 9, Ida 8 -> Ida")), (1, "E505", "Ida")),
    "one name for another, twice now": (changed(("Karl 9, Paul 8", "Paul 9, Paul 8")), (1, "E505", "Paul")),
    "pot too large": (in_hand(3, "pot: 6", "pot: 8"), (3, "E506", "8")),
    "stack wrong": (changed(("Karl 37, Paul 32", "Karl 73, Paul 32")), (2, "E507", "Karl")),
    "unknown payer": (changed(("Karl 9, Paul 8", "Karl 9, Raul 8")), (1, "E201", "Raul")),
    "unknown payee": (changed(("Ida 6, Paul 6 -> Karl", "Ida 6, Paul 6 -> Carl")), (2, "E201", "Carl")),
    "unknown winner of the pot": (in_hand(1, "6 -> Ida", "6 -> Ada"), (1, "E201", "Ada")),
    "unknown stack": (changed(("Stacks: Ida 51, Karl 37", "Stacks: Ida 51, Carl 37")), (2, "E201", "Carl")),
    "stack twice": (changed(("Stacks: Ida 51, Karl 37", "Stacks: Ida 51, Ida 37")), (2, "E202", "Ida")),
    "unknown buyer": (
        changed(
            ("Hand 2\n", "Hand 2\nBuy: Carl 20\n"),
            ("Ida 51, Karl 37", "Ida 51, Karl 57"),
            ("Stacks: Ida 53, Karl 29", "Stacks: Ida 53, Karl 49"),
        ),
        (2, "E201", "Carl"),
    ),
    "wrong winner": (changed(("Winner: Ida", "Winner: Karl")), (None, "E601", "Karl")),
    "winner too many": (changed(("Winner: Ida", "Winner: Ida, Karl")), (None, "E601", "Karl")),
    "unknown winner": (changed(("Winner: Ida", "Winner: Ada")), (None, "E201", "Ada")),
    "too few hands": (changed(("progressive", "progressive, hands 4")), (None, "W602", "Hand")),
}


@pytest.mark.parametrize(("text", "finding"), ONE_SLIP.values(), ids=list(ONE_SLIP))
def test_one_slip_is_one_finding(text: str, finding: tuple[int | None, str, str]) -> None:
    assert found(text) == [finding]


@pytest.mark.parametrize("text", [slip[0] for slip in ONE_SLIP.values()], ids=list(ONE_SLIP))
def test_hand_is_wrong_exactly_where_its_payments_are_and_corrections_put_it_right(text: str) -> None:
    for hand in audited(text).hands:
        wrong = any(fault.code.startswith("E5") for fault in hand.faults)
        assert hand.status == ("wrong" if wrong else "ok")
        assert mended(hand) == hand.owed_net


def mended(hand: HandAudit) -> dict[str, int]:
    """Return what each player won by the record once its corrections are carried out."""
    won = dict(hand.recorded_net or {})
    for payer, payee, amount in hand.corrections:
        assert amount > 0
        if payer is not None:
            won[payer] -= amount
        if payee is not None:
            won[payee] += amount
    return won


@pytest.mark.parametrize("text", [slip[0] for slip in ONE_SLIP.values()], ids=list(ONE_SLIP))
def test_names_are_found_without_the_audit_too(text: str) -> None:
    session = session_of(text)
    hands, of_session = record_faults(session, replay(session))
    names = [pointed(fault) for faults in (*hands, of_session) for fault in faults]
    assert names == [what for _, code, what in found(text) if code.startswith("E2")]


MESSAGES = {
    "too little": "Karl paid 7 for the cards left, but held 9 at 1 chip each: owes 9 (C4)",
    "all too little": (
        "Ida paid 3 for the Comet, but owes 6 for the Comet that Karl played (C2, R14); "
        "every amount of this line is wrong by 3"
    ),
    "wrong payee": "Paul was paid for the Comet, but Karl played the Comet (C2)",
    "ante paid to a player": "Ida was paid the antes, but antes go into the pot (C1)",
    "Comet not played": "Karl paid 3 for the Comet, but nobody played the Comet (C2)",
    "one name for another": (
        "Ida paid 8 for the cards left, but is the one to be paid; "
        "Paul held 8 at 1 chip each: owes 8 (C4) and is not named"
    ),
    "pot too large": "8 chips given out of the pot, but 6 chips paid into it (C3)",
    "stack wrong": "Karl had 29 before the hand and won 8 in it: 37 after it, but 73 is recorded",
    "wrong winner": "Karl did not win the session: Ida won 13 chips, the most (C5)",
}


@pytest.mark.parametrize("slip", MESSAGES)
def test_message(slip: str) -> None:
    assert message(ONE_SLIP[slip][0]) == MESSAGES[slip]


def test_message_names_the_fault_of_play_that_may_have_made_the_difference() -> None:
    text = changed(("Run: Ida 7d\n", "Run: Ida Kd\n"), ("Run: Ida Kd\nPay", "Run: Ida 7d\nPay"))
    assert found(text) == []
    text = changed(("Karl 9, Paul 8", "Karl 7, Paul 8"), text=text)
    assert message(text) == (
        "Karl paid 7 for the cards left, but held 9 at 1 chip each: owes 9 (C4) "
        "(counted from what was played; this hand has E402)"
    )


def test_correction_is_one_net_amount_for_each_two() -> None:
    result = audited(changed(("Karl 9, Paul 8 -> Ida", "Karl 7, Paul 9 -> Ida"), ("Paul 6 -> Karl", "Paul 6 -> Paul")))
    assert result.hands[0].corrections == [Transfer("Karl", "Ida", 2), Transfer("Ida", "Paul", 1)]
    assert sorted(result.hands[1].corrections, key=str) == [
        Transfer("Ida", "Karl", 6),
        Transfer("Paul", "Ida", 6),
        Transfer("Paul", "Karl", 6),
    ]


def test_pot_is_not_judged_where_the_antes_are_wrong() -> None:
    text = in_hand(1, "Paul 2 -> pot", "Paul 1 -> pot")
    assert found(in_hand(1, "pot: 6", "pot: 5", text=text)) == [(1, "E502", "1")]


def test_stacks_follow_from_what_was_recorded_or_from_what_was_owed() -> None:
    text = changed(("Karl 9, Paul 8 -> Ida", "Karl 4, Paul 8 -> Ida"))
    as_paid = changed(
        ("Ida 61, Karl 29", "Ida 56, Karl 34"),
        ("Ida 51, Karl 37", "Ida 46, Karl 42"),
        ("Ida 53, Karl 29", "Ida 48, Karl 34"),
        text=text,
    )
    neither = changed(("Ida 61, Karl 29", "Ida 61, Karl 31"), text=text)
    assert found(text) == found(as_paid) == [(1, "E502", "4")]
    assert found(neither) == [(1, "E502", "4"), (1, "E507", "Karl")]


def test_stacks_before_a_hand_are_those_recorded_or_those_that_should_have_been() -> None:
    wrong = changed(("Ida 61, Karl 29", "Ida 61, Karl 20"))
    carried_on = changed(("Karl 37, Paul 32", "Karl 28, Paul 32"), ("Karl 29, Paul 38", "Karl 20, Paul 38"), text=wrong)
    assert found(wrong) == found(carried_on) == [(1, "E507", "Karl")]


def test_nothing_is_held_against_a_hand_without_payments() -> None:
    text = without("Pay", "Stacks")
    result = audited(text)
    assert found(text) == []
    assert [hand.status for hand in result.hands] == ["unrecorded"] * 3
    assert all(payment.recorded is None for hand in result.hands for payment in hand.payments)
    assert all(hand.recorded_net is None for hand in result.hands)
    assert [(balance.owed_net, balance.recorded_net) for balance in result.balances] == [(13, 13), (-11, -11), (-2, -2)]
    assert result.hands[2].stack_after == {"Ida": 53, "Karl": 29, "Paul": 38}


def test_stacks_alone_are_audited() -> None:
    text = changed(("Ida 51, Karl 37", "Ida 50, Karl 38"), text=without("Pay"))
    result = audited(text)
    assert found(text) == [(2, "E507", "Ida"), (2, "E507", "Karl")]
    assert [hand.status for hand in result.hands] == ["ok", "wrong", "ok"]
    assert result.hands[1].corrections == [Transfer("Karl", "Ida", 1)]
    assert result.hands[1].recorded_net == {"Ida": -11, "Karl": 9, "Paul": 2}


def test_void_hand_pays_nobody_and_leaves_the_comet_payment_as_it_was() -> None:
    void = "Hand 2\nVoid: misdeal\nPay ante: Ida 2, Karl 2, Paul 2 -> pot\nStacks: Ida 61, Karl 29, Paul 30\n\n"
    text = changed(("Hand 3", "Hand 4"), ("Hand 2", "Hand 3"))
    text = changed(("Hand 3", void + "Hand 3"), text=text)
    result = audited(text)
    assert found(text) == []
    assert [hand.status for hand in result.hands] == ["ok", "void", "ok", "ok"]
    assert result.hands[1].payments == []
    assert [hand.comet_payment for hand in result.hands] == [3, 6, 6, 3]
    wrong = changed((void, void.replace("Karl 29", "Karl 27")), text=text)
    assert found(wrong) == [(2, "E507", "Karl")]


def test_transfer_is_owed_as_it_is_recorded() -> None:
    text = changed(("Stacks: Ida 61, Karl 29", "Pay transfer: Ida 5 -> Karl\nStacks: Ida 56, Karl 34"))
    text = changed(("Ida 51, Karl 37", "Ida 46, Karl 42"), ("Ida 53, Karl 29", "Ida 48, Karl 34"), text=text)
    result = audited(text)
    assert found(text) == []
    assert result.hands[0].payments[-1] == Payment("transfer", "Ida", "Karl", 5, 5)
    assert [balance.owed_net for balance in result.balances] == [8, -6, -2]


def test_unreadable_hand_is_not_audited_and_costs_its_neighbours_nothing() -> None:
    text = in_hand(2, "Run: Paul Td", "Run: Paul 1x")
    result = audited(text)
    assert found(text) == []
    assert [hand.status for hand in result.hands] == ["ok", "unreadable", "ok"]
    assert result.hands[1].payments == []
    assert result.hands[1].stack_after == {"Ida": 51, "Karl": 37, "Paul": 32}


def test_chips_after_an_unreadable_hand_are_taken_as_recorded() -> None:
    text = in_hand(2, "Stacks: Ida 51, Karl 37, Paul 32", "Stacks: Ida 51, Karl 37, Paul")
    assert found(text) == []
    other = in_hand(3, "Ida 53, Karl 29", "Ida 43, Karl 39", text=text)
    assert found(other) == []
    assert found(changed(("Winner: Ida", "Winner: Paul"), text=text)) == [(None, "E601", "Paul")]
    unknown = changed(("Stacks: Ida 53, Karl 29, Paul 38\n", ""), ("Winner: Ida", "Winner: Paul"), text=text)
    assert found(unknown) == []


def test_missing_hands_leave_the_comet_payment_open_until_it_is_played() -> None:
    text = changed(("Hand 3", "Hand 9"))
    text = changed(("Karl 3, Paul 3 -> Ida", "Karl 12, Paul 12 -> Ida"), text=text)
    text = changed(("Ida 53, Karl 29, Paul 38", "Ida 171, Karl 20, Paul 29"), text=text)
    assert found(text) == []
    assert audited(text).hands[2].comet_payment == 12
    assert found(changed(("Paul 12 -> Ida", "Paul 13 -> Ida"), text=text)) == [(9, "E503", "13")]


def test_chips_that_nobody_wrote_down_at_the_start_follow_from_the_first_stacks() -> None:
    text = changed(("Seat 2: Karl 40", "Seat 2: Karl"))
    result = audited(text)
    assert found(text) == []
    assert result.hands[0].stack_before["Karl"] is None
    assert result.hands[1].stack_before["Karl"] == 29
    assert (result.balances[1].start, result.balances[1].end) == (None, None)
    assert found(changed(("Karl 37", "Karl 38"), text=text)) == [(2, "E507", "Karl")]
    assert found(changed(("Winner: Ida", "Winner: Karl"), text=text)) == [(None, "E601", "Karl")]


def test_bought_chips_are_not_won() -> None:
    text = changed(
        ("Hand 2\n", "Hand 2\nBuy: Karl 60\n"),
        ("Ida 51, Karl 37", "Ida 51, Karl 97"),
        ("Ida 53, Karl 29", "Ida 53, Karl 89"),
    )
    result = audited(text)
    assert found(text) == []
    assert result.hands[1].stack_before == {"Ida": 61, "Karl": 89, "Paul": 30}
    assert (result.balances[1].bought, result.balances[1].owed_net, result.balances[1].end) == (60, -11, 89)


def test_shared_win_names_all_who_won() -> None:
    tied = changed(("Stacks: Ida 53, Karl 29", "Pay transfer: Ida 12 -> Karl\nStacks: Ida 41, Karl 41"))
    both = changed(("Winner: Ida", "Winner: Karl, Ida"), text=tied)
    assert found(both) == []
    assert found(tied) == [(None, "E601", "Ida")]
    assert message(tied) == "Karl won the session too: Ida, Karl won 1 chip each, the most (C5)"


def test_winner_may_follow_from_either_reading_of_a_wrong_stack() -> None:
    text = changed(("Ida 53, Karl 29, Paul 38", "Ida 53, Karl 92, Paul 38"))
    assert found(text) == found(changed(("Winner: Ida", "Winner: Karl"), text=text)) == [(3, "E507", "Karl")]
    assert found(changed(("Winner: Ida", "Winner: Paul"), text=text))[1:] == [(None, "E601", "Paul")]


def test_who_pays_more_than_they_had_is_named_once_a_hand() -> None:
    text = without("Stacks", text=changed(("Seat 2: Karl 40", "Seat 2: Karl 10")))
    assert found(text) == [(1, "W508", "9"), (2, "W508", "2"), (3, "W508", "3")]
    karl = audited(text).hands[0].faults[0].message
    assert karl == "Karl paid 9 and had 8 left (R15)"


def test_void_hands_do_not_count_towards_the_agreed_number() -> None:
    text = changed(("progressive", "progressive, hands 3"), ("\nWinner", "\nHand 4\nVoid: tired\n\nWinner"))
    assert found(text) == []


@pytest.mark.parametrize(
    ("rules", "played", "payments"),
    [
        (Rules(comet=2), [False, False, False], [2, 2, 2]),
        (Rules(comet=2, progressive=True), [False, False, True, False], [2, 4, 8, 2]),
        (Rules(comet=2, progressive=True, cap=5), [False, False, False], [2, 4, 5]),
        (Rules(comet=10**9, progressive=True), [False, False], [10**9, 10**9]),
        (Rules(comet=0, progressive=True), [False, False], [0, 0]),
    ],
)
def test_progressive_payment(rules: Rules, played: list[bool], payments: list[int]) -> None:
    steps = replay(session_of(NIGHT)).hands
    unplayed, comet = steps[0], steps[1]
    payment = CometPayment(rules)
    seen = []
    for hand in played:
        seen.append(payment.amount)
        payment.after(comet if hand else unplayed)
    assert seen == payments


def test_coming_back_with_other_chips_counts_as_bought() -> None:
    purse = Purse(40)
    purse.settle(purse.due(-15, -15), -15, None)
    purse.come_back(40)
    assert (purse.chips, purse.bought, purse.gains()) == (40, 15, (-15,))
    purse.settle(purse.due(7, 7), 7, 47)
    assert purse.gains() == (-8,)


def test_coming_back_after_hands_that_could_not_be_followed_leaves_the_win_open() -> None:
    purse = Purse(40)
    purse.lose_track()
    purse.come_back(30)
    assert (purse.chips, purse.gains()) == (30, None)


HOUSES = [
    "ante 2, comet 3, card 1, progressive",
    "ante 0, comet 5, card 2",
    "comet 0, card 0",
    "ante 3, comet 2, led free, progressive, cap 5",
]

nights = st.builds(
    lambda seed, players, house: Night(
        seed, ["Ada", "Ben", "Cleo", "Dora", "Emil", "Finn"][:players], agreed(house), house
    ),
    st.integers(0, 10**6),
    st.integers(2, 6),
    st.sampled_from(HOUSES),
)


def agreed(house: str) -> Rules:
    items = [item.split() for item in house.split(", ")]
    pairs = [(" ".join(item[:-1]), item[-1]) if len(item) > 1 else (item[0], None) for item in items]
    return agree(pairs)


@settings(max_examples=25, deadline=None)
@given(nights)
def test_any_clean_night_adds_up(night: Night) -> None:
    result = audited(night.text(4))
    assert [fault for hand in result.hands for fault in hand.faults if fault.code != "W508"] == []
    for hand in result.hands:
        assert sum(hand.owed_net.values()) == 0
        assert hand.owed_net == hand.recorded_net
        recorded = {share.player.text: share.chips.count for share in hand.hand.stacks.shares}
        assert hand.stack_after == recorded
    chips = {balance.player: balance.end for balance in result.balances}
    assert chips == result.hands[-1].stack_after
    for payer, payee, amount in result.settle:
        chips[payer] -= amount
        chips[payee] += amount
    assert set(chips.values()) == {night.chips}


@settings(max_examples=25, deadline=None)
@given(nights, st.data())
def test_corrections_put_any_amounts_right(night: Night, data: st.DataObject) -> None:
    lines = night.text(2).splitlines(True)
    payments = [index for index, line in enumerate(lines) if line.startswith("Pay")]
    for index in data.draw(st.lists(st.sampled_from(payments), max_size=3)) if payments else ():
        before, digits, after = lines[index].rpartition(" ->")
        words = before.split(" ")
        words[-1] = str(data.draw(st.integers(0, 20)))
        lines[index] = " ".join(words) + digits + after
    for hand in audited("".join(lines)).hands:
        assert sum(hand.owed_net.values()) == 0
        if hand.status == "ok":
            assert hand.owed_net == hand.recorded_net and not hand.corrections
        assert mended(hand) == hand.owed_net

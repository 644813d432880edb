"""Text to record and back: what is read, what is refused and where, and that the canonical text says the same."""

import gzip
import io
import re
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import PROCOPE

import comet_hist
from comet_hist.cards import CARDS, NAMES
from comet_hist.findings import find
from comet_hist.notation import read
from comet_hist.notation.lines import LONGEST
from comet_hist.notation.sources import SourceError, find_sources, fingerprint
from comet_hist.notation.write import canonical, write_name
from comet_hist.record import Hand, Session, Stray

HEADER = "Comet session night\nSeat 1: Cleo 40\nSeat 2: Emil 40\nSeat 3: Ben 40\n\n"

NIGHT = PROCOPE + "\n"
CANONICAL = NIGHT.replace("Ben 2h 6h Th As", "Ben")
DEALS = "".join(line + "\n" for line in NIGHT.splitlines() if line.startswith("Deal "))


def pieces(text: str | bytes) -> list[Session | Stray]:
    data = text.encode() if isinstance(text, str) else text
    return list(read(io.BytesIO(data), "night.comet"))


def one(text: str | bytes) -> Session:
    (session,) = pieces(text)
    assert isinstance(session, Session)
    return session


def in_hand(lines: str) -> Hand:
    (hand,) = one(f"{HEADER}Hand 1\n{lines}\n").hands
    return hand


def faults(text: str | bytes) -> list[tuple[str, int, int, int]]:
    """Return every finding of a text: code, line, column, end column."""
    found = []
    for piece in pieces(text):
        hands = piece.hands if isinstance(piece, Session) else []
        for fault in (*piece.faults, *(fault for hand in hands for fault in hand.faults)):
            finding = find(fault, piece.file, None, None)
            found.append((finding.code, finding.line, finding.column, finding.end_column))
    return sorted(found, key=lambda where: where[1:])


def fault_in(line: str) -> tuple[str, int, int]:
    """Return the one finding on a line of a hand: code, column, end column."""
    ((code, number, column, end),) = faults(f"{HEADER}Hand 1\n{line}\n")
    assert number == 7
    return code, column, end


def plays(hand: Hand) -> str:
    """Return the plays of a hand in one line."""
    return " / ".join(
        " ".join(
            f"{play.name.text}:{NAMES[play.card]}"
            + (f"={NAMES[play.stands_for]}" if play.stands_for is not None else "")
            for play in run.plays
        )
        for run in hand.runs
    )


# What is read


def test_the_night_is_read_whole_and_comes_back_canonical() -> None:
    session = one(NIGHT)
    assert faults(NIGHT) == []
    assert (session.ident.text, session.language, len(session.seats)) == ("procope-2026-11-28", "en", 3)
    hand = session.hands[0]
    assert (len(hand.deals), len(hand.runs), len(hand.pays)) == (3, 6, 4)
    assert hand.runs[2].plays[-1].stands_for == CARDS["Kh"]
    again = canonical(session)
    assert canonical(one(again)) == again
    assert [line for line in again.splitlines() if "Deal" not in line] == [
        line for line in NIGHT.splitlines() if "Deal" not in line
    ]


def test_values_carry_their_place() -> None:
    hand = one(NIGHT).hands[0]
    comet = hand.runs[2].plays[-1]
    assert comet.line.place(comet.at, comet.end) == (17, 82, 87)
    assert comet.name.line.place(comet.name.at, comet.name.end) == (17, 78, 81)
    pot = hand.pays[0].payee_at
    assert hand.pays[0].line.place(pot.at, pot.end) == (14, 36, 39)


@pytest.mark.parametrize(
    "free",
    [
        NIGHT.replace("\n", "\r\n"),
        "\ufeff" + NIGHT,
        NIGHT.replace("Run: ", "RUN :\t").replace("Deal ", "deal\t").replace("Hand 1", "hAND   1"),
        NIGHT.replace("Tc", "10c")
        .replace("Th", "10♥\ufe0f")
        .replace("Ks", "K♤")
        .replace("2d", "2♢")
        .replace("As", "aS"),
        NIGHT.replace("->", "→").replace(", Emil", " ,Emil").replace("9d=Kh", "9♦ = k♥"),
        NIGHT.replace("9d=Kh", "9d").replace("\nDealer", "\n\n# a comment\n  Dealer").replace("Deal ", "   Deal "),
        NIGHT.replace(", Cleo", ",\n    Cleo")
        .replace("Rules: ", "Rules:\n\t")
        .replace("Ben 2h,", "Ben 2h, # he slept\n# on"),
        NIGHT.replace("Cleo", '"Cleo"').replace("2026-11-28 20:15", "2026-11-28T20:15"),
        NIGHT.replace("Rules: ante 1, comet 1, card 1, progressive", "RULES: Progressive").replace(
            "Pay ante", "PAY ANTE"
        ),
        NIGHT.replace("Ben As 2s", "Ben As, Ben 2s").replace(" 1 -> Ben", " 1 ->\u00a0Ben").replace("-> pot", "-> POT"),
    ],
    ids=["crlf", "bom", "case", "cards", "arrow", "indented", "folded", "quoted", "rules", "groups"],
)
def test_the_same_night_written_otherwise_says_the_same(free: str) -> None:
    assert faults(free) == []
    assert canonical(one(free)) == canonical(one(NIGHT))
    assert one(free).digest == one(NIGHT).digest


def test_header_lines_come_in_any_order() -> None:
    lines = NIGHT.splitlines()
    runs = [line for line in lines if line.startswith("Run")]
    hand = [line for line in lines[9:-1] if not line.startswith("Run")]
    mixed = [lines[0], *reversed(lines[1:7]), lines[8], *reversed(hand), *runs]
    assert one("\n".join(mixed) + "\n").digest == one(NIGHT).digest


def test_a_different_night_has_a_different_digest() -> None:
    texts = [NIGHT, NIGHT.replace("Cleo 45", "Cleo 44"), NIGHT + "Winner: Ben\n", NIGHT.replace("Stacks", "Stakcs")]
    texts += [
        NIGHT.replace("Stacks", "Stocks"),
        NIGHT.replace("9d=Kh", "Kh"),
        NIGHT.replace("Place: Café", "Place: Cafe"),
    ]
    assert len({one(text).digest for text in texts}) == len(texts)


def test_joins_leaves_buys_and_void() -> None:
    hand = in_hand(
        'Seat 4: "Jean Luc" 60\nLeaves: Ben\nBuy: Emil 20, Cleo 5\nTime: 20:41\nDealer: Cleo\n'
        "Void: a card lay  face up # oh"
    )
    assert (hand.seats[0].number.count, hand.seats[0].player.text) == (4, "Jean Luc")
    assert [name.text for name in hand.leaves] == ["Ben"]
    assert [(share.player.text, share.chips.count) for share in hand.buys[0].shares] == [("Emil", 20), ("Cleo", 5)]
    assert hand.void is not None and hand.void.text == "a card lay face up"
    assert hand.time is not None and hand.time.text == "20:41"


def test_debts_stand_in_seats_and_stacks() -> None:
    session = one("Comet session x\nSeat 1: A -3\nSeat 2: B\nHand 1\nStacks: A -10, B 1000000000\n")
    assert session.seats[0].chips is not None and session.seats[0].chips.count == -3
    assert session.seats[1].chips is None
    stacks = session.hands[0].stacks
    assert stacks is not None and [share.chips.count for share in stacks.shares] == [-10, 10**9]


def test_an_empty_left_line_and_a_payee_called_pot() -> None:
    hand = in_hand('Left Ben:\nPay transfer: Cleo 2 -> "pot"\nPay pot: 3 -> Cleo')
    assert hand.left[0].cards == ()
    assert hand.pays[0].payee is not None and hand.pays[0].payee.text == "pot"
    assert hand.pays[1].given is not None and hand.pays[1].given.count == 3


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("2026-11-28", "2026-11-28"),
        ("2026-11-28T20:15:30", "2026-11-28 20:15:30"),
        ("2026-11-28  20:15+01:00", "2026-11-28 20:15 +01:00"),
        ("2026-11-28 20:15Z", "2026-11-28 20:15 +00:00"),
    ],
)
def test_dates_are_normalised(written: str, normal: str) -> None:
    date = one(f"Comet session x\nDate: {written}\n").date
    assert date is not None and date.text == normal


def test_names_that_look_like_something_else() -> None:
    text = (
        'Comet session "Comet session"\nSeat 1: Kc 1\nSeat 2: Hand 1\nSeat 3: "# one" 1\nSeat 4: "a \\"b\\\\" 1\n'
        'Seat 5: "12" 1\nSeat 6: As..Ks 1\nHand 1\n'
        'Run: Kc Ac 2c, "Kc" 3c, Hand 4c,\n   Hand 5c, "# one" 6c,"a \\"b\\\\" 7c , "12" 8c, As..Ks 9c\n'
        "Stacks: Kc 1,\n   Hand 2\n"
    )
    session = one(text)
    assert faults(text) == []
    assert plays(session.hands[0]) == ('Kc:Ac Kc:2c Kc:3c Hand:4c Hand:5c # one:6c a "b\\:7c 12:8c As..Ks:9c')
    assert one(canonical(session)).digest == session.digest
    assert write_name("As..Ks") == '"As..Ks"'


def test_names_are_compared_after_nfc() -> None:
    assert one("Comet session x\nSeat 1: Zoe\u0308\n").seats[0].player.text == "Zoë"


def test_a_bare_nine_of_diamonds() -> None:
    hand = in_hand(
        "Run: Ben 9d Td\nRun: Ben 7d 9d Td\nRun: Ben Qs, Emil 9d, Ben Ks\nRun: Ben Ks, Emil 9d\nRun: Ben 9d=8d 9d"
    )
    assert plays(hand) == (
        "Ben:9d Ben:Td / Ben:7d Ben:9d=8d Ben:Td / Ben:Qs Emil:9d=Ks Ben:Ks / Ben:Ks Emil:9d / Ben:9d=8d Ben:9d=Td"
    )


def test_another_card_may_be_said_to_stand_for_one() -> None:
    assert plays(in_hand("Run: Ben 7s=9c")) == "Ben:7s=9c"


def test_an_indented_line_after_a_blank_one_continues_nothing() -> None:
    assert faults(HEADER + "Hand 1\nRun: Ben 2h,\n\n   Cleo 3h\n") == [("E101", 7, 13, 14), ("E101", 9, 4, 8)]


# The scribe's shorthand


def test_shorthand_gives_each_card_to_its_holder() -> None:
    scribbled = "".join(
        line + "\n" for line in NIGHT.splitlines() if not line.startswith(("Run", "Deal Emil"))
    ).replace(
        "Pay cards", "Run: As..Ks\nRun: Ad..7d\nRun: 2h..Qh, 9d=Kh\nRun: 2c..Kc\nRun: Qd, Cleo Kd\nRun: Td\nPay cards"
    )
    full = one(NIGHT.replace(next(line for line in NIGHT.splitlines() if line.startswith("Deal Emil")) + "\n", ""))
    assert faults(scribbled) == []
    assert plays(one(scribbled).hands[0]) == plays(full.hands[0])
    assert one(scribbled).digest == full.digest


def test_a_range_after_a_name_is_all_of_that_player() -> None:
    hand = in_hand("Run: Ben As..3s, Cleo 4s")
    assert plays(hand) == "Ben:As Ben:2s Ben:3s Cleo:4s"
    assert {(play.at, play.end) for play in hand.runs[0].plays[:3]} == {(9, 15)}


def test_runs_may_stand_before_the_deal() -> None:
    hand = in_hand("Run: As 2s\n" + DEALS)
    assert plays(hand) == "Ben:As Ben:2s"


def test_a_name_left_out_without_a_deal() -> None:
    text = f"{HEADER}Hand 1\nRun: Ben As, 2s, 3s\nRun: 4s..7s\nRun: Ben 8s\n"
    assert faults(text) == [("E110", 7, 14, 16), ("E110", 8, 6, 12)]
    assert one(text).hands[0].unread


def test_an_unreadable_deal_line_is_one_finding() -> None:
    text = f"{HEADER}Hand 1\n{DEALS.replace('Ac', '1c')}Run: As 2s\n"
    assert [fault[0] for fault in faults(text)] == ["E103"]


# What is refused, and where


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("Ruun: Ben As", ("E101", 1, 5)),
        ("=> Ben As", ("E101", 1, 3)),
        ("Run Ben As", ("E101", 5, 6)),
        ("Run: Ben As,, Cleo 2s", ("E101", 13, 14)),
        ("Run: Ben As, Cleo", ("E101", 18, 19)),
        ("Run:", ("E101", 5, 6)),
        ("Run: Ben As: 2s", ("E101", 12, 13)),
        ("Run: Ben As 1c", ("E103", 13, 15)),
        ("Run: 1c 2c", ("E103", 6, 8)),
        ("Run: Ben As Cleo 2s", ("E103", 13, 17)),
        ("Run: Ben As, Xd", ("E103", 14, 16)),
        ('Run: Ben "As"', ("E103", 10, 14)),
        ("Run: Ben 9d=", ("E103", 10, 13)),
        ("Run: Ben =5h", ("E103", 6, 9)),
        ("Run: Ben 9d =", ("E103", 13, 14)),
        ("Run: Ben 9d=Xh", ("E103", 13, 15)),
        ("Run: Ks..As", ("E103", 6, 12)),
        ("Run: As..Kh", ("E103", 6, 12)),
        ("Run: Ben Ad..Kd", ("E103", 10, 16)),
        ("Run: Ben １０s", ("E103", 10, 13)),
        ("Deal Ben As 2s", ("E101", 10, 11)),
        ("Deal Ben: As,, 2s", ("E101", 14, 15)),
        ("Pay ante: 1 -> pot", ("E105", 11, 12)),
        ("Pay pot: Ben 3", ("E101", 10, 15)),
        ("Buy: Ben 20 chips", ("E101", 13, 18)),
        ("Seat four: Ida 3", ("E104", 6, 10)),
        ("Dealer: “Ben", ("E105", 9, 13)),
        ("Run: Ac–4c", ("E103", 6, 11)),
        ("Run: “Ac” .. 4c", ("E103", 11, 13)),
        ("Deal Ben: As 2z", ("E103", 14, 16)),
        ("Deal pot: As", ("E105", 6, 9)),
        ("Deal Ben: A♣ 李s", ("E103", 14, 16)),
        ("\tDeal Ben: A♣ 李s", ("E103", 15, 17)),
        ('Dealer: "Ben', ("E105", 9, 13)),
        ("Dealer: Jean Luc", ("E101", 14, 15)),
        ("Dealer: 2fast", ("E105", 9, 14)),
        ('Dealer: ""', ("E105", 9, 11)),
        ('Dealer: "a\\nb"', ("E105", 11, 13)),
        ('Dealer: "a\tb"', ("E105", 11, 12)),
        (f"Dealer: {'a' * 65}", ("E105", 9, 74)),
        ("Dealer:", ("E101", 8, 9)),
        ('Dealer Ben "x', ("E101", 8, 9)),
        ('Run: Ben "Luc 2s, Emil 3s', ("E105", 10, 26)),
        ("Pay cards: Ben -1 -> Cleo", ("E104", 16, 18)),
        ("Pay cards: Ben 1.5 -> Cleo", ("E104", 16, 19)),
        ("Pay cards: Ben 1000000001 -> Cleo", ("E104", 16, 26)),
        ("Pay cards: Ben 1", ("E101", 17, 18)),
        ("Pay cards: Ben, Cleo 1 -> Emil", ("E101", 15, 16)),
        ("Pay cards: Ben 1 Cleo 1 -> Emil", ("E101", 18, 22)),
        ("Pay cards: Ben 1 -> Emil, Cleo", ("E101", 25, 26)),
        ("Pay rent: Ben 1 -> Emil", ("E101", 5, 9)),
        ("Pay pot: many -> Emil", ("E104", 10, 14)),
        ("Pay ante: pot 1 -> Ben", ("E105", 11, 14)),
        ("Buy: Ben -2", ("E104", 10, 12)),
        ("Seat 7: Ida 3", ("E104", 6, 7)),
        ("Seat 4: Ida many", ("E104", 13, 17)),
        ("Time: 25:00", ("E109", 7, 12)),
        ("Time: 8", ("E109", 7, 8)),
        ("Void: \x1b[31m", ("E101", 7, 8)),
        ("Date: 2026-11-28", ("E106", 1, 5)),
    ],
)
def test_one_finding_that_points_at_what_does_not_fit(line: str, fault: tuple[str, int, int]) -> None:
    assert fault_in(line) == fault
    costs_nothing = line.startswith(("Time", "Date"))
    assert one(f"{HEADER}Hand 1\n{line}\n").hands[0].unread is not costs_nothing


def test_a_fault_in_a_folded_line_points_at_its_own_line() -> None:
    assert faults(f"{HEADER}Hand 1\nDeal Ben: 2c 3c # as dealt\n# counted\n   4c 1c\nRun: Ben 2c\n") == [
        ("E103", 9, 7, 9)
    ]


def test_an_open_quote_swallows_nothing() -> None:
    text = f'{HEADER}Hand 1\nDealer: "Ben\n   Cleo"\nRun: Ben 2c\n'
    assert faults(text) == [("E105", 7, 9, 13)]
    assert len(one(text).hands[0].runs) == 1


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("Date: 2026-02-30", "E109", 7),
        ("Date: 2026-11-28 20:15 +25:00", "E109", 7),
        ("Rules: ante 1, ante many", "E108", 16),
        ("Rules: deux, gap jump", "E108", 14),
        ("Rules: cap 3", "E108", 8),
        ("Rules: ante 1, chip 0.05", "E108", 16),
        ("Rules: ante 1, chip 0,05 EUR, hands 3", "E108", 16),
        ("Rules: fun", "E108", 8),
        ("Rules:", "E101", 7),
        ("Seat 1 Ben 40", "E101", 8),
        ("Seet 1: Ida 40", "E101", 1),
        ("Winner: Ben", "E106", 1),
        ("Run: Ben As", "E106", 1),
        ("Weather: rain", "E101", 1),
    ],
)
def test_faults_in_a_session_header(line: str, code: str, column: int) -> None:
    text = f"Comet session x\n{line}\nHand 1\nRun: Ben As\n"
    assert [fault[:3] for fault in faults(text)] == [(code, 2, column)]
    assert one(text).unread is line.startswith(("Rules", "Seat", "Seet"))
    assert (one(text).rules is None) is line.startswith("Rules")
    assert not one(text).hands[0].unread


def test_bytes_that_are_not_utf8() -> None:
    data = f"{HEADER}Hand 1\nRun: Ben As\nDealer: Zo".encode() + b"\xe9 # x\nHand 2\nRun: Ben As\n"
    assert faults(data) == [("E102", 8, 11, 12)]
    (first, second) = one(data).hands
    assert first.unread and not second.unread
    assert first.faults[0].actual == str(data.index(b"\xe9"))


def test_a_line_that_is_too_long_is_one_finding() -> None:
    text = f"{HEADER}Hand 1\nRun: Ben{' As' * LONGEST}\nHand 2\n"
    assert [fault[:2] for fault in faults(text)] == [("E101", 7)]
    folded = f"{HEADER}Hand 1\nRun: Ben\n" + ("   " + "As " * 9999 + "\n") * 40 + "Hand 2\n"
    assert [fault[0] for fault in faults(folded)] == ["E101"]
    assert len(one(folded).hands) == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_text_in_another_encoding_is_one_finding(encoding: str) -> None:
    assert [fault[:3] for fault in faults(NIGHT.encode(encoding))] == [("E102", 1, 1)]


@pytest.mark.parametrize("data", [gzip.compress(NIGHT.encode()), zstandard.compress(NIGHT.encode()), b"\0" * 9999])
def test_what_is_no_text_is_one_finding(data: bytes) -> None:
    assert [fault[:3] for fault in faults(data)] == [("E102", 1, 1)]


def test_lines_that_end_with_cr_alone_are_one_finding() -> None:
    assert [fault[:2] for fault in faults(NIGHT.replace("\n", "\r"))] == [("E101", 1)]


def test_a_few_zero_bytes_cost_their_line() -> None:
    """They are damage, and nothing else of the file is lost."""
    data = NIGHT.encode().replace(b"Paris", b"P\0\0is") + b"\0" * 3000 + b"\n"
    assert [fault[:2] for fault in faults(data)] == [("E101", 3), ("E101", 26)]
    session = one(data)
    assert len(session.hands) == 1


# Hands whose first line is missing


RUNS = "Dealer: Ben\nTime: 20:15\nDeal Ben: As 2s\nPay ante: Ben 1, Cleo 1 -> pot\nRun: Ben As 2s\n"


@pytest.mark.parametrize("line", ["Dealer: Cleo", "Deal Ben: 3s 4s", "Pay ante: Ben 1, Cleo 1 -> pot", "Time: 21:00"])
def test_a_line_of_the_next_hand_begins_it(line: str) -> None:
    text = f"{HEADER}Hand 1\n{RUNS}{line}\nRun: Ben 3s\nHand 3\n"
    assert [fault[:3] for fault in faults(text)] == [("E106", 12, 1)]
    first, second, third = one(text).hands
    assert (first.number, second.number, third.number) == (1, None, 3)
    assert (first.unread, second.unread, len(first.runs), len(second.runs)) == (False, True, 1, 1)


@pytest.mark.parametrize("line", ["Dealer: Ben", "Deal Ben: 2s As", "Time: 20:15"])
def test_a_copy_below_the_runs_is_a_line_given_twice(line: str) -> None:
    text = f"{HEADER}Hand 1\n{RUNS}{line}\nHand 2\n"
    assert [fault[:2] for fault in faults(text)] == [("E107", 12)]
    assert len(one(text).hands) == 2


@pytest.mark.parametrize("line", ["1", "?? 1", "Hd", "---"])
def test_a_line_that_nobody_knows_begins_a_hand(line: str) -> None:
    text = f"{HEADER}{line}\n{RUNS}{line}\n{RUNS.replace('Dealer: Ben', 'Dealer: Cleo')}Hand 3\n"
    assert [fault[:2] for fault in faults(text)] == [("E101", 6), ("E101", 12)]
    assert [(hand.number, hand.unread, len(hand.runs)) for hand in one(text).hands] == [
        (None, True, 1), (None, True, 1), (3, False, 0),
    ]  # fmt: skip


def test_a_line_that_nobody_knows_within_a_hand_costs_it() -> None:
    text = f"{HEADER}Hand 1\n{RUNS}?? 2\nRun: Cleo 3s\nHand 2\n"
    first, second = one(text).hands
    assert first.unread and not second.unread


def test_the_last_line_of_a_file_may_begin_a_hand() -> None:
    first, second = one(f"{HEADER}Hand 1\n{RUNS}Dealer: Cleo").hands
    assert not first.faults and first.cut is None
    assert second.cut and [fault.code for fault in second.cut.faults] == ["E106"]


def test_a_deal_of_the_same_player_is_kept() -> None:
    hand = in_hand("Deal Ben: As 2s\nDeal Ben: 3s 4s\nDeal Ben: 2s As")
    assert [fault.code for fault in hand.faults] == ["E107", "E107"]
    assert [len(deal.cards) for deal in hand.deals] == [2, 2]


def test_a_session_that_is_opened_twice() -> None:
    opening = "Comet session night\n"
    assert [fault[:2] for fault in faults(opening * 2 + HEADER)] == [("E107", 2), ("E107", 3)]
    assert len(pieces(opening + "Seat 1: Ben\n" + opening)) == 2
    assert len(pieces(opening + "Comet session day\n")) == 2


def test_a_header_that_breaks_off_is_no_more_than_that() -> None:
    assert one("Comet session night\nSeat 1: Ben 40\nSe").unread
    assert not one("Comet session night\nSeat 1: Ben 40").unread


# What is free to read


@pytest.mark.parametrize("name", ["“Jean Luc”", "„Jean Luc“", "”Jean Luc”"])
def test_curly_quotes(name: str) -> None:
    hand = in_hand(f"Dealer: {name}\nRun: {name} As 2s, Ben 3s\nVoid: the “blue\n")
    assert hand.faults == [] and hand.void and hand.void.text == "the “blue"
    assert hand.dealer and hand.dealer.text == hand.runs[0].plays[0].name.text == "Jean Luc"
    assert (hand.dealer.at, hand.dealer.end) == (8, 18)
    within = in_hand('Dealer: "Jean “Luc”"')
    assert within.dealer and within.dealer.text == "Jean “Luc”"


@pytest.mark.parametrize("written", ["3s .. 5s", "3s.. 5s", "3s ..5s", "3s…5s", "3s … 5s"])
def test_ranges_as_people_write_them(written: str) -> None:
    hand = in_hand(f"Run: Ben As 2s {written} 6s")
    assert hand.faults == []
    assert [play.card % 13 for play in hand.runs[0].plays] == [0, 1, 2, 3, 4, 5]
    assert {(play.at, play.end) for play in hand.runs[0].plays[2:5]} == {(15, 15 + len(written))}


def test_commas_between_dealt_cards() -> None:
    hand = in_hand("Deal Ben: As,2s , 3s 4s\nLeft Ben: As, 2s")
    assert hand.faults == [] and (len(hand.deals[0].cards), len(hand.left[0].cards)) == (4, 2)


SUCH_AS = "a rank is followed by a suit, such as Ts"
DIGITS = "written in digits alone"
QUOTED = "a name with a space is written in quotes"
PAYMENTS = "expected ante, comet, cards, pot or transfer"


@pytest.mark.parametrize(
    ("line", "message", "suggestion"),
    [
        ("Run: Ben 1c", "“1c” is not a card: 1 is no rank; A is the ace, T or 10 the ten", None),
        ("Run: 4c-7c", "“4c-7c” is not a card: a range is written with two dots", "4c..7c"),
        ("Run: Old Tim 7c", f"“Tim” is not a card: {SUCH_AS}; a name with a space is written in quotes", None),
        ("Pay pot: Ben 4", "the pot stands before the arrow and who takes it behind it: 4 -> Ben", "4 -> Ben"),
        ("Buy: Ben 20 chips", "“chips” stands behind the amount; leave it out", None),
        ("Buy: Ben 20 Cleo 3", "expected a comma before the next name, found “Cleo”", ", Cleo"),
        ("Buy: 9", "“9” stands where a name should: each amount follows its name, such as Anna 1, Ben 1", None),
        ("Stacks: Ben -1\u202f480, Cleo 4", rf"“-1\u202f480” is not an amount, which is {DIGITS}; {QUOTED}", "-1480"),
        ("Stacks: Ben 1 480 Cleo 4", f"“1 480” is not an amount, which is {DIGITS}; {QUOTED}", "1480"),
        ("Stacks: R2 40, D2 1,480,000", f"“1,480,000” is not an amount, which is {DIGITS}", "1480000"),
        ("Seat 4: Ida 1,480.00 # all", f"“1,480.00” is not an amount, which is {DIGITS}", "1480"),
        ("Buy: Ben 3,5, Cleo 1", f"“3,5” is not an amount, which is {DIGITS}", None),
        ("Pay pots: 1 -> Ben", f"“pots” is not a payment: {PAYMENTS}; did you mean “pot”?", "pot"),
        ("Payment ante: Ben 1 -> pot", "no line begins with “Payment”; did you mean “Pay”?", "Pay"),
        ("Dealer: 7", "“7” is not a name; a name that does not begin with a letter is written in quotes", None),
        ("Dealer: # Ben", "the line ends here; expected a name; “#” begins a comment", None),
        ("Dealer Ben", "expected a colon, found “B”", None),
    ],
)  # fmt: skip
def test_what_is_said(line: str, message: str, suggestion: str | None) -> None:
    (fault,) = in_hand(line).faults
    assert (fault.message, fault.suggestion) == (message, suggestion)


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("Rules: ante 1, ", "E101", 15),
        ("Rules: ante 1 comet 1", "E108", 8),
        ("Hand #2", "E101", 5),
        ("Hand one", "E104", 6),
    ],
)
def test_lines_of_a_header_that_cannot_be_read(line: str, code: str, column: int) -> None:
    assert [fault[:3] for fault in faults(f"Comet session night\n{line}\n")] == [(code, 2, column)]


def test_a_blank_line_ends_what_it_stands_in() -> None:
    (fault,) = in_hand("Run: Ben As\n\n   2s").faults
    assert fault.message == "no line begins with “2s”; the blank line above it ends what it would go on with"


# Lines given twice


@pytest.mark.parametrize(
    "line",
    [
        "Time: 20:41",
        "Dealer: Ben",
        "Void: dropped",
        "Stacks: Ben 3",
        "Deal Ben: As",
        "Left Ben: As",
        "Pay pot: 3 -> Ben",
        "Pay ante: Ben 1 -> pot",
        "Seat 4: Ida 40",
    ],
)
def test_a_hand_line_given_twice(line: str) -> None:
    hand = in_hand(f"{line}\n{line}")
    assert [(fault.code, fault.where.line.number) for fault in hand.faults] == [("E107", 8)]
    assert not hand.unread


def test_payments_in_several_lines_are_not_given_twice() -> None:
    assert faults(HEADER + "Hand 1\nPay cards: Ben 1 -> Cleo\nPay cards: Emil 1 -> Cleo\n") == []
    assert faults(HEADER + "Hand 1\nPay transfer: Ben 1 -> Cleo\nPay transfer: Ben 1 -> Cleo\n") == []


def test_session_lines_given_twice() -> None:
    text = "Comet session x\nDate: 2026-11-28\nDate: 2026-11-29\nPlace: A\nPlace: B\nRules: deux\nRules: quatre\n"
    assert [fault[:2] for fault in faults(text)] == [("E107", 3), ("E107", 5), ("E107", 7)]
    session = one(text)
    assert session.rules is not None and session.rules.game == "deux"
    assert faults("Comet session x\nSeat 1: A 1\nSeat 1: B 1\n") == []


# Where lines stand


def test_the_winner_stands_after_the_last_hand() -> None:
    good = f"{HEADER}Hand 1\nRun: Ben As\nWinner: Ben, Cleo\n"
    assert [name.text for name in one(good).winner] == ["Ben", "Cleo"]
    assert faults(good + "Hand 2\n") == [("E106", 8, 1, 7)]
    assert one(good + "Hand 2\nWinner: Emil\n").winner[0].text == "Emil"


def test_lines_before_any_session() -> None:
    text = "Date: 2026-11-28\nSeat 1: A 1\n\nHand 1\nRun: A As\nWhat?\n\nHand 2\nRun: A As\n" + NIGHT
    stray, session = pieces(text)
    assert [fault[:3] for fault in faults(text)] == [("E106", 1, 1)] and isinstance(stray, Stray)
    assert isinstance(session, Session) and session.digest == one(NIGHT).digest


def test_hand_lines_without_their_hand_are_one_finding() -> None:
    assert faults(HEADER + "Dealer: Ben\nDeal Ben: As\nRun: Ben As\n\nHand 2\nRun: Ben As\n") == [("E106", 6, 1, 7)]


@pytest.mark.parametrize(
    "opening", ["Commet session b", "Comet sezzion b", "Comet session", "Comet session b c", "Comet"]
)
def test_a_session_that_cannot_be_opened_spoils_none_above(opening: str) -> None:
    text = NIGHT + f"{opening}\nSeat 1: A 1\nFoo\nHand 1\nRun: A 1x\n\n" + NIGHT
    first, stray, last = pieces(text)
    assert isinstance(first, Session) and isinstance(stray, Stray) and isinstance(last, Session)
    assert first.digest == last.digest == one(NIGHT).digest
    assert [fault.code for fault in stray.faults] == ["E101"]


@pytest.mark.parametrize("broken", ["Hand two", "Hnad 2", "Hand", "Hand -2", "Hand 2:"])
def test_a_hand_that_cannot_be_opened_spoils_no_neighbour(broken: str) -> None:
    text = f"{HEADER}Hand 1\nRun: Ben As\n\n{broken}\nRun: Ben As\n\nHand 3\nRun: Ben As\n"
    hands = one(text).hands
    assert [(hand.number, hand.unread, len(hand.faults)) for hand in hands] == [
        (1, False, 0),
        (None, True, 1),
        (3, False, 0),
    ]


# The end of the file


def test_a_file_cut_off_in_a_line() -> None:
    whole = f"{HEADER}Hand 1\nRun: Ben As\nHand 2\nRun: Ben As 2s, Cl"
    first, second = one(whole).hands
    assert first.cut is None
    assert second.cut is not None and second.cut.line.number == 9
    assert [fault.code for fault in second.cut.faults] == ["E103"]
    assert second.cut.unread and not second.unread and not second.faults and not second.runs


@pytest.mark.parametrize("fragment", ["H", "Han", "Comet", "comet ses"])
def test_a_fragment_that_opens_nothing(fragment: str) -> None:
    session = one(NIGHT + fragment)
    assert [fault.code for fault in session.faults] == ["E101"]
    assert len(session.hands) == 1 and not session.hands[0].faults and session.hands[0].cut is None


def test_a_last_line_without_its_end() -> None:
    session = one(NIGHT.rstrip())
    assert session.digest == one(NIGHT).digest
    assert session.hands[0].cut is not None and not session.hands[0].unread


def test_every_beginning_of_a_file_is_read_without_a_cascade() -> None:
    data = (NIGHT + NIGHT.replace("procope", "second")).encode()
    for size in range(len(NIGHT.encode()), len(data), 7):
        found = faults(data[:size])
        assert len(found) <= 1, data[:size][-40:]
        first = pieces(data[:size])[0]
        assert isinstance(first, Session) and first.ident.text == "procope-2026-11-28"


# Any text


_names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    str.isprintable
)


@st.composite
def _sessions(draw: st.DrawFn) -> str:
    """A session with any names and any cards, lawful or not."""
    names = draw(st.lists(_names, min_size=2, max_size=6, unique=True))
    name = st.sampled_from(names).map(write_name)
    amount = st.integers(0, 10**9)
    card = st.sampled_from(NAMES)
    laid = st.one_of(card, st.tuples(card, card).map("=".join))
    group = st.tuples(name, st.lists(laid, min_size=1, max_size=4)).map(lambda pair: f"{pair[0]} {' '.join(pair[1])}")
    shares = st.lists(st.tuples(name, amount).map(lambda pair: f"{pair[0]} {pair[1]}"), min_size=1, max_size=4).map(
        ", ".join
    )
    lines = ["Comet session x"] + [f"Seat {seat}: {write_name(who)} 40" for seat, who in enumerate(names, 1)]
    for number in range(draw(st.integers(0, 2))):
        lines.append(f"Hand {number}")
        lines += [
            f"Run: {', '.join(groups)}"
            for groups in draw(st.lists(st.lists(group, min_size=1, max_size=5), max_size=4))
        ]
        lines.append(f"Deal {draw(name)}: {' '.join(draw(st.lists(card, min_size=1, max_size=6)))}")
        lines.append(
            f"Pay {draw(st.sampled_from(['ante', 'comet', 'cards', 'transfer']))}: {draw(shares)} -> {draw(name)}"
        )
        lines.append(f"Stacks: {draw(shares)}")
    return "\n".join(lines) + "\n"


@given(_sessions())
@settings(max_examples=60, deadline=None)
def test_the_canonical_text_says_the_same(text: str) -> None:
    session = one(text)
    assert faults(text) == []
    again = canonical(session)
    other = one(again)
    assert canonical(other) == again
    assert other.digest == session.digest
    assert [plays(hand) for hand in other.hands] == [plays(hand) for hand in session.hands]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damage_never_stops_the_reading(data: st.DataObject) -> None:
    damaged = bytearray((NIGHT + NIGHT.replace("procope", "second")).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        size = data.draw(st.integers(0, 3))
        damaged[at : at + size] = data.draw(
            st.one_of(st.binary(max_size=3), st.sampled_from([b'"', b"\n", b" #", b"=", b",", b":"]))
        )
    for code, line, column, end in faults(bytes(damaged)):
        assert code in {f"E1{number:02}" for number in range(1, 11)}
        assert line >= 1 and 1 <= column < end


# Python before 3.11.5 gives these wrong matches: a possessive quantifier over a group, and an atomic group
OVER_GROUP = re.compile(r"(?<!\\)[)}](?:[*+?]|\{[0-9,]*\})\+|\(\?>")


@pytest.mark.parametrize("pattern", ["(?:a|b)*+", "(?:a)?+", "f{TOKEN}++", "(a){2,3}+", "(?>a)"])
def test_a_possessive_group_is_found(pattern: str) -> None:
    assert OVER_GROUP.search(pattern)
    assert not OVER_GROUP.search(pattern.replace("+", "", 1).replace("?>", "?:") if pattern != "f{TOKEN}++" else "a++")


def test_no_pattern_is_possessive_over_a_group() -> None:
    package = Path(comet_hist.__file__).parent
    found = [path.name for path in package.rglob("*.py") if OVER_GROUP.search(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        'Run: "' + "\\" * 50_000,
        "Run: " + "-" * 50_000 + ">",
        "Run:" + " ," * 50_000,
        "Rules: " + "a " * 50_000,
        '"' * 50_000,
        "Pay ante: " + "Ben 1, " * 20_000,
        "Date:" + " " * 50_000 + "x",
        "A" * 50_000,
        "Run: " + "As=" * 30_000,
        "Run: Ben" + " .. As" * 30_000,
        "Run: " + "a-" * 50_000 + "…",
        "Dealer: “" + "“" * 50_000,
        "Dealer: A" + "\u0301\u0316" * 50_000,
        'Dealer: "A' + "\u0301\u0316" * 50_000 + '"',
        "A" + "\u0301\u0316" * 50_000,
        "Rules" + "\u0301\u0316" * 50_000 + ": A",
    ],
    ids=range(16),
)
def test_hostile_lines_are_read_in_reasonable_time(line: str) -> None:
    assert len(faults(f"{HEADER}Hand 1\n{line}\n")) == 1


# Sources


def test_packed_files_and_directories(tmp_path: Path) -> None:
    data = NIGHT.encode()
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.comet").write_bytes(data)
    (tmp_path / "a.comet.gz").write_bytes(gzip.compress(data))
    (tmp_path / "deep" / "c.comet.zst").write_bytes(zstandard.compress(data[:100]) + zstandard.compress(data[100:]))
    (tmp_path / "notes.txt").write_text("no history")
    sources = list(find_sources([str(tmp_path), str(tmp_path / "b.comet"), str(tmp_path / "*.gz")]))
    assert [Path(source.path).name for source in sources] == ["a.comet.gz", "b.comet", "c.comet.zst"]
    for source in sources:
        with source.open() as stream:
            assert stream.read() == data
    assert fingerprint(sources[1]).size == len(data)
    assert fingerprint(sources[0]).sha256 != fingerprint(sources[1]).sha256


@pytest.mark.parametrize("name", ["missing.comet", "*.comet", "empty"])
def test_paths_that_name_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError) as error:
        list(find_sources([str(tmp_path / name)]))
    assert name in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_packed_file_that_breaks_off(tmp_path: Path, suffix: str) -> None:
    data = b"".join(NIGHT.replace("procope", f"n{number * 7919 % 10007}").encode() for number in range(400))
    packed = gzip.compress(data) if suffix == "gz" else zstandard.compress(data, level=1)
    path = tmp_path / f"x.comet.{suffix}"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    (source,) = find_sources([str(path)])
    seen = []
    with source.open() as stream, pytest.raises(SourceError, match=r"x\.comet"):
        seen.extend(read(stream, source.path))
    assert len(seen) > 100
    path.write_bytes(b"nothing packed")
    with source.open() as stream, pytest.raises(SourceError):
        stream.read()


def test_standard_input_is_read_once_or_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(NIGHT.encode())))
    monkeypatch.setattr("comet_hist.notation.sources._stdin._spool", None)
    (source,) = find_sources(["-", "-"])
    assert fingerprint(source).size == len(NIGHT.encode())
    for _ in range(2):
        with source.open() as stream:
            assert len(list(read(stream, "-"))) == 1


def test_reading_streams() -> None:
    """A session is given as soon as the next one begins, not at the end of the stream."""
    stream = io.BytesIO((NIGHT * 50).encode())
    first = next(read(stream, "x"))
    assert isinstance(first, Session)
    assert stream.tell() < 2 * len(NIGHT.encode())

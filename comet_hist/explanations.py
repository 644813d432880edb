"""What each finding means, as data: the text behind `comet-hist explain` and docs/findings.md.

It is Python, and no file to be parsed, since who asks for one finding shall not wait for all of them to be read.
"""

from typing import Final, NamedTuple


class Entry(NamedTuple):
    """What a finding means, as it is written here.

    Attributes:
        title: what is wrong, in a few words.
        points: what the finding points at in the text.
        rules: the rules it rests on, keys of `RULES`; empty where only the notation is concerned.
        about: what it means and how reading or replay goes on.
        example: lines of text with the slip, between line ends.
        mend: the same lines put right.
    """

    title: str
    points: str
    rules: tuple[str, ...]
    about: str
    example: str
    mend: str


RULES: Final = {
    "G1": "Two to six players, each for themselves.",
    "G2": "51 cards: a pack of 52 without 8♦. Within a suit the ace is low and the king high.",
    "G3": (
        "All cards are dealt one at a time, clockwise, beginning left of the dealer; with n players the first 51 "
        "mod n of them hold one card more."
    ),
    "G4": "The player left of the dealer opens the first run, with the lowest card held of any suit.",
    "G5": "After each card, whoever holds the next higher card of the same suit plays it at once.",
    "G6": (
        "When nobody can go on, whoever played the last card opens the next run, in any suit, with the lowest "
        "card still held of it."
    ),
    "G7": (
        "9♦ is the Comet: it may stand for exactly the card a run needs, 8♦ included; the run goes on as if that "
        "card had been played."
    ),
    "G8": "Nobody has to play the Comet as a stand-in; its holder may let a run stop.",
    "G9": "The hand ends the moment someone plays their last card.",
    "G10": "Dealer and opener move one seat clockwise each hand.",
    "C1": "Before the deal everyone puts the ante into the pot.",
    "C2": "Whoever plays the Comet is paid the Comet payment at once by every other player.",
    "C3": "Whoever goes out takes the whole pot.",
    "C4": "Whoever goes out is paid the card payment by each opponent for every card that opponent still holds.",
    "C5": (
        "Every hand is zero-sum; whoever has won the most chips over a session wins it, and equal totals share "
        "the win."
    ),
    "R2": "After the Comet stood for 8♦ the run goes on with 10♦; with the house rule “gap stop” it stops.",
    "R3": "9♦ may be led as itself when it is the lowest diamond held; 10♦ is next.",
    "R5": (
        "A player whose lowest diamond is 9♦ leads it, or another suit; with “keep yes” they may lead the next "
        "diamond and keep the Comet."
    ),
    "R6": "The Comet may stand for a card that somebody holds; with “standin stalled” only for one that nobody holds.",
    "R7": "The Comet may stand for a card already played; with “standin gap” it may stand for 8♦ alone.",
    "R8": "Where the Comet stands for a king the run stops; its player opens the next run.",
    "R9": "Where no run is under way the Comet stands for nothing; it can only be led as 9♦.",
    "R12": (
        "The first lead of a hand is the lowest card of a suit one chooses; with “first hand” a card of the "
        "lowest rank of the whole hand."
    ),
    "R13": (
        "A new run may be in the same suit as the last; with “suit change” it is in another one, where the "
        "opener holds another."
    ),
    "R14": (
        "Progressive: the Comet payment doubles for each hand in a row in which the Comet was not played, up to "
        "a cap where one is agreed."
    ),
    "R15": "Someone who cannot pay goes below zero.",
    "R16": "A card wrongly played is a fault of the hand; the payments follow from what happened.",
    "R17": "Players come and go between hands only; the next occupied seat clockwise deals, with or without newcomers.",
    "R18": "A misdealt or abandoned hand is void: antes go back, nobody is paid, the dealer stays.",
}
"""The rules that findings cite."""

ENTRIES: Final = {
    "E101": Entry(
        title="line not understood",
        points="the first character that does not fit",
        rules=(),
        about=(
            "The line is not one of the notation's, or goes on in a way that it cannot. Its hand is kept out of "
            "the replay; reading goes on with the next line. Where a session or a hand begins in the middle of a line, "
            "begin a new line for it: nothing is lost."
        ),
        example="""
Ruun: Ben As 2s, Cleo 3s
""",
        mend="""
Run: Ben As 2s, Cleo 3s
""",
    ),
    "E102": Entry(
        title="bytes that are not UTF-8",
        points="the first byte that cannot be decoded",
        rules=(),
        about=(
            "The file was saved in another encoding, often Latin-1 or Windows-1252. The line counts as "
            "unreadable; “found” gives the offset of the byte in the file. A file that is no text at all, such "
            "as UTF-16, an archive or a database, is one finding."
        ),
        example="""
Place: Caf� Procope   # é was saved as the single byte E9
""",
        mend="""
Place: Café Procope
""",
    ),
    "E103": Entry(
        title="not a card",
        points="the word that is no card",
        rules=("G2",),
        about=(
            "A card is its rank (A 2 … 9 10 J Q K, or T for ten) and then its suit (c d h s, or ♣ ♦ ♥ ♠). "
            "Letters are those of the session's language. A range such as As..Ks runs upwards in one suit and "
            "does not reach over 8♦."
        ),
        example="""
Run: Ben 1s 2s
""",
        mend="""
Run: Ben As 2s
""",
    ),
    "E104": Entry(
        title="not an amount",
        points="the word that is no amount",
        rules=(),
        about=(
            "Chips are whole numbers from 0 to 1000000000, in digits alone: 1480, neither “1 480” nor “1,480”, and "
            "no fraction; only chip counts in “Seat” and “Stacks” lines may be below zero."
        ),
        example="""
Pay cards: Emil 3.5, Ben 1 -> Cleo
""",
        mend="""
Pay cards: Emil 3, Ben 1 -> Cleo
""",
    ),
    "E105": Entry(
        title="not a name",
        points="the name",
        rules=(),
        about=(
            "A bare name begins with a letter and goes on with letters, digits and _ . ' -. Any other name "
            "stands in double quotes, at most 64 printable characters. A quote left open ends with its line."
        ),
        example="""
Seat 3: "Uncle Ben 40
""",
        mend="""
Seat 3: "Uncle Ben" 40
""",
    ),
    "E106": Entry(
        title="line where it cannot stand",
        points="the line's keyword",
        rules=(),
        about=(
            "Lines of a hand stand below a “Hand” line, and hands below the first line of a session. A second "
            "dealer, deal or ante below the runs of a hand begins another: its “Hand” line is missing. A header below "
            "a played hand begins another session, whose first line is missing: its lines are passed over."
        ),
        example="""
Comet session procope-2026-11-28
Seat 1: Cleo 40
Seat 2: Emil 40
Run: Cleo As, Emil 2s
""",
        mend="""
Comet session procope-2026-11-28
Seat 1: Cleo 40
Seat 2: Emil 40
Hand 1
Dealer: Emil
Run: Cleo As, Emil 2s
""",
    ),
    "E107": Entry(
        title="line given twice",
        points="the second of the two",
        rules=(),
        about=(
            "A hand has one dealer, one deal for each player, one line of stacks; a session one date and one "
            "“Rules” line. The first counts; of two different deals of one name the plays tell whose they are."
        ),
        example="""
Dealer: Emil
Dealer: Ben
""",
        mend="""
Dealer: Emil
""",
    ),
    "E108": Entry(
        title="not a house rule, or a value it does not take",
        points="the item of the “Rules” line",
        rules=("R14",),
        about=(
            "The session's hands are not replayed, since nobody knows what they were played by. “cap” needs "
            "“progressive”; in “quatre” ante and Comet payment are equal; “chip” takes an amount with a point "
            "and the code of a currency of ISO 4217: “chip 0.05 EUR”. A table that plays for points leaves it out."
        ),
        example="""
Rules: ante 1, cap 16
""",
        mend="""
Rules: ante 1, progressive, cap 16
""",
    ),
    "E109": Entry(
        title="not a date or a time",
        points="the date or time",
        rules=(),
        about=(
            "Dates are written year-month-day, times hour:minute, on a clock of 24 hours. Nothing else is lost "
            "by such a line."
        ),
        example="""
Date: 28.11.2026 8:15 pm
""",
        mend="""
Date: 2026-11-28 20:15
""",
    ),
    "E110": Entry(
        title="name left out though the deal is not recorded",
        points="the first card without a name",
        rules=(),
        about="Who played a card can be left out only where the “Deal” lines tell who held it.",
        example="""
Hand 2
Dealer: Ben
Run: As..4s   # no Deal lines in this hand
""",
        mend="""
Hand 2
Dealer: Ben
Run: Cleo As 2s, Emil 3s, Ben 4s
""",
    ),
    "E201": Entry(
        title="name that nobody seated bears",
        points="the name",
        rules=("R17",),
        about=(
            "Names are compared letter by letter, capitals too. Where the name stands in a run, the card counts "
            "as played by its holder."
        ),
        example="""
Seat 1: Cleo 40
Seat 2: Emil 40
Hand 1
Dealer: Emile
""",
        mend="""
Seat 1: Cleo 40
Seat 2: Emil 40
Hand 1
Dealer: Emil
""",
    ),
    "E202": Entry(
        title="seat or name taken twice",
        points="the second of the two",
        rules=("G1",),
        about=(
            "Every seat has one player and every player one seat. For the replay both are seated, in the order "
            "of the lines."
        ),
        example="""
Seat 1: Cleo 40
Seat 1: Emil 40
""",
        mend="""
Seat 1: Cleo 40
Seat 2: Emil 40
""",
    ),
    "E203": Entry(
        title="wrong number of players",
        points="the session line",
        rules=("G1",),
        about=(
            "Comet is for two to six players, “quatre” for four, “deux” for two. The session's hands are not "
            "replayed."
        ),
        example="""
Comet session rainy-evening
Rules: deux
Seat 1: Cleo 40
Seat 2: Emil 40
Seat 3: Ben 40
""",
        mend="""
Comet session rainy-evening
Rules: card 2
Seat 1: Cleo 40
Seat 2: Emil 40
Seat 3: Ben 40
""",
    ),
    "E204": Entry(
        title="dealer unknown",
        points="the hand line",
        rules=("G10",),
        about=(
            "The first hand of a session says who dealt; later dealers follow by rotation. Whoever opened counts "
            "as the opener."
        ),
        example="""
Hand 1
Run: Ben As 2s, Cleo 3s
""",
        mend="""
Hand 1
Dealer: Emil
Run: Ben As 2s, Cleo 3s
""",
    ),
    "E205": Entry(
        title="hand number not above the one before it",
        points="the hand line",
        rules=(),
        about=(
            "Hands count upwards within a session. The hand is replayed but not loaded, since its number would "
            "stand for two."
        ),
        example="""
Hand 4   # its runs
Hand 4   # its runs
""",
        mend="""
Hand 4   # its runs
Hand 5   # its runs
""",
    ),
    "E206": Entry(
        title="session identifier used for a different session",
        points="the session line",
        rules=(),
        about=(
            "The identifier is a session's key everywhere. The same session again, however it is written, is "
            "taken once and is no error; another session needs another identifier."
        ),
        example="""
Comet session saturday   # the 28th of November
Comet session saturday   # the 5th of December
""",
        mend="""
Comet session saturday-2026-11-28
Comet session saturday-2026-12-05
""",
    ),
    "E207": Entry(
        title="hand unfinished: nobody went out",
        points="the hand's last run, or the hand line where it has none",
        rules=("G9",),
        about=(
            "After the last run everybody still holds cards. Either runs are missing, or the hand was abandoned "
            "and is void."
        ),
        example="""
Run: Emil Qd, Cleo Kd   # Cleo still holds 10♦
""",
        mend="""
Run: Emil Qd, Cleo Kd
Run: Cleo Td
""",
    ),
    "W208": Entry(
        title="deal not recorded and not to be worked out",
        points="the hand line",
        rules=(),
        about=(
            "The replay checks what it can: that cards follow each other and fall once. Whether a card was held, "
            "was the lowest, or a run stopped too early nobody can tell, so the hand is neither legal nor "
            "illegal. What every player had left at the end is enough to work the deal out."
        ),
        example="""
Hand 1
Dealer: Emil
Run: Ben As 2s, Cleo 3s   # neither Deal nor Left lines
""",
        mend="""
Hand 1
Dealer: Emil
Run: Ben As 2s, Cleo 3s
Left Emil: 4c Kc Qd
Left Ben: Ks
""",
    ),
    "E209": Entry(
        title="“Left” contradicts deal and plays",
        points="the “Left” line",
        rules=("C4",),
        about="What a player has left is what they were dealt without what they played.",
        example="""
Deal Ben: 2c Tc Ks
Run: Ben 2c
Left Ben: Tc Qs
""",
        mend="""
Deal Ben: 2c Tc Ks
Run: Ben 2c
Left Ben: Tc Ks
""",
    ),
    "E301": Entry(
        title="8♦ is not in the pack",
        points="the card",
        rules=("G2",),
        about="Comet is played without 8♦. The card is passed over. Where the Comet stood for 8♦ write so.",
        example="""
Run: Ben 7d 8d, Emil Td
""",
        mend="""
Run: Ben 7d 9d=8d, Emil Td
""",
    ),
    "E302": Entry(
        title="card dealt twice",
        points="the second of the two",
        rules=("G2", "G3"),
        about=(
            "Every card is dealt once. For the replay it belongs to whoever played it, else to the first who was "
            "dealt it."
        ),
        example="""
Deal Cleo: 3c 5c 9c
Deal Emil: Ac 3c 6c
""",
        mend="""
Deal Cleo: 3c 5c 9c
Deal Emil: Ac 4c 6c
""",
    ),
    "E303": Entry(
        title="cards missing from the deal",
        points="the hand's first “Deal” line",
        rules=("G3",),
        about=(
            "All 51 cards are dealt, so each stands in a “Deal” line. A missing card belongs to whoever played "
            "it. Cards missing only because another was dealt twice or 8♦ was written are not reported again."
        ),
        example="""
Deal Cleo: 3c 5c   # the ace to the seven of clubs, without 6♣
Deal Emil: Ac 2c 4c 7c
""",
        mend="""
Deal Cleo: 3c 5c 6c
Deal Emil: Ac 2c 4c 7c
""",
    ),
    "E304": Entry(
        title="hand sizes not what dealing from this dealer gives",
        points="the first “Deal” line that is wrong",
        rules=("G3",),
        about=(
            "With two players the one left of the dealer holds 26 cards and the dealer 25; with three everybody "
            "17; with four 13, 13, 13, 12; with five 11 and four times 10; with six three times 9 and three "
            "times 8."
        ),
        example="""
Dealer: Emil
Deal Cleo: Ac 2c 3c     # … 25 cards, left of the dealer
Deal Emil: 4c 5c 6c     # … 26 cards
""",
        mend="""
Dealer: Cleo
Deal Cleo: Ac 2c 3c     # … 25 cards
Deal Emil: 4c 5c 6c     # … 26 cards, left of the dealer
""",
    ),
    "E305": Entry(
        title="dealer is not the next seat clockwise",
        points="the dealer line",
        rules=("G10", "R17", "R18"),
        about=(
            "The deal moves one occupied seat clockwise each hand; after a void hand it stays. Where somebody "
            "has just sat down, the next dealer may be found with or without them: both are right. If no "
            "dealer is recorded then, newcomers count. Hand sizes and opener are judged by the dealer that "
            "fits them better."
        ),
        example="""
Hand 1
Dealer: Cleo   # seats: Cleo, Emil, Ben
Hand 2
Dealer: Ben
""",
        mend="""
Hand 1
Dealer: Cleo
Hand 2
Dealer: Emil
""",
    ),
    "E401": Entry(
        title="run opened by the wrong player",
        points="the name",
        rules=("G4", "G6"),
        about=(
            "The player left of the dealer opens the first run, whoever played the last card each later one. The "
            "card was played; the run is judged from it. If it was really played so, there is nothing to mend: "
            "the hand is not legal, and the payments follow from what happened (R16)."
        ),
        example="""
Run: Ben Qs, Emil Ks
Run: Ben Ad, Emil 2d
""",
        mend="""
Run: Ben Qs, Emil Ks
Run: Emil 2d
""",
    ),
    "E402": Entry(
        title="opened with a card that is not the lowest",
        points="the card",
        rules=("G4", "G6", "R5", "R12"),
        about=(
            "A run is opened with the lowest card held of its suit; with the house rule “first hand” the first "
            "lead is a card of the hand's lowest rank. If it was really played so, there is nothing to mend: the "
            "hand is not legal, and the payments follow from what happened (R16)."
        ),
        example="""
Deal Cleo: 3h 5h Jh
Run: Cleo 5h
""",
        mend="""
Deal Cleo: 3h 5h Jh
Run: Cleo 3h
""",
    ),
    "E403": Entry(
        title="card was not in that player's hand",
        points="the card",
        rules=("G5",),
        about=(
            "Somebody else was dealt it. Most often the name is wrong. The holder's hand shrinks and the run "
            "goes on; if it was the run's last card either of the two may open the next."
        ),
        example="""
Deal Cleo: 3s 6s
Deal Emil: 4s 5s
Run: Cleo 3s 4s, Emil 5s
""",
        mend="""
Deal Cleo: 3s 6s
Deal Emil: 4s 5s
Run: Cleo 3s, Emil 4s 5s
""",
    ),
    "E404": Entry(
        title="card already on the table",
        points="the card",
        rules=("G2",),
        about="Every card is played once in a hand. The second time is skipped.",
        example="""
Run: Ben As 2s, Cleo 2s 3s
""",
        mend="""
Run: Ben As 2s, Cleo 3s
""",
    ),
    "E405": Entry(
        title="card does not follow",
        points="the card",
        rules=("G5", "R2"),
        about=(
            "A run goes up its suit one card at a time; 10♦ follows the Comet that stood for 8♦. Where a card "
            "was left out it counts as played by its holder; else the next card may follow either this one or "
            "the one before it. If it was really played so, there is nothing to mend: the hand is not legal, and "
            "the payments follow from what happened (R16)."
        ),
        example="""
Run: Ben Ad, Emil 2d, Ben 4d   # 3♦ is played nowhere
""",
        mend="""
Run: Ben Ad, Emil 2d, Ben 3d 4d
""",
    ),
    "E406": Entry(
        title="run stopped though a player held the next card",
        points="the run's last card",
        rules=("G5", "G6", "G8", "R16"),
        about=(
            "Whoever holds the next higher card plays it. Often a line was cut in two, or its last card was left "
            "out. If it was really played so, there is nothing to mend: the hand is not legal, and the payments "
            "follow from what happened (R16)."
        ),
        example="""
Run: Emil 8s 9s
Run: Cleo Ts, Emil Js
""",
        mend="""
Run: Emil 8s 9s, Cleo Ts, Emil Js
""",
    ),
    "E407": Entry(
        title="run goes on though it had stopped at a king",
        points="the card",
        rules=("G6", "R8"),
        about="Nothing follows a king. The card opens a new run and is judged by the rules for opening.",
        example="""
Run: Cleo Qs, Ben Ks Ad, Emil 2d
""",
        mend="""
Run: Cleo Qs, Ben Ks
Run: Ben Ad, Emil 2d
""",
    ),
    "E408": Entry(
        title="Comet stands for a card that the run does not need",
        points="the Comet and the card it stands for",
        rules=("G7",),
        about=(
            "The Comet stands for the very next card of the run. The run may go on after what it claimed or "
            "after what was needed. If it was really played so, there is nothing to mend: the hand is not legal, "
            "and the payments follow from what happened (R16)."
        ),
        example="""
Run: Cleo Jh, Ben 9d=Kh
""",
        mend="""
Run: Cleo Jh, Ben 9d=Qh
""",
    ),
    "E409": Entry(
        title="card other than 9♦ stands for another",
        points="the card and the one it stands for",
        rules=("G7",),
        about="Only 9♦ can stand for another card. The card was played as itself.",
        example="""
Run: Cleo 4h, Ben 9h=5h
""",
        mend="""
Run: Cleo 4h, Ben 9d=5h
""",
    ),
    "E410": Entry(
        title="Comet stands for a card where no run is under way",
        points="the Comet and the card it stands for",
        rules=("R3", "R9"),
        about=(
            "At the beginning of a hand and after a king no card is needed, so there is none to stand for. 9♦ "
            "can be led as itself when it is the lowest diamond held. If it was really played so, there is "
            "nothing to mend: the hand is not legal, and the payments follow from what happened (R16)."
        ),
        example="""
Run: Ben 9d=2h, Cleo 3h
""",
        mend="""
Run: Ben 9d, Emil Td
""",
    ),
    "E411": Entry(
        title="house rule broken",
        points="the card",
        rules=("R2", "R5", "R6", "R7", "R13"),
        about=(
            "A house rule of the session's “Rules” line forbids this use of the Comet (“standin”, “gap”) or this "
            "suit (“suit change”). The card was played. If it was really played so, there is nothing to mend: "
            "the hand is not legal, and the payments follow from what happened (R16)."
        ),
        example="""
Rules: standin gap
Run: Cleo 4h, Ben 9d=5h
""",
        mend="""
Rules: standin any   # if that is what was agreed
Run: Cleo 4h, Ben 9d=5h
""",
    ),
    "E412": Entry(
        title="play after the hand was over",
        points="the first such card",
        rules=("G9",),
        about="Somebody had played their last card, in the middle of a run perhaps. What follows is ignored.",
        example="""
Run: Cleo Td, Emil Jd   # 10♦ was Cleo's last card
""",
        mend="""
Run: Cleo Td
""",
    ),
    "E501": Entry(
        title="owed and not paid",
        points="the “Pay” line that lacks the payer, or the hand line where the whole line is missing",
        rules=("C1", "C2", "C3", "C4"),
        about=(
            "The rules owe a payment that the record does not have. What is owed follows from what happened: who "
            "went out, what was left, who played the Comet."
        ),
        example="""
Pay comet: Cleo 1 -> Ben   # Emil pays too
""",
        mend="""
Pay comet: Cleo 1, Emil 1 -> Ben
""",
    ),
    "E502": Entry(
        title="paid too little",
        points="the amount",
        rules=("C1", "C2", "C4", "R14"),
        about="Less was recorded than the rules owe.",
        example="""
Left Emil: 4c Kc Qd
Pay cards: Emil 2 -> Cleo   # card 1
""",
        mend="""
Left Emil: 4c Kc Qd
Pay cards: Emil 3 -> Cleo
""",
    ),
    "E503": Entry(
        title="paid too much",
        points="the amount",
        rules=("C1", "C2", "C4", "R14"),
        about=(
            "More was recorded than the rules owe. A doubled Comet payment begins again from the base after a "
            "hand in which the Comet was played."
        ),
        example="""
Left Emil: 4c Kc Qd
Pay cards: Emil 4 -> Cleo   # card 1
""",
        mend="""
Left Emil: 4c Kc Qd
Pay cards: Emil 3 -> Cleo
""",
    ),
    "E504": Entry(
        title="paid to the wrong player",
        points="the payee",
        rules=("C2", "C3", "C4"),
        about="The Comet payment goes to whoever played the Comet, pot and cards to whoever went out.",
        example="""
Run: Cleo Jh Qh, Ben 9d=Kh
Pay comet: Ben 1, Emil 1 -> Cleo
""",
        mend="""
Run: Cleo Jh Qh, Ben 9d=Kh
Pay comet: Cleo 1, Emil 1 -> Ben
""",
    ),
    "E505": Entry(
        title="paid though nothing was owed",
        points="the payer",
        rules=("C2", "C4", "R18"),
        about=(
            "The rules do not owe this payment. Anything that players agree on besides the rules is a “Pay "
            "transfer” line."
        ),
        example="""
Pay cards: Emil 3, Cleo 2 -> Cleo   # Cleo went out
""",
        mend="""
Pay cards: Emil 3 -> Cleo
""",
    ),
    "E506": Entry(
        title="pot given out differs from pot paid in",
        points="the amount",
        rules=("C1", "C3"),
        about="Whoever goes out takes the whole pot, which is the sum of the antes.",
        example="""
Pay ante: Cleo 1, Emil 1, Ben 1 -> pot
Pay pot: 4 -> Cleo
""",
        mend="""
Pay ante: Cleo 1, Emil 1, Ben 1 -> pot
Pay pot: 3 -> Cleo
""",
    ),
    "E507": Entry(
        title="stacks after the hand do not follow",
        points="the name",
        rules=("C5",),
        about=(
            "Chips after a hand are those before it and what was paid in it, as recorded or as owed; either is "
            "right."
        ),
        example="""
Seat 1: Cleo 40
Seat 2: Emil 40
Pay cards: Emil 3 -> Cleo   # with antes of 1
Stacks: Cleo 44, Emil 37
""",
        mend="""
Seat 1: Cleo 40
Seat 2: Emil 40
Pay cards: Emil 3 -> Cleo
Stacks: Cleo 44, Emil 36
""",
    ),
    "W508": Entry(
        title="someone paid more than they had",
        points="the amount",
        rules=("R15",),
        about=(
            "Their chips went below zero. That is allowed, but often chips bought in between are missing from "
            "the record."
        ),
        example="""
Stacks: Cleo 78, Emil 2
Hand 8
Pay cards: Emil 9 -> Cleo
""",
        mend="""
Stacks: Cleo 78, Emil 2
Hand 8
Buy: Emil 20
Pay cards: Emil 9 -> Cleo
""",
    ),
    "E601": Entry(
        title="“Winner” is not who won",
        points="the name",
        rules=("C5",),
        about=(
            "Whoever won the most chips over the session wins it, counted without what they brought and bought; "
            "equal totals share the win and are all named."
        ),
        example="""
Seat 1: Cleo 40
Seat 2: Emil 40
Stacks: Cleo 45, Emil 35
Winner: Emil
""",
        mend="""
Seat 1: Cleo 40
Seat 2: Emil 40
Stacks: Cleo 45, Emil 35
Winner: Cleo
""",
    ),
    "W602": Entry(
        title="number of hands differs from the agreed one",
        points="the last hand line",
        rules=(),
        about=(
            "The “Rules” line agrees on a number of hands, and the session has more or fewer; void hands are not "
            "counted. Perhaps the evening ended early, perhaps a hand was not written down."
        ),
        example="""
Rules: hands 5
Hand 1
Hand 2
Hand 3
""",
        mend="""
Rules: hands 3
Hand 1
Hand 2
Hand 3
""",
    ),
}
"""By code, in the order of the codes' numbers."""

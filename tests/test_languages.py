"""The text in German, French, Spanish, and a language made up here: read, written, and refused in its own words."""

import io
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import Night

from comet_hist.cards import CARDS, NAMES
from comet_hist.findings import Finding
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.notation.foreign import hint
from comet_hist.notation.languages import GRAMMARS, LanguageError, load
from comet_hist.notation.tokens import quote
from comet_hist.notation.vocabulary import fold, languages, sessions, vocabulary
from comet_hist.notation.write import canonical, write_name
from comet_hist.record import Fault, Session
from comet_hist.rules import CHOICES, ChipPrice, Rules

SAMPLES = sorted((Path(__file__).parent.parent / "samples").rglob("*.comet"))

ENGLISH = """\
Comet session evening
Date: 2026-02-27 20:10
Place: by the river
Rules: ante 1, comet 2, card 1, progressive, cap 8, hands 2, chip 0.05 EUR, gap stop
Seat 1: Anna 40
Seat 2: Ben 40

Hand 1
Time: 20:15
Dealer: Ben
Pay ante: Anna 1, Ben 1 -> pot
Run: Anna Qc, Ben Kc
Run: Ben Jd 9d=Qd
Pay comet: Anna 2 -> Ben
Left Anna: Tc Ah
Pay cards: Anna 2 -> Ben
Pay pot: 2 -> Ben
Pay transfer: Ben 3 -> Anna
Stacks: Anna 38, Ben 42

Hand 2
Seat 2: Cleo 40
Leaves: Ben
Buy: Anna 5
Deal Anna: Tc Ks
Void: cards fell
Winner: Ben

"""

WRITTEN = {
    "de": """\
Comet Partie evening
Datum: 2026-02-27 20:10
Ort: by the river
Regeln: Einsatz 1, Comet 2, Karte 1, steigend, Grenze 8, Runden 2, Chip 0.05 EUR, gap stop
Platz 1: Anna 40
Platz 2: Ben 40

Runde 1
Zeit: 20:15
Geber: Ben
Zahlung Einsatz: Anna 1, Ben 1 -> Topf
Reihe: Anna DKr, Ben KKr
Reihe: Ben BKa 9Ka=DKa
Zahlung Comet: Anna 2 -> Ben
Rest Anna: ZKr AH
Zahlung Karten: Anna 2 -> Ben
Zahlung Topf: 2 -> Ben
Zahlung Übertrag: Ben 3 -> Anna
Stand: Anna 38, Ben 42

Runde 2
Platz 2: Cleo 40
Geht: Ben
Kauf: Anna 5
Blatt Anna: 10Kr KP
Ungültig: cards fell
Gewinner: Ben
""",
    "fr": """\
Comète séance evening
Date: 2026-02-27 20:10
Lieu: by the river
Règles: mise 1, comète 2, carte 1, progressive, plafond 8, donnes 2, jeton 0.05 EUR, gap stop
Place 1: Anna 40
Place 2: Ben 40

Donne 1
Heure: 20:15
Donneur: Ben
Paiement mise: Anna 1, Ben 1 -> pot
Suite: Anna DT, Ben RT
Suite: Ben VK 9K=DK
Paiement comète: Anna 2 -> Ben
Reste Anna: 10T AC
Paiement cartes: Anna 2 -> Ben
Paiement pot: 2 -> Ben
Paiement transfert: Ben 3 -> Anna
Jetons: Anna 38, Ben 42

Donne 2
Place 2: Cleo 40
Part: Ben
Achat: Anna 5
Main Anna: 10T RP
Nulle: cards fell
Gagnant: Ben
""",
    "es": """\
Comet sesión evening
Fecha: 2026-02-27 20:10
Lugar: by the river
Reglas: aportación 1, comet 2, carta 1, progresivo, tope 8, manos 2, ficha 0.05 EUR, gap stop
Asiento 1: Anna 40
Asiento 2: Ben 40

Mano 1
Hora: 20:15
Repartidor: Ben
Pago aportación: Anna 1, Ben 1 -> bote
Serie: Anna QT, Ben KT
Serie: Ben JD 9D=QD
Pago comet: Anna 2 -> Ben
Restan Anna: 10T AC
Pago cartas: Anna 2 -> Ben
Pago bote: 2 -> Ben
Pago traspaso: Ben 3 -> Anna
Fichas: Anna 38, Ben 42

Mano 2
Asiento 2: Cleo 40
Sale: Ben
Compra: Anna 5
Reparto Anna: 10T KP
Anulada: cards fell
Ganador: Ben
""",
}
OTHERS = sorted(WRITTEN)

ITALIAN = """\
language = "Italian"

[opening]
comet = "Cometa"
session = "serata"

[keywords]
date = "Data"
place = "Luogo"
rules = "Regole"
seat = "Posto"
winner = "Vincitore"
hand = "Mano"
time = "Ora"
leaves = "Esce"
buy = "Compra"
dealer = "Mazziere"
deal = "Carte"
run = ["Scala", "Fila"]
pay = "Paga"
left = "Restano"
stacks = "Gettoni"
void = "Nulla"

[payments]
ante = "invito"
comet = "cometa"
cards = "carte"
pot = "piatto"
transfer = "passaggio"

[rules]
ante = "invito"
comet = "cometa"
card = "carta"
progressive = "progressiva"
hands = "mani"
cap = "tetto"
chip = "gettone"

[ranks]
T = ["10"]
J = ["F"]
Q = ["D"]
K = ["R"]

[suits]
c = ["♣", "Fi"]
d = ["♦", "Q"]
h = ["♥", "C"]
s = ["♠", "P"]
"""


def pieces(text: str) -> list[Session]:
    found = list(read(io.BytesIO(text.encode()), "night.comet"))
    return [session for session in found if isinstance(session, Session)]


def one(text: str) -> Session:
    (session,) = pieces(text)
    return session


def faults(session: Session) -> list[Fault]:
    return [*session.faults, *(fault for hand in session.hands for fault in hand.faults)]


def findings(text: str) -> list[Finding]:
    judged = Judge().judge(read(io.BytesIO(text.encode()), "night.comet"))
    return [finding for session in judged for finding in session.findings]


def plain(text: str) -> str:
    """Leave out the accents of a text, as a person in a hurry does."""
    return text.translate(str.maketrans("èéüÜóÍí", "eeuUoIi"))


# What is read


@pytest.mark.parametrize("language", OTHERS)
def test_the_same_session_in_another_language(language: str) -> None:
    text, english = WRITTEN[language], one(ENGLISH)
    assert not faults(english) and canonical(english) == ENGLISH
    for spelt in (text, plain(text), plain(text).replace("Reihe", "REIHE").replace("Comet", "comet")):
        session = one(spelt)
        assert not faults(session) and session.language == language
        assert canonical(session) == ENGLISH and session.digest == english.digest


@pytest.mark.parametrize("language", languages())
def test_every_spelling_of_every_word_is_read(language: str) -> None:
    words = load(language)[1]
    text = canonical(one(ENGLISH), language)
    for section, beginning, end in (("keywords", "\n", ""), ("payments", " ", ":"), ("rules", " ", " ")):
        for first, *others in words[section].values():
            assert f"{beginning}{first}{end}" in text or f"{beginning}{first}," in text
            for word in (first, *others):
                for spelt in (word, fold(word), word.upper()):
                    again = text.replace(f"{beginning}{first}{end}", f"{beginning}{spelt}{end}")
                    assert canonical(one(again)) == ENGLISH, spelt


@pytest.mark.parametrize("language", languages())
def test_no_spelling_means_two_things(language: str) -> None:
    words = tomllib.loads((files("comet_hist.grammars") / f"{language}.toml").read_text(encoding="utf-8"))
    for section in ("keywords", "payments", "rules"):
        spelt = [
            fold(word) for found in words[section].values() for word in ([found] if isinstance(found, str) else found)
        ]
        assert len(spelt) == len(set(spelt)), section
    ranks = [spelling for rank in "A23456789TJQK" for spelling in words["ranks"].get(rank, [rank])]
    suits = [spelling for spellings in words["suits"].values() for spelling in spellings]
    cards = [fold(rank + suit) for rank, suit in product(ranks, suits)]
    assert len(cards) == len(set(cards))
    assert all(vocabulary(language).cards[card] is not None for card in (a + b for a, b in product(ranks, suits)))


def test_words_do_not_open_a_session_of_another_language() -> None:
    comets = {comet for comet, _ in sessions()}
    assert len(sessions()) == len(languages())
    assert not any(comets & vocabulary(language).kinds.keys() for language in languages())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("sign", ["♦", "♢", "♦\ufe0f", "♦\ufe0e"])
def test_suit_signs_and_tens_are_read_in_every_language(language: str, sign: str) -> None:
    cards = vocabulary(language).cards
    assert cards[f"10{sign}"] == CARDS["Td"] and cards[f"a{sign}"] == CARDS["Ad"] and cards[f"9{sign}"] == CARDS["9d"]


@pytest.mark.parametrize(
    ("language", "word", "card"),
    [
        ("en", "8C", "8c"), ("fr", "8C", "8h"), ("es", "8c", "8h"), ("de", "8C", None),
        ("de", "D♦", "Qd"), ("fr", "d♦", "Qd"), ("en", "D♦", None), ("es", "D♦", None),
        ("de", "zka", "Td"), ("de", "KKr", "Kc"), ("de", "kKA", "Kd"), ("fr", "RK", "Kd"), ("fr", "KK", None),
        ("en", "tD", "Td"), ("fr", "10T", "Tc"), ("fr", "TT", None), ("es", "TT", None), ("de", "T♣", None),
    ],
)  # fmt: skip
def test_letters_are_those_of_the_language(language: str, word: str, card: str | None) -> None:
    assert vocabulary(language).cards.get(word) == (None if card is None else CARDS[card])


def test_each_session_of_a_file_has_its_own_language() -> None:
    found = pieces(ENGLISH + "".join(WRITTEN[language] for language in OTHERS) + ENGLISH)
    assert [session.language for session in found] == ["en", *OTHERS, "en"]
    assert {canonical(session) for session in found} == {ENGLISH}


# What is written


def test_what_is_written_outside_english_has_suit_signs() -> None:
    german = canonical(one(ENGLISH), "de").splitlines()
    assert german[0] == "Comet Partie evening" and german[3].startswith("Regeln: Einsatz 1, Comet 2, Karte 1, steigend")
    assert "Reihe: Ben B♦ 9♦=D♦" in german and "Rest Anna: 10♣ A♥" in german and "Zahlung Topf: 2 -> Ben" in german
    assert "Pago aportación: Anna 1, Ben 1 -> bote" in canonical(one(ENGLISH), "es").splitlines()
    assert "Suite: Ben V♦ 9♦=D♦" in canonical(one(ENGLISH), "fr").splitlines()


@pytest.mark.parametrize(
    ("name", "quoted"),
    [("DH", {"de"}), ("RP", {"fr"}), ("Kd", {"en", "es"}), ("Topf", {"de"}), ("bote", {"es"}), ("pot", {"en", "fr"})],
)
def test_a_name_is_quoted_where_it_means_something(name: str, quoted: set[str]) -> None:
    written = {language: write_name(name, language) for language in languages()}
    assert written == {language: quote(name) if language in quoted else name for language in languages()}


def travel(session: Session) -> Session:
    """Take a session through all languages and back into English; it says the same all the way."""
    for language in (*OTHERS, "en"):
        text = canonical(session, language)
        again = one(text)
        assert again.language == language and again.digest == session.digest
        assert canonical(again, language) == text
        session = again
    return session


NAMES_TO_TRY = [
    "DH",
    "RP",
    "Kd",
    "BKr",
    "JC",
    "Topf",
    "bote",
    "pot",
    "Run",
    "Suite",
    "Zoë",
    "mise",
    "A..K",
    "Th..Kh",
    "x=y",
]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_night_comes_back_from_its_travels(data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 999))
    names = data.draw(st.lists(st.sampled_from(NAMES_TO_TRY), min_size=2, max_size=6, unique=True))
    rules = {item: data.draw(st.sampled_from(choices)) for item, choices in CHOICES.items()}
    house = Rules(progressive=True, cap=4, chip=ChipPrice(Decimal("0.125"), "KWD"), **rules)  # type: ignore[arg-type]
    items = "progressive, cap 4, chip 0.125 KWD, " + ", ".join(f"{item} {choice}" for item, choice in rules.items())
    text = Night(seed, [quote(name) for name in names], house, items, ident=quote(names[0])).text(2)
    session = one(text)
    assert not faults(session)
    assert canonical(travel(session)) == canonical(session)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_damaged_night_comes_back_too(data: st.DataObject) -> None:
    lines = Night(data.draw(st.integers(0, 99)), ["Ann", "Ben", "Cleo"]).text(2).split("\n")
    strange = [quote(name) for name in NAMES_TO_TRY]
    for _ in range(3):
        at = data.draw(st.integers(8, len(lines) - 3))
        name = data.draw(st.sampled_from(strange))
        lines[at] = data.draw(
            st.sampled_from([lines[at].replace("Ben", name), lines[at].replace("9d", "8d"), lines[at - 1]])
        )
    session = one("\n".join(lines))
    if not any(hand.unread for hand in session.hands) and not faults(session):
        before = sorted((finding.code, str(finding.hand)) for finding in findings(canonical(session)))
        for language in OTHERS:
            after = sorted((finding.code, str(finding.hand)) for finding in findings(canonical(session, language)))
            assert after == before
        assert canonical(travel(session)) == canonical(session)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_samples_come_back_from_their_travels(sample: Path) -> None:
    for session in read(io.BytesIO(sample.read_bytes()), sample.name):
        if isinstance(session, Session) and not faults(session):
            assert canonical(travel(session)) == canonical(session)


@pytest.mark.parametrize("language", OTHERS)
def test_there_is_a_clean_sample_night(language: str) -> None:
    nights = [path for path in SAMPLES if path.parent.name == "forms" and path.stem.endswith(f"-{language}")]
    for night in nights:
        assert {session.language for session in pieces(night.read_text(encoding="utf-8"))} == {language}
        assert not findings(night.read_text(encoding="utf-8"))
    assert nights


# Letters of another language


@pytest.mark.parametrize(
    ("language", "word", "text", "instead"),
    [
        ("de", "Qh", "in German text the queen is D", "DH"),
        ("de", "8c", "in German text clubs are Kr and hearts are H", None),
        ("de", "10♣..Q♣", "in German text the queen is D", "10♣..DKr"),
        ("en", "D♦", "in English text the queen is Q", "Qd"),
        ("en", "DC", "in English text the queen is Q", None),
        ("en", "8Kr", "in English text clubs are c", "8c"),
        ("en", "8P", "in English text spades are s", "8s"),
        ("fr", "Kd", "in French text the king is R and diamonds are K", "RK"),
        ("fr", "Ts", "in French text the ten is 10 and spades are P", "10P"),
        ("es", "R♠", "in Spanish text the king is K", "KP"),
        ("es", "10Ka", "in Spanish text diamonds are D", "10D"),
    ],
)
def test_letters_of_another_language_are_answered(language: str, word: str, text: str, instead: str | None) -> None:
    assert hint(word, vocabulary(language)) == (text, instead)
    key = vocabulary(language).keywords
    lines = [f"{key['seat']} 1: Ann", f"{key['seat']} 2: Ben", f"{key['hand']} 1", f"{key['run']}: Ann {word}"]
    session = one("\n".join([" ".join(vocabulary(language).opening) + " x", *lines]) + "\n")
    (fault,) = faults(session)
    at = len(f"{key['run']}: Ann ")
    assert (fault.code, fault.where.at, fault.where.end) == ("E103", at, at + len(word))
    assert fault.message == f"“{word}” is not a card: {text}" and fault.suggestion == instead


@pytest.mark.parametrize(
    ("language", "word"), [("de", "Xh"), ("en", "11P"), ("fr", "card"), ("es", "A..2..3"), ("de", "h")]
)
def test_what_is_a_card_nowhere_gets_no_hint(language: str, word: str) -> None:
    assert hint(word, vocabulary(language)) is None


def test_a_foreign_card_at_the_head_of_a_group_is_no_name() -> None:
    opening = "Comet Partie x\nPlatz 1: Anna\nPlatz 2: {}\n\nRunde 1\nReihe: Qh KH\n"
    (fault,) = faults(one(opening.format("Bert")))
    assert (fault.code, fault.where.at, fault.where.end, fault.suggestion) == ("E103", 7, 9, "DH")
    assert "in German text the queen is D" in fault.message
    seated = one(opening.format("Qh"))
    assert not faults(seated) and seated.hands[0].runs[0].plays[0].name.text == "Qh"


def test_a_stranger_named_like_a_foreign_card_stays_a_name() -> None:
    session = one('Comet session x\nSeat 1: Ann\nSeat 2: Ben\n\nHand 1\nRun: "Qh" Kh, "DP" As, Ann 2s\n')
    assert 'Run: "Qh" Kh, "DP" As, Ann 2s' in canonical(session)
    assert canonical(travel(session)) == canonical(session)


# Messages


@pytest.mark.parametrize(
    ("language", "line", "code", "said", "suggestion"),
    [
        ("de", "Rheie: Anna 2Kr", "E101", "Runde, Blatt, Reihe", "Reihe:"),
        ("de", "Run: Anna 2Kr", "E101", "no line begins with “Run”", "Reihe:"),
        ("fr", "Mano: x", "E101", "no line begins with “Mano”", "Donne:"),
        ("de", "Zahlung Kart: Anna 1 -> Ben", "E101", "Einsatz, Comet, Karten, Topf or Übertrag", None),
        ("es", "Pago: Anna 1 -> Ben", "E101", "aportación, comet, cartas, bote or traspaso", None),
        ("fr", "Achat: Anna -3", "E104", "Place and Jetons", None),
        ("fr", "Jetons: pot 3", "E105", "called “pot”", '"pot"'),
        ("es", "Fecha: 2026-01-01", "E106", "Fecha", None),
        ("de", "Geber: Ben\nGeber: Anna", "E107", "a second “Geber” line", None),
        ("fr", "Suite: RK..10K", "E103", "not from K♦ to 10♦", "10K..RK"),
    ],
)
def test_messages_have_the_words_of_the_language(
    language: str, line: str, code: str, said: str, suggestion: str | None
) -> None:
    text = WRITTEN[language].replace("Geber: Ben\n", "").partition("\n\n")[0]
    hand = vocabulary(language).keywords["hand"]
    (fault,) = faults(one(f"{text}\n\n{hand} 1\n{line}\n"))
    assert fault.code == code and said in f"{fault.message} {fault.expected}"
    if suggestion:
        assert fault.suggestion == suggestion


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("Regeln: Grenze 4", "“Grenze” without “steigend”"),
        ("Regeln: Einsatz viel", "“Einsatz” takes a whole number"),
        ("Regeln: steigend 3", "“steigend” takes no value"),
        ("Regeln: quatre, Einsatz 1, Comet 2", "Einsatz N, Comet N"),
        ("Regeln: egal", "Einsatz, Comet, Karte, Runden, Grenze, Chip, gap"),
    ],
)
def test_messages_on_rules_have_the_words_of_the_language(rules: str, said: str) -> None:
    (fault,) = faults(one(f"Comet Partie x\n{rules}\n"))
    assert fault.code == "E108" and said in f"{fault.message} {fault.expected}"


def test_rulings_keep_their_english_names() -> None:
    session = one("Comete seance x\nRegles: quatre, mise 2, progressive, gap stop, standin stalled\n")
    assert session.rules == Rules(game="quatre", ante=2, comet=2, progressive=True, gap="stop", standin="stalled")


@pytest.mark.parametrize(
    ("opening", "meant"),
    [
        ("Comet Partei x", "Comet Partie"),
        ("Comète seanse x", "Comète séance"),
        ("Comet session: x", None),
        ("Comet sessoin x", "Comet session"),
        ("Comet", None),
    ],
)
def test_a_misspelt_opening_is_answered_in_its_language(opening: str, meant: str | None) -> None:
    found = findings(f"{opening}\n")
    if meant is None:
        assert all(finding.suggestion is None for finding in found)
    else:
        assert [(finding.code, finding.suggestion) for finding in found] == [("E101", meant)]
        assert f"“{meant}” does" in found[0].message


# The scribe's shorthand


@pytest.mark.parametrize("language", languages())
def test_the_shorthand_is_read_in_every_language(language: str) -> None:
    night = one(Night(4, ["Ann", "Ben", "Cleo"]).text(1))
    full = canonical(night, language)
    words = vocabulary(language)
    runs = []
    for run in night.hands[0].runs:
        parts = [[]]  # type: list[list[str]]
        for before, play in zip((None, *run.plays), run.plays, strict=False):
            card = words.written[play.card]
            if play.stands_for is not None:
                parts += [[f"{card}={words.written[play.stands_for]}"], []]
            elif before is not None and before.stands_for is None and before.card + 1 == play.card:
                parts[-1].append(card)
            else:
                parts.append([card])
        short = [f"{part[0]}..{part[-1]}" if len(part) > 1 else part[0] for part in parts if part]
        runs.append(f"{words.keywords['run']}: {', '.join(short)}")
    written = iter(runs)
    lines = [next(written) if line.startswith(f"{words.keywords['run']}:") else line for line in full.splitlines()]
    text = "\n".join(lines) + "\n"
    assert ".." in text
    assert canonical(one(text), language) == full and not findings(text)


@pytest.mark.parametrize(
    ("language", "cards"), [("en", "As..3s"), ("de", "AP..3P"), ("fr", "AP..3P"), ("es", "A♠..3♠")]
)
def test_a_name_left_out_without_a_deal(language: str, cards: str) -> None:
    key = vocabulary(language).keywords
    head = (
        f"{' '.join(vocabulary(language).opening)} x\n{key['seat']} 1: Ann\n{key['seat']} 2: Ben\n\n{key['hand']} 1\n"
    )
    session = one(f"{head}{key['run']}: Ann 2♥, {cards}\n")
    (fault,) = faults(session)
    at = len(f"{key['run']}: Ann 2♥, ")
    assert (fault.code, fault.where.at, fault.where.end) == ("E110", at, at + len(cards))


def test_findings_point_at_the_shorthand_they_come_from() -> None:
    night = next(path for path in SAMPLES if path.stem == "2026-03-20-chez-mathilde-fr").read_text(encoding="utf-8")
    text = night.replace("Suite: 3P..RP", "Suite: 4P..RP")
    (found,) = findings(text)
    assert found.code == "E402"
    assert text.splitlines()[found.line - 1][found.column - 1 : found.end_column - 1] == "4P..RP"


# A fifth language


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of further languages, in force as long as the test runs."""
    caches = (languages, load, vocabulary, sessions)
    monkeypatch.setenv(GRAMMARS, str(tmp_path))
    for cache in caches:
        cache.cache_clear()
    yield tmp_path
    for cache in caches:
        cache.cache_clear()


def test_a_language_is_data_alone(folder: Path) -> None:
    (folder / "italian-made-up.toml").write_text(ITALIAN, encoding="utf-8")
    night = one(ENGLISH)
    text = canonical(night, "italian-made-up")
    assert "Scala: Ben F♦ 9♦=D♦" in text and "Paga piatto: 2 -> Ben" in text
    session = one(text.replace("Scala: Ben F♦ 9♦=D♦", "fila: Ben FQ 9Q=dq").replace("D♣", "Dfi"))
    assert session.language == "italian-made-up" and canonical(session) == ENGLISH and session.digest == night.digest


def test_the_command_reads_a_language_of_the_user(folder: Path) -> None:
    (folder / "it.toml").write_text(ITALIAN, encoding="utf-8")
    night = folder / "serata.comet"
    night.write_text(canonical(one(Night(7, ["Ann", "Ben"]).text(2)), "it"), encoding="utf-8")
    assert "Cometa serata" in night.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "comet_hist", "check", str(night)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "2 legal" in done.stdout + done.stderr
    without = {name: value for name, value in os.environ.items() if name != GRAMMARS}
    assert subprocess.run(command, capture_output=True, env=without, check=False).returncode == 1


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('language = "Italian"', "", 'language = "Italian" is needed'),
        ("[suits]", "[colours]", "[colours] is not one of"),
        ('dealer = "Mazziere"\n', "", "[keywords] lacks dealer"),
        ('dealer = "Mazziere"', 'dealer = "Il mazziere"', "[keywords] dealer is not a word"),
        ('dealer = "Mazziere"', "dealer = []", "[keywords] dealer is not a word"),
        ('tetto"', 'tetto"\nchips = "g"', "[rules] chips is not one of"),
        ('time = "Ora"', 'time = "Mano"', "“Mano” stands for both hand and time"),
        ('cap = "tetto"', 'cap = "gap"', "“gap” stands for both cap and gap"),
        ('Q = ["D"]', 'Q = ["F"]', "stands for both Jc and Qc"),
        ('"Cometa"', '"Comet"\nx = "y"', "[opening] x is not one of"),
        ('comet = "Cometa"\nsession = "serata"', 'comet = "Comet"\nsession = "Session"', "opens a session in en.toml"),
        ('comet = "Cometa"', 'comet = "Hand"', "but is a keyword in en.toml"),
        ("[ranks]", "[ranks", "it.toml: "),
        ('pot = "piatto"', 'pot = "->"', "[payments] pot is not a word: “->”; it takes 1 to 32 letters"),
        ('T = ["10"]', f'T = ["{"x" * 20}"]', "[ranks] T is not a word: “xxxxxxxxxxxxxxxxxxxx”; it takes 1 to 4"),
        ('T = ["10"]', 'T = ["A", "B", "C", "D", "E", "F", "G"]', "[ranks] T is not a word, or a list of up to 6"),
        ('c = ["♣", "Fi"]', 'c = ["5"]', "[suits] c is not a word: “5”"),
        ('language = "Italian"', "language = " + "9" * 100_000, "a number of too many digits"),
    ],
)
def test_a_language_that_cannot_be_used(folder: Path, right: str, wrong: str, said: str) -> None:
    assert right in ITALIAN
    (folder / "it.toml").write_text(ITALIAN.replace(right, wrong), encoding="utf-8")
    with pytest.raises(LanguageError) as caught:
        vocabulary("it")
        sessions()
    assert said in str(caught.value) and "it.toml" in str(caught.value)


@pytest.mark.parametrize("key", ["session", "seat", "void", "pot", "ante", "progressive", "T", "c"])
def test_a_word_that_is_accepted_is_read_where_it_is_written(folder: Path, key: str) -> None:
    """Signs of the notation, digits, quotes, white space, marks alone, letters that change with case."""
    signs = ["->", "a->b", "→", "a,b", "a:b", "a=b", "a..b", "#", 'a\\"b', "“a”", "-", "a-", "'", "(a)", "♣", "²"]
    space = ["", " ", "a b", "\u0301", "a\u200bb", "\u00a0"]
    said = [*signs, *space, "1", "10", "٣", "a-b", "d'a", "E\u0301", "ß", "İ", "Ann", "अी"]
    accepted = 0
    (line,) = [line for line in ITALIAN.splitlines() if line.startswith(f"{key} = ")][:1]
    for number, word in enumerate(said):
        file = folder / f"{key}-{number}.toml"
        file.write_text(ITALIAN.replace(line, f'{key} = "{word}"', 1), encoding="utf-8")
        languages.cache_clear()
        sessions.cache_clear()
        with suppress(LanguageError):
            sessions()
            written = canonical(one(ENGLISH), file.stem)
            accepted += 1
            assert canonical(one(written)) == ENGLISH, word
        file.unlink()
    assert 3 <= accepted <= 8


def test_a_language_of_that_name_is_there(folder: Path) -> None:
    (folder / "de.toml").write_text(ITALIAN, encoding="utf-8")
    with pytest.raises(LanguageError, match="there is a language de already"):
        languages()


def test_the_command_says_why_a_language_cannot_be_used(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "comet_hist", "check", str(SAMPLES[0])]
    environment = {**os.environ, GRAMMARS: str(tmp_path / "nowhere")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"comet-hist: {GRAMMARS}: ") and done.stderr.count("\n") == 1


def test_every_card_is_written_as_it_is_read() -> None:
    for language in languages():
        words = vocabulary(language)
        assert [words.cards[card] for card in words.written] == list(range(52)), language
    assert vocabulary("en").written == NAMES


def test_a_payment_of_another_language_is_answered_with_its_word_here() -> None:
    text = "Comet Partie x\nPlatz 1: Anna 40\nPlatz 2: Ben 40\n\nRunde 1\nGeber: Anna\nZahlung cards: Anna 1 -> Ben\n"
    (session,) = read(io.BytesIO(text.encode()), "night.comet")
    assert isinstance(session, Session)
    (fault,) = session.hands[0].faults
    assert (fault.code, fault.actual, fault.suggestion) == ("E101", "cards", "Karten")

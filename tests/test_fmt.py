"""The canonical form: it says what was read, carries every comment, and replaces files without a risk to them."""

import gzip
import io
import os
import random
import re
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner, Result
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nights import Night
from scribbles import Scribe, mishap
from slips import PLAYERS_KINDS, SCRIBES, players_slip, scribes_slip

from comet_hist.cli.app import comet_hist
from comet_hist.cli.output.characters import is_shown
from comet_hist.cli.output.diff import diff_lines, diff_on_terminal
from comet_hist.cli.status import Status
from comet_hist.formatting import Unformatted, formatted
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.notation.lines import LONGEST, comment_start
from comet_hist.notation.vocabulary import languages
from comet_hist.record import Session
from comet_hist.rules import Rules, agree

COMMAND = Path(sys.executable).with_name("comet-hist")
HERE = Path(__file__).parent
FILES = sorted([*(HERE / "cases").glob("*.comet"), *(HERE.parent / "samples").rglob("*.comet")])

NAMES = ["Anna", '"Jean Luc"', "Zoë", '"Kd"', '"K♦ & ♥"', '"pot"', '"# x"', "O'Neil", '"a: b"', "Hand"]
HOUSES = ["", "progressive", "card 2", "card 0, comet 0", "gap stop", "keep yes", "suit change", "first hand, led free"]

FREE = """\
\ufeff# of the file

# above the session
 Comet   session "kitchen"  # opening
# above the place
PLACE:#5  Rue de Buci  # at the place
seat 2: Emil 40
# above Cleo
seat 1: Cleo 40 # Cleo
seat 3: Ben 40
# end of the header

# above the hand
Hand 01 # first
Dealer: Emil
Pay pot: 3 → Cleo # pot
Deal Emil: Ac 4c 6c 7c 8c Kc 2d Qd Ah 9h Kh 4s 5s 8s 9s Ts Js
Deal Ben: 2c 10c Qc Ad 3d 4d 5d 6d 7d 9d Jd 2h # folded, first
  # folded, between
  6h Th As 2s K♠ # folded, last
Deal Cleo: 3c 5c 9c Jc Td Kd 3h 4h 5h 7h 8h Jh Qh 3s 6s 7s Qs
Run: As..Ks
Run: Ad..7d
Run: 2h..Qh, 9d
Run: 2c..Kc
Run: Qd Kd
Run: Td
Pay comet: Cleo 1, Emil 1 -> Ben # comet
Pay cards: Ben 1, Emil 3 -> Cleo
Pay transfer: Ben 0, Emil 2 -> Cleo
Pay ante: Ben 1, Emil 1, Cleo 1 -> pot
# end of the hand

  hand 2
  Dealer: Ben
  void: cards  torn
Winner: Cleo

# end of the session

# above the next

COMET SESSION next
Seat 2: B
Seat 1: A
# end of the file"""

CANONICAL = """\
# of the file
# above the session
Comet session kitchen # opening
# above the place
Place:#5 Rue de Buci # at the place
Rules: ante 1, comet 1, card 1
# above Cleo
Seat 1: Cleo 40 # Cleo
Seat 2: Emil 40
Seat 3: Ben 40
# end of the header

# above the hand
Hand 1 # first
Dealer: Emil
# folded, first
# folded, between
Deal Ben: 2c Tc Qc Ad 3d 4d 5d 6d 7d 9d Jd 2h 6h Th As 2s Ks # folded, last
Deal Cleo: 3c 5c 9c Jc Td Kd 3h 4h 5h 7h 8h Jh Qh 3s 6s 7s Qs
Deal Emil: Ac 4c 6c 7c 8c Kc 2d Qd Ah 9h Kh 4s 5s 8s 9s Ts Js
Pay ante: Cleo 1, Emil 1, Ben 1 -> pot
Run: Ben As 2s, Cleo 3s, Emil 4s 5s, Cleo 6s 7s, Emil 8s 9s Ts Js, Cleo Qs, Ben Ks
Run: Ben Ad, Emil 2d, Ben 3d 4d 5d 6d 7d
Run: Ben 2h, Cleo 3h 4h 5h, Ben 6h, Cleo 7h 8h, Emil 9h, Ben Th, Cleo Jh Qh, Ben 9d=Kh
Pay comet: Cleo 1, Emil 1 -> Ben # comet
Run: Ben 2c, Cleo 3c, Emil 4c, Cleo 5c, Emil 6c 7c 8c, Cleo 9c, Ben Tc, Cleo Jc, Ben Qc, Emil Kc
Run: Emil Qd, Cleo Kd
Run: Cleo Td
Pay cards: Emil 3, Ben 1 -> Cleo
Pay pot: 3 -> Cleo # pot
Pay transfer: Emil 2 -> Cleo
# end of the hand

Hand 2
Dealer: Ben
Void: cards torn
Winner: Cleo

# end of the session
# above the next
Comet session next
Rules: ante 1, comet 1, card 1
Seat 1: A
Seat 2: B
# end of the file

"""

UNREADABLE = "Comet session x\nSeat 1: A\nSaet 2: B\n"


def form(text: str | bytes, language: str | None = None) -> str:
    data = text.encode() if isinstance(text, str) else text
    return "".join(formatted(io.BytesIO(data), "night.comet", language))


def refusal(text: str | bytes) -> list[str]:
    """Return the codes for which a text is not formatted."""
    with pytest.raises(Unformatted) as error:
        form(text)
    return [finding.code for finding in error.value.findings]


def says(text: str | bytes) -> tuple[list[str], Counter[tuple[object, ...]], list[object]]:
    """Return everything that a text says but its places: digests, findings, and what was owed or recorded.

    E304 and E601 speak of the first of several lines or names, which may be another one in the canonical order, and so
    do the places that a message names.
    """
    data = text.encode() if isinstance(text, str) else text
    digests: list[str] = []
    findings: Counter[tuple[object, ...]] = Counter()
    chips: list[object] = []
    for judged in Judge().judge(read(io.BytesIO(data), "night.comet")):
        for finding in judged.findings:
            message = re.sub(r"\(counted .*|line \d+", "", finding.message)
            details = () if finding.code in ("E304", "E601") else (message, finding.expected, finding.actual)
            findings[finding.code, finding.session, finding.hand, *details] += 1
        if judged.session is not None and judged.audit is not None:
            digests.append(judged.session.digest)
            for hand in judged.audit.hands:
                chips.append((hand.status, sorted(map(repr, hand.payments))))
    return digests, findings, chips


def comments_of(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for line in text.split("\n"):
        start = comment_start(line)
        if start is not None:
            found[line[start:]] += 1
    return found


def assert_canonical(text: str) -> None:
    """Check what can be seen without reading: ends of lines, blank lines, and that formatting changes nothing."""
    lines = text.split("\n")
    assert lines.pop() == "" and "\r" not in text and "\ufeff" not in text
    assert all(line == line.rstrip() and not line[:1].isspace() for line in lines)
    assert "\n\n\n" not in text and text.endswith("\n\n")
    for before, line in pairwise(lines):
        assert not line.startswith("Hand") or before == "" or before.startswith("#")
    assert form(text) == text


# What is written


def test_free_text_becomes_canonical_and_comments_stay() -> None:
    assert form(FREE) == CANONICAL
    assert form(FREE.replace("\n", "\r\n")) == CANONICAL
    assert_canonical(CANONICAL)


@given(st.lists(st.text('ab1"“”„#\\\\:( \t', min_size=1, max_size=12), min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_quotes_in_free_text_stay(parts: list[str]) -> None:
    folded = "\n  ".join(part for part in parts if part.strip())
    text = f"Comet session a\nPlace:{folded}\nSeat 1: Ann 40\nSeat 2: Ben 40\n\nHand 1\nDealer: Ann\nVoid:{folded}\n"
    assume("\n  #" in text or not says(text)[1])
    try:
        written = form(text)
    except Unformatted as unformatted:
        assert {finding.code for finding in unformatted.findings} == {"E101"}
        return
    assert form(written) == written
    assert says(written) == says(text)
    assert comments_of(written) == comments_of(re.sub(r"[ \t]+$", "", text, flags=re.M))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_histories_say_the_same(file: Path) -> None:
    data = file.read_bytes()
    try:
        text = form(data)
    except Unformatted as unformatted:
        assert {finding.code[:2] for finding in unformatted.findings} <= {"E1", "E2"}
        assert says(data)[1].total() > 0
        return
    assert form(text) == text
    assert says(text) == says(data)
    assert comments_of(text) == comments_of(data.decode().replace("\r\n", "\n"))


@given(st.integers(0, 1 << 32))
@settings(max_examples=60, deadline=None)
def test_formatting_changes_nothing_that_is_read(seed: int) -> None:
    rng = random.Random(seed)
    clean = ""
    for ident in ("first", "second"):
        items = rng.choice(HOUSES)
        names = rng.sample(NAMES, rng.randint(2, 6))
        clean += Night(seed, names, _agreed(items), items, ident=ident).text(rng.randint(1, 2))
    scribe = Scribe(rng)
    free = scribe.rewrite(clean)
    text = form(free)
    assert_canonical(text)
    assert says(text) == says(free)
    assert comments_of(text) == Counter(scribe.comments)


@given(st.integers(0, 1 << 32), st.sampled_from([*SCRIBES, *PLAYERS_KINDS]), st.integers(0, 2))
@settings(max_examples=120, deadline=None)
def test_formatting_keeps_faults(seed: int, kind: str, mishaps: int) -> None:
    rng = random.Random(seed)
    items, players = rng.choice(HOUSES), rng.randint(2, 6)
    slip = scribes_slip if kind in SCRIBES else players_slip
    planted = slip(kind, seed, players, items, _agreed(items))
    assume(planted is not None)
    assert planted is not None
    faulty = planted.text
    for _ in range(mishaps):
        faulty = mishap(rng, faulty)
    scribe = Scribe(rng)
    free = scribe.rewrite(faulty)
    try:
        text = form(free)
    except Unformatted as unformatted:
        assert {finding.code for finding in unformatted.findings} <= {"E106", "E107", "E110", "E207"}
        return
    assert form(text) == text
    assert says(text) == says(free)
    assert comments_of(text) == Counter(scribe.comments)


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"Cleo 3h 4h 5h": "Emil 3h, Emil 4h 5h"}, {"E403": 1}),
        ({"Cleo 3h 4h 5h, Ben 6h": "Emil 3h, Cleo 4h, Emil 5h, Ben 6h"}, {"E403": 2}),
        (
            {
                "Deal ": "# Deal ",
                "Pay ": "# Pay ",
                "Hand 1": "Hand 1\nPay pot: 3 -> Cleo\nPay cards: Emil 3, Ben 1 -> Ben",
            },
            {"E501": 2, "E504": 1, "W208": 1},
        ),
        (
            {
                "Run: Emil Qd, Cleo Kd\nRun: Cleo Td\n": "Run: Cleo Td\nRun: Emil Qd, Cleo Kd\n",
                "Emil 3, Ben 1 -> Cleo": "Emil 3, Ben 0, Cleo 1 -> Ben",
            },
            {"E401": 2, "E406": 1, "E504": 1},
        ),
    ],
    ids=["named-twice", "named-between", "pot-before-cards", "zero-to-oneself"],
)
def test_evidence_is_no_matter_of_form(changes: dict[str, str], codes: dict[str, int]) -> None:
    """What is canonically one name, in another order or left out weighs the same where it is written."""
    text = CANONICAL.split("\nHand 2")[0] + "\n"
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert says(form(text)) == says(text)
    found = Counter(code for code, *_ in says(text)[1].elements())
    assert found == codes


@pytest.mark.parametrize("language", languages())
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=15, deadline=None)
def test_every_language_says_the_same(language: str, seed: int) -> None:
    rng = random.Random(seed)
    items = rng.choice(HOUSES)
    free = Scribe(rng).rewrite(Night(seed, rng.sample(NAMES, rng.randint(2, 6)), _agreed(items), items).text(2))
    there = form(free, language)
    assert form(there) == there == form(there, language)
    assert form(there, "en") == form(free)
    (session,) = read(io.BytesIO(there.encode()), "night.comet")
    assert isinstance(session, Session) and session.language == language
    assert says(there)[1:] == says(free)[1:]


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_comings_and_goings_say_the_same(data: st.DataObject) -> None:
    """Who leaves and sits down again, whose seat another takes, twice over, in any order of the lines."""
    names = ["Ann", '"Kc"', '"DH"', '"10T"', "Hand", '"pot"', "Platz"]
    lines = ["Comet session night", *(f"Seat {seat}: {name} 40" for seat, name in enumerate(names[:4], 1))]
    who = st.sampled_from(names)
    for number in range(1, 4):
        moves = data.draw(st.lists(st.tuples(st.sampled_from("LLSSB"), who, st.integers(1, 6)), max_size=6))
        lines += ["", f"Hand {number}", f"Dealer: {data.draw(who)}"]
        shown = {"L": "Leaves: {0}", "S": "Seat {1}: {0} 9", "B": "Buy: {0} {1}"}
        lines += dict.fromkeys(shown[kind].format(name, seat) for kind, name, seat in moves)
        first, second = data.draw(who), data.draw(who)
        lines += [f"Run: {first} As, {second} 2s"]
    sits = data.draw(st.permutations(names[:4]))
    zeros = f"Pay transfer: {sits[0]} {data.draw(st.integers(0, 1))}, {sits[1]} 0 -> {sits[2]}"
    lines += ["", "Hand 9", zeros, f"Pay transfer: {sits[3]} 2 -> {sits[0]}", "Void: misdealt"]
    text = "\n".join(lines) + "\n"
    assume(not any(code.startswith("E1") for code, *_ in says(text)[1]))
    written = form(text)
    assert form(written) == written
    assert says(written) == says(text)
    for language in languages():
        there = form(text, language)
        assert form(there) == there
        assert form(there, "en") == written


def _agreed(items: str) -> Rules:
    words = [item.split() for item in items.split(", ") if item]
    return agree([(word, value[0] if value else None) for word, *value in words])


def test_a_last_line_without_its_end_gets_it() -> None:
    assert form(CANONICAL.rstrip()) == CANONICAL


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_nothing_stays_nothing(text: str) -> None:
    assert form(text) == ""


def test_a_file_of_comments() -> None:
    assert form("\n # one \n\n# two") == "# one\n# two\n"


def test_zeros_of_two_lines_of_a_kind_tell_them_apart() -> None:
    """Without the zero the second line would have the payers of the first, and be a line given twice."""
    text = form(
        "Comet session x\nRules: card 0\nSeat 1: A 9\nSeat 2: B 9\nSeat 3: C 9\n\nHand 1\n"
        "Pay cards: B 1 -> A\nPay cards: B 2, C 0 -> A\n"
    )
    assert "Pay cards: B 2, C 0 -> A\n" in text and form(text) == text


# What is refused


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (UNREADABLE, ["E101"]),
        (UNREADABLE.encode() + b"Place: \xff\n", ["E101", "E102"]),
        ("Dealer: Ben\n\n" + CANONICAL, ["E106"]),
        ("Hand 1\nDealer: Ben\n" + CANONICAL, ["E106"]),
        (CANONICAL.replace("Dealer: Emil", "Dealer: Emil\nDealer: Emil"), ["E107"]),
        (CANONICAL.replace("Ben 1 -> Cleo", "Ben 1 -> Cleo\nPay cards: Ben 0, Cleo 0 -> Cleo"), ["E107"]),
        (CANONICAL.replace("Void", "Place: Paris\nVoid"), ["E106"]),
        (CANONICAL.replace("Comet session next", "Comet session"), ["E101"]),
        (CANONICAL + "Comet ses", ["E101"]),
        (CANONICAL.split(", Ben 9d=Kh")[0], ["E207"]),
        (CANONICAL.split("As 2s Ks #")[0], ["E207"]),
    ],
    ids=["word", "bytes", "stray", "orphan", "twice", "zero", "misplaced", "opening", "fragment", "cut", "cut-deal"],
)
def test_what_would_be_lost_is_refused(text: str | bytes, codes: list[str]) -> None:
    assert refusal(text) == codes


def test_a_line_that_grows_too_long_is_refused() -> None:
    deals = "".join(line + "\n" for line in CANONICAL.split("\n") if line.startswith("Deal "))
    run = "Run: " + ", ".join(["Ac..Kc"] * 10_600)
    text = f"Comet session x\nSeat 1: Ben\nSeat 2: Cleo\nSeat 3: Emil\nHand 1\n{deals}{run}\n"
    assert len(run) < LONGEST
    assert refusal(text) == ["E101"]


# The command


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(comet_hist, ["fmt", *map(str, arguments)], input=stdin)


@pytest.fixture
def nights(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a free, a canonical and an unreadable history."""
    (tmp_path / "bad.comet").write_text(UNREADABLE)
    (tmp_path / "done.comet").write_text(CANONICAL)
    (tmp_path / "free.comet").write_bytes(FREE.encode())
    yield tmp_path
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith(".")) == []
    assert (tmp_path / "bad.comet").read_text() == UNREADABLE


def test_to_standard_output(nights: Path) -> None:
    done = run(nights)
    assert done.exit_code == Status.ERRORS
    assert done.stdout_bytes == (CANONICAL * 2).encode()
    assert f"{nights}/bad.comet:3:1: E101" in done.stderr
    assert "bad.comet: not formatted, 1 error in its text" in done.stderr
    assert (nights / "free.comet").read_bytes() == FREE.encode()


def test_standard_input() -> None:
    done = run("-", stdin=FREE.encode())
    assert (done.exit_code, done.stdout_bytes, done.stderr) == (Status.CLEAN, CANONICAL.encode(), "")
    done = run("--check", "-", stdin=FREE.encode())
    assert (done.exit_code, done.stdout) == (Status.ERRORS, "-\n")


def test_write_in_place(nights: Path) -> None:
    free, canonical = nights / "free.comet", nights / "done.comet"
    free.chmod(0o640)
    os.utime(canonical, (1, 1))
    done = run("--write", nights)
    assert (done.exit_code, done.stdout) == (Status.ERRORS, "")
    assert done.stderr.endswith("3 files: 1 rewritten, 1 canonical already, 1 not formatted\n")
    assert free.read_bytes() == CANONICAL.encode()
    assert free.stat().st_mode & 0o777 == 0o640
    assert canonical.stat().st_mtime == 1
    assert run("--write", free).exit_code == Status.CLEAN


def test_write_follows_links(nights: Path) -> None:
    (nights / "deep").mkdir()
    link = nights / "deep" / "link.comet"
    link.symlink_to("../free.comet")
    assert run("--write", link).exit_code == Status.CLEAN
    assert link.is_symlink() and (nights / "free.comet").read_text() == CANONICAL


def test_write_packs_again(nights: Path) -> None:
    (nights / "x.comet.gz").write_bytes(gzip.compress(FREE.encode()))
    (nights / "x.comet.zst").write_bytes(zstandard.compress(FREE.encode()))
    assert run("--write", nights / "*.gz", nights / "*.zst").exit_code == Status.CLEAN
    assert gzip.decompress((nights / "x.comet.gz").read_bytes()) == CANONICAL.encode()
    with zstandard.open(nights / "x.comet.zst") as stream:
        assert stream.read() == CANONICAL.encode()
    assert "0 rewritten, 2 canonical already" in run("--write", nights / "x.*").stderr


def test_a_write_that_fails_leaves_the_file(nights: Path) -> None:
    """No room for the new file: the old one stays, nothing is left beside it, and the others go on."""
    (nights / "small.comet").write_text("comet session x\nSeat 1: A\nSeat 2: B\n")

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    done = subprocess.run(
        [COMMAND, "fmt", "--write", nights / "free.comet", nights / "small.comet"],
        capture_output=True, text=True, check=False, preexec_fn=no_room,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # else cut-off files of bytecode stay
    )  # fmt: skip
    assert done.returncode == Status.USAGE
    assert re.match(r"comet-hist: \S*free\.comet: cannot be written: File too large\n", done.stderr)
    assert (nights / "free.comet").read_bytes() == FREE.encode()
    assert (nights / "small.comet").read_text().startswith("Comet session x\n")


def test_check_names_what_would_change(nights: Path) -> None:
    done = run("--check", nights)
    assert (done.exit_code, done.stdout) == (Status.ERRORS, f"{nights}/free.comet\n")
    assert done.stderr.endswith("3 files: 1 would change, 1 canonical already, 1 not formatted\n")
    assert run("--check", nights / "free.comet").exit_code == Status.ERRORS
    assert run("--check", nights / "done.comet").exit_code == Status.CLEAN
    assert (nights / "free.comet").read_bytes() == FREE.encode()


def test_diff_is_what_patch_takes(nights: Path) -> None:
    free = nights / "free.comet"
    done = run("--diff", free, nights / "done.comet")
    assert done.exit_code == Status.CLEAN
    assert "\\ No newline at end of file\n" in done.stdout
    subprocess.run(["patch", "-s", "--binary", free], input=done.stdout_bytes, check=True)
    assert free.read_text() == CANONICAL
    assert run("--diff", "--check", nights / "done.comet").exit_code == Status.CLEAN
    free.write_text("#\n" + FREE)
    assert run("--diff", "--check", free).exit_code == Status.ERRORS


def test_diff_in_colour_steers_no_terminal() -> None:
    shown = list(diff_on_terminal(diff_lines("x", "#\x1b[2J\r\n", "#\n"), True))
    assert shown[0] == "\x1b[1m--- x\x1b[0m"
    assert shown[3:] == ["\x1b[31m-#\\x1b[2J\\x0d\x1b[0m", "\x1b[32m+#\x1b[0m"]
    assert "\x1b[31m-" in run("--diff", "--color", "always", "-", stdin=FREE.encode()).stdout


STEERING = "# \x1b[2J \x1b]0;x\x07 \x9b2K \u202eabc \u2066d"


@pytest.mark.parametrize(
    "command", [["fmt"], ["fmt", "--diff"], ["export", "--to", "json"], ["show", "--hand", "1"], ["check"]]
)
def test_comments_steer_no_terminal(tmp_path: Path, command: list[str]) -> None:
    """On a terminal escapes in a comment are shown as such; in a pipe `fmt` gives what was written."""
    head = f"Comet session x {STEERING}\n{STEERING}\nSeat 1: A 40\nSeat 2: B 40\n\n"
    text = f"{head}Hand 1\nDealer: C {STEERING}\nRun: A As\n"
    (tmp_path / "x.comet").write_text(text, encoding="utf-8")
    ours, theirs = os.openpty()
    environment = os.environ | {"NO_COLOR": "1", "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen([COMMAND, *command, "x.comet"], cwd=tmp_path, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # Linux ends so what nobody writes to any more
            while block := os.read(ours, 4096):
                shown += block
    os.close(ours)
    lines = shown.decode().split("\r\n")
    assert len(lines) > 3 and [sign for line in lines for sign in line if not is_shown(sign)] == []
    if command == ["fmt"]:
        assert form(text).count(STEERING) == 3


def test_language(nights: Path) -> None:
    german = run("--language", "de", nights / "free.comet").stdout
    assert german.startswith("# of the file\n# above the session\nComet Partie kitchen # opening\n")
    assert run("--language", "en", "-", stdin=german.encode()).stdout == CANONICAL
    assert run("-", stdin=german.encode()).stdout == german
    wrong = run("--language", "xx", nights / "free.comet")
    assert wrong.exit_code == Status.USAGE and "there is no language “xx”" in wrong.stderr


@pytest.mark.parametrize("arguments", [["--write", "--check", "x"], ["--write", "--diff", "x"], ["--write", "-"]])
def test_wrong_usage(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == Status.USAGE


@pytest.mark.parametrize("option", ["--write", "--check", "--diff"])
def test_json_is_not_replaced_by_text(tmp_path: Path, option: str) -> None:
    file = tmp_path / "night.json"
    file.write_text("[]")
    done = run(option, file)
    assert done.exit_code == Status.USAGE and "night.json: is JSON" in done.stderr
    assert file.read_text() == "[]"


def test_a_path_that_is_not_there_does_not_cost_the_others(nights: Path) -> None:
    done = run(nights / "none.comet", nights / "done.comet")
    assert (done.exit_code, done.stdout) == (Status.USAGE, CANONICAL)

"""Out and in again: JSON that loses nothing, tables, and a chip ledger that beancount checks."""

import copy
import csv
import io
import json
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from beancount import loader
from beancount.core.data import Balance, Custom, Transaction
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import Night
from scribbles import Scribe
from slips import PLAYERS, PLAYERS_KINDS, SCRIBES, players_slip, scribes_slip

from comet_hist.cli.app import comet_hist
from comet_hist.export.ledger import component
from comet_hist.export.places import DEEPEST
from comet_hist.export.tables import view_names
from comet_hist.formatting import Unformatted, formatted
from comet_hist.judge import Judge
from comet_hist.notation import json_form, read
from comet_hist.record import Fault, Session, Stray
from comet_hist.rules import Rules, agree

ROOT = Path(__file__).parents[1]
SAMPLES = [file for folder in ("nights", "forms") for file in sorted((ROOT / "samples" / folder).glob("*.comet"))]
CASES = sorted((ROOT / "tests/cases").glob("*.comet"))
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/session.schema.json").read_text(encoding="utf-8")))

NIGHT = """\
Comet session night
Date: 2026-11-28
Place: Café "Procope", Paris
Seat 1: Anna 40
Seat 2: "Jean Luc" 40
Seat 3: Zoë 40
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(comet_hist, list(map(str, arguments)))


def written(text: bytes, name: str = "night.comet") -> str:
    """Return the canonical text, with comments, of text or JSON."""
    return "".join(formatted(io.BytesIO(text), name))


def findings(text: bytes, name: str) -> list[tuple[str, str | None, int | None, str]]:
    """Return what is found, without places."""
    judged = Judge().judge(read(io.BytesIO(text), name))
    found = [finding for each in judged for finding in each.findings]
    return sorted((each.code, each.session, each.hand, re.sub(r"line \d+", "line", each.message)) for each in found)


def digests(text: bytes, name: str) -> list[str]:
    return [each.digest for each in read(io.BytesIO(text), name) if isinstance(each, Session)]


def exported(tmp_path: Path, text: bytes, form: str) -> bytes:
    """Return text as the command exports it."""
    source = tmp_path / "night.comet"
    source.write_bytes(text)
    done = run("export", source, "--to", form)
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


def all_come_back(tmp_path: Path, text: bytes) -> None:
    canonical = written(text)
    for form in ("json", "jsonl"):
        data = exported(tmp_path, text, form)
        for value in [json.loads(data)] if form == "json" else map(json.loads, data.splitlines()):
            SCHEMA.validate(value)
        name = f"night.{form}"
        assert written(data, name) == canonical
        assert digests(data, name) == digests(text, "night.comet")
        assert findings(data, name) == findings(canonical.encode(), "night.comet")
        (tmp_path / name).write_bytes(data)
        assert run("export", tmp_path / name, "--to", form).stdout_bytes == data


# JSON and back


@pytest.mark.parametrize("file", [*SAMPLES, *CASES], ids=lambda file: file.stem)
def test_what_can_be_read_comes_back_from_json(tmp_path: Path, file: Path) -> None:
    text = file.read_bytes()
    try:
        written(text)
    except Unformatted:
        assert run("export", file, "--to", "json").exit_code == 1
    else:
        all_come_back(tmp_path, text)


HOUSES = [
    "", "progressive, cap 8", "card 2, chip 0.05 EUR", "gap stop, hands 9", "keep yes", "suit change",
    "first hand, led free",
]  # fmt: skip


def agreed(items: str) -> Rules:
    words = [item.split() for item in items.split(", ") if item]
    return agree([(word, " ".join(value) or None) for word, *value in words])


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_nights_with_slips_come_back_from_json(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)
    items = rng.choice(HOUSES)
    kind = rng.choice([*SCRIBES, *PLAYERS_KINDS])
    plant = scribes_slip if kind in SCRIBES else players_slip
    planted = plant(kind, seed, rng.randrange(2, 7), items, agreed(items))
    text = Scribe(rng).rewrite(planted.text if planted else Night(seed, PLAYERS[:3]).text(2)).encode()
    try:
        written(text)
    except Unformatted:
        return
    all_come_back(tmp_path_factory.mktemp("night"), text)


NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None)
@given(names=st.lists(NAMES, min_size=3, max_size=3, unique=True), ident=NAMES)
def test_any_name_comes_back_from_json(tmp_path_factory: pytest.TempPathFactory, names: list[str], ident: str) -> None:
    quoted = {name: '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in (*names, ident)}
    night = Night(7, [quoted[name] for name in names], ident=quoted[ident])
    all_come_back(tmp_path_factory.mktemp("night"), night.text(1).encode())


def test_comments_come_back_where_they_stood(tmp_path: Path) -> None:
    text = (
        "# the file\n\nComet session a # who?\n# of the seat\nSeat 1: Anna 40\nSeat 2: Ben 40\n# end of a\n\n"
        "# of b\nComet session b\nSeat 1: Anna 40\nSeat 2: Ben 40 # Benjamin\n# the last\n"
    )
    all_come_back(tmp_path, text.encode())
    data = json.loads(exported(tmp_path, text.encode(), "json"))
    assert data["sessions"][0]["comments"][0] == {"line": 1, "above": ["# the file", ""], "behind": "# who?"}


def test_json_of_any_layout_is_read(tmp_path: Path) -> None:
    text = b"".join(file.read_bytes() + b"\n\n" for file in SAMPLES[:2])
    data = json.loads(exported(tmp_path, text, "json"))
    for other in (
        json.dumps(data, indent=4), json.dumps(data, separators=(",", ":")), json.dumps(data, sort_keys=True),
        "\ufeff" + json.dumps(data, ensure_ascii=True).replace("{", "\r\n{\t"),
    ):  # fmt: skip
        assert written(other.encode(), "night.json") == written(text)
    twice = {**data, "sessions": data["sessions"] * 2}
    judged = list(Judge().judge(read(io.BytesIO(json.dumps(twice).encode()), "night.json")))
    assert [each.repeated for each in judged] == [False, False, True, True]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.json", ".json"), ("a.jsonl", ".jsonl"), ("a.json.gz", ".json"), ("a.jsonl.zst", ".jsonl"),
        ("a.comet", None), ("-", None), ("json", None), ("a.json.comet", None),
    ],
)  # fmt: skip
def test_json_is_known_by_its_name(name: str, form: str | None) -> None:
    assert json_form(name) == form


@pytest.mark.parametrize("name", ["night.json", "night.jsonl", "night.json.gz", "night.jsonl.zst"])
def test_commands_read_what_export_wrote(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    assert run("export", SAMPLES[0], "--to", name.split(".")[1], "-o", target).exit_code == 0
    assert run("fmt", target).stdout == run("fmt", SAMPLES[0]).stdout
    assert run("audit", target, "--format", "csv").stdout == run("audit", SAMPLES[0], "--format", "csv").stdout
    assert run("stats", target, "--format", "csv").stdout == run("stats", SAMPLES[0], "--format", "csv").stdout
    shown, shown_from_text = (run("show", path, "--hand", "1").stdout for path in (target, SAMPLES[0]))
    assert re.sub("(?m)^/.* line .*$", "", shown) == re.sub("(?m)^/.* line .*$", "", shown_from_text)
    assert run("check", str(tmp_path / "*.json*")).exit_code == 0
    assert run("check", tmp_path).exit_code == 2
    before = target.read_bytes()
    refused = run("fmt", "--write", target)
    assert refused.exit_code == 2
    assert "is JSON" in refused.stderr
    assert target.read_bytes() == before


# What is wrong in JSON


def base() -> dict[str, Any]:
    """Return a session of which each part can be spoilt."""
    ante = {"kind": "ante", "from": [{"player": "Ben", "chips": 1}], "to": None}
    return {
        "session": "night",
        "language": "en",
        "date": "2026-11-28",
        "place": "Paris",
        "rules": {"ante": 1, "led": "paid"},
        "seats": [{"seat": 1, "player": "Anna", "chips": 40}, {"seat": 2, "player": "Ben"}],
        "hands": [
            {
                "hand": 1,
                "time": "20:15",
                "buys": [[{"player": "Anna", "chips": 2}]],
                "dealer": "Ben",
                "deals": [{"player": "Anna", "cards": ["2c", "9d"]}],
                "runs": [[{"player": "Anna", "cards": ["2c", "9d=3c"]}]],
                "left": [{"player": "Ben", "cards": ["Ks"]}],
                "pays": [ante, {"kind": "pot", "chips": 2, "to": "Anna"}],
                "stacks": [{"player": "Anna", "chips": -3}],
            },
            {"hand": 2, "void": "rain"},
        ],
        "winner": ["Ben"],
        "comments": [{"line": 1, "above": ["# a"], "behind": "# b"}],
    }


SPOILT: list[tuple[str, Any, str, str]] = [
    ("date", "28.11.2026", "E109", '"28.11.2026"'),
    ("date", 20261128, "E109", "20261128"),
    ("language", "xx", "E101", '"xx"'),
    ("place", "a\u0007", "E101", '"a\\u0007"'),
    ("place", "Room # 5", "E101", '"Room # 5"'),
    ("place", 'a "quote # x', "E101", '"a \\"quote # x"'),
    ("rules.ante", -1, "E108", '"ante": -1'),
    ("rules.ante", "1", "E108", '"1"'),
    ("rules.led", "no", "E108", '"led": "no"'),
    ("rules.game", "poker", "E108", '"poker"'),
    ("rules.progressive", 1, "E108", "1"),
    ("rules.cap", 5, "E108", '"cap": 5'),
    ("rules.gift", "x", "E108", '"x"'),
    ("rules.chip", 0.05, "E108", "0.05"),
    ("rules.chip", "0,05 EUR", "E108", '"chip": "0,05 EUR"'),
    ("rules.chip", "0.05 eur", "E108", '"chip": "0.05 eur"'),
    ("rules", [], "E101", "[]"),
    ("seats.0.seat", 7, "E104", "7"),
    ("seats.0.player", "", "E105", '""'),
    ("seats.0.player", "a\u202eb", "E105", '"a\\u202eb"'),
    ("seats.0.player", "x" * 65, "E105", f'"{"x" * 65}"'),
    ("seats.0.chips", 1.5, "E104", "1.5"),
    ("seats.0.chips", 10**10, "E104", "10000000000"),
    ("seats.1", {"seat": 1, "player": "Anna", "chips": 40}, "E107", '"seat": 1'),
    ("seats", {}, "E101", "{}"),
    ("seats.0.colour", "red", "E101", '"colour"'),
    ("hands.0.hand", "one", "E104", '"one"'),
    ("hands.0.time", "8 pm", "E109", '"8 pm"'),
    ("hands.0.dealer", None, "E105", "null"),
    ("hands.0.deals.0.cards.0", "10c", "E103", '"10c"'),
    ("hands.0.deals.0.cards.0", 2, "E103", "2"),
    ("hands.0.deals.0.cards", [], "E101", "[]"),
    ("hands.0.runs.0.0.cards.1", "9d", "E103", '"9d"'),
    ("hands.0.runs.0.0.cards.1", "9d=", "E103", '"9d="'),
    ("hands.0.runs.0", [], "E101", "[]"),
    ("hands.0.runs.0.0", {"player": "Anna"}, "E101", "{"),
    ("hands.0.pays.0.kind", "tip", "E101", '"tip"'),
    ("hands.0.pays.0.chips", 3, "E101", '"chips"'),
    ("hands.0.pays.0.from.0.chips", -1, "E104", "-1"),
    ("hands.0.pays.1", {"kind": "ante", "from": [{"player": "Ben", "chips": 1}], "to": None}, "E107", '"kind": "ante"'),
    ("hands.0.stacks.0.chips", True, "E104", "true"),
    ("hands.0.colour", "red", "E101", '"colour"'),
    ("hands.1.void", " ", "E101", '" "'),
    ("hands.1", 5, "E101", "5"),
    ("winner.0", ["Ben"], "E105", "["),
    ("comments.0.behind", "b", "E101", '"b"'),
    ("comments.0.above.0", "# a\nHand 7", "E101", '"# a\\nHand 7"'),
    ("pets", 1, "E101", '"pets"'),
]  # fmt: skip


def faults_of(pieces: list[Session | Stray]) -> list[Fault]:
    """Return everything that could not be read."""
    hands = [hand for piece in pieces if isinstance(piece, Session) for hand in piece.hands]
    return [fault for part in (*pieces, *hands) for fault in part.faults]


def spoil(session: dict[str, Any], path: str, value: Any) -> None:
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    target: Any = session
    for step in steps:
        target = target[step]
    target[last] = value


@pytest.mark.parametrize(("path", "value", "code", "token"), SPOILT, ids=lambda value: str(value)[:30])
def test_what_cannot_be_read_is_found_where_it_stands(path: str, value: Any, code: str, token: str) -> None:
    session = base()
    spoil(session, path, value)
    line = json.dumps({"format": "comet-hist", "version": 1} | session)
    whole = json.dumps({"format": "comet-hist", "version": 1, "sessions": [session]}, indent=1)
    for text, name in ((line, "night.jsonl"), (whole, "night.json")):
        pieces = list(read(io.BytesIO(text.encode()), name))
        faults = faults_of(pieces)
        assert [fault.code for fault in faults] == [code]
        where = faults[0].where
        place = where.line.place(where.at, where.end)
        lines = text.split("\n")[place.line - 1 :]
        assert lines[0] == where.line.physical(where.at)
        assert lines[0][place.column - 1 :].startswith(token)
        if token not in "[{":
            assert place.end_column - place.column == len(token)
    for text, name in ((line, "night.jsonl"), (whole, "night.json")):
        list(Judge().judge(read(io.BytesIO(text.encode()), name)))


def test_what_cannot_be_read_costs_its_hand_alone() -> None:
    session = base()
    session["hands"][0]["runs"][0][0]["cards"][0] = "1c"
    data = json.dumps({"format": "comet-hist", "version": 1} | session).encode()
    (read_back,) = read(io.BytesIO(data), "night.jsonl")
    assert isinstance(read_back, Session)
    assert [hand.unread for hand in read_back.hands] == [True, False]
    assert not read_back.unread
    whole = json.dumps({"format": "comet-hist", "version": 1} | base()).encode()
    assert [read_back.digest] != digests(whole, "night.jsonl")


WORDS = st.sampled_from(["", "Ac", "9d", "Anna", "ante", "#", "en", "20:15"])
KEYS = st.sampled_from(["player", "cards", "hand"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 60) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=4,
)


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Return every container with every key of it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in items for place in [(value, key), *places_in(inner)]]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_what_the_schema_refuses_is_never_read_without_a_word(data: st.DataObject) -> None:
    session = copy.deepcopy(base())
    places = places_in(session)
    container, key = places[data.draw(st.integers(0, len(places) - 1))]
    container[key] = data.draw(VALUES)
    line = {"format": "comet-hist", "version": 1} | session
    pieces = list(read(io.BytesIO(json.dumps(line).encode()), "night.jsonl"))
    faults = faults_of(pieces)
    assert SCHEMA.is_valid(line) or faults
    list(Judge().judge(pieces))
    if not faults:
        text = written(json.dumps(line).encode(), "night.jsonl")
        assert written(text.encode()) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", ":1:1: is not JSON"),
        (b"Comet session a\n", ":1:1: is not JSON"),
        (b"[1, 2]", "is not JSON"),
        (b'{"format": "comet-hist",\n "version": 1, "sessions" []}', ":2:27: is not JSON"),
        (b"\xff\xfe", "byte 0xFF is not UTF-8"),
        (b'{"a": "\\q"}', "no escape"),
        (b'{"a": "b\n"}', "not closed"),
        (b'{"a": 1, "a": 2}', 'no "format"'),
        (b"{}", 'no "format"'),
        (b'{"format": "other", "version": 1, "sessions": []}', 'no "format"'),
        (b'{"format": "comet-hist", "sessions": []}', "does not say its version"),
        (b'{"format": "comet-hist", "version": 2, "sessions": []}', "reads version 1"),
        (b'{"format": "comet-hist", "version": 1}', 'no "sessions"'),
        (b'{"format": "comet-hist", "version": 1, "sessions": 3}', "no array"),
        (b'{"a": ' + b"[" * (DEEPEST + 1), f"more than {DEEPEST}"),
        (b'{"a": ' + b"[" * 100_000, f"more than {DEEPEST}"),
    ],
)
def test_what_is_no_export_is_one_line_and_status_2(tmp_path: Path, text: bytes, said: str) -> None:
    file = tmp_path / "night.json"
    file.write_bytes(text)
    done = run("check", file)
    assert done.exit_code == 2
    (line, _) = done.stderr.splitlines()
    assert line.startswith(f"comet-hist: {file}")
    assert said in line
    if text.strip() and said not in ('no "sessions"', "no array"):
        file = tmp_path / "night.jsonl"
        file.write_bytes(text)
        assert run("check", file).exit_code == 2


def test_a_broken_line_costs_its_session_alone(tmp_path: Path) -> None:
    lines = exported(tmp_path, SAMPLES[0].read_bytes(), "jsonl").decode().splitlines()
    other = lines[0].replace('"session": "', '"session": "other-', 1)
    file = tmp_path / "nights.jsonl"
    file.write_bytes(f"{lines[0]}\n{lines[0][:200]}\n\n".encode() + b'{"a": "\xe9"}\n' + f"{other}\n".encode())
    done = run("check", file, "--format", "json")
    assert done.exit_code == 1
    found = [(finding["code"], finding["line"], finding["column"]) for finding in json.loads(done.stdout)]
    assert [code for code, *_ in found] == ["E101", "E102"]
    assert found[1] == ("E102", 4, 8)
    assert [each.ident.text for each in read(file.open("rb"), str(file)) if isinstance(each, Session)] == [
        "chapel-row-2026-01-09", "other-chapel-row-2026-01-09",
    ]  # fmt: skip


def test_a_file_cut_off_keeps_the_sessions_before(tmp_path: Path) -> None:
    data = exported(tmp_path, b"".join(file.read_bytes() + b"\n\n" for file in SAMPLES[:2]), "json")
    file = tmp_path / "cut.json"
    file.write_bytes(data[:-300])
    done = run("check", file, "--format", "json")
    assert done.exit_code == 1
    assert [finding["code"] for finding in json.loads(done.stdout)] == ["E101"]
    assert len(digests(data[:-300], "cut.json")) == 1


def test_sessions_of_lines_come_one_by_one() -> None:
    """A line is asked for only once the session of the one before it has been given."""
    line = json.dumps({"format": "comet-hist", "version": 1} | base()).encode() + b"\n"

    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.given += 1
            buffer[: len(line)] = line
            return len(line)

    raw = Endless()
    pieces = read(io.BufferedReader(raw, len(line)), "endless.jsonl")
    for _ in range(5):
        next(pieces)
    assert raw.given < 10


# The command


def test_what_cannot_be_read_whole_is_refused_and_the_rest_exported(tmp_path: Path) -> None:
    good, bad = SAMPLES[0].read_text(encoding="utf-8"), SAMPLES[1].read_text(encoding="utf-8")
    file = tmp_path / "nights.comet"
    file.write_text(bad + "\nRnu: x\n\n" + good, encoding="utf-8")
    for form in ("json", "jsonl", "csv", "beancount"):
        done = run("export", file, "--to", form)
        assert done.exit_code == 1
        assert "E101" in done.stderr
        assert "exported 1 session with" in done.stderr
        assert "refused 1" in done.stderr
        assert "chapel-row" in done.stdout.lower()
        assert "plough" not in done.stdout.lower()


def test_output_takes_the_place_of_a_file_once_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    assert run("export", SAMPLES[0], "--to", "json", "-o", file).exit_code == 0
    assert json.loads(file.read_bytes())["version"] == 1
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    missing = run("export", SAMPLES[0], "--to", "json", "-o", tmp_path / "none" / "out.json")
    assert missing.exit_code == 2
    assert "cannot be written" in missing.stderr
    assert run("export", SAMPLES[0], "--to", "json", "-o", tmp_path).exit_code == 2
    assert run("export", SAMPLES[0], "--to", "json", "--date", "2026-01-01").exit_code == 2
    assert run("export", tmp_path / "no.comet", "--to", "json").exit_code == 2


def test_csv_alone_is_the_plays_and_in_a_folder_all_views(tmp_path: Path) -> None:
    alone = list(csv.DictReader(run("export", *SAMPLES, "--to", "csv").stdout.splitlines()))
    folder = tmp_path / "tables"
    assert run("export", *SAMPLES, "--to", "csv", "-o", folder).exit_code == 0
    assert {path.name for path in folder.iterdir()} == {f"{view}.csv" for view in view_names()}
    with (folder / "plays.csv").open(encoding="utf-8", newline="") as stream:
        assert list(csv.DictReader(stream)) == alone
    counted = json.loads(run("stats", *SAMPLES, "--format", "json").stdout)["rows"]
    with (folder / "seats.csv").open(encoding="utf-8", newline="") as stream:
        seats = list(csv.DictReader(stream))
    assert sum(row["won"] == "true" for row in seats) == sum(row["wins"] for row in counted)
    for wrong in (folder / "plays.csv", tmp_path / "new.csv"):
        refused = run("export", SAMPLES[0], "--to", "csv", "-o", wrong)
        assert refused.exit_code == 2
        assert "folder" in refused.stderr


def test_names_are_no_formulas_in_csv(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    file.write_text(Night(3, ['"=1+1"', "Ben"]).text(1), encoding="utf-8")
    rows = list(csv.DictReader(run("export", file, "--to", "csv").stdout.splitlines()))
    assert {row["player"] for row in rows} == {"'=1+1", "Ben"}


def test_parquet_holds_the_same_tables(tmp_path: Path) -> None:
    import duckdb

    folder = tmp_path / "it's"
    assert run("export", *SAMPLES, "--to", "parquet", "-o", folder).exit_code == 0
    plays = list(csv.reader(run("export", *SAMPLES, "--to", "csv").stdout.splitlines()))[1:]
    found = duckdb.read_parquet(str(folder / "plays.parquet")).fetchall()
    assert [["" if value is None else str(value) for value in row] for row in found] == plays
    assert {path.name for path in folder.iterdir()} == {f"{view}.parquet" for view in view_names()}
    assert run("export", *SAMPLES, "--to", "parquet").exit_code == 2


# The ledger


def prove(ledger: str) -> int:
    """Let beancount check a ledger; return how many recorded stacks its own sums are equal to."""
    entries, errors, _ = loader.load_string(ledger)
    assert errors == []
    assert any(isinstance(entry, Balance) for entry in entries)
    chips: dict[str, int] = {}
    stacks = 0
    for entry in entries:
        if isinstance(entry, Transaction):
            for posting in entry.postings:
                assert posting.units is not None and posting.units.number is not None
                chips[posting.account] = chips.get(posting.account, 0) + int(posting.units.number)
        elif isinstance(entry, Custom):
            _, _, *values = (value.value for value in entry.values)
            for account, amount in zip(values[::2], values[1::2], strict=True):
                assert chips.get(account, 0) == amount.number
                stacks += 1
    return stacks


def ledger_of(tmp_path: Path, text: str, *options: str) -> str:
    file = tmp_path / "night.comet"
    file.write_text(text, encoding="utf-8")
    done = run("export", file, "--to", "beancount", *options)
    assert done.exit_code == 0, done.output
    return done.stdout


def clean(file: Path) -> bool:
    with file.open("rb") as stream:
        return not any(finding.code[0] == "E" for each in Judge().judge(read(stream, "")) for finding in each.findings)


@pytest.mark.parametrize("file", list(filter(clean, SAMPLES)), ids=lambda file: file.stem)
def test_beancount_proves_the_books_of_the_samples(tmp_path: Path, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    recorded = sum(
        len(hand.stacks.shares)
        for session in read(io.BytesIO(text.encode()), "")
        if isinstance(session, Session)
        for hand in session.hands
        if hand.stacks
    )
    assert prove(ledger_of(tmp_path, text, "--date", "2026-01-01")) == recorded


def test_bean_check_accepts_all_samples_at_once(tmp_path: Path) -> None:
    file = tmp_path / "all.beancount"
    files = [file for file in SAMPLES if clean(file)]
    assert run("export", *files, "--to", "beancount", "-o", file).exit_code == 0
    bean_check = Path(sys.executable).with_name("bean-check")
    done = subprocess.run([bean_check, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    file.write_text(file.read_text(encoding="utf-8").replace("  1 CHIP", "  2 CHIP", 1), encoding="utf-8")
    assert subprocess.run([bean_check, file], capture_output=True, check=False).returncode == 1


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), names=st.lists(NAMES, min_size=2, max_size=6, unique=True), ident=NAMES)
def test_beancount_proves_the_books_of_any_night(
    tmp_path_factory: pytest.TempPathFactory, seed: int, names: list[str], ident: str
) -> None:
    quote = json.JSONEncoder(ensure_ascii=False).encode
    items = HOUSES[seed % len(HOUSES)]
    night = Night(seed, list(map(quote, names)), agreed(items), items, ident=quote(ident))
    assert prove(ledger_of(tmp_path_factory.mktemp("night"), night.text(3))) == 3 * len(names)


def test_joins_leaves_buys_transfers_and_void_hands_are_in_the_ledger(tmp_path: Path) -> None:
    text = NIGHT + (
        '\nHand 1\nDealer: Anna\nPay ante: Anna 1, "Jean Luc" 1, Zoë 1 -> pot\nVoid: rain\n'
        'Stacks: Anna 40, "Jean Luc" 40, Zoë 40\n'
        '\nHand 2\nBuy: Anna 10, Zoë 5\nPay transfer: Anna 3 -> "Jean Luc"\nVoid: rain\n'
        'Stacks: Anna 47, "Jean Luc" 43, Zoë 45\n'
        "\nHand 3\nLeaves: Zoë\nVoid: rain\n"
        '\nHand 4\nSeat 3: Zoë 60\nSeat 4: "pot" 12\nVoid: rain\n'
        'Stacks: Anna 47, "Jean Luc" 43, Zoë 60, "pot" 12\n'
    )
    ledger = ledger_of(tmp_path, text)
    assert prove(ledger) == 10
    assert "Assets:Comet:Night--:Zoë  15 CHIP" in ledger
    assert "Assets:Comet:Night--:Pot--  12 CHIP" in ledger
    assert "ante" not in ledger
    assert ledger.count("balance Assets") == 4


def test_what_is_owed_and_not_written_is_marked(tmp_path: Path) -> None:
    night = Night(5, ["Anna", "Ben"]).text(1)
    without = [line for line in night.split("\n") if not line.startswith(("Pay", "Stacks"))]
    ledger = ledger_of(tmp_path, "\n".join(without))
    assert prove(ledger) == 0
    assert ' ! "night-5" "hand 1: ante"' in ledger
    only_stacks = "\n".join(line for line in night.split("\n") if not line.startswith("Pay"))
    assert prove(ledger_of(tmp_path, only_stacks)) == 2
    untold = only_stacks.replace("Seat 1: Anna 40", "Seat 1: Anna")
    assert prove(ledger_of(tmp_path, untold)) == 2
    assert "brought, as the first stacks tell" in ledger_of(tmp_path, untold)


def test_books_that_do_not_follow_fail(tmp_path: Path) -> None:
    night = Night(5, ["Anna", "Ben"]).text(1)
    (stacks,) = [line for line in night.split("\n") if line.startswith("Stacks")]
    wrong = ledger_of(tmp_path, night.replace(stacks, "Stacks: Anna 7, Ben 73"))
    _, errors, _ = loader.load_string(wrong)
    assert errors


def test_a_session_without_a_day_asks_for_one(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    text = Night(5, ["Anna", "Ben"]).text(1)
    for date, said in (("", "has no date"), ("Date: 0999-12-31\n", "0999-12-31"), ("Date: 2999-12-31\n", "2999-12-31")):
        file.write_text(text.replace("Date: 2026-03-14 20:30\n", date), encoding="utf-8")
        done = run("export", file, SAMPLES[0], "--to", "beancount")
        assert done.exit_code == 2
        assert said in done.stderr
        assert "Chapel-row" in done.stdout
    file.write_text(text.replace("Date: 2026-03-14 20:30\n", ""), encoding="utf-8")
    assert prove(run("export", file, "--to", "beancount", "--date", "2026-05-06").stdout) == 2


def test_accounts_differ_where_names_do() -> None:
    signs = ["A", "a", "X", "-", " ", "2", "é", "日"]
    names = ["".join(name) for length in range(1, 6) for name in product(signs, repeat=length)]
    assert len(set(map(component, names))) == len(names)


def test_a_seat_given_twice_with_other_chips_is_one_slip_in_text_and_json() -> None:
    seats = [{"seat": 1, "player": "Anna", "chips": 40}, {"seat": 1, "player": "Anna", "chips": 50}]
    record = {"format": "comet-hist", "version": 1, "sessions": [{"session": "n", "language": "en", "seats": seats}]}
    text = "Comet session n\nSeat 1: Anna 40\nSeat 1: Anna 50\n"
    for data, name in ((json.dumps(record), "night.json"), (text, "night.comet")):
        (session,) = read(io.BytesIO(data.encode()), name)
        assert [fault.code for fault in session.faults] == ["E107"] and len(session.seats) == 1, name

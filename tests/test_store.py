"""The database: the public views, loading and loading again, and what queries may do."""

import _thread
import hashlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import Night

from comet_hist.cards import COMET, NAMES, SUITS, cards_in
from comet_hist.findings import Finding
from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.store.columns import ENUMS, VIEWS
from comet_hist.store.database import SCHEMA_VERSION, StoreError
from comet_hist.store.load import Loaded, Loader
from comet_hist.store.query import connect_readonly, run_query

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "database.md"
NAMES_AT_TABLE = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"]


def judged(text: str, file: str = "night.comet") -> list[Judged]:
    return list(Judge().judge(read(BytesIO(text.encode()), file)))


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Relative paths lie in a folder of their own."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("store"))
    yield
    os.chdir(before)


def load(loader: Loader, path: str | Path, text: str) -> Loaded | None:
    """Write a text to its file and load it as the commands do: None where it is loaded already."""
    if path != "-":
        Path(path).write_text(text, encoding="utf-8")
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    if loader.already_loaded(path, sha256):
        return None
    with loader.file(path, sha256, len(text.encode())) as load:
        for one in judged(text, str(path)):
            load.add(one)
    return load.result


def night(seed: int, players: int = 3, hands: int = 2, ident: str = "") -> str:
    return Night(seed, NAMES_AT_TABLE[:players], ident=ident).text(hands)


def ask(loader: Loader, sql: str) -> list[tuple[Any, ...]]:
    return loader.connection.execute(sql).fetchall()


def contents(loader: Loader) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all views, but for the time of loading."""
    everything = {view.name: ask(loader, f"FROM {view.name} ORDER BY ALL") for view in VIEWS}
    everything["sources"] = ask(loader, "SELECT * EXCLUDE loaded_at FROM sources ORDER BY ALL")
    return everything


@pytest.fixture
def loader() -> Iterator[Loader]:
    with Loader(None) as loader:
        yield loader


# The contract


def test_views_are_what_the_columns_say(loader: Loader) -> None:
    assert [name for (name,) in ask(loader, "SHOW TABLES")] == sorted(view.name for view in VIEWS)
    types = dict(ask(loader, "SELECT type_name, labels FROM duckdb_types() WHERE logical_type = 'ENUM'"))
    for view in VIEWS:
        described = [(name, type_) for name, type_, *_ in ask(loader, f"DESCRIBE {view.name}")]
        said = [
            (name, f"ENUM({', '.join(repr(label) for label in types[type_])})" if type_ in ENUMS else type_)
            for name, type_, _ in view.columns
        ]
        assert described == said, view.name
    for name in ENUMS:
        assert types[name], name


def test_cards_of_the_schema_are_the_pack(loader: Loader) -> None:
    assert ask(loader, "SELECT enum_range(NULL::card), enum_range(NULL::suit)") == [(list(NAMES), list(SUITS))]
    assert ask(loader, "SELECT number, card FROM private.pack ORDER BY 1") == list(enumerate(NAMES))


def test_document_holds_every_column() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    sections = re.split(r"^### ", text, flags=re.MULTILINE)
    assert [section.split()[0] for section in sections[1:]] == [view.name for view in VIEWS]
    for view, section in zip(VIEWS, sections[1:], strict=True):
        assert f"A row is {view.row}." in section
        rows = re.findall(r"^\| `(.*?)` \| `(.*?)` \| (.*?) \|$", section, flags=re.MULTILINE)
        assert rows == [tuple(column) for column in view.columns]
    for name, meaning in ENUMS.items():
        assert f"| `{name}` | {meaning} |" in text


# What is loaded


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_views_give_back_what_was_replayed(seed: int, players: int) -> None:
    (one,) = judged(night(seed, players, 3))
    assert one.session and one.replay and one.audit
    with Loader(None) as loader:
        with loader.file("night.comet", "0" * 64, 1) as load:
            load.add(one)
        plays, runs, deals, payments = [], [], [], []
        for replay, audit in zip(one.replay.hands, one.audit.hands, strict=True):
            number, names = replay.hand.number, replay.players
            plays += [
                (number, laid.ply, laid.run, names[laid.player], NAMES[laid.card],
                 None if laid.stands_for is None else NAMES[laid.stands_for], laid.use)
                for laid in replay.laid
            ]  # fmt: skip
            runs += [
                (number, run.run, SUITS[run.suit], names[run.opener], names[run.closer], NAMES[run.opened_with],
                 run.length, run.stop)
                for run in replay.runs
            ]  # fmt: skip
            deals += [
                (number, name, NAMES[card])
                for name, hand in zip(names, replay.dealt, strict=True)
                for card in cards_in(hand)
            ]
            payments += [(number, *payment) for payment in audit.payments]
            seats = ask(
                loader,
                "SELECT player, position, cards_dealt, cards_left, won, held_comet, played_comet, net, recorded_net, "
                f"stack_before, stack_after FROM seats WHERE hand = {number} ORDER BY position",
            )
            assert seats == [
                (name, at + 1, replay.sizes[at], replay.left_counts[at], replay.winner == at,
                 bool(replay.dealt[at] >> COMET & 1), replay.comet is not None and replay.comet.player == at,
                 audit.owed_net[name], audit.recorded_net and audit.recorded_net[name],
                 audit.stack_before[name], audit.stack_after[name])
                for at, name in enumerate(names)
            ]  # fmt: skip
        assert ask(loader, "SELECT * EXCLUDE session FROM plays ORDER BY hand, ply") == plays
        assert ask(loader, "SELECT * EXCLUDE session FROM runs ORDER BY hand, run") == runs
        assert sorted(ask(loader, "SELECT * EXCLUDE session FROM deals")) == sorted(deals)
        assert sorted(ask(loader, "SELECT * EXCLUDE session FROM payments"), key=repr) == sorted(payments, key=repr)


FIRST_HAND = """\
Comet session card-night
Date: 2026-11-28 23:50 +01:00
Place: Café Procope
Rules: ante 2, comet 3, hands 5, progressive
Seat 1: Cleo 40
Seat 2: Emil 40
Seat 3: Ben 40

Hand 1
Time: 23:55
Dealer: Emil
Deal Ben: 2c Tc Qc Ad 3d 4d 5d 6d 7d 9d Jd 2h 6h Th As 2s Ks
Deal Cleo: 3c 5c 9c Jc Td Kd 3h 4h 5h 7h 8h Jh Qh 3s 6s 7s Qs
Deal Emil: Ac 4c 6c 7c 8c Kc 2d Qd Ah 9h Kh 4s 5s 8s 9s Ts Js
Run: Ben As 2s, Cleo 3s, Emil 4s 5s, Cleo 6s 7s, Emil 8s 9s Ts Js, Cleo Qs, Ben Ks
Run: Ben Ad, Emil 2d, Ben 3d 4d 5d 6d 7d
Run: Ben 2h, Cleo 3h 4h 5h, Ben 6h, Cleo 7h 8h, Emil 9h, Ben Th, Cleo Jh Qh, Ben 9d=Kh
Run: Ben 2c, Cleo 3c, Emil 4c, Cleo 5c, Emil 6c 7c 8c, Cleo 9c, Ben Tc, Cleo Jc, Ben Qc, Emil Kc
Run: Emil Qd, Cleo Kd
Run: Cleo Td
"""

VOID_HAND = """
Hand 2
Void: a card fell on the floor
"""


def test_hand_as_a_row(loader: Loader) -> None:
    load(loader, "night.comet", FIRST_HAND + VOID_HAND)
    first, void = ask(loader, "SELECT * EXCLUDE (session, time) FROM hands ORDER BY hand")
    assert first == (
        1, 3, "Emil", "Ben", "Cleo", True, "unrecorded", False, 47, 6, 4, "Ben", "Ben", "Kh", "preempt", 32, 3, 6,
    )  # fmt: skip
    assert void == (2, None, None, None, None, None, None, True, *(None,) * 10)
    assert ask(loader, "SELECT DISTINCT recorded FROM payments") == [(None,)]
    assert ask(loader, "SELECT player, net, net_pot, net_comet, net_cards, recorded_net FROM seats ORDER BY 1") == [
        ("Ben", 3, -2, 6, -1, None),
        ("Cleo", 5, 4, -3, 4, None),
        ("Emil", -8, -2, -3, -3, None),
    ]


def test_session_as_a_row(loader: Loader) -> None:
    load(loader, "night.comet", FIRST_HAND.replace("progressive", "progressive, chip 0.125 KWD") + VOID_HAND)
    price = (Decimal("0.125"), "KWD")
    assert ask(loader, "SELECT * REPLACE (date::VARCHAR AS date) FROM sessions") == [
        ("card-night", 1, "2026-11-28", "Café Procope", "en", "classic", 2, 3, 1, True, 5, 3, 1, 1, *price)
    ]
    assert ask(loader, "SELECT time::VARCHAR FROM hands WHERE hand = 1") == [("23:55:00",)]


@pytest.mark.parametrize("rules", ["", "Rules: chip much\n"])
def test_a_chip_without_a_price(loader: Loader, rules: str) -> None:
    load(loader, "night.comet", night(1).replace("Seat 1", f"{rules}Seat 1", 1))
    assert ask(loader, "SELECT chip, currency FROM sessions") == [(None, None)]


def test_unreadable_and_repeated_hands(loader: Loader) -> None:
    text = night(1, hands=3).replace("Hand 2", "Hand 1").replace("Hand 3\nDealer", "Hand 3\nDealr")
    load(loader, "night.comet", text)
    assert ask(loader, "SELECT hand, legal, winner IS NULL, audit, plays FROM hands ORDER BY hand")[1:] == [
        (3, False, True, None, None)
    ]
    assert ask(loader, "SELECT hand, code FROM findings ORDER BY line") == [(1, "E205"), (3, "E101")]
    assert ask(loader, "SELECT hands, legal_hands FROM sources") == [(2, 1)]


def test_text_before_any_session_has_its_findings(loader: Loader) -> None:
    load(loader, "night.comet", "Hand 1\n\n" + night(1))
    assert ask(loader, "SELECT source, session, hand, line, code FROM findings")[0] == (1, None, None, 1, "E106")


# Loading again


def test_same_file_again_changes_nothing(loader: Loader) -> None:
    assert load(loader, "night.comet", night(1)) == Loaded(sessions=1, hands=2)
    before = contents(loader)
    assert load(loader, "night.comet", night(1)) is None
    assert contents(loader) == before


def test_longer_file_replaces_what_it_brought(loader: Loader) -> None:
    load(loader, "night.comet", night(1) + night(2) + night(3))
    result = load(loader, "night.comet", night(1) + night(2, hands=4) + night(4))
    assert result == Loaded(sessions=2, hands=6, replaced=1, same=1, dropped=1)
    with Loader(None) as fresh:
        load(fresh, "night.comet", night(1) + night(2, hands=4) + night(4))
        assert contents(loader) == contents(fresh)


def test_failed_load_leaves_no_trace(loader: Loader) -> None:
    load(loader, "night.comet", night(1) + night(2))
    before = contents(loader)
    with pytest.raises(KeyboardInterrupt), loader.file("night.comet", "1" * 64, 1) as loading:
        loading.add(judged(night(3))[0])
        raise KeyboardInterrupt
    assert contents(loader) == before
    assert load(loader, "night.comet", night(1) + night(2)) is None
    assert load(loader, "other.comet", night(3)) == Loaded(sessions=1, hands=2)


def test_reformatted_file_keeps_its_sessions(loader: Loader) -> None:
    load(loader, "night.comet", night(1))
    before = contents(loader)
    assert load(loader, "night.comet", "# a good night\n" + night(1)) == Loaded(same=1)
    after = contents(loader)
    assert before.pop("sources") != after.pop("sources")
    assert before == after


def test_translated_file_keeps_its_sessions(loader: Loader) -> None:
    load(loader, "a.comet", night(1))
    (translated,) = judged(night(1))
    assert translated.session
    translated.session.language = "de"
    with loader.file("a.comet", "1" * 64, 1) as loading:
        loading.add(translated)
    assert loading.result == Loaded(same=1)
    assert ask(loader, "SELECT language FROM sessions") == [("de",)]


def test_session_of_another_file_is_loaded_once(loader: Loader) -> None:
    load(loader, "a.comet", night(1))
    assert load(loader, "b.comet", night(1)) == Loaded(same=1)
    assert ask(loader, "SELECT source, sessions, hands FROM sources ORDER BY 1") == [(1, 1, 2), (2, 0, 0)]


def test_different_session_of_another_file_is_refused(loader: Loader) -> None:
    load(loader, "a.comet", night(1, ident="x"))
    result = load(loader, "b.comet", "\n" + night(2, ident="x") + night(3))
    assert result is not None
    assert (result.sessions, result.refused) == (1, 1)
    (finding,) = result.findings
    assert isinstance(finding, Finding)
    assert finding[:7] == ("E206", "b.comet", 2, 1, finding.end_column, "x", None)
    assert str(Path("a.comet").resolve()) in finding.message
    assert ask(loader, "SELECT source, session, line, code FROM findings") == [(2, "x", 2, "E206")]


def test_session_of_a_file_that_is_gone_yields(loader: Loader) -> None:
    load(loader, "moved.comet", night(1, ident="x"))
    Path("moved.comet").unlink()
    assert load(loader, "here.comet", night(2, ident="x")) == Loaded(sessions=1, hands=2, replaced=1)
    assert ask(loader, "SELECT path, sessions FROM sources ORDER BY source") == [
        (str(Path("moved.comet").resolve()), 0),
        (str(Path("here.comet").resolve()), 1),
    ]


def test_session_changed_where_another_file_brings_it_stays(loader: Loader) -> None:
    load(loader, "a.comet", night(1, ident="x"))
    load(loader, "b.comet", night(1, ident="x"))
    before = contents(loader)
    result = load(loader, "a.comet", night(2, ident="x"))
    assert result is not None
    assert (result.sessions, result.refused, [finding.code for finding in result.findings]) == (0, 1, ["E206"])
    assert str(Path("b.comet").resolve()) in result.findings[0].message
    assert ask(loader, "SELECT source, session FROM sessions") == [(2, "x")]
    assert contents(loader)["plays"] == before["plays"]
    # The correction goes through once the other file has it too.
    assert load(loader, "b.comet", night(2, ident="x")) == Loaded(sessions=1, hands=2, replaced=1)
    assert load(loader, "a.comet", night(2, ident="x")) == Loaded(same=1)
    assert ask(loader, "SELECT count(*) FROM findings") == [(0,)]


def test_session_dropped_by_one_file_stays_with_the_other(loader: Loader) -> None:
    faulty = night(1, ident="x").replace("Dealer", "Dealr", 1)
    load(loader, "a.comet", faulty)
    load(loader, "b.comet", "\n\n" + faulty)
    assert load(loader, "a.comet", night(2)) == Loaded(sessions=1, hands=2)
    assert ask(loader, "SELECT source, session FROM sessions ORDER BY 1") == [(1, "night-2"), (2, "x")]
    (line,) = [line for line, text in enumerate(faulty.splitlines(), 1) if text.startswith("Dealr")]
    assert ask(loader, "SELECT source, line, code FROM findings") == [(2, line + 2, "E101")]


def test_refused_session_comes_in_when_its_name_is_free(loader: Loader) -> None:
    load(loader, "a.comet", night(1, ident="x"))
    load(loader, "b.comet", night(2, ident="x"))
    again = load(loader, "b.comet", night(2, ident="x"))
    assert again is not None and not again.changed and [finding.code for finding in again.findings] == ["E206"]
    assert load(loader, "a.comet", night(3)) == Loaded(sessions=1, hands=2, dropped=1)
    assert load(loader, "b.comet", night(2, ident="x")) == Loaded(sessions=1, hands=2)
    assert ask(loader, "SELECT count(*) FROM findings") == [(0,)]


def test_session_twice_in_a_file(loader: Loader) -> None:
    assert load(loader, "a.comet", night(1) + night(1)) == Loaded(sessions=1, hands=2, same=1)
    result = load(loader, "b.comet", night(2, ident="x") + night(3, ident="x"))
    assert result == Loaded(sessions=1, hands=2, refused=1)
    assert ask(loader, "SELECT source, session, code FROM findings") == [(2, "x", "E206")]


def test_repeated_session_keeps_its_findings_with_its_second_file(loader: Loader) -> None:
    """One run over two files finds a repeated session without findings; they are there when it becomes the second's."""
    faulty = night(1, ident="x").replace("Dealer", "Dealr", 1)
    judge = Judge()
    for path in ("a.comet", "b.comet"):
        with loader.file(path, "1" * 64, 1) as loading:
            for one in judge.judge(read(BytesIO(faulty.encode()), path)):
                loading.add(one)
    load(loader, "a.comet", night(2))
    assert ask(loader, "SELECT source, code FROM findings") == [(2, "E101")]


def test_database_decides_who_is_refused_not_the_order_of_a_run(loader: Loader) -> None:
    load(loader, "b.comet", night(1, ident="x"))
    judge = Judge()
    for path, text in (("a.comet", night(2, ident="x")), ("b.comet", night(1, ident="x") + night(3))):
        with loader.file(path, "1" * 64, 1) as loading:
            for one in judge.judge(read(BytesIO(text.encode()), path)):
                loading.add(one)
    assert ask(loader, "SELECT source, session FROM sessions ORDER BY 2") == [(1, "night-3"), (1, "x")]
    assert ask(loader, "SELECT source, code FROM findings") == [(2, "E206")]


def test_standard_input_never_replaces(loader: Loader) -> None:
    assert load(loader, "-", night(1)) == Loaded(sessions=1, hands=2)
    assert load(loader, "-", night(2)) == Loaded(sessions=1, hands=2)
    assert load(loader, "-", night(1)) is None
    assert ask(loader, "SELECT path, sessions FROM sources") == [("-", 1), ("-", 1)]


def test_session_without_chips_is_not_loaded(loader: Loader) -> None:
    (one,) = Judge(chips=False).judge(read(BytesIO(night(1).encode()), "a.comet"))
    with pytest.raises(ValueError, match="audit"), loader.file("a.comet", "1" * 64, 1) as loading:
        loading.add(one)


FILE_VERSIONS = st.dictionaries(st.sampled_from("xyz"), st.integers(1, 2), max_size=3)
TEXTS = {(ident, seed): night(seed, 2, 1, ident) for ident in "xyz" for seed in (1, 2)}


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), FILE_VERSIONS), max_size=6))
def test_any_order_of_loads_loses_and_doubles_nothing(loads: list[tuple[str, dict[str, int]]]) -> None:
    """However two files change, each session stands once, as one of them has it now; and loading settles."""
    now: dict[str, dict[str, int]] = {}
    with Loader(None) as loader:
        for name, version in loads:
            now[name] = version
            load(loader, f"{name}.comet", "".join(TEXTS[item] for item in version.items()))
        # Files refused a session whose name has come free are loaded again, until nothing changes.
        for _ in range(2):
            for name, version in now.items():
                load(loader, f"{name}.comet", "".join(TEXTS[item] for item in version.items()))
        digests = {judged(text)[0].session.digest: key for key, text in TEXTS.items()}  # type: ignore[union-attr]
        stored = [digests[digest] for (digest,) in ask(loader, "SELECT digest FROM private.sessions")]
        brought = {item for version in now.values() for item in version.items()}
        assert sorted(ident for ident, _ in stored) == sorted({ident for ident, _ in brought})
        assert set(stored) <= brought
        owners = ask(loader, "SELECT path[-7], session FROM sessions JOIN sources USING (source)")
        assert all(ident in now[owner] for owner, ident in owners)
        for table in ("hands", "seats"):
            counted = ask(loader, f"SELECT count(DISTINCT session_id) FROM private.{table}")
            assert counted == [(len(stored),)]
        conflicts = {ident for ident, _ in brought if len({item for item in brought if item[0] == ident}) == 2}
        found = ask(loader, "SELECT session FROM findings WHERE code = 'E206'")
        assert sorted(ident for (ident,) in found) == sorted(conflicts)


# The file


def test_file_of_another_version(tmp_path: Path) -> None:
    path = tmp_path / "nights.duckdb"
    Loader(path).connection.close()
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE private.comet_hist SET schema_version = 99")
    for open_ in (Loader, connect_readonly):
        with pytest.raises(StoreError, match=rf"version 99.*version {SCHEMA_VERSION}") as error:
            open_(path)
        assert "\n" not in str(error.value)


def test_files_that_are_no_such_database(tmp_path: Path) -> None:
    text, other = tmp_path / "text.duckdb", tmp_path / "other.duckdb"
    text.write_text("Comet session x\n" * 1000, encoding="utf-8")
    with duckdb.connect(other) as connection:
        connection.execute("CREATE TABLE patients (name VARCHAR)")
    for open_ in (Loader, connect_readonly):
        with pytest.raises(StoreError, match=r"is not a DuckDB database$"):
            open_(text)
        with pytest.raises(StoreError, match="not one that comet-hist made"):
            open_(other)
        with pytest.raises(StoreError, match="is a directory"):
            open_(tmp_path)
    with pytest.raises(StoreError, match="there is no such file"):
        connect_readonly(tmp_path / "none.duckdb")
    with pytest.raises(StoreError, match="there is no directory"):
        Loader(tmp_path / "none" / "nights.duckdb")
    assert not (tmp_path / "none.duckdb").exists()


def test_database_of_another_kind_needs_no_network(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "nights.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE hands (number INTEGER)")
    connection.close()
    for open_ in (Loader, connect_readonly):
        with pytest.raises(StoreError, match=r"is not a DuckDB database$"):
            open_(path)


def test_database_in_use_says_by_whom(tmp_path: Path) -> None:
    path = tmp_path / "nights.duckdb"
    Loader(path).connection.close()
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout and holder.stdout.readline() == b"held\n"
        for open_ in (Loader, connect_readonly):
            with pytest.raises(StoreError, match=rf"is in use by .*\(PID {holder.pid}\)") as error:
                open_(path)
            assert "\n" not in str(error.value)
        holder.communicate()


# A load that has deleted and written everything, in a process that ends before the commit.
KILLED = """
import os, sys
from io import BytesIO
from pathlib import Path
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.store.load import Loader
with Loader(Path(sys.argv[1])).file("a.comet", "1" * 64, 1) as load:
    for one in Judge().judge(read(BytesIO(sys.argv[2].encode()), "a.comet")):
        load.add(one)
    load.finish()
    os._exit(9)
"""


def test_killed_load_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "nights.duckdb"
    with Loader(path) as loader:
        load(loader, "a.comet", night(1))
        before = contents(loader)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path), night(2) + night(3)], cwd=Path.cwd(), check=False)
    assert ended.returncode == 9
    with Loader(path) as loader:
        assert contents(loader) == before


def test_file_stays_when_closed(tmp_path: Path) -> None:
    path = tmp_path / "nights.duckdb"
    with Loader(path) as loader:
        load(loader, "a.comet", night(1))
    with Loader(path) as loader:
        assert load(loader, "a.comet", night(1)) is None
        assert load(loader, "b.comet", night(2)) == Loaded(sessions=1, hands=2)
    with duckdb.connect(path, read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM hands").fetchall() == [(4,)]


# Asking


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    path = tmp_path / "nights.duckdb"
    with Loader(path) as loader:
        load(loader, "a.comet", night(1))
    with connect_readonly(path) as connection:
        yield connection


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM plays",
        "FROM hands;",
        "WITH won AS (FROM seats WHERE won) SELECT player FROM won -- who won",
        "DESCRIBE hands",
        "SHOW TABLES",
        "SUMMARIZE seats",
        "VALUES (1)",
        "PIVOT (SELECT player, won FROM seats) ON won USING count(*)",
        "EXPLAIN FROM hands",
    ],
)
def test_queries_that_read(asking: duckdb.DuckDBPyConnection, sql: str) -> None:
    answer = run_query(asking, sql)
    rows = list(answer.rows)
    assert rows and answer.columns and len(answer.numeric) == len(answer.columns)
    assert all(len(row) == len(answer.columns) for row in rows)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM private.hands",
        "WITH all_hands AS (FROM private.hands) INSERT INTO private.hands FROM all_hands",
        "INSERT INTO private.pack PIVOT (FROM runs) ON stop",
        "CREATE TEMP TABLE mine AS SELECT 1",
        "SET enable_external_access = true",
        "ATTACH ':memory:' AS other",
        "COPY hands TO '{folder}/out.csv'",
        "EXPORT DATABASE '{folder}/out'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "PRAGMA database_list",
        "CALL checkpoint()",
        "FROM read_text('{folder}/secret.txt')",
        "FROM '{folder}/secret.csv'",
        "FROM glob('{folder}/*')",
        "FROM read_csv('https://example.org/x.csv')",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/out.csv'",
        "FROM loader_state",
        "SELECT 1; SELECT 2",
        "",
        "-- nothing",
        "SELEC 1",
        "SELECT nobody FROM hands",
    ],
)
def test_queries_that_may_not(asking: duckdb.DuckDBPyConnection, tmp_path: Path, sql: str) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    loader_state = {"a": 1}
    del loader_state["a"]  # a value in Python that a query could find by its name
    before = sorted(tmp_path.iterdir())
    with pytest.raises(StoreError):
        run_query(asking, sql.replace("{folder}", str(tmp_path)))
    assert sorted(tmp_path.iterdir()) == before


def test_interrupted_query_ends_at_once(asking: duckdb.DuckDBPyConnection) -> None:
    """A query that would take hours is given up; Ctrl-C is pressed until it is noticed."""
    noticed = threading.Event()

    def press() -> None:
        while not noticed.wait(0.5):
            _thread.interrupt_main()

    pressing = threading.Thread(target=press)
    pressing.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(run_query(asking, "SELECT sum(hash(a.range + b.range)) FROM range(1000000) a, range(1000000) b").rows)
    finally:
        noticed.set()
        pressing.join()
    assert list(run_query(asking, "SELECT 1").rows) == [(1,)]

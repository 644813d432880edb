"""Clean sessions go into the database as columns: just the rows that the ordinary road writes."""

import hashlib
import io
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from compare_lanes import damaged, with_slips
from evenings import evening
from hypothesis import given, settings
from hypothesis import strategies as st

from comet_hist.bulk.chunks import chunks
from comet_hist.bulk.kernel import Kernel
from comet_hist.bulk.mixed import judge_stretch
from comet_hist.bulk.proven import Proven, parts
from comet_hist.bulk.values import held_against
from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.store.batch import SESSION_TABLES
from comet_hist.store.load import Loaded, Loader

Road = Callable[[bytes, str], Iterator[Judged | Proven]]

TABLES = ("sources", "claims", "findings", *SESSION_TABLES)


def ordinary(text: bytes, file: str) -> Iterator[Judged | Proven]:
    return Judge().judge(read(io.BytesIO(text), file))


def bulk(text: bytes, file: str, size: int = 4000) -> Iterator[Judged | Proven]:
    judge, kernel, line = Judge(), Kernel(), 0
    for chunk in chunks(io.BytesIO(text), size):
        kernel.read(chunk.text)
        for part in parts(kernel, chunk, line):
            if isinstance(part, Proven):
                yield from held_against(judge, part, file)
            else:
                yield from map(judge.meet, judge_stretch(part, file, chips=True))
        line += kernel.used["lines"]


def load(loader: Loader, road: Road, text: bytes, path: str = "night.comet") -> Loaded:
    with loader.file(path, hashlib.sha256(text).hexdigest(), len(text)) as load:
        for item in road(text, path):
            if isinstance(item, Judged):
                load.add(item)
            else:
                load.add_proven(item, path)
    return load.result


def contents(loader: Loader) -> dict[str, Any]:
    """Return all rows of the private tables, sorted, with names of sessions for their numbers."""
    found: dict[str, Any] = {}
    for table in TABLES:
        rows = loader.connection.execute(f"FROM private.{table}")
        named = [column[0] for column in rows.description or ()]
        found[table] = [dict(zip(named, row, strict=True)) for row in rows.fetchall()]
    names = {row["session_id"]: row["session"] for row in found["sessions"]}
    assert len(names) == len(set(names.values())) == len(found["sessions"])
    for rows in found.values():
        for row in rows:
            row.pop("loaded_at", None)
            if "session_id" in row:
                row["session_id"] = names[row["session_id"]]
    return {table: sorted(rows, key=repr) for table, rows in found.items()}


def same_by_both(*texts: tuple[str, bytes]) -> dict[str, Any]:
    """Load texts by both roads, one after another, and return what either left."""
    with Loader(None) as one, Loader(None) as other:
        for path, text in texts:
            assert load(one, ordinary, text, path) == load(other, bulk, text, path)
            assert contents(other) == contents(one)
        return contents(other)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_clean_sessions_have_the_same_rows(seed: int) -> None:
    text = "".join(evening(seed + more) for more in range(4)).encode()
    assert any(isinstance(item, Proven) for item in bulk(text, "x"))
    same_by_both(("night.comet", text))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_sessions_with_slips_have_the_same_rows(seed: int) -> None:
    rng = random.Random(seed)
    text = with_slips(rng, 3)
    same_by_both(("night.comet", rng.choice([text, damaged(rng, text)])))


@cache
def two_hands(seed: int) -> str:
    return evening(seed, 2)


def session(ident: str, seed: int = 1) -> bytes:
    """Return a clean session of that name."""
    return two_hands(seed).replace(f"evening-{seed}", ident).encode()


def test_names_amounts_and_what_is_not_written() -> None:
    text = evening(7, 3)
    for old, new in (("Anna", '"Comet session"'), ("Ben", "Zoë-Ångström"), ("Cleo", '"9d"'), ("Li", "李小龍")):
        text = text.replace(old, new)
    text += (
        'Comet session "a \\"b\\""\nRules: ante 1000000000, comet 0, card 1\nSeat 1: Anna\nSeat 2: Ben 1000000000\n\n'
        "Hand 1\nDealer: Ben\nVoid: misdeal\n\n"
    )
    left = same_by_both(("night.comet", text.encode()))
    assert {row["session"] for row in left["sessions"]} == {"evening-7", 'a "b"'}


def test_sessions_of_void_hands_alone() -> None:
    header = b"Comet session x\nRules: ante 1, comet 1, card 1\nSeat 1: Anna\nSeat 2: Ben\n"
    text = header + b"\nHand 1\nDealer: Ben\nVoid: misdeal\n"
    assert [row["void"] for row in same_by_both(("night.comet", text))["hands"]] == [True]


def test_loading_again_keeps_replaces_and_drops() -> None:
    first = session("a") + session("b") + session("c")
    second = session("a") + session("b", 2) + session("d")
    left = same_by_both(("night.comet", first), ("night.comet", second), ("night.comet", first))
    assert [row["session"] for row in left["sessions"]] == ["a", "b", "c"]


def test_the_same_and_others_of_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.comet").touch()
    both = session("a") + session("a") + session("b") + session("b", 2)
    left = same_by_both(("one.comet", both), ("two.comet", session("a") + session("b", 3) + session("c")))
    assert sorted(row["standing"] for row in left["claims"]) == ["differs", "loaded", "loaded", "loaded", "same"]
    assert [row["code"] for row in left["findings"] if row["session"] == "b"] == ["E206", "E206"]


def test_lanes_know_each_others_sessions() -> None:
    text = session("a") + session("b") + session("c")
    with Loader(None) as loader:
        load(loader, bulk, text)
        known = contents(loader)
        assert load(loader, ordinary, text).same == 3
        assert load(loader, bulk, text).same == 3
        assert contents(loader) == known


def test_interrupted_load_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("comet_hist.store.columnar._TOGETHER", 1)
    with Loader(None) as loader:
        load(loader, bulk, session("a"), "one.comet")
        before = contents(loader)
        with pytest.raises(KeyboardInterrupt), loader.file("two.comet", "0" * 64, 0) as broken:
            for item in bulk(session("b") + session("c"), "two.comet"):
                assert isinstance(item, Proven)
                broken.add_proven(item, "two.comet")
            assert broken.spilled
            raise KeyboardInterrupt
        assert contents(loader) == before
        load(loader, bulk, session("b") + session("c"), "two.comet")
        assert [row["session"] for row in contents(loader)["sessions"]] == ["a", "b", "c"]


SCRIPT = """
import sys
from pathlib import Path
from test_columnar import bulk, load
from comet_hist.store.load import Loader
*paths, last = sys.argv[2:]
def held(text, path):
    yield from bulk(text, path)
    print("held", flush=True)
    sys.stdin.read()
with Loader(Path(sys.argv[1])) as loader:
    for number, path in enumerate(paths):
        load(loader, bulk, Path(path).read_bytes(), path)
        if number == 9:
            loader.commit()
            print(*paths[:10], flush=True)
    load(loader, held, Path(last).read_bytes(), last)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_signals_leave_whole_files(tmp_path: Path, how: signal.Signals) -> None:
    files = [tmp_path / f"{number}.comet" for number in range(20)]
    for path in files:
        path.write_bytes(b"".join(session(f"n{path.stem}-{seed}", seed) for seed in range(20)))
    database = tmp_path / "nights.duckdb"
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, database, *files],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
    )
    assert process.stdout is not None
    told = [word for line in iter(process.stdout.readline, "held\n") for word in line.split()]
    process.send_signal(how)
    process.communicate(timeout=60)
    assert process.returncode == -how
    with duckdb.connect(database, read_only=True) as connection:
        counted = connection.execute("SELECT sessions FROM sources").fetchall()
        assert 0 < len(told) <= len(counted) < len(files) and set(counted) == {(20,)}
        assert how is signal.SIGKILL or len(counted) == len(files) - 1
        ids = connection.execute("SELECT count(DISTINCT session_id) FROM private.hands").fetchall()
        assert ids == [(20 * len(counted),)]

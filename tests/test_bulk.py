"""The bulk lane takes what is clean and canonical, and tells just what the ordinary road tells of it."""

import io
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from compare_lanes import compare, damaged
from evenings import evening
from hypothesis import given, settings
from hypothesis import strategies as st
from lanes import bulk, ordinary
from nights import PROCOPE, Night
from slips import PLAYERS, SCRIBES, scribes_slip

from comet_hist.bulk import columns
from comet_hist.bulk.chunks import chunks
from comet_hist.bulk.kernel import is_compiled
from comet_hist.bulk.proven import Row
from comet_hist.rules import Rules

SEEDS = st.integers(0, 10**9)


def test_kernel_is_compiled() -> None:
    assert is_compiled(), "the lane is slow uncompiled: install the project anew where there is a C compiler"


@settings(max_examples=150, deadline=None)
@given(seed=SEEDS)
def test_what_is_clean_and_canonical_is_taken_with_the_same_facts(seed: int) -> None:
    text = evening(seed).encode()
    told, faulty = ordinary(text)
    assert bulk(text) == {line: facts for line, facts in told.items() if line not in faulty}


@settings(max_examples=150, deadline=None)
@given(seed=SEEDS)
def test_what_is_damaged_is_taken_only_where_nothing_is_found(seed: int) -> None:
    rng = random.Random(seed)
    text = (evening(seed, 1) + evening(seed + 1, 1)).encode()
    compared = compare(damaged(rng, text), rng.choice([64, 2000, 1 << 20]))
    assert not compared.differences


def test_a_row_has_the_columns_of_sessions() -> None:
    assert Row._fields == columns.SESSIONS


def test_few_evenings_are_not_clean() -> None:
    texts = [evening(seed, 2).encode() for seed in range(100)]
    assert sum(len(bulk(text)) for text in texts) > 90


@pytest.mark.parametrize("kind", SCRIBES)
def test_slips_go_the_ordinary_road(kind: str) -> None:
    planted = next(filter(None, (scribes_slip(kind, seed, 4, "", Rules()) for seed in range(50))))
    # What no `Rules` line says is not canonical; said, the rest of the text is.
    text = planted.text.replace("\nSeat 1:", "\nRules: ante 1, comet 1, card 1\nSeat 1:", 1).rstrip("\n") + "\n\n"
    clean = Night(3, PLAYERS[:4], items="ante 1, comet 1, card 1").text(2)
    assert [*bulk((text + clean).encode())] == [text.count("\n") + 1]


def test_opening_line_above_leaves_a_session_to_the_ordinary_road() -> None:
    night = Night(1, PLAYERS[:3], items="ante 1, comet 1, card 1", ident="twice").text(1)
    text = f"Comet session twice\n\n{night}".encode()
    told, faulty = ordinary(text)
    assert len(told) == 1 and faulty, "the opening line stands twice (E107)"
    assert not bulk(text) and not bulk(text, 16)
    text = f"{night.replace('twice', 'once')[:-1]}{night.partition(chr(10))[0]}\n\n{night}".encode()
    _, faulty = ordinary(text)
    assert faulty and [*bulk(text)] == [*bulk(text, 16)] == [1], "the session above is whole without its blank line"


def test_beginning_of_a_line_below_is_a_fault_of_the_session_above() -> None:
    night = Night(1, PLAYERS[:3], items="ante 1, comet 1, card 1").text(1)
    for end in ("Comet session ", "Comet session \N{NO-BREAK SPACE}"):
        text = (night + end).encode()
        _, faulty = ordinary(text)
        assert faulty == {1} and not bulk(text) and not bulk(text, 64)
    text = (night + "Comet session x").encode()
    assert len(bulk(text)) == len(bulk(text, 64)) == 1


def test_last_session_may_lack_its_blank_line_and_other_text_not() -> None:
    assert len(bulk(PROCOPE.encode())) == 1
    assert not bulk(PROCOPE.encode()[:-1])
    assert not bulk(b"# by Ben\n" + PROCOPE.encode())


@pytest.mark.parametrize("size", [1, 20, 100, 5000])
def test_chunks_are_the_stream_cut_at_its_sessions(size: int) -> None:
    text = "".join(evening(seed, 1) for seed in range(5)).encode()
    found = list(chunks(io.BytesIO(text), size))
    assert b"".join(chunk.text for chunk in found) == text
    assert all(chunk.text.startswith(b"Comet session ") and chunk.text.endswith(b"\n\n") for chunk in found)
    assert [chunk.at for chunk in found] == [text.index(chunk.text) for chunk in found]


def test_uncompiled_the_kernel_tells_the_same(tmp_path: Path) -> None:
    """The same files, run as plain Python where no `cython` can be imported."""
    package = Path(__file__).parents[1] / "comet_hist"
    with zipfile.ZipFile(tmp_path / "plain.zip", "w") as plain:
        for file in package.rglob("*"):
            if file.suffix in (".py", ".toml"):
                plain.write(file, Path("comet_hist") / file.relative_to(package))
        for file in (package.parent / "grammars").iterdir():
            plain.write(file, f"comet_hist/grammars/{file.name}")
    with zipfile.ZipFile(tmp_path / "plain.zip") as plain:
        plain.extractall(tmp_path)
    text = "".join(evening(seed, 1) for seed in range(3)).encode()
    (tmp_path / "x.comet").write_bytes(text)
    program = (
        "import sys; sys.modules['cython'] = None; sys.path[:0] = [sys.argv[1], sys.argv[2]]\n"
        "from pathlib import Path; from lanes import bulk; from comet_hist.bulk import kernel\n"
        "assert not kernel.is_compiled(), kernel.__file__\n"
        "import random; from compare_lanes import compare, with_slips\n"
        "slips = compare(with_slips(random.Random(1), 2)); assert slips.by_hand and not slips.differences, slips\n"
        "print(bulk(Path(sys.argv[1], 'x.comet').read_bytes()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path, Path(__file__).parent], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(bulk(text))

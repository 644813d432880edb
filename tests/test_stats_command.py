"""`comet-hist stats`: its views, filters and formats on two small nights."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nights import PROCOPE

from comet_hist.cli.app import comet_hist
from comet_hist.cli.status import Status
from comet_hist.stats.columns import VIEWS

COMMAND = Path(sys.executable).with_name("comet-hist")

SECOND = PROCOPE.replace("procope-2026-11-28", "second").replace("2026-11-28", "2026-12-05").replace("Emil", "Emile")
UNDATED = "\n".join(
    line for line in PROCOPE.replace("procope-2026-11-28", "undated").split("\n") if not line.startswith("Date")
)


@pytest.fixture
def nights(tmp_path: Path) -> Path:
    folder = tmp_path / "nights"
    folder.mkdir()
    for name, text in (("a", PROCOPE), ("b", SECOND), ("c", UNDATED)):
        (folder / f"{name}.comet").write_text(text, encoding="utf-8")
    return folder


def stats(*arguments: str | Path) -> Result:
    return CliRunner().invoke(comet_hist, ["stats", *map(str, arguments)])


def rows(*arguments: str | Path) -> list[dict[str, Any]]:
    done = stats(*arguments, "--format", "json")
    assert done.exit_code == Status.CLEAN, done.stderr
    answer = json.loads(done.stdout)
    return answer["rows"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("form", ["table", "csv", "json", "jsonl", "markdown"])
def test_every_view_in_every_format(view: str, form: str, nights: Path) -> None:
    done = stats(view, nights, "--format", form)
    assert done.exit_code == Status.CLEAN
    assert done.stdout.count("\n") > 3 and "3 sessions" not in done.stdout


@pytest.mark.parametrize("view", VIEWS)
def test_json_says_what_its_columns_mean(view: str, nights: Path) -> None:
    answer = json.loads(stats(view, nights, "--format", "json").stdout)
    assert answer["view"] == view
    assert answer["columns"] == [{"name": each.name, "meaning": each.meaning} for each in VIEWS[view].columns]
    assert all(list(row) == [each.name for each in VIEWS[view].columns] for row in answer["rows"])


def test_filters(nights: Path) -> None:
    def hands(*arguments: str) -> dict[str, int]:
        return {row["player"]: row["hands"] for row in rows("players", nights, *arguments)}

    assert hands() == {"Cleo": 3, "Ben": 3, "Emil": 2, "Emile": 1}
    assert hands("--session", "second") == {"Cleo": 1, "Ben": 1, "Emile": 1}
    assert hands("--since", "2026-12-01") == {"Cleo": 1, "Ben": 1, "Emile": 1}
    assert hands("--until", "2026-11-28") == {"Cleo": 1, "Ben": 1, "Emil": 1}
    assert hands("--player", "Ben", "--player", "Emil") == {"Ben": 3, "Emil": 2}
    assert hands("--min-hands", "2") == {"Cleo": 3, "Ben": 3, "Emil": 2}
    assert hands("--size", "4") == {}
    assert hands("--game", "quatre") == {}


def test_sessions_of_one_day_stand_in_the_order_of_their_times(tmp_path: Path) -> None:
    """Noon before evening, whatever their names, by either lane; one without a time at the end of its day."""
    head, rest = PROCOPE.split("\n", 2)[0].replace("procope-2026-11-28", "{}"), PROCOPE.split("\n", 2)[2]
    assert "Date: 2026-11-28" in PROCOPE.split("\n")[1]
    night = f"{head}\nDate: 2026-11-28{{}}\n{rest}"
    times = {"z": " 09:00", "b": " 20:15:30 +01:00", "c": " 20:15", "a": "", "d": " 09:00"}
    (tmp_path / "x.comet").write_text("".join(night.format(ident, time) for ident, time in times.items()))
    for view in ("sessions", "timeline"):
        found = dict.fromkeys(row["session"] for row in rows(view, tmp_path / "x.comet"))
        assert list(found) == ["d", "z", "c", "b", "a"]


def test_sessions_without_a_date_are_said_to_be_left_out(nights: Path) -> None:
    assert "1 session without a date left out" in stats(nights, "--since", "2026-01-01").stderr
    assert "without a date" not in stats(nights).stderr


def test_the_same_person_under_several_spellings(nights: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.toml"
    names.write_text('"Emil" = ["Emile"]\n', encoding="utf-8")
    found = rows("players", nights, "--alias", names)
    assert {row["player"]: row["hands"] for row in found} == {"Cleo": 3, "Ben": 3, "Emil": 3}
    assert [row["player"] for row in rows("players", nights, "--alias", names, "--player", "Emil")] == ["Emil"]
    done = stats(nights, "--alias", names, "--player", "Emile")
    assert (done.exit_code, done.stderr.count("\n")) == (Status.USAGE, 1)
    assert "did you mean “Emil”?" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"Emil" = ["Ben"]', "“Ben” and “Emil” cannot both be Emil: they play in one hand, hand 1 of session “procope"),
        ('"Emil" = "Emile"', "takes a list of spellings"),
        ('"Emil" = ["X"]\n"Ben" = ["X"]', "“X” is given to two persons"),
        ('"Emil" = ["Ben"]\n"Ben" = ["X"]', "“Ben” is a person, and also a spelling of “Emil”"),
        ("Emil = [", "is not TOML"),
        ('"" = ["Ben"]', "“” has an empty name"),
        ('"Emil" = ["Ben", ""]', "“Emil” has an empty name"),
        ("Emil = " + "[" * 100_000, "nested too deeply"),
    ],
)
def test_aliases_that_cannot_be(text: str, message: str, nights: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.toml"
    names.write_text(text, encoding="utf-8")
    done = stats(nights, "--alias", names)
    assert done.exit_code == Status.USAGE
    assert message in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""


def test_spellings_that_nobody_bears_are_named(nights: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.toml"
    names.write_text('\ufeff"Emile" = ["Emil", "Emli"]', encoding="utf-8")
    for command in ("stats", "analyze", "audit", "plot timeline --terminal"):
        done = CliRunner().invoke(comet_hist, [*command.split(), str(nights), "--alias", str(names)])
        assert done.exit_code == Status.CLEAN and "Emli" not in done.stdout, command
        assert "comet-hist: --alias: no player is called “Emli”\n" in done.stderr, command
    names.write_text('"Emile" = ["Emil"]', encoding="utf-8")
    assert "--alias" not in stats(nights, "--alias", names).stderr


def test_file_of_aliases_may_be_a_pipe_but_no_device(nights: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "is a pipe from which nothing comes" in stats(nights, "--alias", pipe).stderr
    assert "is a pipe or a device; give a regular file" in stats(nights, "--alias", "/dev/zero").stderr
    command = f'"{COMMAND}" stats "{nights}" --columns player --alias <(echo \'"Zoe" = ["Emil"]\')'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == Status.CLEAN and done.stdout.split()[2:] == ["Cleo", "Ben", "Emile", "Zoe"]


def test_order_and_cuts(nights: Path) -> None:
    down = [row["net"] for row in rows("players", nights, "--sort", "net", "--desc")]
    assert down == sorted(down, reverse=True)
    assert [row["net"] for row in rows("players", nights, "--sort", "net")] == down[::-1]
    # Whoever was never dealt the Comet has no rate, and comes last either way.
    for direction in ([], ["--desc"]):
        rates = [row["comet_play_rate"] for row in rows("players", nights, "--sort", "comet_play_rate", *direction)]
        assert rates[0] is not None and rates[-1] is None
    done = stats(nights, "--limit", "2", "--columns", "net,player", "--format", "csv")
    assert done.stdout.split("\n")[0] == "net,player" and done.stdout.count("\n") == 3
    assert "the first 2 of 4 rows" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sort", "nett"], "players has no column “nett”; did you mean “net”?"),
        (["--columns", "player,hnads"], "did you mean “hands”?"),
        (["--columns", "net,net"], "--columns names a column twice"),
        (["--desc"], "--desc goes with --sort COLUMN"),
        (["--player", "Bne"], "there is no player “Bne”; did you mean “Ben”?"),
        (["--session", "secnd"], "there is no session “secnd”; did you mean “second”?"),
        (["--since", "28.11.2026"], "“28.11.2026” is no day; write it like 2026-11-28"),
        (["--since", "2026-12-01", "--until", "2026-11-01"], "lies before"),
    ],
)
def test_what_cannot_be_asked(arguments: list[str], message: str, nights: Path) -> None:
    done = stats(nights, *arguments)
    assert (done.exit_code, done.stdout) == (Status.USAGE, "")
    assert message in done.stderr


def test_pairs_are_squares_for_people(nights: Path) -> None:
    done = stats("pairs", nights, "--session", "second")
    lines = [line.split() for line in done.stdout.strip().split("\n\n")[3].split("\n")]
    assert lines[0] == ["paid:", "from", "to", "Ben", "to", "Cleo", "to", "Emile", "all"]
    paid = {(row["payer"], row["payee"]): row["paid"] for row in rows("pairs", nights, "--session", "second")}
    assert [int(cell) for cell in lines[2][1:3]] == [paid["Ben", "Cleo"], paid["Ben", "Emile"]]
    assert lines[-1][-1] == str(sum(paid.values()))
    assert "payer" in stats("pairs", nights, "--limit", "3").stdout


def test_the_pair_turned_round_is_the_negative(nights: Path) -> None:
    balance = {(row["payer"], row["payee"]): row["balance"] for row in rows("pairs", nights)}
    assert balance and all(balance[payee, payer] == -won for (payer, payee), won in balance.items())

"""The paths that the installed command is given: pipes, folders with entries that cannot be read, links, names."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nights import Night

from comet_hist.cli.app import comet_hist

COMMAND = Path(sys.executable).with_name("comet-hist")


def text(ident: str) -> str:
    return Night(sum(map(ord, ident)), ["Ada", "Ben", "Cleo"], ident=ident).text(2)


def run(*arguments: str | Path, **extra: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60, **extra)


def sessions(*arguments: str | Path) -> tuple[list[str], list[str]]:
    """Return the sessions that the paths hold by an audit, and what was complained of."""
    done = run("audit", *arguments, "--format", "json")
    complaints = [line for line in done.stderr.splitlines() if line.startswith("comet-hist: ")]
    assert done.returncode == (2 if complaints else 0)
    return [session["session"] for session in json.loads(done.stdout)["sessions"]], complaints


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two nights, one of them in a folder below."""
    folder = tmp_path / "nights"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.comet").write_text(text("a"))
    (folder / "sub" / "c.comet").write_text(text("c"))
    return folder


# Pipes


def test_pipe_given_as_a_path_is_loaded_once_and_whole(folder: Path, tmp_path: Path) -> None:
    database = tmp_path / "x.duckdb"
    script = f'"{COMMAND}" load <(cat "{folder}/a.comet") <(cat "{folder}/sub/c.comet") --db "{database}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr.count("loaded 1 session with 2 hands") == 2
    again = run("load", "/dev/stdin", "--db", database, input=text("a"))
    assert again.stderr.startswith("/dev/stdin: already loaded, nothing changed")
    # It is no place that could be loaded again: what comes from it never replaces.
    changed = run("load", "/dev/stdin", "--db", database, input=text("a").replace("Date: ", "Place: Here\nDate: ", 1))
    assert changed.returncode == 1 and "E206" in changed.stdout
    done = run("query", "SELECT path, hands FROM sources ORDER BY source", "--db", database, "--format", "csv")
    assert done.stdout == "path,hands\n'-,2\n'-,2\n'-,0\n"


@pytest.mark.parametrize("command", ["check", "analyze", "stats", "audit", "fmt"])
def test_named_pipe_is_read(folder: Path, command: str) -> None:
    pipe = folder.with_name("pipe.comet")
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", folder / "a.comet", pipe]):
        done = run(command, pipe)
    assert done.returncode == 0
    if command in ("analyze", "check"):
        assert "1 file, 1 session, 2 hands" in done.stdout + done.stderr
    else:
        assert "Ada" in done.stdout


def test_pipe_in_a_folder_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.comet")
    assert sessions(folder) == (["a", "c"], [])
    assert sessions(str(folder / "*")) == (["a", "c"], [])


# Folders


def test_entry_that_cannot_be_read_hides_no_other(folder: Path) -> None:
    (folder / "aa.comet").symlink_to("nowhere")
    (folder / "round.comet").symlink_to("round.comet")
    found, complaints = sessions(folder)
    assert found == ["a", "c"]
    assert [line.split(": cannot be read: ")[0] for line in complaints] == [
        f"comet-hist: {folder}/aa.comet", f"comet-hist: {folder}/round.comet",
    ]  # fmt: skip
    assert sessions(str(folder / "*.comet"))[0] == ["a"]
    assert len(sessions(str(folder / "*.comet"))[1]) == 2


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may read everything")
def test_file_and_folder_without_permission_hide_no_other() -> None:
    # Root has to become somebody else, who may not search the folders of pytest.
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    if subprocess.run([*drop, COMMAND, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("the command lies where nobody but root may go")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for ident in ("a", "aa", "b"):
            (folder / f"{ident}.comet").write_text(text(ident))
        (folder / "aa.comet").chmod(0)
        (folder / "sub").mkdir(mode=0)
        done = subprocess.run([*drop, COMMAND, "audit", folder, "--format", "json"], capture_output=True, check=False)
        named = [*drop, COMMAND, "check", folder / "aa.comet", folder / "a.comet"]
        one = subprocess.run(named, capture_output=True, text=True, check=False)
    assert one.returncode == done.returncode == 2
    assert "aa.comet: cannot be read: Permission denied\n1 file, 1 session, 2 hands" in one.stderr
    assert [session["session"] for session in json.loads(done.stdout)["sessions"]] == ["a", "b"]
    assert sorted(done.stderr.decode().splitlines()) == [
        f"comet-hist: {folder}/aa.comet: cannot be read: Permission denied",
        f"comet-hist: {folder}/sub: cannot be read: Permission denied",
    ]


def test_linked_folders_are_followed_and_circles_end(folder: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    (old / "z.comet").write_text(text("z"))
    (folder / "old").symlink_to(old)
    (folder / "sub" / "up").symlink_to(folder)
    assert sessions(folder) == (["a", "z", "c"], [])


def test_glob_ends_where_links_loop(folder: Path) -> None:
    for number in range(3):
        (folder / "sub" / f"a{number}").symlink_to(folder)
        (folder / f"z{number}").symlink_to(folder / "sub")
    for pattern in ("**", "*/**/*"):
        done = run("check", f"{folder}/{pattern}")
        assert done.returncode == 0 and "2 files, 2 sessions" in done.stderr, pattern
    assert sessions(f"{folder}/**/*.comet") == (["a", "c"], [])


def test_file_of_several_names_is_read_once(folder: Path) -> None:
    (folder / "link.comet").symlink_to("a.comet")
    (folder / "hard.comet").hardlink_to(folder / "a.comet")
    assert sessions(folder, folder / "link.comet", f"{folder}/sub/../a.comet") == (["a", "c"], [])


def test_glob_that_finds_no_history_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("check", f"{tmp_path}/*")
    assert done.returncode == 2 and f"{tmp_path}/*: no file matches" in done.stderr


# What is in a file


@pytest.mark.parametrize("content", [b"", b"\n# nothing\n"])
def test_file_without_a_session_says_so(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "empty.comet"
    file.write_bytes(content)
    for command in (["check"], ["audit"], ["analyze"], ["stats"], ["load", "--db", tmp_path / "x.duckdb"]):
        done = CliRunner().invoke(comet_hist, [*map(str, command), str(file)])
        assert f"comet-hist: there is no session in {file}\n" in done.stderr, command
        assert done.exit_code == 0


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_endless_device_is_no_json(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"x.{suffix}").symlink_to("/dev/zero")
    done = run("check", f"x.{suffix}", cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith(f"comet-hist: x.{suffix}:1:1: is not JSON: ")


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_compressed_file_without_content_or_with_more_is_broken(folder: Path, suffix: str) -> None:
    file = folder / f"x.comet.{suffix}"
    file.write_bytes(b"")
    done = run("check", folder)
    assert done.returncode == 2 and "2 files, 2 sessions" in done.stderr
    assert f"{file}: cannot be read: it is empty, which no compressed file is" in done.stderr
    done = run("simulate", "-o", file)
    with file.open("ab") as end:
        end.write(b"x")
    done = run("check", file)
    assert done.returncode == 2 and "cannot be read" in done.stderr and "1 file, 1 session" in done.stderr


def test_database_given_as_a_history_is_recognised(folder: Path, tmp_path: Path) -> None:
    database = tmp_path / "n.duckdb"
    run("load", folder, "--db", database)
    for command in (["check"], ["analyze"], ["stats"], ["load", "--db", tmp_path / "x.duckdb"]):
        done = CliRunner().invoke(comet_hist, [*map(str, command), str(database)])
        assert done.exit_code == 2
        assert f"comet-hist: {database}: is a database, not a history; give it by --db\n" in done.stderr
    assert not (tmp_path / "x.duckdb").exists()
    assert run("analyze", database).stdout == ""


def test_line_end_in_a_name_makes_no_second_line(tmp_path: Path) -> None:
    for arguments in (["check", "a\nb"], ["query", "FROM hands", "--db", "a\nb"], ["load", "a\nb", "--db", "x"]):
        done = run(*arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert sum(line.startswith("comet-hist: a\\x0ab: ") for line in done.stderr.splitlines()) == 1
        assert "\nb" not in done.stderr


def test_a_device_without_end_is_not_kept(tmp_path: Path) -> None:
    database = tmp_path / "nights.duckdb"
    done = run("load", "/dev/zero", "--db", database)
    assert done.returncode == 1
    assert "/dev/zero: nothing to load" in done.stderr and not database.exists()

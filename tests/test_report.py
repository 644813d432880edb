"""The page: whole in itself, harmless whatever players are called, and with the numbers of the statistics."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from nights import PROCOPE, Night

from comet_hist.audit.period import session_debts as debts_by_audit
from comet_hist.cli.app import comet_hist
from comet_hist.judge import Judge
from comet_hist.notation import read
from comet_hist.report.chosen import MOST_REPLAYED
from comet_hist.report.debts import session_debts
from comet_hist.report.findings import MOST_FINDINGS
from comet_hist.store.load import Loader

SAMPLES = Path(__file__).parent.parent / "samples"
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"]
VOID = {"meta", "br", "input", "img", "link", "hr"}


def run(*arguments: str | Path, **extra: Any) -> Result:
    return CliRunner().invoke(comet_hist, [str(argument) for argument in arguments], **extra)


def report(*arguments: str | Path) -> str:
    """Return the page that a command without errors in its histories makes."""
    done = run("report", *arguments)
    assert done.exit_code in (0, 1), done.output
    return done.stdout


class Reader(HTMLParser):
    """Reads a page as a browser does: elements with their attributes, its text, the rows of each table by its id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element in, and a row or a cell with it."""
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "span" and "caption" in self.open:
            self.tables[attributes["id"] or ""] = []
        if tag == "tr":
            self._rows().append([])
        if tag in ("th", "td"):
            self._rows()[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Hold every end against its beginning."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Take text in, which belongs to the cell it stands in."""
        if not {"script", "style"} & set(self.open):
            self.text.append(data)
        if {"th", "td"} & set(self.open):
            self._rows()[-1][-1] += data

    def _rows(self) -> list[list[str]]:
        return list(self.tables.values())[-1]


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with three nights, the last of which has a slip; nobody changes it."""
    folder = tmp_path_factory.mktemp("report") / "nights"
    folder.mkdir()
    for number in range(1, 4):
        text = Night(number, NAMES[: number + 2], ident=f"night-{number}").text(4)
        text = text.replace("2026-03-14", f"2026-03-1{number}")
        (folder / f"{number}.comet").write_text(text.replace("Stacks: Ada ", "Stacks: Ada 1", 1 if number == 3 else 0))
    return folder


@pytest.fixture(scope="module")
def page(nights: Path) -> str:
    """Return the page of these nights."""
    return report(nights)


# Whole in itself


def test_the_page_loads_nothing(page: str) -> None:
    for tag, attributes in Reader(page).elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        if tag == "a":
            assert (attributes["href"] or "").startswith("#")
    assert "@import" not in page
    assert not re.search(r"url\((?!['\"]?#)", page)


def test_its_own_script_alone_may_run(page: str) -> None:
    import base64
    import hashlib

    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 1
    policy = next(a["content"] for tag, a in Reader(page).elements if a.get("http-equiv") == "Content-Security-Policy")
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_ids_are_there_once_and_links_lead_somewhere(page: str) -> None:
    elements = Reader(page).elements
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    plain = [a["href"] for tag, a in elements if tag == "a" and "/" not in (a["href"] or "")]
    assert plain
    assert {href[1:] for href in plain if href} <= set(ids)
    labels = [(a["aria-labelledby"] or "").split() for _, a in elements if "aria-labelledby" in a]
    assert labels
    assert {label for several in labels for label in several} <= set(ids)


def test_headings_are_in_order(page: str) -> None:
    levels = [int(tag[1]) for tag, _ in Reader(page).elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_has_its_caption_and_scopes(page: str) -> None:
    reader = Reader(page)
    tags = [tag for tag, _ in reader.elements]
    assert tags.count("table") == tags.count("caption") == len(reader.tables)
    assert all("scope" in attributes for tag, attributes in reader.elements if tag == "th")


def test_the_same_histories_give_the_same_page(nights: Path, page: str, tmp_path: Path) -> None:
    database = tmp_path / "nights.duckdb"
    assert run("load", nights, "--db", database).exit_code == 1
    done = run("report", "--db", database, "-o", tmp_path / "nights.html")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "nights.html").read_text(encoding="utf-8") == page


# Names and texts


WILD = ['<script>alert("1")</script>', "</script>", "<!--", "&lt;b&gt;", "a'b", "<img src=x>", "{{ 7 * 7 }}"]


def test_a_player_called_script_stays_a_name(tmp_path: Path) -> None:
    text = PROCOPE
    for name, wild in zip(("Cleo", "Emil", "Ben"), WILD, strict=False):
        quoted = wild.replace('"', '\\"')
        text = text.replace(name, f'"{quoted}"')
    text = text.replace("procope-2026-11-28", '"</script><b>"').replace("Stacks: ", "Stacks: Nobody 1, ")
    night = tmp_path / "night.comet"
    night.write_text(text)
    reader = Reader(report(night))
    standings = [row[0] for row in reader.tables["standings-table"][1:]]
    assert sorted(standings) == sorted(WILD[:3])
    assert [tag for tag, _ in reader.elements].count("script") == 2
    assert "b" not in [tag for tag, _ in reader.elements]
    assert "</script><b>" in "".join(reader.text)


def test_any_text_is_only_text(tmp_path: Path) -> None:
    text = Night(1, NAMES).text(2)
    plain, other = tmp_path / "plain.comet", tmp_path / "other.comet"
    plain.write_text(text)
    for name, wild in zip(NAMES, WILD[1:], strict=True):
        quoted = wild.replace('"', '\\"')
        text = text.replace(name, f'"{quoted}"')
    other.write_text(text)
    pages = [Reader(report(file)) for file in (plain, other)]
    # Longer names turn the words of a picture, and add nothing else.
    tags = [Counter(tag for tag, _ in page.elements) for page in pages]
    assert tags[0] == tags[1]
    assert {row[0] for row in pages[1].tables["standings-table"][1:]} == set(WILD[1:])


# The numbers


@pytest.mark.parametrize(
    "options", [(), ("--include-faulty", "--as-recorded"), ("--player", "Ada", "--since", "2026-03-12")]
)
def test_numbers_are_those_of_stats(options: tuple[str, ...], nights: Path) -> None:
    tables = Reader(report(nights, *options)).tables
    for view, ids in (("players", ["standings-table"]), ("comet", ["comet-table"]), ("sessions", ["sessions-table"])):
        shown = run("stats", view, nights, *options, "--format", "markdown").stdout.splitlines()
        named = [re.split(r"(?<!\\)\|", line)[1:-1] for line in shown if line.startswith("|")]
        heads = [cell.strip().replace("\\", "").replace("_", " ") for cell in named[0]]
        cells = [[cell.strip().replace("\\", "") for cell in line] for line in named[2:]]
        wanted = [dict(zip(heads, line, strict=True)) for line in cells]
        for identifier in ids:
            head, *rows = tables[identifier]
            found = [dict(zip(head, row, strict=True)) for row in rows if len(row) == len(head)]
            assert len(found) == len(wanted)
            for row in found:
                assert any(row.items() <= other.items() for other in wanted), row


def test_a_square_holds_what_each_paid_each(nights: Path, page: str) -> None:
    pairs = json.loads(run("stats", "pairs", nights, "--format", "json").stdout)["rows"]
    head, *rows, total = Reader(page).tables["pairs-table-1"]
    people = [name.removeprefix("to ") for name in head[1:-1]]
    square = {(row[0], other): cell for row in rows for other, cell in zip(people, row[1:], strict=False)}
    for pair in pairs:
        assert square.pop((pair["payer"], pair["payee"])) == str(pair["paid"])
    assert set(square.values()) <= {""}
    assert total[-1] == str(sum(pair["paid"] for pair in pairs))


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), players=st.integers(2, 6), price=st.sampled_from(["", "chip 0.05 EUR"]))
def test_debts_are_those_of_the_audit(seed: int, players: int, price: str) -> None:
    text = Night(seed, NAMES[:players], items=price, ident="night").text(3)
    text += "Pay transfer: Ada 3 -> Ben\n" if seed % 2 else ""
    with Loader(None) as loader:
        with loader.file("night.comet", "0" * 64, len(text)) as load:
            (judged,) = Judge().judge(read(BytesIO(text.encode()), "night.comet"))
            load.add(judged)
        found = session_debts(loader.connection, ["night"], {})
    assert judged.session and judged.audit
    wanted = debts_by_audit(judged.session.rules, judged.audit)
    if wanted.money is not None:
        due = [(payer, payee, f"{amount} EUR") for payer, payee, amount in wanted.money.settle]
    else:
        due = [(payee, payer, f"for {chips}") for payer, payee, chips in wanted.chips.transfers]
    got = [(debt.payer, debt.payee, re.split(r" \(| chip", debt.amount)[0]) for debt in found.sessions["night"].debts]
    assert got == due
    assert [settled.debts for settled in found.together] == [found.sessions["night"].debts]


def test_debts_are_partial_where_a_hand_is_not_in_the_database() -> None:
    text = Night(3, NAMES[:3], ident="night").text(3)
    for renumbered, partial in ((text, False), (text.replace("Hand 3", "Hand 1"), True)):
        with Loader(None) as loader:
            with loader.file("night.comet", "0" * 64, len(text)) as load:
                (judged,) = Judge().judge(read(BytesIO(renumbered.encode()), "night.comet"))
                load.add(judged)
            assert (session_debts(loader.connection, ["night"], {}).partial == {"night"}) is partial


def test_debts_of_several_sessions_are_added_up(nights: Path, page: str) -> None:
    net: dict[str, int] = {}
    for row in json.loads(run("stats", "players", nights, "--format", "json", "--include-faulty").stdout)["rows"]:
        net[row["player"]] = row["net"]
    together = page[page.index("3 sessions together, in chips") : page.index("Session by session")]
    for payer, payee, chips in re.findall(r"<bdi>(\w+)</bdi> pays <bdi>(\w+)</bdi> for (\d+) chip", together):
        net[payer] += int(chips)
        net[payee] -= int(chips)
    assert set(net.values()) == {0}


# Findings and their lines


def test_a_finding_stands_beside_its_line(nights: Path, page: str) -> None:
    (finding,) = [line for line in run("audit", nights, "--format", "jsonl").stdout.splitlines() if '"E507"' in line]
    wanted = next(found for found in json.loads(finding)["findings"] if found["code"] == "E507")
    line = (nights / "3.comet").read_text().splitlines()[wanted["line"] - 1]
    marked = line[wanted["column"] - 1 : wanted["end_column"] - 1]
    assert f"<mark>{marked}</mark>" in page
    assert f"line {wanted['line']}, column {wanted['column']}" in page
    assert '<span class="path">3.comet</span>' in page


def test_a_line_is_not_shown_of_a_file_that_has_changed(nights: Path, tmp_path: Path) -> None:
    database, file = tmp_path / "nights.duckdb", tmp_path / "night.comet"
    file.write_text((nights / "3.comet").read_text())
    run("load", file, "--db", database)
    with file.open("a") as night:
        night.write("# later\n")
    changed = report("--db", database)
    assert "the file has changed since it was loaded" in changed
    file.unlink()
    gone = report("--db", database)
    assert "the file cannot be read any more" in gone
    assert "<mark>" not in changed + gone
    assert "E507" in gone


def test_findings_are_cut_visibly(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    file.write_text(PROCOPE + "Nonsense\nPay transfer: Emil 1 -> Cleo\n" * (MOST_FINDINGS + 1))
    page = report(file)
    assert f"The first {MOST_FINDINGS} of " in page
    assert page.count("<pre>") == MOST_FINDINGS


# Hands to step through


def test_the_latest_sessions_can_be_replayed(tmp_path: Path) -> None:
    half = MOST_REPLAYED // 2 + 1
    nights = "".join(
        Night(number, NAMES[:2], ident=f"night-{number}").text(half).replace("2026-03-14", f"2026-03-1{number}")
        for number in (1, 2)
    )
    file = tmp_path / "nights.comet"
    file.write_text(nights)
    done = run("report", file)
    assert f"The latest 1 of 2 sessions can be replayed here, {half} hands" in done.stdout
    assert f"The latest 1 of 2 sessions can be replayed here, {half} hands" in done.stderr
    assert 'href="#night-2/' in done.stdout
    assert 'href="#night-1/' not in done.stdout
    chosen = run("report", file, "--replay", "night-1")
    assert f"1 of 2 sessions can be replayed here, {half} hands: night-1." in chosen.stdout
    assert 'href="#night-2/' not in chosen.stdout


def test_sizes(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    file.write_text(Night(1, NAMES[:6]).text(20))
    assert len(report(file).encode()) < 1_500_000


# Wrong usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give histories (PATH...) or a database (--db FILE)"),
        (("nights", "--db", "nights.duckdb"), "not both"),
        (("nights", "--replay", "night-33"), "there is no session “night-33” to replay; did you mean “night-3”?"),
        (("nights", "-o", "."), "is a folder"),
        (("nothing.comet",), "there is nothing to show"),
        (("nights", "-o", "no/such/night.html"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: tuple[str, ...], said: str, nights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(nights.parent)
    done = run("report", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not done.stdout


def test_an_empty_page_says_so(tmp_path: Path) -> None:
    file = tmp_path / "night.comet"
    file.write_text(PROCOPE.replace("Stacks: Cleo 45, Emil 35, Ben 40", "Void: a card was missing"))
    page = report(file)
    assert "0 of 1 hand" in page
    assert "Standings" not in page


def test_what_cannot_be_seen_is_shown_and_names_keep_their_direction(tmp_path: Path) -> None:
    night = tmp_path / "night.comet"
    text = PROCOPE.replace("Cleo", '"דנה כהן"').replace("procope-2026-11-28", '"ליל 7"')
    night.write_text(text + "\nComet session slip\nRum: \t\x1b[2J\u202eBen\x9b\n", encoding="utf-8")
    page = report(night)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e]", page)
    assert "<mark>Rum</mark>: \t\\x1b[2J\\u202eBen\\x9b</code>" in page
    assert '<th scope="row" class="text"><bdi>דנה כהן</bdi></th>' in page
    assert '"><bdi>ליל</bdi> 7 · ' in page
    assert "\u2068דנה כהן\u2069, 1 hand" in page

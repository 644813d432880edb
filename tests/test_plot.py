"""Pictures: each view in each format by the real command, names that stay names, labels that do not overlap."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import combinations, pairwise
from math import dist
from operator import mul
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from nights import Night

from comet_hist.cli.app import comet_hist
from comet_hist.pictures import ENDINGS, VIEWS
from comet_hist.pictures.charts import PICTURES
from comet_hist.pictures.colours import DASHES, PAPER, PARTS, SERIES
from comet_hist.pictures.labels import columns, short_names, signed, spread
from comet_hist.pictures.style import COLUMN, TEXT
from comet_hist.pictures.timeline import MOST_NAMED, MOST_POINTS, thinned, timeline
from comet_hist.pictures.write import svg
from comet_hist.store.query import Table

NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"]
WILD = [
    "<script>alert(1)</script>",
    "${datum} {{x}} %(y)s",
    'datum["net"]; 1/0',
    "中村さくら😀",
    "Maximilian-Alexander zu Hohenlohe-Öhringen",
    "Maximilian-Alexander zu Hohenlohe-Langenburg",
]
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments: str | Path, **extra: Any) -> Result:
    return CliRunner().invoke(comet_hist, [str(argument) for argument in arguments], **extra)


def write_night(path: Path, names: list[str], hands: int) -> Path:
    text = Night(5, NAMES[: len(names)], ident=path.stem).text(hands)
    for plain, name in zip(NAMES, names, strict=False):
        text = re.sub(rf"\b{plain}\b", lambda _, name=name: json.dumps(name, ensure_ascii=False), text)  # type: ignore[misc]
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of two nights, one of them of players with wild names; nobody changes it."""
    folder = tmp_path_factory.mktemp("plot")
    file = folder / "nights.duckdb"
    nights = [write_night(folder / "plain.comet", NAMES, 8), write_night(folder / "wild.comet", WILD, 6)]
    done = run("load", *nights, "--db", file)
    assert done.exit_code == 0, done.output
    return file


def timeline_table(ends: list[int], hands: int = 5) -> Table:
    """Return a timeline in which each player wins so much, evenly, in two sessions."""
    rows = [
        (hand, "one" if hand <= hands // 2 else "two", None, hand, f"Player {at}", 0, 0, end * hand // hands)
        for hand in range(1, hands + 1)
        for at, end in enumerate(ends)
    ]
    return Table(["number", "session", "date", "hand", "player", "net", "session_net", "total_net"], rows)


# What the command writes


@pytest.mark.parametrize("view", VIEWS)
def test_png(view: str, database: Path, tmp_path: Path) -> None:
    for ending in (".png", ".svg"):
        done = run("plot", view, "--db", database, "-o", tmp_path / f"it{ending}")
        assert (done.exit_code, done.stdout) == (0, "")
    content = (tmp_path / "it.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content.endswith(b"IEND\xaeB\x60\x82")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    drawing = ElementTree.parse(tmp_path / "it.svg").getroot()
    assert width == pytest.approx(2 * float(drawing.attrib["width"]), abs=2)
    assert height == pytest.approx(2 * float(drawing.attrib["height"]), abs=2)


@pytest.mark.parametrize("view", [view for view in VIEWS if view != "seats"])
def test_svg_holds_every_name_as_text(view: str, database: Path, tmp_path: Path) -> None:
    assert run("plot", view, "--db", database, "--session", "wild", "-o", tmp_path / "it.svg").exit_code == 0
    drawing = ElementTree.parse(tmp_path / "it.svg").getroot()
    texts = "\n".join("".join(element.itertext()) for element in drawing.iter(f"{SVG}text"))
    dealt = {row["player"] for row in rows_of("players", database, "wild") if row["comet_dealt"] or view != "comet"}
    assert dealt <= set(WILD)
    for name in dealt:
        assert name[:9] in texts, name
    assert not list(drawing.iter(f"{SVG}script"))


def rows_of(view: str, database: Path, session: str) -> list[dict[str, Any]]:
    done = run("stats", view, "--db", database, "--session", session, "--format", "jsonl")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Loads(HTMLParser):
    """Reads a page for its elements, what they load, and its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements = Counter[str]()
        self.loads: list[str | None] = []
        self.policy = ""
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count an element, and note what it loads."""
        self.elements[tag] += 1
        self.loads += [value for name, value in attrs if name in ("src", "href", "action", "data")]
        if tag == "meta" and ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        """Add to the script that was opened last."""
        if self.scripts:
            self.scripts[-1] += data


def test_html_loads_nothing_and_runs_no_name(database: Path, tmp_path: Path) -> None:
    for view in VIEWS:
        assert run("plot", view, "--db", database, "--session", "wild", "-o", tmp_path / "it.html").exit_code == 0
        page = Loads((tmp_path / "it.html").read_text(encoding="utf-8"))
        assert page.loads == []
        assert page.policy.startswith("default-src 'none'")
        assert "http" not in page.policy
        assert page.elements["script"] == 2
        chart, _ = json.JSONDecoder().raw_decode(page.scripts[1].removeprefix('vegaEmbed("#chart", '))
        assert view == "seats" or any(str(value).startswith(WILD[1][:9]) for value in values(chart))
        assert not set(WILD) & set(keys(chart))
        assert expressions(chart) <= {"datum.value > 0 ? '+' + datum.label : datum.label"}


def values(value: Any) -> list[Any]:
    """Return all values of a JSON value that hold no others."""
    if isinstance(value, dict):
        value = list(value.values())
    return [each for part in value for each in values(part)] if isinstance(value, list) else [value]


def expressions(value: Any) -> set[Any]:
    """Return all that a chart would have worked out."""
    if isinstance(value, dict):
        worked_out = ("labelExpr", "calculate", "filter", "expr", "test", "signal")
        own = {str(value[key]) for key in worked_out if key in value}
        return own.union(*map(expressions, value.values()))
    return set().union(*map(expressions, value)) if isinstance(value, list) else set()


def keys(value: Any) -> list[str]:
    """Return all names of fields of a JSON value, and all fields that a chart is made of."""
    if isinstance(value, dict):
        own = [*value, str(value.get("field"))]
        return own + [key for part in value.values() for key in keys(part)]
    return [key for part in value for key in keys(part)] if isinstance(value, list) else []


def test_an_old_file_stays_until_the_new_one_is_whole(database: Path, tmp_path: Path) -> None:
    old = tmp_path / "it.svg"
    old.write_text("old")
    assert run("plot", "players", "--db", database, "--since", "2099-01-01", "-o", old).exit_code == 2
    assert old.read_text() == "old"
    assert run("plot", "players", "--db", database, "-o", old).exit_code == 0
    assert old.read_text().startswith("<svg")
    assert [file.name for file in tmp_path.iterdir()] == ["it.svg"]


# What cannot be drawn


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("form", [("-o", "it.png"), ("--terminal",)])
def test_nothing_to_draw(view: str, form: tuple[str, ...], database: Path, tmp_path: Path) -> None:
    target = [str(tmp_path / part) if part == "it.png" else part for part in form]
    done = run("plot", view, "--db", database, "--size", "2", *target)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"comet-hist: nothing to draw: {PICTURES[view].empty}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["timelin", "--terminal"], "there is no picture “timelin”; did you mean “timeline”?"),
        (["xyz", "--terminal"], "there is no picture “xyz”; there are timeline, comet, seats, pairs, players"),
        (["players"], "give a file to draw into (-o FILE) or --terminal"),
        (["players", "--terminal", "-o", "x.png"], "not both"),
        (["players", "-o", "x.gif"], "-o x.gif: the name of a picture ends in .png, .svg or .html"),
        (["players", "-o", "nowhere/x.png"], "nowhere/x.png: cannot be written: No such file or directory"),
        (["players", "--player", "Adda", "--terminal"], "there is no player “Adda”; did you mean “Ada”?"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], said: str, database: Path) -> None:
    done = run("plot", *arguments, "--db", database)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.output


def test_help_says_in_lines_what_there_is() -> None:
    lines = run("plot", "--help").stdout.splitlines()
    assert [line.split()[0] for line in lines if re.match(r"  [a-z]+ {2,}\S", line)] == list(VIEWS)


# In the terminal


@pytest.mark.parametrize("view", VIEWS)
def test_terminal_in_a_pipe_is_plain(view: str, database: Path) -> None:
    done = run("plot", view, "--db", database, "--session", "wild", "--terminal")
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert max(map(columns, lines)) <= 120
    assert any("…" in line for line in lines) or view in ("seats", "comet")
    coloured = run("plot", view, "--db", database, "--session", "wild", "--terminal", "--color", "always")
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.stdout) == done.stdout
    assert ("\x1b" in coloured.stdout) == (view in ("timeline", "comet"))


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("view", VIEWS)
def test_terminal_keeps_to_its_width(view: str, width: int, database: Path) -> None:
    from comet_hist.stats.run import statistic
    from comet_hist.store.query import connect_readonly

    connection = connect_readonly(database)
    drawn = PICTURES[view].read(statistic(connection, PICTURES[view].view))
    connection.close()
    lines = list(PICTURES[view].lines(drawn, width, False))
    assert max(map(columns, lines)) <= width


def test_terminal_tells_six_apart_by_letters() -> None:
    lines = list(PICTURES["timeline"].lines(timeline(timeline_table([40, 20, 1, 0, -1, -60])), 80, False))
    for letter, chips in zip("ABCDEF", ["+40", "+20", "+1", "0", "−1", "−60"], strict=True):
        assert sum(re.search(rf" {letter} Player \d {re.escape(chips)}$", line) is not None for line in lines) == 1


# Labels


def boxes(drawing: ElementTree.Element) -> list[tuple[float, float, float, float, str]]:
    """Return left, top, right, bottom and words of the level texts of a drawing, as large as they may at most be."""
    found = []

    def go(element: ElementTree.Element, x: float, y: float) -> None:
        moved = re.match(r"translate\(([-\d.e]+),\s*([-\d.e]+)\)(.*)", element.get("transform", ""))
        x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
        if element.tag == f"{SVG}text" and not (moved and "rotate" in moved[3]):
            words = "".join(element.itertext())
            size = float(element.attrib["font-size"].removesuffix("px"))
            wide = columns(words) * size * COLUMN / TEXT
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.get("text-anchor", "start")]
            if words and element.get("opacity") != "0":
                found.append((left, y - size * 0.75, left + wide, y + size * 0.2, words))
        for child in element:
            go(child, x, y)

    go(drawing, 0, 0)
    return found


@pytest.mark.parametrize("ends", [[7, 6, 6, 6, 5, 5], [0] * 6, [500, -500, 499, -499, 498, 0], [9, 9, 9, -9, -9, -9]])
def test_labels_of_six_players_do_not_overlap(ends: list[int]) -> None:
    drawing = ElementTree.fromstring(svg(PICTURES["timeline"].draw(timeline_table(ends)), "c"))
    found = boxes(drawing)
    assert sum(words.startswith("Player ") for *_, words in found) == 6
    overlapping(found)


@pytest.mark.parametrize("session", ["plain", "wild"])
@pytest.mark.parametrize("view", VIEWS)
def test_no_label_covers_another(view: str, session: str, database: Path, tmp_path: Path) -> None:
    assert run("plot", view, "--db", database, "--session", session, "-o", tmp_path / "it.svg").exit_code == 0
    overlapping(boxes(ElementTree.parse(tmp_path / "it.svg").getroot()))


def overlapping(found: list[tuple[float, float, float, float, str]]) -> None:
    for one, other in combinations(found, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


names = st.text(min_size=1, max_size=30).filter(str.strip)


@given(st.lists(names, unique=True, max_size=12), st.integers(8, 30))
def test_short_names_fit_and_differ(given_names: list[str], room: int) -> None:
    short = short_names(given_names, room)
    assert len(set(short)) == len(given_names)
    assert all(columns(label) <= room for label in short)


@given(st.lists(st.floats(-50, 450), max_size=20), st.floats(5, 20))
def test_spread_keeps_apart_and_in_order(wished: list[float], gap: float) -> None:
    places = spread(wished, gap, 0, 400)
    assert all(later - earlier >= gap - 1e-6 for earlier, later in pairwise(sorted(places)))
    for one, other in combinations(range(len(wished)), 2):
        assert wished[one] == wished[other] or (wished[one] < wished[other]) == (places[one] < places[other])
    if len(wished) * gap <= 400:
        assert all(-1e-6 <= place <= 400 + 1e-6 for place in places)


def test_signed() -> None:
    assert [signed(-0.001, 2), signed(-2), signed(1_000_000)] == ["0.00", "−2", "+1,000,000"]


# Many


def test_players_beyond_the_colours_are_grey_and_said_to_be() -> None:
    chart = PICTURES["timeline"].draw(timeline_table(list(range(14))))
    drawing = ElementTree.fromstring(svg(chart, "c"))
    said = "".join(drawing.itertext())
    assert f"named are the {MOST_NAMED} of 14 players with the most hands" in said
    assert sum(words.startswith("Player ") for *_, words in boxes(drawing)) == MOST_NAMED


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=400), st.integers(1, 40))
def test_thinning_keeps_ends_and_extremes(steps: list[int], quarter: int) -> None:
    points = [(0, 0)]
    for hand, step in enumerate(steps, 1):
        points.append((hand, points[-1][1] + step))
    kept = thinned(points, 4 * quarter)
    assert len(kept) <= 4 * quarter
    assert kept == sorted(set(kept) & set(points))
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    heights = [[chips for _, chips in some] for some in (kept, points)]
    assert (min(heights[0]), max(heights[0])) == (min(heights[1]), max(heights[1]))


def test_a_long_timeline_is_thinned_and_says_all_hands() -> None:
    table = timeline_table([5000, -5000], 20_000)
    specification = PICTURES["timeline"].draw(table).to_dict()
    assert "20,000 hands" in specification["description"] or "20000 hands" in specification["description"]
    points = [len(layer["data"]["values"]) for layer in specification["layer"] if "values" in layer.get("data", {})]
    points += [len(rows) for rows in specification.get("datasets", {}).values()]
    assert 1000 < max(points) <= MOST_POINTS


# On a page


def test_two_on_a_page_share_no_id_and_take_its_ink() -> None:
    ids: list[str] = []
    for name in ("chart-1", "chart-2"):
        text = svg(PICTURES["timeline"].draw(timeline_table([3, 2, 1])), name)
        root = ElementTree.fromstring(text)
        ids += [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert root.attrib["role"] == "img"
        labels = root.attrib["aria-labelledby"].split()
        assert next(element.text for element in root if element.get("id") in labels) == "Chips won, hand by hand"
        assert 'fill="currentColor"' in text
        assert PAPER.light not in re.sub(r"<style>.*?</style>", "", text)
        for used in re.findall(r"url\(#([^)]*)\)", text):
            assert used in ids
    assert len(set(ids)) == len(ids)


def test_a_name_that_looks_like_markup_is_drawn_as_it_is() -> None:
    table = timeline_table([3])
    wild = 'fill="#23282c"'
    table = Table(table.columns, [(*row[:4], wild, *row[5:]) for row in table.rows])
    root = ElementTree.fromstring(svg(PICTURES["timeline"].draw(table), "c"))
    assert f"{wild} +3" in re.sub(r"\s+", " ", "\n".join("".join(text.itertext()) for text in root.iter(f"{SVG}text")))


# Colours

SEEN = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""How colours are seen, as matrices for linear RGB (Machado, Oliveira and Fernandes 2009, severity 1)."""


def linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(rgb: list[float]) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505
    z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089
    a, b, c = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, luminance(rgb), z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


@pytest.mark.parametrize("ground", [0, 1])
@pytest.mark.parametrize(("colours", "contrast"), [(SERIES, 3), (PARTS, 4.5)])
def test_colours_are_told_apart_by_everybody(colours: tuple[Any, ...], contrast: float, ground: int) -> None:
    paper = luminance(linear(PAPER[ground]))
    for colour in colours:
        light, dark = sorted((paper, luminance(linear(colour[ground]))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= contrast, colour
    for seen in SEEN.values():
        places = [
            lab([min(1.0, max(0.0, sum(map(mul, row, linear(colour[ground]))))) for row in seen]) for colour in colours
        ]
        assert min(dist(one, other) for one, other in combinations(places, 2)) > 18


def test_every_line_has_dashes_of_its_own() -> None:
    assert len(set(DASHES)) == len(DASHES) == len(SERIES)


def test_the_views_and_endings_are_those_there_are() -> None:
    assert tuple(PICTURES) == VIEWS
    assert ENDINGS == (".png", ".svg", ".html")


@pytest.mark.parametrize(("view", "ending"), [("timeline", ".svg"), ("players", ".svg"), ("pairs", ".html")])
def test_names_from_the_right_leave_numbers_in_their_places(view: str, ending: str, tmp_path: Path) -> None:
    """Every time such a name is drawn it is isolated from what stands beside it, in HTML within JSON."""
    names = ["דנה כהן", "أحمد", *NAMES[2:4]]
    file = write_night(tmp_path / "night.comet", names, 6)
    assert run("plot", view, file, "-o", tmp_path / f"it{ending}").exit_code == 0
    drawn = (tmp_path / f"it{ending}").read_text(encoding="utf-8")
    for name in names[:2]:
        texts = [json.dumps(text, ensure_ascii=ending == ".html")[1:-1] for text in (name, f"\u2068{name}\u2069")]
        assert drawn.count(texts[0]) == drawn.count(texts[1]) > 0

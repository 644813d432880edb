"""The replayer of a report in a real browser: what it shows is held against the engine, ply by ply."""

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from nights import Night

from comet_hist.cards import NAMES, cards_in
from comet_hist.engine.facts import Replay
from comet_hist.engine.position import Watched, watch
from comet_hist.engine.table import NOBODY, Table
from comet_hist.judge import Judge, Judged
from comet_hist.notation import read
from comet_hist.placing import place
from comet_hist.report.page import page as report_page
from comet_hist.rules import Rules
from comet_hist.stats.filters import Filters
from comet_hist.store.load import Loader

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
WHOLE = "club-evening"
"""The sample of which every hand is stepped through; of the others it is one with a fault or the Comet."""

WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}

SHOWN = """() => {
    const cards = (box, kind = "") => [...box.querySelectorAll(".rp-card" + kind)].map((card) => card.dataset.card);
    const text = (box, kind) => box.querySelector(kind)?.textContent ?? "";
    const seats = [...document.querySelectorAll(".rp-seat")];
    return {
        seats: Object.fromEntries(seats.map((seat) => [
            text(seat, ".rp-name"), [cards(seat), Number(text(seat, ".rp-back"))]
        ])),
        next: seats.filter((seat) => text(seat, ".rp-badge") === "next").map((seat) => text(seat, ".rp-name")).sort(),
        may: seats.flatMap((seat) => cards(seat, ".rp-may")).sort(),
        run: cards(document.querySelector(".rp-run")),
        standsFor: [...document.querySelectorAll(".rp-spot")].map((spot) => spot.dataset.standsFor ?? null),
        wrong: cards(document.querySelector(".rp-run"), ".rp-wrong"),
        stop: text(document, ".rp-felt .rp-stop"),
        count: text(document, ".rp-count"),
    };
}"""

STEPPED = f"""{{
    const seen = [({SHOWN})()];
    for (let time = 0; time < times; time++) {{
        document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }}));
        seen.push(({SHOWN})());
    }}
    return seen;
}}"""

STOPS = {"king": "stop: king", "gap": "stop: gap", "played": "stop: next card played before", "out": "out"}


# A browser for all tests, and reports for it


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """The browser; where there is none the tests are left out, but never where changes are tested (CI)."""
    missing = pytest.fail if os.environ.get("CI") else pytest.skip
    executable = shutil.which("chromium")
    if executable is None:
        missing("the browser is missing: install the Debian package chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("the Python package playwright is missing: pip install -e '.[test]'")
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=executable) as chromium:
        yield chromium


class Watching:
    """A page that must not complain, ask anybody, or open a dialog."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        page.on("request", self._asked)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith("file:"):
            self.complaints.append(request.url)


@pytest.fixture
def page(browser: "Browser", request: pytest.FixtureRequest) -> "Iterator[Page]":
    """A page of the width that the test asks for; nothing on it may go wrong."""
    context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **getattr(request, "param", {})})
    watching = Watching(context.new_page())
    yield watching.page
    context.close()
    assert watching.complaints == []


Report = Callable[..., Path]

FEW = Filters(min_hands=1000)
"""Leaves everybody out of the tables, so that no time goes into drawing their pictures again for every test."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Writes the report of a history, once for all tests that ask for it, and gives its file."""
    folder = tmp_path_factory.mktemp("reports")
    written: dict[tuple[bytes, int], Path] = {}

    def write(text: bytes, filters: Filters = FEW) -> Path:
        key = text, filters.min_hands
        if key not in written:
            written[key] = folder / f"{len(written)}.html"
            history = folder / f"{len(written)}.comet"
            history.write_bytes(text)
            with Loader(None) as loader:
                with loader.file(history, hashlib.sha256(text).hexdigest(), len(text)) as load:
                    for each in judged(text):
                        load.add(each)
                written[key].write_text(report_page(loader.connection, filters).html, encoding="utf-8")
        return written[key]

    return write


def sample(path: str) -> bytes:
    return (SAMPLES / f"{path}.comet").read_bytes()


@pytest.fixture(scope="module")
def club(report: Report) -> Path:
    """The report of a night with slips in its play."""
    return report(sample("slips/club-evening"))


def address(report: Path, session: str, hand: int, ply: int = 0) -> str:
    return f"{report.as_uri()}#{quote(session, safe='')}/{hand}/{ply}"


def visit(page: "Page", report: Path, session: str, hand: int, ply: int = 0) -> None:
    """Open a hand at a ply; on a page that is open already that takes a moment longer than the going there."""
    page.goto(address(report, session, hand, ply))
    page.locator(".rp-about b", has_text=re.compile(rf", hand {hand}$")).wait_for()
    page.locator(".rp-count", has_text=re.compile(rf"^{ply} / ")).wait_for(state="attached")


def judged(text: bytes) -> list[Judged]:
    return [each for each in Judge().judge(read(BytesIO(text), "night.comet")) if each.session]


def fragment(page: "Page", hand: int, ply: int) -> None:
    """Wait until the address says where the page is, which it does a little later."""
    page.wait_for_url(re.compile(rf"/{hand}/{ply}$"), timeout=2000)


# What is shown is what the engine says


def expected(replay: Replay, watched: Watched, ply: int, wrong: set[int]) -> dict[str, Any]:
    table, players = watched.tables[ply], replay.players
    laid = replay.laid[:ply]
    run = [play for play in laid if play.run == laid[-1].run]
    return {
        "seats": {
            name: [[NAMES[card] for card in cards_in(hand)], count - hand.bit_count()]
            for name, hand, count in zip(players, table.hands, table.counts, strict=True)
        },
        "next": sorted(players[position] for position in next_players(table)),
        "may": sorted({NAMES[move.card] for move in table.legal()}),
        "run": [NAMES[play.card] for play in run],
        "standsFor": [None if play.stands_for is None else NAMES[play.stands_for] for play in run],
        "wrong": [NAMES[play.card] for play in run if play.ply in wrong],
        "stop": STOPS.get(table.stop_reason() or "", "") if laid else "",
        "count": f"{ply} / {len(replay.laid)}",
    }


def next_players(table: Table) -> set[int]:
    if table.winner is not None:
        return set()
    holders = {table.holder(card) for card in cards_in(table.need)} - {NOBODY}
    return holders | set(cards_in(table.openers) if table.stopped() else ())


def step_to_the_end(page: "Page", each: Judged, index: int) -> int:
    """Step a hand from its deal to its end and compare every ply; return how many there were.

    The page is told of the keys at once; `test_keys_step_only_where_they_should` presses them.
    """
    assert each.session is not None and each.replay is not None and each.audit is not None
    replay = each.replay.hands[index]
    watched = watch(replay, each.session.rules or Rules())
    plies = place(each.session, replay, each.audit.hands[index], watched).plies
    wrong = {ply for ply, found in plies.items() for finding in found if finding.code.startswith("E4")}
    seen = page.evaluate(f"(times) => {STEPPED}", len(replay.laid))
    assert len(seen) == len(replay.laid) + 1
    for ply, shown in enumerate(seen):
        assert shown == expected(replay, watched, ply, wrong), (replay.hand.number, ply)
    return len(replay.laid)


def telling(each: Judged) -> int:
    """Return which hand of a session tells most: a faulty one, else one with the Comet as another card."""
    assert each.replay is not None
    hands = [(index, replay) for index, replay in enumerate(each.replay.hands) if replay.players and replay.loadable]
    faulty = [index for index, replay in hands if replay.legal is False]
    comets = [index for index, replay in hands if replay.comet and replay.comet.stands_for is not None]
    return [*faulty, *comets, *(index for index, _ in hands)][0]


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*.comet")), ids=lambda path: path.stem)
def test_every_ply_is_what_the_engine_says(page: "Page", report: Report, path: Path) -> None:
    text = path.read_bytes()
    file = report(text)
    for each in judged(text):
        assert each.session is not None and each.replay is not None
        hands = [index for index, replay in enumerate(each.replay.hands) if replay.players and replay.loadable]
        for index in hands if path.stem == WHOLE else [telling(each)]:
            number = each.session.hands[index].number
            assert number is not None
            visit(page, file, each.session.ident.text, number)
            assert step_to_the_end(page, each, index) > 10
            assert page.locator("#replay").get_by_text("The record ends here").count() == (
                each.replay.hands[index].state == "unfinished"
            )


# Words, marks and chips


def test_a_ply_is_told_in_words(page: "Page", report: Report) -> None:
    file = report(sample("nights/2026-01-09-chapel-row"))
    live = page.locator("#replay [aria-live=polite]")
    for place_, words in [
        ((2, 0), "The cards are dealt. Declan opens the first run."),
        ((2, 21), "Ply 21 of "),
        ((3, 25), "Ply 25 of 46: Tom plays K♥. A king: the run stops. Tom opens the next run."),
    ]:
        visit(page, file, "chapel-row-2026-01-09", *place_)
        shown = live.inner_text().replace("\u2068", "").replace("\u2069", "")
        assert shown.startswith(words)
    visit(page, file, "chapel-row-2026-01-09", 2, 21)
    assert "plays the Comet for 8♦." in live.inner_text()
    assert page.locator(".rp-as").inner_text() == "as 8♦"
    assert page.locator(".rp-payments").inner_text().startswith("Comet: ")


def test_an_illegal_play_is_marked_and_told(page: "Page", club: Path) -> None:
    visit(page, club, "club-2026-10-23", 6, 36)
    assert page.locator(".rp-spot", has_text="wrong").locator(".rp-card").get_attribute("data-card") == "9d"
    assert "E408: the Comet stands for 6♠" in page.locator(".rp-said").inner_text()
    assert page.locator(".rp-findings [aria-current]").inner_text().startswith("E408")
    page.keyboard.press("Home")
    assert page.locator(".rp-findings [aria-current]").count() == 0
    page.get_by_role("link", name="ply 36").last.click()
    page.locator(".rp-count", has_text="36 / 42").wait_for()


def test_chips_go_where_they_are_owed(page: "Page", report: Report) -> None:
    text = Night(7, ["Ada", "Ben", "Cleo"]).text(3).encode()
    (each,) = judged(text)
    assert each.replay is not None and each.audit is not None
    file = report(text)
    for replay, audit in zip(each.replay.hands, each.audit.hands, strict=True):
        number, plays = replay.hand.number, len(replay.laid)
        assert number is not None
        for ply in (0, plays):
            visit(page, file, "night-7", number, ply)
            shown = page.locator(".rp-seat").evaluate_all(
                "seats => seats.map((seat) => [seat.querySelector('.rp-name').textContent,"
                " Number(seat.querySelector('.rp-chips').childNodes[2].textContent)])"
            )
            paid = {name: audit.owed_net[name] if ply else -1 for name in replay.players}
            assert dict(shown) == {name: (audit.stack_before[name] or 0) + won for name, won in paid.items()}
            assert page.locator(".rp-pot").inner_text() == f"Pot {0 if ply else 3}"


def test_what_was_written_otherwise_is_shown(page: "Page", report: Report) -> None:
    file = report(sample("slips/the-plough"))
    page.goto(address(file, "the-plough-2026-10-02", 2, 999))
    assert "has plies 0 to" in page.get_by_role("status").inner_text()
    page.keyboard.press("End")
    assert "(written: " in page.locator(".rp-payments").inner_text()


@pytest.mark.parametrize(
    ("page", "flying"),
    [({"reduced_motion": "no-preference"}, True), ({"reduced_motion": "reduce"}, False)],
    indirect=["page"],
)
def test_chips_move_unless_motion_is_not_wanted(page: "Page", report: Report, flying: bool) -> None:
    text = sample("nights/2026-01-09-chapel-row")
    visit(page, report(text), "chapel-row-2026-01-09", 2, 20)
    page.keyboard.press("ArrowRight")
    assert page.locator(".rp-flying").count() == (3 if flying else 0)
    page.locator(".rp-flying").last.wait_for(state="detached", timeout=5000)


@pytest.mark.parametrize(("hand", "why"), [(3, "cannot be stepped through"), (9, "")])
def test_a_hand_that_cannot_be_stepped_through_says_why(page: "Page", report: Report, hand: int, why: str) -> None:
    file = report(sample("slips/chapel-row"))
    visit(page, file, "chapel-row-2026-11-20", hand)
    assert page.locator(".rp-table").is_visible() == (not why)
    assert why in page.locator(".rp-said").inner_text()
    assert page.locator(".rp-findings li").count() == 1
    page.keyboard.press("ArrowRight")
    last = page.get_by_role("slider", include_hidden=True).get_attribute("max")
    assert page.locator(".rp-count").text_content() == ("0 / 0" if why else f"1 / {last}")


# Where a link leads


def test_the_address_follows_and_leads(page: "Page", report: Report) -> None:
    file = report(sample("forms/2026-07-18-lyon"))
    page.goto(file.as_uri())
    assert page.url == file.as_uri()
    visit(page, file, "Lyon, 18 July", 4, 12)
    assert page.locator(".rp-count").inner_text().startswith("12 / ")
    assert page.locator(".rp-about b").inner_text() == "Lyon, 18 July, hand 4"
    page.keyboard.press("ArrowRight")
    fragment(page, 4, 13)
    page.keyboard.press("ArrowDown")
    fragment(page, 5, 0)
    assert page.url == address(file, "Lyon, 18 July", 5)
    page.evaluate("location.hash = '#Lyon%2C%2018%20July/'")
    page.locator(".rp-about b", has_text="hand 1").wait_for()
    page.evaluate("location.hash = '#standings'")
    assert page.locator(".rp-about b").inner_text() == "Lyon, 18 July, hand 1"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("nobody/1/0", "There is no session “nobody”"),
        ("club-2026-10-23/77", "has no hand “77”"),
        ("club-2026-10-23/1/3x", "and not “3x”"),
        ("club-2026-10-23/1/2/3", "and not “2/3”"),
        ("%E0%A4%A/1", "There is no session “%E0%A4%A”"),
        ("%3Cimg src=x onerror=alert(1)%3E/1", "There is no session “<img src=x onerror=alert(1)>”"),
    ],
)
def test_a_bad_address_is_answered_kindly(page: "Page", club: Path, bad: str, said: str) -> None:
    page.goto(f"{club.as_uri()}#{bad}")
    assert said in page.get_by_role("status").inner_text()
    assert page.locator(".rp-table").is_visible()
    page.locator("#replay input").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("status").count() == 0 or page.get_by_role("status").inner_text() == ""


# Keys, buttons, and who uses neither


def test_keys_step_only_where_they_should(page: "Page", club: Path) -> None:
    visit(page, club, "club-2026-10-23", 1)
    count = page.locator(".rp-count")
    page.evaluate("document.activeElement.blur()")
    for key, shown in [("ArrowRight", 1), ("End", 40), ("ArrowLeft", 39), ("Home", 0)]:
        page.keyboard.press(key)
        assert count.inner_text() == f"{shown} / 40", key
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("ArrowDown")
    assert count.inner_text().startswith("0 / ") and "hand 1" in page.locator(".rp-about").inner_text()
    page.locator("#replay input").focus()
    page.keyboard.press("PageDown")
    assert "hand 2" in page.locator(".rp-about").inner_text()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert "hand 1" in page.locator(".rp-about").inner_text()
    page.get_by_label("Hand", exact=True).focus()
    page.keyboard.press("ArrowRight")
    assert "hand 2" in page.locator(".rp-about").inner_text(), "a list of choices keeps its own keys"
    page.get_by_label("Hand", exact=True).select_option("4")
    assert "hand 5" in page.locator(".rp-about").inner_text()
    page.evaluate("document.activeElement.blur(); scrollTo({ top: 0, behavior: 'instant' })")
    page.evaluate("document.querySelector('#replayer').style.marginTop = '5000px'")
    page.keyboard.press("ArrowRight")
    assert (count.text_content() or "").startswith("0 / "), "out of sight the keys are the page's"


def test_buttons_have_names_and_keep_the_focus(page: "Page", club: Path) -> None:
    visit(page, club, "club-2026-10-23", 1)
    count = page.locator(".rp-count")
    for label, shown in [("Last ply", 40), ("Previous ply", 39), ("First ply", 0), ("Next ply", 1)]:
        made = page.get_by_role("button", name=label)
        made.click()
        assert count.inner_text() == f"{shown} / 40"
        assert made.evaluate("button => button === document.activeElement")
    slider = page.get_by_role("slider", name="Ply")
    assert slider.get_attribute("aria-valuetext") == f"ply 1 of {slider.get_attribute('max')}"
    slider.fill("7")
    assert count.inner_text().startswith("7 / ")
    assert page.get_by_role("group", name="Bea").inner_text().count("Bea") == 1
    assert page.get_by_role("group", name="The table").is_visible()
    assert page.locator("#replay .rp-hand:not([aria-hidden=true])").count() == 0
    assert re.search(r"\d+ cards?: .* of ", page.get_by_role("group", name="Bea").text_content() or "")


def test_the_focus_is_seen_wherever_it_goes(page: "Page", club: Path) -> None:
    visit(page, club, "club-2026-10-23", 6, 36)
    page.get_by_label("Session").focus()
    seen = []
    for _ in range(8):
        seen.append(page.evaluate("""() => {
            const at = document.activeElement, style = getComputedStyle(at);
            return [at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent,
                    style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
        }"""))
        page.keyboard.press("Tab")
    assert [name for name, _ in seen] == [
        "Session", "Hand", "First ply", "Previous ply", "Next ply", "Last ply", "Ply", "ply 36",
    ]  # fmt: skip
    assert all(visible for _, visible in seen)


# Names, widths, colours, paper

HOSTILE = ["<script>alert(1)</script>", "O'Hara & \\\"Sons\\\" <b>", "東京の花子さん", "שלום", "x" * 60]


def hostile() -> tuple[bytes, list[str]]:
    quoted = [f'"{name}"' for name in HOSTILE]
    return Night(3, quoted, ident="hostile").text(2).encode(), [name.replace("\\", "") for name in HOSTILE]


@pytest.mark.parametrize("page", [{"viewport": WIDE}, {"viewport": PHONE}], indirect=True)
def test_a_name_stays_a_name(page: "Page", report: Report) -> None:
    text, names = hostile()
    visit(page, report(text, Filters()), "hostile", 1)
    scripts = page.locator("script").count()
    assert sorted(page.locator(".rp-seat .rp-name").all_text_contents()) == sorted(names)
    for key in ("End", "ArrowDown", "End"):
        page.keyboard.press(key)
    assert page.locator("script").count() == scripts
    assert page.locator("#replay b:not(.rp-card b, .rp-about b, .rp-findings b)").count() == 0
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


CONTRAST = """([text, ground]) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        canvas.fillStyle = "#fff"; canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const of = (kind) => getComputedStyle(document.querySelector(kind));
    const [a, b] = [light(of(text).color), light(of(ground).backgroundColor)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("page", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True)
def test_everything_can_be_read_in_light_and_dark(page: "Page", club: Path) -> None:
    visit(page, club, "club-2026-10-23", 6, 36)
    for text, ground in [
        (".rp-said", "body"), (".rp-said .rp-wrong", "body"), (".rp-runs .rp-name", "body"), (".rp-count", "body"),
        (".rp-seat .rp-name", ".rp-seat"), (".rp-dealer", ".rp-seat"), (".rp-minus", ".rp-seat"),
        (".rp-next .rp-badge", ".rp-next .rp-badge"), (".rp-as", ".rp-as"), (".rp-mark", ".rp-mark"),
        (".rp-card.rp-red", ".rp-card:not(.rp-comet)"), (".rp-card:not(.rp-red)", ".rp-card:not(.rp-comet)"),
    ]:  # fmt: skip
        assert page.evaluate(CONTRAST, [text, ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize("page", [{"viewport": WIDE}, {"viewport": PHONE}], indirect=True)
@pytest.mark.parametrize("night", ["2026-02-21-two-by-the-fire", "2026-05-30-garden"])
def test_it_fits_a_screen_and_a_phone(page: "Page", report: Report, tmp_path: Path, night: str) -> None:
    text = sample(f"forms/{night}")
    (each,) = judged(text)
    assert each.session is not None
    visit(page, report(text, Filters()), each.session.ident.text, 1)
    for key in ("Home", *["ArrowRight"] * 20, "End"):
        page.keyboard.press(key)
        assert page.evaluate("""() => {
            const inside = document.querySelector(".rp-table").getBoundingClientRect();
            return document.documentElement.scrollWidth <= innerWidth
                && [...document.querySelectorAll(".rp-card, .rp-seat")].map((one) => one.getBoundingClientRect())
                    .every((box) => box.left >= inside.left - 1 && box.right <= inside.right + 1);
        }""")
    assert page.get_by_role("button", name="Next ply").bounding_box()["height"] >= 44
    page.screenshot(path=tmp_path / "screen.png")
    assert (tmp_path / "screen.png").stat().st_size > 20_000


def test_a_hand_can_be_printed(page: "Page", club: Path) -> None:
    visit(page, club, "club-2026-10-23", 6, 36)
    page.emulate_media(media="print")
    assert page.locator(".rp-table").is_visible() and page.locator(".rp-runs").is_visible()
    assert not page.locator(".rp-steps").is_visible() and not page.locator(".rp-choosers").is_visible()
    assert page.evaluate(CONTRAST, [".rp-title", "body"]) >= 7
    assert page.pdf().startswith(b"%PDF")


def test_a_long_night_stays_small(report: Report) -> None:
    text = Night(5, ["Ada", "Ben", "Cleo", "Dora"]).text(20).encode()
    assert report(text, Filters()).stat().st_size < 1_500_000

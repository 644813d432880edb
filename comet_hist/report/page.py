"""The page as a whole: everything that it shows, gathered from a database, and the one file that it becomes."""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from comet_hist import __version__
from comet_hist.cli.output.characters import by_direction, isolated, visible
from comet_hist.findings import some
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.report.chosen import Night, about_replays, hands_of, nights, to_replay
from comet_hist.report.debts import Settled, session_debts
from comet_hist.report.findings import Findings, findings
from comet_hist.report.heading import figures, lead, narrowed, title
from comet_hist.report.replays import replays
from comet_hist.report.standings import link, named, standings
from comet_hist.report.tables import label
from comet_hist.stats.columns import VIEWS
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import hands_behind, notes

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from jinja2 import Template

MOST_DEBTS: Final = 50
"""The most sessions whose debts are shown one by one."""

_PARTIAL: Final = " · partial: a hand was not played to its end, or cannot be read"

_MEANINGS: Final = {
    "players": "Standings",
    "sessions": "Sessions",
    "timeline": "Timeline",
    "comet": "The Comet",
    "pairs": "Who paid whom",
}
"""The views whose columns are explained on the page, by the part that shows them."""


class Page(NamedTuple):
    """A page, and what whoever asked for it should know: a line each.

    Attributes:
        html: the whole file.
        notes: what was left out of it.
    """

    html: str
    notes: list[str]


def page(connection: "DuckDBPyConnection", filters: Filters, replayed: Sequence[str] = ()) -> Page:
    """Return the page of a database; the same database gives the same page, byte for byte.

    Args:
        connection: a database of comet-hist, open in any way.
        filters: which hands count.
        replayed: the sessions whose hands can be replayed on it; none given, the latest that are not too many.

    Raises:
        ValueError: if somebody or something that is asked for does not exist, a session to replay is not among those
            that the filters choose, or there is nothing to show; the text is one line.
    """
    from markupsafe import Markup

    chosen = nights(connection, filters)
    identifiers = _identifiers(chosen, filters)
    behind = hands_behind(connection, filters)
    hands = hands_of(connection, identifiers, filters.sizes)
    shown = _replayed(chosen, replayed)
    about = about_replays(shown, chosen)
    found = findings(connection, identifiers)
    if not hands.total and not found.total:
        raise ValueError("there is nothing to show: no hand, and no finding")
    tables = standings(connection, filters, [night.session for night in chosen], shown)
    script = (_asset("hands.js") + _asset("replayer.js")).strip()
    html = _template().render(
        title=title(chosen),
        window_title=Markup("{}").format(isolated(visible(title(chosen)))),
        lead=lead(hands, filters),
        notes=narrowed(filters, behind),
        figures=figures(chosen, hands, filters, 0 if tables is None else tables.people),
        style=Markup(_asset("page.css") + _asset("replayer.css")),
        script=Markup(script),
        script_hash=_hash(script),
        tables=tables,
        debts=_debts(connection, filters, chosen) if chosen else None,
        replayed=shown,
        replays=replays(connection, shown, filters) if shown else None,
        replays_about=about,
        findings=found,
        findings_about=_findings_about(found),
        meanings=_meanings() if tables is not None else [],
        link=link,
        version=__version__,
    )
    return Page(html, [*notes(behind, filters), *([about] if len(shown) < len(chosen) else [])])


def _identifiers(chosen: Sequence[Night], filters: Filters) -> list[str] | None:
    """Return which sessions the page is about, None for everything that is in the database."""
    if any((filters.players, filters.sessions, filters.since, filters.until, filters.sizes, filters.games)):
        return [night.session for night in chosen]
    return None


def _replayed(chosen: Sequence[Night], asked: Sequence[str]) -> list[str]:
    """Return the sessions that can be replayed, the latest first.

    Raises:
        ValueError: if one that was asked for is not among those chosen.
    """
    there = [night.session for night in chosen]
    for session in asked:
        if session not in there:
            raise ValueError(f"there is no session “{session}” to replay{did_you_mean(nearest(session, there))}")
    return [session for session in there if session in asked] if asked else to_replay(chosen)


class SessionDebts(NamedTuple):
    """The debts of the page: what they rest on, those of all sessions together, and those of the latest one by one."""

    basis: str
    together: list[tuple[str, Settled]]
    each_heading: str
    each: list[tuple[str, Settled]]


def _debts(connection: "DuckDBPyConnection", filters: Filters, chosen: Sequence[Night]) -> SessionDebts:
    found = session_debts(connection, [night.session for night in chosen], filters.aliases)
    partial = "" if not found.partial else f" Those of {some(len(found.partial), 'session')} are partial, marked below."
    basis = (
        "By what the rules owe in every hand of these sessions that was played to its end, legal or not, transfers "
        f"counted in. After these payments everybody is even.{partial}"
    )
    each = [
        (
            named(night.session, night.date) + (_PARTIAL if night.session in found.partial else ""),
            found.sessions[night.session],
        )
        for night in chosen[:MOST_DEBTS]
        if night.session in found.sessions
    ]
    cut = f"the latest {MOST_DEBTS} of {len(chosen)}" if len(chosen) > MOST_DEBTS else "each"
    return SessionDebts(
        basis,
        [(_money_of(settled), settled) for settled in found.together],
        f"Session by session, {cut}",
        each if len(found.sessions) > 1 else [],
    )


def _money_of(settled: Settled) -> str:
    """Return how many sessions are settled together, and in what."""
    together = "" if settled.sessions == 1 else " together"
    return f"{some(settled.sessions, 'session')}{together}, in {settled.currency or 'chips'}"


def _findings_about(found: Findings) -> str:
    cut = f"The first {found.shown} of {some(found.total, 'finding')}" if found.shown < found.total else "Each"
    return f"{cut} with its place, and the line where the file is still the one that was loaded."


def _meanings() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what the columns of each part of the page mean."""
    return [
        (part, [(label(column.name), column.meaning) for column in VIEWS[view].columns])
        for view, part in _MEANINGS.items()
    ]


def _template() -> "Template":
    """Return the template, which escapes everything that is put into it."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_as_text
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment.from_string(_asset("page.html.j2"))


def _as_text(value: Any) -> Any:
    """Return text as the page shows it: no character that is not seen but a tab, and names in their own direction."""
    from markupsafe import Markup

    # Markup is text too, and stays as it is.
    if type(value) is not str:
        return value
    pieces = by_direction("\t".join(map(visible, value.split("\t"))))
    return Markup().join(
        Markup("<bdi>{}</bdi>").format(piece) if index % 2 else piece for index, piece in enumerate(pieces)
    )


def _asset(name: str) -> str:
    return files("comet_hist.report").joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """Return by what the page's own rules of security (Content-Security-Policy) know its script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"

"""What stands above everything on the page: over what its numbers go, and what narrows it."""

from collections.abc import Sequence
from typing import NamedTuple

from comet_hist.findings import some
from comet_hist.report.chosen import Hands, Night
from comet_hist.stats.filters import Filters
from comet_hist.stats.run import Hands as Behind


class Figure(NamedTuple):
    """A number at the head of the page, and out of how many."""

    name: str
    value: str
    of: str


def title(chosen: Sequence[Night]) -> str:
    """Return what the page is called: by its session, or by the days of its sessions."""
    if len(chosen) == 1:
        return f"Comet: {chosen[0].session}"
    return f"Comet, {period(chosen)}" if period(chosen) else "Comet"


def period(chosen: Sequence[Night]) -> str:
    """Return the first and the last day of the sessions, empty where none has one."""
    days = sorted(night.date for night in chosen if night.date is not None)
    if not days:
        return ""
    return str(days[0]) if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def lead(hands: Hands, filters: Filters) -> str:
    """Return over what the numbers of the page go, in a sentence or two."""
    counted = hands.counted(filters.include_faulty)
    missing = hands.left_out(filters.include_faulty)
    amounts = "as they were written" if filters.as_recorded else "as the rules owe them"
    counts = "counts" if counted == 1 else "count"
    without = f" Left out: {missing}." if missing else ""
    return f"{counted} of {some(hands.total, 'hand')} {counts}, with amounts {amounts}.{without}"


def figures(chosen: Sequence[Night], hands: Hands, filters: Filters, people: int) -> list[Figure]:
    """Return the numbers at the head of the page."""
    undated = sum(night.date is None for night in chosen)
    without = f"{undated} without a date" if undated else ""
    return [
        Figure("Sessions", str(len(chosen)), without),
        Figure("Hands that count", str(hands.counted(filters.include_faulty)), f"of {hands.total}"),
        Figure("Players", str(people), ""),
    ]


def narrowed(filters: Filters, behind: Behind) -> list[str]:
    """Return what narrows the page, and what widens it, a sentence each."""
    notes = []
    for what, values in (("players", filters.players), ("sessions", filters.sessions), ("games", filters.games)):
        if values:
            notes.append(f"Only these {what}: {', '.join(values)}.")
    if filters.sizes:
        notes.append(f"Only hands of {' or '.join(map(str, sorted(filters.sizes)))} players.")
    if filters.since:
        notes.append(f"Only sessions from {filters.since} on.")
    if filters.until:
        notes.append(f"Only sessions up to {filters.until}.")
    if behind.undated:
        notes.append(f"Left out: {some(behind.undated, 'session')} without a date.")
    if filters.min_hands:
        notes.append(f"Only players with {some(filters.min_hands, 'hand')} or more that count.")
    if filters.include_faulty:
        notes.append("Hands that are not legal, or not wholly checked, count too.")
    if filters.as_recorded and behind.recording < behind.counted:
        hands = some(behind.counted, "hand")
        notes.append(f"{behind.recording} of {hands} record amounts, over which all amounts are taken.")
    return notes

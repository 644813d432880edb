"""Who won a session (C5): the claim of its `Winner` line against the chips."""

from collections.abc import Mapping

from comet_hist.findings import some
from comet_hist.record import Fault, Name

Gains = Mapping[str, tuple[int, ...] | None]
"""For everybody who ever sat the chips that may have been won, by the record first; None where not known."""


def winner_faults(claim: tuple[Name, ...], gains: Gains, any_reading: bool) -> list[Fault]:
    """Return the E601 of a `Winner` line, if it is wrong; at most one.

    Whoever won the most chips wins, equal totals share the win (C5). Nothing is said where somebody's chips are
    not known. Names that never sat in the session are taken for winners who are not named.

    Args:
        claim: the names in the line.
        gains: the chips that may have been won.
        any_reading: whether the claim is right already if it follows from any of them.
    """
    known = [gain for gain in gains.values() if gain is not None]
    if not claim or len(known) < len(gains):
        return []
    best = max(gain[0] for gain in known)
    winners = [name for name, gain in gains.items() if gain is not None and gain[0] == best]
    claimed = {name.text for name in claim if name.text in gains}
    strangers = len({name.text for name in claim if name.text not in gains})
    if claimed <= set(winners) and len(winners) - len(claimed) == strangers:
        return []
    if any_reading and _follows(claimed, gains, strangers):
        return []
    return _wrong_claim(claim, claimed, winners, best)


def _follows(claimed: set[str], gains: Gains, strangers: int) -> bool:
    """Say whether some reading of everybody's chips makes exactly the claimed players the winners."""
    readings = {name: gain for name, gain in gains.items() if gain is not None}
    for best in {won for gain in readings.values() for won in gain}:
        above = [name for name in readings if name not in claimed and min(readings[name]) >= best]
        if all(best in readings[name] for name in claimed) and len(above) <= strangers:
            return True
    return False


def _wrong_claim(claim: tuple[Name, ...], claimed: set[str], winners: list[str], best: int) -> list[Fault]:
    wrong = next((name for name in claim if name.text in claimed and name.text not in winners), None)
    right = ", ".join(winners)
    won = f"won {some(best, 'chip')}"
    if len(winners) > 1:
        won = f"{won} each"
    if wrong is not None:
        message = f"{wrong.text} did not win the session: {right} {won}, the most (C5)"
        return [Fault("E601", wrong, message, right, wrong.text)]
    unnamed = [name for name in winners if name not in claimed]
    if not unnamed:
        return []
    message = f"{', '.join(unnamed)} won the session too: {right} {won}, the most (C5)"
    return [Fault("E601", claim[0], message, right, ", ".join(name.text for name in claim))]

"""When a line says again what another said before (E107), however both were written."""

from collections.abc import Iterable

from comet_hist.record import Pay, Seat


def same_seat(one: Seat, other: Seat) -> bool:
    """Say whether two seats seat one player in one place, whatever chips they give; others are the engine's (E202)."""
    return one.number.count == other.number.count and one.player.text == other.player.text


def paid_before(pay: Pay, earlier: Iterable[Pay]) -> bool:
    """Say whether all who pay in a `Pay` line paid that already in earlier lines of its kind.

    A `Pay pot` line has no payers, so that a second one always did; transfers may be any number.
    """
    before = [other for other in earlier if other.kind == pay.kind != "transfer"]
    return bool(before) and _payers(before) >= _payers([pay])


def _payers(pays: Iterable[Pay]) -> set[str]:
    return {share.player.text for pay in pays for share in pay.saying}

"""Names in lines about chips that nobody seated bears (E201), or that stand there twice (E202)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from comet_hist.engine.facts import Replay, Seated, SessionReplay
from comet_hist.engine.roster import stranger
from comet_hist.record import Fault, Hand, Name, Session


def record_faults(session: Session, replay: SessionReplay) -> tuple[list[list[Fault]], list[Fault]]:
    """Return the E201 and E202 of lines about chips: for each hand in order, and for the session's `Winner` line.

    The audit finds the same ones; this is for who checks a record without its payments, and costs little.
    """
    silent = gives_no_findings(session, replay)
    hands: list[list[Fault]] = [[] if silent else names_in_hand(played) for played in replay.hands]
    everybody = first_seated(session)
    for played in replay.hands:
        sit_down(played, everybody)
    return hands, names_of_winners(session, list(everybody.values()))


def gives_no_findings(session: Session, replay: SessionReplay) -> bool:
    """Say whether a session's hands give no finding: its `Seat` or `Rules` lines are unreadable, or E203 holds."""
    if session.unread or session.rules is None:
        return True
    replayed = any(played.state in ("played", "unfinished") for played in replay.hands)
    return not replayed and any(fault.code == "E203" for fault in replay.faults)


def names_in_hand(replay: Replay) -> list[Fault]:
    """Return the E201 and E202 in the `Pay`, `Buy` and `Stacks` lines of a hand.

    A hand that could not be read gives none, nor does one that the file broke off in.
    """
    hand = replay.hand
    if replay.state == "unread" or (replay.state == "unfinished" and hand.cut is not None):
        return []
    seated = replay.seated
    known = {player.name for player in seated}
    faults = [stranger(name, seated) for name in _names_in(hand) if name.text not in known]
    lines = hand.buys if hand.stacks is None else [*hand.buys, hand.stacks]
    for line in lines:
        names = [share.player for share in line.shares]
        if len({name.text for name in names}) < len(names):
            faults += _named_twice([name for name in names if name.text in known], seated)
    return faults


def names_of_winners(session: Session, everybody: Sequence[Seated]) -> list[Fault]:
    """Return the E201 and E202 in the `Winner` line: names that never sat in the session, or stand there twice."""
    if session.unread or not session.winner:
        return []
    known = {player.name for player in everybody}
    faults = [stranger(name, everybody) for name in session.winner if name.text not in known]
    return faults + _named_twice([name for name in session.winner if name.text in known], everybody)


def first_seated(session: Session) -> dict[str, Seated]:
    """Return by name everybody whom a session's header seats, in seat order."""
    seats = sorted(session.seats, key=lambda seat: seat.number.count)
    everybody: dict[str, Seated] = {}
    for player in [Seated(seat.player.text, seat.number.count, (seat.number.count, 0)) for seat in seats]:
        everybody.setdefault(player.name, player)
    return everybody


def sit_down(replay: Replay, everybody: dict[str, Seated]) -> None:
    """Add those at the table of a hand to everybody who ever sat."""
    for player in replay.seated:
        everybody.setdefault(player.name, player)


def doubled_names(replay: Replay) -> frozenset[str]:
    """Return the names that two players at the table bear (E202): nothing can be said of their chips."""
    names = [player.name for player in replay.seated]
    if len(set(names)) == len(names):
        return frozenset()
    return frozenset(name for name in names if names.count(name) > 1)


def _names_in(hand: Hand) -> Iterator[Name]:
    for buy in hand.buys:
        for share in buy.shares:
            yield share.player
    for pay in hand.pays:
        for share in pay.shares:
            yield share.player
        if pay.payee is not None:
            yield pay.payee
    if hand.stacks is not None:
        for share in hand.stacks.shares:
            yield share.player


def _named_twice(names: list[Name], seated: Iterable[Seated]) -> list[Fault]:
    """Return an E202 for each name that stands in a line more often than it sits at the table."""
    free = Counter(player.name for player in seated)
    faults = []
    for name in names:
        free[name.text] -= 1
        if free[name.text] < 0:
            message = f"{name.text} stands in this line twice"
            faults.append(Fault("E202", name, message, "each name once", name.text))
    return faults

"""Who sits where, hand by hand, and whose turn it is to deal (G1, G10, R17)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from comet_hist.engine.facts import Seated
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.record import Fault, Hand, Name, Seat, Session


class Roster:
    """The table of a session, in seat order, as players join and leave between hands."""

    def __init__(self, session: Session) -> None:
        self.seated: tuple[Seated, ...] = ()
        self.faults: list[Fault] = []
        """Seats and names taken twice in the session's header (E202): both are seated, in the order of lines."""
        for seat in session.seats:
            self.faults += self._clashes(seat)
            self._sit(seat)
        numbers = {seat.number.count for seat in session.seats}
        if len(numbers) < len(session.seats):
            # A seat taken twice has a wrong number in it: then the order of the lines tells more than the numbers.
            self.seated = tuple(
                Seated(seat.player.text, seat.number.count, (at, 0)) for at, seat in enumerate(session.seats, 1)
            )

    def change(self, hand: Hand) -> list[Fault]:
        """Carry out the `Leaves` and `Seat` lines of a hand (R17), and return what is wrong with them (E201, E202)."""
        if not (hand.leaves or hand.seats):
            return []
        strangers = []
        for name in hand.leaves:
            stay = tuple(player for player in self.seated if player.name != name.text)
            if len(stay) == len(self.seated):
                strangers.append(name)
            self.seated = stay
        faults = []
        for seat in hand.seats:
            clashes = self._clashes(seat)
            faults += clashes
            if not any(fault.where is seat.player for fault in clashes):
                self._sit(seat)
        for name in strangers:
            faults.append(stranger(name, [player for player in self.seated if player.name != name.text]))
        return faults

    def _sit(self, seat: Seat) -> None:
        number = seat.number.count
        doubled = sum(player.seat == number for player in self.seated)
        sitting = (*self.seated, Seated(seat.player.text, number, (number, doubled)))
        self.seated = tuple(sorted(sitting, key=lambda player: player.place))

    def _clashes(self, seat: Seat) -> list[Fault]:
        for player in self.seated:
            if player.name == seat.player.text:
                message = f"{player.name} sits at the table already, in seat {player.seat}"
                return [Fault("E202", seat.player, message, "another name", player.name)]
            if player.seat == seat.number.count:
                message = f"seat {player.seat} is taken by {player.name}, whom no line says to have left"
                return [Fault("E202", seat.number, message, "another seat", str(player.seat))]
        return []


def as_played(session: Session) -> tuple[Session, list[Fault]]:
    """Take a name that a `Seat` line alone has wrong as the rest of the session has it.

    Where all lines name one stranger, and one seated player is named by none of them (E201), or two sit under one
    name (E202), the slip is in the `Seat` line.

    Returns:
        The session to replay, and the fault; the session itself and none where names are in order or nothing tells.
    """
    first = next((hand for hand in session.hands if hand.runs), None)
    seated = [seat.player.text for seat in session.seats]
    if first is None or all_seated(session, first):
        return session, []
    named = {name for hand in session.hands for name in _named(hand)}
    strangers = named.difference(seated, (seat.player.text for hand in session.hands for seat in hand.seats))
    silent = [at for at, name in enumerate(seated) if name not in named]
    doubled = [at for at, name in enumerate(seated) if name in seated[:at]]
    if len(strangers) != 1 or len(silent) + len(doubled) != 1:
        return session, []
    stranger_name = strangers.pop()
    at = (silent + doubled)[0]
    wrong = session.seats[at].player
    if silent:
        message = f"no line names {wrong.text}, but {stranger_name} plays and has no seat"
        fault = Fault("E201", wrong, message, stranger_name, wrong.text, stranger_name)
    else:
        message = f"{wrong.text} sits at the table already, and {stranger_name} plays and has no seat"
        fault = Fault("E202", wrong, message, stranger_name, wrong.text, stranger_name)
    seats = list(session.seats)
    seats[at] = seats[at]._replace(player=wrong._replace(text=stranger_name))
    return replace(session, seats=seats), [fault]


def all_seated(session: Session, hand: Hand) -> bool:
    """Say whether everybody whom a hand names has a seat, in the session's header or in the hand."""
    return _named(hand) <= {seat.player.text for seat in (*session.seats, *hand.seats)}


def without_seat(hand: Hand, seated: Sequence[Seated]) -> Name | None:
    """Return a player who takes part in a hand without a seat, beside everybody who has one: a `Seat` line is missing.

    A misspelt name is something else: then somebody seated takes no part.
    """
    known = {player.name for player in seated}
    paying = {name.text for name in _names_around_play(hand)}
    if paying <= known or not known <= (named := paying | _names_in_play(hand)):
        return None
    strangers = (paying & _names_in_play(hand)) - known
    names = [name for name in _names_around_play(hand) if name.text in strangers]
    return names[0] if names and named - known == strangers else None


def _named(hand: Hand) -> set[str]:
    return _names_in_play(hand) | {name.text for name in _names_around_play(hand)}


def _names_in_play(hand: Hand) -> set[str]:
    return {play.name.text for run in hand.runs for play in run.plays}


def _names_around_play(hand: Hand) -> Iterator[Name]:
    """Give the names in the lines other than runs in which everybody at the table stands."""
    for line in (*hand.deals, *hand.left):
        yield line.player
    for pay in hand.pays:
        for share in pay.shares:
            if share.chips.count:  # 0 is no payment, and the canonical form leaves it out
                yield share.player
    if hand.stacks is not None:
        for share in hand.stacks.shares:
            yield share.player


Chair = tuple[int, int]
"""What `Seated.place` gives: where somebody sits or sat."""


def next_chair(chair: Chair, seated: Sequence[Seated]) -> Chair:
    """Return the next occupied chair clockwise of one, which may itself be empty by now (G10, R17).

    >>> next_chair((3, 0), [Seated("Anna", 1, (1, 0)), Seated("Ben", 3, (3, 0))])
    (1, 0)
    """
    chairs = [player.place for player in seated]
    return min((other for other in chairs if other > chair), default=min(chairs))


def from_left_of(dealer: Chair, seated: Sequence[Seated]) -> tuple[str, ...]:
    """Return the names clockwise, from the left of the dealer to the dealer (G3, G4)."""
    at = next(index for index, player in enumerate(seated) if player.place == dealer)
    return tuple(player.name for player in (*seated[at + 1 :], *seated[: at + 1]))


def stranger(name: Name, seated: Sequence[Seated]) -> Fault:
    """Return the E201 of a name that nobody at the table bears."""
    table = ", ".join(player.name for player in seated) or "nobody"
    meant = nearest(name.text, (player.name for player in seated))
    message = f"nobody called {name.text} is at the table: {table}{did_you_mean(meant)}"
    return Fault("E201", name, message, f"one of {table}", name.text, _written(meant) if meant else None)


def _written(name: str) -> str:
    """Return a name as it can be written anywhere: one of letters alone is bare, any other in quotes."""
    return name if name.isalpha() else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

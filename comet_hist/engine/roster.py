"""Who sits where, hand by hand, and whose turn it is to deal (G1, G10, R17)."""

from collections.abc import Sequence

from comet_hist.engine.facts import Seated
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.record import Fault, Hand, Seat, Session


class Roster:
    """The table of a session, in seat order, as players join and leave between hands."""

    def __init__(self, session: Session) -> None:
        self.seated: tuple[Seated, ...] = ()
        self.faults: list[Fault] = []
        """Seats and names taken twice in the session's header (E202): both are seated, in the order of lines."""
        for seat in session.seats:
            self.faults += self._clashes(seat)
            self._sit(seat)

    def change(self, hand: Hand) -> list[Fault]:
        """Carry out the `Leaves` and `Seat` lines of a hand (R17), and return what is wrong with them (E201, E202)."""
        if not (hand.leaves or hand.seats):
            return []
        faults = []
        for name in hand.leaves:
            stay = tuple(player for player in self.seated if player.name != name.text)
            if len(stay) == len(self.seated):
                faults.append(stranger(name.text, self.seated, Fault("E201", name, "")))
            self.seated = stay
        for seat in hand.seats:
            clashes = self._clashes(seat)
            faults += clashes
            if not any(fault.where is seat.player for fault in clashes):
                self._sit(seat)
        return faults

    def _sit(self, seat: Seat) -> None:
        doubled = sum(player.seat == seat.number.count for player in self.seated)
        sitting = (*self.seated, Seated(seat.player.text, seat.number.count, doubled))
        self.seated = tuple(sorted(sitting, key=lambda player: player.place))

    def _clashes(self, seat: Seat) -> list[Fault]:
        for player in self.seated:
            if player.name == seat.player.text:
                message = f"{player.name} sits at the table already, in seat {player.seat}"
                return [Fault("E202", seat.player, message, "another name", player.name)]
            if player.seat == seat.number.count:
                message = f"seat {player.seat} is taken by {player.name}"
                return [Fault("E202", seat.number, message, "another seat", str(player.seat))]
        return []


Chair = tuple[int, int]
"""What `Seated.place` gives: where somebody sits or sat."""


def next_chair(chair: Chair, seated: Sequence[Seated]) -> Chair:
    """Return the next occupied chair clockwise of one, which may itself be empty by now (G10, R17).

    >>> next_chair((3, 0), [Seated("Anna", 1), Seated("Ben", 3)])
    (1, 0)
    """
    chairs = [player.place for player in seated]
    return min((other for other in chairs if other > chair), default=min(chairs))


def from_left_of(dealer: Chair, seated: Sequence[Seated]) -> tuple[str, ...]:
    """Return the names clockwise, from the left of the dealer to the dealer (G3, G4)."""
    at = next(index for index, player in enumerate(seated) if player.place == dealer)
    return tuple(player.name for player in (*seated[at + 1 :], *seated[: at + 1]))


def stranger(name: str, seated: Sequence[Seated], fault: Fault) -> Fault:
    """Complete an E201 for a name that nobody at the table bears."""
    table = ", ".join(player.name for player in seated) or "nobody"
    meant = nearest(name, (player.name for player in seated))
    return fault._replace(
        message=f"nobody called {name} is at the table: {table}{did_you_mean(meant)}",
        expected=f"one of {table}",
        actual=name,
        suggestion=_written(meant) if meant else None,
    )


def _written(name: str) -> str:
    """Return a name as it can be written anywhere: one of letters alone is bare, any other in quotes."""
    return name if name.isalpha() else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

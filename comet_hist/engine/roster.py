"""Who sits where, hand by hand, and whose turn it is to deal (G1, G10, R17)."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from comet_hist.engine.facts import Seated
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.record import Fault, Hand, Name, Seat, Session

MOST_SEATED: Final = 60
"""How many players are seated at most. No game is for so many (E203), so that nothing is lost by passing over more."""


class Roster:
    """The table of a session, in seat order, as players join and leave between hands.

    Attributes:
        seated: who is at the table.
        passed_over: how many more `Seat` lines there are than can be seated.
        faults: seats and names taken twice in the session's header (E202): both are seated, in the order of lines.
    """

    def __init__(self, session: Session) -> None:
        self.seated: tuple[Seated, ...] = ()
        self.passed_over = 0
        self.faults: list[Fault] = []
        seats = session.seats[:MOST_SEATED]
        for seat in session.seats:
            self.faults += self._clashes(seat)
            self._sit(seat)
        numbers = {seat.number.count for seat in seats}
        if len(numbers) < len(seats):
            # A seat taken twice has a wrong number in it: then the order of the lines tells more than the numbers.
            in_order = enumerate(seats, 1)
            self.seated = tuple(Seated(seat.player.text, seat.number.count, (at, 0)) for at, seat in in_order)

    def __len__(self) -> int:
        """Return how many players are at the table, those who are passed over among them."""
        return len(self.seated) + self.passed_over

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
        if len(self.seated) == MOST_SEATED:
            self.passed_over += 1
            return
        number = seat.number.count
        doubled = sum(player.seat == number for player in self.seated)
        sitting = (*self.seated, Seated(seat.player.text, number, (number, doubled)))
        self.seated = tuple(sorted(sitting, key=lambda player: player.place))

    def _clashes(self, seat: Seat) -> list[Fault]:
        if len(self.seated) == MOST_SEATED:
            return []
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
    first_seats = {name: at for at, name in reversed([*enumerate(seated)])}
    doubled = [at for at, name in enumerate(seated) if first_seats[name] < at]
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


def left_of(chair: Chair) -> Chair:
    """Return the place just clockwise of a chair, from which the next dealer is looked for (G10)."""
    seat, second = chair
    return seat, second + 1


def in_turn(start: Chair, seated: Sequence[Seated], newcomers: Container[Seated] = ()) -> tuple[Chair, ...]:
    """Return the chairs that may deal: the first occupied one at a place or clockwise of it (G10, R17).

    The texts do not say whether somebody who has just sat down counts. So whoever would be first if some of the
    newcomers did not count may deal as well.

    Args:
        start: where the search begins; the chair may be empty.
        seated: who is at the table, in seat order; at least one player.
        newcomers: those who sat down since the last hand.

    Returns:
        At least one chair. The first one deals where nobody is recorded: newcomers count.

    >>> ann, dan, cid = Seated("Ann", 1, (1, 0)), Seated("Dan", 2, (2, 0)), Seated("Cid", 3, (3, 0))
    >>> in_turn((4, 0), [ann, cid])
    ((1, 0),)
    >>> in_turn(left_of((1, 0)), [ann, dan, cid], [dan])
    ((2, 0), (3, 0))
    """
    first = next((at for at, player in enumerate(seated) if player.place >= start), 0)
    chairs = []
    for player in (*seated[first:], *seated[:first]):
        chairs.append(player.place)
        if player not in newcomers:
            break
    return tuple(chairs)


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

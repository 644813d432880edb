"""How a session stands between two of its hands, where nothing of it is in doubt: what either lane can go on from."""

from typing import NamedTuple


class Player(NamedTuple):
    """Somebody who ever sat in the session.

    Attributes:
        name: the name.
        seat: the seat, 0 for who sits no more.
        chips: the chips by the record; those won so far, where `anchored` is false.
        truth: the same by what was owed, since the record last agreed with it.
        anchored: whether it is known how many chips there are, and not only how many were won.
        start: chips on the first seat, None where they are not recorded.
        bought: chips bought from the bank.
        brought: chips brought, bought ones included, on the same scale as `chips`.
        won: chips won in the hands that were proved clean by the bulk lane.
    """

    name: str
    seat: int
    chips: int
    truth: int
    anchored: bool
    start: int | None
    bought: int
    brought: int
    won: int


class Standing(NamedTuple):
    """How a session stands.

    Attributes:
        last: the number of the last hand, 0 before the first.
        due: the seat from which the next dealer is looked for, clockwise; 0 where anybody may deal (G10).
        dealer: who dealt the last hand, None where nobody did. After a void hand it is that player's turn again (R18).
        payment: chips to pay for the Comet, before the cap (R14).
        players: everybody who ever sat, in the order in which they first did.
        table: the names of those at the table, in the order in which they sat down.
    """

    last: int
    due: int
    dealer: str | None
    payment: int
    players: tuple[Player, ...]
    table: tuple[str, ...]

    def seats(self) -> dict[str, int]:
        """Return the seats of those at the table, by name, in the order in which they sat down."""
        seats = {player.name: player.seat for player in self.players}
        return {name: seats[name] for name in self.table}

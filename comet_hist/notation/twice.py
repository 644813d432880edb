"""When a line says again what another said before (E107), however both were written."""

from collections import defaultdict

from comet_hist.record import Cards, Line, Pay, Seat


class Said:
    """What the lines of a session's header, or of one hand, have said so far.

    A question takes as long with many lines above as with few.
    """

    def __init__(self) -> None:
        self._seats: set[tuple[int, str]] = set()
        self._cards: defaultdict[tuple[str, str], set[frozenset[int]]] = defaultdict(set)
        self._payers: defaultdict[str, set[str]] = defaultdict(set)
        self._last_paid: dict[str, Line] = {}

    def has_seat(self, seat: Seat) -> bool:
        """Say whether a line above seats this player in this place, whatever chips it gives.

        Others are the engine's (E202).
        """
        return (seat.number.count, seat.player.text) in self._seats

    def add_seat(self, seat: Seat) -> None:
        """Take in a `Seat` line."""
        self._seats.add((seat.number.count, seat.player.text))

    def has_cards_for(self, kind: str, cards: Cards) -> bool:
        """Say whether a line of the kind, `deal` or `left`, has cards for the same player above."""
        return (kind, cards.player.text) in self._cards

    def has_cards(self, kind: str, cards: Cards) -> bool:
        """Say whether a line of the kind has the same cards for the same player above."""
        return _cards_of(cards) in self._cards.get((kind, cards.player.text), ())

    def add_cards(self, kind: str, cards: Cards) -> None:
        """Take in a `Deal` or `Left` line."""
        self._cards[kind, cards.player.text].add(_cards_of(cards))

    def paid_before(self, pay: Pay) -> Line | None:
        """Return the last line of a payment's kind if all who pay in it paid in lines of that kind above.

        A `Pay pot` line has no payers, so that a second one always says it again; transfers may be any number.
        """
        last = self._last_paid.get(pay.kind)
        return last if _payers_of(pay) <= self._payers[pay.kind] else None

    def add_pay(self, pay: Pay) -> None:
        """Take in a `Pay` line."""
        if pay.kind != "transfer":
            self._payers[pay.kind] |= _payers_of(pay)
            self._last_paid[pay.kind] = pay.line


def _cards_of(cards: Cards) -> frozenset[int]:
    return frozenset(dealt.card for dealt in cards.cards)


def _payers_of(pay: Pay) -> set[str]:
    return {share.player.text for share in pay.saying}

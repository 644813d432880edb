"""What a hand owes by the rules (C1 to C4), worked out from what happened in it."""

from typing import NamedTuple

from comet_hist.engine.facts import Replay
from comet_hist.rules import MOST_CHIPS, Rules


class Owed(NamedTuple):
    """An amount that one player owes another, or the pot.

    Attributes:
        kind: `ante`, `comet`, `cards` or `pot`.
        payer: who owes; None is the pot.
        payee: who is owed; None is the pot.
        amount: chips, never 0.
    """

    kind: str
    payer: str | None
    payee: str | None
    amount: int


def owed(replay: Replay, rules: Rules, comet_payment: int) -> list[Owed]:
    """Return what a hand owes: the antes (C1), the Comet (C2, R4), the cards left (C4), the pot (C3).

    Payers come in seat order.

    Args:
        replay: the hand; who went out, who played the Comet and how many cards were left is taken from what
            was played, lawfully or not (R16). One not played to its end, or void (R18), owes nothing.
        rules: what the table agreed on.
        comet_payment: chips that each other player owes for the Comet in this hand (R14).
    """
    if replay.state != "played" or replay.winner is None:
        return []
    players = replay.players
    winner = players[replay.winner]
    dues: list[Owed] = []
    if rules.ante:
        dues += [Owed("ante", players[place], None, rules.ante) for place in _in_seat_order(replay)]
    if comet_payment and comet_is_paid(replay, rules):
        dues += _to_comet(replay, comet_payment)
    if rules.card:
        dues += [
            Owed("cards", players[place], winner, rules.card * replay.left_counts[place])
            for place in _in_seat_order(replay)
            if replay.left_counts[place] and place != replay.winner
        ]
    if rules.ante:
        dues.append(Owed("pot", None, winner, rules.ante * len(players)))
    return dues


def comet_is_paid(replay: Replay, rules: Rules) -> bool:
    """Say whether the Comet was played so that it is paid: always, unless led and agreed `led free` (R4)."""
    return replay.comet is not None and not (rules.led == "free" and replay.comet.use == "led")


def _to_comet(replay: Replay, payment: int) -> list[Owed]:
    if replay.comet is None:
        return []
    holder = replay.comet.player
    payee = replay.players[holder]
    payers = (replay.players[place] for place in _in_seat_order(replay) if place != holder)
    return [Owed("comet", payer, payee, payment) for payer in payers]


def _in_seat_order(replay: Replay) -> list[int]:
    """Return the positions, from the left of the dealer, in the order of the seats."""
    first = replay.players.index(replay.seated[0].name)
    places = range(len(replay.players))
    return [*places[first:], *places[:first]]


class CometPayment:
    """The Comet payment as it steps from hand to hand of a session (R14).

    It doubles for each hand in a row in which the Comet was not played, up to the cap and to 10⁹ chips, and starts from
    the base again after a hand in which it was. A void hand changes nothing. Where hands are missing or could not be
    replayed it is not known until the Comet is next played; `amount` then carries on as if they had changed nothing.

    >>> payment = CometPayment(Rules(comet=2, progressive=True, cap=7))
    >>> [(payment.amount, payment.double())[0] for _ in range(4)]
    [2, 4, 7, 7]

    Attributes:
        doubled: the payment before the cap.
        known: whether it is known.
    """

    def __init__(self, rules: Rules) -> None:
        self._base = rules.comet
        self._grows = rules.progressive
        self._most = MOST_CHIPS if rules.cap is None else min(rules.cap, MOST_CHIPS)
        self.doubled = rules.comet
        self.known = True

    @property
    def amount(self) -> int:
        """Chips that each other player owes if the Comet is played now."""
        return min(self.doubled, self._most) if self._grows else self._base

    def double(self) -> None:
        """Go on after a hand in which the Comet was not played."""
        self.doubled = min(self.doubled * 2, MOST_CHIPS)

    def resume(self, doubled: int) -> None:
        """Go on below hands that were proved clean by the bulk lane."""
        self.doubled = doubled
        self.known = True

    def before(self, replay: Replay) -> None:
        """Go on to a hand: where it does not follow the one before it, the payment is no longer known."""
        if replay.chain_broken:
            self.known = not self._grows

    def after(self, replay: Replay) -> None:
        """Go on from a hand that has been replayed."""
        if replay.state in ("unread", "unfinished"):
            self.known = not self._grows
        elif replay.state == "played":
            if replay.comet is None:
                self.double()
            else:
                self.doubled = self._base
                self.known = True

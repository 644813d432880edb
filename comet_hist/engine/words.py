"""The faults of play in a card player's words: what was found, what the rules say, and which rule."""

from comet_hist.cards import COMET, SIGNED, SIGNS, SUIT_MASKS, cards_in, lowest, suit_of
from comet_hist.engine.table import NOBODY, Move, Table
from comet_hist.record import Fault, Play


class Words:
    """Words for what is wrong at one table.

    Args:
        table: the state of play, as it is when a fault is put into words.
        players: the names by position.
    """

    def __init__(self, table: Table, players: tuple[str, ...]) -> None:
        self.table = table
        self.players = players

    def wrong(self, code: str, play: Play, player: int, stands_for: int | None) -> Fault:
        """Return the fault of a play that the table objects to.

        Args:
            code: the objection.
            play: the play as it was written.
            player: the position of who is said to have played.
            stands_for: what the Comet stands for, where that follows from the play.
        """
        card = SIGNED[play.card]
        if code == "E401":
            return self._opener(play)
        if code == "E402":
            return self._lead(play, player)
        if code == "E403":
            who = self._holder(play.card) or "nobody"
            return _fault(code, play, f"{play.name.text} did not hold {card}: {who} did", who)
        if code == "E404":
            return _fault(code, play, f"{card} is on the table already")
        if code == "E405":
            return self._does_not_follow(play)
        if code == "E407":
            return _fault(
                code, play, f"the run had stopped at a king: {card} opens a new run, on a line of its own (G6)"
            )
        if code == "E409":
            return _fault(code, play, f"only 9♦ stands for another card, not {card} (G7)", card)
        if code == "E412":
            gone = "somebody" if self.table.winner is None else self.players[self.table.winner]
            return _fault(code, play, f"{gone} had gone out: the hand was over (G9)")
        assert stands_for is not None or code == "E411", f"{code} is about what the Comet stands for"
        return self._comet(code, play, player, stands_for)

    def again(self, first: Play) -> Fault:
        """Return the E404 of a line all of whose cards are on the table already."""
        message = f"{SIGNED[first.card]} and all other cards of this line are on the table already"
        return _fault("E404", first, message)

    def stopped(self, last: Play) -> Fault:
        """Return the E406 of a run that stopped at a card though somebody held the next."""
        needed = lowest(self.table.need)
        who = self._holder(needed) or "somebody"
        message = f"run stopped at {SIGNED[last.claimed]}, but {who} held {SIGNED[needed]} (G5)"
        return Fault("E406", last, message, SIGNED[needed], "stop")

    def left_out(self, play: Play, missing: Move) -> Fault:
        """Return the E405 of a card before which a play was left out."""
        card = SIGNED[play.card]
        if missing.stands_for is not None:
            needed, paid = SIGNED[missing.stands_for], self.players[missing.player]
            why = f"the run needed {needed}; {paid} was paid for the Comet, which is played nowhere (G5)"
        else:
            needed = SIGNED[missing.card]
            why = f"the run needed {needed}, which is played nowhere (G5)"
        return _fault("E405", play, f"{card} does not follow: {why}", needed)

    def miswritten(self, code: str, play: Play, meant: Move) -> Fault:
        """Return the fault of a card written in the place of another."""
        reason = {"E404": "is on the table already", "E403": f"was not held by {play.name.text}"}
        needed = SIGNED[meant.card]
        message = (
            f"{SIGNED[play.card]} {reason.get(code, 'does not follow')}: the run needed {needed}, "
            f"which is played nowhere, and goes on from it (G5)"
        )
        return _fault(code, play, message, needed)

    def _holder(self, card: int) -> str | None:
        holder = self.table.holder(card)
        return None if holder == NOBODY else self.players[holder]

    def _opener(self, play: Play) -> Fault:
        rule = "the player left of the dealer opens the hand (G4)"
        if self.table.suit is not None:
            rule = "who played a run's last card opens the next (G6)"
        due = " or ".join(self.players[position] for position in cards_in(self.table.openers))
        message = f"{play.name.text} opened, but it was for {due} to open: {rule}"
        return Fault("E401", play.name, message, due, play.name.text)

    def _lead(self, play: Play, player: int) -> Fault:
        table, name, card = self.table, play.name.text, SIGNED[play.card]
        leads = table.leads(player)
        if table.rules.first == "hand" and table.suit is None:
            held = f"the lowest card held was {_cards(leads)} (first hand, R12)"
        else:
            suit = suit_of(play.card)
            leads &= SUIT_MASKS[suit]
            rule = "R5" if leads == 1 << COMET else "G6" if table.suit is not None else "G4"
            held = f"the lowest {SIGNS[suit]} held was {_cards(leads)} ({rule})"
        return _fault("E402", play, f"{name} opened with {card}, but {held}", _cards(leads))

    def _does_not_follow(self, play: Play) -> Fault:
        need, card = self.table.need, SIGNED[play.card]
        if need == 1 << COMET:
            message = f"{card} does not follow: here a run ends where the Comet stood for 8♦ (gap stop, R2)"
            return _fault("E405", play, message, "a new run")
        holder = self._holder(lowest(need))
        held = "" if holder is None else f", which {holder} held"
        return _fault("E405", play, f"{card} does not follow: the run needed {_cards(need)}{held} (G5)", _cards(need))

    def _comet(self, code: str, play: Play, player: int, stands_for: int | None) -> Fault:
        """Return a fault of what the Comet stands for (E408, E410), or of a house rule (E411)."""
        table = self.table
        if stands_for is None:
            return self._suit(play, player)
        card = SIGNED[stands_for]
        if code == "E408":
            needed = _cards(table.need)
            return _fault(code, play, f"the Comet stands for {card}, but the run needed {needed} (G7)", f"9♦={needed}")
        if code == "E410":
            message = f"no run is under way, so that the Comet cannot stand for {card} (R9)"
            if table.need >> stands_for & 1:
                message = "the rescue of a stopped run stands on the line of that run (R10)"
            return _fault(code, play, message, "9♦, or a card that opens a run")
        if table.rules.standin == "gap":
            message = f"here the Comet stands for 8♦ only, not for {card} (standin gap, R7)"
            return _fault(code, play, message, "9♦=8♦")
        who = self._holder(stands_for) or "somebody"
        message = (
            f"here the Comet stands only for a card that nobody holds, but {who} held {card} (standin stalled, R6)"
        )
        return _fault(code, play, message, card)

    def _suit(self, play: Play, player: int) -> Fault:
        held = self.table.hands[player]
        suits = "".join(sign for suit, sign in enumerate(SIGNS) if suit != self.table.suit and held & SUIT_MASKS[suit])
        message = f"{play.name.text} opened in the suit of the run before, but held {suits} (suit change, R13)"
        return _fault("E411", play, message, f"one of {suits}")


def _cards(mask: int) -> str:
    return " or ".join(SIGNED[card] for card in cards_in(mask)) or "nothing"


def _fault(code: str, play: Play, message: str, expected: str | None = None) -> Fault:
    """Return a fault at a card."""
    said = SIGNED[play.card] + ("" if play.stands_for is None else f"={SIGNED[play.stands_for]}")
    return Fault(code, play, message, expected, said)

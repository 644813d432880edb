"""Goes through a recorded hand, play by play, and goes on after every fault so that one slip gives one finding.

`Table` knows what is legal. This file knows the policy for the rest: what most likely happened at the table when
the record says something that cannot have happened. Most slips are the scribe's: a card left out, a name mixed up,
a line cut in two.
"""

from collections.abc import Callable, Iterable

from comet_hist.cards import COMET, GAP, SIGNED, SIGNS, SUIT_MASKS, cards_in, lowest, suit_of
from comet_hist.engine.deal import DealFound, check_left, not_in_pack, work_out
from comet_hist.engine.facts import Laid, Replay, RunMade, Seated
from comet_hist.engine.roster import stranger
from comet_hist.engine.table import NOBODY, Table
from comet_hist.record import Fault, Hand, Name, Play, Run
from comet_hist.rules import Rules

Watch = Callable[[Play | None, Table], None]
"""Is shown the table before each card of a replay is laid, with the recorded play that brought it there, and after the
last one, with None. A card that the scribe left out comes with the play at which that was found."""


def replay_hand(
    hand: Hand, rules: Rules, seated: tuple[Seated, ...], players: tuple[str, ...], watch: Watch | None = None
) -> Replay:
    """Replay a hand from its deal to its end.

    Args:
        hand: the hand, with no unreadable line.
        rules: the session's.
        seated: the players in seat order.
        players: their names from the left of the dealer to the dealer.
        watch: is called once for each of the plays in `Replay.laid`, and once more at the end.

    Returns:
        What happened, with the faults E201, E207, E209, E301 to E304, E4 and W208.
    """
    return _Replaying(hand, rules, seated, players, watch).replay()


class _Replaying:
    """One hand being replayed."""

    def __init__(
        self, hand: Hand, rules: Rules, seated: tuple[Seated, ...], players: tuple[str, ...], watch: Watch | None
    ) -> None:
        self.hand = hand
        self.watch = watch
        self.at: Play | None = None
        self.seated = seated
        self.players = players
        self.positions = {name: position for position, name in enumerate(players)}
        self.faults: list[Fault] = []
        self.written = 0
        played = self._cards_by_player()
        self.deal: DealFound = work_out(hand, self.positions, played)
        self.table = Table(rules, self.deal.hands, 0, self.deal.counts)
        self.laid: list[Laid] = []
        self.runs: list[RunMade] = []
        self.comet: Laid | None = None
        self.run_starts = 0
        self.last: Play | None = None
        self.misnamed: tuple[Name, int] | None = None
        self.strangers: set[str] = set()
        self.over = False

    def _cards_by_player(self) -> list[int]:
        """Return the mask of what each player is said to have played, and note all cards written in runs."""
        played = [0] * len(self.players)
        positions = self.positions
        for run in self.hand.runs:
            for play in run.plays:
                bit = 1 << play.card
                position = positions.get(play.name.text)
                if position is not None and not self.written & bit:
                    played[position] |= bit
                self.written |= bit
        return played

    def replay(self) -> Replay:
        """Go through the whole hand."""
        self._check_names()
        self.faults += self.deal.faults
        for run in self.hand.runs:
            self._run(run)
        self._close_run()
        if self.watch is not None:
            self.watch(None, self.table)
        self._check_end()
        table = self.table
        return Replay(
            self.hand,
            "unfinished" if table.winner is None else "played",
            seated=self.seated,
            players=self.players,
            dealt=tuple(self.deal.hands),
            sizes=tuple(self.deal.counts),
            deal_known=self.deal.known,
            left=tuple(table.hands),
            left_counts=tuple(table.counts),
            laid=self.laid,
            runs=self.runs,
            winner=table.winner,
            comet=self.comet,
            faults=self.faults,
        )

    # Around the play

    def _check_names(self) -> None:
        for line in (*self.hand.deals, *self.hand.left):
            if line.player.text not in self.positions:
                self._strange(line.player)
        for line in self.hand.left:
            self.faults += [not_in_pack(card) for card in line.cards if card.card == GAP]

    def _strange(self, name: Name) -> None:
        """E201, once for each name in a hand."""
        if name.text not in self.strangers:
            self.strangers.add(name.text)
            self.faults.append(stranger(name.text, self.seated, Fault("E201", name, "")))

    def _check_end(self) -> None:
        if self.table.winner is None:
            last = self.hand.runs[-1].line if self.hand.runs else self.hand.line
            message = "the hand is unfinished: nobody went out (G9)"
            self.faults.append(Fault("E207", last, message, "a last card", None))
        elif self.deal.known and self.deal.recorded and self.hand.left:
            self.faults += check_left(self.hand, self.positions, self.table.hands)
        if not (self.deal.known or self.deal.faults or self.strangers) and self.hand.runs:
            self.faults.append(self._unknown_deal())

    def _unknown_deal(self) -> Fault:
        known = sum(hand.bit_count() for hand in self.deal.hands)
        message = (
            f"the deal is not recorded and cannot be worked out ({51 - known} of 51 cards are not known): "
            "whether each lead was the lowest card held and each Comet allowed could not be checked in full"
        )
        return Fault("W208", self.hand.line, message, "the deal, or what each player but the winner had left")

    # Runs

    def _run(self, run: Run) -> None:
        plays = run.plays
        opens = begins = True
        for index, play in enumerate(plays):
            if play.card == GAP:
                self.faults.append(not_in_pack(play))
                continue
            if begins:
                opens = not self._stopped_early(play)
                begins = False
            self.at = play
            following = plays[index + 1] if index + 1 < len(plays) else None
            if self._play(play, opens, following):
                opens = False
                self.last = play

    def _stopped_early(self, opening: Play) -> bool:
        """Judge the end of a run when the next line begins (E406); say whether that line goes on with the same run."""
        table = self.table
        if table.winner is not None or table.stopped() or self.last is None:
            return False
        if opening.card == COMET and opening.stands_for is not None and table.need >> opening.stands_for & 1:
            return False
        needed = lowest(table.need)
        holder = table.holder(needed)
        who = "somebody" if holder == NOBODY else self.players[holder]
        claimed = self.last.card if self.last.stands_for is None else self.last.stands_for
        message = f"run stopped at {SIGNED[claimed]}, but {who} held {SIGNED[needed]} (G5)"
        self.faults.append(Fault("E406", self.last, message, SIGNED[needed], "stop"))
        opener = self.positions.get(opening.name.text, NOBODY)
        if table.need >> opening.card & 1 and opener == holder:
            return True
        otherwise = table.openers >> opener & 1 if opener != NOBODY else 1
        if not otherwise and self._comet_left_out(opener):
            self._count_as_played(opener, COMET, needed)
        elif self._played_nowhere(needed) and holder != NOBODY:
            counted = self._counted(holder, needed)
            if counted == "played" or (counted is None and opener == holder and not otherwise):
                self._count_as_played(holder, needed, None)
        return False

    def _close_run(self) -> None:
        """End the run under way, as the table stands."""
        plays = self.laid[self.run_starts :]
        if not plays:
            return
        first, last = plays[0], plays[-1]
        claimed = first.card if first.stands_for is None else first.stands_for
        self.runs.append(
            RunMade(
                len(self.runs) + 1,
                suit_of(claimed),
                first.player,
                last.player,
                first.card,
                len(plays),
                self.table.stop_reason(),
            )
        )
        self.run_starts = len(self.laid)

    def _lay(self, player: int, card: int, stands_for: int | None, opens: bool) -> None:
        """Put a card on the table and into the record; a card that nobody is known to have held is not recorded."""
        table = self.table
        if player == NOBODY:
            table.lay(player, card, stands_for, opens)
            return
        if self.watch is not None:
            self.watch(self.at, table)
        if opens:
            self._close_run()
        use = table.comet_use(player, stands_for) if card == COMET else None
        laid = Laid(len(self.laid) + 1, len(self.runs) + 1, player, card, stands_for, use)
        self.laid.append(laid)
        if card == COMET:
            self.comet = laid
        table.lay(player, card, stands_for, opens)

    def _count_as_played(self, player: int, card: int, stands_for: int | None) -> None:
        """Take a card that the scribe left out as played."""
        self._lay(player, card, stands_for, False)

    # Plays

    def _play(self, play: Play, opens: bool, following: Play | None) -> bool:
        """Make one recorded play; say whether it came to the table."""
        table = self.table
        card, stands_for = play.card, play.stands_for
        player = self.positions.get(play.name.text, NOBODY)
        if player == NOBODY:
            return self._play_of_stranger(play, opens)
        if card == COMET and stands_for is None and not opens and table.need:
            stands_for = lowest(table.need)
        code = table.objection(player, card, stands_for, opens)
        if code is None:
            self._lay(player, card, stands_for, opens)
            return True
        return self._play_on(code, play, player, stands_for, opens, following)

    def _play_on(
        self, code: str, play: Play, player: int, stands_for: int | None, opens: bool, following: Play | None
    ) -> bool:
        """Report a play that is not legal and go on from what most likely happened."""
        if code == "E412":
            if not self.over:
                self.over = True
                winner = self.players[self.table.winner or 0]
                self._fault(code, play, f"{winner} had gone out: the hand was over (G9)", None)
            return False
        if code in ("E404", "E403", "E405") and not opens:
            if self._left_out(play):
                return self._play(play, opens, following)
            if following is not None and self._misprinted(code, play, player, following):
                return False
        if code == "E404":
            self._fault(code, play, f"{SIGNED[play.card]} is on the table already", None)
            return False
        if code == "E403":
            return self._not_theirs(play, player, stands_for, opens)
        if code == "E409":
            return self._no_comet(play, player, opens)
        if code == "E407":
            return self._after_king(play, player)
        self._explain(code, play, player, stands_for)
        if code in ("E401", "E402") and self._first_left_out(play):
            opens = False
        self._lay_anyway(code, player, play.card, stands_for, opens)
        return True

    def _lay_anyway(self, code: str, player: int, card: int, stands_for: int | None, opens: bool) -> None:
        """Make a play that was reported; where it did not follow, the next card may follow it or the one before."""
        table = self.table
        need, closed, openers = table.need, table.closed, table.openers
        self._lay(player, card, stands_for, opens or code == "E410")
        if code == "E405":
            table.goes_on_from(need, closed)
            table.openers |= openers
        elif code == "E408":
            for needed in cards_in(need):
                table.goes_on_from(table.after(needed), not table.after(needed))

    def _play_of_stranger(self, play: Play, opens: bool) -> bool:
        """E201: the card is its holder's, and the run goes on from it."""
        self._strange(play.name)
        if self.table.winner is not None or self.table.laid >> play.card & 1:
            return False
        self._lay_for_holder(play, play.stands_for, opens)
        return True

    def _lay_for_holder(self, play: Play, stands_for: int | None, opens: bool) -> None:
        """Lay a card for whoever holds it; where it does not follow, the next may also follow the one before."""
        table = self.table
        need, closed = table.need, table.closed
        if play.card == COMET and stands_for is None and not opens and need:
            stands_for = lowest(need)
        claimed = play.card if stands_for is None else stands_for
        self._lay(table.holder(play.card), play.card, stands_for, opens or not need)
        if not opens and not need >> claimed & 1:
            table.goes_on_from(need, closed)

    def _not_theirs(self, play: Play, player: int, stands_for: int | None, opens: bool) -> bool:
        """E403, once where several cards in a row stand under the wrong name; either of the two may open next."""
        holder = self.table.holder(play.card)
        if self.misnamed != (play.name, holder):
            who = "nobody" if holder == NOBODY else self.players[holder]
            message = f"{play.name.text} did not hold {SIGNED[play.card]}: {who} did"
            self._fault("E403", play, message, who)
        self.misnamed = (play.name, holder)
        self._lay_for_holder(play, stands_for, opens)
        self.table.openers |= 1 << player
        return True

    def _no_comet(self, play: Play, player: int, opens: bool) -> bool:
        """E409: the card was played as itself; what it claims counts only where it does not follow as itself."""
        table = self.table
        claimed = play.stands_for if play.stands_for is not None else play.card
        message = f"only 9♦ stands for another card, not {SIGNED[play.card]} (G7)"
        self._fault("E409", play, message, SIGNED[play.card])
        code = table.objection(player, play.card, None, opens)
        if code == "E405":
            self._lay_anyway(code, player, play.card, None, opens)
            table.goes_on_from(table.after(claimed), not table.after(claimed))
        else:
            self._lay(player, play.card, None, opens or code == "E407")
        return True

    def _after_king(self, play: Play, player: int) -> bool:
        """E407: the card opens a new run, by the rules for opening."""
        message = f"the run had stopped at a king: {SIGNED[play.card]} opens a new run, on a line of its own (G6)"
        self._fault("E407", play, message, None)
        code = self.table.objection(player, play.card, None, True)
        if code is not None:
            self._explain(code, play, player, None)
        self._lay(player, play.card, None, True)
        return True

    # What the scribe may have done

    def _left_out(self, play: Play) -> bool:
        """E405 where one card was left out: the card needed is played nowhere, and this is the next after it."""
        table = self.table
        before = [card for card in cards_in(table.need) if table.after(card) >> play.card & 1]
        if play.stands_for is not None or not before or table.laid >> play.card & 1:
            return False
        needed = before[0]
        comet = table.holder(COMET)
        if comet != NOBODY and self._comet_left_out(comet):
            player, card, stood_for = comet, COMET, needed
        elif self._played_nowhere(needed):
            player, card, stood_for = table.holder(needed), needed, None
            if player != NOBODY and self._counted(player, needed) == "held":
                return False
        else:
            return False
        message = f"{SIGNED[play.card]} does not follow: the run needed {SIGNED[needed]}, which is played nowhere (G5)"
        if card == COMET:
            message = (
                f"{SIGNED[play.card]} does not follow: the run needed {SIGNED[needed]}; "
                f"{self.players[comet]} was paid for the Comet, which is played nowhere (G5)"
            )
        self._fault("E405", play, message, SIGNED[needed])
        self._count_as_played(player, card, stood_for)
        return True

    def _played_nowhere(self, card: int) -> bool:
        """Say whether somebody holds a card and no run of the hand has it."""
        return bool(self.table.in_hands() & ~self.written & 1 << card)

    def _comet_left_out(self, holder: int) -> bool:
        """Say whether the Comet was paid to its holder though it stands in no run."""
        if self.written >> COMET & 1 or not self.table.hands[holder] >> COMET & 1:
            return False
        payees = [pay.payee.text for pay in self.hand.pays if pay.kind == "comet" and pay.payee]
        return self.players[holder] in payees

    def _counted(self, holder: int, card: int) -> str | None:
        """Say what the record makes of a card that stands in no run: `played`, `held`, or None where nothing tells.

        Its holder's share of the `Pay cards` line tells, or that everything else of theirs was played and nobody
        else has gone out.
        """
        unplayed = self.deal.hands[holder] & ~self.written
        if not self.deal.known or not unplayed >> card & 1:
            return None
        paid = [
            share.chips.count
            for pay in self.hand.pays
            if pay.kind == "cards"
            for share in pay.shares
            if share.player.text == self.players[holder]
        ]
        price, count = self.table.rules.card, unplayed.bit_count()
        if count == 1 and not paid and all(hand & ~self.written for hand in self.deal.hands):
            return "played"
        if not price or len(paid) != 1:
            return None
        return {count * price: "held", (count - 1) * price: "played"}.get(paid[0])

    def _first_left_out(self, play: Play) -> bool:
        """Take a run's opening card as left out where it is counted as played and this card is the next after it."""
        table = self.table
        for opener in cards_in(table.openers):
            for lead in cards_in(table.leads(opener) & ~self.written):
                follows = lead != COMET and table.after(lead) >> play.card & 1
                if follows and table.suit_allowed(opener, lead) and self._counted(opener, lead) == "played":
                    self._lay(opener, lead, None, True)
                    return True
        return False

    def _misprinted(self, code: str, play: Play, player: int, following: Play) -> bool:
        """Take a wrong card for the one needed where that is played nowhere and the next card goes on from it."""
        table = self.table
        said = play.card if play.stands_for is None else play.stands_for
        if table.need >> said & 1:
            return False
        claimed = following.card if following.stands_for is None else following.stands_for
        for needed in cards_in(table.need & table.in_hands() & ~self.written):
            if table.after(needed) >> claimed & 1:
                card = SIGNED[play.card]
                reason = {"E404": "is on the table already", "E403": f"was not held by {play.name.text}"}
                message = (
                    f"{card} {reason.get(code, 'does not follow')}: the run needed {SIGNED[needed]}, "
                    f"which is played nowhere, and goes on from it (G5)"
                )
                self._fault(code, play, message, SIGNED[needed])
                holder = table.holder(needed)
                self._count_as_played(player if holder == NOBODY else holder, needed, None)
                return True
        return False

    # Words

    def _fault(self, code: str, play: Play, message: str, expected: str | None) -> None:
        self.faults.append(Fault(code, play, message, expected, _said(play)))

    def _explain(self, code: str, play: Play, player: int, stands_for: int | None) -> None:
        """Report the faults that need no more than words."""
        table, name, card = self.table, play.name.text, SIGNED[play.card]
        if code == "E401":
            rule = "the player left of the dealer opens the hand (G4)"
            if table.suit is not None:
                rule = "who played a run's last card opens the next (G6)"
            due = self._names(cards_in(table.openers))
            message = f"{name} opened, but it was for {due} to open: {rule}"
            self.faults.append(Fault(code, play.name, message, due, name))
        elif code == "E402":
            self._explain_lead(play, player)
        elif code == "E405":
            needed = _cards(table.need)
            message = f"{card} does not follow: the run needed {needed} (G5)"
            if table.need == 1 << COMET:
                needed, message = (
                    "a new run",
                    f"{card} does not follow: here a run ends where the Comet stood for 8♦ (gap stop, R2)",
                )
            self._fault(code, play, message, needed)
        elif code == "E408":
            needed = _cards(table.need)
            message = f"the Comet stands for {SIGNED[stands_for or 0]}, but the run needed {needed} (G7)"
            self._fault(code, play, message, f"9♦={needed}")
        elif code == "E410":
            message = f"no run is under way, so that the Comet cannot stand for {SIGNED[stands_for or 0]} (R9)"
            if stands_for is not None and table.need >> stands_for & 1:
                message = "the rescue of a stopped run stands on the line of that run (R10)"
            self._fault(code, play, message, "9♦, or a card that opens a run")
        elif code == "E411":
            self._explain_house(play, player, stands_for)

    def _explain_lead(self, play: Play, player: int) -> None:
        table, name, card = self.table, play.name.text, SIGNED[play.card]
        leads = table.leads(player)
        if table.rules.first == "hand" and table.suit is None:
            lowest_held = _cards(leads)
            message = f"{name} opened with {card}, but the lowest card held was {lowest_held} (first hand, R12)"
        else:
            suit = suit_of(play.card)
            lowest_held = _cards(leads & SUIT_MASKS[suit])
            rule = "R5" if leads & SUIT_MASKS[suit] == 1 << COMET else "G6" if table.suit is not None else "G4"
            message = f"{name} opened with {card}, but the lowest {SIGNS[suit]} held was {lowest_held} ({rule})"
        self._fault("E402", play, message, lowest_held)

    def _explain_house(self, play: Play, player: int, stands_for: int | None) -> None:
        table, name = self.table, play.name.text
        if stands_for is None:
            suits = "".join(
                sign for suit, sign in enumerate(SIGNS) if suit != table.suit and table.hands[player] & SUIT_MASKS[suit]
            )
            message = f"{name} opened in the suit of the run before, but held {suits} (suit change, R13)"
            self._fault("E411", play, message, f"one of {suits}")
        elif table.rules.standin == "gap":
            message = f"here the Comet stands for 8♦ only, not for {SIGNED[stands_for]} (standin gap, R7)"
            self._fault("E411", play, message, "9♦=8♦")
        else:
            holder = table.holder(stands_for)
            who = "somebody" if holder == NOBODY else self.players[holder]
            message = (
                f"here the Comet stands only for a card that nobody holds, "
                f"but {who} held {SIGNED[stands_for]} (standin stalled, R6)"
            )
            self._fault("E411", play, message, SIGNED[stands_for])

    def _names(self, positions: Iterable[int]) -> str:
        return " or ".join(self.players[position] for position in positions)


def _cards(mask: int) -> str:
    return " or ".join(SIGNED[card] for card in cards_in(mask)) or "nothing"


def _said(play: Play) -> str:
    return SIGNED[play.card] + ("" if play.stands_for is None else f"={SIGNED[play.stands_for]}")

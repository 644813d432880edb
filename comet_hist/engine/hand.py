"""Goes through a recorded hand, play by play, and goes on after every fault so that one slip gives one finding.

`table` knows what is legal, `scribe` what may have been left out of the record, `words` how a fault is said. This is
the policy: what is taken to have happened at the table when the record says something that cannot have happened.
"""

from collections.abc import Callable, Sequence

from comet_hist.cards import COMET, GAP, cards_in, lowest, suit_of
from comet_hist.engine.deal import check_left, not_in_pack, work_out
from comet_hist.engine.facts import Laid, Replay, RunMade, Seated
from comet_hist.engine.roster import stranger
from comet_hist.engine.scribe import Scribe
from comet_hist.engine.table import NOBODY, Move, Table
from comet_hist.engine.words import Words
from comet_hist.record import Fault, Hand, Play, Run
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
        self.doubled = len(self.positions) < len(players)
        self.scribe = Scribe(hand, self.positions, len(players), rules)
        self.deal = work_out(hand, self.positions, players, self.scribe)
        self.table = Table(rules, self.deal.hands, 0, self.deal.counts)
        self.words = Words(self.table, players)
        self.faults: list[Fault] = []
        self.laid: list[Laid] = []
        self.runs: list[RunMade] = []
        self.comet: Laid | None = None
        self.run_starts = 0
        self.last: Play | None = None
        self.misnamed: tuple[str, int] | None = None
        self.over = False
        self.short_explained = False

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
        """E201 and E301 in `Deal` and `Left` lines."""
        for line in (*self.hand.deals, *self.hand.left):
            if line.player.text not in self.positions:
                self.faults.append(stranger(line.player, self.seated))
        for line in self.hand.left:
            self.faults += [not_in_pack(card) for card in line.cards if card.card == GAP]

    def _check_end(self) -> None:
        if self.table.winner is None:
            last = self.hand.runs[-1].line if self.hand.runs else self.hand.line
            message = "the hand is unfinished: nobody went out (G9)"
            self.faults.append(Fault("E207", last, message, "a last card", None))
        elif self.deal.known and self.hand.left and not self.over:
            said = {id(fault.where) for fault in self.faults}
            faults = check_left(self.hand, self.positions, self.table.hands)
            self.faults += [fault for fault in faults if id(fault.where) not in said]
        if not self.short_explained:
            self.faults += self.deal.short
        if not self.deal.known and self.hand.runs and not any(fault.code < "E4" for fault in self.faults):
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
        if len(plays) > 1 and self.last is not None and all(self.table.laid >> play.card & 1 for play in plays):
            self.faults.append(self.words.again(plays[0]))
            return
        opens = begins = True
        under = None
        for index, play in enumerate(plays):
            if play.name.text != under:
                under, self.misnamed = play.name.text, None
            if play.card == GAP:
                self.faults.append(not_in_pack(play))
                continue
            if begins:
                opens = not self._stopped_early(play)
                begins = False
            self.at = play
            if self._play(play, opens, plays[index + 1 : index + 2]):
                opens = False
                self.last = play

    def _stopped_early(self, opening: Play) -> bool:
        """Judge the end of a run when the next line begins (E406); say whether that line goes on with the same run."""
        table = self.table
        if table.stopped() or table.winner is not None or self.last is None:
            return False
        if opening.card == COMET and opening.stands_for is not None and table.need >> opening.stands_for & 1:
            return False
        self.faults.append(self.words.stopped(self.last))
        needed = lowest(table.need)
        opener = self.positions.get(opening.name.text, NOBODY)
        if table.need >> opening.card & 1 and opener == table.holder(needed):
            return True
        self._lay_missing(self.scribe.last(table, needed, opener))
        return False

    def _close_run(self) -> None:
        """End the run under way, as the table stands."""
        plays = self.laid[self.run_starts :]
        if not plays:
            return
        first, last = plays[0], plays[-1]
        suit = suit_of(first.claimed)
        number, stop = len(self.runs) + 1, self.table.stop_reason()
        self.runs.append(RunMade(number, suit, first.player, last.player, first.card, len(plays), stop))
        self.run_starts = len(self.laid)

    def _lay(self, player: int, card: int, stands_for: int | None, opens: bool) -> None:
        """Put a card on the table and into the record; a card that nobody is known to have held is not recorded."""
        table = self.table
        if player == NOBODY:
            self.short_explained = True
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

    def _lay_missing(self, missing: Move | None) -> bool:
        """Count a play as made that the scribe left out; say whether there is one."""
        if missing is None:
            return False
        self._lay(*missing)
        return True

    # Plays

    def _play(self, play: Play, opens: bool, following: Sequence[Play]) -> bool:
        """Make one recorded play; say whether it came to the table."""
        table = self.table
        card, stands_for = play.card, play.stands_for
        player = self.positions.get(play.name.text, NOBODY)
        if self.doubled:
            player = self._of_one_name(play, player)
        if player == NOBODY:
            return self._play_of_stranger(play, opens)
        if card == COMET and stands_for is None and not opens and table.need:
            stands_for = lowest(table.need)
        code = table.objection(player, card, stands_for, opens)
        if code is None:
            self._lay(player, card, stands_for, opens)
            return True
        return self._play_on(code, play, player, stands_for, opens, following)

    def _of_one_name(self, play: Play, position: int) -> int:
        """Return the position of who played: of two who bear one name (E202) the one who holds the card."""
        holder = self.table.holder(play.card)
        return holder if holder != NOBODY and self.players[holder] == play.name.text else position

    def _play_on(
        self, code: str, play: Play, player: int, stands_for: int | None, opens: bool, following: Sequence[Play]
    ) -> bool:
        """Report a play that is not legal and go on from what likely happened; say whether it came to the table."""
        table, words, scribe = self.table, self.words, self.scribe
        if code == "E412":
            if not self.over:
                self.faults.append(words.wrong(code, play, player, stands_for))
            self.over = True
            return False
        if code in ("E403", "E404", "E405") and not opens:
            if missing := scribe.before(table, play):
                self.faults.append(words.left_out(play, missing))
                self._lay(*missing)
                return self._play(play, opens, following)
            if meant := scribe.meant(table, play, player, following):
                self.faults.append(words.miswritten(code, play, meant))
                self._lay(*meant)
                return False
        if code == "E403":
            return self._not_theirs(play, player, stands_for, opens)
        self.faults.append(words.wrong(code, play, player, stands_for))
        if code == "E404":
            return False
        if code == "E409":
            self._lay_as_itself(play, player, opens)
        elif code == "E407":
            self._open_anyway(play, player)
        else:
            if code in ("E401", "E402") and self._lay_missing(scribe.first(table, play)):
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
        self.faults.append(stranger(play.name, self.seated))
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
        misnamed = (play.name.text, self.table.holder(play.card))
        if self.misnamed != misnamed:
            self.faults.append(self.words.wrong("E403", play, player, stands_for))
        self.misnamed = misnamed
        self._lay_for_holder(play, stands_for, opens)
        self.table.openers |= 1 << player
        return True

    def _lay_as_itself(self, play: Play, player: int, opens: bool) -> None:
        """After E409: what the card claims counts only where it does not follow as itself."""
        table = self.table
        code = table.objection(player, play.card, None, opens)
        if code != "E405" or play.stands_for is None:
            self._lay(player, play.card, None, opens or code == "E407")
            return
        self._lay_anyway(code, player, play.card, None, opens)
        after = table.after(play.stands_for)
        table.goes_on_from(after, not after)

    def _open_anyway(self, play: Play, player: int) -> None:
        """After E407: the card opens a new run, by the rules for opening."""
        code = self.table.objection(player, play.card, None, True)
        if code is not None:
            self.faults.append(self.words.wrong(code, play, player, None))
        self._lay(player, play.card, None, True)

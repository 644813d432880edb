"""From hand to hand of a session: who is at the table, who deals, whether a hand can be replayed (G10, R17, R18)."""

from collections.abc import Sequence
from dataclasses import dataclass

from comet_hist.engine.deal import hand_sizes, lines_by_player
from comet_hist.engine.facts import Replay, SessionReplay
from comet_hist.engine.hand import replay_hand
from comet_hist.engine.roster import Chair, Roster, from_left_of, next_chair, stranger
from comet_hist.record import Fault, Hand, Session
from comet_hist.rules import Rules


def replay(session: Session) -> SessionReplay:
    """Replay all hands of a session in order.

    Returns:
        One replay a hand, and the faults of the session itself: E202 in its header, E203 once.
    """
    return _Sequence(session).replay()


@dataclass(slots=True)
class _Numbers:
    """Hand numbers count up within the session."""

    highest: int = 0
    repeats: int = 0

    def judge(self, hand: Hand) -> tuple[Fault | None, bool]:
        """Return E205 where the number is not above the last, and whether hands are missing before this one."""
        if hand.number is None:
            return None, False
        if hand.number <= self.highest:
            self.repeats += 1
            message = f"hand {hand.number} follows hand {self.highest}: hand numbers count up"
            if hand.number < 1:
                message = "hand numbers count up from 1"
            return Fault("E205", hand.line, message, f"{self.highest + 1} or more", str(hand.number)), False
        gap = self.highest > 0 and hand.number > self.highest + self.repeats + 1
        self.highest, self.repeats = hand.number, 0
        return None, gap


class _Sequence:
    """A session being replayed.

    `due` holds the seats that may deal the next hand; after E305 there are two. It is empty where rotation
    cannot tell, before the first hand that names its dealer.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.roster = Roster(session)
        self.numbers = _Numbers()
        self.due: tuple[Chair, ...] = ()
        self.broken = False
        self.faults = list(self.roster.faults)

    def replay(self) -> SessionReplay:
        """Go through the session."""
        rules = self.session.rules
        playable = rules is not None and not self.session.unread
        if rules is not None and playable:
            self._check_table_size(rules, None)
        hands = [self._hand(hand, rules if playable else None) for hand in self.session.hands]
        return SessionReplay(hands, self.faults)

    def _check_table_size(self, rules: Rules, hand: Hand | None) -> bool:
        """E203, once a session: say whether the number of players is one that the rules allow."""
        sizes, count = rules.table_sizes(), len(self.roster.seated)
        if count in sizes:
            return True
        if not any(fault.code == "E203" for fault in self.faults):
            allowed = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            who = "are" if hand is None else f"play hand {hand.number}"
            game = "Comet" if rules.game == "classic" else rules.game
            message = f"{count} players {who} at the table, but {game} is for {allowed} (G1)"
            self.faults.append(Fault("E203", self.session.line, message, f"{allowed} players", f"{count} players"))
        return False

    def _hand(self, hand: Hand, rules: Rules | None) -> Replay:
        faults = self.roster.change(hand)
        number_fault, gap = self.numbers.judge(hand)
        if number_fault is not None:
            faults.append(number_fault)
        broken = self.broken or gap
        self.broken = False
        if hand.void is not None:
            result = Replay(hand, "void", seated=self.roster.seated)
            self._void_dealer(hand, broken, result)
        elif rules is None or not self._check_table_size(rules, hand) or hand.unread:
            result = Replay(hand, "unread", seated=self.roster.seated)
            self._lose_track(hand)
        else:
            result = self._replayed(hand, rules, broken)
        result.faults += faults
        result.chain_broken = broken
        result.loadable = number_fault is None and hand.number is not None
        return result

    def _lose_track(self, hand: Hand) -> None:
        """After a hand that was not replayed the next dealer is taken as recorded; rotation only fills in."""
        self.broken = True
        chair = self._recorded(hand)
        if chair is not None:
            self.due = (chair,)
        self._rotate()

    def _rotate(self) -> None:
        seated = self.roster.seated
        self.due = tuple(dict.fromkeys(next_chair(chair, seated) for chair in self.due)) if seated else ()

    def _recorded(self, hand: Hand) -> Chair | None:
        """Return the seat of the dealer named in the hand, if one at the table is."""
        if hand.dealer is None:
            return None
        name = hand.dealer.text
        return next((player.place for player in self.roster.seated if player.name == name), None)

    def _occupied_due(self) -> tuple[Chair, ...]:
        """Return the due seats as they are occupied now: a dealer who left is followed by the next seat (R17)."""
        chairs = {player.place for player in self.roster.seated}
        due = (chair if chair in chairs else next_chair(chair, self.roster.seated) for chair in self.due)
        return tuple(dict.fromkeys(due)) if chairs else ()

    def _void_dealer(self, hand: Hand, broken: bool, result: Replay) -> None:
        """A void hand is dealt again by the same player (R18)."""
        self.due = self._occupied_due()
        chair = self._recorded(hand)
        self._check_dealer(hand, chair, broken, result.faults)
        if chair is not None:
            self.due = (chair,) if broken or chair in self.due else (chair, *self.due)
        self.broken = broken

    def _check_dealer(self, hand: Hand, chair: Chair | None, broken: bool, faults: list[Fault]) -> None:
        """E201 for a dealer nobody knows, E305 for one whose turn it is not (G10)."""
        if hand.dealer is None:
            return
        seated = self.roster.seated
        if chair is None:
            faults.append(stranger(hand.dealer.text, seated, Fault("E201", hand.dealer, "")))
        elif self.due and not broken and chair not in self.due:
            names = " or ".join(player.name for player in seated if player.place in self.due)
            message = f"{hand.dealer.text} deals, but it was {names}'s turn (G10)"
            faults.append(Fault("E305", hand.dealer.line, message, names, hand.dealer.text))

    def _replayed(self, hand: Hand, rules: Rules, broken: bool) -> Replay:
        seated = self.roster.seated
        self.due = self._occupied_due()
        faults: list[Fault] = []
        chair = self._recorded(hand)
        self._check_dealer(hand, chair, broken, faults)
        candidates = self._dealers(hand, chair, broken, faults)
        dealer = candidates[0]
        if len(candidates) > 1:
            dealer = max(candidates, key=lambda candidate: _fit(hand, from_left_of(candidate, seated)))
        result = replay_hand(hand, rules, seated, from_left_of(dealer, seated))
        result.faults += faults
        wrong = any(fault.code == "E305" for fault in faults)
        both = wrong or (chair is None and bool(self.due) and not broken)
        self.due = candidates if both else (dealer,)
        self._rotate()
        if result.state == "unfinished":
            self.broken = True
            _settle_cut(hand, result)
        elif hand.cut_unread:
            self.broken = True
            return Replay(hand, "unread", seated=seated, faults=faults)
        return result

    def _dealers(self, hand: Hand, chair: Chair | None, broken: bool, faults: list[Fault]) -> tuple[Chair, ...]:
        """Return the seats that may have dealt, the likeliest first; E204 where nothing tells."""
        if chair is not None:
            return (chair, *self.due) if any(fault.code == "E305" for fault in faults) else (chair,)
        everybody = tuple(player.place for player in self.roster.seated)
        if self.due:
            return (*self.due, *everybody) if broken else self.due
        if not broken and hand.dealer is None:
            message = "the dealer is not known: the first hand does not name its dealer"
            faults.append(Fault("E204", hand.line, message, "the name of the dealer", None))
        return everybody


def _fit(hand: Hand, players: Sequence[str]) -> int:
    """Count what speaks for players being dealt to in this order: hand sizes, and who opened (G3, G4).

    The opener counts most: hand sizes are the same for most places at the table.
    """
    opener = next((play.name.text for run in hand.runs for play in run.plays), None)
    positions = {name: position for position, name in enumerate(players)}
    deals, _ = lines_by_player(hand.deals, positions)
    sizes = hand_sizes(len(players))
    fitting = sum(len(line.cards) == sizes[position] for position, line in deals.items())
    return fitting + (len(players) if not deals else 1) * (opener == players[0])


def _settle_cut(hand: Hand, result: Replay) -> None:
    """Leave one E207 of a hand cut off by the end of the file, whatever its last line looks like."""
    if hand.cut is None:
        return
    cut = hand.cut.line.number
    hand.faults[:] = [fault for fault in hand.faults if fault.where.line.number != cut]
    loose = () if hand.runs else ("E303", "E304", "E209")
    result.faults[:] = [
        fault
        for fault in result.faults
        if fault.code == "E207" or (fault.where.line.number != cut and fault.code not in loose and fault.code != "W208")
    ]

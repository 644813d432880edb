"""From hand to hand of a session: who is at the table, who deals, whether a hand can be replayed (G10, R17, R18)."""

from collections import defaultdict
from collections.abc import Sequence

from comet_hist.engine.deal import hand_sizes, lines_by_player
from comet_hist.engine.facts import Replay, Seated, SessionReplay
from comet_hist.engine.hand import replay_hand
from comet_hist.engine.roster import MOST_SEATED, Chair, Roster, from_left_of, in_turn, left_of, stranger, without_seat
from comet_hist.findings import some
from comet_hist.record import Fault, Hand, Session
from comet_hist.rules import Rules
from comet_hist.standing import Standing


def replay(session: Session) -> SessionReplay:
    """Replay all hands of a session in order.

    Returns:
        One replay a hand, and the faults of the session itself: E202 in its header, E203 once.
    """
    replayer = Replayer(session)
    hands = [replayer.hand(hand) for hand in session.hands]
    return SessionReplay(hands, replayer.faults)


_Plays = tuple[tuple[str, int, int | None], ...]
"""The plays of a hand: who played which card, and for which other."""


class Numbers:
    """Hand numbers count up within the session.

    Attributes:
        last: the last one, 0 before the first hand.
        known: all of them that were above the one before.
        highest: the highest of these.
        slips: hands since then without such a number.
    """

    def __init__(self) -> None:
        self.last = self.highest = 0
        self.known: set[int] = set()
        self.slips = 0

    def judge(self, hand: Hand) -> tuple[Fault | None, bool]:
        """Return E205 where the number is not above the last or was there before, and whether hands are missing."""
        number = hand.number
        if number is None:
            self.slips += 1
            return None, False
        wrong = number <= self.last or number in self.known
        last, self.last = self.last, number
        if wrong:
            self.slips += 1
            message = f"hand {number} stands below hand {last}: hand numbers count up"
            if number in self.known:
                message = f"this is the second hand {number}: hand numbers count up"
            if number < 1:
                message = "hand numbers count up from 1"
            return Fault("E205", hand.line, message, f"{last + 1} or more", str(number)), False
        self.known.add(number)
        self.highest = max(self.highest, number)
        gap = number > last + self.slips + 1
        self.slips = 0
        return None, gap

    def resume(self, last: int) -> None:
        """Go on below hands whose numbers counted up one by one."""
        self.known.update(range(self.last + 1, last + 1))
        self.last = self.highest = last
        self.slips = 0


class Played:
    """The hands of a session so far by number, to tell one that stands in the record a second time."""

    def __init__(self) -> None:
        self._hands: defaultdict[int, list[Hand]] = defaultdict(list)
        self._plays: dict[int, set[_Plays]] = {}

    def add(self, hand: Hand) -> None:
        """Take in a hand."""
        if hand.number in self._plays:
            self._plays[hand.number].add(_plays(hand))
        elif hand.number is not None:
            self._hands[hand.number].append(hand)

    def has(self, hand: Hand) -> bool:
        """Say whether a hand above has the same number and the same plays, of which there are some."""
        if hand.number is None or not hand.runs:
            return False
        if hand.number not in self._plays:
            self._plays[hand.number] = {_plays(other) for other in self._hands.pop(hand.number, ())}
        return _plays(hand) in self._plays[hand.number]


class Replayer:
    """A session being replayed.

    `due` holds the places from which the next dealer is looked for, clockwise; after E305 there are two. It is empty
    where rotation cannot tell, before the first hand that names its dealer.

    Attributes:
        roster: who is at the table.
        newcomers: those of them who sat down in the hand being replayed.
        numbers: the hand numbers so far.
        without_seat: who took part without a seat (E201).
        played: the hands above, of which one may be copied below.
        faults: those of the session itself so far.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.roster = Roster(session)
        self.numbers = Numbers()
        self.newcomers: frozenset[Seated] = frozenset()
        self.due: tuple[Chair, ...] = ()
        self.broken = False
        self.played = Played()
        self.without_seat: set[str] = set()
        self.faults = list(self.roster.faults)
        self.rules = None if session.unread else session.rules
        if self.rules is not None:
            self._check_table_size(self.rules, None)

    def turn(self) -> int | None:
        """Return the seat from which the next dealer is looked for, clockwise; 0 where anybody may deal.

        It is None where that is in doubt, or who sits where, or the number of the next hand.
        """
        doubled = any(player.place[1] for player in self.roster.seated)
        if self.broken or doubled or self.numbers.highest > self.numbers.last or len(self.due) > 1:
            return None
        if not self.due:
            return 0
        return sum(self.due[0])

    def resume(self, standing: Standing) -> None:
        """Go on below hands that were proved clean by the bulk lane, and counted up from the last one here."""
        seats = standing.seats().items()
        seated = [Seated(name, seat, (seat, 0)) for name, seat in seats]
        self.roster.seated = tuple(sorted(seated, key=lambda player: player.place))
        self.due = ((standing.due, 0),)
        self.numbers.resume(standing.last)

    def _check_table_size(self, rules: Rules, hand: Hand | None) -> bool:
        """E203, once a session: say whether the number of players is one that the rules allow."""
        sizes, count = rules.table_sizes(), len(self.roster)
        if count in sizes:
            return True
        if not any(fault.code == "E203" for fault in self.faults):
            allowed = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            when = "" if hand is None else f" in hand {hand.number}"
            game = "Comet" if rules.game == "classic" else rules.game
            message = f"{some(count, 'player')} at the table{when}, but {game} is for {allowed} (G1)"
            if self.roster.passed_over:
                message += f"; `Seat` lines beyond {MOST_SEATED} players are passed over"
            self.faults.append(Fault("E203", self.session.line, message, f"{allowed} players", some(count, "player")))
        return False

    def hand(self, hand: Hand) -> Replay:
        """Replay the next hand."""
        rules = self.rules
        copied = self._copied(hand)
        self.played.add(hand)
        if copied is not None:
            return Replay(hand, "void", seated=self.roster.seated, faults=[copied], loadable=False)
        before = self.roster.seated
        faults = self.roster.change(hand)
        self.newcomers = frozenset(self.roster.seated).difference(before)
        number_fault, gap = self.numbers.judge(hand)
        if number_fault is not None:
            faults.append(number_fault)
        broken = self.broken or gap
        self.broken = False
        if hand.void is not None:
            result = Replay(hand, "void", seated=self.roster.seated)
            self._void_dealer(hand, broken, result)
        elif rules is None or not self._check_table_size(rules, hand) or hand.unread or self._unseated(hand, faults):
            result = Replay(hand, "unread", seated=self.roster.seated)
            self._lose_track(hand)
        else:
            result = self._replayed(hand, rules, broken)
        result.faults += faults
        result.chain_broken = broken
        result.loadable = number_fault is None and hand.number is not None
        return result

    def _unseated(self, hand: Hand, faults: list[Fault]) -> bool:
        """Say whether somebody without a seat takes part, and report them once a session (E201)."""
        name = without_seat(hand, self.roster.seated)
        if name is not None and name.text not in self.without_seat:
            self.without_seat.add(name.text)
            message = f"{name.text} takes part from here on, but is nowhere given a seat"
            faults.append(Fault("E201", name, message, f"a seat for {name.text}, joining before this hand", name.text))
        return name is not None

    def _copied(self, hand: Hand) -> Fault | None:
        """E205 of a hand that stands in the record a second time: the first counts, and this one changes nothing."""
        if hand.number not in self.numbers.known or not self.played.has(hand):
            return None
        message = f"hand {hand.number} stands here a second time: the first counts"
        return Fault("E205", hand.line, message, "each hand once", str(hand.number))

    def _lose_track(self, hand: Hand) -> None:
        """After a hand that was not replayed the next dealer is taken as recorded; rotation only fills in."""
        self.broken = True
        chair = self._recorded(hand)
        self._rotate(self._next_dealers() if chair is None else (chair,))

    def _rotate(self, dealers: tuple[Chair, ...]) -> None:
        self.due = tuple(left_of(chair) for chair in dealers)

    def _recorded(self, hand: Hand) -> Chair | None:
        """Return the seat of the dealer named in the hand, if one at the table is."""
        if hand.dealer is None:
            return None
        name = hand.dealer.text
        return next((player.place for player in self.roster.seated if player.name == name), None)

    def _next_dealers(self) -> tuple[Chair, ...]:
        """Return who deals where nobody is recorded: the next occupied seat, newcomers included (G10, R17)."""
        seated = self.roster.seated
        return tuple(dict.fromkeys(in_turn(place, seated)[0] for place in self.due)) if seated else ()

    def _allowed_dealers(self) -> tuple[Chair, ...]:
        """Return who may be recorded as the dealer: the next one with or without the newcomers (G10, R17)."""
        seated = self.roster.seated
        chairs = (chair for place in self.due for chair in in_turn(place, seated, self.newcomers))
        return tuple(dict.fromkeys(chairs)) if seated else ()

    def _void_dealer(self, hand: Hand, broken: bool, result: Replay) -> None:
        """A void hand is dealt again by the same player (R18)."""
        allowed = self._allowed_dealers()
        chair = self._recorded(hand)
        self._check_dealer(hand, chair, broken, allowed, result.faults)
        if chair is None:
            self.due = allowed
        else:
            self.due = (chair,) if broken or chair in allowed else (chair, *allowed)
        self.broken = broken

    def _check_dealer(
        self, hand: Hand, chair: Chair | None, broken: bool, allowed: tuple[Chair, ...], faults: list[Fault]
    ) -> None:
        """E201 for a dealer nobody knows, E305 for one whose turn it is not (G10)."""
        if hand.dealer is None:
            return
        seated = self.roster.seated
        if chair is None:
            faults.append(stranger(hand.dealer, seated))
        elif allowed and not broken and chair not in allowed:
            names = " or ".join(player.name for player in seated if player.place in allowed)
            message = f"{hand.dealer.text} deals, but it was {names}'s turn (G10)"
            faults.append(Fault("E305", hand.dealer.line, message, names, hand.dealer.text))

    def _replayed(self, hand: Hand, rules: Rules, broken: bool) -> Replay:
        seated = self.roster.seated
        faults: list[Fault] = []
        chair = self._recorded(hand)
        allowed = self._allowed_dealers()
        self._check_dealer(hand, chair, broken, allowed, faults)
        wrong = any(fault.code == "E305" for fault in faults)
        if chair is not None:
            candidates = (chair, *allowed) if wrong else (chair,)
        else:
            candidates = self._unrecorded_dealers(hand, broken, faults)
        if chair is not None and not self.due and not broken:
            candidates = self._first_dealers(hand, chair, faults)
        dealer = candidates[0]
        if len(candidates) > 1:
            dealer = max(candidates, key=lambda candidate: _fit(hand, from_left_of(candidate, seated)))
        result = replay_hand(hand, rules, seated, from_left_of(dealer, seated))
        result.faults += faults
        wrong = any(fault.code == "E305" for fault in faults)
        both = wrong or (chair is None and bool(self.due) and not broken)
        self._rotate(candidates if both else (dealer,))
        if result.state == "unfinished":
            self.broken = True
            result.faults = _without_cut(hand, result.faults)
        elif hand.cut is not None:
            result.faults += hand.cut.faults
            if hand.cut.unread:
                self.broken = True
                return Replay(hand, "unread", seated=seated, faults=[*faults, *hand.cut.faults])
        return result

    def _first_dealers(self, hand: Hand, chair: Chair, faults: list[Fault]) -> tuple[Chair, ...]:
        """Return who may have dealt the first hand; E305 where its sizes and opener tell of another than recorded."""
        seated = self.roster.seated
        if not hand.deals or _opener(hand) in (None, from_left_of(chair, seated)[0]):
            return (chair,)
        best = max((player.place for player in seated), key=lambda other: _fit(hand, from_left_of(other, seated)))
        if _fit(hand, from_left_of(best, seated)) < len(hand.deals) + 1 or not _sizes_differ(len(seated)):
            return (chair,)
        name = from_left_of(best, seated)[-1]
        assert hand.dealer is not None
        message = f"{hand.dealer.text} deals, but hand sizes and who opened say that {name} did (G3, G4)"
        faults.append(Fault("E305", hand.dealer.line, message, name, hand.dealer.text))
        return (chair, best)

    def _unrecorded_dealers(self, hand: Hand, broken: bool, faults: list[Fault]) -> tuple[Chair, ...]:
        """Return the seats that may have dealt, the likeliest first; E204 where nothing tells."""
        everybody = tuple(player.place for player in self.roster.seated)
        due = self._next_dealers()
        if due:
            return (*due, *everybody) if broken else due
        if not broken and hand.dealer is None:
            message = "the dealer is not known: the first hand does not name its dealer"
            faults.append(Fault("E204", hand.line, message, "the name of the dealer", None))
        return everybody


def _opener(hand: Hand) -> str | None:
    return next((play.name.text for run in hand.runs for play in run.plays), None)


def _plays(hand: Hand) -> _Plays:
    return tuple((play.name.text, play.card, play.stands_for) for run in hand.runs for play in run.plays)


def _sizes_differ(players: int) -> bool:
    return 51 % players > 0


def _fit(hand: Hand, players: Sequence[str]) -> int:
    """Count what speaks for players being dealt to in this order: hand sizes, and who opened (G3, G4).

    The opener counts most: hand sizes are the same for most places at the table.
    """
    opener = _opener(hand)
    positions = {name: position for position, name in enumerate(players)}
    deals, _ = lines_by_player(hand.deals, positions)
    sizes = hand_sizes(len(players))
    fitting = sum(len(line.cards) == sizes[position] for position, line in deals.items())
    return fitting + (len(players) if not deals else 1) * (opener == players[0])


def _without_cut(hand: Hand, faults: list[Fault]) -> list[Fault]:
    """Leave one E207 of a hand cut off by the end of the file, whatever its last line looks like."""
    if hand.cut is None:
        return faults
    unknown = ("W208",) if hand.runs else ("W208", "E303", "E304", "E209")
    return [
        fault
        for fault in faults
        if fault.code == "E207" or (fault.where.line is not hand.cut.line and fault.code not in unknown)
    ]

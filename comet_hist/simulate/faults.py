"""A session as text, clean or with slips in it: which hands have one, and what must be found.

No more than one slip is planted in a hand, and the hand after it has none, so that each is found by itself. After a
hand that is lost to the replay, payments are left right until the Comet is next played, since till then nobody knows
what it costs.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from comet_hist.cards import COMET
from comet_hist.simulate.chance import SLIPS, stream
from comet_hist.simulate.evening import Evening, Played
from comet_hist.simulate.headings import ABOVE, SILENCING, agreed_otherwise, winner_wrong
from comet_hist.simulate.misplays import MISPLAYS, misplayed
from comet_hist.simulate.plan import Plan
from comet_hist.simulate.sheet import Planter, Sheet, Slip
from comet_hist.simulate.slips import LOST, PAYMENTS, PLAY, hand_unfinished, went_below_zero

_ATTEMPTS: Final = 8
"""Kinds of slips that are tried in a hand until one finds its occasion there."""


class Planted(NamedTuple):
    """A slip in a session, with the finding that must answer it.

    Attributes:
        code: the code of the finding.
        line: 1-based line that it points at, counted in the session.
        column: 1-based column that it points at.
        session: the identifier of the session, as it stands there.
        hand: the number of the hand, as it stands there; None for a slip of the session.
        slip: what went wrong, in words.
        was: the lines as they were before, where a scribe changed them.
        now: the lines in their place.
    """

    code: str
    line: int
    column: int
    session: str
    hand: int | None
    slip: str
    was: tuple[str, ...]
    now: tuple[str, ...]


class Script:
    """A session, written block by block.

    Args:
        plan: what was agreed.
        session: which session it is, from 0.

    Attributes:
        planted: the slips so far.
        line: the lines so far.
    """

    def __init__(self, plan: Plan, session: int) -> None:
        self.planted: list[Planted] = []
        self.line = 0
        self._plan = plan
        self._first_ident = None if session == 0 else plan.identifier(0)
        self._ident = plan.identifier(session)
        self._evening = Evening(plan, session)
        self._chance = stream(plan.seed, session, SLIPS)
        self._below = int(plan.faults * 2**32)
        self._silenced = not self._below
        self._resting = False
        self._payment_known = True
        self._too_many_agreed: Planted | None = None
        self._last_hand = 0

    def blocks(self) -> Iterator[list[str]]:
        """Give the lines of the session, block by block, the blank line below it included.

        Raises:
            PlanError: if chips outgrow what can be written.
        """
        slip = self._drawn()
        lines = self._evening.header()
        if slip and self._chance.below(4) == 0:
            self._heading(lines)
            slip = False
        yield self._counted(lines)
        for number in range(1, self._plan.hands + 1):
            self._last_hand = self.line + 2
            yield self._counted(["", *self._hand(slip)])
            slip = number < self._plan.hands and self._drawn()
        yield self._counted([*self._winner(), ""])

    def _counted(self, lines: list[str]) -> list[str]:
        self.line += len(lines)
        return lines

    def _drawn(self) -> bool:
        """Say whether the next hand has a slip; of those that may have one a larger share has, since some may not."""
        if self._silenced:
            return False
        drawn = self._chance.below(2**32)
        if self._resting:
            self._resting = False
            return False
        self._resting = drawn * (1 - self._plan.faults) < self._below
        return self._resting

    def _hand(self, slip: bool) -> list[str]:
        """Return the lines of the next hand, with a slip if there is an occasion for one."""
        evening = self._evening
        hands = evening.deal()
        if not slip:
            return evening.lines(self._followed(evening.play(hands)))
        kinds = self._kinds()
        for _ in range(_ATTEMPTS):
            kind = self._chance.choice(kinds)
            if not isinstance(kind, str):
                break
            if wrong := misplayed(kind, hands, self._plan.rules, self._chance):
                return self._misplayed(kind, *wrong)
        played = self._followed(evening.play(hands))
        buys = self._chance.below(4) > 0
        before = dict(zip(evening.names(), evening.stacks.values(), strict=True))
        lines = evening.lines(played, buys)
        short = [] if buys else went_below_zero(Sheet(lines, evening.names()), before)
        for found in short:
            self._note(found, 1, lines[0], "paid more than they had, and bought no chips")
        if not short:
            self._scribes(lines, [each for each in kinds if not isinstance(each, str)])
        return lines

    def _kinds(self) -> list[str | Planter]:
        """Return the slips that can be told in the next hand: players' by code, scribes' by what plants them."""
        kinds: list[str | Planter] = [*MISPLAYS, *PLAY, *LOST]
        if self._payment_known:
            kinds += PAYMENTS
        if self._too_many_agreed:
            # Of a session that breaks off in the middle of a hand nobody can say how many it has.
            kinds.remove(hand_unfinished)
        return kinds

    def _followed(self, played: Played) -> Played:
        """Note that the Comet's payment is known again once it has been played."""
        self._payment_known |= any(move.card == COMET for move in played.moves)
        return played

    def _scribes(self, lines: list[str], kinds: Sequence[Planter]) -> None:
        """Plant a scribe's slip, of the first kind tried for which there is an occasion."""
        for _ in range(_ATTEMPTS):
            kind = self._chance.choice(kinds)
            if self._plant(lines, kind, 1, True):
                if kind in LOST:
                    self._payment_known = not self._plan.rules.progressive
                return

    def _misplayed(self, code: str, played: Played, at: int) -> list[str]:
        """Return the lines of a hand with an illegal play, the play of an index, counted from 0."""
        lines = self._evening.lines(self._followed(played))
        sheet = Sheet(lines, self._evening.names())
        plays = [(run, name, card) for run in sheet.find("Run:") for name, card in sheet.pairs(run)]
        run, name, card = plays[at]
        slip = sheet.slip(code, run, name if code == "E401" else card)
        self._note(slip, 1, lines[0], f"{name} {MISPLAYS[code]}: {plays[at + (code == 'E406')][2]}")
        return lines

    def _heading(self, lines: list[str]) -> None:
        """Plant a slip into the header."""
        kinds: list[Planter] = [*ABOVE, *SILENCING]
        if self._first_ident:
            kinds.append(self._of_another)
        kind = self._chance.choice(kinds)
        if self._plant(lines, kind, 0, False):
            self._silenced |= kind in SILENCING
            if kind is agreed_otherwise:
                self._too_many_agreed = self.planted.pop()

    def _of_another(self, sheet: Sheet, chance: object) -> Slip:
        """Give the session the identifier of the first."""
        assert self._first_ident, "there is one before this"
        self._ident = self._first_ident
        sheet.lines[0] = f"Comet session {self._first_ident}"
        return sheet.slip("E206", 0)

    def _winner(self) -> list[str]:
        """Return the last line of the session; it is wrong only where everybody's chips are known."""
        lines = [f"Winner: {', '.join(self._evening.winners())}"]
        if self._drawn() and not self.planted:
            self._plant(lines, winner_wrong, 0, False)
        if self._too_many_agreed:
            self.planted.append(self._too_many_agreed._replace(line=self._last_hand))
        return lines

    def _plant(self, lines: list[str], kind: Planter, above: int, in_hand: bool) -> bool:
        before = list(lines)
        slip = kind(Sheet(lines, self._evening.names()), self._chance)
        if slip is None:
            return False
        words = kind.__name__.strip("_").replace("_", " ")
        self._note(slip, above, lines[0] if in_hand else None, words, *_changed(before, lines))
        return True

    def _note(
        self, slip: Slip, above: int, hand: str | None, words: str, was: Sequence[str] = (), now: Sequence[str] = ()
    ) -> None:
        """Write down what was planted into lines that have so many others above them in their block."""
        number = None if hand is None else int(hand.removeprefix("Hand "))
        line = self.line + above + slip.at + 1
        self.planted.append(Planted(slip.code, line, slip.column, self._ident, number, words, tuple(was), tuple(now)))


def _changed(before: Sequence[str], after: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the lines that differ, of both."""
    same = min(len(before), len(after))
    first = next((at for at in range(same) if before[at] != after[at]), same)
    rest = same - first
    last = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    return before[first : len(before) - last], after[first : len(after) - last]

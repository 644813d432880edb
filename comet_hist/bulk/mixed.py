"""The road of what the kernels left: where a session has slips, only the hands that have them go the ordinary one.

A kernel goes from hand to hand until it meets one that is not clean. That one is read, replayed and audited as any
other; then the kernel goes on, as soon as nothing that the hands below rest on is in doubt. Whatever is more than the
matter of a few hands sends the whole session down the ordinary road.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Final

from comet_hist.audit.facts import HandAudit
from comet_hist.audit.names import names_in_hand, names_of_winners
from comet_hist.audit.session import Ledger, number_of_hands
from comet_hist.bulk import columns
from comet_hist.bulk.kernel import Kernel
from comet_hist.bulk.proven import Proven, Stretch
from comet_hist.bulk.room import WIDTHS
from comet_hist.bulk.scanner import closes_hand
from comet_hist.engine.facts import Replay, SessionReplay
from comet_hist.engine.roster import all_seated
from comet_hist.engine.session import Replayer
from comet_hist.findings import in_order
from comet_hist.judge import Judged, findings_from, judge_alone
from comet_hist.notation import read
from comet_hist.notation.lines import Start
from comet_hist.notation.reader import Piecemeal
from comet_hist.notation.vocabulary import DEFAULT, vocabulary
from comet_hist.notation.write import Writer, canonical, digest
from comet_hist.record import Fault, Hand, Line, Session
from comet_hist.standing import Standing

_OPENING: Final = re.compile(rb"\n(?=Comet session (?:[!-~]|.*\n))")
"""Where a session opens, and not only the beginning of a line stands that breaks off (E101)."""

_NEXT_HAND: Final = re.compile(rb"\n(?=\nHand (?:0|[1-9][0-9]{0,8})\n)")
_ALL: Final = 2**62
"""More hands than any session has."""


def judge_stretch(stretch: Stretch, file: str, *, chips: bool) -> Iterator[Judged]:
    """Judge what stands in a stretch, session by session, each by itself.

    Args:
        stretch: text below a hand, or the top of a file.
        file: its file.
        chips: whether to audit the chips.
    """
    kernel = Kernel()
    whole: list[Stretch] = []
    below_hand = same_form = True
    for piece in _pieces(stretch):
        judged = _by_hand(kernel, piece, file, chips) if below_hand and same_form else None
        if judged is None:
            whole.append(piece)
        else:
            yield from _judge_whole(whole, file, chips)
            yield judged
            whole = []
            # Where no hand at all is clean, the text is of another form, and so will be what is left of it.
            same_form = judged.rest is not None
        last_line = piece.text.rstrip(b"\n").rpartition(b"\n")[2]
        below_hand = closes_hand(last_line + b"\0", 0)
    yield from _judge_whole(whole, file, chips)


def _pieces(stretch: Stretch) -> Iterator[Stretch]:
    """Cut a stretch above the canonical lines that open sessions."""
    at, line, text = 0, stretch.line, stretch.text
    for end in [*(found.end() for found in _OPENING.finditer(text)), len(text)]:
        yield Stretch(text[at:end], line, stretch.at + at)
        line += text.count(b"\n", at, end)
        at = end


def _judge_whole(pieces: list[Stretch], file: str, chips: bool) -> Iterator[Judged]:
    """Judge pieces that stand one below the other by the ordinary road."""
    if pieces:
        text = b"".join([piece.text for piece in pieces])
        for reading in read(BytesIO(text), file, start=Start(pieces[0].line, pieces[0].at)):
            yield judge_alone(reading, chips=chips)


def _by_hand(kernel: Kernel, piece: Stretch, file: str, chips: bool) -> Judged | None:
    """Judge a session hand by hand; None where it has to go the ordinary road whole."""
    course = _begun(kernel, piece, file)
    if course is None:
        return None
    try:
        course.run()
    except _WholeError:
        return None
    return course.judged(chips)


def _begun(kernel: Kernel, piece: Stretch, file: str) -> "_Course | None":
    """Read the header of a session; None where that is none by itself, or leaves in doubt who plays, and by what.

    One that is not clean is read and written canonically: below it the kernel finds all that it has to know.
    """
    text = piece.text
    if kernel.enter(text):
        reader = Piecemeal(text[: kernel.at], file, Start(piece.line, piece.at))
        return None if reader.session is None else _Course(kernel, piece, reader, reader.session)
    found = _NEXT_HAND.search(text)
    if found is None:
        return None
    above = text[: found.end()]
    reader = Piecemeal(above, file, Start(piece.line, piece.at))
    session = reader.session
    if session is None or session.unread or session.hands or session.language != DEFAULT:
        return None
    written = canonical(session)[:-1].encode()
    moved = Stretch(
        written + text[len(above) :],
        piece.line + above.count(b"\n") - written.count(b"\n"),
        piece.at + len(above) - len(written),
    )
    return _Course(kernel, moved, reader, session) if kernel.enter(moved.text) else None


class _WholeError(Exception):
    """The session has to go the ordinary road whole."""


class _Course:
    """A session on its way by two roads, of which one or the other takes each hand.

    Args:
        kernel: it stands above the first hand.
        piece: the session's text, in which its header is canonical.
        reader: it has read the header.
        session: what that says.

    Attributes:
        at: the bytes of its text that are done.
        line: the lines of these.
        misses: how often in a row the kernel was asked and took no hand.
        text: its canonical text so far, in parts.
        clean: hands that the kernel took.
        clean_below: whether the last hand is one of these.
        read_numbers: the numbers of hands that the full path has read.
        replays: the others.
        audits: those of the others.
    """

    def __init__(self, kernel: Kernel, piece: Stretch, reader: Piecemeal, session: Session) -> None:
        self.kernel = kernel
        self.piece = piece
        self.reader = reader
        self.session = session
        self.at, self.line = kernel.at, kernel.line
        self.misses = 0
        self.text = [piece.text[: self.at]]
        self.replayer = Replayer(self.session)
        self.ledger = Ledger(self.session, SessionReplay([]))
        self.writer = Writer(self.session, vocabulary(DEFAULT))
        self.clean = 0
        self.clean_below = False
        self.read_numbers: set[int] = set()
        self.replays: list[Replay] = []
        self.audits: list[HandAudit] = []

    def run(self) -> None:
        """Go through all hands.

        Raises:
            _WholeError: where that cannot be done hand by hand.
        """
        standing: Standing | None = self.kernel.standing()
        while self.at < len(self.piece.text):
            if standing is not None:
                self._take_clean(standing)
            if self.at < len(self.piece.text):
                self._take_others()
                standing = self._standing()

    def _take_clean(self, standing: Standing) -> None:
        """Let the kernel take the hands up to the next that is not clean."""
        kernel = self.kernel
        if not kernel.resume(standing, self.at, self.line):
            return
        taken = kernel.go_on(_ALL)
        self.misses = 0 if taken else self.misses + 1
        if kernel.stopped and taken:
            kernel.resume(standing, self.at, self.line)
            kernel.go_on(taken)
        if not taken:
            return
        if not kernel.answer():
            raise _WholeError
        self.text.append(self.piece.text[self.at : kernel.at])
        self.at, self.line = kernel.at, kernel.line
        self.clean += taken
        self.clean_below = self.at == len(self.piece.text)
        standing = kernel.standing()
        self.reader.resume(standing, self.clean)
        self.replayer.resume(standing)
        self.ledger.resume(standing)
        self.writer.resume(standing)

    def _take_others(self) -> None:
        """Let the ordinary road take the next hand, and ever more at once where the kernel takes none."""
        text = self.piece.text
        count = 2 ** max(0, self.misses - 1)
        ends = [found.end() for found in islice(_NEXT_HAND.finditer(text, self.at + 1), count)]
        end = ends[-1] if len(ends) == count else len(text)
        hands = self.reader.hands(text[self.at : end], Start(self.piece.line + self.line, self.piece.at + self.at))
        if hands is None or (end < len(text) and self.reader.ended):
            raise _WholeError
        for hand in hands:
            if not self._is_named_right(hand):
                raise _WholeError
            if hand.number is not None and hand.number in self.replayer.numbers.known:
                self._read_again(hand.number)
            replay = self.replayer.hand(hand)
            if hand.number is not None:
                self.read_numbers.add(hand.number)
            self.replays.append(replay)
            self.audits.append(self.ledger.audit_hand(replay))
            self.text.append(self.writer.hand_text(hand).encode())
        if self.replayer.faults or self.replayer.without_seat:
            raise _WholeError
        self.line += text.count(b"\n", self.at, end)
        self.at = end

    def _read_again(self, number: int) -> None:
        """Read a hand that the kernel took, since another bears its number: is that a copy (E205)?"""
        if number in self.read_numbers:
            return
        text = self.piece.text
        start = text.index(b"\n\nHand %d\n" % number) + 1
        found = _NEXT_HAND.search(text, start + 1)
        reader = Piecemeal(self.text[0], self.session.file, Start())
        hands = reader.hands(text[start : found.end() if found else len(text)], Start())
        if not hands or hands[0].unread:
            raise _WholeError
        self.read_numbers.add(number)
        for hand in hands:
            self.replayer.played.add(hand)

    def _is_named_right(self, hand: Hand) -> bool:
        """Say whether it need not be asked if the session's `Seat` lines have a name wrong (`as_played`)."""
        if not hand.runs or any(replay.hand.runs for replay in self.replays) or self.kernel.played():
            return True
        return all_seated(self.session, hand)

    def _standing(self) -> Standing | None:
        """Return how the session stands below hands of the ordinary road; None as long as anything is in doubt."""
        due, seats = self.replayer.turn(), self.reader.seats
        seated = {player.name: player.seat for player in self.replayer.roster.seated}
        if due is None or self.writer.turn() != due or not seats == self.writer.seats == seated:
            return None
        players = self.ledger.players(seats)
        if players is None:
            return None
        payment = self.ledger.comet.doubled
        return Standing(self.replayer.numbers.last, due, self.writer.dealer, payment, players, tuple(seats))

    def judged(self, chips: bool) -> Judged:
        """Return the session when all hands are through."""
        session, ledger, rest = self.session, self.ledger, self._rest()
        text = b"".join([*self.text, self.writer.end_text().encode()])
        session.digest = digest(text if text.endswith(b"\n\n") else text + b"\n", self.reader.unread)
        replayed = SessionReplay(self.replays, [])
        if chips:
            audited = ledger.audit(self.audits, ledger.faults_of_winners(self.audits) + self._number_of_hands())
            by_hand, by_session = [audit.faults for audit in self.audits], audited.faults
        else:
            audited = None
            by_hand = [names_in_hand(replay) for replay in self.replays]
            by_session = names_of_winners(session, list(ledger.everybody.values()))
        findings = findings_from(session, replayed, by_hand, by_session)
        return Judged(session, replayed, audited, in_order(findings), rest=rest)

    def _number_of_hands(self) -> list[Fault]:
        """Return the W602 of the session, if it has one; it points at the last hand, whichever road that went."""
        count = self.kernel.played() + sum(hand.void is None for hand in self.session.hands)
        if not self.clean_below:
            last, unfinished = self.session.hands[-1].line, self.replays[-1].state == "unfinished"
        else:
            text = self.piece.text
            at = text.rindex(b"\n\nHand ") + 2
            number = self.piece.line + text.count(b"\n", 0, at) + 1
            written = text[at : text.index(b"\n", at)].decode()
            last, unfinished = Line(number, written, 0, written.index(" ")), False
        return number_of_hands(self.ledger.rules.hands, count, last, unfinished)

    def _rest(self) -> Proven | None:
        """Return the hands that the kernel took, None where there are none; balances stand in the audit alone."""
        if not self.clean:
            return None
        kernel = self.kernel
        kernel.close()
        used = {**kernel.used, "lines": self.line, "balances": 0}
        tables = {name: kernel.tables[name][: width * used[name]] for name, width in WIDTHS.items() if name in used}
        tables["sessions"][columns.SESSIONS.index("players")] = len(self.ledger.everybody)
        tables["cards"] = kernel.tables["cards"][: 2 * used["plays"]]
        tables["positions"] = kernel.tables["positions"][: used["plays"]]
        return Proven(self.piece.text, self.piece.line, tables, used, 0, 1)

"""From logical lines to sessions and hands: which line belongs where, and how reading goes on after a fault."""

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from functools import cache
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple

from comet_hist.nearest import nearest
from comet_hist.notation.comments import Comments
from comet_hist.notation.grammar import grammar, nearest_keyword
from comet_hist.notation.lines import TOP, Logical, NoTextError, Start, comment_start, logical_lines
from comet_hist.notation.openings import Inner, inner_opening
from comet_hist.notation.seated import Seated
from comet_hist.notation.shorthand import name_plays
from comet_hist.notation.tokens import QUOTED, TOKEN, Unread, straight
from comet_hist.notation.twice import Said
from comet_hist.notation.values import Values
from comet_hist.notation.vocabulary import DEFAULT, OPENING, fold, languages, opened_language, vocabulary
from comet_hist.notation.vocabulary import sessions as openings
from comet_hist.notation.write import canonical, digest
from comet_hist.record import Cut, Fault, Hand, Line, Session, Span, Stray
from comet_hist.rules import Rules
from comet_hist.standing import Standing

_WORD = re.compile(r'\s*+([^\s\d:,"#=]++)')
_NUMBERED = re.compile(r"\s++[0-9]++\s*+$")
_SEATED = re.compile(r"\s*+\S++\s++[0-9]++\s*+:")
_HEADED = re.compile(rf"\s*+(?:{TOKEN}\s*+)?:")
_COLON = re.compile(rf'(?:{QUOTED}|[^":]++)*:')
_BEGINNING = re.compile(r"\s*+(\S++)")

_SESSION_ONLY: Final = frozenset({"date", "place", "rules"})
_HEADER: Final = _SESSION_ONLY | {"seat"}
_FREE: Final = frozenset({"place", "void"})
_COST_NOTHING: Final = _SESSION_ONLY | {"winner", "time"}
"""Lines that cost the hand above them nothing where they cannot be read."""

_HOLDS: Final = frozenset({"place", "void", "seat"})
"""Lines that can be read even if a session or a hand begins in the middle of them."""

_LEAST_SEATS: Final = 2
_MOST_HEADER: Final = 64
"""Lines of a header without an opening line that are kept until it is known to be one."""

_MOST_UNREAD: Final = 100
"""Lines in a row that cannot be read and have a finding each."""

_MOST_KEPT: Final = 100
"""Lines that were not read whose text is kept for the digest; of further ones a hash is."""

_NEAR: Final = 0.7
"""How alike a misspelt word and the one that was meant are at least."""


def sessions(
    stream: BinaryIO, file: str, comments: Comments | None = None, start: Start = TOP
) -> Iterator[Session | Stray]:
    """Give what `comet_hist.notation.read` gives."""
    reader = _Reader(file)
    failure: OSError | None = None
    try:
        for logical in logical_lines(stream, reader.begins, None if comments is None else comments.apart, start):
            yield from reader.take(logical)
    except NoTextError as error:
        yield Stray(file, (_no_text(error),))
    except OSError as error:
        failure = error
        yield from reader.settle()
        reader.break_off()
    yield from reader.settle()
    yield from reader.close_session()
    if failure is not None:
        raise failure


class Piecemeal:
    """Reads of a session its header, and then such hands as are asked for.

    Attributes:
        session: the session, with the hands read so far; None where the header opens none, or more than one.
        unread: the lines that were not read, as its digest wants them.
    """

    def __init__(self, header: bytes, file: str, start: Start) -> None:
        self._reader = _Reader(file)
        alone = self._take(header, start)
        self.session = self._reader.session if alone else None
        self.unread = self._reader.unread_text

    @property
    def seats(self) -> dict[str, int]:
        """The seats of those at the table, by name, in the order in which they sat down."""
        return self._reader.seated

    @property
    def ended(self) -> bool:
        """Whether a `Winner` line was read, so that no hand may follow (E106)."""
        return self._reader.winner is not None

    def resume(self, standing: Standing, passed_over: int) -> None:
        """Go on below hands that were proved clean by the bulk lane.

        Args:
            standing: how the session stands.
            passed_over: as many of its hands above were not read here.
        """
        self._reader.seated = Seated(standing.seats())
        self._reader.passed_over = passed_over

    def hands(self, text: bytes, start: Start) -> list[Hand] | None:
        """Read the next hands; with the last one what stands below it in the session.

        Args:
            text: it begins with a `Hand` line and ends above another, or where the session does.
            start: where in its file it begins.

        Returns:
            The hands, or None where the text is not of this session alone.
        """
        session = self._reader.session
        if session is None:
            return None
        known = len(session.hands)
        if not self._take(text, start):
            return None
        self._reader.close_hand(session)
        return session.hands[known:]

    def _take(self, text: bytes, start: Start) -> bool:
        """Take lines; say whether they are text, and surely open no session beside this one."""
        reader = self._reader
        try:
            opened = [reader.take(logical) for logical in logical_lines(BytesIO(text), reader.begins, start=start)]
        except NoTextError:
            return False
        return not any(opened) and not reader.header and reader.held is None


@cache
def _values(language: str) -> Values:
    return Values(grammar(language))


class _Riddle(NamedTuple):
    """A line of which nobody knows what it was to be.

    Attributes:
        fault: what is wrong with it.
        faults: the session's or hand's faults, with this one among them.
        unread: whether the hand above could not be read already.
    """

    fault: Fault
    faults: list[Fault]
    unread: bool


class _Reader:
    """What has been read of a file so far: the session and hand that are open, and who has sat down.

    Attributes:
        file: the path, for the sessions.
        session: the open session, or None.
        hand: its open hand, or None while its header is read.
        values: builds the values of the session's language.
        said: what the header, or the open hand, has said so far.
        seated: seats by name of those at the table.
        line: the line taken last.
        above: the one before it.
        winner: the `Winner` line, as long as no hand follows it.
        unread_text: the lines that were not read, with the number of hands above each.
        nameless: whether the open hand has plays without a name.
        deal_unread: whether a line that says who holds what could not be read in it.
        passing_over: whether the lines belong to a session whose opening could not be read, or to none.
        header: lines below a hand that may be the header of a session whose opening line is missing.
        held: a line that can be read, but may have an opening in its middle, with that; None where there is none.
        over: whether the hand above is finished, and a blank line or a `Winner` line and a blank line stand below it.
        aside: whether a line below that could not be read, and did not count for the hand.
        unreadable: the number of lines in a row that could not be read.
        misplaced: whether the line above was one where it cannot stand, so that the next one is no news.
        riddle: the line above if nobody knows what it was to be: a hand may begin there.
        passed_over: hands of the session that were not read here, and are above those that are.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.session: Session | None = None
        self.hand: Hand | None = None
        self.said = Said()
        self.values = _values(DEFAULT)
        self.seated = Seated()
        self.line = self.above = Line(0, "")
        self.winner: Line | None = None
        self.unread_text: list[str] = []
        self.nameless = False
        self.deal_unread = False
        self.passing_over = False
        self.header: list[Logical] = []
        self.held: tuple[Logical, Inner] | None = None
        self.over = self.aside = False
        self.unreadable = 0
        self.misplaced = False
        self.riddle: _Riddle | None = None
        self.passed_over = 0
        self.in_session: dict[str, Callable[[Session, Line, str], None]] = {
            "date": self._date, "place": self._place, "rules": self._rules, "seat": self._seat,
        }  # fmt: skip
        self.in_hand: dict[str, Callable[[Hand, Line, str], None]] = {
            "hand": self._number, "time": self._time, "seat": self._join, "leaves": self._leaves, "buy": self._buy,
            "dealer": self._dealer, "deal": self._deal, "run": self._run, "pay": self._pay, "left": self._left,
            "stacks": self._stacks, "void": self._void,
        }  # fmt: skip

    # Which line it is

    def begins(self, text: str, above: str) -> bool:
        """Say whether an indented line begins with a keyword of its own.

        A player may be called like a keyword: after a comma, a colon or an arrow, the name of somebody seated goes
        on with the line above. A line that opens a session has not been taken yet: the one below is in its language.
        """
        found = _WORD.match(text)
        if found is None:
            return False
        if language := opened_language(above):
            return fold(found[1]) in vocabulary(language).kinds or opened_language(text) is not None
        if self._kind(found[1]) is None:
            return opened_language(text) is not None
        if found[1] not in self.seated or _HEADED.match(text, found.end()):
            return True
        return not above.rstrip().endswith((",", ":", "->", "→"))

    def _kind(self, word: str) -> str | None:
        kinds = self.values.words.kinds
        return kinds.get(word.lower()) or kinds.get(fold(word))

    def take(self, logical: Logical) -> tuple[Session | Stray, ...]:
        """Take a line; return what it completes."""
        done: tuple[Session | Stray, ...] = ()
        if self.header or self.held is not None:
            done = self.settle(logical)
        commented = logical.comment is not None or "#" in self.line.raw
        if commented and (begun := self._begun_in_comment(logical)) is not None:
            done = (*done, *self._begin(*begun, told=False))
        return (*done, *(self._take_whole(logical) if logical.whole else self._take_fragment(logical)))

    def settle(self, below: Logical | None = None) -> tuple[Session | Stray, ...]:
        """Decide on lines that were held back, as far as the line below them, or None at the end, tells what they are.

        Returns:
            What they complete.
        """
        done: tuple[Session | Stray, ...] = ()
        if self.held is not None:
            held, inner = self.held
            self.held = None
            if self.hand is None:
                ended = len(self.session.seats) >= _LEAST_SEATS if self.session else True
            else:
                ended = self._is_played or self._nearest_kind(held) == "void"
            begins = below is not None and self._goes_on(inner, below, ended=ended)
            done = self._take_parts(held, inner) if begins else self._take_whole(held, sure=True)
        if self.header and (below is None or not self._may_be_header(below)):
            header, self.header = self.header, []
            if self._is_header(header, below):
                return (*done, *self._pass_over_headless(header[0]))
            for logical in header:
                done = (*done, *self._take_whole(logical, sure=True))
        return done

    def _take_whole(self, logical: Logical, *, sure: bool = False) -> tuple[Session | Stray, ...]:
        """Take a line; one that is `sure` is not held back until the line below it is known."""
        found = _WORD.match(logical.text)
        kind = self._kind(found[1]) if found else None
        if kind is None and found and (opening := self._opening(logical)):
            return self._open_session(logical, *opening)
        if self.session is None and self.passing_over:
            inner = inner_opening(logical.text, 0, self.values.words)
            return self._take_parts(logical, inner) if inner and inner.kind == "session" and not inner.apart else ()
        if not sure and kind in _HOLDS and logical.broken is None:
            assert found is not None, "a kind has a keyword"
            inner = inner_opening(straight(logical.text), found.end(), self.values.words, self.seated)
            if inner is not None and not inner.apart:
                self.held = logical, inner
                return ()
        if not sure and (kind is None or kind in _HEADER) and self._is_played and self._may_be_header(logical):
            self.header.append(logical)
            return ()
        if found is None:
            found = _BEGINNING.match(logical.text)
            assert found is not None, "blank lines are no logical lines"
        self.above = self.line
        line = self.line = Line(logical.number, logical.raw, found.start(1), found.end(1))
        if logical.after_blank:
            self.misplaced = False
            self.over = self.over or self.winner is not None or self._is_finished
        unread = Unread(*logical.broken) if logical.broken else None
        if kind is None:
            unknown, kind = self.values.unknown(line)
            if logical.after_blank and logical.number > 1 and logical.text[0].isspace():
                unknown.message += "; the blank line above it ends what it would go on with"
            unread = unread or unknown
            if kind == "hand" and not _NUMBERED.match(logical.text, line.end):
                kind = None
        if self.session is None:
            return self._stray(logical, line, kind, unread)
        return self._take_keyword(self.session, logical, kind, unread)

    def _take_fragment(self, logical: Logical) -> tuple[Session | Stray, ...]:
        """Take the last line of a file that ends in the middle of it: the hand may be cut off there."""
        session, hand = self.session, self.hand
        if session is None or hand is None:
            done = self._take_whole(logical, sure=True)
            if session is not None and any(fault.where.line is self.line for fault in session.faults):
                self.break_off()
            return done
        at = len(logical.text) - len(logical.text.lstrip())
        span = Span(Line(logical.number, logical.raw, at, len(logical.raw.rstrip())), at, len(logical.raw.rstrip()))
        if self._is_beginning(logical.text):
            message = "the file breaks off here, at the beginning of a hand or session"
            session.faults.append(Fault("E101", span, message, "a whole line", logical.text.strip()))
            self._keep_unread(span.line)
            return ()
        unread = hand.unread
        done = self._take_whole(logical, sure=True)
        if done:
            return done
        last = self.hand or hand
        above = [fault for fault in last.faults if fault.where.line is not self.line]
        if last is not hand:
            unread = bool(above)
        last.cut = Cut(self.line, tuple(last.faults[len(above) :]), last.unread and not unread)
        last.faults, last.unread = above, unread
        return ()

    def break_off(self) -> None:
        """Mark a session whose header breaks off: what is missing of it is not to be told beside that."""
        if self.session is not None and self.hand is None:
            self.session.unread = True

    def _is_beginning(self, text: str) -> bool:
        """Say whether a text is the beginning of the word `Hand` or of the words that open a session."""
        start = " ".join(fold(text).split())
        hand = fold(self.values.words.keywords["hand"])
        return hand != start and any(whole.startswith(start) for whole in (hand, *map(" ".join, openings())))

    def _opening(self, logical: Logical) -> tuple[Line, str | Unread] | None:
        """Return where a line opens a session and in which language, or what is wrong with it; None if it opens none.

        One that was misspelt has no colon, and both its words come near or the first is right.
        """
        text = logical.text
        found = OPENING.match(text)
        comets = {comet for comet, _ in openings()}
        if found is None:
            alone = _WORD.match(text)
            if alone is None or fold(alone[1]) not in comets or text[alone.end() :].strip():
                return None
            line = Line(logical.number, logical.raw, alone.start(1), alone.end(1))
            return line, self._no_opening(line, *alone.span(1))
        line = Line(logical.number, logical.raw, found.start(1), found.end(2))
        if language := opened_language(text):
            return line, Unread(*logical.broken) if logical.broken else language
        first, second = fold(found[1][:20]), fold(found[2][:20])
        if _COLON.match(text):
            return None
        if first in comets:
            return line, self._no_opening(line, *found.span(2))
        if any(_alike(first, comet) and _alike(second, word) for comet, word in openings()):
            return line, self._no_opening(line, *found.span(1))
        return None

    def _no_opening(self, line: Line, at: int, end: int) -> Unread:
        """Return the finding on a word of a session's opening that is not understood (E101)."""
        known = [" ".join(vocabulary(language).opening) for language in (DEFAULT, *languages())]
        written = " ".join(line.raw[line.at : line.end].split())
        meant = nearest(written, known)
        expected = meant or " or ".join(dict.fromkeys(known))
        message = f"“{written}” does not open a session, “{expected}” does"
        return Unread("E101", at, end, message, expected, line.raw[at:end], meant)

    # Sessions and hands

    def _open_session(self, logical: Logical, line: Line, opened: str | Unread) -> tuple[Session | Stray, ...]:
        if isinstance(opened, str) and self._is_repeated(line, logical.text):
            return ()
        done: tuple[Session | Stray, ...] = self.close_session()
        self.line, self.riddle = line, None
        self.misplaced = False
        try:
            if isinstance(opened, Unread):
                raise opened
            self.values = _values(opened)
            ident = self.values.identifier(line, straight(logical.text))
        except Unread as unread:
            start = line.end if isinstance(opened, str) else line.at
            inner = inner_opening(straight(logical.text), start, self.values.words)
            if inner is not None and not inner.apart and inner.kind == "session" and logical.broken is None:
                return (*done, *self._take_parts(logical, inner))
            return (*done, self._pass_over(_fault(line, unread)))
        self.passing_over = False
        self.session = Session(self.file, line, ident, self.values.words.language, rules=Rules())
        return done

    def _pass_over(self, fault: Fault) -> Stray:
        """Pass over the lines up to the next session; return the finding that says why."""
        self.passing_over = True
        message = f"{fault.message}; the lines up to the next session are passed over"
        return Stray(self.file, (fault._replace(message=message),))

    # Openings that are missing, or stand in the middle of a line

    @property
    def _is_played(self) -> bool:
        """Whether a hand stands above that may be the last of its session."""
        return self.hand is not None and bool(self.hand.runs or self.hand.void)

    @property
    def _is_finished(self) -> bool:
        """Whether the hand above is recorded to its end."""
        return self.hand is not None and bool(self.hand.void or (self.hand.runs and self.hand.stacks))

    def _nearest_kind(self, logical: Logical, language: str | None = None) -> str | None:
        """Return the kind of a line, or the one it comes nearest to, in a language or else in that of the session."""
        found = _WORD.match(logical.text)
        if found is None or opened_language(logical.text):
            return None
        words = self.values.words if language is None else vocabulary(language)
        return words.kinds.get(fold(found[1][:20])) or nearest_keyword(found[1][:20], words.language)

    def _may_be_header(self, logical: Logical) -> bool:
        """Say whether a line is one of those between the line that opens a session and the first hand."""
        return len(self.header) < _MOST_HEADER and self._nearest_kind(logical) in _HEADER

    def _is_header(self, header: list[Logical], below: Logical | None) -> bool:
        """Say whether lines below a hand are the header of a session whose opening line is missing.

        A session has two seats at least. Hands that count on below them belong to the session above all the same, and
        those that count from the beginning to another.
        """
        kinds = ["seat" if _SEATED.match(logical.text) else self._nearest_kind(logical) for logical in header]
        numbers = [hand.number for hand in self.session.hands if hand.number is not None] if self.session else []
        number = self._hand_number(below)
        if kinds.count("seat") < _LEAST_SEATS or not numbers or number == numbers[-1] + 1:
            return False
        return any(kind in _SESSION_ONLY for kind in kinds) or (number is not None and number <= numbers[-1])

    def _hand_number(self, logical: Logical | None) -> int | None:
        """Return the number of the hand that a line opens, None if it opens none."""
        if logical is None or self._nearest_kind(logical) != "hand":
            return None
        found = _NUMBERED.search(logical.text)
        return int(found[0]) if found and len(found[0].strip()) <= 9 else None

    def _pass_over_headless(self, first: Logical) -> tuple[Session | Stray, ...]:
        """End the session above a header that has no opening line, and pass over the one below."""
        found = _WORD.match(first.text)
        assert found is not None, "a line of a header has a keyword"
        line = Line(first.number, first.raw, *found.span(1))
        done = self.close_session()
        return (*done, self._pass_over(self._unopened(line)))

    def _unopened(self, line: Line) -> Fault:
        """Return the finding on a line of a session that no line opens (E106)."""
        opening = " ".join(self.values.words.opening)
        message = f"“{line.raw[line.at : line.end]}” belongs to a session, but no “{opening}” line stands above it"
        return _about(line, "E106", message, f"{opening} IDENT above it")

    def _inner_of(self, logical: Logical, line: Line, kind: str | None, unread: Unread) -> Inner | None:
        """Return the opening in the middle of a line that cannot be read, if it is that which makes it unreadable.

        Behind white space it must be where the line cannot be read, and a hand the next one: what is read as text, or
        not at all, may have such words in it.
        """
        inner = inner_opening(straight(logical.text), line.end if kind else line.at, self.values.words, self.seated)
        if inner is None or (self.session is None and inner.kind == "hand"):
            return None
        if logical.broken is not None and (logical.broken.code == "E101" or logical.broken.end > inner.at):
            return None
        if not inner.apart:
            return inner
        if kind is None or kind in _FREE or unread.at < inner.at:
            return None
        return inner if inner.kind == "session" or self._is_next(inner) else None

    def _is_next(self, inner: Inner) -> bool:
        """Say whether the hand that begins in the middle of a line has the number after that of the hand above."""
        return self.hand is None or self.hand.number is None or inner.number == self.hand.number + 1

    def _goes_on(self, inner: Inner, below: Logical, *, ended: bool) -> bool:
        """Say whether a line goes on with an opening in the middle of the text above it, and not with that text.

        Args:
            inner: the opening.
            below: the line.
            ended: whether the hand or the header above may be whole.
        """
        kind = self._nearest_kind(below, inner.language)
        if inner.kind == "session":
            return kind in _HEADER and (ended or self.hand is not None)
        if self.session is None or kind not in self.in_hand or kind == "hand":
            return False
        return kind not in _HEADER if self.hand is None else ended and self._is_next(inner)

    def _begun_in_comment(self, below: Logical) -> tuple[Logical, Inner] | None:
        """Return the comment just above a line with the opening that it ends with, if the line goes on with that."""
        number, raw = below.comment or (self.line.number + self.line.raw.count("\n"), self.line.raw.rpartition("\n")[2])
        start = comment_start(raw)
        if start is None or number != below.number - 1 or self.header:
            return None
        text = " " * start + raw[start:].replace('"', "'")
        inner = inner_opening(text, start + 1, self.values.words)
        ended = self.hand is None or self._is_played
        if inner is None or inner.apart or not self._goes_on(inner, below, ended=ended):
            return None
        return Logical(number, raw, raw, after_blank=False, whole=True, broken=None), inner

    def _take_parts(self, logical: Logical, inner: Inner) -> tuple[Session | Stray, ...]:
        """Take a line in whose middle a session or a hand begins."""
        text = logical.text[: inner.at].rstrip("\ufeff")
        done: tuple[Session | Stray, ...] = ()
        if text.strip():
            above = logical._replace(text=text.ljust(len(logical.text)), whole=True)
            done = self._take_whole(above, sure=True)
        return (*done, *self._begin(logical, inner, told=any(isinstance(piece, Stray) for piece in done)))

    def _begin(self, logical: Logical, inner: Inner, *, told: bool) -> tuple[Session | Stray, ...]:
        """Take the opening in the middle of a line, and report it unless what stands before it was reported already.

        Args:
            logical: the line.
            inner: the opening.
            told: whether what stands before it was reported, as text that belongs to no session.
        """
        if self.session is not None:
            faults = [*self.session.faults, *(self.hand.faults if self.hand else ())]
            told = any(fault.where.line is self.line and fault.where.line.raw is logical.raw for fault in faults)
        text = " " * inner.at + logical.text[inner.at :]
        done = self._take_whole(logical._replace(text=text, after_blank=False, broken=None, comment=None), sure=True)
        if told or any(isinstance(piece, Stray) for piece in done):
            return done
        line = Line(logical.number, logical.raw, inner.at, inner.end)
        what = "a session" if inner.kind == "session" else f"hand {inner.number}"
        message = f"{what} begins here, in the middle of a line; begin a new line for it"
        fault = _about(line, "E101", message, "a line of its own")
        if inner.kind == "session":
            return (*done, Stray(self.file, (fault,)))
        assert self.session is not None, "a hand is in a session"
        self.session.faults.append(fault)
        return done

    def _is_repeated(self, line: Line, text: str) -> bool:
        """Say whether the line that opened the session stands there once more right below, and report it (E107)."""
        session = self.session
        if session is None or self.line is not session.line:
            return False
        try:
            repeated = self.values.identifier(line, straight(text)).text == session.ident.text
        except Unread:
            return False
        if repeated:
            self._twice(line, session.faults)
        return repeated

    def close_session(self) -> tuple[Session, ...]:
        """End the open session; return it, if there is one."""
        session = self.session
        if session is None:
            return ()
        self.close_hand(session)
        session.digest = digest(canonical(session).encode(), self.unread_text)
        self.session = None
        self.seated = Seated()
        self.over = self.aside = False
        self.unreadable = 0
        self.winner = None
        self.unread_text = []
        return (session,)

    def _open_hand(self, session: Session, line: Line) -> None:
        self.close_hand(session)
        if self.winner is not None:
            word = self.values.words.keywords["winner"]
            message = f"a {word} line stands after the last hand, but another hand follows"
            self._report(session.faults, _about(self.winner, "E106", message, "after the last hand"))
            session.winner = ()
            self.winner = None
        self.hand = Hand(line, None)
        self.seated.open_hand()
        self.over = self.aside = False
        session.hands.append(self.hand)

    def _open_unnumbered(self, hand: Hand | None, line: Line, what: str = "") -> Hand:
        """Open the hand that a line belongs to, whose `Hand` line is missing or cannot be understood.

        It is not read, since nobody knows its number and what else is missing; the hand above it stays whole.

        Args:
            hand: the hand above, whose runs stand between the line and the one like it; None in a session's header.
            line: the line.
            what: what it has in common with the line above, beside its keyword.
        """
        session, riddle = self.session, self.riddle
        assert session is not None, "a hand is opened in a session"
        if riddle is not None:
            riddle.faults.remove(riddle.fault)
            if hand is not None:
                hand.unread = riddle.unread
            line, fault = riddle.fault.where.line, riddle.fault
        else:
            assert hand is not None, "without a hand above, the line is one where it cannot stand"
            word, hand_word = line.raw[line.at : line.end], self.values.words.keywords["hand"]
            above = "the hand above" if hand.number is None else f"hand {hand.number}"
            message = f"a second “{word}” line{what} below the runs of {above}, and no “{hand_word}” line between them"
            fault = _about(line, "E106", message, f"a “{hand_word}” line above it")
            self._keep_unread(line)
        self._open_hand(session, line)
        opened = session.hands[-1]
        opened.unread = True
        opened.faults.append(fault)
        return opened

    def close_hand(self, session: Session) -> None:
        """End the open hand, if there is one."""
        hand = self.hand
        if hand is not None and self.nameless:
            faults, lines = name_plays(hand, self.seated)
            for line in lines:
                self._keep_unread(line)
            if hand.cut is not None:
                at_cut = tuple(fault for fault in faults if fault.where.line is hand.cut.line)
                hand.cut = hand.cut._replace(faults=hand.cut.faults + at_cut, unread=hand.cut.unread or bool(at_cut))
                faults = [fault for fault in faults if fault not in at_cut]
            if faults and not self.deal_unread and not session.unread:
                hand.faults.extend(faults)
            hand.unread = hand.unread or bool(faults)
        self.hand = None
        self.said = Said()
        self.nameless = self.deal_unread = False

    # What a line says

    def _take_keyword(
        self, session: Session, logical: Logical, kind: str | None, unread: Unread | None
    ) -> tuple[Session | Stray, ...]:
        """Take a line of a session: what it says, or what is wrong with it; return what it completes."""
        line, text = self.line, logical.text
        if kind == "hand":
            self._open_hand(session, line)
        if not text.isascii() and kind not in _FREE:
            text = straight(text)
        hand = self.hand
        was_unread = hand is not None and hand.unread
        riddle = None
        misplaced = False
        try:
            if unread is not None:
                raise unread
            if hand is None and kind in self.in_session:
                self.in_session[kind](session, line, text)
            elif kind in self.in_hand and (hand is not None or self.riddle is not None):
                self.in_hand[kind](hand or self._open_unnumbered(None, line), line, text)
                self._count_for_hand()
            elif kind == "winner" and hand is not None:
                self._winner(session, line, text)
            else:
                self._misplace(session, line, hand)
                misplaced = True
        except Unread as broken:
            if (inner := self._inner_of(logical, line, kind, broken)) is not None:
                if kind == "hand":
                    session.hands.pop()
                    self.hand = None
                return self._take_parts(logical, inner)
            faults = self._cannot_read(session, line, kind, broken)
            if kind is None and self.unreadable <= _MOST_UNREAD:
                riddle = _Riddle(faults[-1], faults, was_unread)
        else:
            if not misplaced:
                self.unreadable = 0
        self.misplaced, self.riddle = misplaced, riddle
        return ()

    def _count_for_hand(self) -> None:
        """Keep a hand out of the replay that goes on below a line that could not be read."""
        if self.aside and self.hand is not None:
            self.hand.unread = True
        self.aside = False

    def _cannot_read(self, session: Session, line: Line, kind: str | None, unread: Unread) -> list[Fault]:
        """Report a line that cannot be read, and mark what it costs.

        A hand with such a line is not replayed, nor are the hands of a session with such a `Seat` or `Rules` line;
        `Date`, `Time`, `Place` and `Winner` cost nothing else, nor does a line below the end of a hand. Returned are
        the faults among which it now is the last, unless too many such lines stand there.
        """
        hand = self.hand
        self.unreadable += 1
        if self.unreadable == _MOST_UNREAD:
            unread.message += "; further lines below that cannot be read are passed over"
        if hand is None or kind in _SESSION_ONLY or kind == "winner" or self.over:
            self._report_unread(session.faults, line, unread)
            self.aside = self.aside or (hand is not None and kind not in _COST_NOTHING)
            if hand is None and kind in ("seat", "rules"):
                session.unread = True
                if kind == "rules":
                    session.rules = None
                    session.rules_line = line
            return session.faults
        self._report_unread(hand.faults, line, unread)
        if kind not in _COST_NOTHING:
            hand.unread = True
            self.deal_unread = self.deal_unread or kind in ("deal", "seat", "leaves")
        return hand.faults

    def _report_unread(self, faults: list[Fault], line: Line, unread: Unread) -> None:
        """Report a line that cannot be read, unless too many stand above it."""
        if self.unreadable <= _MOST_UNREAD:
            faults.append(_fault(line, unread))
        self._keep_unread(line)

    def _misplace(self, session: Session, line: Line, hand: Hand | None) -> None:
        """Report a line where it cannot stand (E106); of several in a row the first."""
        word = line.raw[line.at : line.end]
        if hand is not None:
            message = f"“{word}” belongs to a session, above its first hand"
            expected = "above the first hand"
        elif self.values.words.kinds[fold(word)] == "winner":
            message, expected = f"“{word}” stands after the last hand", "after the last hand"
        else:
            hand_word = self.values.words.keywords["hand"]
            message, expected = f"“{word}” belongs to a hand, but no “{hand_word}” line stands above it", "in a hand"
        if not self.misplaced and self.unreadable < _MOST_UNREAD:
            session.faults.append(_about(line, "E106", message, expected))
        self._keep_unread(line)

    def _stray(
        self, logical: Logical, line: Line, kind: str | None, unread: Unread | None
    ) -> tuple[Session | Stray, ...]:
        """Return what is wrong with a line before any session; the lines below it are passed over."""
        if unread is None:
            return (self._pass_over(self._unopened(line)),)
        if (inner := self._inner_of(logical, line, kind, unread)) is not None:
            return self._take_parts(logical, inner)
        return (self._pass_over(_fault(line, unread)),)

    def _report(self, faults: list[Fault], fault: Fault) -> None:
        faults.append(fault)
        self._keep_unread(fault.where.line)

    def _keep_unread(self, line: Line) -> None:
        """Keep the text of a line that is in no record, so that the session's digest knows it."""
        hands = self.passed_over + len(self.session.hands) if self.session else 0
        kept = f"{hands} {line.raw}"
        if len(self.unread_text) < _MOST_KEPT:
            self.unread_text.append(kept)
        else:
            self.unread_text[-1] = digest(self.unread_text[-1].encode(), [kept])

    def _twice(self, line: Line, faults: list[Fault], what: str = "", rest: str = "; the first one counts") -> None:
        """Report a line given twice (E107)."""
        word = line.raw[line.at : line.end]
        message = f"a second “{word}” line{what}{rest}"
        self._report(faults, _about(line, "E107", message, f"one such line{what}"))

    # Session lines

    def _date(self, session: Session, line: Line, text: str) -> None:
        date = self.values.date(line, text)
        if session.date is not None:
            self._twice(line, session.faults)
        else:
            session.date = date

    def _place(self, session: Session, line: Line, text: str) -> None:
        place = self.values.text("place", line, text)
        if session.location is not None:
            self._twice(line, session.faults)
        else:
            session.location = place

    def _rules(self, session: Session, line: Line, text: str) -> None:
        rules = self.values.rules(line, text)
        if session.rules_line is not None:
            self._twice(line, session.faults)
        else:
            session.rules, session.rules_line = rules, line

    def _seat(self, session: Session, line: Line, text: str) -> None:
        seat = self.values.seat(line, text)
        if self.said.has_seat(seat):
            self._twice(line, session.faults, f" for {seat.player.text}")
            return
        self.said.add_seat(seat)
        session.seats.append(seat)
        self.seated.sit(seat.player.text, seat.number.count)

    def _winner(self, session: Session, line: Line, text: str) -> None:
        names = self.values.winners(line, text)
        if self.winner is not None:
            self._twice(line, session.faults)
        else:
            session.winner, self.winner = names, line

    # Hand lines

    def _number(self, hand: Hand, line: Line, text: str) -> None:
        hand.number = self.values.number(line, text)

    def _time(self, hand: Hand, line: Line, text: str) -> None:
        time = self.values.time(line, text)
        if hand.time is not None and hand.runs and time.text != hand.time.text:
            hand = self._open_unnumbered(hand, line)
        if hand.time is not None:
            self._twice(line, hand.faults)
        else:
            hand.time = time

    def _join(self, hand: Hand, line: Line, text: str) -> None:
        seat = self.values.seat(line, text)
        if self.said.has_seat(seat):
            self._twice(line, hand.faults, f" for {seat.player.text}")
            return
        self.said.add_seat(seat)
        hand.seats.append(seat)
        self.seated.sit(seat.player.text, seat.number.count)

    def _leaves(self, hand: Hand, line: Line, text: str) -> None:
        name = self.values.one_name("leaves", line, text)
        hand.leaves.append(name)
        self.seated.leave(name.text)

    def _buy(self, hand: Hand, line: Line, text: str) -> None:
        hand.buys.append(self.values.shares("buy", line, text))

    def _dealer(self, hand: Hand, line: Line, text: str) -> None:
        dealer = self.values.one_name("dealer", line, text)
        if hand.dealer is not None and hand.runs and dealer.text != hand.dealer.text:
            hand = self._open_unnumbered(hand, line)
        if hand.dealer is not None:
            self._twice(line, hand.faults)
        else:
            hand.dealer = dealer

    def _deal(self, hand: Hand, line: Line, text: str) -> None:
        deal = self.values.cards("deal", line, text)
        if self.said.has_cards_for("deal", deal):
            player = f" for {deal.player.text}"
            if self.said.has_cards("deal", deal):
                self._twice(line, hand.faults, player)
                return
            if hand.runs:
                hand = self._open_unnumbered(hand, line, player)
            else:  # one of the two may be another player's, as the plays will tell
                self._twice(line, hand.faults, player, ", with other cards")
        self.said.add_cards("deal", deal)
        hand.deals.append(deal)

    def _left(self, hand: Hand, line: Line, text: str) -> None:
        left = self.values.cards("left", line, text)
        if self.said.has_cards_for("left", left):
            self._twice(line, hand.faults, f" for {left.player.text}")
        else:
            self.said.add_cards("left", left)
            hand.left.append(left)

    def _run(self, hand: Hand, line: Line, text: str) -> None:
        run, nameless = self.values.run(line, text, self.seated)
        hand.runs.append(run)
        self.nameless = self.nameless or nameless

    def _pay(self, hand: Hand, line: Line, text: str) -> None:
        pay = self.values.pay(line, text)
        if last := self.said.paid_before(pay):
            what = f" for {self.values.words.payments[pay.kind]}"
            if pay.kind != "ante" or not hand.runs or last is self.above:
                self._twice(line, hand.faults, what)
                return
            hand = self._open_unnumbered(hand, line, what)
        self.said.add_pay(pay)
        hand.pays.append(pay)

    def _stacks(self, hand: Hand, line: Line, text: str) -> None:
        stacks = self.values.shares("stacks", line, text)
        if hand.stacks is not None:
            self._twice(line, hand.faults)
        else:
            hand.stacks = stacks

    def _void(self, hand: Hand, line: Line, text: str) -> None:
        void = self.values.text("void", line, text)
        if hand.void is not None:
            self._twice(line, hand.faults)
        else:
            hand.void = void


def _alike(word: str, meant: str) -> bool:
    return SequenceMatcher(None, word, meant).ratio() >= _NEAR


def _fault(line: Line, unread: Unread) -> Fault:
    where = Span(line, unread.at, unread.end)
    if unread.actual == "the end of the line" and line.raw[unread.at :].lstrip().startswith("#"):
        unread.message += "; “#” begins a comment"
    return Fault(unread.code, where, unread.message, unread.expected, unread.actual, unread.suggestion)


def _no_text(error: NoTextError) -> Fault:
    code, at, end, message, expected, actual = error.broken
    return Fault(code, Span(Line(1, error.raw, at, end), at, end), message, expected, actual)


def _about(line: Line, code: str, message: str, expected: str) -> Fault:
    """Return a fault of a whole line, pointing at its keyword."""
    return Fault(code, Span(line, line.at, line.end), message, expected, line.raw[line.at : line.end])

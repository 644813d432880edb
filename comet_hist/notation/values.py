"""From a matched line to the value it records, each part with its place."""

import re
from collections.abc import Container
from datetime import datetime, time
from typing import Final

from comet_hist.cards import COMET, GAP, SIGNED
from comet_hist.nearest import did_you_mean, nearest
from comet_hist.notation import tokens
from comet_hist.notation.grammar import Grammar, nearest_keyword
from comet_hist.notation.lines import behind_keyword, comment_start
from comet_hist.notation.tokens import Unread
from comet_hist.notation.vocabulary import fold
from comet_hist.record import Cards, Chips, Dealt, Line, Name, Pay, Play, Run, Seat, Share, Shares, Span, Text
from comet_hist.rules import AMOUNTS, CHOICES, MOST_CHIPS, PRICE, RuleError, Rules, agree

NAMELESS: Final = ""
"""The name of a play for which the text gives none; `shorthand` puts the holder in its place."""

_MOST_NAMES: Final = 4096
_SMALL: Final = {str(count): count for count in range(1000)}
_NO_ARROW = re.compile(rf"\s*+({tokens.TOKEN})\s*+:\s*+({tokens.TOKEN})\s++([0-9]++)\s*+$")
_AMOUNT = re.compile(r"\s*+-?[0-9]")
_GROUP = re.compile(rf"(?:{tokens.QUOTED}|[^,\"]++)+")
_WORD = re.compile(tokens.TOKEN)
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:(?:[Tt]|\s+)(\d\d:\d\d(?::\d\d)?)(?:\s*(?:([+-]\d\d:\d\d)|[Zz]))?)?", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d(?::\d\d)?", re.ASCII)

_new = tuple.__new__


class Values:
    """Builds the values of a language's lines.

    Every method takes the line (whose `end` is just after its keyword) and its text with comments blanked, and raises
    `Unread` if the line cannot be read.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.words = grammar.words
        self._names: dict[str, str] = {}
        self._heads: dict[str, str] = {}

    def _name(self, token: str, line: Line, at: int, what: str = "a name") -> Name:
        text = self._names.get(token)
        if text is None:
            text = tokens.name(token, at, self.words, what)
            if len(self._names) >= _MOST_NAMES:
                self._names.clear()
                self._heads.clear()
            self._names[token] = text
        return _new(Name, (text, line, at, at + len(token)))

    def _chips(self, token: str, line: Line, at: int, *, debts: bool = False) -> Chips:
        count = _SMALL.get(token)
        if count is None:
            try:
                count = tokens.amount(token, at, self.words, debts=debts)
            except Unread as unread:
                spread = tokens.spread_number(line.raw, at) if debts or token[0] not in "-−" else None
                raise spread if spread and spread.end > unread.end else unread from None
        return Chips(count, line, at, at + len(token))

    def identifier(self, line: Line, text: str) -> Name:
        """Read what follows `Comet session`."""
        found = self.grammar.lines["session"].match(text, line.end)
        at = line.end + found.start(1)
        ident = tokens.name(found[1], at, self.words, "an identifier", pot=True)
        return Name(ident, line, at, at + len(found[1]))

    def number(self, line: Line, text: str) -> int:
        """Read the number of a `Hand` line."""
        found = self.grammar.lines["hand"].match(text, line.end)
        return self._count(found[1], line.end + found.start(1), "a hand’s number")

    def _count(self, token: str, at: int, what: str, most: int = MOST_CHIPS) -> int:
        """Return the number that hands or seats are counted with."""
        if not (token.isascii() and token.isdigit()):
            message = f"“{token[: tokens.LONGEST_NAME]}” is not {what}, which is written in digits"
            instead = tokens.ungrouped(token, most)
            raise Unread("E104", at, at + len(token), message, what, token[: tokens.LONGEST_NAME], instead)
        return tokens.amount(token, at, self.words)

    def date(self, line: Line, text: str) -> Text:
        """Read a `Date` line; the text is normalised, such as `2026-11-28 20:15 +01:00`."""
        written = self._text("date", 2, line, text)
        found = _DATE.fullmatch(written.text)
        if found:
            day, hour, offset = found.groups()
            if offset is None and written.text[-1] in "Zz":
                offset = "+00:00"
            normal = " ".join(part for part in (day, hour, offset) if part)
            if _is_real(datetime, (f"{day}T{hour}" if hour else day) + (offset or "")):
                return written._replace(text=normal)
            raise _not_when(written, "this day, hour or offset does not exist", "a date that exists")
        expected = "a date such as 2026-11-28, 2026-11-28 20:15 or 2026-11-28 20:15 +01:00"
        raise _not_when(written, "a date is written year-month-day", expected)

    def time(self, line: Line, text: str) -> Text:
        """Read a `Time` line."""
        written = self._text("time", 2, line, text)
        if _TIME.fullmatch(written.text) and _is_real(time, written.text):
            return written
        raise _not_when(written, "a time is written 00:00 to 23:59, with seconds if wanted", "a time such as 20:41")

    def text(self, kind: str, line: Line, text: str) -> Text:
        """Read the free text of a `Place` or `Void` line."""
        written = self._text(kind, 2, line, text)
        for index, sign in enumerate(written.text):
            if not sign.isprintable() and not sign.isspace():
                at = written.at + index
                shown = f"U+{ord(sign):04X}"
                raise Unread("E101", at, at + 1, f"{shown} cannot be printed", "printable characters", shown)
        joined = " ".join(written.text.split())
        if comment_start(behind_keyword(joined)) is not None:
            message = "once its lines are joined, “#” would begin a comment here; write the text on one line"
            raise Unread("E101", written.at, written.end, message, "text on one line", joined[:40])
        return written._replace(text=joined)

    def _text(self, kind: str, group: int, line: Line, text: str) -> Text:
        found = self.grammar.lines[kind].match(text, line.end)
        return Text(line, found[group], line.end + found.start(group), line.end + found.end(group))

    def rules(self, line: Line, text: str) -> Rules:
        """Read a `Rules` line."""
        found = self.grammar.lines["rules"].match(text, line.end)
        spans: list[tuple[int, int]] = []
        items: list[tuple[str, str | None]] = []
        for item in _GROUP.finditer(text, line.end + found.start(2), line.end + found.end(2)):
            words = item[0].split()
            at = item.start() + len(item[0]) - len(item[0].lstrip())
            spans.append((at, at + len(item[0].strip())))
            rule = fold(words[0])
            rule = self.words.rule_words.get(rule, rule)
            value = " ".join(words[1:]) or None
            if value and rule in AMOUNTS:
                self._check_amount(text, spans[-1], at + item[0].strip().index(words[1], len(words[0])))
            items.append((rule, fold(value) if value and rule in CHOICES else value))
        try:
            return agree(items, self.words.rules)
        except RuleError as error:
            at, end = spans[error.index][0], spans[error.last][1]
            written = text[at:end]
            most = 3 if items[error.index][0] == PRICE else 2
            parted = error.suggestion is None and len(written.split()) > most
            message = error.message + ("; items are parted by commas" if parted else "")
            raise Unread("E108", at, end, message, error.expected, written, error.suggestion) from error

    def _check_amount(self, text: str, item: tuple[int, int], at: int) -> None:
        """Raise the finding on an amount of a rule that is written with spaces or other signs in it (E104)."""
        spread = tokens.spread_number(text, at, "a number")
        if spread and (spread.suggestion or spread.end > item[1]):
            raise spread

    def seat(self, line: Line, text: str) -> Seat:
        """Read a `Seat` line; its number is 1 to 6 (G1)."""
        found = self.grammar.lines["seat"].match(text, line.end)
        base = line.end
        at = base + found.start(1)
        number = Chips(self._count(found[1], at, "a seat’s number, 1 to 6", 6), line, at, at + len(found[1]))
        if not 1 <= number.count <= 6:
            message = f"seats are numbered 1 to 6, found {number.count}"
            raise Unread("E104", number.at, number.end, message, "1 to 6", found[1])
        player = self._name(found[3], line, base + found.start(3))
        chips = self._chips(found[4], line, base + found.start(4), debts=True) if found[4] else None
        return Seat(line, number, player, chips)

    def one_name(self, kind: str, line: Line, text: str) -> Name:
        """Read a `Dealer` or `Leaves` line."""
        found = self.grammar.lines[kind].match(text, line.end)
        return self._name(found[2], line, line.end + found.start(2))

    def winners(self, line: Line, text: str) -> tuple[Name, ...]:
        """Read a `Winner` line."""
        found = self.grammar.lines["winner"].match(text, line.end)
        names: list[Name] = []
        comma = True
        for word, at, end in tokens.listed(text, line.end + found.start(2), line.end + found.end(2)):
            if word == ",":
                comma = True
            elif comma:
                names.append(self._name(word, line, at))
                comma = False
            else:
                message = f"expected a comma, found “{word}”; a name with a space is written in quotes"
                raise Unread("E101", at, end, message, "a comma", word)
        return tuple(names)

    def cards(self, kind: str, line: Line, text: str) -> Cards:
        """Read a `Deal` or `Left` line."""
        found = self.grammar.lines[kind].match(text, line.end)
        base = line.end
        player = self._name(found[1], line, base + found.start(1))
        if not found[3]:
            return Cards(line, player, ())
        known = self.words.cards
        listed = tokens.listed(text, base + found.start(3), base + found.end(3))
        if "," in text:
            listed = [each for each in listed if each[0] != ","]
        try:
            dealt = [_new(Dealt, (known[word], line, at, end)) for word, at, end in listed]
        except KeyError:
            word, at = next((word, at) for word, at, _ in listed if word not in known)
            raise tokens.no_card(word, at, self.words) from None
        return Cards(line, player, tuple(dealt))

    def shares(self, kind: str, line: Line, text: str) -> Shares:
        """Read a `Buy` or `Stacks` line."""
        found = self.grammar.lines[kind].match(text, line.end)
        return Shares(line, self._shares(line, text, line.end, found, 2, debts=kind == "stacks"))

    def pay(self, line: Line, text: str) -> Pay:
        """Read a `Pay` line."""
        base = line.end
        try:
            found = self.grammar.lines["pay"].match(text, base)
        except Unread as unread:
            raise self._pot_turned(text, base) or unread from None
        kind = self.words.payment_kinds.get(fold(found[1]))
        if kind is None:
            raise self._no_payment(found[1], base + found.start(1))
        at, end = base + found.start(5), base + found.end(5)
        is_pot = found[5][0] != '"' and self.words.is_pot(found[5])
        payee = None if is_pot else self._name(found[5], line, at)
        if kind == "pot":
            given = self._chips(found[3], line, base + found.start(3))
            return Pay(line, kind, (), given, payee, Span(line, at, end))
        shares = self._shares(line, text, base, found, 3)
        return Pay(line, kind, shares, None, payee, Span(line, at, end))

    def _pot_turned(self, text: str, at: int) -> Unread | None:
        """Return the finding on a pot that is written like the other payments, `Pay pot: Ben 4`; None on others."""
        found = _NO_ARROW.match(text, at)
        if found is None or not self.words.is_pot(found[1]):
            return None
        instead = f"{found[3]} -> {found[2]}"
        message = f"the pot stands before the arrow and who takes it behind it: {instead}"
        actual = text[found.start(2) : found.end(3)]
        return Unread("E101", found.start(2), found.end(3), message, "an amount, -> and a name", actual, instead)

    def _no_payment(self, word: str, at: int) -> Unread:
        from comet_hist.notation.foreign import foreign_payment

        known = [self.words.payments[kind] for kind in ("ante", "comet", "cards", "pot", "transfer")]
        expected = f"{', '.join(known[:-1])} or {known[-1]}"
        foreign = foreign_payment(word, self.words)
        meant = self.words.payments[foreign] if foreign else nearest(word, known)
        message = f"“{word}” is not a payment: expected {expected}{did_you_mean(meant)}"
        return Unread("E101", at, at + len(word), message, expected, word, meant)

    def _shares(
        self, line: Line, text: str, base: int, found: re.Match[str], group: int, *, debts: bool = False
    ) -> tuple[Share, ...]:
        shares: list[Share] = []
        player: Name | None = None
        comma = True
        for word, at, end in tokens.listed(text, base + found.start(group), base + found.end(group)):
            if player is not None:
                if word == ",":
                    break
                chips = self._chips(word, line, at, debts=debts)
                shares.append(_new(Share, (player, chips)))
                player = None
                comma = False
            elif word == ",":
                comma = True
            elif comma:
                try:
                    player = self._name(word, line, at)
                except Unread as unread:
                    raise _goes_on(shares, text, at) or _nameless_amount(word, at, end) or unread from None
            else:
                if spread := _goes_on(shares, text, at):
                    raise spread
                raise _no_comma(word, at, end, _AMOUNT.match(text, end) is not None)
        if player is not None:
            message = f"no amount stands after {player.text}"
            raise Unread("E101", player.end, player.end, message, "an amount")
        return tuple(shares)

    def run(self, line: Line, text: str, seated: Container[str]) -> tuple[Run, bool]:
        """Read a `Run` line.

        A play whose name is left out has the name `NAMELESS`. A bare `9d` that is not the first card of the run
        stands for the card after the one before it (G7, R2); ranges are written out.

        Args:
            line: the line.
            text: its text.
            seated: who has sat down so far: a name that looks like a card is a name only if it is one of them.

        Returns:
            The run, and whether a play in it has no name.
        """
        found = self.grammar.lines["run"].match(text, line.end)
        cards, heads = self.words.cards, self._heads
        plays: list[Play] = []
        name: Name | None = None
        head, bare, nameless = True, False, False
        listed = tokens.listed(text, line.end + found.start(2), line.end + found.end(2))
        if ".." in text or not text.isascii():
            listed = tokens.join_ranges(listed, text, self.words, seated)
        for word, at, end in listed:
            if word == ",":
                if bare:
                    break
                head = True
                continue
            if head:
                head = False
                known = heads.get(word)
                name = _new(Name, (known, line, at, end)) if known else self._head(word, line, at, text, seated)
                if name is not None:
                    bare = True
                    continue
                nameless = True
            bare = False
            card = cards.get(word)
            if card is None:
                self._lay(word, line, at, end, name, plays, seated)
                continue
            stands_for = _after(plays[-1]) if card == COMET and plays else None
            plays.append(_new(Play, (name or Name(NAMELESS, line, at, end), card, stands_for, line, at, end)))
        if bare and name is not None:
            raise self._no_cards_after(name, seated)
        return Run(line, tuple(plays)), nameless

    def _head(self, word: str, line: Line, at: int, text: str, seated: Container[str]) -> Name | None:
        """Return the name that the first word of a group is, or None if it is a card, a range or a stand-in."""
        end = at + len(word)
        if word[0] != '"' and tokens.looks_like_card(word, self.words):
            cards_follow = _WORD.match(text, end + _spaces(text, end))
            return self._name(word, line, at) if word in seated and cards_follow else None
        if word[0] != '"' and word[0].isascii() and not word[0].isalpha():
            raise tokens.no_card(word, at, self.words)
        signed = word[0] != '"' and not word.isascii()
        if signed and (tokens.meant_range(word, self.words) or tokens.has_suit_sign(word)):
            raise tokens.foreign_card(word, at, self.words) or tokens.no_card(word, at, self.words)
        name = self._name(word, line, at, "a name or a card")
        if foreign := tokens.foreign_card(word, at, self.words):
            if word not in seated:
                raise foreign
        else:
            self._heads[word] = name.text
        return name

    def _no_cards_after(self, name: Name, seated: Container[str]) -> Unread:
        written = name.line.raw[name.at : name.end]
        if name.text in seated or written[0] == '"':
            message = f"no card stands after {name.text}"
            return Unread("E101", name.end, name.end, message, f"the cards that {name.text} played")
        return tokens.no_card(written, name.at, self.words)

    def _lay(
        self, word: str, line: Line, at: int, end: int, name: Name | None, plays: list[Play], seated: Container[str]
    ) -> None:
        """Add the plays of a word that is no plain card: a card that stands for another, or a range."""
        if word[0] != '"' and "=" in word:
            left, right = word.split("=", 1)
            claimed = right.strip()
            if not left or not claimed:
                raise tokens.no_card(word, at, self.words)
            card = self._card(left.strip(), at)
            stands_for = self._card(claimed, end - len(claimed))
            plays.append(Play(name or Name(NAMELESS, line, at, end), card, stands_for, line, at, end))
            return
        if word[0] == '"' or not tokens.looks_like_card(word, self.words):
            wrong = tokens.no_card(word, at, self.words, f", {word}" if word in seated else None)
            if name is not None and name.text not in seated and line.raw[name.end : at].isspace() and word.isalpha():
                wrong.message += "; a name with a space is written in quotes"
            raise wrong
        low, _, high = word.partition("..")
        for card in self._range(low, high, at, end):
            follows = _after(plays[-1]) if card == COMET and plays else None
            plays.append(Play(name or Name(NAMELESS, line, at, end), card, follows, line, at, end))

    def _range(self, low: str, high: str, at: int, end: int) -> range:
        word = f"{low}..{high}"
        first, last = self.words.cards[low], self.words.cards[high]
        if first // 13 != last // 13 or first > last:
            message = f"a range runs upwards in one suit, not from {SIGNED[first]} to {SIGNED[last]}"
            suggestion = f"{high}..{low}" if first // 13 == last // 13 else None
            raise Unread("E103", at, end, message, "a range upwards in one suit", word, suggestion)
        if first <= GAP <= last:
            message = f"{SIGNED[GAP]} is not in the pack; no range reaches over it"
            raise Unread("E103", at, end, message, "a range on one side of the gap", word)
        return range(first, last + 1)

    def _card(self, word: str, at: int) -> int:
        card = self.words.cards.get(word)
        if card is None:
            raise tokens.no_card(word, at, self.words)
        return card

    def unknown(self, line: Line) -> tuple[Unread, str | None]:
        """Return the finding on a line that begins with no keyword (E101), and the kind it comes nearest to."""
        word = line.raw[line.at : line.end]
        kind = nearest_keyword(word, self.words.language) if word[:1].isalpha() else None
        expected = "a keyword such as " + ", ".join(self.words.keywords[kind] for kind in ("hand", "deal", "run"))
        suggestion = None
        if kind is not None:
            suggestion = self.words.keywords[kind] + (":" if line.raw[line.end : line.end + 1] == ":" else "")
        shown = word[:40] or line.raw[line.at : line.at + 1]
        printable = shown if shown.isprintable() else ascii(shown)[1:-1]
        message = f"no line begins with “{printable}”{did_you_mean(suggestion)}"
        return Unread("E101", line.at, max(line.end, line.at + 1), message, expected, printable, suggestion), kind


def _goes_on(shares: list[Share], text: str, at: int) -> Unread | None:
    """Return the finding on the last amount where it goes on at an offset (E104), or None if it does not."""
    spread = tokens.spread_number(text, shares[-1].chips.at) if shares else None
    return spread if spread and spread.end > at else None


def _nameless_amount(word: str, at: int, end: int) -> Unread | None:
    """Return the finding on an amount where a name should stand (E105), or None if the word is none."""
    if not (word.isascii() and word.isdigit()):
        return None
    message = f"“{word}” stands where a name should: each amount follows its name, such as Anna 1, Ben 1"
    return Unread("E105", at, end, message, "a name", word)


def _no_comma(word: str, at: int, end: int, amount_follows: bool) -> Unread:
    """Return the finding on a word behind an amount: the next name, or one that has no place there (E101)."""
    if amount_follows:
        message = f"expected a comma before the next name, found “{word}”"
        return Unread("E101", at, end, message, "a comma", word, f", {word}")
    advice = "" if word[0].isdigit() else "; leave it out"
    return Unread("E101", at, end, f"“{word}” stands behind the amount{advice}", "a comma or nothing", word)


def _spaces(text: str, at: int) -> int:
    """Return the number of white-space characters from an offset on."""
    end = at
    while end < len(text) and text[end].isspace():
        end += 1
    return end - at


def _after(play: Play) -> int | None:
    """Return the card that follows what a play claimed to be (R2), or None after a king (R8)."""
    claimed = play.claimed
    if claimed % 13 == 12:
        return None
    return claimed + 2 if claimed == GAP else claimed + 1


def _is_real(kind: type[datetime] | type[time], text: str) -> bool:
    """Say whether a date or time of the right form exists in the calendar."""
    try:
        kind.fromisoformat(text)
    except ValueError:
        return False
    return True


def _not_when(written: Text, reason: str, expected: str) -> Unread:
    shown = written.text[:40]
    shown = shown if shown.isprintable() else ascii(shown)[1:-1]
    return Unread("E109", written.at, written.end, f"“{shown}”: {reason}", expected, shown)

"""Reads the bytes of canonical English text token by token."""

from array import array
from functools import lru_cache

from comet_hist.bulk import columns
from comet_hist.cards import RANKS, SUITS
from comet_hist.notation.tokens import LONGEST_NAME, Unread, name
from comet_hist.notation.vocabulary import DEFAULT, vocabulary
from comet_hist.notation.write import write_name
from comet_hist.rules import MOST_CHIPS, RuleError, agree

Bytes = bytes
"""What is read byte by byte; compiled, a pointer to it."""

_NO_CARD = columns.NO_CARD
_MOST_CHIPS = MOST_CHIPS
_NOTHING = columns.NOTHING
_LONGEST_NAME = LONGEST_NAME
_LONGEST_TEXT = 10_000
"""Bytes of the longest `Place` or `Void` text that is taken."""

_NAME = 1
_TEXT = 2
_PRICE = 4
"""What a word is asked about, as a bit each."""

_NEITHER = 99
_RANK_OF = bytes(RANKS.find(chr(byte)) if chr(byte) in RANKS else _NEITHER for byte in range(256))
_SUIT_OF = bytes(SUITS.find(chr(byte)) if chr(byte) in SUITS else _NEITHER for byte in range(256))


def name_of(token: bytes) -> str:
    """Return a name or identifier that stands as the canonical form writes it: without quotes just so."""
    written = token.decode()
    return _name(written) if written[0] == '"' else written


@lru_cache(maxsize=4096)
def _name(token: str) -> str:
    return name(token, 0, vocabulary(DEFAULT), pot=True)


@lru_cache(maxsize=4096)
def _is_name_written_so(token: bytes) -> bool:
    """Say whether a name stands as the canonical form writes it."""
    try:
        return write_name(_name(token.decode()), DEFAULT).encode() == token
    except (UnicodeDecodeError, Unread):
        return False


@lru_cache(maxsize=4096)
def _is_text_written_so(text: bytes) -> bool:
    """Say whether the text of a `Place` or `Void` line is canonical; one with quotes or `#` is not looked into."""
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        return False
    if '"' in decoded or "#" in decoded or " ".join(decoded.split()) != decoded:
        return False
    return decoded.replace(" ", "").isprintable()


@lru_cache(maxsize=64)
def _is_price_written_so(price: bytes) -> bool:
    """Say whether what a chip is worth stands as the canonical form writes it."""
    try:
        return str(agree([("chip", price.decode())]).chip) == price.decode()
    except RuleError:
        return False


_IS_WRITTEN_SO = {_NAME: _is_name_written_so, _TEXT: _is_text_written_so, _PRICE: _is_price_written_so}


class Scanner:
    """Reads a chunk token by token: a method takes what it names, moving `at` behind it, or says that it is not there.

    Behind the chunk stands a zero byte, which is part of no token, so that nothing reads beyond it. What only the
    notation knows, it is asked once the session has been read; until then it counts as right.
    """

    def __init__(self) -> None:
        self.questions = self.words = self.slot_mask = self.generation = self.count = 0
        self.word_rows = self.question_rows = self.slots = array("q")
        self.listed = [0] * 52
        self.ranks = _RANK_OF
        self.suits = _SUIT_OF
        self.text = b"\0"
        self.chunk = b""
        self.at = self.end = self.line = 0

    def stands(self, word: Bytes) -> bool:
        """Take a word, given with a zero byte at its end."""
        at = self.at
        index = 0
        while word[index]:
            if self.text[at + index] != word[index]:
                return False
            index += 1
        self.at = at + index
        return True

    def sign(self, byte: int) -> bool:
        """Take one byte."""
        if self.text[self.at] != byte:
            return False
        self.at += 1
        return True

    def line_end(self) -> bool:
        """Take a line feed."""
        if self.text[self.at] != 10:
            return False
        self.at += 1
        self.line += 1
        return True

    def card(self) -> int:
        """Take a card, `_NO_CARD` if there is none."""
        rank = self.ranks[self.text[self.at]]
        if rank == _NEITHER:
            return _NO_CARD
        suit = self.suits[self.text[self.at + 1]]
        if suit == _NEITHER:
            return _NO_CARD
        self.at += 2
        return 13 * suit + rank

    def cards(self) -> bool:
        """Take cards in ascending order, each behind a space, to the end of the line, into `listed`."""
        at = self.at
        above = -1
        count = 0
        while self.text[at] == 32:
            rank = self.ranks[self.text[at + 1]]
            if rank == _NEITHER:
                return False
            suit = self.suits[self.text[at + 2]]
            card = 13 * suit + rank
            if suit == _NEITHER or card <= above:
                return False
            self.listed[count] = above = card
            count += 1
            at += 3
        self.count = count
        self.at = at
        return self.line_end()

    def number(self) -> int:
        """Take a whole number up to 10⁹ without needless zeros, -1 if there is none."""
        digit = self.text[self.at] - 48
        if digit < 0 or digit > 9:
            return -1
        self.at += 1
        value = digit
        if value == 0:
            return 0
        while True:
            digit = self.text[self.at] - 48
            if digit < 0 or digit > 9:
                return value
            value = value * 10 + digit
            if value > _MOST_CHIPS:
                return -1
            self.at += 1

    def chips(self) -> int:
        """Take chips, which may be below zero; `_NOTHING` if there are none."""
        below = self.sign(45)
        value = self.number()
        if value < 0 or (below and value == 0):
            return _NOTHING
        return -value if below else value

    def two_digits(self, most: int) -> int:
        """Take a number of two digits up to `most`, -1 if there is none."""
        tens = self.text[self.at] - 48
        if tens < 0 or tens > 9:
            return -1
        units = self.text[self.at + 1] - 48
        if units < 0 or units > 9 or 10 * tens + units > most:
            return -1
        self.at += 2
        return 10 * tens + units

    def clock(self) -> int:
        """Take a time of day, in seconds, -1 if there is none."""
        hour = self.two_digits(23)
        if hour < 0 or not self.sign(58):
            return -1
        minute = self.two_digits(59)
        if minute < 0:
            return -1
        second = 0
        if self.sign(58):
            second = self.two_digits(59)
            if second < 0:
                return -1
        return 3600 * hour + 60 * minute + second

    def day(self) -> int:
        """Take a day that exists, as days since 1970-01-01; `_NOTHING` if there is none."""
        century = self.two_digits(99)
        if century < 0:
            return _NOTHING
        year = self.two_digits(99)
        if year < 0 or not self.sign(45):
            return _NOTHING
        year += 100 * century
        month = self.two_digits(12)
        if month < 1 or not self.sign(45):
            return _NOTHING
        day = self.two_digits(31)
        longest = 31
        if month == 4 or month == 6 or month == 9 or month == 11:
            longest = 30
        elif month == 2:
            longest = 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
        if day < 1 or day > longest or year < 1:
            return _NOTHING
        # Counted from March, so that the leap day is the last of its year.
        if month < 3:
            year -= 1
            month += 12
        days = 365 * year + year // 4 - year // 100 + year // 400
        return days + (153 * (month - 3) + 2) // 5 + day - 719469

    def name(self) -> int:
        """Take a name as the canonical form writes it; return its length, 0 if there is none.

        One of ASCII letters and digits alone, too long for a card or the pot, is known at sight; the notation is asked
        about any other.
        """
        start = self.at
        at = start
        byte = self.text[at]
        plain = (65 <= byte <= 90) or (97 <= byte <= 122)
        if byte == 34:
            at += 1
            while self.text[at] != 34:
                if self.text[at] == 92:
                    at += 1
                if self.text[at] == 10 or self.text[at] == 0:
                    return 0
                at += 1
            at += 1
        else:
            while byte > 32 and byte != 44 and byte != 58 and byte != 34:
                plain = plain and (
                    (97 <= byte <= 122) or (65 <= byte <= 90) or (48 <= byte <= 57) or byte == 95 or byte == 45
                )
                at += 1
                byte = self.text[at]
        length = at - start
        if length == 0:
            return 0
        if not (plain and 4 <= length <= _LONGEST_NAME):
            self.ask(_NAME, start, length)
        self.at = at
        return length

    def free_text(self) -> int:
        """Take canonical text to the end of the line; return its length, 0 if there is none."""
        start = self.at
        at = start
        plain = self.text[at] != 32
        while self.text[at] != 10:
            if self.text[at] == 0 or at - start > _LONGEST_TEXT:
                return 0
            if self.text[at] < 32 or self.text[at] > 126 or self.text[at] == 34 or self.text[at] == 35:
                plain = False
            if self.text[at] == 32 and (self.text[at + 1] == 32 or self.text[at + 1] == 10):
                plain = False
            at += 1
        if at == start:
            return 0
        if not plain:
            self.ask(_TEXT, start, at - start)
        self.at = at
        return at - start

    def price(self) -> bool:
        """Take what a chip is worth; whether it is written canonically is asked."""
        start = self.at
        at = start
        while 48 <= self.text[at] <= 57 or self.text[at] == 46:
            at += 1
        if at == start or self.text[at] != 32:
            return False
        at += 1
        while 65 <= self.text[at] <= 90:
            at += 1
        self.ask(_PRICE, start, at - start)
        self.at = at
        return True

    def word(self, at: int, length: int) -> int:
        """Return the number of a word among those of the chunk."""
        key = 18652613
        for index in range(length):
            key = (key ^ self.text[at + index]) * 16777619 & 0x7FFFFFFF
        slot = (key ^ key >> 15) & self.slot_mask
        while self.slots[slot] >> 32 == self.generation:
            row = self.slots[slot] - (self.generation << 32)
            if self.word_rows[3 * row + 1] == length:
                index = 0
                while index < length and self.text[self.word_rows[3 * row] + index] == self.text[at + index]:
                    index += 1
                if index == length:
                    return row
            slot = slot + 1 & self.slot_mask
        row = self.words
        self.words += 1
        self.slots[slot] = (self.generation << 32) + row
        self.word_rows[3 * row] = at
        self.word_rows[3 * row + 1] = length
        self.word_rows[3 * row + 2] = 0
        return row

    def ask(self, kind: int, at: int, length: int) -> None:
        """Ask the notation, unless it was in this chunk before, whether it writes a name, text or price just so."""
        row = self.word(at, length)
        if not self.word_rows[3 * row + 2] & kind:
            self.question_rows[2 * self.questions] = kind
            self.question_rows[2 * self.questions + 1] = row
            self.questions += 1

    def answer(self) -> bool:
        """Answer all questions; return False if any word is not canonical."""
        for question in range(self.questions):
            kind = self.question_rows[2 * question]
            row = self.question_rows[2 * question + 1]
            at = self.word_rows[3 * row]
            word = self.chunk[at : at + self.word_rows[3 * row + 1]]
            if not _IS_WRITTEN_SO[kind](word):
                return False
            self.word_rows[3 * row + 2] |= kind
        return True


def closes_hand(text: Bytes, at: int) -> bool:
    """Say whether a line that begins at `at` is one that clean hands end with, and surely opens no session.

    A zero byte ends the text. Only below such a line a session can be judged by itself: opened by the same line as what
    stands above it, it would be no session at all (E107).
    """
    return (
        _begins(text, at, b"Stacks: \0")
        or _begins(text, at, b"Pay \0")
        or _begins(text, at, b"Run: \0")
        or _begins(text, at, b"Void: \0")
        or _begins(text, at, b"Winner: \0")
    )


def _begins(text: Bytes, at: int, word: Bytes) -> bool:
    index = 0
    while word[index]:
        if text[at + index] != word[index]:
            return False
        index += 1
    return True

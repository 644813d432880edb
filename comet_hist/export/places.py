"""JSON text into values that know where they stand, so that a finding can point at the exact characters."""

import json
import re
from typing import Any, Final, Literal, NamedTuple

DEEPEST: Final = 20
"""Objects and arrays within one another, beyond which a text is not read. A session has six."""

_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\.)*"')
_NAME: Final = re.compile(r'("(?:[^"\\\x00-\x1f]++|\\.)*")[ \t\n\r]*+:[ \t\n\r]*+')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![\w.+-])")
_PLAIN: Final = re.compile(r'"([^"\\\x00-\x1f]*+)"')
_WORDS: Final = re.compile(r'\["[^"\\\x00-\x1f]*+"(?:,[ \t\n\r]*+"[^"\\\x00-\x1f]*+")*\]')
_WORD: Final = re.compile(r"(?:true|false|null)\b")
_NEXT: Final = re.compile(r"[ \t\n\r]*+(?:,[ \t\n\r]*+|([\]}]))")

_new = tuple.__new__

Kind = Literal["object", "array", "text", "number", "true", "false", "null"]


class Malformed(Exception):
    """A text that is not JSON.

    Attributes:
        at: offset of the first character that does not fit; the length of the text where it breaks off.
        message: what is wrong.
        code: E101, or E102 where it is not even text.
    """

    def __init__(self, at: int, message: str, code: str = "E101") -> None:
        super().__init__(message)
        self.at = at
        self.message = message
        self.code = code


class Value(NamedTuple):
    """A JSON value.

    Attributes:
        kind: what it is.
        data: its members by name, its items, its text without quotes, or the digits of a number as written.
        at: offset of its first character.
        end: offset just after its last.
    """

    kind: Kind
    data: Any
    at: int
    end: int


class Member(NamedTuple):
    """A member of an object: its value, and where its name begins and ends."""

    value: Value
    at: int
    end: int


class Cursor:
    """A place in a JSON text from which values are taken, one after another.

    Attributes:
        text: the JSON text.
        at: offset of what comes next.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.space()

    def space(self) -> None:
        """Pass over white space."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def sign(self, sign: str) -> None:
        """Take a sign of punctuation and the white space after it.

        Raises:
            Malformed: if another comes next.
        """
        if self.text[self.at : self.at + 1] != sign:
            raise self._misfit(f"“{sign}”")
        self.at += 1
        self.space()

    def ends(self, closing: str) -> bool:
        """Take the closing sign or the comma after an item of an array or object; say whether it was the closing sign.

        Raises:
            Malformed: if neither comes next.
        """
        found = _NEXT.match(self.text, self.at)
        if found is None or found[1] not in (None, closing):
            self.space()
            raise self._misfit(f"“,” or “{closing}”")
        self.at = found.end()
        return found[1] is not None

    def opens_empty(self, opening: str, closing: str) -> bool:
        """Take the opening sign of an array or object; say whether it has nothing in it, and take that.

        Raises:
            Malformed: if it does not come next.
        """
        self.sign(opening)
        if self.text[self.at : self.at + 1] == closing:
            self.at += 1
            return True
        return False

    def name(self) -> Value:
        """Take the name of a member, and the colon after it.

        Raises:
            Malformed: if none comes next.
        """
        found = _NAME.match(self.text, self.at)
        if found is None:
            if self.text[self.at : self.at + 1] != '"':
                raise self._misfit("a name in double quotes")
            self._string()
            self.space()
            raise self._misfit("“:”")
        self.at = found.end()
        return self._text(found[1], *found.span(1))

    def value(self, depth: int = 0) -> Value:
        """Take a value.

        Raises:
            Malformed: if none comes next, an object has two members of one name, or it is nested too deeply.
        """
        sign = self.text[self.at : self.at + 1]
        if sign == '"':
            return self._string()
        if sign in ("{", "["):
            if depth >= DEEPEST:
                raise Malformed(self.at, f"more than {DEEPEST} objects and arrays within one another")
            return self._object(depth + 1) if sign == "{" else self._array(depth + 1)
        start = self.at
        if found := _NUMBER.match(self.text, start):
            self.at = found.end()
            return Value("number", found[0], start, self.at)
        if found := _WORD.match(self.text, start):
            self.at = found.end()
            return Value(found[0], None, start, self.at)  # type: ignore[arg-type]
        raise self._misfit("a value")

    def finish(self) -> None:
        """Make sure that nothing follows.

        Raises:
            Malformed: if something does.
        """
        self.space()
        if self.at < len(self.text):
            raise self._misfit("nothing more")

    def _misfit(self, expected: str) -> Malformed:
        if self.at >= len(self.text):
            return Malformed(self.at, f"the text breaks off; expected {expected}")
        found = self.text[self.at]
        shown = f"“{found}”" if found.isprintable() else f"U+{ord(found):04X}"
        return Malformed(self.at, f"expected {expected}, found {shown}")

    def _string(self) -> Value:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise Malformed(self.at, "a text in quotes is not closed on its line, or has a control character in it")
        start, self.at = found.span()
        return self._text(found[0], start, self.at)

    def _text(self, quoted: str, at: int, end: int) -> Value:
        if "\\" not in quoted:
            return _new(Value, ("text", quoted[1:-1], at, end))
        try:
            return Value("text", json.loads(quoted), at, end)
        except json.JSONDecodeError as error:
            raise Malformed(at + error.pos, "this is no escape that JSON knows") from error

    def _array(self, depth: int) -> Value:
        start = self.at
        if found := _WORDS.match(self.text, start):  # such as cards: what there is most of
            self.at = found.end()
            found_words = _PLAIN.finditer(self.text, start, self.at)
            words = [_new(Value, ("text", word[1], *word.span())) for word in found_words]
            return Value("array", words, start, self.at)
        items: list[Value] = []
        done = self.opens_empty("[", "]")
        while not done:
            items.append(self.value(depth))
            done = self.ends("]")
        return Value("array", items, start, self.at)

    def _object(self, depth: int) -> Value:
        start = self.at
        members: dict[str, Member] = {}
        done = self.opens_empty("{", "}")
        while not done:
            name = self.name()
            if name.data in members:
                raise Malformed(name.at, f"a second “{name.data[:40]}” in one object")
            members[name.data] = _new(Member, (self.value(depth), name.at, name.end))
            done = self.ends("}")
        return Value("object", members, start, self.at)

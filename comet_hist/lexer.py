"""A Pygments lexer for the hand-history text, in all its languages: `pygmentize -l comet`."""

from typing import Any

from pygments.lexer import RegexLexer, bygroups, default
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Operator, Punctuation, String, Text
from pygments.token import Whitespace as Space

from comet_hist.highlight import (
    AFTER,
    AMOUNT,
    ARROW,
    BARE,
    COMMENT,
    CURRENCY,
    KINDS,
    PRICE,
    QUOTED,
    WHEN,
    all_openings,
    continued,
    patterns,
)
from comet_hist.notation.vocabulary import DEFAULT, languages

__all__ = ["CometLexer"]

_FREE_WORD = r'(?:[^\s":“„”]|(?<=\w)["“„”])+|["“„”]'
"""What stands in free text outside quotes, quotation marks behind a letter or digit or without their pair too."""

Rules = list[Any]


def _states() -> dict[str, Rules]:
    """Return the rules of all states: a language's lines, and for each what may stand after its keywords."""
    states: dict[str, Rules] = {
        "root": [default(DEFAULT)],
        "identifier": [
            (rf"(?:{QUOTED}|{BARE}){AFTER}", Name.Namespace),
            (r"[^\S\n]+", Space),
            (COMMENT, Comment.Single),
            (r"\n", Space, "#pop"),
            (r"[^\s]+", Error),
        ],
        "unknown": [(r"[^\n]+", Text), (r"\n", Space, "#pop")],
    }
    for language in languages():
        states[language] = _lines(language)
        for state in KINDS:
            states[f"{language} {state}"] = [*_layout(language), *_parts(language, state), *_misfits()]
        states[f"{language} group"] = [*_layout(language)[:-1], *_opening_name(language), default("#pop")]
    return states


def _lines(language: str) -> Rules:
    """Return the rules for the beginning of a line; a session's opening goes over to its language."""
    openings = [
        (
            rf"({comet})([^\S\n]+)({session}){AFTER}",
            bygroups(Keyword.Declaration, Space, Keyword.Declaration),  # type: ignore[no-untyped-call]
            ("#pop", other, "identifier"),
        )
        for other, (comet, session) in all_openings().items()
    ]
    keywords = [
        (f"{keyword}{AFTER}", Keyword, f"{language} {state}") for state, keyword in patterns(language).keywords.items()
    ]
    return [(r"\s+", Space), (r"#[^\n]*", Comment.Single), *openings, *keywords, (r"\S+", Error, "unknown")]


def _layout(language: str) -> Rules:
    """Return the rules for comments, spaces and the end of a line, unless the next one continues it."""
    return [
        (COMMENT, Comment.Single),
        (r"[^\S\n]+", Space),
        (rf"\n(?=(?:[^\S\n]*#[^\n]*\n)*{continued(language)})", Space),
        (r"\n", Space, "#pop"),
    ]


def _parts(language: str, state: str) -> Rules:
    words = patterns(language)
    if state == "text":
        return [(":", Punctuation), (rf"(?<![\w\\]){QUOTED}", String), (_FREE_WORD, String), (":", String)]
    if state == "when":
        return [(WHEN, Literal.Date), (":", Punctuation)]
    punctuation = [(r"[:,]", Punctuation)]
    amount = (f"{AMOUNT}{AFTER}", Number.Integer)
    if state == "rules":
        items = (f"{words.games}{AFTER}", Name.Builtin)
        price = [(f"{PRICE}{AFTER}", Number), (f"{CURRENCY}{AFTER}", Name.Constant)]
        return [*punctuation, items, (f"{words.choices}{AFTER}", Keyword.Constant), *price]
    name = (rf"(?:{QUOTED}|{BARE}){AFTER}", Name.Entity)
    card = (f"{words.card}{AFTER}", Literal.String.Symbol)
    parts: dict[str, Rules] = {
        "people": [amount, name],
        "cards": [(rf"(?:{QUOTED}|{BARE})(?=\s*:)", Name.Entity), card],
        "run": [(r"[:,]", Punctuation, f"{language} group"), (f"{words.play}{AFTER}", Literal.String.Symbol)],
        "pay": [
            (rf"{words.payment}(?=\s*:)", Keyword.Type),
            (rf"{BARE}(?=\s*:)", Error),
            (f"{words.pot}{AFTER}", Name.Builtin.Pseudo),
            (ARROW, Operator),
            amount,
            name,
        ],
    }
    return parts[state] if state == "run" else punctuation + parts[state]


def _opening_name(language: str) -> Rules:
    """Return the rule for the name that may begin each group of a run."""
    return [(rf"(?!{patterns(language).play}{AFTER})(?:{QUOTED}|{BARE}){AFTER}", Name.Entity, "#pop")]


def _misfits() -> Rules:
    """Return the rules for what cannot be read: a quote left open, or a whole word."""
    return [(r'"[^\n]*', Error), (r'(?:[^\s,:"→\-]|-(?!>))+|[^\n]', Error)]


class CometLexer(RegexLexer):
    """Colours recorded hands of the card game Comet; what can be no part of a line is an error."""

    name = "Comet"
    url = "https://en.wikipedia.org/wiki/Comet_(card_game)"
    aliases = ["comet"]  # noqa: RUF012 (the names and types are those of Pygments)
    filenames = ["*.comet"]  # noqa: RUF012
    tokens = _states()

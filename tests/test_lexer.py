"""Colours for editors: the Pygments lexer and the TextMate grammar, both made from the vocabularies."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Literal, Name, Number, Operator, _TokenType

from comet_hist.cards import CARDS
from comet_hist.highlight import grammar_text, patterns, textmate
from comet_hist.lexer import CometLexer
from comet_hist.notation import read
from comet_hist.notation.vocabulary import languages, vocabulary
from comet_hist.record import Session

ROOT = Path(__file__).parents[1]
TEXTS = [*sorted((ROOT / "samples").rglob("*.comet")), *sorted((ROOT / "tests/cases").glob("*.comet"))]
CARD = Literal.String.Symbol

OPENING = "Comet session a\nSeat 1: Anna 40\n"


def lexed(text: str) -> list[tuple[_TokenType, str]]:
    """Return the tokens that are no space, what stands together as one."""
    return [(kind, word) for kind, word in CometLexer().get_tokens(text) if word.strip()]


def errors(text: str) -> list[str]:
    return [word for kind, word in lexed(text) if kind is Error]


def is_readable(text: bytes) -> bool:
    """Say whether nothing in a text is unreadable, by the reader (E1)."""
    pieces = list(read(io.BytesIO(text), ""))
    hands = [hand for piece in pieces if isinstance(piece, Session) for hand in piece.hands]
    return not any(part.faults for part in (*pieces, *hands))


def test_readable_texts_have_no_error_token_and_lose_nothing() -> None:
    readable = [file for file in TEXTS if is_readable(file.read_bytes())]
    assert len(readable) > len(TEXTS) // 2
    for file in readable:
        text = file.read_bytes().decode()
        assert errors(text) == [], file
        told = "".join(word for _, word in CometLexer().get_tokens(text))
        assert told.strip("\n") == text.removeprefix("\ufeff").replace("\r\n", "\n").strip("\n"), file


@pytest.mark.parametrize(
    ("line", "token"),
    [
        ("Rnu: Anna 2c", "Rnu:"),
        ("Run: Anna 1c", "1c"),
        ("Run: Anna 2c..", "2c.."),
        ("Run: Anna 9d=11h", "9d=11h"),
        ("Run: Anna 2c Ben", "Ben"),
        ("Deal Anna: 2c Dh", "Dh"),
        ("Deal Anna: 2c Ben", "Ben"),
        ("Stacks: Anna 1.5", "1.5"),
        ('Dealer: "Anna', '"Anna'),
        ("Dealer: 7up", "7up"),
        ("Date: yesterday", "yesterday"),
        ("Rules: ante 1, gap jump", "jump"),
        ("Rules: many", "many"),
        ("Rules: chip 0.05 eur", "eur"),
        ("Pay ante: Anna 1 => pot", "=>"),
        ("Pay tip: Anna 1 -> Ben", "tip"),
        ("Hand 1 -", "-"),
    ],
)
def test_what_cannot_be_read_is_an_error_token(line: str, token: str) -> None:
    assert errors(f"{OPENING}\nHand 1\n{line}\nDealer: Anna\n") == [token]


def test_tokens_of_a_hand() -> None:
    text = (
        'Hand 1\n  Run: Anna As 9d=2s, "Jean Luc" 3♠..5♠, # so\n# and\n    7c\n'
        "Pay comet: Anna 1 → pot\nStacks: pay -3\n"
    )
    assert [(kind, word) for kind, word in lexed(text) if word not in (":", ",")] == [
        (Keyword, "Hand"), (Number.Integer, "1"),
        (Keyword, "Run"), (Name.Entity, "Anna"), (CARD, "As"), (CARD, "9d=2s"), (Name.Entity, '"Jean Luc"'),
        (CARD, "3♠..5♠"), (Comment.Single, "# so"), (Comment.Single, "# and"), (CARD, "7c"),
        (Keyword, "Pay"), (Keyword.Type, "comet"), (Name.Entity, "Anna"), (Number.Integer, "1"), (Operator, "→"),
        (Name.Builtin.Pseudo, "pot"), (Keyword, "Stacks"), (Name.Entity, "pay"), (Number.Integer, "-3"),
    ]  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_every_word_of_every_language_has_its_colour(language: str) -> None:
    words = vocabulary(language)
    opening = f"{' '.join(words.opening)} a\n"
    for keyword in words.keywords.values():
        for spelt in (keyword, keyword.upper(), keyword.lower()):
            assert (Keyword, spelt) in lexed(f"{opening}{spelt}:\n")
    run = words.keywords["run"]
    for card in words.cards:
        assert (CARD, card) in lexed(f"{opening}{run}: Anna {card}\n")
    for kind in ("ante", "comet", "cards", "pot", "transfer"):
        line = f"{words.keywords['pay']} {words.payments[kind]}: Anna 1 -> {words.payments['pot']}"
        assert {Keyword.Type, Name.Builtin.Pseudo} <= {kind for kind, _ in lexed(f"{opening}{line}\n")}
    for item in words.rules.values():
        assert (Name.Builtin, item) in lexed(f"{opening}{words.keywords['rules']}: {item}\n")


def test_each_session_has_its_own_language() -> None:
    for one in map(vocabulary, languages()):
        for other in map(vocabulary, languages()):
            both = f"{' '.join(one.opening)} a\n\n{' '.join(other.opening)} b\n{other.keywords['run']}: Anna "
            assert errors(both + other.written[CARDS["Qc"]] + "\n") == []
    foreign = f"{' '.join(vocabulary('de').opening)} a\nReihe: Anna Qc\n"
    assert errors(foreign) == ["Qc"]


def test_pygments_finds_the_lexer_by_name_and_file() -> None:
    assert get_lexer_by_name("comet").name == "Comet"
    assert get_lexer_for_filename("night.comet").name == "Comet"
    pygmentize = Path(sys.executable).with_name("pygmentize")
    command = [pygmentize, "-l", "comet", "-f", "raw", TEXTS[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Token.Keyword" in done.stdout


def test_the_program_does_not_need_pygments() -> None:
    code = "import sys; sys.modules['pygments'] = None; from comet_hist.cli.app import comet_hist; comet_hist()"
    done = subprocess.run([sys.executable, "-c", code, "check", TEXTS[0]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# The TextMate grammar


def test_the_grammar_is_the_one_that_the_vocabularies_make() -> None:
    kept = (ROOT / "grammars/comet.tmLanguage.json").read_text(encoding="utf-8")
    assert kept == grammar_text(), "python -m comet_hist.highlight > grammars/comet.tmLanguage.json"


def rules_in(grammar: Any) -> list[dict[str, Any]]:
    """Return every rule of a grammar."""
    inner = grammar.values() if isinstance(grammar, dict) else grammar if isinstance(grammar, list) else ()
    own = [grammar] if isinstance(grammar, dict) and grammar.keys() & {"match", "begin", "include"} else []
    return own + [rule for part in inner for rule in rules_in(part)]


def test_every_rule_of_the_grammar_can_be_used() -> None:
    grammar = textmate()
    rules = rules_in(grammar)
    assert len(rules) > 40
    for rule in rules:
        if "include" in rule:
            assert rule["include"].removeprefix("#") in grammar["repository"]
        for key in ("match", "begin", "end"):
            if key in rule:
                re.compile(rule[key])
        assert "include" in rule or any("name" in str(rule[key]) for key in rule) or "name" in rule


@pytest.mark.parametrize("language", languages())
def test_the_grammar_colours_what_the_language_says(language: str) -> None:
    words = vocabulary(language)
    session = textmate()["repository"][f"session-{language}"]
    assert re.match(session["begin"], f"{' '.join(words.opening)} a")
    begins = [rule["begin"] for rule in session["patterns"] if "begin" in rule]
    for keyword in words.keywords.values():
        assert sum(re.match(begin, f"{keyword}:") is not None for begin in begins) == 1
    for other in map(vocabulary, languages()):
        assert re.match(session["end"], f"{' '.join(other.opening)} b")
    assert all(re.fullmatch(patterns(language).card, card) for card in words.cards)


def test_a_further_language_is_coloured_too(tmp_path: Path) -> None:
    english = (ROOT / "grammars/en.toml").read_text(encoding="utf-8")
    made_up = english.replace('"English"', '"Elvish"').replace('"session"', '"lómë"').replace('"Run"', '"Lanta"')
    (tmp_path / "qy.toml").write_text(made_up, encoding="utf-8")
    code = (
        "from comet_hist.lexer import CometLexer\n"
        "print([word for kind, word in CometLexer().get_tokens('Comet lome a\\nLanta: Anna As\\n')"
        " if str(kind) in ('Token.Keyword', 'Token.Error')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "COMET_HIST_GRAMMARS": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.strip() == "['Lanta']"

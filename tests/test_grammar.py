"""The normative grammar and the parser: each production has texts that both take, and texts that the parser refuses."""

import io
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from comet_hist.notation import read
from comet_hist.notation.vocabulary import fold, languages, vocabulary
from comet_hist.record import Fault, Session

GRAMMAR = (files("comet_hist.grammars") / "comet.ebnf").read_text(encoding="utf-8")
EXAMPLES = tomllib.loads((Path(__file__).parent / "grammar" / "examples.toml").read_text(encoding="utf-8"))

SYMBOL = re.compile(r"""\s+ | \(\*.*?\*\) | (\?[^?]*\? | "[^"]*" | '[^']*' | [a-z]+ | [=;|,(){}\[\]-])""", re.S | re.X)
BRACKETS = {"(": ("choice", ")"), "[": ("optional", "]"), "{": ("many", "}")}
CLASSES = {
    "letter": str.isalpha,
    "from A to Z": lambda sign: "A" <= sign <= "Z",
    "printable": lambda sign: sign.isprintable() and sign not in '"\\',
    "selector": lambda sign: sign in "\ufe0e\ufe0f",
}


Node = str | tuple[str, list["Node"]]
"""A symbol, or an operator (`choice`, `sequence`, `optional`, `many`, `but`) with its parts."""


def productions() -> dict[str, Node]:
    """Return the right side of each production of the grammar."""
    symbols: list[str] = []
    at = 0
    while at < len(GRAMMAR):
        found = SYMBOL.match(GRAMMAR, at)
        assert found, GRAMMAR[at : at + 40]
        symbols += [found[1]] if found[1] else []
        at = found.end()
    rules: dict[str, Node] = {}
    while symbols:
        name, equals = symbols.pop(0), symbols.pop(0)
        assert equals == "=" and name not in rules, name
        rules[name] = choice(symbols)
        assert symbols.pop(0) == ";", name
    return rules


def choice(symbols: list[str]) -> Node:
    branches = [sequence(symbols)]
    while symbols[0] == "|":
        symbols.pop(0)
        branches.append(sequence(symbols))
    return "choice", branches


def sequence(symbols: list[str]) -> Node:
    parts = [term(symbols)]
    while symbols[0] == ",":
        symbols.pop(0)
        parts.append(term(symbols))
    return "sequence", parts


def term(symbols: list[str]) -> Node:
    symbol = symbols.pop(0)
    node: Node = symbol
    if symbol in BRACKETS:
        operator, closing = BRACKETS[symbol]
        node = (operator, [choice(symbols)])
        assert symbols.pop(0) == closing
    if symbols[0] == "-":
        symbols.pop(0)
        node = ("but", [node, term(symbols)])
    return node


def symbols_of(node: Node) -> set[str]:
    return {node} if isinstance(node, str) else {symbol for part in node[1] for symbol in symbols_of(part)}


RULES = productions()
LINES = set(RULES) - set(re.findall(r"^(\w+) +=", GRAMMAR.partition("Part 2")[2], re.M))


def ends(node: Node, text: str, at: int, spaced: bool) -> set[int]:
    """Return where in a text a node can end that begins at an offset; `spaced` lets white space stand before it."""
    if isinstance(node, str):
        return ends_of_symbol(node, text, at, spaced)
    operator, parts = node
    if operator == "choice":
        return {end for part in parts for end in ends(part, text, at, spaced)}
    if operator == "sequence":
        reached = {at}
        for part in parts:
            reached = {end for start in reached for end in ends(part, text, start, spaced)}
        return reached
    if operator == "but":
        return ends(parts[0], text, at, spaced) - ends(parts[1], text, at, spaced)
    if operator == "optional":
        return {at} | ends(parts[0], text, at, spaced)
    found = new = {at}
    while new:
        new = {end for start in new for end in ends(parts[0], text, start, spaced)} - found
        found = found | new
    return found


def ends_of_symbol(symbol: str, text: str, at: int, spaced: bool) -> set[int]:
    """Return where a terminal, a special sequence or a production can end."""
    gap = re.compile(r"[^\S\n]*" if spaced else "").match(text, at)
    assert gap
    at = gap.end()
    if symbol[0] in "\"'":
        word = symbol[1:-1]
        stop = at + len(word)
        goes_on = spaced and word.isalpha() and text[stop : stop + 1].isalnum()
        return {stop} if fold(text[at:stop]) == fold(word) and not goes_on else set()
    if symbol[0] != "?":
        return ends(RULES[symbol], text, at, symbol in LINES)
    if "end of" in symbol:
        found = re.compile(r"[^\S\n]*(?:\n\s*|$)").match(text, at)
        return {found.end()} if found else set()
    if "one or more" in symbol:
        line = text[at:].partition("\n")[0]
        return {at + len(line)} if line.strip() and line.isprintable() else set()
    if "stretch" in symbol:
        stretch = re.compile(r"[^\S\n]+").match(text, at)
        return {stretch.end()} if stretch else set()
    (check,) = (check for word, check in CLASSES.items() if word in symbol)
    return {at + 1} if at < len(text) and check(text[at]) else set()


def faults(text: str) -> list[Fault]:
    found: list[Fault] = []
    for piece in read(io.BytesIO(text.encode()), "x"):
        found += piece.faults
        found += [fault for hand in piece.hands for fault in hand.faults] if isinstance(piece, Session) else []
    return found


def framed(name: str, example: str) -> str:
    """Return the example in the text it belongs to."""
    frame: str = EXAMPLES[name].get("in", "…")
    text = frame.replace("…", example)
    whole = name in ("file", "session", "opening") or frame.startswith("Comet session")
    return text if whole else f"Comet session x\nSeat 1: Ben 40\nHand 1\n{text}\n"


def examples(kind: str) -> list[Any]:
    return [pytest.param(name, text, id=f"{name}-{text!a}") for name, each in EXAMPLES.items() for text in each[kind]]


def test_each_production_has_examples() -> None:
    assert list(EXAMPLES) == sorted(RULES, key=list(EXAMPLES).index)
    assert all(each["taken"] and each["refused"] for each in EXAMPLES.values())


def test_each_symbol_is_defined_and_used() -> None:
    used = {symbol for node in RULES.values() for symbol in symbols_of(node) if symbol.isalpha()}
    assert used == set(RULES) - {"file"}


@pytest.mark.parametrize(("name", "text"), examples("taken"))
def test_the_parser_takes_what_the_grammar_takes(name: str, text: str) -> None:
    assert faults(framed(name, text)) == []
    plain = re.sub(r" #.*", "", framed(name, text))
    assert len(plain) in ends("file", plain, 0, True)


@pytest.mark.parametrize(("name", "text"), examples("refused"))
def test_the_parser_refuses_what_the_grammar_refuses(name: str, text: str) -> None:
    assert faults(framed(name, text)) != []


def test_the_grammar_is_written_in_the_english_words() -> None:
    words = vocabulary("en")
    terminals = {symbol[1:-1] for node in RULES.values() for symbol in symbols_of(node)}
    for group in (words.keywords, words.payments, words.rules):
        assert set(group.values()) <= terminals
    assert set(words.opening) <= terminals


@pytest.mark.parametrize("language", languages())
def test_a_vocabulary_has_every_word(language: str) -> None:
    words, english = vocabulary(language), vocabulary("en")
    assert words.keywords.keys() == english.keywords.keys()
    assert words.payments.keys() == english.payments.keys()
    assert words.rules.keys() == english.rules.keys()
    assert set(words.kinds.values()) == words.keywords.keys()
    assert set(words.payment_kinds.values()) == words.payments.keys()
    assert set(words.cards.values()) == set(range(52)) == {words.cards[card] for card in words.written}

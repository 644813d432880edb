"""Rewrites canonical text as people write: free spelling, spacing and order, folded lines, shorthand, comments.

What comes out says what went in, unless a name is left out in a faulty hand: the card then is its holder's.
"""

import random
import re
from typing import Final

from comet_hist.cards import CARDS, GAP, NAMES

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|->|[,:]|[^\s,:"]+')
_CARD: Final = re.compile(r"[A2-9TJQK][cdhs]")
_SIGNS: Final = {"c": "♣♧", "d": "♦♢", "h": "♥♡", "s": "♠♤"}
_REMARKS: Final = ["# who?", "#", "#1", "# Run: Ben As", '# "quoted', "# a # b", "#\tCafé ♣", "# 9d=8d -> pot"]


class Scribe:
    """Rewrites text with the help of chance.

    Attributes:
        comments: the comments that were written so far.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.comments: list[str] = []

    def rewrite(self, text: str) -> str:
        """Return canonical sessions rewritten."""
        lines: list[str] = []
        for block in text.strip("\n").split("\n\n"):
            lines += self._block(block.strip("\n").split("\n"))
        end = self.rng.choice(["\n", "\r\n"])
        whole = "".join(line.replace("\n", end) + end for line in lines)
        if self._at_times(0.1):
            whole = whole.removesuffix(end)
        return "\ufeff" * self._at_times(0.2) + whole

    def _at_times(self, share: float) -> bool:
        return self.rng.random() < share

    # Lines

    def _block(self, lines: list[str]) -> list[str]:
        """Return a header or a hand, with comments and blank lines between its lines."""
        opening, *rest = lines
        if self._at_times(0.3):
            rest = [self._with_more_names(line) for line in rest]
        if self._at_times(0.4):
            rest = [self._without_names(line) for line in rest]
        if self._at_times(0.5):
            rest = self._in_other_order(rest)
        written = []
        for line in (opening, *rest):
            written += [*self._between(), self._line(line)]
        return [*written, *self._between(), *[""] * self.rng.randrange(2)]

    def _in_other_order(self, lines: list[str]) -> list[str]:
        """Return lines shuffled, but for runs, which stay in their order, and `Winner`, which stays last."""
        kept = ("Run", "Winner")
        ordered = [line for line in lines if line.startswith("Run")]
        loose = [line for line in lines if not line.startswith(kept)]
        self.rng.shuffle(loose)
        for line in loose:
            ordered.insert(self.rng.choice([0, len(ordered), self.rng.randint(0, len(ordered))]), line)
        return ordered + [line for line in lines if line.startswith("Winner")]

    def _between(self) -> list[str]:
        """Return nothing, or a few blank lines and comments."""
        count = self.rng.choice([0, 0, 0, 0, 0, 1, 2, 3])
        return ["" if self._at_times(0.4) else self._space(0) + self._remark() for _ in range(count)]

    def _remark(self) -> str:
        comment = self.rng.choice(_REMARKS)
        self.comments.append(comment)
        return comment

    def _line(self, line: str) -> str:
        """Return a line in free spelling, with a comment behind it at times."""
        free = re.fullmatch(r"(Place|Void|Date|Time)(: ?.*)", line)
        text = self._case(free[1]) + self._space(0) + free[2] if free else self._respelt(line)
        return text + (self._space(1) + self._remark() if self._at_times(0.15) else self._space(0))

    def _respelt(self, line: str) -> str:
        tokens = _TOKEN.findall(line)
        text = self._case(tokens[0])
        for before, token, at in zip(tokens, tokens[1:], range(1, len(tokens)), strict=False):
            gap = self._space(0 if token in (",", ":", "->") or before in (",", ":", "->") else 1)
            if (_CARD.match(token) or token.isdigit()) and at > 2 and self._at_times(0.05):
                gap = self._fold()
            if line.startswith("Run") and "=" in token:
                token = self._stand_in(tokens[:at], token)
            elif line.startswith(("Run", "Deal", "Left")):
                token = "..".join(self._card(part) if _CARD.fullmatch(part) else part for part in token.split(".."))
            elif token == "->":
                token = self.rng.choice(["->", "→"])
            text += gap + token
        return text

    def _fold(self) -> str:
        """Return the end of a physical line and the beginning of one that goes on with it."""
        behind = self._space(1) + self._remark() if self._at_times(0.4) else ""
        between = self._space(0) + self._remark() + "\n" if self._at_times(0.3) else ""
        return f"{behind}\n{between}{self._space(1)}"

    # Words

    def _stand_in(self, before: list[str], token: str) -> str:
        """Return a card that stands for another; the Comet bare at times, where what it stands for follows."""
        laid = [CARDS[word.split("=")[-1][-2:]] for word in before if _CARD.match(word)]
        if token.startswith("9d=") and laid and laid[-1] % 13 != 12 and self._at_times(0.5):
            following = laid[-1] + (2 if laid[-1] == GAP else 1)
            if token == f"9d={NAMES[following]}":
                return self._card("9d")
        card, claimed = token.split("=")
        return self._card(card) + self.rng.choice(["=", " = ", "= "]) + self._card(claimed)

    def _card(self, name: str) -> str:
        rank, suit = name
        rank = self.rng.choice([rank, rank.lower()] if rank != "T" else ["T", "t", "10"])
        return rank + self.rng.choice([suit, suit.upper(), *_SIGNS[suit], _SIGNS[suit][0] + "\ufe0f"])

    def _case(self, word: str) -> str:
        return self.rng.choice([word, word, word.lower(), word.upper()])

    def _space(self, least: int) -> str:
        return "".join(self.rng.choice("   \t") for _ in range(self.rng.choice([least, least, least + 1])))

    # Names

    def _with_more_names(self, line: str) -> str:
        """Return a run with the name of who plays several cards in a row before more of them."""
        if not line.startswith("Run: "):
            return line
        return "Run: " + ", ".join(map(self._named_again, line.removeprefix("Run: ").split(", ")))

    def _named_again(self, group: str) -> str:
        name, first, *cards = _TOKEN.findall(group)
        if ".." in group:
            return group
        return f"{name} {first}" + "".join(f", {name} {card}" if self._at_times(0.3) else f" {card}" for card in cards)

    # Shorthand

    def _without_names(self, line: str) -> str:
        """Return a run with most names left out, and ranges where cards follow one another."""
        if not line.startswith("Run: "):
            return line
        return "Run: " + ", ".join(self._group(group) for group in line.removeprefix("Run: ").split(", "))

    def _group(self, group: str) -> str:
        name, *cards = _TOKEN.findall(group)
        if len(cards) > 1 and all(map(_CARD.fullmatch, cards)) and self._at_times(0.5):
            numbers = [CARDS[card] for card in cards]
            if numbers == list(range(numbers[0], numbers[-1] + 1)) and not numbers[0] <= GAP <= numbers[-1]:
                cards = [f"{cards[0]}..{cards[-1]}"]
        return " ".join(cards if self._at_times(0.8) else [name, *cards])


# Mishaps

_MORE: Final = (
    "Leaves: {0}", "Buy: {0} {2}, {1} {2}", "Seat 6: {0} {2}", "Seat 2: Zoe {2}", "Left {0}: 2c 9d Kh", "Left {0}:",
    "Void: torn", "Winner: {0}, {1}", "Time: 21:05", "Pay transfer: {0} {2}, {1} 0 -> {1}",
    "Pay cards: {0} {2}, {1} 0 -> {0}", "Pay comet: {0} 0, {1} {2} -> {1}", "Run: {0} 2c 8d, {1} 9d=8d",
    "Stacks: {0} -{2}, {1} 0", "Dealer: {1}",
    'Place: Bar "# 5"', "Place:#5", "Pay ante: {0} 0 -> pot",
)  # fmt: skip


def mishap(rng: random.Random, text: str) -> str:
    """Change a line of canonical text so that it can still be read, but may be wrong in any way."""
    lines = text.split("\n")
    names = [line.split(": ")[1].rsplit(" ", 1)[0] for line in lines if line.startswith("Seat")] + ["Zoe"]
    at = rng.choice([at for at, line in enumerate(lines) if line and not line.startswith(("Comet", "Date", "Rules"))])
    if rng.random() < 0.2:
        lines.insert(at + 1, rng.choice(_MORE).format(rng.choice(names), rng.choice(names), rng.randrange(9)))
    elif rng.random() < 0.15 and not lines[at].startswith("Hand"):
        del lines[at]
    else:
        tokens = list(_TOKEN.finditer(lines[at]))[1:]
        token = rng.choice(tokens)
        other = token[0]
        if token[0] in names:
            other = rng.choice(names)
        elif token[0].isdigit() and not lines[at].startswith("Seat"):
            other = rng.choice(["0", "1", "2", "3", "40"])
        elif _CARD.match(token[0]) and not lines[at].startswith("Pay"):
            other = rng.choice([rng.choice(NAMES), token[0] + " " + rng.choice(NAMES)])
        lines[at] = lines[at][: token.start()] + other + lines[at][token.end() :]
    return "\n".join(lines)

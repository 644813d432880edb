"""Plants one slip into a clean night and says where it must be found: the test-bed of “one slip, one finding”.

Two kinds of slips. *Scribe's* slips change the text of a hand that was played right. *Players'* slips happen at the
table: one illegal play, after which everybody plays on and pays by what happened.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from nights import Dealt, Night, deal

from comet_hist.cards import COMET, suit_of
from comet_hist.engine.table import Move, Table
from comet_hist.rules import Rules

PLAYERS = ["Anna", "Ben", "Cleo", "Dora", "Emil", "Fanny"]


@dataclass
class Planted:
    """A night with a slip: its text, and the code, line and column that must be found."""

    text: str
    code: str
    line: int
    column: int | None


class Sheet:
    """The text of a night as lines, with the lines of one hand picked out."""

    def __init__(self, text: str, hand: int) -> None:
        self.lines = text.split("\n")
        self.start = self.lines.index(f"Hand {hand}")
        rest = self.lines[self.start + 1 :]
        self.stop = self.start + 1 + next((at for at, line in enumerate(rest) if not line), len(rest))

    def find(self, keyword: str) -> list[int]:
        """Return the indices of the hand's lines that begin with a keyword."""
        return [at for at in range(self.start, self.stop) if self.lines[at].startswith(keyword)]

    def groups(self, at: int) -> list[list[str]]:
        """Return a run as groups of a name and its cards."""
        return [group.split() for group in self.lines[at].removeprefix("Run: ").split(", ")]

    def planted(self, code: str, at: int, token: str | None = None, nth: int = 0) -> Planted:
        """Return the night with the finding at a line (0-based), at the nth place where a token stands in it."""
        column = 1
        if token is not None:
            column = [
                found.start() + 1 for found in re.finditer(rf"(?<!\S){re.escape(token)}(?=[\s,]|$)", self.lines[at])
            ][nth]
        return Planted("\n".join(self.lines), code, at + 1, column)


def write_run(groups: list[list[str]]) -> str:
    """Write groups as a `Run` line; neighbours of one name are joined."""
    joined: list[list[str]] = []
    for name, *cards in groups:
        if joined and joined[-1][0] == name:
            joined[-1] += cards
        elif cards:
            joined.append([name, *cards])
    return "Run: " + ", ".join(" ".join(group) for group in joined)


# The scribe's slips: each takes a sheet and a source of chance, and returns None where the hand gives no occasion.

Slip = Callable[[Sheet, random.Random], Planted | None]


def flat(sheet: Sheet, at: int) -> list[tuple[str, str]]:
    """Return a run as pairs of name and card."""
    return [(name, card) for name, *cards in sheet.groups(at) for card in cards]


def put(sheet: Sheet, at: int, pairs: list[tuple[str, str]]) -> None:
    """Write a run back from pairs."""
    sheet.lines[at] = write_run([[name, card] for name, card in pairs])


def card_left_out(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice([run for run in sheet.find("Run") if len(flat(sheet, run)) > 2] or [0])
    if not at:
        return None
    pairs = flat(sheet, at)
    index = rng.randrange(1, len(pairs) - 1)
    missing, after = pairs[index][1], pairs[index + 1][1]
    if "=" in after or ("=" in missing and not sheet.find("Pay comet")):
        return None
    if f" {missing}" in sheet.lines[at].replace(f" {missing}", "", 1):
        return None
    put(sheet, at, pairs[:index] + pairs[index + 1 :])
    return sheet.planted("E405", at, after)


def last_card_left_out(sheet: Sheet, rng: random.Random) -> Planted | None:
    runs = sheet.find("Run")[:-1]
    fit = []
    for at in runs:
        pairs = flat(sheet, at)
        if len(pairs) > 1 and "=" not in pairs[-1][1]:
            fit.append(at)
    if not fit:
        return None
    at = rng.choice(fit)
    pairs = flat(sheet, at)[:-1]
    put(sheet, at, pairs)
    return sheet.planted("E406", at, pairs[-1][1])


def line_cut_in_two(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice([run for run in sheet.find("Run") if len(flat(sheet, run)) > 1] or [0])
    if not at:
        return None
    pairs = flat(sheet, at)
    index = rng.randrange(1, len(pairs))
    if "=" in pairs[index][1]:
        return None
    put(sheet, at, pairs[:index])
    sheet.lines.insert(at + 1, write_run([[name, card] for name, card in pairs[index:]]))
    return sheet.planted("E406", at, pairs[index - 1][1])


def first_card_left_out(sheet: Sheet, rng: random.Random) -> Planted | None:
    fit = [at for at in sheet.find("Run") if len(flat(sheet, at)) > 1]
    fit = [at for at in fit if "9d" not in flat(sheet, at)[0][1] + flat(sheet, at)[1][1]]
    if not fit:
        return None
    at = rng.choice(fit)
    (opener, _), (name, card), *_ = pairs = flat(sheet, at)
    put(sheet, at, pairs[1:])
    if opener != name:
        return sheet.planted("E401", at, name)
    return sheet.planted("E402", at, card)


def lines_joined(sheet: Sheet, rng: random.Random) -> Planted | None:
    runs = sheet.find("Run")
    fit = [at for at in runs[:-1] if at + 1 in runs and re.search(r"K[cdhs]$", sheet.lines[at])]
    fit = [at for at in fit if "=" not in sheet.lines[at].rsplit(" ", 1)[1]]
    if not fit:
        return None
    at = rng.choice(fit)
    opening = flat(sheet, at + 1)[0][1]
    sheet.lines[at] += ", " + sheet.lines.pop(at + 1).removeprefix("Run: ")
    return sheet.planted("E407", at, opening)


def name_mixed_up(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice(sheet.find("Run"))
    groups = sheet.groups(at)
    index = rng.randrange(len(groups))
    names = {line.split()[1].rstrip(":") for line in sheet.lines if line.startswith("Deal ")}
    near = {groups[i][0] for i in (index - 1, index, index + 1) if 0 <= i < len(groups)}
    if not names - near:
        return None
    groups[index][0] = rng.choice(sorted(names - near))
    sheet.lines[at] = write_run(groups)
    return sheet.planted("E403", at, groups[index][1])


def unknown_name(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice(sheet.find("Run"))
    groups = sheet.groups(at)
    groups[rng.randrange(len(groups))][0] = "Zoe"
    sheet.lines[at] = write_run(groups)
    return sheet.planted("E201", at, "Zoe")


def card_twice(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice(sheet.find("Run"))
    pairs = [pair for pair in flat(sheet, at) if "=" not in pair[1] and pair[1] != "9d"]
    if not pairs:
        return None
    card = rng.choice(pairs)[1]
    sheet.lines[at] = re.sub(rf"(?<= ){card}(?=[ ,]|$)", f"{card} {card}", sheet.lines[at], count=1)
    return sheet.planted("E404", at, card, 1)


def other_card_stands(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice(sheet.find("Run"))
    pairs = flat(sheet, at)
    index = rng.randrange(len(pairs))
    name, card = pairs[index]
    if "9d" in card:
        return None
    pairs[index] = (name, f"{card}=4h")
    put(sheet, at, pairs)
    return sheet.planted("E409", at, f"{card}=4h")


def play_after_the_end(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = sheet.find("Run")[-1]
    pairs = flat(sheet, at)
    dealt = {
        card: line.split(":")[0].split()[1]
        for line in sheet.lines[sheet.start : sheet.stop]
        if line.startswith("Deal ")
        for card in line.split(": ")[1].split()
    }
    laid = {card.split("=")[0] for run in sheet.find("Run") for _, card in flat(sheet, run)}
    rest = sorted(set(dealt) - laid)
    if not rest:
        return None
    card = rng.choice(rest)
    put(sheet, at, [*pairs, (dealt[card], card)])
    return sheet.planted("E412", at, card)


def gap_card_dealt(sheet: Sheet, rng: random.Random) -> Planted | None:
    return _replaced_in_deal(sheet, rng, "E301", lambda cards: "8d", -1)


def dealt_twice(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice(sheet.find("Deal ")[1:])
    other = sheet.lines[sheet.find("Deal ")[0]].split(": ")[1].split()
    token = rng.choice(other)
    head, cards = sheet.lines[at].split(": ")
    swapped = cards.split()
    unplayed = [i for i, card in enumerate(swapped) if card != "9d" and not _played(sheet, card)]
    index = rng.choice(unplayed or [i for i, card in enumerate(swapped) if card != "9d"])
    swapped[index] = token
    sheet.lines[at] = f"{head}: {' '.join(swapped)}"
    return sheet.planted("E302", at, token)


def _played(sheet: Sheet, card: str) -> bool:
    return any(card == token.split("=")[0] for run in sheet.find("Run") for _, token in flat(sheet, run))


def _replaced_in_deal(
    sheet: Sheet, rng: random.Random, code: str, token: Callable[[list[str]], str], nth: int
) -> Planted | None:
    at = rng.choice(sheet.find("Deal "))
    head, cards = sheet.lines[at].split(": ")
    swapped = cards.split()
    new = token(swapped)
    swapped[rng.randrange(len(swapped))] = new
    sheet.lines[at] = f"{head}: {' '.join(swapped)}"
    return sheet.planted(code, at, new, nth)


def card_missing(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice(sheet.find("Deal "))
    head, cards = sheet.lines[at].split(": ")
    kept = cards.split()
    kept.pop(rng.randrange(len(kept)))
    sheet.lines[at] = f"{head}: {' '.join(kept)}"
    return sheet.planted("E303", sheet.find("Deal ")[0])


def card_in_other_hand(sheet: Sheet, rng: random.Random) -> Planted | None:
    source, target = rng.sample(sheet.find("Deal "), 2)
    head, cards = sheet.lines[source].split(": ")
    kept = cards.split()
    played = [card for card in kept if _played(sheet, card)]
    if not played:
        return None
    moved = rng.choice(played)
    kept.remove(moved)
    sheet.lines[source] = f"{head}: {' '.join(kept)}"
    sheet.lines[target] += f" {moved}"
    return sheet.planted("E304", min(source, target))


def wrong_dealer(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = sheet.find("Dealer")[0]
    right = sheet.lines[at].split()[1]
    names = sorted({line.split()[1].rstrip(":") for line in sheet.lines if line.startswith("Deal ")} - {right})
    sheet.lines[at] = f"Dealer: {rng.choice(names)}"
    return sheet.planted("E305", at) if sheet.lines[sheet.start] != "Hand 1" else None


def _amount(sheet: Sheet, rng: random.Random, change: int, code: str) -> Planted | None:
    lines = [at for at in sheet.find("Pay ") if not sheet.lines[at].startswith("Pay pot")]
    at = rng.choice(lines)
    shares = [share for share in re.finditer(r"\d+", sheet.lines[at]) if int(share[0]) + change > 0]
    if not shares:
        return None
    share = rng.choice(shares)
    line = sheet.lines[at]
    sheet.lines[at] = line[: share.start()] + str(int(share[0]) + change) + line[share.end() :]
    return Planted("\n".join(sheet.lines), code, at + 1, share.start() + 1)


def paid_too_little(sheet: Sheet, rng: random.Random) -> Planted | None:
    return _amount(sheet, rng, -1, "E502")


def paid_too_much(sheet: Sheet, rng: random.Random) -> Planted | None:
    return _amount(sheet, rng, 3, "E503")


def not_paid(sheet: Sheet, rng: random.Random) -> Planted | None:
    del sheet.lines[rng.choice(sheet.find("Pay "))]
    return sheet.planted("E501", sheet.start)


def paid_to_another(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = rng.choice([at for at in sheet.find("Pay ") if "-> pot" not in sheet.lines[at]])
    names = sorted({line.split()[1].rstrip(":") for line in sheet.lines if line.startswith("Deal ")})
    head, payee = sheet.lines[at].split(" -> ")
    sheet.lines[at] = f"{head} -> {rng.choice([name for name in names if name != payee])}"
    return Planted("\n".join(sheet.lines), "E504", at + 1, len(head) + 5)


def pot_wrong(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = sheet.find("Pay pot")[0]
    sheet.lines[at] = re.sub(r"\d+", lambda found: str(int(found[0]) + rng.choice([-1, 1, 5])), sheet.lines[at])
    return Planted("\n".join(sheet.lines), "E506", at + 1, 10)


def stack_wrong(sheet: Sheet, rng: random.Random) -> Planted | None:
    at = sheet.find("Stacks")[0]
    names = re.findall(r"(\w+) (-?\d+)", sheet.lines[at])
    name, count = rng.choice(names)
    sheet.lines[at] = sheet.lines[at].replace(f"{name} {count}", f"{name} {int(count) + rng.choice([-10, 1, 9])}")
    return sheet.planted("E507", at, name)


SCRIBES: dict[str, Slip] = {
    slip.__name__: slip
    for slip in (
        card_left_out, first_card_left_out, last_card_left_out, line_cut_in_two, lines_joined,
        name_mixed_up, unknown_name, card_twice, other_card_stands, play_after_the_end, gap_card_dealt,
        dealt_twice, card_missing, card_in_other_hand, wrong_dealer, paid_too_little, paid_too_much,
        not_paid, paid_to_another, pot_wrong, stack_wrong,
    )
}  # fmt: skip


def scribes_slip(kind: str, seed: int, players: int, items: str, rules: Rules) -> Planted | None:
    """Plant a scribe's slip of a kind into the second of three hands; None where that hand gives no occasion."""
    night = Night(seed, PLAYERS[:players], rules, items)
    return SCRIBES[kind](Sheet(night.text(3), 2), random.Random(seed))


# Players' slips


def _wrong_moves(table: Table, kind: str) -> list[Move]:
    """Return the plays that are wrong in exactly one way."""
    players = range(len(table.hands))
    held = [(player, card) for player in players for card in range(52) if table.hands[player] >> card & 1]
    if kind == "E408" and table.need and table.holder(COMET) >= 0:
        return [Move(table.holder(COMET), COMET, card, False) for card in range(52) if not table.need >> card & 1]
    if kind == "E410" and table.stopped() and table.laid and table.holder(COMET) >= 0:
        moves = [Move(table.holder(COMET), COMET, card, True) for card in range(52)]
        return [move for move in moves if table.openers >> move.player & 1 and not table.need >> move.stands_for & 1]
    if kind == "E411" and table.need and table.holder(COMET) >= 0:
        moves = [Move(table.holder(COMET), COMET, card, False) for card in range(52) if table.need >> card & 1]
        return [move for move in moves if table.objection(*move) == kind]
    if (kind in ("E401", "E402")) != table.stopped() and kind != "E411":
        return []
    found = []
    for player, card in held:
        for opening in (True, False):
            if (opening and not table.stopped()) or table.objection(player, card, None, opening) != kind:
                continue
            wrong_lead = opening and not table.leads(player) >> card & 1
            if kind != "E401" or not wrong_lead:
                found.append(Move(player, card, None, opening))
    return found


def players_slip(kind: str, seed: int, players: int, items: str, rules: Rules) -> Planted | None:
    """Let one player make one illegal play of a kind (`PLAYERS_KINDS`) in the second hand."""
    rng = random.Random(seed)
    table = Table(rules, deal(rng, players))
    hands = list(table.hands)
    slip_at = rng.randrange(3, 25)
    moves: list[Move] = []
    slipped = None
    while table.winner is None:
        legal = list(table.legal())
        wrong: list[Move] = []
        if slipped is None and len(moves) >= slip_at:
            wrong = _early_stops(table) if kind == "E406" else _wrong_moves(table, kind)
        plain = [move for move in legal if move.card != COMET]
        move = rng.choice(wrong or (plain if plain and rng.random() < 0.6 else legal))
        if wrong:
            slipped = len(moves)
        table.lay(*move)
        moves.append(move)
    if slipped is None or slipped == len(moves) - 1:
        return None
    return _night_with(seed, players, items, rules, Dealt(hands, moves, table.hands, table.winner), kind, slipped)


def _early_stops(table: Table) -> list[Move]:
    """Return openings by who may open, though the run need not stop."""
    if table.stopped():
        return []
    player = table.openers.bit_length() - 1
    return [
        Move(player, card, None, True)
        for card in range(52)
        if table.leads(player) >> card & 1 and not table.need >> card & 1 and suit_of(card) != table.suit
    ]


def _night_with(seed: int, players: int, items: str, rules: Rules, dealt: Dealt, kind: str, slipped: int) -> Planted:
    """Put a hand into a night of three as its second, and find the place of the slip."""

    class WithSlip(Night):
        def played(self, number: int, rng: random.Random, players: int) -> Dealt:
            fair = super().played(number, rng, players)
            return dealt if number == 2 else fair

    night = WithSlip(seed, PLAYERS[:players], rules, items)
    sheet = Sheet(night.text(3), 2)
    count = 0
    at_move = slipped - 1 if kind == "E406" else slipped
    for at in sheet.find("Run"):
        for name, card in flat(sheet, at):
            if count == at_move:
                return sheet.planted(kind, at, name if kind == "E401" else card)
            count += 1
    raise AssertionError("the slip stands in no run")


PLAYERS_KINDS = ("E401", "E402", "E405", "E406", "E408", "E410", "E411")

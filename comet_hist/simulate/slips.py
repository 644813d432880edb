"""The scribe's slips in a hand: each changes lines that were right, and says which finding must answer it."""

import re
from collections.abc import Mapping
from typing import Final

from comet_hist.simulate.chance import Chance
from comet_hist.simulate.sheet import Planter, Sheet, Slip

# The play


def _tellable(sheet: Sheet) -> list[int]:
    """Return the runs in which the payment for cards left tells whether a card was left out, or not played."""
    return sheet.find("Run:") if sheet.find("Pay cards") else []


def card_left_out(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave a card out of the middle of a run."""
    fit = [
        (at, index)
        for at in _tellable(sheet)
        for index, (_, card) in enumerate(sheet.pairs(at)[1:-1], 1)
        if "=" not in sheet.pairs(at)[index + 1][1] and ("=" not in card or sheet.find("Pay comet"))
    ]
    if not fit:
        return None
    at, index = chance.choice(fit)
    pairs = sheet.pairs(at)
    sheet.put(at, pairs[:index] + pairs[index + 1 :])
    return sheet.slip("E405", at, pairs[index + 1][1])


def last_card_left_out(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave out the last card of a run that is not the last."""
    fit = [at for at in _tellable(sheet)[:-1] if len(sheet.pairs(at)) > 1 and "=" not in sheet.pairs(at)[-1][1]]
    if not fit:
        return None
    at = chance.choice(fit)
    pairs = sheet.pairs(at)[:-1]
    sheet.put(at, pairs)
    return sheet.slip("E406", at, pairs[-1][1])


def line_cut_in_two(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write one run as two."""
    fit = [
        (at, index)
        for at in sheet.find("Run:")
        for index, (_, card) in enumerate(sheet.pairs(at))
        if index and "=" not in card
    ]
    if not fit:
        return None
    at, index = chance.choice(fit)
    pairs = sheet.pairs(at)
    sheet.put(at, pairs[:index])
    sheet.lines.insert(at + 1, "")
    sheet.put(at + 1, pairs[index:])
    return sheet.slip("E406", at, pairs[index - 1][1])


def first_card_left_out(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave out the card that opens a run."""
    fit = [at for at in _tellable(sheet) if len(sheet.pairs(at)) > 1]
    fit = [at for at in fit if "9d" not in sheet.pairs(at)[0][1] + sheet.pairs(at)[1][1]]
    if not fit:
        return None
    at = chance.choice(fit)
    (opener, _), (name, card), *_ = pairs = sheet.pairs(at)
    sheet.put(at, pairs[1:])
    return sheet.slip("E401", at, name) if opener != name else sheet.slip("E402", at, card)


def lines_joined(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a run that ends with a king and the next one as one."""
    runs = sheet.find("Run:")
    fit = [at for at in runs[:-1] if at + 1 in runs and re.search(r" K[cdhs]$", sheet.lines[at])]
    if not fit:
        return None
    at = chance.choice(fit)
    pairs = sheet.pairs(at + 1)
    sheet.put(at, sheet.pairs(at) + pairs)
    del sheet.lines[at + 1]
    return sheet.slip("E407", at, pairs[0][1])


def name_mixed_up(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write another player's name before cards of a run."""
    at = chance.choice(sheet.find("Run:"))
    groups = sheet.groups(at)
    index = chance.below(len(groups))
    near = {groups[i].name for i in (index - 1, index, index + 1) if 0 <= i < len(groups)}
    others = [name for name in sheet.names if name not in near]
    if not others:
        return None
    groups[index] = groups[index]._replace(name=chance.choice(others))
    sheet.put(at, [(group.name, card) for group in groups for card in group.cards])
    return sheet.slip("E403", at, groups[index].cards[0])


def unknown_name(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a name that nobody bears before cards of a run."""
    at = chance.choice(sheet.find("Run:"))
    groups = sheet.groups(at)
    index = chance.below(len(groups))
    groups[index] = groups[index]._replace(name="Nobody")
    if "Nobody" in sheet.names:
        return None
    sheet.put(at, [(group.name, card) for group in groups for card in group.cards])
    return sheet.slip("E201", at, "Nobody")


def _card_of_a_run(sheet: Sheet, chance: Chance) -> tuple[int, list[tuple[str, str]], int] | None:
    """Choose a card that is not the Comet: return its line, the plays there, and which of them it is."""
    at = chance.choice(sheet.find("Run:"))
    pairs = sheet.pairs(at)
    fit = [index for index, (_, card) in enumerate(pairs) if not card.startswith("9d")]
    return (at, pairs, chance.choice(fit)) if fit else None


def card_twice(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a card of a run twice."""
    found = _card_of_a_run(sheet, chance)
    if found is None:
        return None
    at, pairs, index = found
    sheet.put(at, [*pairs[: index + 1], *pairs[index:]])
    return sheet.slip("E404", at, pairs[index][1], 1)


def other_card_stands(sheet: Sheet, chance: Chance) -> Slip | None:
    """Let a card that is not the Comet stand for another."""
    found = _card_of_a_run(sheet, chance)
    if found is None:
        return None
    at, pairs, index = found
    name, card = pairs[index]
    pairs[index] = (name, f"{card}=4h")
    sheet.put(at, pairs)
    return sheet.slip("E409", at, f"{card}=4h")


def play_after_the_end(sheet: Sheet, chance: Chance) -> Slip | None:
    """Let somebody play on after the hand was over."""
    at = sheet.find("Run:")[-1]
    played = sheet.played()
    rest = [
        (head.removeprefix("Deal "), card)
        for head, cards in map(sheet.cards, sheet.find("Deal "))
        for card in cards
        if card not in played
    ]
    name, card = chance.choice(rest)
    sheet.put(at, [*sheet.pairs(at), (name, card)])
    return sheet.slip("E412", at, card)


# The deal


def gap_card_dealt(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write 8♦ in place of a card dealt."""
    at = chance.choice(sheet.find("Deal "))
    head, cards = sheet.cards(at)
    cards[chance.below(len(cards))] = "8d"
    sheet.put_cards(at, head, cards)
    return sheet.slip("E301", at, "8d")


def dealt_twice(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write another player's card in place of one."""
    first, *later = sheet.find("Deal ")
    at = chance.choice(later)
    token = chance.choice(sheet.cards(first)[1])
    head, cards = sheet.cards(at)
    played = sheet.played()
    fit = [index for index, card in enumerate(cards) if card != "9d"]
    index = chance.choice([index for index in fit if cards[index] not in played] or fit)
    cards[index] = token
    sheet.put_cards(at, head, cards)
    return sheet.slip("E302", at, token)


def card_missing(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave a card out of the deal."""
    at = chance.choice(sheet.find("Deal "))
    head, cards = sheet.cards(at)
    cards.pop(chance.below(len(cards)))
    sheet.put_cards(at, head, cards)
    return sheet.slip("E303", sheet.find("Deal ")[0])


def card_in_other_hand(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a card that was played among another player's."""
    deals = sheet.find("Deal ")
    source = chance.choice(deals)
    target = chance.choice([at for at in deals if at != source])
    head, cards = sheet.cards(source)
    played = sheet.played()
    fit = [card for card in cards if card in played]
    if not fit:
        return None
    moved = chance.choice(fit)
    sheet.put_cards(source, head, [card for card in cards if card != moved])
    sheet.lines[target] += f" {moved}"
    return sheet.slip("E304", min(source, target))


def wrong_dealer(sheet: Sheet, chance: Chance) -> Slip | None:
    """Name another dealer, in a hand that is not the first."""
    (at,) = sheet.find("Dealer:")
    right = sheet.lines[at].removeprefix("Dealer: ")
    if sheet.lines[0] == "Hand 1":
        return None
    sheet.lines[at] = f"Dealer: {chance.choice([name for name in sheet.names if name != right])}"
    return sheet.slip("E305", at)


def dealer_not_named(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave out the dealer of the first hand."""
    if sheet.lines[0] != "Hand 1":
        return None
    del sheet.lines[sheet.find("Dealer:")[0]]
    return sheet.slip("E204", 0)


def deal_not_recorded(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave out the deal, where two players or more still hold cards at the end, so that nobody can work it out."""
    if len(sheet.names) < 3:
        return None
    sheet.lines[:] = [line for line in sheet.lines if not line.startswith("Deal ")]
    return sheet.slip("W208", 0)


def left_contradicts(sheet: Sheet, chance: Chance) -> Slip | None:
    """Say that a player was left with a card that they played."""
    played = sheet.played()
    fit = [at for at in sheet.find("Deal ") if any(card in played for card in sheet.cards(at)[1])]
    at = chance.choice(fit)
    head, cards = sheet.cards(at)
    left = [card for card in cards if card not in played]
    left.append(chance.choice([card for card in cards if card in played]))
    run = sheet.find("Run:")[-1]
    behind = run + 1 + sheet.lines[run + 1].startswith("Pay comet") if run + 1 < len(sheet.lines) else run + 1
    sheet.lines.insert(behind, "")
    sheet.put_cards(behind, head.replace("Deal ", "Left ", 1), sorted(left, key=cards.index))
    return sheet.slip("E209", behind)


# The record


def hand_unfinished(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave out all that comes from the last run on."""
    runs = sheet.find("Run:")
    if len(runs) < 2:
        return None
    del sheet.lines[runs[-1] :]
    return sheet.slip("E207", runs[-2])


def hand_number_again(sheet: Sheet, chance: Chance) -> Slip | None:
    """Give a hand the number of the one before it."""
    number = int(sheet.lines[0].removeprefix("Hand "))
    if number == 1:
        return None
    sheet.lines[0] = f"Hand {number - 1}"
    return sheet.slip("E205", 0)


# The text


def keyword_misspelt(sheet: Sheet, chance: Chance) -> Slip | None:
    """Misspell the keyword of a run."""
    at = chance.choice(sheet.find("Run:"))
    sheet.lines[at] = sheet.lines[at].replace("Run:", "Ruun:", 1)
    return sheet.slip("E101", at)


def byte_not_utf8(sheet: Sheet, chance: Chance) -> Slip | None:
    """Put a byte that is not UTF-8 behind the dealer's name."""
    (at,) = sheet.find("Dealer:")
    sheet.lines[at] += "\udce9"
    return Slip("E102", at, len(sheet.lines[at]))


def no_card(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a card that there is not among those dealt."""
    at = chance.choice(sheet.find("Deal "))
    head, cards = sheet.cards(at)
    index = chance.below(len(cards))
    cards[index] = "1" + cards[index][1]
    sheet.put_cards(at, head, cards)
    return sheet.slip("E103", at, cards[index])


def no_amount(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write half a chip in the stacks."""
    (at,) = sheet.find("Stacks:")
    share = chance.choice(sheet.shares(at))
    end = share.amount_at + len(str(share.amount))
    sheet.lines[at] = f"{sheet.lines[at][:end]}.5{sheet.lines[at][end:]}"
    return Slip("E104", at, share.amount_at + 1)


def quote_open(sheet: Sheet, chance: Chance) -> Slip | None:
    """Open a quote before the dealer's name and leave it open."""
    (at,) = sheet.find("Dealer:")
    name = sheet.lines[at].removeprefix("Dealer: ")
    if name.startswith('"'):
        return None
    sheet.lines[at] = f'Dealer: "{name}'
    return Slip("E105", at, len("Dealer: ") + 1)


def line_twice(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a line of the deal twice."""
    at = chance.choice(sheet.find("Deal "))
    sheet.lines.insert(at, sheet.lines[at])
    return sheet.slip("E107", at + 1)


def name_left_out(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave out the deal, and the first name of a run."""
    sheet.lines[:] = [line for line in sheet.lines if not line.startswith("Deal ")]
    at = chance.choice(sheet.find("Run:"))
    (name, cards), *_ = sheet.groups(at)
    sheet.lines[at] = sheet.lines[at].replace(f" {name}", "", 1)
    return sheet.slip("E110", at, cards[0])


# The payments


def _owing(sheet: Sheet) -> list[int]:
    return [at for at in sheet.find("Pay ") if not sheet.lines[at].startswith("Pay pot")]


def _could_pay(sheet: Sheet, name: str, chips: int) -> bool:
    """Say whether a player had so many chips beyond what they paid and were paid, lest W508 be found too."""
    (at,) = sheet.find("Stacks:")
    stack = next(share.amount for share in sheet.shares(at) if share.name == name)
    for line in sheet.find("Pay "):
        if sheet.lines[line].endswith(f" -> {name}"):
            pot = sheet.lines[line].removeprefix("Pay pot: ").split(" ", 1)[0]
            stack -= int(pot) if pot.isdigit() else sum(share.amount for share in sheet.shares(line))
    return stack >= chips


def _missed_by_nobody(sheet: Sheet, lines: list[int]) -> list[int]:
    """Return the payments without which the payee could pay too."""
    payees = {at: sheet.lines[at].rsplit(" -> ", 1)[1] for at in lines}
    return [at for at, payee in payees.items() if payee == "pot" or _could_pay(sheet, payee, 0)]


def _paid_wrong(sheet: Sheet, chance: Chance, change: int, code: str) -> Slip | None:
    fit = [(at, share) for at in _owing(sheet) for share in sheet.shares(at)]
    fit = [(at, share) for at, share in fit if share.amount + change > 0 and _could_pay(sheet, share.name, change)]
    if not fit:
        return None
    at, share = chance.choice(fit)
    sheet.put_amount(at, share, share.amount + change)
    return Slip(code, at, share.amount_at + 1)


def paid_too_little(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write an amount one chip too small."""
    return _paid_wrong(sheet, chance, -1, "E502")


def paid_too_much(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write an amount three chips too large."""
    return _paid_wrong(sheet, chance, 3, "E503")


def not_paid(sheet: Sheet, chance: Chance) -> Slip | None:
    """Leave out one of several lines of payment."""
    lines = sheet.find("Pay ")
    fit = _missed_by_nobody(sheet, lines) if len(lines) > 1 else []
    if not fit:
        return None
    del sheet.lines[chance.choice(fit)]
    return sheet.slip("E501", 0)


def paid_to_another(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a payment to another player."""
    fit = _missed_by_nobody(sheet, [at for at in sheet.find("Pay ") if not sheet.lines[at].endswith("-> pot")])
    if not fit:
        return None
    at = chance.choice(fit)
    head, payee = sheet.lines[at].rsplit(" -> ", 1)
    sheet.lines[at] = f"{head} -> {chance.choice([name for name in sheet.names if name != payee])}"
    return Slip("E504", at, len(head) + 5)


def paid_to_oneself(sheet: Sheet, chance: Chance) -> Slip | None:
    """Let whoever went out pay for cards too."""
    for at in sheet.find("Pay cards"):
        payee = sheet.lines[at].rsplit(" -> ", 1)[1]
        if not _could_pay(sheet, payee, 2):
            return None
        sheet.lines[at] = sheet.lines[at].replace("Pay cards: ", f"Pay cards: {payee} 2, ", 1)
        return Slip("E505", at, len("Pay cards: ") + 1)
    return None


def pot_wrong(sheet: Sheet, chance: Chance) -> Slip | None:
    """Give out another pot than was paid in."""
    for at in sheet.find("Pay pot"):
        pot, _ = sheet.lines[at].removeprefix("Pay pot: ").split(" ", 1)
        sheet.lines[at] = sheet.lines[at].replace(pot, str(int(pot) + chance.choice([-1, 1, 5])), 1)
        return Slip("E506", at, len("Pay pot: ") + 1)
    return None


def stack_wrong(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write another stack than a player has."""
    (at,) = sheet.find("Stacks:")
    share = chance.choice(sheet.shares(at))
    sheet.put_amount(at, share, share.amount + chance.choice([-10, 1, 9]))
    return Slip("E507", at, share.at + 1)


def went_below_zero(sheet: Sheet, before: Mapping[str, int]) -> list[Slip]:
    """Return a W508 for each player whom a payment takes below zero, at the first that does (R15).

    Args:
        sheet: the hand.
        before: for each player, as they are written, the chips before it.
    """
    chips = dict(before)
    slips: dict[str, Slip] = {}
    for at in _owing(sheet):
        payee = sheet.lines[at].rsplit(" -> ", 1)[1]
        for share in sheet.shares(at):
            chips[share.name] -= share.amount
            if payee in chips:
                chips[payee] += share.amount
            if chips[share.name] < 0:
                slips.setdefault(share.name, Slip("W508", at, share.amount_at + 1))
    return list(slips.values())


PLAY: Final[tuple[Planter, ...]] = (
    card_left_out, first_card_left_out, last_card_left_out, line_cut_in_two, lines_joined, name_mixed_up, unknown_name,
    card_twice, other_card_stands, play_after_the_end, gap_card_dealt, dealt_twice, card_missing, card_in_other_hand,
    wrong_dealer, dealer_not_named, left_contradicts, hand_number_again, line_twice,
)  # fmt: skip
"""Slips after which the hand is replayed, and all chips are known."""

PAYMENTS: Final[tuple[Planter, ...]] = (
    paid_too_little, paid_too_much, not_paid, paid_to_another, paid_to_oneself, pot_wrong, stack_wrong,
)  # fmt: skip
"""Slips that are found only where the chips and the Comet payment before the hand are known."""

LOST: Final[tuple[Planter, ...]] = (
    keyword_misspelt, byte_not_utf8, no_card, no_amount, quote_open, name_left_out, hand_unfinished, deal_not_recorded,
)  # fmt: skip
"""Slips that cost the hand, so that chips and Comet payment are taken as recorded after it."""

"""The scribe's slips in the lines of a session, above its first hand and below its last."""

import re
from typing import Final

from comet_hist.simulate.chance import Chance
from comet_hist.simulate.sheet import Planter, Sheet, Slip

_HANDS: Final = re.compile(r"\bhands (\d+)")


def date_wrong(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write the date the other way round."""
    (at,) = sheet.find("Date:")
    year, month, day = sheet.lines[at].removeprefix("Date: ").split("-")
    sheet.lines[at] = f"Date: {day}.{month}.{year}"
    return Slip("E109", at, len("Date: ") + 1)


def line_above_the_hands(sheet: Sheet, chance: Chance) -> Slip | None:
    """Write a line of a hand above the first."""
    sheet.lines.append(f"Dealer: {chance.choice(sheet.names)}")
    return sheet.slip("E106", len(sheet.lines) - 1)


def seat_taken(sheet: Sheet, chance: Chance) -> Slip | None:
    """Give a player the seat of the one before them."""
    first, *later = sheet.find("Seat ")
    at = chance.choice(later)
    sheet.lines[at] = sheet.lines[at].replace(f"Seat {at - first + 1}", f"Seat {at - first}", 1)
    return Slip("E202", at, len("Seat ") + 1)


def rule_misspelt(sheet: Sheet, chance: Chance) -> Slip | None:
    """Misspell the ante among the rules."""
    (at,) = sheet.find("Rules:")
    column = sheet.lines[at].index("ante ") + 1
    sheet.lines[at] = sheet.lines[at].replace("ante ", "anti ", 1)
    return Slip("E108", at, column)


def game_for_others(sheet: Sheet, chance: Chance) -> Slip | None:
    """Agree on a game that is not for so many players."""
    (at,) = sheet.find("Rules:")
    if len(sheet.names) == 2:
        return None
    sheet.lines[at] += ", deux"
    return sheet.slip("E203", 0)


def agreed_otherwise(sheet: Sheet, chance: Chance) -> Slip | None:
    """Agree on one hand more than will be played; the finding points at the last hand, not at a line here."""
    (at,) = sheet.find("Rules:")
    sheet.lines[at] = _HANDS.sub(lambda found: f"hands {int(found[1]) + 1}", sheet.lines[at])
    return sheet.slip("W602", at)


def winner_wrong(sheet: Sheet, chance: Chance) -> Slip | None:
    """Let somebody else have won the session."""
    losers = [name for name in sheet.names if name not in sheet.lines[0].removeprefix("Winner: ").split(", ")]
    if not losers:
        return None
    sheet.lines[0] = f"Winner: {chance.choice(losers)}"
    return Slip("E601", 0, len("Winner: ") + 1)


ABOVE: Final[tuple[Planter, ...]] = (date_wrong, line_above_the_hands, seat_taken, agreed_otherwise)
"""Slips of the header that cost no hand."""

SILENCING: Final[tuple[Planter, ...]] = (rule_misspelt, game_for_others)
"""Slips of the header after which no hand of the session is replayed."""

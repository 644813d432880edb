"""What a table agreed on, in words."""

from typing import Final

from comet_hist.findings import some
from comet_hist.rules import Rules

_HOUSE: Final = {
    ("gap", "stop"): "a run ends where the Comet stood for 8♦",
    ("led", "free"): "the Comet led as 9♦ is not paid",
    ("keep", "yes"): "9♦ may be kept when it is the lowest diamond",
    ("standin", "stalled"): "the Comet stands only for a card that nobody holds",
    ("standin", "gap"): "the Comet stands only for 8♦",
    ("first", "hand"): "the first lead is of the hand's lowest rank",
    ("suit", "change"): "a new run changes the suit",
}
"""The house rules that are not the ordinary ones."""


def rules_in_words(rules: Rules) -> str:
    """Return what is played by.

    >>> rules_in_words(Rules(progressive=True, cap=8))
    'ante 1, Comet 1, each card left 1; the Comet payment doubles while nobody plays it, up to 8'
    """
    game = "" if rules.game == "classic" else f"{rules.game}: "
    parts = [f"{game}ante {rules.ante}, Comet {rules.comet}, each card left {rules.card}"]
    if rules.progressive:
        cap = "" if rules.cap is None else f", up to {rules.cap}"
        parts.append(f"the Comet payment doubles while nobody plays it{cap}")
    if rules.hands is not None:
        parts.append(f"{some(rules.hands, 'hand')} agreed")
    if rules.chip is not None:
        parts.append(f"a chip is worth {rules.chip}")
    parts += [words for (field, choice), words in _HOUSE.items() if getattr(rules, field) == choice]
    return "; ".join(parts)

"""The scribe's shorthand: who played the cards for which a run gives no name."""

from collections.abc import Iterable

from comet_hist.cards import GAP, PACK, SIGNED, cards_in, mask_of
from comet_hist.notation.values import NAMELESS
from comet_hist.record import Fault, Hand, Line, Name, Run, Span


def name_plays(hand: Hand, seated: Iterable[str]) -> tuple[list[Fault], list[Line]]:
    """Give the nameless plays of a hand to the holders of their cards, by its `Deal` lines.

    Runs in which a card cannot be given to anybody are taken out of the hand.

    Args:
        hand: the hand, all its lines read; its runs are replaced.
        seated: the names of everybody at the table.

    Returns:
        A fault for each run with such a card (E110), pointing at the first one, and those lines.
    """
    holders, known = _holders(hand, list(seated))
    faults: list[Fault] = []
    unread: list[Line] = []
    runs: list[Run] = []
    for run in hand.runs:
        plays = []
        for play in run.plays:
            if play.name.text == NAMELESS:
                holder = holders.get(play.card)
                if holder is None:
                    faults.append(_nobody(run, play.at, play.end, play.card, known))
                    unread.append(run.line)
                    break
                play = play._replace(name=Name(holder, run.line, play.at, play.end))
            plays.append(play)
        else:
            runs.append(Run(run.line, tuple(plays)))
    hand.runs = runs
    return faults, unread


def _holders(hand: Hand, seated: list[str]) -> tuple[dict[int, str], bool]:
    """Return who was dealt each card, and whether the deal is recorded: one `Deal` line may be missing."""
    holders: dict[int, str] = {}
    for deal in hand.deals:
        for dealt in deal.cards:
            holders.setdefault(dealt.card, deal.player.text)
    missing = set(seated) - {deal.player.text for deal in hand.deals}
    if not hand.deals or len(missing) > 1:
        return {}, False
    if missing:
        rest = PACK & ~mask_of(holders)
        holders.update(dict.fromkeys(cards_in(rest), missing.pop()))
    if seated:
        holders.setdefault(GAP, seated[0])  # the engine says that it is not in the pack, whoever laid it
    return holders, True


def _nobody(run: Run, at: int, end: int, card: int, known: bool) -> Fault:
    reason = "was dealt to nobody" if known else "stands without a name, but the deal is not recorded"
    message = f"{SIGNED[card]} {reason}, so that nobody can be said to have played it"
    return Fault("E110", Span(run.line, at, end), message, "a name before the card", SIGNED[card])

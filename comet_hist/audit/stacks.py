"""The `Stacks` line of a hand: whose is whose, does it follow (E507); and who paid more than they had (W508)."""

from collections.abc import Mapping

from comet_hist.record import Fault, Hand, Share


def recorded_stacks(hand: Hand, due: Mapping[str, tuple[int, ...] | None]) -> dict[str, Share]:
    """Return whose stack each share of a hand's `Stacks` line is.

    A name that nobody bears, or that stands there twice, is taken for a player who is not named: one whose chips
    would then be right, or the only one.

    Args:
        hand: the hand.
        due: for each player at the table the chips that are right, None where any are.
    """
    if hand.stacks is None:
        return {}
    stacks: dict[str, Share] = {}
    strays: list[Share] = []
    for share in hand.stacks.shares:
        name = share.player.text
        if name not in due:
            strays.append(share)
        elif name not in stacks:
            stacks[name] = share
        elif not _fits(stacks[name], due[name]) and _fits(share, due[name]):
            strays.append(stacks[name])
            stacks[name] = share
        else:
            strays.append(share)
    missing = [name for name in due if name not in stacks]
    for share in strays if missing else ():
        fitting = [name for name in missing if due[name] is not None and _fits(share, due[name])]
        if fitting or len(missing) == 1:
            name = (fitting or missing)[0]
            missing.remove(name)
            stacks[name] = share
    return stacks


def _fits(share: Share, due: tuple[int, ...] | None) -> bool:
    return due is None or share.chips.count in due


def stack_faults(
    stacks: Mapping[str, Share], before: Mapping[str, int | None], due: Mapping[str, tuple[int, ...] | None], void: bool
) -> list[Fault]:
    """Return an E507 for each recorded stack that follows neither from what was recorded nor from what was owed.

    Args:
        stacks: whose stack each share is, as `recorded_stacks` gave it.
        before: for each player the chips before the hand, None where they are not known.
        due: for each player the chips that are right.
        void: whether the hand is void, so that nothing was paid (R18).
    """
    faults = []
    for name, share in stacks.items():
        right, had = due[name], before[name]
        if right is None or had is None or share.chips.count in right:
            continue
        message = (
            f"{name} had {had} before the hand and {_what_happened(right[0] - had, void)}: "
            f"{right[0]} after it, but {share.chips.count} is recorded"
        )
        expected = " or ".join(str(chips) for chips in right)
        faults.append(Fault("E507", share.player, message, expected, str(share.chips.count)))
    return faults


def _what_happened(won: int, void: bool) -> str:
    if void:
        return "it is void (R18)"
    if not won:
        return "neither won nor lost in it"
    return f"won {won} in it" if won > 0 else f"lost {-won} in it"


ORDER_OF_PAYMENT = ("ante", "comet", "cards", "pot", "transfer")
"""The order in which the payments of a hand are made (C1 to C4)."""


def overdrawn(hand: Hand, before: Mapping[str, int]) -> list[Fault]:
    """Return a W508 for each player whom a recorded payment takes below zero (R15): the first such payment.

    Args:
        hand: the hand.
        before: for each player whose chips are known the most that may have stood there before the hand.
    """
    chips = dict(before)
    faults: dict[str, Fault] = {}
    for pay in sorted(hand.pays, key=lambda pay: ORDER_OF_PAYMENT.index(pay.kind)):
        received = 0 if pay.given is None else pay.given.count
        for share in pay.shares:
            name, count = share.player.text, share.chips.count
            received += count
            if name not in chips:
                continue
            if chips[name] < count and name not in faults:
                message = f"{name} paid {count} and had {chips[name]} left (R15)"
                faults[name] = Fault("W508", share.chips, message, None, str(count))
            chips[name] -= count
        if pay.payee is not None and pay.payee.text in chips:
            chips[pay.payee.text] += received
    return list(faults.values())

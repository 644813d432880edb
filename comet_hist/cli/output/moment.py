"""A hand at one ply: the run so far, the cards still held, whose card it is, and what may be played."""

from collections.abc import Iterator

from comet_hist.cards import COMET, GAP, SIGNED, cards_in, mask_of
from comet_hist.cli.output.hand import end_lines
from comet_hist.cli.output.rows import Bit, Group, Word, row
from comet_hist.cli.output.scene import HANG, Scene
from comet_hist.engine.table import NOBODY, Table


def moment_lines(scene: Scene, ply: int) -> Iterator[Word]:
    """Give the state of a hand after a number of plays.

    Args:
        scene: the hand, one that was replayed.
        ply: how many plays were made, 0 for the deal.
    """
    plays = scene.replay.laid
    when = "after the deal" if not ply else f"after play {ply} of {len(plays)}"
    yield from scene.sentence(f"{scene.title}, {when}", style="strong")
    yield ()
    if ply:
        yield from scene.run(plays[ply - 1].run, ply, True)
        if plays[ply - 1] is scene.replay.comet:
            yield from scene.comet(plays[ply - 1])
        yield from scene.findings(scene.placing.plies.get(ply, ()), HANG)
    else:
        yield from scene.sentence("No card is on the table.")
        yield from scene.findings([*scene.about, *scene.placing.head, *scene.placing.deal, *scene.placing.ante])
    yield ()
    table = scene.watched.tables[ply]
    yield from scene.hands(table.hands, table.counts)
    yield ()
    yield from _unplaced(scene, ply)
    for sentence in _turn(table, scene.replay.players):
        yield from scene.sentence(sentence, 2)
    yield from _legal(scene, table)
    if ply == len(plays):
        yield ()
        yield from end_lines(scene)


def _unplaced(scene: Scene, ply: int) -> list[Word]:
    """Return the cards on the table that nobody is known to have held."""
    unplaced = scene.watched.tables[ply].laid & ~mask_of(play.card for play in scene.replay.laid[:ply])
    if not unplaced:
        return []
    cards = " ".join(SIGNED[card] for card in cards_in(unplaced))
    return scene.sentence(f"On the table too, and not known whose: {cards}.", 2)


def _turn(table: Table, players: tuple[str, ...]) -> Iterator[str]:
    """Give in sentences who must play, who may open, and who may play the Comet."""
    if table.winner is not None:
        yield f"{players[table.winner]} has gone out: the hand is over."
        return
    for card in cards_in(table.need):
        yield _needed(table, card, players)
    if table.stopped():
        names = " or ".join(players[position] for position in cards_in(table.openers))
        yield f"{names} opens the {'first' if table.suit is None else 'next'} run."
    holder = table.holder(COMET)
    allowed = [card for card in cards_in(table.need) if table.stand_in_allowed(card)]
    if allowed and table.in_hands() >> COMET & 1:
        cards = " or ".join(SIGNED[card] for card in allowed)
        yield f"{'Whoever holds it' if holder == NOBODY else players[holder]} may play the Comet for {cards}."
    if table.need.bit_count() + table.closed > 1 or (table.stopped() and table.openers.bit_count() > 1):
        yield "After the fault the record may go on in more than one way."


def _needed(table: Table, card: int, players: tuple[str, ...]) -> str:
    if card == GAP:
        return "The run needs 8♦, which is not in the pack."
    if table.laid >> card & 1:
        return f"The run needs {SIGNED[card]}, which is on the table already."
    holder = table.holder(card)
    who = "whoever holds it" if holder == NOBODY else players[holder]
    return f"The run needs {SIGNED[card]}: {who} must play it."


def _legal(scene: Scene, table: Table) -> list[Word]:
    turns: dict[int, dict[Word, None]] = {}
    for move in table.legal():
        turns.setdefault(move.player, {})[scene.signs.laid(move.card, move.stands_for)] = None
    if not turns:
        return []
    groups: list[Group] = [[(Bit("Legal"),), (Bit("plays:"),)]]
    for player, turn in turns.items():
        cards = list(turn)
        cards[0] = (Bit(scene.name(player), "strong"), Bit(" "), *cards[0])
        cards[-1] = (*cards[-1], Bit(","))
        groups += [[card] for card in cards]
    last = groups[-1][0]
    groups[-1] = [last[:-1]]
    return row(groups, scene.width, 2)

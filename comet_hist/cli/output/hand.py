"""A whole hand: who sat there, who was dealt what, each run, who went out, and who was paid."""

from collections.abc import Iterator
from typing import Protocol

from comet_hist.cards import SIGNED, cards_in
from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.house import rules_in_words
from comet_hist.cli.output.rows import Bit, Group, Word, listed, row, words
from comet_hist.cli.output.scene import HANG, Scene
from comet_hist.engine.facts import RunMade
from comet_hist.findings import some
from comet_hist.record import Line


def hand_lines(scene: Scene) -> Iterator[Word]:
    """Give a hand from its head to the chips after it; one that was not replayed as it is written."""
    yield from _head(scene)
    yield ()
    if not scene.replay.players:
        yield from _as_written(scene)
        return
    replay, placing = scene.replay, scene.placing
    yield from scene.hands(replay.dealt, replay.sizes)
    yield from scene.findings(placing.deal)
    yield ()
    if any(payment.recorded is None for payment in scene.audit.payments):
        yield from scene.sentence("The hand records no payments: the amounts are what the rules owe.")
    yield from scene.paid("ante")
    yield from scene.findings(placing.ante)
    for run in replay.runs:
        yield from _run(scene, run)
    if any(scene.watched.left_out(replay, play.ply) for play in replay.laid):
        yield from scene.sentence("[ ] is not what is written, but what must have been played")
    yield ()
    yield from end_lines(scene)


def _head(scene: Scene) -> Iterator[Word]:
    session, replay = scene.session, scene.replay
    yield from scene.sentence(scene.title, style="strong")
    time = session.date.text.replace("T", " ") if session.date else ""
    if replay.hand.time:
        time += f"{', ' if time else ''}hand at {replay.hand.time.text}"
    place = session.location.text if session.location else ""
    if time or place:
        yield from scene.sentence(", ".join(filter(None, (time, place))))
    if session.rules is not None:
        rules = rules_in_words(session.rules)
        if session.rules.progressive and replay.players:
            rules += f"; in this hand the Comet is {scene.audit.comet_payment}"
        yield from scene.sentence(rules)
    file = "standard input" if session.file == "-" else session.file
    yield from scene.sentence(f"{file}, line {replay.hand.line.number}")
    if replay.players:
        yield from _players(scene)
    elif replay.hand.dealer:
        yield from scene.sentence(f"{replay.hand.dealer.text} deals")
    yield from scene.findings(scene.about)
    if replay.players:
        yield from scene.findings(scene.placing.head)


def _players(scene: Scene) -> list[Word]:
    """Return the players with their seats, from the left of the dealer."""
    seated, players = scene.replay.seated, scene.replay.players
    turns = ((*seated[at:], *seated[:at]) for at in range(len(seated)))
    order = next(turn for turn in turns if tuple(each.name for each in turn) == players)
    texts = [f"{visible(each.name)} (seat {each.seat})" for each in order[:-1]]
    texts.append(f"{visible(order[-1].name)} (seat {order[-1].seat}, dealer)")
    return row(listed(texts), scene.width, HANG, (Bit("Players"),))


# Runs


def _run(scene: Scene, run: RunMade) -> Iterator[Word]:
    replay = scene.replay
    plays = [play for play in replay.laid if play.run == run.run]
    yield from scene.run(run.run, plays[-1].ply, False)
    for play in plays:
        if play is replay.comet:
            yield from scene.comet(play)
    yield from scene.sentence(_stop(scene, run, plays[-1].ply), HANG)
    for play in plays:
        yield from scene.findings(scene.placing.plies.get(play.ply, ()), HANG)


def _stop(scene: Scene, run: RunMade, ply: int) -> str:
    """Return why a run ended."""
    replay, table = scene.replay, scene.watched.tables[ply]
    closer = replay.players[run.closer]
    if run.stop == "out":
        return f"{closer} goes out"
    if run.stop == "king":
        return "stops at the king"
    if run.stop == "gap":
        return "stops at the gap: 8♦ is not in the pack"
    if run.stop == "played":
        needed = " or ".join(SIGNED[card] for card in cards_in(table.need & table.laid))
        return f"stops: {needed} is on the table already"
    if run.run == len(replay.runs):
        return "breaks off"
    held = " or ".join(SIGNED[card] for card in cards_in(table.need & table.in_hands()))
    return f"ends, though {held} is not played yet" if held else "ends"


# The end


def end_lines(scene: Scene) -> Iterator[Word]:
    """Give who went out, what was left, the payments for it, the chips, and the findings about these."""
    replay = scene.replay
    if replay.winner is None:
        yield from scene.sentence("Nobody went out: the hand is unfinished, and nothing is owed.")
    else:
        yield from scene.sentence(f"{replay.players[replay.winner]} wins.", style="strong")
    if any(replay.left_counts):
        yield from _left(scene)
    if replay.comet is None:
        yield from scene.paid("comet")
    for kind in ("cards", "pot", "transfer"):
        yield from scene.paid(kind)
    yield from _chips(scene)
    yield from scene.findings(scene.placing.end)


def _left(scene: Scene) -> list[Word]:
    replay = scene.replay
    groups: list[Group] = []
    for position, (hand, count) in enumerate(zip(replay.left, replay.left_counts, strict=True)):
        if count:
            cards: list[Word] = [(scene.signs.card(card),) for card in cards_in(hand)]
            if count > hand.bit_count():
                cards.append((Bit("(others not known)" if hand else "(not known)"),))
            if groups:
                groups[-1] = [(*groups[-1][0], Bit(","))]
            head: Word = (Bit(scene.name(position), "strong"), Bit(f" {count}: "), *cards[0])
            groups += [[word] for word in (head, *cards[1:])]
    return row(groups, scene.width, HANG, (Bit("Left"),))


def _chips(scene: Scene) -> list[Word]:
    """Return each player's chips before the hand, what was won or lost, and the chips after it."""
    audit = scene.audit
    texts = []
    for player, owed in audit.owed_net.items():
        net = owed if audit.recorded_net is None else audit.recorded_net[player]
        before, after = audit.stack_before.get(player), audit.stack_after.get(player)
        text = f"{net:+}" if before is None else f"{before} {'-' if net < 0 else '+'} {abs(net)} = {before + net}"
        notes = []
        if after is not None and before is None:
            text += f" = {after}"
        elif after is not None and before is not None and after != before + net:
            notes.append(f"recorded {after}")
        if net != owed:
            notes.append(f"owed {owed:+}")
        texts.append(f"{visible(player)} {text}" + (f" ({', '.join(notes)})" if notes else ""))
    return row(listed(texts), scene.width, HANG, (Bit("Chips"),)) if texts else []


# What was not replayed


def _as_written(scene: Scene) -> Iterator[Word]:
    yield from scene.sentence(_why_not(scene))
    yield ()
    lines = _lines_of(scene)
    digits = len(str(lines[-1].number))
    findings = scene.placing.all()
    for line in lines:
        numbers = range(line.number, line.number + line.raw.count("\n") + 1)
        for number, text in zip(numbers, line.raw.split("\n"), strict=True):
            yield from row(words(visible(text)), scene.width, digits + 2, (Bit(f"{number:>{digits}} "),))
        yield from scene.findings((finding for finding in findings if finding.line in numbers), digits + 2)


def _why_not(scene: Scene) -> str:
    """Return why a hand was not replayed."""
    hand, session = scene.replay.hand, scene.session
    if hand.void is not None:
        reason = f": {hand.void.text.rstrip('.')}" if hand.void.text else ""
        return f"Void{reason}. The antes go back, nobody is paid, and the dealer deals again (R18)."
    if session.unread:
        return "A Seat or Rules line of the session could not be read, so that its hands were not replayed."
    if hand.unread or (hand.cut is not None and hand.cut.unread):
        return "A line of this hand could not be read, so that it was not replayed."
    if scene.replay.state == "void":
        return "This hand stands in the record before: the first counts, and this one changes nothing."
    count = len(scene.replay.seated)
    if session.rules is not None and count in session.rules.table_sizes():
        return "Somebody takes part who has no seat, so that the hand was not replayed."
    return f"The hand was not replayed: {some(count, 'player')} cannot play this game."


class _Written(Protocol):
    @property
    def line(self) -> Line: ...


def _lines_of(scene: Scene) -> list[Line]:
    """Return the lines of a hand as far as they were read or something is wrong with them, in order."""
    hand = scene.replay.hand
    parts: list[_Written | None] = [hand.line, hand.time, hand.dealer, hand.stacks, hand.void]
    parts += [*hand.seats, *hand.leaves, *hand.buys, *hand.deals, *hand.runs, *hand.pays, *hand.left]
    parts += [fault.where for fault in (*hand.faults, *scene.replay.faults, *scene.audit.faults)]
    lines = {part.line.number: part.line for part in parts if part is not None}
    return [lines[number] for number in sorted(lines)]

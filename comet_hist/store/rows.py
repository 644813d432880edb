"""A session as rows of the private tables of schema.sql, columns in their order there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from itertools import accumulate
from typing import Any, Final

from comet_hist.audit.facts import HandAudit, Payment
from comet_hist.bulk.columns import KINDS, NOTHING, STOPS
from comet_hist.bulk.proven import Proven, rules_of
from comet_hist.bulk.proven import Row as ProvenRow
from comet_hist.cards import COMET, NAMES, SUIT_MASKS
from comet_hist.engine.facts import Laid, Replay, RunMade
from comet_hist.findings import Finding
from comet_hist.notation.vocabulary import DEFAULT
from comet_hist.record import Session
from comet_hist.rules import CHOICES, Rules

Row = tuple[Any, ...]

_STATUSES: Final = frozenset({"ok", "wrong", "unrecorded"})

_KINDS: Final = {kind: number for number, kind in enumerate(KINDS, start=1)}
"""The kinds of payment, as the ENUM has them."""


_EPOCH: Final = date(1970, 1, 1).toordinal()


def session_row(session_id: int, source: int, session: Session, replays: Iterable[Replay]) -> Row:
    """Return the row of `sessions`; `replays` are its hands, of which those are loaded with it that can be."""
    seats = [*session.seats, *(seat for hand in session.hands for seat in hand.seats)]
    return (
        session_id,
        session.ident.text,
        source,
        session.digest,
        date.fromisoformat(session.date.text[:10]) if session.date else None,
        began(session),
        session.location.text if session.location else None,
        session.language,
        *_agreed(session.rules),
        len({seat.player.text for seat in seats}),
        *_counts(replays),
        *_chosen(session.rules),
    )


def began(session: Session) -> time | None:
    """Return the time of day at which a session began, by the clock of the place; None where it is not written."""
    written = session.date.text.split(" ")[1:2] if session.date else []
    return time.fromisoformat(written[0]) if written else None


def proven_session_row(
    session_id: int,
    source: int,
    ident: str,
    digest: str,
    proven: Proven,
    session: ProvenRow,
    others: Iterable[Replay] = (),
) -> Row:
    """Return the row of `sessions` of a session of `proven`; `others` are its hands that went the ordinary road."""
    text = proven.text
    rules = rules_of(text[session.rules_at : session.rules_at + session.rules_length])
    hands, legal, left_out = _counts(others)
    return (
        session_id,
        ident,
        source,
        digest,
        None if session.date == NOTHING else date.fromordinal(_EPOCH + session.date),
        None if session.began == NOTHING else time(session.began // 3600, session.began // 60 % 60, session.began % 60),
        text[session.place_at : session.place_at + session.place_length].decode() or None,
        DEFAULT,
        *_agreed(rules),
        session.players,
        session.counted + hands,
        session.counted + legal,
        left_out,
        *_chosen(rules),
    )


def _counts(replays: Iterable[Replay]) -> tuple[int, int, int]:
    """Return how many hands are loaded, how many of them are legal, and how many more are left out; without void ones.

    A hand that stands in the record a second time is void, so that it is not left out.
    """
    counted = [replay for replay in replays if replay.state != "void"]
    loaded = [replay for replay in counted if replay.loadable]
    return len(loaded), sum(replay.legal is True for replay in loaded), len(counted) - len(loaded)


def _agreed(rules: Rules | None) -> Row:
    if rules is None:
        return (None,) * 6
    return (rules.game, rules.ante, rules.comet, rules.card, rules.progressive, rules.hands)


def _chosen(rules: Rules | None) -> Row:
    """Return what a chip is worth, and the house rules."""
    if rules is None:
        return (None, None, *(None,) * len(CHOICES))
    return (*((None, None) if rules.chip is None else rules.chip), *(getattr(rules, item) for item in CHOICES))


def hand_row(session_id: int, replay: Replay, audit: HandAudit) -> Row:
    """Return the row of `hands`; what a hand that was not replayed cannot tell is NULL."""
    hand, players = replay.hand, replay.players
    replayed = replay.state in ("played", "unfinished")
    comet = replay.comet
    holders = [position for position, dealt in enumerate(replay.dealt, start=1) if dealt >> COMET & 1]
    return (
        session_id,
        hand.number,
        time.fromisoformat(hand.time.text) if hand.time else None,
        list(players),
        None if replay.winner is None else replay.winner + 1,
        replay.state == "played",
        replay.legal,
        audit.status if audit.status in _STATUSES else None,
        replay.state == "void",
        len(replay.laid) if replayed else None,
        len(replay.runs) if replayed else None,
        sum(replay.left_counts) if replayed else None,
        holders[0] if holders else None,
        None if comet is None else comet.player + 1,
        None if comet is None or comet.stands_for is None else NAMES[comet.stands_for],
        None if comet is None else comet.use,
        None if comet is None else comet.ply,
        audit.comet_payment if replayed else None,
        sum(payment.owed for payment in audit.payments if payment.kind == "ante") if replay.state == "played" else None,
        [laid.card for laid in replay.laid],
        [laid.player + 1 for laid in replay.laid],
        sum(1 << first for first in _firsts(replay)),
        *_runs(replay),
        *_payments(players, audit.payments),
    )


def _runs(replay: Replay) -> Row:
    """Return the runs of a hand as lists, the last three of them telling what each opener held before it."""
    plays = [replay.laid[first : first + run.length] for first, run in zip(_firsts(replay), replay.runs, strict=True)]
    return (
        [run.suit + 1 for run in replay.runs],
        [run.opener + 1 for run in replay.runs],
        [run.closer + 1 for run in replay.runs],
        [0 if run.stop is None else STOPS.index(run.stop) + 1 for run in replay.runs],
        [run.opened_with for run in replay.runs],
        [run.length for run in replay.runs],
        [sum(laid.player == run.opener for laid in played) for run, played in zip(replay.runs, plays, strict=True)],
        *(_choices(replay, plays) if replay.deal_known or not plays else (None, None, None)),
    )


def _choices(replay: Replay, plays: list[list[Laid]]) -> tuple[list[int], list[bool], list[int]]:
    """Return for each run what its opener chose from, as `_choice` does."""
    table = 0
    choices = []
    for run, played in zip(replay.runs, plays, strict=True):
        choices.append(_choice(replay.dealt[run.opener] & ~table, run))
        for laid in played:
            table |= 1 << laid.card
    held, longest, length = zip(*choices, strict=True) if choices else ((), (), ())
    return list(held), list(longest), list(length)


def _choice(hand: int, run: RunMade) -> tuple[int, bool, int]:
    """Return of how many suits an opener chose, whether none was longer than the chosen one, and how long that was."""
    hand |= 1 << run.opened_with
    lengths = [(hand & mask).bit_count() for mask in SUIT_MASKS]
    return len(lengths) - lengths.count(0), lengths[run.suit] == max(lengths), lengths[run.suit]


def _payments(players: Sequence[str], payments: Sequence[Payment]) -> Row:
    """Return the payments of a hand as lists, and the names that stand for positions where `players` do not."""
    named = {name: None for payment in payments for name in payment[1:3] if name is not None}
    parties = None if named.keys() <= set(players) else [*dict.fromkeys((*players, *named))]
    positions: dict[str | None, int] = {None: 0}
    positions.update((name, position) for position, name in enumerate(parties or players, start=1))
    more = [None if paid.recorded is None else paid.recorded - paid.owed for paid in payments]
    return (
        [_KINDS[payment.kind] for payment in payments],
        [positions[payment.payer] for payment in payments],
        [positions[payment.payee] for payment in payments],
        [payment.owed for payment in payments],
        (None if set(more) == {0} else more) if _is_recorded(payments) else [],
        parties,
    )


def _is_recorded(payments: Iterable[Payment]) -> bool:
    """Say whether a hand records what it paid; transfers, which are always recorded, say nothing."""
    return any(payment.recorded is not None for payment in payments if payment.kind != "transfer")


def _about(replay: Replay) -> Row:
    """Return what `kept_seats` repeats of a hand: how many play, and whether it counts."""
    return len(replay.players), replay.legal is True if replay.state == "played" else None


def _firsts(replay: Replay) -> Iterator[int]:
    """Give how many plays lie before each run."""
    return accumulate((run.length for run in replay.runs[:-1]), initial=0) if replay.runs else iter(())


def seat_rows(session_id: int, replay: Replay, audit: HandAudit) -> Iterator[Row]:
    """Give the rows of `kept_seats`, from the dealer's left; none for a hand whose table is not known."""
    seats = {seated.name: seated.seat for seated in replay.seated}
    comet_known = replay.deal_known or any(dealt >> COMET & 1 for dealt in replay.dealt)
    owed = _won(audit.payments, recorded=False)
    recorded = _won(audit.payments, recorded=True)
    paid = _is_recorded(audit.payments)
    handed_over = _won(audit.payments, recorded=True, kinds=_TRANSFERS)
    for position, player in enumerate(replay.players):
        dealt = replay.dealt[position] if replay.dealt else 0
        net, written = owed.get(player, (0, 0, 0)), recorded.get(player, (0, 0, 0))
        total = None if audit.recorded_net is None else audit.recorded_net[player] - sum(handed_over.get(player, ()))
        amounts = () if total is None else (total, *written) if paid else (total,)
        more = [amount - chips for amount, chips in zip(amounts, (sum(net), *net), strict=False)]
        yield (
            session_id,
            replay.hand.number,
            position + 1,
            player,
            seats[player],
            dealt,
            replay.sizes[position] if replay.sizes else None,
            replay.left_counts[position] if replay.left_counts else None,
            replay.winner == position,
            bool(dealt >> COMET & 1) if comet_known else None,
            replay.comet is not None and replay.comet.player == position,
            *net,
            None if more == [0, 0, 0, 0] else more,
            audit.stack_before.get(player),
            audit.stack_after.get(player),
            *_about(replay),
        )


_PARTS: Final = {"ante": 0, "pot": 0, "comet": 1, "cards": 2}
"""The parts of what is won: by pot and ante, by the Comet, by cards left. Transfers win nothing."""

_TRANSFERS: Final = {"transfer": 0}


def _won(payments: Iterable[Payment], recorded: bool, kinds: Mapping[str, int] = _PARTS) -> dict[str, list[int]]:
    """Add up for each player the chips got less those paid, by part; `kinds` says which kind belongs to which."""
    won: dict[str, list[int]] = {}
    for payment in payments:
        part = kinds.get(payment.kind)
        if part is None:
            continue
        amount = (payment.recorded or 0) if recorded else payment.owed
        if payment.payer is not None:
            won.setdefault(payment.payer, [0, 0, 0])[part] -= amount
        if payment.payee is not None:
            won.setdefault(payment.payee, [0, 0, 0])[part] += amount
    return won


def faulty_row(session_id: int, number: int | None, turns: list[str]) -> Row:
    """Return the row of `faulty` of a hand; `turns` are what the table says at each ply."""
    return (session_id, number, turns)


def finding_row(source: int, finding: Finding, ply: int | None = None) -> Row:
    """Return the row of `findings`; `ply` is the play that it is about, None where it is about none."""
    return (
        source,
        finding.session,
        finding.hand,
        finding.line,
        finding.column,
        finding.end_column,
        finding.code,
        finding.severity,
        finding.message,
        ply,
    )

"""The statistics as a plain count in Python, for the tests to hold the SQL against.

It goes over the values of replay and audit in loops, hand by hand, as docs/statistics.md says in words. Nothing here is
fast, and nothing is taken from the SQL.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import mean, stdev
from typing import Any, NamedTuple

from comet_hist.audit import HandAudit
from comet_hist.audit.facts import Payment
from comet_hist.cards import COMET, RANKS, SUIT_MASKS, SUITS, rank_of
from comet_hist.engine.facts import Laid, Replay, RunMade
from comet_hist.judge import Judged
from comet_hist.record import Session
from comet_hist.stats.filters import Filters

Row = dict[str, Any]

ALL_PARTS = ("ante", "pot", "comet", "cards")
USES = ("gap", "rescue", "preempt", "own", "led")
THIRDS = ("first", "middle", "last")
STOPS = ("king", "gap", "played", "out")


# What is counted


@dataclass
class Counted:
    """A hand that counts, with the persons at its table from the dealer's left."""

    session: Session
    replay: Replay
    audit: HandAudit
    people: list[str]

    @property
    def ident(self) -> str:
        """Its session's identifier."""
        return self.session.ident.text


class Sitting(NamedTuple):
    """A person in a hand that counts; amounts are None where the hand does not record them."""

    hand: Counted
    at: int
    person: str
    net: int | None
    pot: int | None
    comet: int | None
    cards: int | None

    @property
    def replay(self) -> Replay:
        """What the engine made of the hand."""
        return self.hand.replay

    @property
    def won(self) -> bool:
        """Whether they went out."""
        return self.replay.winner == self.at


class Count:
    """What a choice of hands and persons counts."""

    def __init__(self, judged: Iterable[Judged], filters: Filters) -> None:
        self.filters = filters
        self.sessions = [one for one in judged if one.session and not one.repeated and not one.conflict]
        self.sessions.sort(key=lambda one: _order(one.session))
        self.hands = [hand for one in self.sessions for hand in self._hands(one)]
        self.everybody = [sitting for hand in self.hands for sitting in self._sittings(hand)]
        self.times = Counter(sitting.person for sitting in self.everybody)
        self.sittings = [sitting for sitting in self.everybody if self.chosen(sitting.person)]

    def person(self, spelling: str) -> str:
        """Return who is meant by a name."""
        return self.filters.aliases.get(spelling, spelling)

    def frequent(self, person: str) -> bool:
        """Say whether somebody has as many hands that count as are asked for."""
        return self.times[person] >= self.filters.min_hands

    def named(self, person: str) -> bool:
        """Say whether somebody is among the persons that are asked for."""
        wanted = {self.person(spelling) for spelling in self.filters.players}
        return not wanted or person in wanted

    def chosen(self, person: str) -> bool:
        """Say whether somebody is shown."""
        return self.frequent(person) and self.named(person)

    def _hands(self, one: Judged) -> Iterator[Counted]:
        session, replay, audit = one.session, one.replay, one.audit
        assert session and replay and audit
        if not _session_chosen(session, self.filters):
            return
        for hand, chips in zip(replay.hands, audit.hands, strict=True):
            if hand.state != "played" or not hand.loadable:
                continue
            if hand.legal is not True and not self.filters.include_faulty:
                continue
            if self.filters.sizes and len(hand.players) not in self.filters.sizes:
                continue
            yield Counted(session, hand, chips, [self.person(name) for name in hand.players])

    def _sittings(self, hand: Counted) -> Iterator[Sitting]:
        for at, (name, person) in enumerate(zip(hand.replay.players, hand.people, strict=True)):
            parts = [self._won(hand, name, kinds) for kinds in (("ante", "pot"), ("comet",), ("cards",))]
            yield Sitting(hand, at, person, self._net(hand, name), *parts)

    def _won(self, hand: Counted, name: str, kinds: Sequence[str]) -> int | None:
        """Add up what a name won in a hand by payments of some kinds; None where the hand writes none."""
        if self.filters.as_recorded and not hand.replay.hand.records_payments:
            return None
        return sum(
            self.amount(payment) * ((payment.payee == name) - (payment.payer == name))
            for payment in hand.audit.payments
            if payment.kind in kinds
        )

    def amount(self, payment: Payment) -> int:
        """Return the chips of a payment, as owed or as written."""
        return (payment.recorded or 0) if self.filters.as_recorded else payment.owed

    def _net(self, hand: Counted, name: str) -> int | None:
        """Return what a name won in a hand; the audit goes by the chips, transfers too, and they win nothing."""
        if not self.filters.as_recorded:
            return self._won(hand, name, ALL_PARTS)
        if hand.audit.recorded_net is None:
            return None
        return hand.audit.recorded_net[name] - sum(
            payment.owed * ((payment.payee == name) - (payment.payer == name))
            for payment in hand.audit.payments
            if payment.kind == "transfer"
        )


def _order(session: Session | None) -> tuple[bool, date, bool, str, str]:
    assert session
    day = date_of(session)
    clock = "".join(session.date.text.split()[1:2]) if session.date else ""
    return day is None, day or date.min, not clock, clock, session.ident.text


def date_of(session: Session) -> date | None:
    return date.fromisoformat(session.date.text[:10]) if session.date else None


def _session_chosen(session: Session, filters: Filters) -> bool:
    day = date_of(session)
    if filters.sessions and session.ident.text not in filters.sessions:
        return False
    if filters.games and (session.rules is None or session.rules.game not in filters.games):
        return False
    if filters.since and (day is None or day < filters.since):
        return False
    return not (filters.until and (day is None or day > filters.until))


# What numbers are made of


def known(amounts: Iterable[int | None]) -> list[int]:
    return [amount for amount in amounts if amount is not None]


def total(amounts: Iterable[int | None]) -> int | None:
    """Add up what is known; None where nothing is."""
    amounts = known(amounts)
    return sum(amounts) if amounts else None


def average(values: Sequence[float]) -> float | None:
    return mean(values) if values else None


def error(values: Sequence[float]) -> float | None:
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None


def ratio(numerator: float, denominator: int) -> float | None:
    return numerator / denominator if denominator else None


def wilson(wins: int, tries: int) -> tuple[float | None, float | None]:
    """Find the ends of the interval by its meaning: shares p with |p - wins/tries| = z √(p (1 - p) / tries)."""
    if not tries:
        return None, None
    z = 1.959963984540054
    a, b, c = 1 + z * z / tries, -(2 * wins / tries + z * z / tries), (wins / tries) ** 2
    root = math.sqrt(max(b * b - 4 * a * c, 0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def rate(numerator: int, denominator: int, name: str, interval: str) -> Row:
    low, high = wilson(numerator, denominator)
    return {name: ratio(numerator, denominator), f"{interval}_low": low, f"{interval}_high": high}


# Views of people


def players(count: Count) -> list[Row]:
    rows = []
    for person in {sitting.person for sitting in count.sittings}:
        mine = [sitting for sitting in count.sittings if sitting.person == person]
        rows.append({"player": person, **_record(mine), **_comets_of(mine), **_openings_of(mine)})
    return sorted(rows, key=lambda row: (row["net"] is None, -(row["net"] or 0), row["player"]))


def _record(mine: list[Sitting]) -> Row:
    wins = sum(sitting.won for sitting in mine)
    nets = known(sitting.net for sitting in mine)
    return {
        "hands": len(mine),
        "sessions": len({sitting.hand.ident for sitting in mine}),
        "wins": wins,
        **rate(wins, len(mine), "win_rate", "win"),
        "expected_wins": sum(1 / len(sitting.replay.players) for sitting in mine),
        "net": total(nets),
        "net_hand": average(nets),
        "net_se": error(nets),
        "net_pot": total(sitting.pot for sitting in mine),
        "net_comet": total(sitting.comet for sitting in mine),
        "net_cards": total(sitting.cards for sitting in mine),
        "best": max(nets, default=None),
        "worst": min(nets, default=None),
    }


def was_dealt(sitting: Sitting) -> bool:
    """Say whether they had the chance to play the Comet: it was dealt to them, or they played it."""
    dealt = sitting.replay.dealt
    return bool(dealt and dealt[sitting.at] >> COMET & 1) or played(sitting) is not None


def played(sitting: Sitting) -> Laid | None:
    """Return the play of the Comet if it was theirs."""
    comet = sitting.replay.comet
    return comet if comet is not None and comet.player == sitting.at else None


def stuck(sitting: Sitting) -> bool:
    return bool(sitting.replay.left[sitting.at] >> COMET & 1)


def timing(sitting: Sitting) -> float | None:
    """Return when in its hand they played the Comet: 0 the first card, 1 the last."""
    comet, plays = played(sitting), len(sitting.replay.laid)
    return (comet.ply - 1) / (plays - 1) if comet is not None and plays > 1 else None


def _comets_of(mine: list[Sitting]) -> Row:
    comets = [comet for sitting in mine if (comet := played(sitting)) is not None]
    dealt = sum(was_dealt(sitting) for sitting in mine)
    return {
        "comet_dealt": dealt,
        "comet_played": len(comets),
        "comet_play_rate": ratio(len(comets), dealt),
        **{f"comet_{use}": sum(comet.use == use for comet in comets) for use in USES},
        "comet_timing": average([when for sitting in mine if (when := timing(sitting)) is not None]),
        "comet_stuck": sum(stuck(sitting) for sitting in mine),
    }


class Opening(NamedTuple):
    """A run that somebody opened: the cards they held of each suit before it (None: not known), and own cards in it."""

    run: RunMade
    held: list[int] | None
    own: int

    @property
    def length(self) -> int | None:
        """How many cards they held of the suit that they opened."""
        return None if self.held is None else self.held[self.run.suit]


def openings_by(sitting: Sitting) -> Iterator[Opening]:
    for run in sitting.replay.runs:
        if run.opener != sitting.at:
            continue
        own = sum(laid.run == run.run and laid.player == sitting.at for laid in sitting.replay.laid)
        yield Opening(run, _held_before(sitting, run), own)


def _held_before(sitting: Sitting, run: RunMade) -> list[int] | None:
    if not sitting.replay.deal_known:
        return None
    hand = {card for card in range(52) if sitting.replay.dealt[sitting.at] >> card & 1}
    hand -= {laid.card for laid in sitting.replay.laid if laid.run < run.run}
    hand.add(run.opened_with)
    return [sum(mask >> card & 1 for card in hand) for mask in SUIT_MASKS]


def _openings_of(mine: list[Sitting]) -> Row:
    opened = [opening for sitting in mine for opening in openings_by(sitting)]
    choices = [opening for opening in opened if opening.held and sum(held > 0 for held in opening.held) > 1]
    longest = sum(opening.length == max(opening.held or []) for opening in choices)
    return {
        "opened": len(opened),
        "opened_choice": len(choices),
        "opened_longest": longest,
        "longest_rate": ratio(longest, len(choices)),
        "shed_opening": average([opening.own for opening in opened]),
        "cards_left": cards_left(mine),
    }


def cards_left(mine: Iterable[Sitting]) -> float | None:
    return average([sitting.replay.left_counts[sitting.at] for sitting in mine if not sitting.won])


def sessions(count: Count) -> list[Row]:
    rows = []
    for one in count.sessions:
        assert one.session and one.replay
        there = [sitting for sitting in count.everybody if sitting.hand.session is one.session]
        standings = [_standing(person, there) for person in sorted({sitting.person for sitting in there})]
        nets = known(row["net"] for row in standings)
        for row in standings:
            rank = None if row["net"] is None else 1 + sum(net > row["net"] for net in nets)
            winner = None if rank is None else rank == 1
            about = {
                "session": one.session.ident.text,
                "date": date_of(one.session),
                "player": row.pop("player"),
                "rank": rank,
                "winner": winner,
                "hands_agreed": one.session.rules.hands if one.session.rules else None,
                "session_hands": sum(hand.loadable and hand.state != "void" for hand in one.replay.hands),
                "counted": sum(hand.session is one.session for hand in count.hands),
            }
            if count.chosen(about["player"]):
                rows.append(about | row)
    places = {one.session.ident.text: place for place, one in enumerate(count.sessions) if one.session}
    return sorted(rows, key=lambda row: (places[row["session"]], *_session_order(row)))


def _session_order(row: Row) -> tuple[Any, ...]:
    unranked = row["rank"] is None
    return unranked, row["rank"] or 0, row["player"]


def _standing(person: str, there: list[Sitting]) -> Row:
    mine = [sitting for sitting in there if sitting.person == person]
    nets = known(sitting.net for sitting in mine)
    line = [sum(nets[:played]) for played in range(len(nets) + 1)] if nets else []
    return {
        "player": person,
        "hands": len(mine),
        "wins": sum(sitting.won for sitting in mine),
        "net": total(nets),
        "best": max(nets, default=None),
        "worst": min(nets, default=None),
        "high": max(line, default=None),
        "low": min(line, default=None),
        "swing": max(line) - min(line) if line else None,
    }


def pairs(count: Count) -> list[Row]:
    met: dict[tuple[str, str], list[Counted]] = {}
    for hand in count.hands:
        for payer in hand.people:
            for payee in hand.people:
                if payer != payee and count.frequent(payer) and count.frequent(payee):
                    met.setdefault((payer, payee), []).append(hand)
    paid = {pair: _paid(count, *pair, hands) for pair, hands in met.items()}
    rows = []
    for (payer, payee), amounts in sorted(paid.items()):
        if not count.named(payer) and not count.named(payee):
            continue
        gave, got = total(amounts.values()), total(paid[payee, payer].values())
        rows.append({
            "payer": payer,
            "payee": payee,
            "hands": len(met[payer, payee]),
            **amounts,
            "paid": gave,
            "received": got,
            "balance": None if gave is None or got is None else got - gave,
            "transfer": _handed_over(count, payer, payee, met[payer, payee]),
        })  # fmt: skip
    return rows


def _handed_over(count: Count, payer: str, payee: str, hands: list[Counted]) -> int:
    """Add up the transfers, which are owed as they are written."""
    return sum(
        payment.owed
        for hand in hands
        for payment in hand.audit.payments
        if payment.kind == "transfer" and _between(count, payment) == (payer, payee)
    )


def _between(count: Count, payment: Payment) -> tuple[str | None, str | None]:
    payer, payee = payment.payer, payment.payee
    return None if payer is None else count.person(payer), None if payee is None else count.person(payee)


def _paid(count: Count, payer: str, payee: str, hands: list[Counted]) -> Row:
    """Return what one paid another in the hands they both sat in, kind by kind."""
    if count.filters.as_recorded:
        hands = [hand for hand in hands if hand.replay.hand.records_payments]
    if not hands:
        return dict.fromkeys(("pot", "comet", "cards"))
    paid = dict.fromkeys(("pot", "comet", "cards"), 0)
    for hand in hands:
        pot_went_to = _pot_payee(count, hand)
        for payment in hand.audit.payments:
            if payment.kind == "ante" and _between(count, payment)[0] == payer and pot_went_to == payee:
                paid["pot"] += count.amount(payment)
            elif payment.kind in ("comet", "cards") and _between(count, payment) == (payer, payee):
                paid[payment.kind] += count.amount(payment)
    return paid


def _pot_payee(count: Count, hand: Counted) -> str | None:
    """Return who got the pot, or most of it; of several who got as much the first by name."""
    got: Counter[str] = Counter()
    for payment in hand.audit.payments:
        payee = _between(count, payment)[1]
        if payment.kind == "pot" and payee is not None and count.amount(payment):
            got[payee] += count.amount(payment)
    return min(got, key=lambda person: (-got[person], person), default=None)


def timeline(count: Count) -> list[Row]:
    rows = []
    in_session: dict[tuple[str, str], int] = {}
    in_all: dict[str, int] = {}
    for number, hand in enumerate(count.hands, 1):
        at_table = [sitting for sitting in count.sittings if sitting.hand is hand]
        for sitting in sorted(at_table, key=lambda sitting: sitting.person):
            there = (sitting.person, hand.ident)
            in_session[there] = in_session.get(there, 0) + (sitting.net or 0)
            in_all[sitting.person] = in_all.get(sitting.person, 0) + (sitting.net or 0)
            rows.append({
                "number": number,
                "session": hand.ident,
                "date": date_of(hand.session),
                "hand": hand.replay.hand.number,
                "player": sitting.person,
                "net": sitting.net,
                "session_net": in_session[there],
                "total_net": in_all[sitting.person],
            })  # fmt: skip
    return rows


# Views of the game


def comet(count: Count) -> list[Row]:
    dealt = [sitting for sitting in count.sittings if was_dealt(sitting)]
    out = [sitting for sitting in dealt if played(sitting) is not None]
    stood = [sitting for sitting in out if _stood_for(sitting) is not None]
    timed = [sitting for sitting in out if timing(sitting) is not None]
    rows = [
        _comet_row("outcome", "played", out, len(dealt)),
        _comet_row("outcome", "stuck", [sitting for sitting in dealt if stuck(sitting)], len(dealt)),
    ]
    rows += [_comet_row("use", use, [one for one in out if _use(one) == use], len(out)) for use in USES]
    rows += [_comet_row("rank", rank, [one for one in stood if _stood_for(one) == rank], len(stood)) for rank in RANKS]
    rows += [_comet_row("third", third, [one for one in timed if _third(one) == third], len(timed)) for third in THIRDS]
    return rows


def _use(sitting: Sitting) -> str | None:
    comet = played(sitting)
    return comet.use if comet else None


def _stood_for(sitting: Sitting) -> str | None:
    comet = played(sitting)
    return None if comet is None or comet.stands_for is None else RANKS[rank_of(comet.stands_for)]


def _third(sitting: Sitting) -> str | None:
    """Return the third of the hand in which they played the Comet, exactly: 3 (ply - 1) against plays - 1."""
    comet, steps = played(sitting), len(sitting.replay.laid) - 1
    assert comet
    return THIRDS[0 if 3 * (comet.ply - 1) < steps else 1 if 3 * (comet.ply - 1) < 2 * steps else 2]


def _comet_row(by: str, value: str, mine: list[Sitting], of: int) -> Row:
    wins = sum(sitting.won for sitting in mine)
    nets = known(sitting.net for sitting in mine)
    chips = known(sitting.comet for sitting in mine)
    return {
        "by": by,
        "value": value,
        "comets": len(mine),
        "of": of,
        **rate(len(mine), of, "share", "share"),
        "chips": total(chips),
        "chips_mean": average(chips),
        "chips_se": error(chips),
        "wins": wins,
        **rate(wins, len(mine), "win_rate", "win"),
        "net_mean": average(nets),
        "net_se": error(nets),
    }


def openings(count: Count) -> list[Row]:
    opened = [opening for sitting in count.sittings for opening in openings_by(sitting)]
    told = [opening for opening in opened if opening.length is not None]
    rows = [_opening_row("all", None, opened, opened, lambda _: None)]
    lengths = sorted({opening.length for opening in told if opening.length is not None})
    rows += [_opening_row("length", length, told, told, lambda one: one.length) for length in lengths]
    rows += [_opening_row("suit", suit, opened, opened, lambda one: SUITS[one.run.suit]) for suit in SUITS]
    rows += [
        _opening_row("rank", rank, opened, opened, lambda one: RANKS[rank_of(one.run.opened_with)]) for rank in RANKS
    ]
    return rows


def _opening_row(
    by: str, value: Any, among: list[Opening], of: list[Opening], kind: Callable[[Opening], Any]
) -> Row:
    mine = [opening for opening in among if kind(opening) == value]
    lengths, own = [opening.run.length for opening in mine], [opening.own for opening in mine]
    return {
        "by": by,
        "value": None if value is None else str(value),
        "openings": len(mine),
        "of": len(of),
        **rate(len(mine), len(of), "share", "share"),
        "run_length": average(lengths),
        "run_length_se": error(lengths),
        "shed": average(own),
        "shed_se": error(own),
    }


def stops(count: Count) -> list[Row]:
    closed = [
        run
        for sitting in count.sittings
        for run in sitting.replay.runs
        if run.closer == sitting.at and run.stop is not None
    ]
    return [_stop_row("all", closed)] + [
        _stop_row(suit, [run for run in closed if SUITS[run.suit] == suit]) for suit in SUITS
    ]


def _stop_row(suit: str, runs: list[RunMade]) -> Row:
    row: Row = {"suit": suit, "runs": len(runs)}
    for stop in STOPS:
        times = sum(run.stop == stop for run in runs)
        row |= {stop: times, **rate(times, len(runs), f"{stop}_rate", stop)}
    lengths = [run.length for run in runs]
    return row | {"length": average(lengths), "length_se": error(lengths)}


def seats(count: Count) -> list[Row]:
    rows = []
    for size in sorted({len(hand.people) for hand in count.hands}):
        there = [sitting for sitting in count.sittings if len(sitting.hand.people) == size]
        for position in range(size):
            mine = [sitting for sitting in there if sitting.at == position]
            if mine:
                rows.append(_seat_row(size, "position", position + 1, mine))
        by_cards = []
        for cards in sorted({sitting.replay.sizes[sitting.at] for sitting in there}):
            mine = [sitting for sitting in there if sitting.replay.sizes[sitting.at] == cards]
            by_cards.append(_seat_row(size, "cards", cards, mine))
        for row in by_cards[1:]:
            fewest = by_cards[0]["net_mean"]
            if fewest is not None and row["net_mean"] is not None:
                row["extra_cost"] = fewest - row["net_mean"]
        rows += by_cards
    return rows


def _seat_row(size: int, by: str, value: int, mine: list[Sitting]) -> Row:
    wins = sum(sitting.won for sitting in mine)
    nets = known(sitting.net for sitting in mine)
    return {
        "players": size,
        "by": by,
        "value": value,
        "hands": len(mine),
        "cards_dealt": average([sitting.replay.sizes[sitting.at] for sitting in mine]),
        "wins": wins,
        **rate(wins, len(mine), "win_rate", "win"),
        "expected_rate": 1 / size,
        "net": total(nets),
        "net_mean": average(nets),
        "net_se": error(nets),
        "cards_left": cards_left(mine),
        "extra_cost": None,
    }


VIEWS: dict[str, Callable[[Count], list[Row]]] = {
    view.__name__: view for view in (players, sessions, comet, openings, stops, seats, pairs, timeline)
}


def plain_count(judged: Iterable[Judged], view: str, filters: Filters) -> list[Row]:
    """Count the rows of a view, in its order, each a value by column."""
    return VIEWS[view](Count(judged, filters))

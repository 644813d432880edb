"""What is agreed for all sessions of a simulation: rules, table, strategies, and how they are called."""

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from comet_hist.notation import read
from comet_hist.notation.tokens import Unread, name, quote
from comet_hist.notation.vocabulary import DEFAULT, vocabulary
from comet_hist.notation.write import canonical, write_name
from comet_hist.record import Session
from comet_hist.rules import MOST_CHIPS, Rules
from comet_hist.simulate.strategies import StrategyError, strategy

TABLE: Final = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fanny")
"""Who sits at the table where nobody else is named."""

PLAYERS: Final = 4
"""How many play where it is not said and the game leaves it open."""

ADVICE: Final = "longest+hold"
"""How those play of whom nothing is said: as the rule texts advise."""

_FIRST_DAY: Final = date(2001, 1, 1).toordinal()
_DAYS: Final = 2_900_000
"""A session a day; after so many, which end in the year 9940, the days begin again."""

_STACK: Final = 40
"""Chips that everybody brings, as the rule texts advise, for each chip of the largest amount agreed on."""


class PlanError(ValueError):
    """What was asked for cannot be simulated; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What all sessions have in common.

    Attributes:
        seed: what everything left to chance follows from, 64 bits.
        hands: hands a session.
        rules: what is played by, the number of hands with it.
        players: names in seat order.
        strategies: for each player how they play, by name.
        faults: the share of hands in which a slip is planted.
        chips: what each player brings, and buys again when they run short.
        ident: what the identifiers of the sessions begin with.
        lines: the canonical lines of a session from `Rules` to the last seat.
    """

    seed: int
    hands: int
    rules: Rules
    players: tuple[str, ...]
    strategies: tuple[str, ...]
    faults: float
    chips: int
    ident: str
    lines: tuple[str, ...]

    def identifier(self, session: int) -> str:
        """Return the identifier of a session, counted from 0."""
        return f"{self.ident}-{session + 1}"

    def day(self, session: int) -> str:
        """Return the date of a session, counted from 0."""
        return date.fromordinal(_FIRST_DAY + session % _DAYS).isoformat()


def make_plan(
    seed: int, hands: int, players: int | None, rules: str, strategies: Sequence[str], faults: float = 0.0
) -> Plan:
    """Agree on everything before the first card is dealt.

    Args:
        seed: from 0 to 2**64 - 1.
        hands: hands a session, 1 or more.
        players: how many play; None for as many as the game asks for, or are named.
        rules: items of a `Rules` line; none for `classic`.
        strategies: each `NAME=STRATEGY` for one player, or `STRATEGY` for all others.
        faults: the share of hands in which a slip is planted.

    Raises:
        PlanError: saying what cannot be.
    """
    if not rules.isprintable():
        raise PlanError("the rules: they are one line of printable characters")
    named, others = _named(strategies)
    agreed = _agree(rules, hands)
    sizes = agreed.table_sizes()
    count = players
    if count is None:
        count = sizes[0] if len(sizes) == 1 else max(PLAYERS, len(named))
    if count not in sizes:
        allowed = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        game = "Comet" if agreed.game == "classic" else agreed.game
        raise PlanError(f"{count} players: {game} is for {allowed} (G1)")
    table = _seat(tuple(named), count)
    chips = min(_STACK * max(agreed.ante, agreed.comet, agreed.card, 1), MOST_CHIPS)
    session = _read(_header(_items(rules, hands), [f"{write_name(each)} {chips}" for each in table]))
    lines = tuple(canonical(session).rstrip("\n").split("\n")[1:])
    told = tuple(named.get(each, others) for each in table)
    ident = f"simulated-{_digest(seed, lines, told, faults)}"
    return Plan(seed, hands, agreed, table, told, faults, chips, ident, lines)


def _named(strategies: Sequence[str]) -> tuple[dict[str, str], str]:
    """Return the strategies by name, and that of all others."""
    named: dict[str, str] = {}
    others: str | None = None
    for text in strategies:
        who, given, what = text.rpartition("=")
        try:
            strategy(what)
            player = name(quote(who), 0, vocabulary(DEFAULT)) if given else None
        except StrategyError as error:
            raise PlanError(str(error)) from error
        except Unread as error:
            raise PlanError(f"“{who}”: {error.message}") from error
        if player is None:
            if others is not None:
                raise PlanError(f"two strategies for everybody, “{others}” and “{what}”; name a player: Anna={what}")
            others = what
        elif player in named:
            raise PlanError(f"two strategies for {player}, “{named[player]}” and “{what}”; give one")
        else:
            named[player] = what
    return named, others or ADVICE


def _seat(named: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return who sits where: the usual table, and guests who are named in the seats of those who are not."""
    if len(named) > count:
        raise PlanError(f"strategies for {len(named)} players, but {count} are at the table")
    table = list(TABLE[:count])
    free = [seat for seat, usual in enumerate(table) if usual not in named]
    for guest, seat in zip([each for each in named if each not in table], free, strict=False):
        table[seat] = guest
    return tuple(table)


def _agree(rules: str, hands: int) -> Rules:
    asked = _read(_header(rules, ["Anna", "Ben"])).rules
    if asked is not None and asked.hands is not None:
        raise PlanError("the number of hands is given by --hands, not among the rules")
    agreed = _read(_header(_items(rules, hands), ["Anna", "Ben"])).rules
    assert agreed is not None, "a Rules line without faults sets rules"
    return agreed


def _items(rules: str, hands: int) -> str:
    return f"{rules}, hands {hands}" if rules.strip() else f"hands {hands}"


def _header(items: str, seats: Sequence[str]) -> str:
    lines = [f"Rules: {items}"] if items.strip() else []
    return "\n".join(["Comet session rules", *lines, *(f"Seat {at}: {seat}" for at, seat in enumerate(seats, 1))])


def _read(text: str) -> Session:
    """Read the header of a session, whose faults are those of the rules asked for."""
    (session,) = read(io.BytesIO(text.encode()), "rules")
    assert isinstance(session, Session), "a session was opened"
    if session.faults:
        raise PlanError(f"the rules: {session.faults[0].message}")
    return session


def _digest(seed: int, lines: tuple[str, ...], strategies: tuple[str, ...], faults: float) -> str:
    """Return what tells simulations apart, so that sessions of two have no identifier in common."""
    told = "\n".join([str(seed), *lines, *strategies, repr(faults)])
    return hashlib.sha256(told.encode()).hexdigest()[:12]

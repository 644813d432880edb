"""What a statistic is asked about: which hands count, and which persons are meant."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Filters:
    """Which hands count, and which persons are shown. The defaults leave nothing out but hands that are not legal.

    Attributes:
        players: the persons that are meant, after aliases; empty for all.
        sessions: the identifiers of the sessions whose hands count; empty for all.
        since: the first day whose sessions count; sessions without a date are then left out.
        until: the last day, in the same way.
        sizes: the numbers of players of the hands that count; empty for all.
        games: the named games of the sessions that count, such as `quatre`; empty for all.
        include_faulty: count all hands that were played to their end, not only legal ones.
        as_recorded: take the amounts that were written, not those that were owed.
        min_hands: leave out persons with fewer hands that count.
        aliases: the person for each spelling of a name that is not its own person.
    """

    players: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    sizes: tuple[int, ...] = ()
    games: tuple[str, ...] = ()
    include_faulty: bool = False
    as_recorded: bool = False
    min_hands: int = 0
    aliases: Mapping[str, str] = field(default_factory=dict)

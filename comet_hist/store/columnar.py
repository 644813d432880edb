"""Columns of sessions that the bulk lane proved clean, on their way into the tables many hands at a time.

The rows of the kernel's tables are copied as they are, taken apart into columns, and handed to DuckDB as Arrow arrays
that lie over these. So no play, hand or payment is an object on the way. A name is a number on it, and becomes a name
where DuckDB takes it in; so are the ENUM values.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from comet_hist.bulk import columns
from comet_hist.bulk.proven import Proven
from comet_hist.bulk.scanner import name_of
from comet_hist.cards import RANKS, SUITS
from comet_hist.store.arrow import Column, Numbers, arrow_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TOGETHER: Final = 20_000
"""Hands that are written together: so many that the cost of a statement vanishes, and so few that they are small."""

_LAYOUT: Final = {
    "hands": columns.HANDS,
    "seats": columns.SEATS,
    "runs": columns.RUNS,
    "payments": columns.PAYMENTS,
}
_BELOW: Final = (
    ("seats", "first_seat", "players"),
    ("runs", "first_run", "runs"),
    ("payments", "first_payment", "payments"),
)
"""What lies below a hand: the columns that say where it begins, and how many rows it has."""

_UNRECORDED: Final = columns.AUDITS.index("unrecorded")

_NUMBER_OF: Final = np.zeros(256, np.uint8)
"""By letter the number of what it stands for: a rank, or the first card of a suit."""
_NUMBER_OF[list(RANKS.encode())] = range(len(RANKS))
_NUMBER_OF[list(SUITS.encode())] = range(0, len(SUITS) * len(RANKS), len(RANKS))

_NAME: Final = "getvariable('proven_names')[{0}]"
_ENUM: Final = "(enum_range(NULL::{0})::{0}[])[{1}]"
_INTO: Final = {
    "hands": f"""
        session_id, hand, time, list_transform(names, lambda name: {_NAME.format("name")}), winner, NOT void,
        CASE WHEN NOT void THEN true END, {_ENUM.format("audit", "audit")}, void, plays, runs, cards_left, comet_holder,
        comet_player, {_ENUM.format("card", "comet_for")}, {_ENUM.format("comet_use", "comet_use")}, comet_ply,
        comet_payment, pot, cards, positions, openings, run_suits, run_openers, run_closers, run_stops, opened_with,
        run_lengths, opener_cards, suits_held, longest, suit_lengths, payment_kinds, payers, payees, payments_owed,
        CASE WHEN NOT recorded THEN [] END, NULL
    """,
    "kept_seats": f"""
        session_id, hand, position, {_NAME.format("player")}, seat, dealt, cards_dealt, cards_left, won, held_comet,
        played_comet, net_pot, net_comet, net_cards, CASE WHEN NOT audited THEN [] WHEN NOT recorded THEN [0] END,
        stack_before, stack_after, players, true
    """,
}
"""What becomes of the columns. Names and ENUM values are numbers here, 0 for none, which no element of a list bears."""


class Columns:
    """Columns that wait to be written. Nothing is in the database before `write`."""

    def __init__(self) -> None:
        self._waiting = 0
        self._rows: dict[str, list[Numbers]] = {table: [] for table in _LAYOUT}
        self._letters: list[bytes] = []
        self._positions: list[bytes] = []
        self._names: dict[str, int] = {}

    @property
    def full(self) -> bool:
        """Whether so many hands wait that they should be written."""
        return self._waiting >= _TOGETHER

    def take(self, proven: Proven, session_id: int) -> None:
        """Copy the hands of clean sessions.

        Args:
            proven: the sessions.
            session_id: number of the first of them; the others have the numbers after it.
        """
        top, last = proven.session(proven.first), proven.session(proven.after - 1)
        copied = _copied(proven, top.first_hand, last.first_hand + last.hands)
        _column(copied, "hands", "session")[:] += session_id - proven.first
        for table in ("seats", "runs", "payments"):
            _column(copied, table, "hand")[:] += self._waiting - top.first_hand
        words = _column(copied, "seats", "word")
        words[:] = self._number_names(proven, words)
        for table, rows in copied.items():
            self._rows[table].append(rows)
        plays = _span(copied["hands"], "first_play", "plays")
        self._letters.append(bytes(proven.tables["cards"][2 * plays.start : 2 * plays.stop]))
        self._positions.append(bytes(proven.tables["positions"][plays]))
        self._waiting += len(copied["hands"])

    def merge(self, later: "Columns") -> None:
        """Take the hands that wait in other columns, which are used up by it."""
        numbers = np.array([0, *(self._number_name(name) for name in later._names)])
        for part in later._rows["seats"]:
            words = part[:, _LAYOUT["seats"].index("word")]
            words[:] = numbers[words]
        for table, parts in later._rows.items():
            if table != "hands":
                for part in parts:
                    part[:, _LAYOUT[table].index("hand")] += self._waiting
            self._rows[table] += parts
        self._letters += later._letters
        self._positions += later._positions
        self._waiting += later._waiting

    def _number_name(self, name: str) -> int:
        """Return the number of a name; lists in DuckDB count from 1."""
        return self._names.setdefault(name, len(self._names) + 1)

    def _number_names(self, proven: Proven, words: Numbers) -> Numbers:
        """Return the numbers of the names at rows of `WORDS`."""
        table = _rows(proven.tables["words"], columns.WORDS, slice(0, proven.used["words"]))
        numbers = np.zeros(len(table), np.int64)
        for row in np.unique(words).tolist():
            at, length = table[row, :2].tolist()
            numbers[row] = self._number_name(name_of(proven.text[at : at + length]))
        return numbers[words]

    def write(self, connection: "DuckDBPyConnection") -> None:
        """Write everything that waits.

        One thread writes whole groups of rows; more leave parts of them, and cost more to no avail.
        """
        if not self._waiting:
            return
        connection.execute("SET threads = 1")
        connection.execute("SET VARIABLE proven_names = ?", [list(self._names)])
        for table, given in self._tables().items():
            connection.from_arrow(arrow_table(given)).project(_INTO[table]).insert_into(f"private.{table}")
        connection.execute("RESET threads")

    def _tables(self) -> dict[str, dict[str, Column]]:
        """Return the columns of the private tables."""
        hands, seats, runs, payments = (
            dict(zip(layout, np.ascontiguousarray(np.concatenate(self._rows[table]).T), strict=True))
            for table, layout in _LAYOUT.items()
        )
        letters = np.frombuffer(b"".join(self._letters), np.uint8)
        cards = _NUMBER_OF[letters[0::2]] + _NUMBER_OF[letters[1::2]]
        positions = np.frombuffer(b"".join(self._positions), np.uint8) - np.uint8(ord("0"))
        return {
            "hands": {
                **_hands(hands, seats, runs, cards, positions),
                **_runs(runs, hands, cards),
                **_payments(payments, hands),
            },
            "kept_seats": _seats(seats, hands),
        }


def _rows(table: Any, layout: tuple[str, ...], span: slice) -> Numbers:
    width = len(layout)
    return np.frombuffer(table, np.int64)[width * span.start : width * span.stop].reshape(-1, width)


def _column(tables: Mapping[str, Numbers], table: str, name: str) -> Numbers:
    return tables[table][:, _LAYOUT[table].index(name)]


def _span(hands: Numbers, first: str, count: str) -> slice:
    """Return the rows of another table that lie below hands."""
    at, length = columns.HANDS.index(first), columns.HANDS.index(count)
    return slice(int(hands[0, at]), int(hands[-1, at] + hands[-1, length]))


def _copied(proven: Proven, first: int, after: int) -> dict[str, Numbers]:
    """Copy hands and what lies below them out of the kernel's tables."""
    hands = _rows(proven.tables["hands"], columns.HANDS, slice(first, after))
    copied = {"hands": hands.copy()}
    for table, start, count in _BELOW:
        copied[table] = _rows(proven.tables[table], _LAYOUT[table], _span(hands, start, count)).copy()
    return copied


def _after_one_another(lengths: Numbers) -> Numbers:
    """Return where each of some stretches begins, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(lengths)))


def _numbered(values: Numbers, offsets: Numbers | None = None) -> Column:
    """Return numbers that count from 0 counted from 1, with 0 for none: -1, or what is not known."""
    return Column((np.maximum(values, -1) + 1).astype(np.uint8), None, offsets)


def _known(values: Numbers, kind: type[np.generic]) -> Column:
    """Return numbers of which some may not be known."""
    known = values != columns.NOTHING
    return Column(values.astype(kind), None if known.all() else known)


def _seated(positions: Numbers) -> Column:
    """Return positions that count from 0, below it for nobody, counted from 1."""
    return Column((positions + 1).astype(np.uint8), positions >= 0)


def _hands(
    hands: dict[str, Numbers], seats: dict[str, Numbers], runs: dict[str, Numbers], cards: Numbers, positions: Numbers
) -> dict[str, Column]:
    void = hands["void"] == 1
    plays = _after_one_another(hands["plays"])
    openings = np.zeros(len(void), np.int64)
    np.add.at(openings, runs["hand"], 1 << runs["first_ply"] - 1)
    return {
        "session_id": Column(hands["session"].astype(np.int32)),
        "hand": Column(hands["number"].astype(np.int32)),
        "time": _known(hands["time"], np.int32)._replace(clock=True),
        "names": Column(seats["word"].astype(np.int32), None, _after_one_another(hands["players"])),
        "winner": _seated(hands["winner"]),
        "audit": _numbered(hands["audit"]),
        "void": Column(void),
        "plays": Column(hands["plays"].astype(np.uint8), ~void),
        "runs": Column(hands["runs"].astype(np.uint8), ~void),
        "cards_left": _known(hands["cards_left"], np.uint8),
        "comet_holder": _seated(hands["comet_holder"]),
        "comet_player": _seated(hands["comet_player"]),
        "comet_for": _numbered(hands["comet_for"]),
        "comet_use": _numbered(hands["comet_use"]),
        "comet_ply": _known(hands["comet_ply"], np.uint8),
        "comet_payment": _known(hands["comet_payment"], np.int64),
        "pot": _known(hands["pot"], np.int64),
        "cards": Column(cards, None, plays),
        "positions": Column(positions, None, plays),
        "openings": Column(openings),
    }


def _seats(seats: dict[str, Numbers], hands: dict[str, Numbers]) -> dict[str, Column]:
    of, position = seats["hand"], seats["position"] - 1
    return {
        "session_id": Column(hands["session"].astype(np.int32)[of]),
        "hand": Column(hands["number"].astype(np.int32)[of]),
        "players": Column(hands["players"].astype(np.uint8)[of]),
        **{name: Column(seats[name].astype(np.uint8)) for name in ("position", "seat", "cards_dealt", "cards_left")},
        "player": Column(seats["word"].astype(np.int32)),
        **{name: Column(seats[name]) for name in ("dealt", "net_pot", "net_comet", "net_cards")},
        "won": Column(hands["winner"][of] == position),
        "held_comet": Column(hands["comet_holder"][of] == position),
        "played_comet": Column(hands["comet_player"][of] == position),
        "audited": Column((hands["audit"] != _UNRECORDED)[of]),
        "recorded": Column((hands["recorded"] == 1)[of]),
        "stack_before": _known(seats["stack_before"], np.int64),
        "stack_after": _known(seats["stack_after"], np.int64),
    }


def _runs(runs: dict[str, Numbers], hands: dict[str, Numbers], cards: Numbers) -> dict[str, Column]:
    """Return the runs of each hand as lists."""
    offsets = _after_one_another(hands["runs"])
    return {
        "run_suits": _numbered(runs["suit"], offsets),
        "run_openers": _numbered(runs["opener"], offsets),
        "run_closers": _numbered(runs["closer"], offsets),
        "run_stops": _numbered(runs["stop"], offsets),
        "opened_with": Column(cards[_after_one_another(runs["length"])[:-1]], None, offsets),
        "run_lengths": Column(runs["length"].astype(np.uint8), None, offsets),
        "opener_cards": Column(runs["opener_cards"].astype(np.uint8), None, offsets),
        "suits_held": Column(runs["suits_held"].astype(np.uint8), None, offsets),
        "longest": Column(runs["longest"] == 1, None, offsets),
        "suit_lengths": Column(runs["suit_length"].astype(np.uint8), None, offsets),
    }


def _payments(payments: dict[str, Numbers], hands: dict[str, Numbers]) -> dict[str, Column]:
    """Return the payments of each hand as lists."""
    offsets = _after_one_another(hands["payments"])
    return {
        "payment_kinds": _numbered(payments["kind"], offsets),
        "payers": _numbered(payments["payer"], offsets),
        "payees": _numbered(payments["payee"], offsets),
        "payments_owed": Column(payments["amount"], None, offsets),
        "recorded": Column(hands["recorded"] == 1),
    }

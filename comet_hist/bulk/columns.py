"""What comes out of the kernel: tables of whole numbers, one row after another, with the columns named here.

A table is an `array('q')`: the value of column `c` in row `r` stands at `r * width + c`, where the width is the number
of its columns. Rows point at rows of other tables by number, at names by their number among the `WORDS`, and at text by
offset and length in the chunk. Positions count from 0, left of the dealer. `NOTHING` stands for a number that is not
known.
"""

from typing import Final, Literal

NOTHING: Final = -(2**63)
"""Stands where the record gives no number: no date, no time, chips that are not known."""

NO_CARD: Final = 52
"""Stands where there is no card."""

MOST_PLAYERS: Final = 64
"""Who ever sat in a session; one with more goes the ordinary road."""

SESSIONS: Final = (
    "start",  # offset of its first byte
    "end",  # offset after its last, the blank line below it included
    "line",  # lines of the chunk above it
    "ident_at",
    "ident_length",
    "date",  # days since 1970-01-01
    "began",  # seconds since midnight
    "place_at",
    "place_length",  # 0 where no place is given
    "rules_at",
    "rules_length",
    "players",  # everybody who ever sat
    "counted",  # hands that are not void; all of them are legal
    "hands",  # all hands
    "first_hand",  # row in HANDS
    "first_balance",  # row in BALANCES
)
"""A session."""

HANDS: Final = (
    "session",  # row in SESSIONS
    "number",
    "time",  # seconds since midnight
    "void",  # 1 or 0; of a void hand everything behind `players` is NOTHING or 0
    "players",  # at the table; 0 for a void hand
    "first_seat",  # row in SEATS
    "first_run",  # row in RUNS
    "runs",
    "first_play",  # index in the plays
    "plays",
    "first_payment",  # row in PAYMENTS
    "payments",
    "winner",  # position
    "cards_left",
    "comet_holder",  # position
    "comet_player",  # position
    "comet_for",  # card it stood for
    "comet_use",  # index in USES
    "comet_ply",
    "comet_payment",
    "pot",
    "audit",  # index in AUDITS
    "recorded",  # 1 where the payments are recorded
    "line",  # lines of the chunk above it
)
"""A hand. The opener is position 0."""

SEATS: Final = (
    "hand",  # row in HANDS
    "position",  # 1 = left of the dealer, as in the database
    "word",  # name, row in WORDS
    "seat",
    "dealt",  # mask of cards
    "cards_dealt",
    "cards_left",
    "net_pot",
    "net_comet",
    "net_cards",
    "stack_before",
    "stack_after",
)
"""A player in a hand that is not void, from the dealer's left."""

RUNS: Final = (
    "hand",  # row in HANDS
    "run",  # 1-based
    "suit",
    "opener",  # position
    "closer",  # position
    "stop",  # index in STOPS
    "first_ply",  # 1-based
    "length",  # plays
    "opener_cards",  # plays of its opener
    "suits_held",
    "longest",  # 1 or 0
    "suit_length",
)
"""A run. Its plays stand in `cards`, two letters each, and `positions`, one digit each, 1 = left of the dealer."""

PAYMENTS: Final = (
    "hand",  # row in HANDS
    "kind",  # index in KINDS
    "payer",  # position, -1 the pot
    "payee",  # position, -1 the pot
    "amount",  # owed; recorded too where the hand records payments, or the kind is transfer
)
"""A payment."""

BALANCES: Final = (
    "session",  # row in SESSIONS
    "word",  # name, row in WORDS
    "start",
    "bought",
    "net",  # won by the rules and by the record
)
"""A player's session, in seat order, then in the order of joining."""

WORDS: Final = ("at", "length", "known")
"""A name as it is written, quotes included; each stands once in a chunk. `known` is the scanner's."""

LEFT: Final = (
    "start",
    "end",
    "line",  # lines of the chunk above it
)
"""A stretch of text that goes the ordinary road."""

STOPS: Final = ("king", "gap", "played", "out")
USES: Final = ("gap", "rescue", "preempt", "own", "led")
AUDITS: Final[tuple[Literal["ok", "wrong", "unrecorded"], ...]] = ("ok", "wrong", "unrecorded")
KINDS: Final = ("ante", "comet", "cards", "pot", "transfer")

"""The views of the database with the meaning of each column: what `schema` prints and docs/database.md says."""

from typing import Final, NamedTuple


class Column(NamedTuple):
    """A column of a view.

    Attributes:
        name: its name.
        type: its DuckDB type; lower-case names are the ENUM types of `ENUMS`.
        meaning: what it holds, and when it is NULL.
    """

    name: str
    type: str
    meaning: str


class View(NamedTuple):
    """A view: its name, what one row of it is, and its columns in order."""

    name: str
    row: str
    columns: tuple[Column, ...]


ENUMS: Final[dict[str, str]] = {
    "card": "the 52 cards from 'Ac' to 'Ks', ordered by suit c d h s, then rank A 2 … T J Q K",
    "suit": "'c', 'd', 'h', 's'",
    "comet_use": (
        "'gap' for 8♦, 'rescue' when nobody held the needed card, 'preempt' when another player held it, "
        "'own' when its player held it too, 'led' as 9♦ itself"
    ),
    "stop": (
        "'king' nothing follows a king, 'gap' 8♦ was needed, 'played' the needed card lay on the table already, "
        "'out' somebody went out"
    ),
    "audit": "'ok', 'wrong' (an E5 finding), 'unrecorded' (neither payments nor stacks are written down)",
    "payment": "'ante', 'comet', 'cards', 'pot', 'transfer'",
    "severity": "'error', 'warning'",
}
"""The ENUM types, with what their values mean."""

_SESSION = Column("session", "VARCHAR", "the session's identifier")
_HAND = Column("hand", "BIGINT", "the hand's number in its session")

VIEWS: Final[tuple[View, ...]] = (
    View(
        "sources",
        "a file that was loaded",
        (
            Column("source", "BIGINT", "the file's number in this database"),
            Column("path", "VARCHAR", "where it was, an absolute path; - for standard input and pipes"),
            Column("sha256", "VARCHAR", "of its bytes, as they were when it was loaded"),
            Column("bytes", "BIGINT", "its size"),
            Column("loaded_at", "TIMESTAMP", "when it was loaded, in UTC"),
            Column("sessions", "BIGINT", "sessions that stand in the database by this file"),
            Column("hands", "BIGINT", "their hands, void ones not counted"),
            Column("legal_hands", "BIGINT", "their legal hands"),
        ),
    ),
    View(
        "sessions",
        "a session",
        (
            _SESSION,
            Column("source", "BIGINT", "the file it stands here by"),
            Column("date", "DATE", "the day it began, by the clock of the place; NULL where not written"),
            Column("place", "VARCHAR", "where it was played; NULL where not written"),
            Column("language", "VARCHAR", "the language it is written in: en, de, fr, es"),
            Column("game", "VARCHAR", "classic, quatre or deux; this and the rules below are NULL where unreadable"),
            Column("ante", "BIGINT", "chips each player puts into the pot"),
            Column("comet", "BIGINT", "chips each other player pays for the Comet, before doubling"),
            Column("card", "BIGINT", "chips for each card left"),
            Column("progressive", "BOOLEAN", "whether the Comet payment doubles while nobody plays it"),
            Column("hands_agreed", "BIGINT", "the agreed number of hands; NULL where none"),
            Column("players", "BIGINT", "different players who sat down"),
            Column("hands", "BIGINT", "hands, void ones not counted"),
            Column("legal_hands", "BIGINT", "legal hands"),
            Column("chip", "DECIMAL(18,6)", "what a chip is worth; NULL where the table agreed on nothing"),
            Column("currency", "VARCHAR", "in which currency, three letters (ISO 4217); NULL where chip is"),
        ),
    ),
    View(
        "hands",
        "a hand",
        (
            _SESSION,
            _HAND,
            Column("time", "TIME", "when it began; NULL where not written"),
            Column("players", "INTEGER", "players who were dealt to; NULL for a void or unreadable hand, as below"),
            Column("dealer", "VARCHAR", "who dealt, by the record or by rotation"),
            Column("opener", "VARCHAR", "who opened the first run"),
            Column("winner", "VARCHAR", "who went out; NULL where nobody did"),
            Column(
                "legal",
                "BOOLEAN",
                "no finding of E1 to E4; NULL for a void hand and where W208 left something unchecked",
            ),
            Column("audit", "audit", "how its payments stand; NULL for a void, unreadable or unfinished hand"),
            Column("void", "BOOLEAN", "whether it does not count"),
            Column("plays", "INTEGER", "cards played"),
            Column("runs", "INTEGER", "runs played"),
            Column("cards_left", "INTEGER", "cards left in all hands at the end"),
            Column("comet_holder", "VARCHAR", "who was dealt 9♦; NULL where not known"),
            Column("comet_player", "VARCHAR", "who played it; NULL where nobody did, as in the columns below"),
            Column("comet_for", "card", "the card it stood for; NULL where it was led as 9♦"),
            Column("comet_use", "comet_use", "how it was used; NULL also where a fault leaves that open"),
            Column("comet_ply", "INTEGER", "the ply at which it was played, 1 for the first card of the hand"),
            Column("comet_payment", "BIGINT", "chips that each other player owes for the Comet if it is played"),
            Column("pot", "BIGINT", "chips owed to the pot by all together; NULL as audit is"),
        ),
    ),
    View(
        "seats",
        "a player in a hand",
        (
            _SESSION,
            _HAND,
            Column("player", "VARCHAR", "the player's name"),
            Column("seat", "INTEGER", "the seat's number, clockwise"),
            Column("position", "INTEGER", "1 = left of the dealer … the number of players = dealer"),
            Column("cards_dealt", "INTEGER", "cards dealt to them"),
            Column("cards_left", "INTEGER", "cards they had left at the end"),
            Column("won", "BOOLEAN", "whether they went out"),
            Column("held_comet", "BOOLEAN", "whether they were dealt 9♦; NULL where not known"),
            Column("played_comet", "BOOLEAN", "whether they played it"),
            Column("net", "BIGINT", "chips won by what was owed: net_pot + net_comet + net_cards"),
            Column("net_pot", "BIGINT", "of that, the pot less the ante"),
            Column("net_comet", "BIGINT", "of that, payments for the Comet"),
            Column("net_cards", "BIGINT", "of that, payments for cards left"),
            Column("recorded_net", "BIGINT", "chips won by what was written; NULL where no payments are written"),
            Column("stack_before", "BIGINT", "chips before the hand; NULL where not known"),
            Column("stack_after", "BIGINT", "chips after it; NULL where not known"),
        ),
    ),
    View(
        "deals",
        "a card dealt",
        (
            _SESSION,
            _HAND,
            Column("player", "VARCHAR", "to whom"),
            Column("card", "card", "the card"),
        ),
    ),
    View(
        "runs",
        "a run",
        (
            _SESSION,
            _HAND,
            Column("run", "INTEGER", "its number in the hand, from 1"),
            Column("suit", "suit", "the suit of its first card"),
            Column("opener", "VARCHAR", "who opened it"),
            Column("closer", "VARCHAR", "who played its last card"),
            Column("opened_with", "card", "its first card"),
            Column("length", "INTEGER", "its cards"),
            Column("stop", "stop", "why it ended; NULL where a fault leaves that open"),
        ),
    ),
    View(
        "plays",
        "a card played",
        (
            _SESSION,
            _HAND,
            Column("ply", "INTEGER", "its number in the hand, from 1"),
            Column("run", "INTEGER", "the run it belongs to"),
            Column("player", "VARCHAR", "who played it"),
            Column("card", "card", "the card"),
            Column("stands_for", "card", "the card the Comet stood for; NULL for every other card"),
            Column("comet_use", "comet_use", "how the Comet was used; NULL for every other card"),
        ),
    ),
    View(
        "payments",
        "an amount from one to another",
        (
            _SESSION,
            _HAND,
            Column("kind", "payment", "what it was for"),
            Column("payer", "VARCHAR", "who pays; NULL is the pot"),
            Column("payee", "VARCHAR", "who is paid; NULL is the pot"),
            Column("owed", "BIGINT", "chips by the rules"),
            Column("recorded", "BIGINT", "chips as written; NULL where the hand records no payments"),
        ),
    ),
    View(
        "findings",
        "a finding",
        (
            Column("source", "BIGINT", "the file it is in"),
            Column("session", "VARCHAR", "its session; NULL before any"),
            Column("hand", "BIGINT", "its hand; NULL outside one"),
            Column("line", "BIGINT", "the line of the file, from 1"),
            Column("column", "BIGINT", "the character of the line, from 1"),
            Column("code", "VARCHAR", "such as E406"),
            Column("severity", "severity", "errors have codes with E, warnings with W"),
            Column("message", "VARCHAR", "what is wrong"),
        ),
    ),
)
"""The public contract: views and columns in this order, with these types."""

"""The columns of the statistics: what each means and how it is shown. Tables, help and documentation come from here."""

from typing import Final, Literal, NamedTuple


class Column(NamedTuple):
    """A column of a statistic.

    Attributes:
        name: its name.
        meaning: its definition, and when it is empty.
        shown: how people are shown it: `text`, a whole `number`, a `decimal` with two places, or a `rate`, a share
            of 1 shown in percent.
    """

    name: str
    meaning: str
    shown: Literal["text", "number", "decimal", "rate"] = "number"


PLAYERS: Final[tuple[Column, ...]] = (
    Column("player", "the player's name", "text"),
    Column("hands", "hands played in"),
    Column("sessions", "sessions played in"),
    Column("wins", "hands gone out"),
    Column("win_rate", "wins / hands", "rate"),
    Column("win_low", "lower end of the 95 % Wilson interval of win_rate", "rate"),
    Column("win_high", "upper end of it", "rate"),
    Column("expected_wins", "sum of 1 / players over the hands: what an even game gives", "decimal"),
    Column("net", "chips won"),
    Column("net_hand", "mean chips won a hand", "decimal"),
    Column("net_se", "standard error of that mean: sample standard deviation / √hands; empty for one hand", "decimal"),
    Column("net_pot", "part of net: pots won less antes"),
    Column("net_comet", "part of net: payments for the Comet"),
    Column("net_cards", "part of net: payments for cards left"),
    Column("best", "chips won in the best hand"),
    Column("worst", "chips won in the worst hand"),
    Column("comet_dealt", "hands in which they were dealt the Comet"),
    Column("comet_played", "of those, hands in which they played it"),
    Column("comet_play_rate", "comet_played / comet_dealt; empty if never dealt it", "rate"),
    Column("comet_gap", "Comets played for 8♦"),
    Column("comet_rescue", "Comets played for a card that nobody held"),
    Column("comet_preempt", "Comets played for a card that another player held"),
    Column("comet_own", "Comets played for a card that they held too"),
    Column("comet_led", "Comets led as 9♦"),
    Column(
        "comet_timing",
        "mean of (ply − 1) / (plays of the hand − 1) at which they played it: 0 first card, 1 last; empty if never",
        "decimal",
    ),
    Column("comet_stuck", "hands that ended with the Comet still in their hand"),
    Column("opened", "runs opened"),
    Column("opened_choice", "of those, runs opened while holding two suits or more"),
    Column("opened_longest", "of opened_choice, runs in a suit that was (or tied for) the longest they held"),
    Column("longest_rate", "opened_longest / opened_choice; empty if never two suits to choose from", "rate"),
    Column("shed_opening", "own cards played in runs that they opened, per run opened; empty if none", "decimal"),
    Column("cards_left", "mean cards left in hands that another player won; empty if none", "decimal"),
)
"""The columns of `stats players`, in order."""

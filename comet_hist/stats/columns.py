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


class View(NamedTuple):
    """A statistic.

    Attributes:
        name: its name.
        about: what it is about.
        row: what one row of it is.
        columns: its columns, in order.
        first: the columns that are shown where there is no room for all, the most important first; the others come
            after them, in order.
    """

    name: str
    about: str
    row: str
    columns: tuple[Column, ...]
    first: tuple[str, ...]


_INTERVAL: Final = "end of the 95 % Wilson interval of"


def _share(name: str, meaning: str, stem: str) -> tuple[Column, ...]:
    """Return the columns of a share with its interval; `stem` is what their names begin with."""
    return (
        Column(name, meaning, "rate"),
        Column(f"{stem}_low", f"lower {_INTERVAL} {name}", "rate"),
        Column(f"{stem}_high", f"upper {_INTERVAL} {name}", "rate"),
    )


def _error(name: str, of: str) -> Column:
    """Return the column of a standard error."""
    return Column(name, f"standard error of {of}; empty for less than two", "decimal")


_WINS: Final = (Column("wins", "of these hands, gone out"), *_share("win_rate", "wins / hands", "win"))


_PLAYERS: Final = (
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

_SESSIONS: Final = (
    Column("session", "the session's identifier", "text"),
    Column("date", "the day it began; empty where not written", "text"),
    Column("player", "the player's name", "text"),
    Column("rank", "place in the session by net; equal net, equal rank; empty where no amounts are recorded"),
    Column("winner", "whether they won the session; several do where net is equal; empty as rank is", "text"),
    Column("hands_agreed", "the agreed number of hands; empty where none"),
    Column("session_hands", "hands of the session, void ones not counted"),
    Column("counted", "of session_hands, those that count here"),
    Column("hands", "of counted, those that the player played in"),
    Column("wins", "of hands, gone out"),
    Column("net", "chips won in the session"),
    Column("best", "chips won in the best hand"),
    Column("worst", "chips won in the worst hand"),
    Column("high", "the most chips won at any time since the start, 0 at least"),
    Column("low", "the fewest chips won at any time since the start, 0 at most"),
    Column("swing", "high - low"),
)

_COMET: Final = (
    Column("by", "what the row sorts by: outcome, use, rank (of the card it stood for), third (of the hand)", "text"),
    Column(
        "value",
        "of outcome: played, or stuck in the hand at the end; of use: gap for 8♦, rescue for a card nobody held, "
        "preempt for one another player held, own for one its player held, led as 9♦; of third: first, middle, last, "
        "by (ply − 1) / (plays of the hand − 1)",
        "text",
    ),
    Column("comets", "Comets of this kind"),
    Column("of", "of outcome: Comets dealt; of use: played; of rank: played for a card; of third: played"),
    *_share("share", "comets / of", "share"),
    Column("chips", "chips the Comet brought: payments for it; empty if none"),
    Column("chips_mean", "chips, per Comet", "decimal"),
    _error("chips_se", "chips_mean"),
    Column("wins", "of these hands, gone out"),
    *_share("win_rate", "wins / comets", "win"),
    Column("net_mean", "mean chips won in these hands, all payments taken together", "decimal"),
    _error("net_se", "net_mean"),
)

_OPENINGS: Final = (
    Column("by", "what the row sorts by: all, length (cards held of the suit), suit, rank (of the first card)", "text"),
    Column("value", "the length, suit or rank; empty for all", "text"),
    Column("openings", "runs opened so"),
    Column("of", "runs opened; of length: those where the hand is known"),
    *_share("share", "openings / of", "share"),
    Column("run_length", "mean cards of the run", "decimal"),
    _error("run_length_se", "run_length"),
    Column("shed", "mean own cards of the opener in the run, the first included", "decimal"),
    _error("shed_se", "shed"),
)

_STOPS: Final = (
    Column("suit", "the suit of the run, or all", "text"),
    Column("runs", "runs that ended with a card of the player"),
    *(
        column
        for stop, why in (
            ("king", "stopped by a king"),
            ("gap", "stopped below 8♦"),
            ("played", "stopped because the card needed lay on the table already"),
            ("out", "ended by somebody going out"),
        )
        for column in (Column(stop, f"of runs, {why}"), *_share(f"{stop}_rate", f"{stop} / runs", stop))
    ),
    Column("length", "mean cards of the run", "decimal"),
    _error("length_se", "length"),
)

_SEATS: Final = (
    Column("players", "players at the table"),
    Column("by", "what the row sorts by: position, or cards (dealt)", "text"),
    Column("value", "the position, 1 left of the dealer to the dealer's own; or the number of cards"),
    Column("hands", "hands played there"),
    Column("cards_dealt", "mean cards dealt", "decimal"),
    *_WINS,
    Column("expected_rate", "1 / players: what an even game gives", "rate"),
    Column("net", "chips won"),
    Column("net_mean", "mean chips won a hand", "decimal"),
    _error("net_se", "net_mean"),
    Column("cards_left", "mean cards left in hands that another player won; empty if none", "decimal"),
    Column(
        "extra_cost",
        "what the extra card costs a hand: net_mean of those dealt the fewest cards at such a table less net_mean; "
        "of cards only, empty for the fewest",
        "decimal",
    ),
)

_PAIRS: Final = (
    Column("payer", "who paid", "text"),
    Column("payee", "whom", "text"),
    Column("hands", "hands that both played in"),
    Column("pot", "antes of the payer in hands whose pot the payee got"),
    Column("comet", "chips paid for the Comet"),
    Column("cards", "chips paid for cards left"),
    Column("paid", "pot + comet + cards; all amounts are empty where none is recorded"),
    Column("received", "what the payee paid the payer in turn"),
    Column("balance", "received - paid: what the payer won from the payee"),
    Column("transfer", "chips handed over besides, which the rules do not owe"),
)

_TIMELINE: Final = (
    Column("number", "the hand's number among all that count, in order of date, time, session and hand"),
    Column("session", "the session's identifier", "text"),
    Column("date", "the day it began; empty where not written", "text"),
    Column("hand", "the hand's number in its session"),
    Column("player", "the player's name", "text"),
    Column("net", "chips won in the hand"),
    Column("session_net", "chips won in the session so far"),
    Column("total_net", "chips won in all hands so far"),
)

_FIRST: Final = {
    "players": "player hands wins net net_hand win_rate comet_dealt comet_played cards_left",
    "sessions": "session player rank net hands wins winner date best worst",
    "comet": "by value comets of share win_rate net_mean chips wins",
    "openings": "by value openings share run_length shed of",
    "stops": "suit runs king_rate gap_rate played_rate out_rate length",
    "seats": "players by value hands win_rate expected_rate net_mean net wins",
    "pairs": "payer payee paid received balance hands",
    "timeline": "session hand player net total_net session_net date",
}

VIEWS: Final = {
    name: View(name, about, row, columns, tuple(_FIRST[name].split()))
    for name, about, row, columns in (
        ("players", "who plays well", "a player", _PLAYERS),
        ("sessions", "the standings of each session", "a player in a session", _SESSIONS),
        ("comet", "what the Comet did for those who were dealt it", "a way it went", _COMET),
        ("openings", "what runs are opened with", "a kind of opening", _OPENINGS),
        ("stops", "why runs stop", "a suit", _STOPS),
        ("seats", "what a place at the table is worth", "a place at tables of a size", _SEATS),
        ("pairs", "who paid whom", "two players who sat together, in one direction", _PAIRS),
        ("timeline", "the chips of each player, hand by hand", "a player in a hand", _TIMELINE),
    )
}
"""The statistics, by name, in the order they are listed in."""

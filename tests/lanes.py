"""What either lane makes of a text, in the same shape, so that the two can be held against each other."""

import datetime
import io
import pickle
from array import array
from typing import Any, NamedTuple

from comet_hist import notation
from comet_hist.bulk import columns
from comet_hist.bulk.chunks import SIZE, chunks
from comet_hist.bulk.kernel import Kernel
from comet_hist.bulk.mixed import judge_stretch
from comet_hist.bulk.proven import Stretch, parts, rules_of
from comet_hist.cards import NAMES
from comet_hist.findings import Finding
from comet_hist.judge import Judge, Judged
from comet_hist.notation.write import digest
from comet_hist.record import Fault
from comet_hist.rules import CHOICES
from comet_hist.store import rows


class Told(NamedTuple):
    """What is known of a session: its digest, and its rows for the loader without its identifier there."""

    digest: str
    session: tuple[Any, ...]
    hands: list[tuple[Any, ...]]
    seats: list[tuple[Any, ...]]
    balances: list[tuple[Any, ...]]


def ordinary(text: bytes) -> tuple[dict[int, Told], set[int]]:
    """Return what the ordinary road tells of each session, by the line that opens it, and which have findings."""
    told, faulty = {}, set()
    for judged in Judge().judge(notation.read(io.BytesIO(text), "x.comet")):
        session, replay, audit = judged.session, judged.replay, judged.audit
        if session is None or replay is None or audit is None:
            continue
        line = session.line.number
        if any(finding.code != "E206" for finding in judged.findings):
            faulty.add(line)
        pairs = list(zip(replay.hands, audit.hands, strict=True))
        told[line] = Told(
            session.digest,
            rows.session_row(1, 1, session, replay.hands),
            [rows.hand_row(1, *pair) for pair in pairs],
            [row for pair in pairs for row in rows.seat_rows(1, *pair)],
            [(balance.player, balance.start, balance.bought, balance.owed_net) for balance in audit.balances],
        )
        assert line in faulty or all(balance.owed_net == balance.recorded_net for balance in audit.balances)
    return told, faulty


class Verdict(NamedTuple):
    """All that is said of a session, or of stray text, whichever road each of its hands went; hands in any order."""

    findings: list[Finding]
    faults: list[Fault]
    session: tuple[Any, ...]
    chips: list[Any]


def verdict(judged: Judged) -> Verdict:
    """Return what was said of a session, with its audit where there is one."""
    session, replay, audit, rest = judged.session, judged.replay, judged.audit, judged.rest
    if session is None or replay is None:
        return Verdict(judged.findings, [], (), [])
    clean = None if rest is None else _Reader(rest.tables, rest.used, rest.text).told(0)
    row = rows.session_row(1, 1, session, replay.hands)
    if clean is not None:
        counts = zip(row[15:17], clean.session[15:17], strict=True)
        row = (*row[:14], clean.session[14], *(one + other for one, other in counts), *row[17:])
    chips: list[Any] = []
    if audit is not None:
        pairs = list(zip(replay.hands, audit.hands, strict=True))
        hands = [rows.hand_row(1, *pair) for pair in pairs] + (clean.hands if clean else [])
        seats = [row for pair in pairs for row in rows.seat_rows(1, *pair)] + (clean.seats if clean else [])
        chips = [sorted(each, key=repr) for each in (hands, seats)]
        chips += [audit.balances, audit.settle, audit.faults]
    faults = session.faults + replay.faults
    return Verdict(judged.findings, faults, (session.digest, row), chips)


def left_over(text: bytes, size: int = SIZE, *, chips: bool) -> tuple[list[Judged], set[int]]:
    """Judge hand by hand what the kernel leaves of a text; and return the opening lines of the sessions it takes."""
    kernel = Kernel()
    judged: list[Judged] = []
    taken: set[int] = set()
    line = 0
    for chunk in chunks(io.BytesIO(text), size):
        kernel.read(chunk.text)
        for part in parts(kernel, chunk, line):
            if isinstance(part, Stretch):
                judged += pickle.loads(pickle.dumps(list(judge_stretch(part, "x.comet", chips=chips))))
            else:
                taken |= {part.line + part.session(row).line + 1 for row in range(part.first, part.after)}
        line += kernel.used["lines"]
    return judged, taken


def bulk(text: bytes, size: int = SIZE) -> dict[int, Told]:
    """Return what the kernel tells of each session that it takes, by the line that opens it."""
    kernel = Kernel()
    told = {}
    above = 0
    for chunk in chunks(io.BytesIO(text), size):
        kernel.read(chunk.text)
        reader = _Reader(kernel.tables, kernel.used, chunk.text)
        taken = [reader.span(number) for number in range(kernel.used["sessions"])]
        left = reader.rows("left", columns.LEFT)
        spans = sorted([(row["start"], row["end"]) for row in left] + taken)
        assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])], "no byte twice, and none left out"
        assert spans[-1][1] == len(chunk.text)
        for row in left:
            assert row["line"] == chunk.text.count(b"\n", 0, row["start"])
        for number, (start, _) in enumerate(taken):
            line = chunk.text.count(b"\n", 0, start)
            assert line == reader.row("sessions", columns.SESSIONS, number)["line"]
            told[above + line + 1] = reader.told(number)
        above += kernel.used["lines"]
        assert kernel.used["lines"] == chunk.text.count(b"\n")
    return told


class _Reader:
    """Reads the tables of a kernel back into rows."""

    def __init__(self, tables: dict[str, Any], used: dict[str, int], chunk: bytes) -> None:
        self.tables = tables
        self.used = used
        self.chunk = chunk

    def row(self, table: str, names: tuple[str, ...], number: int) -> dict[str, Any]:
        width = len(names)
        values: array[int] = self.tables[table][width * number : width * (number + 1)]
        return {name: None if value == columns.NOTHING else value for name, value in zip(names, values, strict=True)}

    def rows(self, table: str, names: tuple[str, ...]) -> list[dict[str, Any]]:
        return [self.row(table, names, number) for number in range(self.used[table])]

    def span(self, number: int) -> tuple[int, int]:
        session = self.row("sessions", columns.SESSIONS, number)
        return session["start"], session["end"]

    def word(self, number: int) -> str:
        word = self.row("words", columns.WORDS, number)
        token = self.chunk[word["at"] : word["at"] + word["length"]].decode()
        return token[1:-1].replace('\\"', '"').replace("\\\\", "\\") if token[0] == '"' else token

    def told(self, number: int) -> Told:
        session = self.row("sessions", columns.SESSIONS, number)
        first = session["first_hand"]
        hands = [self.row("hands", columns.HANDS, row) for row in range(first, first + session["hands"])]
        text = self.chunk[session["start"] : session["end"]]
        text = text if text.endswith(b"\n\n") else text + b"\n"
        said = digest(text)
        place = self.chunk[session["place_at"] : session["place_at"] + session["place_length"]].decode() or None
        ident = self.chunk[session["ident_at"] : session["ident_at"] + session["ident_length"]].decode()
        date = session["date"]
        rules = rules_of(self.chunk[session["rules_at"] : session["rules_at"] + session["rules_length"]])
        row = (
            1,
            ident[1:-1] if ident[0] == '"' else ident,
            1,
            said,
            None if date is None else datetime.date(1970, 1, 1) + datetime.timedelta(days=date),
            _clock(session["began"]),
            place,
            "en",
            rules.game,
            rules.ante,
            rules.comet,
            rules.card,
            rules.progressive,
            rules.hands,
            session["players"],
            session["counted"],
            session["counted"],
            0,
            *(rules.chip or (None, None)),
            *(getattr(rules, item) for item in CHOICES),
        )
        balances = [
            (self.word(balance["word"]), balance["start"], balance["bought"], balance["net"])
            for balance in self.rows("balances", columns.BALANCES)
            if balance["session"] == number
        ]
        return Told(
            said,
            row,
            [self.hand(hand) for hand in hands],
            [row for hand in hands for row in self.seats(hand)],
            balances,
        )

    def names(self, hand: dict[str, Any]) -> list[str]:
        first = hand["first_seat"]
        return [
            self.word(self.row("seats", columns.SEATS, row)["word"]) for row in range(first, first + hand["players"])
        ]

    def hand(self, hand: dict[str, Any]) -> tuple[Any, ...]:
        names = self.names(hand)
        clock = _clock(hand["time"])
        void = bool(hand["void"])
        plays = range(hand["first_play"], hand["first_play"] + hand["plays"])
        runs = 0 if void else hand["runs"]

        def one(column: str, values: Any) -> Any:
            return None if hand[column] is None else values[hand[column]]

        def place(column: str) -> int | None:
            return None if hand[column] is None else hand[column] + 1

        return (
            1,
            hand["number"],
            clock,
            names,
            place("winner"),
            not void,
            None if void else True,
            one("audit", columns.AUDITS),
            void,
            None if void else hand["plays"],
            None if void else hand["runs"],
            hand["cards_left"],
            place("comet_holder"),
            place("comet_player"),
            one("comet_for", NAMES),
            one("comet_use", columns.USES),
            hand["comet_ply"],
            hand["comet_payment"],
            hand["pot"],
            [self.card(play) for play in plays],
            [int(self.tables["positions"][play : play + 1]) for play in plays],
            sum(1 << self.row("runs", columns.RUNS, hand["first_run"] + run)["first_ply"] - 1 for run in range(runs)),
            *self.runs(hand),
            *self.payments(hand),
        )

    def seats(self, hand: dict[str, Any]) -> list[tuple[Any, ...]]:
        told = []
        for number in range(hand["first_seat"], hand["first_seat"] + hand["players"]):
            seat = self.row("seats", columns.SEATS, number)
            nets = (seat["net_pot"], seat["net_comet"], seat["net_cards"])
            position = seat["position"] - 1
            told.append(
                (
                    1,
                    hand["number"],
                    seat["position"],
                    self.word(seat["word"]),
                    seat["seat"],
                    seat["dealt"],
                    seat["cards_dealt"],
                    seat["cards_left"],
                    hand["winner"] == position,
                    hand["comet_holder"] == position,
                    hand["comet_player"] == position,
                    *nets,
                    None if hand["recorded"] else [] if columns.AUDITS[hand["audit"]] == "unrecorded" else [0],
                    seat["stack_before"],
                    seat["stack_after"],
                    hand["players"],
                    True,
                )
            )
        return told

    def card(self, play: int) -> int:
        return NAMES.index(self.tables["cards"][2 * play : 2 * play + 2].decode())

    def runs(self, hand: dict[str, Any]) -> tuple[Any, ...]:
        first = hand["first_run"]
        runs = [self.row("runs", columns.RUNS, row) for row in range(first, first + (hand["runs"] or 0))]
        return (
            [run["suit"] + 1 for run in runs],
            [run["opener"] + 1 for run in runs],
            [run["closer"] + 1 for run in runs],
            [run["stop"] + 1 for run in runs],
            [self.card(hand["first_play"] + run["first_ply"] - 1) for run in runs],
            [run["length"] for run in runs],
            [run["opener_cards"] for run in runs],
            [run["suits_held"] for run in runs],
            [bool(run["longest"]) for run in runs],
            [run["suit_length"] for run in runs],
        )

    def payments(self, hand: dict[str, Any]) -> tuple[Any, ...]:
        first = hand["first_payment"]
        payments = [self.row("payments", columns.PAYMENTS, row) for row in range(first, first + hand["payments"])]
        return (
            [payment["kind"] + 1 for payment in payments],
            [payment["payer"] + 1 for payment in payments],
            [payment["payee"] + 1 for payment in payments],
            [payment["amount"] for payment in payments],
            None if hand["recorded"] else [],
            None,
        )


def _clock(seconds: int | None) -> datetime.time | None:
    return None if seconds is None else datetime.time(seconds // 3600, seconds // 60 % 60, seconds % 60)

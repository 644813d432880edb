"""A hand with everything that is shown of it, and the rows that its whole and its single plays have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from comet_hist.audit.facts import HandAudit, Payment
from comet_hist.cards import SIGNED
from comet_hist.cli.output.characters import visible
from comet_hist.cli.output.rows import Bit, Group, Word, columns, listed, row, words
from comet_hist.cli.output.signs import Signs
from comet_hist.engine.facts import Laid, Replay
from comet_hist.engine.position import Watched, watch
from comet_hist.findings import Finding, find, in_order
from comet_hist.judge import Judged
from comet_hist.placing import Placing, place
from comet_hist.record import Session
from comet_hist.rules import Rules

HANG = 11
"""The columns for what stands before a run or a payment."""

_INDENT = 2
_SUIT_GAP = 2
_LABELS = {"ante": "Ante", "comet": "    Comet", "cards": "Cards", "pot": "Pot", "transfer": "Transfer"}


@dataclass(frozen=True, slots=True)
class Scene:
    """A hand to be shown.

    Attributes:
        session: the session it stands in.
        replay: its replay.
        audit: its audit.
        watched: the table at every ply.
        placing: its findings, each in its place.
        about: the findings about the head of the session.
        signs: what cards and sentences are written with.
        width: the columns that a line may take.
    """

    session: Session
    replay: Replay
    audit: HandAudit
    watched: Watched
    placing: Placing
    about: Sequence[Finding]
    signs: Signs
    width: int

    @property
    def title(self) -> str:
        """Session and number of the hand."""
        number = "?" if self.replay.hand.number is None else self.replay.hand.number
        return f"{self.session.ident.text}, hand {number}"

    def name(self, position: int) -> str:
        """Return the name of the player in a position, as it is shown."""
        return visible(self.replay.players[position])

    def sentence(self, text: str, hang: int = 0, style: str = "") -> list[Word]:
        """Return a sentence of the program's own, wrapped."""
        return row(words(self.signs.said(text), style), self.width, hang)

    def findings(self, findings: Iterable[Finding], hang: int = 0) -> list[Word]:
        """Return findings, each with its line, column and code."""
        lines: list[Word] = []
        for finding in findings:
            text = finding.message
            for label, more in (("expected", finding.expected), ("write", finding.suggestion)):
                text += f"; {label}: {more}" if more and more not in finding.message else ""
            head = words(f"{finding.line}:{finding.column} {finding.code}", finding.severity)
            lines += row([*head, *words(self.signs.said(text))], self.width, hang)
        return lines

    # Cards

    def hands(self, hands: Sequence[int], counts: Sequence[int]) -> list[Word]:
        """Return the cards of all players by suits, in columns where they fit.

        Args:
            hands: for each position the mask of the cards, as far as known.
            counts: for each position the number of cards.
        """
        labels: list[Word] = [(Bit(visible(name), "strong"),) for name in self.replay.players]
        hang = max(map(columns, labels)) + _SUIT_GAP
        held = [self.signs.suit_groups(hand) for hand in hands]
        lines = self._in_columns(labels, hang, held, [self._unknown(*each) for each in zip(hands, counts, strict=True)])
        if all(columns(line) <= self.width for line in lines):
            return lines
        above = hang > self.width // 3
        lines = []
        for label, suits, hand, count in zip(labels, held, hands, counts, strict=True):
            groups = [*filter(None, suits), *words(self._unknown(hand, count))]
            if above:
                lines += row([[label]], self.width)
            lines += row(groups, self.width, _INDENT if above else hang, () if above else label, _SUIT_GAP)
        return lines

    def _unknown(self, hand: int, count: int) -> str:
        if count == 0:
            return "no cards"
        unknown = count - hand.bit_count()
        return f"{'and ' if hand else ''}{unknown} not known" if unknown > 0 else ""

    def _in_columns(self, labels: list[Word], hang: int, held: list[list[list[Word]]], ends: list[str]) -> list[Word]:
        texts = [[_joined(group) for group in suits] for suits in held]
        sizes = [max(columns(suits[suit]) for suits in texts) for suit in range(4)]
        lines: list[Word] = []
        for label, suits, end in zip(labels, texts, ends, strict=True):
            line = [*label, Bit(" " * (hang - columns(label)))]
            for text, size in zip(suits, sizes, strict=True):
                line += [*text, Bit(" " * (size - columns(text) + (_SUIT_GAP if size else 0)))]
            lines.append((*line, Bit(end)))
        return [_without_end(line) for line in lines]

    # Runs

    def run(self, run: int, until: int, mark_last: bool) -> list[Word]:
        """Return a run as it was played: who played what, in turns.

        Args:
            run: its number.
            until: the last ply to show.
            mark_last: whether to mark the card of that ply.
        """
        laid = [play for play in self.replay.laid if play.run == run and play.ply <= until]
        groups: list[Group] = []
        for player, turn in groupby(laid, lambda play: play.player):
            plays = list(turn)
            cards = [self._card(play, "latest" if mark_last and play.ply == until else "") for play in plays]
            cards[0] = (Bit(self.name(player), "strong"), Bit(" "), *cards[0])
            if plays[-1] is not laid[-1]:
                cards[-1] = (*cards[-1], Bit(","))
            groups += [[card] for card in cards]
        first, last = laid[0].ply, laid[-1].ply
        plies = f"{first}" if first == last else f"{first}-{last}"
        return row(groups, self.width, HANG, (Bit(f"{run:>2}", "strong"), Bit(f"  {plies}")))

    def _card(self, play: Laid, style: str) -> Word:
        word = self.signs.laid(play.card, play.stands_for, style)
        return (Bit("["), *word, Bit("]")) if self.watched.left_out(self.replay, play.ply) else word

    def comet(self, play: Laid) -> list[Word]:
        """Return what the Comet was played for, and who was paid for it."""
        players, card = self.replay.players, play.stands_for
        text = f"{players[play.player]} leads the Comet as 9♦"
        if card is not None:
            text = f"{players[play.player]} plays the Comet for {SIGNED[card]}"
        if card is not None and play.use in ("preempt", "own"):
            holder = self.watched.tables[play.ply - 1].holder(card)
            text += f", which {players[holder]} {'held' if play.use == 'preempt' else 'held too'}"
        elif play.use == "rescue":
            text += ", which nobody held"
        return [*self.sentence(text, HANG), *self.paid("comet")]

    # Payments

    def paid(self, kind: str) -> list[Word]:
        """Return the payments of a kind, a row for each who is paid: what was owed and, if different, recorded.

        Payers come in seat order.
        """
        seats = {player.name: place for place, player in enumerate(self.replay.seated)}
        payments = [payment for payment in self.audit.payments if payment.kind == kind]
        payments.sort(key=lambda payment: -1 if payment.payer is None else seats[payment.payer])
        lines: list[Word] = []
        for payee in dict.fromkeys(payment.payee for payment in payments):
            amounts = [_amount(payment) for payment in payments if payment.payee == payee]
            to = "the pot" if payee is None else visible(payee)
            groups = listed(amounts)
            groups.append([(Bit("->" if self.signs.ascii else "→"),), (Bit(to, "strong"),)])
            lines += row(groups, self.width, HANG, (Bit(_LABELS[kind]),))
        return lines


def scene_of(judged: Judged, index: int, ascii: bool, width: int) -> Scene:
    """Return a hand to be shown.

    Args:
        judged: its session, with its chips audited.
        index: which of the session's hands it is, from 0.
        ascii: whether to write what the program says in ASCII.
        width: the columns that a line may take.
    """
    session, replayed, audited = judged.session, judged.replay, judged.audit
    assert session is not None and replayed is not None and audited is not None
    replay, audit = replayed.hands[index], audited.hands[index]
    watched = watch(replay, session.rules or Rules())
    placing = place(session, replay, audit, watched)
    texts = (session.location, replay.hand.void)
    names = {session.ident.text, session.file, *(text.text for text in texts if text is not None)}
    names |= {player.name for player in replay.seated}
    about = [find(fault, session.file, session.ident.text, None) for fault in (*session.faults, *replayed.faults)]
    return Scene(session, replay, audit, watched, placing, in_order(about), Signs(ascii, names), width)


def _amount(payment: Payment) -> str:
    payer = "" if payment.payer is None else f"{visible(payment.payer)} "
    differs = payment.recorded is not None and payment.recorded != payment.owed
    return f"{payer}{payment.owed}" + (f" (recorded {payment.recorded})" if differs else "")


def _joined(group: list[Word]) -> Word:
    blanks = [(Bit(" "),)] * (len(group) - 1)
    pairs = zip_longest(group, blanks, fillvalue=())
    return tuple(bit for pair in pairs for word in pair for bit in word)


def _without_end(line: Word) -> Word:
    """Return a line without the blanks at its end."""
    while line and not line[-1].text.strip():
        line = line[:-1]
    return line

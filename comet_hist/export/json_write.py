"""Records as JSON: what was written, right or wrong, in words of no language and canonical cards.

The form is laid down in docs/session.schema.json. A value that a record does not have is left out.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import groupby
from typing import Any, Final

from comet_hist.cards import NAMES
from comet_hist.export.comments import Remark
from comet_hist.record import Cards, Hand, Name, Pay, Play, Seat, Session, Share
from comet_hist.rules import Rules

FORMAT: Final = "comet-hist"
"""What a file says it is."""

VERSION: Final = 1
"""The form that is written and read."""

Object = dict[str, Any]


def json_lines(sessions: Iterable[Object]) -> Iterator[str]:
    """Give the lines of one JSON object with all sessions, a hand on a line, without holding more than one session.

    Args:
        sessions: as `session_object` gives them.
    """
    yield f'{{"format": {_text(FORMAT)}, "version": {VERSION}, "sessions": ['
    before: list[str] = []
    for session in sessions:
        if before:
            yield from (*before[:-1], before[-1] + ",")
        before = _session_lines(session)
    yield from before
    yield "]}"


def jsonl_lines(sessions: Iterable[Object]) -> Iterator[str]:
    """Give a line for each session, one JSON object that says what it is and so can be read alone.

    Args:
        sessions: as `session_object` gives them.
    """
    return (_text({"format": FORMAT, "version": VERSION} | session) for session in sessions)


def session_object(session: Session, remarks: Iterable[Remark] = ()) -> Object:
    """Return a session all of whose lines could be read, and its comments, as the object that JSON shows."""
    rules = session.rules
    return _present(
        {
            "session": session.ident.text,
            "language": session.language,
            "date": session.date and session.date.text,
            "place": session.location and session.location.text,
            "rules": rules and _rules(rules),
            "seats": list(map(_seat, session.seats)),
            "hands": list(map(_hand, session.hands)),
            "winner": _names(session.winner),
            "comments": list(map(_remark, remarks)),
        }
    )


def _session_lines(session: Object) -> list[str]:
    hands = [_text(hand) for hand in session.get("hands", ())]
    if not hands:
        return [_text(session)]
    names = list(session)
    at = names.index("hands")
    head = _text({name: session[name] for name in names[:at]})
    tail = _text({name: session[name] for name in names[at + 1 :]})
    lines = [f'{head[:-1]}, "hands": [', *(f"  {hand}," for hand in hands[:-1]), f"  {hands[-1]}"]
    lines.append("]}" if tail == "{}" else f"], {tail[1:]}")
    return lines


def _rules(rules: Rules) -> Object:
    members = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return _present(members | {"chip": rules.chip and str(rules.chip)})


def _remark(remark: Remark) -> Object:
    return _present({"line": remark.line, "above": list(remark.above), "behind": remark.behind})


def _hand(hand: Hand) -> Object:
    return _present(
        {
            "hand": hand.number,
            "time": hand.time and hand.time.text,
            "seats": list(map(_seat, hand.seats)),
            "leaves": _names(hand.leaves),
            "buys": [_shares(buy.shares) for buy in hand.buys],
            "dealer": hand.dealer and hand.dealer.text,
            "deals": list(map(_cards, hand.deals)),
            "runs": [_run(run.plays) for run in hand.runs],
            "left": list(map(_cards, hand.left)),
            "pays": list(map(_pay, hand.pays)),
            "stacks": hand.stacks and _shares(hand.stacks.shares),
            "void": hand.void and hand.void.text,
        }
    )


def _seat(seat: Seat) -> Object:
    chips = {} if seat.chips is None else {"chips": seat.chips.count}
    return {"seat": seat.number.count, "player": seat.player.text, **chips}


def _cards(line: Cards) -> Object:
    return {"player": line.player.text, "cards": [NAMES[dealt.card] for dealt in line.cards]}


def _run(plays: Iterable[Play]) -> list[Object]:
    return [
        {"player": player, "cards": [_play(play) for play in group]}
        for player, group in groupby(plays, key=lambda play: play.name.text)
    ]


def _play(play: Play) -> str:
    return NAMES[play.card] if play.stands_for is None else f"{NAMES[play.card]}={NAMES[play.stands_for]}"


def _pay(pay: Pay) -> Object:
    what = {"from": _shares(pay.shares)} if pay.given is None else {"chips": pay.given.count}
    return {"kind": pay.kind, **what, "to": pay.payee and pay.payee.text}


def _shares(shares: Iterable[Share]) -> list[Object]:
    return [{"player": share.player.text, "chips": share.chips.count} for share in shares]


def _names(names: Iterable[Name]) -> list[str]:
    return [name.text for name in names]


def _present(members: Object) -> Object:
    """Return the members that say something."""
    return {name: value for name, value in members.items() if value is not None and value != []}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

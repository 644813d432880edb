"""The table: every history of fixed deals is counted, as chess programs count positions."""

import json
from pathlib import Path

import pytest

from comet_hist.cards import CARDS, mask_of
from comet_hist.engine.table import Table
from comet_hist.rules import agree

DEALS = json.loads((Path(__file__).parent / "data" / "histories.json").read_text(encoding="utf-8"))
BY_PLAYERS = pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal['players']} players")


def start(deal: dict, house: str = "classic") -> Table:
    hands = [mask_of(CARDS[name] for name in hand.split()) for hand in deal["hands"]]
    items = [] if house == "classic" else [tuple(house.split())]
    return Table(agree(items), hands, deal["dealer"] % deal["players"])


def complete(table: Table, known: dict) -> int:
    """Count the legal ways to play on to the end."""
    state = (tuple(table.hands), table.need, table.openers)
    if state not in known:
        count = 0
        for move in table.legal():
            after = table.copy()
            after.play(move)
            count += 1 if after.winner is not None else complete(after, known)
        known[state] = count
    return known[state]


def of_length(table: Table, plies: int, known: dict) -> int:
    """Count the legal ways to play on for exactly so many plies."""
    if plies == 0:
        return 1
    state = (tuple(table.hands), table.need, table.openers, plies)
    if state not in known:
        count = 0
        for move in table.legal():
            after = table.copy()
            after.play(move)
            count += of_length(after, plies - 1, known)
        known[state] = count
    return known[state]


@BY_PLAYERS
@pytest.mark.parametrize("house", ["classic", "gap stop", "standin stalled", "standin gap", "keep yes"])
def test_complete_histories(deal: dict, house: str) -> None:
    assert complete(start(deal, house), {}) == deal["complete"][house]


@BY_PLAYERS
def test_histories_of_length(deal: dict) -> None:
    counted = {plies: of_length(start(deal), int(plies), {}) for plies in deal["histories_of_length"]}
    assert counted == deal["histories_of_length"]


@BY_PLAYERS
def test_no_legal_play_meets_an_objection_and_every_other_does(deal: dict) -> None:
    """The list of legal plays and the verification are one piece of knowledge, along the first line of play."""
    table = start(deal)
    while table.winner is None:
        legal = list(table.legal())
        for player in range(deal["players"]):
            for card in range(52):
                for stands_for in (None, *range(52)) if card == CARDS["9d"] else (None,):
                    for opens in (True, False):
                        if opens and not table.stopped():
                            continue
                        objection = table.objection(player, card, stands_for, opens)
                        assert (objection is None) == ((player, card, stands_for, opens) in legal)
        table.play(legal[-1])

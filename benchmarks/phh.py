"""Poker hands, made with PokerKit: no-limit hold'em, dealt and played by chance, which it then replays.

As a program, `python phh.py make FILE HANDS` writes hands, and `python phh.py replay FILE` replays them; both print how
many actions of players there were. Deals are replayed too, and not counted, as those of Comet are not.
"""

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pokerkit import HandHistory, State

PLAYERS: Final = 4
BLINDS: Final = (1, 2)
CHIPS: Final = 200


def _make(path: Path, hands: int) -> int:
    from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

    random.seed(1)  # PokerKit deals by it.
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, BLINDS, BLINDS[1])
    histories = []
    for _ in range(hands):
        state = game(CHIPS, PLAYERS)
        while state.status:
            _act(state)
        histories.append(HandHistory.from_game_state(game, state))
    with path.open("wb") as file:
        HandHistory.dump_all(histories, file)
    return sum(map(_actions, histories))


def _act(state: "State") -> None:
    """Call or check most of the time, else fold or raise."""
    lot = random.random()
    if lot < 0.2 and state.can_fold():
        state.fold()
    elif lot < 0.4 and state.can_complete_bet_or_raise_to():
        state.complete_bet_or_raise_to()
    else:
        state.check_or_call()


def _actions(history: "HandHistory") -> int:
    return sum(action.startswith("p") for action in history.actions)


def _replay(path: Path) -> int:
    from pokerkit import HandHistory

    actions = 0
    with path.open("rb") as file:
        for history in HandHistory.load_all(file):
            for _ in history:  # Each action, carried out.
                pass
            actions += _actions(history)
    return actions


def main() -> None:
    """Make hands, or replay them."""
    path = Path(sys.argv[2])
    print(_make(path, int(sys.argv[3])) if sys.argv[1] == "make" else _replay(path))


if __name__ == "__main__":
    main()

"""Chess games, made with python-chess: random legal ones, which two programs then validate.

As a program, `python pgn.py make FILE GAMES` writes games, and `python pgn.py replay FILE` replays them by
python-chess; both print how many half-moves there were.
"""

import random
import sys
from pathlib import Path
from typing import Final

LONGEST: Final = 80
"""Half-moves after which a game is broken off; two players mostly need about as many."""


def _make(path: Path, games: int) -> int:
    import chess
    import chess.pgn

    chance = random.Random(1)
    plies = 0
    with path.open("w", encoding="ascii") as file:
        for number in range(games):
            board = chess.Board()
            while board.ply() < LONGEST and not board.is_game_over():
                board.push(chance.choice(list(board.legal_moves)))
            game = chess.pgn.Game.from_board(board)
            game.headers["Round"] = str(number + 1)
            print(game, end="\n\n", file=file)
            plies += board.ply()
    return plies


def _replay(path: Path) -> int:
    import chess.pgn

    plies = 0
    with path.open(encoding="ascii") as file:
        while game := chess.pgn.read_game(file):
            if game.errors:
                raise game.errors[0]
            plies += game.end().ply()
    return plies


def main() -> None:
    """Make games, or replay them."""
    path = Path(sys.argv[2])
    print(_make(path, int(sys.argv[3])) if sys.argv[1] == "make" else _replay(path))


if __name__ == "__main__":
    main()

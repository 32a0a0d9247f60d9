"""A first program: a game to its end, many positions in one batch, and a mistake. `BESTMOVE` is the address of the service."""

import os
import sys

from bestmove_client import Bestmove, ProblemError, UnreachableError
from bestmove_client.contract import BestMoveRequest


def play(service: Bestmove) -> None:
    """A game of Connect Four. The person always plays the first legal move."""
    game = service.play("connect-four", level="beginner")
    while not game.is_over:
        move = game.legal_moves[0]["move"]
        reply = game.play(move)
        print("you play", move, "and the service", reply["best_move"] if reply else "nothing")
    print("the winner is", game.turn.get("winner", "nobody"), "after", len(game.moves), "moves")


def compare(service: Bestmove, openings: list[str]) -> None:
    """What the other side answers to each first move of chess, in one batch."""
    requests: list[BestMoveRequest] = [{"game": "chess", "moves": [move], "depth": 4} for move in openings]
    for move, answer in zip(openings, service.batch(requests), strict=True):
        # A line that is refused is a problem among the answers.
        print("after", move, answer.get("best_move") or answer.get("detail"))


def make_mistake(service: Bestmove) -> None:
    """A move that is not legal."""
    try:
        service.best_move(game="chess", moves=["e5"])
    except ProblemError as error:
        print("refused:", error.problem["detail"])
        print("legal are", ", ".join(error.problem.get("allowed", [])))


service = Bestmove(os.environ.get("BESTMOVE", "http://127.0.0.1:8080"))
try:
    play(service)
    compare(service, ["e4", "d4", "e5"])
    make_mistake(service)
except UnreachableError as error:
    sys.exit(f"Is the service running? {error}")

"""Compares the rules of Othello with those of OpenSpiel: `othello_oracle.py URL POSITIONS`, on positions of random games.

Needs a running service and OpenSpiel (`pip install open-spiel`). Board, side to move, legal moves and the winner of each
position must be the same; the exit status tells it.
"""

import json
import random
import sys
import urllib.request

import pyspiel

PASS = 64


def name(action):
    return "pass" if action == PASS else "abcdefgh"[action % 8] + str(action // 8 + 1)


def told(url, moves):
    """What the service says of the position after these moves."""
    body = json.dumps({"game": "othello", "moves": moves}).encode()
    request = urllib.request.Request(url + "/position", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def expected(state):
    """The same of OpenSpiel: the board, the legal moves, the winner."""
    rows = [line.split()[1:9] for line in str(state).splitlines() if line[:1].isdigit()]
    board = [[{"x": "X", "o": "O", "-": ""}[cell] for cell in row] for row in rows]
    if state.is_terminal():
        black = state.returns()[0]
        return board, [], "X" if black > 0 else "O" if black < 0 else None
    return board, sorted(name(action) for action in state.legal_actions()), "XO"[state.current_player()]


def main():
    url, positions = sys.argv[1].rstrip("/"), int(sys.argv[2])
    game, draw, ended, passes = pyspiel.load_game("othello"), random.Random(1), 0, 0
    for number in range(positions):
        state, moves = game.new_initial_state(), []
        plies = draw.randrange(70)
        while not state.is_terminal() and len(moves) < plies:
            action = draw.choice(state.legal_actions())
            moves.append(name(action))
            state.apply_action(action)
        answer = told(url, moves)
        legal = sorted(move["move"] for move in answer.get("legal_moves", []))
        ended += state.is_terminal()
        passes += "pass" in moves or legal == ["pass"]
        side = answer.get("winner") if state.is_terminal() else answer["side_to_move"]
        if (answer["board"], legal, side) != expected(state):
            sys.exit(f"position {number}, {' '.join(moves)}: {answer['board'], legal, side} is not {expected(state)}")
    print(f"{positions} positions are the same, {ended} of them finished games, {passes} with a pass")


main()

"""Compares the rules of Chess960 with those of python-chess: `chess960_oracle.py URL POSITIONS`, on positions of random games.

Needs a running service and python-chess (`pip install chess`). Position, legal moves with their SAN, checks and the end of
the game must be the same in each position; the exit status tells it.
"""

import json
import random
import sys
import urllib.request

import chess


def told(url, number, moves):
    """What the service says of the position after these moves from a start."""
    body = {"game": "chess", "variant": "chess960", "position": f"chess960:{number}", "moves": moves}
    request = urllib.request.Request(url + "/position", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    legal = sorted((move["move"], move["san"]) for move in answer.get("legal_moves", []))
    return answer["position"], legal, answer.get("check", False), answer.get("reason")


def expected(board):
    """The same of python-chess."""
    legal = sorted((board.uci(move), board.san(move)) for move in board.legal_moves)
    reason = None
    if board.is_checkmate():
        reason = "checkmate"
    elif board.is_stalemate():
        reason = "stalemate"
    elif board.is_insufficient_material():
        reason, legal = "insufficient material", []
    return board.shredder_fen(), legal, board.is_check(), reason


def main():
    url, positions = sys.argv[1].rstrip("/"), int(sys.argv[2])
    draw, castlings, rights, ended = random.Random(1), 0, 0, 0
    for at in range(positions):
        number = draw.randrange(960)
        board, moves = chess.Board.from_chess960_pos(number), []
        plies = draw.randrange(150)
        while len(moves) < plies and expected(board)[3] is None and board.halfmove_clock < 99:
            legal = list(board.legal_moves)
            castling = [move for move in legal if board.is_castling(move)]
            # Castling is played more often than by chance, and put off often enough to stay possible.
            move = draw.choice(castling if castling and draw.random() < 0.1 else legal)
            castlings += board.is_castling(move)
            moves.append(board.uci(move))
            board.push(move)
        answer, truth = told(url, number, moves), expected(board)
        rights += any(board.is_castling(move) for move in board.legal_moves)
        ended += truth[3] is not None
        if answer != truth:
            sys.exit(f"start {number}, {' '.join(moves)}: {answer} is not {truth}")
    print(
        f"{positions} positions are the same, {rights} of them with a legal castling move, {ended} finished games; "
        f"{castlings} castling moves were played"
    )


main()

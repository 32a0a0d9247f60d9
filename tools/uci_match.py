"""A match of UCI engines on the clock, refereed by python-chess: `uci_match.py GAMES BASE INCREMENT -- FIRST... -- SECOND...`

Each engine is a command with its arguments, then perhaps options as NAME=VALUE. Every opening is played twice with the sides
changed. The clock of the referee decides: who oversteps it, or makes an illegal move, loses, and the exit status tells it.
Needs python-chess (`pip install chess`).
"""

import random
import sys
import time

import chess
import chess.engine


def opening(seed):
    """Six plies drawn by lot, after which no side can take anything at once."""
    draw = random.Random(seed)
    while True:
        board = chess.Board()
        for _ in range(6):
            board.push(draw.choice(list(board.legal_moves)))
        if not any(board.is_capture(move) for move in board.legal_moves) and not board.is_check():
            return board


def play(board, engines, base, increment):
    """Plays a game; the result, and why it ended."""
    clocks = [base, base]  # Black's, White's
    while not board.is_game_over(claim_draw=True):
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=increment, black_inc=increment
        )
        winner = "0-1" if board.turn else "1-0"
        start = time.perf_counter()
        try:
            move = engines[board.turn].play(board, limit, game=id(board)).move
        except chess.engine.EngineError as error:
            return winner, f"illegal move: {error}"
        clocks[board.turn] -= time.perf_counter() - start
        if clocks[board.turn] < 0:
            return winner, "loss on time"
        clocks[board.turn] += increment
        board.push(move)
    return board.result(claim_draw=True), board.outcome(claim_draw=True).termination.name.lower().replace("_", " ")


def start(words):
    """An engine with its options."""
    engine = chess.engine.SimpleEngine.popen_uci([word for word in words if "=" not in word])
    engine.configure(dict(word.split("=", 1) for word in words if "=" in word))
    return engine


def main():
    arguments = sys.argv[1:]
    first = arguments.index("--")
    second = arguments.index("--", first + 1)
    games, base, increment = int(arguments[0]), float(arguments[1]), float(arguments[2])
    engines = [start(arguments[first + 1 : second]), start(arguments[second + 1 :])]
    tally, faults, plies = {"win": 0, "draw": 0, "loss": 0}, [0, 0], 0
    for number in range(games):
        is_white = number % 2 == 0
        sides = engines[::-1] if is_white else engines  # indexed by chess.BLACK and chess.WHITE
        board = opening(number // 2)
        result, reason = play(board, sides, base, increment)
        points = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}[result]
        points = points if is_white else 1 - points
        outcome = {1: "win", 0.5: "draw", 0: "loss"}[points]
        tally[outcome] += 1
        plies += board.ply()
        if reason.startswith(("illegal", "loss on time")):
            faults[0 if outcome == "loss" else 1] += 1
        print(f"{number + 1:3} {'white' if is_white else 'black'} {outcome:4} {board.ply():3} plies, {reason}", flush=True)
    print(f"{tally['win']} won, {tally['draw']} drawn, {tally['loss']} lost; {plies} plies")
    print(f"time losses and illegal moves: {faults[0]} of the first engine, {faults[1]} of the second")
    for engine in engines:
        engine.quit()
    sys.exit(faults[0])


main()

#!/usr/bin/env python3
"""Chess matches and elementary mates of a running bestmove service against UCI engines.

    tools/ladder.py match --engine toga2 --games 200 --time-ms 100
    tools/ladder.py match --engine toga2 --games 40 --field level=professional
    tools/ladder.py mates --engine stockfish --time-ms 200 --defence-ms 50

The service is asked over HTTP with the start and all moves of the game, so it sees repetitions, and each
side gets the same time for every move. Engines play with one thread, without a book and without
pondering. Needs Python 3.10 and python-chess (pip install chess); nothing else should run meanwhile.
"""

import argparse
import json
import math
import random
import shlex
import sys
import time
import urllib.request
from dataclasses import dataclass, field

import chess
import chess.engine

OPENING_PLIES = 8
# An opening is fair when the engine, looking at it for this long, sees no side ahead by more than this.
OPENING_SECONDS, OPENING_CENTIPAWNS = 0.05, 80
# A game that has gone on for so many plies is drawn.
LONGEST_GAME = 600
# The men with the lone king last. Each ending is won from almost everywhere.
MATES = {"KQK": "KQk", "KRK": "KRk", "KBBK": "KBBk", "KBNK": "KBNk"}


class Service:
    """A bestmove service, asked for one move at a time."""

    def __init__(self, url, time_ms, options):
        self.url = url.rstrip("/") + "/best-move"
        # A level bounds its search by itself.
        limit = {} if "level" in options else {"time_ms": time_ms}
        self.request = {"game": "chess", **limit, **options}
        self.times = []

    def move(self, board):
        request = self.request | {
            "position": board.root().fen(),
            "moves": [move.uci() for move in board.move_stack],
        }
        body = json.dumps(request).encode()
        headers = {"content-type": "application/json"}
        began = time.monotonic()
        with urllib.request.urlopen(urllib.request.Request(self.url, body, headers)) as reply:
            answer = json.load(reply)
        self.times.append(time.monotonic() - began)
        return board.parse_uci(answer["best_move"])


class Engine:
    """A UCI engine that thinks for the same time about every move."""

    def __init__(self, command, time_ms, options):
        self.engine = chess.engine.SimpleEngine.popen_uci(shlex.split(command))
        known = {"Threads": 1, "Hash": 16, "OwnBook": False} | options
        self.engine.configure({name: value for name, value in known.items() if name in self.engine.options})
        self.limit = chess.engine.Limit(time=time_ms / 1000)

    def move(self, board):
        return self.engine.play(board, self.limit).move

    def is_fair(self, board):
        found = self.engine.analyse(board, chess.engine.Limit(time=OPENING_SECONDS))
        return abs(found["score"].white().score(mate_score=10_000)) <= OPENING_CENTIPAWNS

    def close(self):
        self.engine.quit()


@dataclass
class Tally:
    """Points by pair: the two games from one opening, which are not independent of each other."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list = field(default_factory=list)

    def add(self, pair):
        self.wins += pair.count(1.0)
        self.draws += pair.count(0.5)
        self.losses += pair.count(0.0)
        self.pairs.append(sum(pair) / len(pair))

    def bounds(self):
        """The mean score with its 95 % bounds, by the spread of the pairs."""
        count = len(self.pairs)
        mean = sum(self.pairs) / count
        spread = sum((score - mean) ** 2 for score in self.pairs) / max(count - 1, 1)
        margin = 1.96 * math.sqrt(spread / count)
        return mean - margin, mean, mean + margin

    def __str__(self):
        low, mean, high = map(elo, self.bounds())
        games = self.wins + self.draws + self.losses
        return (
            f"{games} games: +{self.wins} ={self.draws} -{self.losses}, "
            f"Elo {mean:+.0f} (95 %: {low:+.0f} to {high:+.0f})"
        )


def elo(score):
    """The difference in Elo at which this share of the points is expected."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def opening(lot, judge):
    """A position after random moves that the judge finds fair."""
    while True:
        board = chess.Board()
        for _ in range(OPENING_PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(lot.choice(moves))
        else:
            if not board.is_game_over() and judge.is_fair(board):
                return board


def play(board, white, black):
    """Plays on to the end and gives White's points."""
    while len(board.move_stack) < LONGEST_GAME:
        outcome = board.outcome(claim_draw=False)
        if outcome is not None or board.is_repetition(3) or board.halfmove_clock >= 100:
            break
        board.push((white if board.turn == chess.WHITE else black).move(board))
    outcome = board.outcome(claim_draw=False)
    if outcome is None or outcome.winner is None:
        return 0.5
    return 1.0 if outcome.winner == chess.WHITE else 0.0


def play_match(arguments):
    """As many games as asked for, two from each opening with colours changed."""
    service = Service(arguments.service, arguments.time_ms, dict(arguments.field))
    engine = Engine(arguments.engine, arguments.time_ms, dict(arguments.option))
    lot, tally = random.Random(arguments.seed), Tally()
    try:
        for number in range(1, arguments.games // 2 + 1):
            start = opening(lot, engine)
            as_white = play(start.copy(), service, engine)
            as_black = 1.0 - play(start.copy(), engine, service)
            tally.add([as_white, as_black])
            print(f"pair {number}: {as_white} {as_black}  {tally}", flush=True)
    finally:
        engine.close()
    slowest = sorted(service.times)[int(0.95 * len(service.times))]
    print(f"{arguments.engine} at {arguments.time_ms} ms a move, {tally}")
    print(f"95 % of the answers came within {1000 * slowest:.0f} ms")


def ending(lot, men):
    """A random position of these men with White to move that is no draw or mate already."""
    while True:
        board = chess.Board(None)
        for letter, square in zip(men, lot.sample(chess.SQUARES, len(men))):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        bishops = [square for square in board.pieces(chess.BISHOP, chess.WHITE)]
        colours = {chess.BB_LIGHT_SQUARES >> square & 1 for square in bishops}
        is_pair = len(bishops) < 2 or len(colours) == 2
        if board.is_valid() and is_pair and not board.is_game_over() and not can_take(board):
            return board


def can_take(board):
    """Whether the lone king stands beside a man that nobody defends."""
    king = board.king(chess.BLACK)
    men = board.occupied_co[chess.WHITE] & chess.BB_KING_ATTACKS[king]
    return any(not board.is_attacked_by(chess.WHITE, square) for square in chess.scan_forward(men))


def play_mates(arguments):
    """Lets the service mate a lone king that an engine defends."""
    service = Service(arguments.service, arguments.time_ms, dict(arguments.field))
    engine = Engine(arguments.engine, arguments.defence_ms, dict(arguments.option))
    lot = random.Random(arguments.seed)
    try:
        for name, men in MATES.items():
            won, lengths = 0, []
            for _ in range(arguments.games):
                board = ending(lot, men)
                start = board.fen()
                if play(board, service, engine) == 1.0:
                    won += 1
                    lengths.append((len(board.move_stack) + 1) // 2)
                else:
                    print(f"{name}: not won from {start}", flush=True)
            longest = f", in {max(lengths)} moves at most" if lengths else ""
            print(f"{name}: won {won} of {arguments.games}{longest}", flush=True)
    finally:
        engine.close()


def pair(text):
    """A setting NAME=VALUE; the value is read as JSON where it is that."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = parser.add_subparsers(dest="task", required=True)
    for name, task in [("match", play_match), ("mates", play_mates)]:
        command = tasks.add_parser(name, help=task.__doc__)
        command.set_defaults(run=task)
        command.add_argument("--service", default="http://127.0.0.1:8080", help="where bestmove listens")
        command.add_argument("--engine", default="stockfish", help="the command of a UCI engine")
        command.add_argument("--option", type=pair, action="append", default=[], help="NAME=VALUE of the engine")
        command.add_argument("--field", type=pair, action="append", default=[], help="NAME=VALUE of the requests")
        command.add_argument("--time-ms", type=int, default=100 if name == "match" else 200)
        command.add_argument("--games", type=int, default=200 if name == "match" else 20)
        command.add_argument("--seed", type=int, default=1)
    command.add_argument("--defence-ms", type=int, default=50, help="the engine's time in mates")
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())

"""A match of Othello programs, refereed here: `othello_match.py GAMES MILLISECONDS -- FIRST... -- SECOND...`

A player is a command that speaks GTP, such as `gtp-rhino --level=5`, or the address of a bestmove service, then perhaps
fields of its requests as NAME=VALUE, such as `http://127.0.0.1:8080 nodes=100000`. Without such fields the service gets the
time for each move. GTP counts whole seconds: a GTP program gets the time where that is what it is, and else plays by its own
settings. Every opening of eight plies, drawn by lot, is played twice with the sides changed. Who makes an illegal move loses.
The table has the result, the discs, and the time that the players took. The standard library is all that it needs.
"""

import json
import random
import subprocess
import sys
import time
import urllib.request

STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
BLACK, WHITE = "bw"
OPENING_PLIES = 8


class Board:
    """The rules."""

    def __init__(self):
        self.discs = {"d4": WHITE, "e5": WHITE, "e4": BLACK, "d5": BLACK}
        self.side = BLACK
        self.moves = []

    def flips(self, square, side):
        """The discs that a disc on this square turns over."""
        turned = []
        for down, right in STEPS:
            line, column, row = [], ord(square[0]), ord(square[1])
            while True:
                column, row = column + right, row + down
                disc = self.discs.get(chr(column) + chr(row))
                if disc in (None, side):
                    break
                line.append(chr(column) + chr(row))
            turned += line if disc == side else []
        return turned

    def legal(self, side=None):
        """The squares on which a side may place a disc."""
        empty = (column + row for row in "12345678" for column in "abcdefgh" if column + row not in self.discs)
        return [square for square in empty if self.flips(square, side or self.side)]

    def play(self, move):
        """Plays a square, or a pass."""
        if move != "pass":
            self.discs.update(dict.fromkeys([move, *self.flips(move, self.side)], self.side))
        self.moves.append(move)
        self.side = WHITE if self.side == BLACK else BLACK

    def is_over(self):
        return not self.legal(BLACK) and not self.legal(WHITE)

    def margin(self):
        """Black's discs more than White's, the empty squares counted for the winner."""
        discs = list(self.discs.values())
        margin = discs.count(BLACK) - discs.count(WHITE)
        return margin + ((margin > 0) - (margin < 0)) * (64 - len(discs))


class Gtp:
    """A program that speaks GTP."""

    def __init__(self, command, milliseconds):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seconds = milliseconds // 1000 if milliseconds % 1000 == 0 else None

    def ask(self, command):
        """Sends a command, and gives what is told."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline().rstrip("\n")) or not lines:
            if line == "" and self.process.poll() is not None:
                sys.exit(f"the program ended at: {command}")
            lines += [line] if line else []
        # A program that reads no passes infers them.
        if not lines[0].startswith("=") and not command.endswith("pass"):
            sys.exit(f"{command}: {lines[0]}")
        return lines[0][1:].strip()

    def begin(self):
        self.ask("clear_board")
        if self.seconds:
            self.ask(f"time_settings 0 {self.seconds} 1")

    def told(self, side, move):
        """Hears of a move that it has not made."""
        self.ask(f"play {side} {move}")

    def move(self, board):
        return self.ask(f"genmove {board.side}").lower()

    def end(self):
        self.ask("quit")
        self.process.wait()


class Service:
    """A bestmove service."""

    def __init__(self, words, milliseconds):
        fields = dict(word.split("=", 1) for word in words[1:])
        self.url = words[0].rstrip("/") + "/best-move"
        self.fields = {name: int(value) if value.isdigit() else value for name, value in fields.items()}
        self.fields = self.fields or {"time_ms": milliseconds}

    def begin(self):
        pass

    def told(self, side, move):
        pass

    def move(self, board):
        body = json.dumps({"game": "othello", "moves": board.moves, **self.fields}).encode()
        request = urllib.request.Request(self.url, body, {"content-type": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)["best_move"]

    def end(self):
        pass


def opening(seed):
    """The first moves, drawn by lot."""
    draw = random.Random(seed)
    board = Board()
    while len(board.moves) < OPENING_PLIES:
        legal = board.legal()
        if not legal:
            return opening(f"{seed}+")
        board.play(draw.choice(legal))
    return board.moves


def game(players, moves, times):
    """Plays a game of the players, Black first; Black's margin, and the side that made an illegal move."""
    board = Board()
    for player in players:
        player.begin()
    while not board.is_over():
        side, legal = board.side, board.legal() or ["pass"]
        mover = 0 if side == BLACK else 1
        heard = players
        if len(board.moves) < len(moves):
            move = moves[len(board.moves)]
        elif legal == ["pass"]:
            move = "pass"
        else:
            start = time.perf_counter()
            move = players[mover].move(board)
            times[mover].append(time.perf_counter() - start)
            heard = [players[1 - mover]]
        if move not in legal:
            return (-64 if mover == 0 else 64), mover
        for player in heard:
            player.told(side, move)
        board.play(move)
    return board.margin(), None


def start(words, milliseconds):
    """A player by its words."""
    return (Service if words[0].startswith("http") else Gtp)(words, milliseconds)


def main():
    arguments = sys.argv[1:]
    first = arguments.index("--")
    second = arguments.index("--", first + 1)
    games, milliseconds = int(arguments[0]), int(arguments[1])
    players = [start(words, milliseconds) for words in (arguments[first + 1 : second], arguments[second + 1 :])]
    times, faults, margins = [[], []], [0, 0], []
    for number in range(games):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        moves = opening(number // 2)
        black, fault = game([players[at] for at in order], moves, [times[at] for at in order])
        margins.append(black if order[0] == 0 else -black)
        if fault is not None:
            faults[order[fault]] += 1
        colour = "black" if order[0] == 0 else "white"
        print(f"{number + 1:3} {''.join(moves)} {colour} {margins[-1]:+3}", flush=True)
    won, lost = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
    drawn = games - won - lost
    print(f"{won} won, {drawn} drawn, {lost} lost: {100 * (won + drawn / 2) / games:.1f} %")
    print(f"discs a game: {sum(margins) / games:+.1f}; illegal moves: {faults[0]} of the first, {faults[1]} of the second")
    for name, taken in zip(("first", "second"), times):
        print(f"time of the {name}: {1000 * sum(taken) / len(taken):.0f} ms a move, {1000 * max(taken):.0f} ms at most")
    for player in players:
        player.end()


main()

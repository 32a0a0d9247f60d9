#!/usr/bin/env python3
"""A match in checkers of the running service against GuiNN Checkers 2.06, refereed by the service.

    tools/checkers_match.py GAMES URL NAME=VALUE... -- FOLDER DEPTH

The fields NAME=VALUE go into every request, such as nodes=20000. FOLDER is a checkout of
https://github.com/jonkr2/GuiNN_Checkers. That program is written for Windows: its search and its networks are compiled here
by g++, with stand-ins for the rest, without its opening book and endgame databases. It looks DEPTH plies ahead, with a table
of 64 MiB. So the strength of neither side depends on time. Both know which positions were played. Every opening of four plies,
drawn by lot, is played twice with the sides changed. A draw that may be claimed ends a game. Prints the games, the points, and
the positions that the players visited. The standard library and g++ are all that it needs.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

OPENING_PLIES = 4
MOST_PLIES = 400
SOURCES = "movegen board evaluate search checkersNN openingBook transcript NeuralNet/NeuralNet core driver".split()
FLAGS = ["-std=c++17", "-O2", "-march=native", "-DNDEBUG", "-fpermissive", "-w", "-Istand-ins", "-I."]

# What the sources name of Windows, and of their own user interface.
WINDOWS = """
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>
#define WINAPI
#define __cdecl
#define __stdcall
#define __declspec(what)
#define TRUE 1
#define FALSE 0
typedef int INT;
typedef int BOOL;
typedef unsigned long DWORD;
typedef void* HANDLE;
typedef void* HWND;
"""
INTERFACE = """
#pragma once
#include <windows.h>
void DisplayText(const char*);
void RunningDisplay(struct SearchInfo&, const struct Move&, bool);
"""

# Reads "go DEPTH POSITION...", the positions since the last move that can't be taken back, the present one last; answers
# with the position after its move, and the positions visited. "new" forgets.
DRIVER = """
#include "engine.h"
#include <iostream>
#include <sstream>

void DisplayText(const char*) {}
void RunningDisplay(SearchInfo&, const Move&, bool) {}
int QueryGuiDatabase(const Board&) { return INVALID_DB_VALUE; }
int QueryEdsDatabase(const Board&, int) { return INVALID_DB_VALUE; }
void InitBitTables();

std::string written(const Board& board) {
  std::string text = board.sideToMove == WHITE ? "W" : "B";
  for (int side : {WHITE, BLACK}) {
    std::string separator = side == WHITE ? ":W" : ":B";
    for (int square = 0; square < 32; square++) {
      int piece = board.GetPiece(FlipSqX(square));
      if (!(piece & (side == WHITE ? WPIECE : BPIECE))) continue;
      text += separator + (piece & KING ? "K" : "") + std::to_string(square + 1);
      separator = ",";
    }
  }
  return text;
}

void forget() {
  engine.searchThreadData.historyTable.Clear();
  engine.TTable.SetSizeMB(64);
}

int main() {
  int stops = 0;
  checkerBoard.bActive = true;
  checkerBoard.pbPlayNow = &stops;
  checkerBoard.useOpeningBook = CB_BOOK_NONE;
  InitBitTables();
  if (InitializeNeuralNets() != 4) return 1;
  TranspositionTable::CreateHashFunction();
  int widest = 0;
  for (auto net : engine.evalNets) widest = std::max(widest, (int)net->network.GetLayer(0)->outputCount);
  engine.searchThreadData.Alloc(widest);
  forget();
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "new") forget();
    if (word != "go") continue;
    words >> engine.searchLimits.maxDepth;
    Board board;
    int count = 0;
    while (words >> word) {
      word = ' ' + word + ' ';
      board.FromString(word.data());
      board.hashKey = board.CalcHashKey();
      engine.boardHashHistory[count++] = board.hashKey;
    }
    board.reversibleMoves = count - 1;
    engine.board = board;
    engine.transcript.Init(board);
    engine.transcript.numMoves = count - 1;
    engine.computerColor = board.sideToMove;
    engine.searchLimits.maxSeconds = 1e6f;
    BestMoveInfo best = ComputerMove(engine.board, engine.searchThreadData);
    board.DoMove(best.move);
    std::cout << written(board) << ' ' << engine.searchThreadData.displayInfo.nodes << std::endl;
  }
}
"""


def compiled(checkout, folder):
    """Compiles the engine in this folder, and gives the command that starts it."""
    source = folder / "src"
    shutil.copytree(checkout / "src", source)
    shutil.copy(checkout / "bin/Nets206.gnn", source)
    stand_ins = source / "stand-ins"
    stand_ins.mkdir()
    for name, text in {
        "windows.h": WINDOWS, "Windows.h": WINDOWS, "conio.h": "", "intrin.h": "#include <immintrin.h>\n",
    }.items():
        (stand_ins / name).write_text(text)
    (source / "guiWindows.h").write_text(INTERFACE)
    (source / "neuralNet").symlink_to("NeuralNet")
    (source / "movegen.h").symlink_to("moveGen.h")
    # Names in the parts for g++ that are not those of the parameters; a variable of a library that is not there.
    moves = (source / "moveGen.h").read_text().replace("popcountll(Moves)", "popcountll(moves)")
    moves = moves.replace("if (bb == 0)", "if (moves == 0)").replace("ctzll(bb)", "ctzll(moves)")
    (source / "moveGen.h").write_text(moves.replace("clzll(bb)", "clzll((uint64_t)moves)"))
    library = (source / "egdb.h").read_text().splitlines()
    (source / "egdb.h").write_text("\n".join(line for line in library if not line.startswith("EGDB_API extern")) + "\n")
    engine = (source / "engine.cpp").read_text()
    core = engine[engine.index("// Our Checkers Engine") : engine.index("// -----------------------\n// Display search")]
    (source / "core.cpp").write_text('#include "engine.h"\n' + core)
    (source / "driver.cpp").write_text(DRIVER)
    # In one piece, since some functions are inline where others call them.
    (source / "guinn.cpp").write_text("".join(f'#include "{name}.cpp"\n' for name in SOURCES))
    subprocess.run(["g++", *FLAGS, "guinn.cpp", "-o", "guinn"], cwd=source, check=True)
    return source / "guinn"


class GuiNN:
    """The other program."""

    def __init__(self, program, depth):
        self.process = subprocess.Popen(
            [program], cwd=program.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.depth, self.nodes, self.moves = depth, 0, 0

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def begin(self):
        self.send("new")

    def move(self, game):
        """The legal move that leads to the position that it answers."""
        self.send(f"go {self.depth} {' '.join(game.recent)}")
        after, nodes = self.process.stdout.readline().split()
        self.nodes, self.moves = self.nodes + int(nodes), self.moves + 1
        return next(move["move"] for move in game.legal if pieces(move["position"]) == pieces(after))


class Service:
    """The running service, as a player."""

    def __init__(self, url, fields):
        self.url, self.fields, self.nodes, self.moves = url, fields, 0, 0

    def begin(self):
        pass

    def move(self, game):
        answer = asked(f"{self.url}/best-move", {"game": "checkers", "moves": game.moves, **self.fields})
        self.nodes, self.moves = self.nodes + answer["search"]["nodes"], self.moves + 1
        return answer["best_move"]


class Game:
    """A game, by the rules of the service."""

    def __init__(self, url):
        self.url, self.moves, self.recent = url, [], []
        self.look()

    def look(self):
        """Asks where the game stands."""
        state = asked(f"{self.url}/position", {"game": "checkers", "moves": self.moves})
        self.legal, self.is_drawn = state.get("legal_moves", []), "claim" in state or state["state"] == "drawn"
        self.winner, self.side = state.get("winner"), state["side_to_move"]
        men = [piece for side in pieces(state["position"])[1:] for piece in side if not piece.startswith("K")]
        count = sum(len(side) for side in pieces(state["position"])[1:])
        # A step of a man, or a capture, can't be taken back.
        if (men, count) != getattr(self, "standing", None):
            self.standing, self.recent = (men, count), []
        self.recent.append(state["position"])

    def play(self, move):
        self.moves.append(move)
        self.look()

    def is_over(self):
        return bool(self.winner) or self.is_drawn or len(self.moves) >= MOST_PLIES


def pieces(position):
    """The side to move and the sets of pieces of a position."""
    side, *colours = position.split(":")
    sets = {colour[0]: sorted(filter(None, colour[1:].split(","))) for colour in colours}
    return side, sets.get("W", []), sets.get("B", [])


def asked(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def play(url, seed, sides):
    """Plays a game from the opening of this seed: 1 where the service has won, 0.5 for a draw, and the plies."""
    draw, game = random.Random(seed), Game(url)
    for player in sides.values():
        player.begin()
    while not game.is_over():
        is_opening = len(game.moves) < OPENING_PLIES
        game.play(draw.choice(game.legal)["move"] if is_opening else sides[game.side].move(game))
    points = 0.5 if not game.winner else float(isinstance(sides[game.winner], Service))
    return points, game


def main():
    at = sys.argv.index("--") if "--" in sys.argv else sys.exit(__doc__)
    games, url, *words = sys.argv[1:at]
    folder, depth = sys.argv[at + 1 :]
    url = url.rstrip("/")
    fields = dict(word.split("=", 1) for word in words)
    fields = {name: int(value) if value.isdigit() else value for name, value in fields.items()}
    with tempfile.TemporaryDirectory() as temporary:
        players = [Service(url, fields), GuiNN(compiled(Path(folder), Path(temporary)), int(depth))]
        results = []
        for number in range(int(games)):
            first, second = players if number % 2 == 0 else players[::-1]
            points, game = play(url, number // 2, {"black": first, "white": second})
            results.append(points)
            colour = "black" if first is players[0] else "white"
            print(f"{number + 1:3} {' '.join(game.moves[:OPENING_PLIES])} {colour} {points} in {len(game.moves)} plies", flush=True)
        won, drawn = results.count(1.0), results.count(0.5)
        print(f"{won} won, {drawn} drawn, {len(results) - won - drawn} lost: {100 * sum(results) / len(results):.1f} %")
        for name, player in zip(("service", "GuiNN"), players):
            print(f"{name}: {player.nodes / max(player.moves, 1):.0f} positions a move")
        players[1].process.kill()


main()

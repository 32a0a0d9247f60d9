#!/usr/bin/env python3
"""Times the prover of Connect Four beside other solvers, position by position, on one thread.

Each solver proves the exact distance of every position without an opening book. Ours begins each with
an empty table; the others, as their own benchmarks do, keep what they learned from the positions before,
which favours them. All values are compared with the published ones.

    python3 tools/connect_four_peers.py [POSITIONS...] [--empty] --lab target/release/lab \\
        [--c4 FOLDER] [--pons FOLDER] [--bitbully FOLDER] [--every N] [--first N]

POSITIONS are files of lines "columns score", as Pascal Pons publishes them. --empty proves the empty board,
ours with a table of 512 MiB. The folders are checkouts of https://github.com/ChristopheSteininger/c4,
https://github.com/PascalPons/connect4 and https://github.com/MarkusThill/BitBully. They are compiled with
g++ and --flags, c4 for one thread and with a table of --c4-entries. Takes the mean over the positions.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import tempfile

CELLS = 42

# Times a solver from inside, as ours is timed.
DRIVER = """
#include INCLUDE
#include <chrono>
#include <iostream>
#include <string>

int main() {
  SETUP
  for (std::string columns; std::getline(std::cin, columns);) {
    POSITION
    auto before = NODES;
    auto start = std::chrono::steady_clock::now();
    int score = SOLVE;
    auto time = std::chrono::steady_clock::now() - start;
    std::cout << score << ' ' << NODES - before << ' '
              << std::chrono::duration_cast<std::chrono::nanoseconds>(time).count() << std::endl;
  }
}
"""

C4 = {
    "INCLUDE": '"solver/solver.h"',
    "SETUP": "Solver solver;",
    "POSITION": "Position position; for (char column : columns) position.move(column - '1');",
    "NODES": "solver.get_merged_stats().get_num_nodes()",
    "SOLVE": "solver.solve_strong(position)",
}

PONS = {
    "INCLUDE": '"Solver.hpp"',
    "SETUP": "static GameSolver::Connect4::Solver solver;",
    "POSITION": "GameSolver::Connect4::Position position; position.play(columns);",
    "NODES": "solver.getNodeCount()",
    "SOLVE": "solver.solve(position)",
}

BITBULLY = {
    "INCLUDE": '"BitBully.h"',
    "SETUP": "BitBully::BitBully solver;",
    "POSITION": "BitBully::Board position; for (char column : columns) position.play(column - '1');",
    "NODES": "solver.getNodeCounter()",
    "SOLVE": "solver.mtdf(position, 0)",
}


def published(path, every, first):
    """The columns and the scores of a file."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    return [(columns, int(score)) for columns, score in lines[::every][:first]]


def run(command, positions):
    """The lines that a solver answers."""
    text = "".join(columns + "\n" for columns in positions)
    output = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return output.stdout.splitlines()


def lab(program, table_bits=None):
    """Our own prover."""
    command = [program, "prove", "connect-four"]
    if table_bits:
        command += ["--table-bits", str(table_bits)]

    def prove(positions):
        for columns, line in zip(positions, run(command, positions)):
            outcome, plies, nodes, nanoseconds = line.removeprefix(columns).split()
            score = 0
            if outcome != "draw":
                # The stones that the winner has left: one more for every two plies sooner.
                score = CELLS // 2 + 1 - (len(columns) + int(plies) + 1) // 2
            yield (-score if outcome == "loss" else score), int(nodes), int(nanoseconds)

    return prove


def compiled(words, sources, include, flags, scratch):
    """A solver in C++, with a driver that times it."""
    program = pathlib.Path(scratch) / re.sub(r"\W", "", words["INCLUDE"])
    driver = program.with_suffix(".cpp")
    code = DRIVER
    for word, text in words.items():
        code = code.replace(word, text)
    driver.write_text(code)
    compiler = ["g++", "-std=c++20", "-pthread", *flags.split(), f"-I{include}", str(driver)]
    subprocess.run([*compiler, *map(str, sources), "-o", str(program)], check=True)

    def prove(positions):
        for line in run([program], positions):
            score, nodes, nanoseconds = map(int, line.split())
            yield score, nodes, nanoseconds

    return prove


def c4(folder, entries, flags, scratch):
    """c4, whose settings are constants of its source."""
    source = pathlib.Path(scratch) / "c4"
    shutil.copytree(pathlib.Path(folder) / "src", source)
    settings = source / "solver" / "settings.h"
    text = re.sub(r"NUM_THREADS = \d+", "NUM_THREADS = 1", settings.read_text())
    settings.write_text(re.sub(r"NUM_TABLE_ENTRIES = \d+", f"NUM_TABLE_ENTRIES = {entries}", text))
    return compiled(C4, (source / "solver").rglob("*.cpp"), source, flags, scratch)


def duration(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.0f} ns"


def row(name, prove, positions):
    """Proves the positions, checks the scores, and tells means."""
    results = list(prove([columns for columns, _ in positions]))
    wrong = sum(score != found for (_, score), (found, _, _) in zip(positions, results))
    count = len(results)
    nodes = sum(nodes for _, nodes, _ in results) / count
    nanoseconds = sum(nanoseconds for _, _, nanoseconds in results) / count
    rate = nodes / nanoseconds * 1e3
    verdict = "all exact" if not wrong and count == len(positions) else f"{wrong} WRONG"
    return f"| {name} | {duration(nanoseconds)} | {nodes:.0f} | {rate:.1f} | {verdict} |"


def table(title, solvers, positions):
    """Lets every solver prove the positions."""
    print(f"\n{title}, {len(positions)} positions\n")
    print("| solver | time a position | nodes a position | million nodes a second | values |")
    print("|---|---|---|---|---|")
    for name, prove in solvers.items():
        print(row(name, prove, positions), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("positions", nargs="*", type=pathlib.Path)
    parser.add_argument("--empty", action="store_true", help="the empty board too")
    parser.add_argument("--lab", default="target/release/lab")
    parser.add_argument("--c4", help="folder with src/solver")
    parser.add_argument(
        "--c4-entries", type=int, default=67108879, help="of 8 bytes, a prime number; 512 MiB"
    )
    parser.add_argument("--pons", help="folder with Solver.cpp")
    parser.add_argument("--bitbully", help="folder with src/BitBully.cpp")
    parser.add_argument("--flags", default="-O3 -flto -DNDEBUG -march=native", help="for g++")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth position")
    parser.add_argument("--first", type=int, help="only so many positions of each file")
    arguments = parser.parse_args()
    flags = arguments.flags
    with tempfile.TemporaryDirectory() as scratch:
        peers = {}
        if arguments.c4:
            peers["c4"] = c4(arguments.c4, arguments.c4_entries, flags, scratch)
        if arguments.pons:
            folder = pathlib.Path(arguments.pons)
            peers["Pons"] = compiled(PONS, [folder / "Solver.cpp"], folder, flags, scratch)
        if arguments.bitbully:
            folder = pathlib.Path(arguments.bitbully) / "src"
            names = ["BitBully", "Board", "TranspositionTable", "MoveList", "OpeningBook"]
            sources = [folder / f"{name}.cpp" for name in names]
            peers["BitBully"] = compiled(BITBULLY, sources, folder, flags, scratch)
        solvers = {"bestmove": lab(arguments.lab), **peers}
        for path in arguments.positions:
            table(path.stem, solvers, published(path, arguments.every, arguments.first))
        if arguments.empty:
            table("Empty board", {**solvers, "bestmove": lab(arguments.lab, 26)}, [("", 1)])


if __name__ == "__main__":
    main()

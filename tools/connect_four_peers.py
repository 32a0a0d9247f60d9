#!/usr/bin/env python3
"""Times the prover of Connect Four beside other solvers, position by position, on one thread.

Each solver proves the exact distance of every position without an opening book. Ours begins each with
an empty table; the others, as their own benchmarks do, keep what they learned from the positions before,
which favours them. All values are compared with the published ones.

    python3 tools/connect_four_peers.py POSITIONS... --lab target/release/lab \\
        [--pons FOLDER] [--bitbully] [--every N]

POSITIONS are files of lines "columns score", as Pascal Pons publishes them. --pons names a checkout of
https://github.com/PascalPons/connect4, which is compiled with g++ and --flags; --bitbully needs the
package of that name. Takes the mean over the positions; states nodes where a solver counts them.
"""

import argparse
import pathlib
import subprocess
import tempfile
import time

CELLS = 42

# Times Pons's solver from inside, as the others are timed.
DRIVER = """
#include "Solver.hpp"
#include <chrono>
#include <iostream>
#include <string>

int main() {
  static GameSolver::Connect4::Solver solver;
  for (std::string columns; std::getline(std::cin, columns);) {
    GameSolver::Connect4::Position position;
    position.play(columns);
    auto before = solver.getNodeCount();
    auto start = std::chrono::steady_clock::now();
    int score = solver.solve(position);
    auto time = std::chrono::steady_clock::now() - start;
    std::cout << score << ' ' << solver.getNodeCount() - before << ' '
              << std::chrono::duration_cast<std::chrono::nanoseconds>(time).count() << std::endl;
  }
}
"""


def published(path, every):
    """The columns and the scores of a file."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    return [(columns, int(score)) for columns, score in lines[::every]]


def lab(program):
    """Our own prover."""

    def prove(positions):
        command = [program, "prove", "connect-four"]
        text = "".join(columns + "\n" for columns in positions)
        output = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        for line in output.stdout.splitlines():
            columns, outcome, plies, nodes, nanoseconds = line.split()
            score = 0
            if outcome != "draw":
                # The stones that the winner has left: one more for every two plies sooner.
                score = CELLS // 2 + 1 - (len(columns) + int(plies) + 1) // 2
            yield (-score if outcome == "loss" else score), int(nodes), int(nanoseconds)

    return prove


def pons(folder, flags, scratch):
    """Pons's solver, compiled with a driver that times it."""
    driver = pathlib.Path(scratch) / "driver.cpp"
    driver.write_text(DRIVER)
    program = driver.with_suffix("")
    source = pathlib.Path(folder)
    compiler = ["g++", "-std=c++11", *flags.split(), f"-I{source}", str(driver)]
    subprocess.run([*compiler, str(source / "Solver.cpp"), "-o", str(program)], check=True)

    def prove(positions):
        text = "".join(columns + "\n" for columns in positions)
        output = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
        for line in output.stdout.splitlines():
            score, nodes, nanoseconds = map(int, line.split())
            yield score, nodes, nanoseconds

    return prove


def bitbully():
    """BitBully by its Python package, without its book."""
    from bitbully import bitbully_core as core

    solver = core.BitBullyCore()

    def prove(positions):
        for columns in positions:
            board = core.BoardCore()
            board.setBoard([int(column) - 1 for column in columns])
            solver.resetNodeCounter()
            start = time.perf_counter_ns()
            score = solver.mtdf(board, 0)
            yield score, solver.getNodeCounter(), time.perf_counter_ns() - start

    return prove


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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("positions", nargs="+", type=pathlib.Path)
    parser.add_argument("--lab", default="target/release/lab")
    parser.add_argument("--pons", help="folder with Solver.cpp")
    parser.add_argument("--flags", default="-O3 -DNDEBUG -march=native", help="for g++")
    parser.add_argument("--bitbully", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth position")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        solvers = {"bestmove": lab(arguments.lab)}
        if arguments.pons:
            solvers["Pons"] = pons(arguments.pons, arguments.flags, scratch)
        if arguments.bitbully:
            solvers["BitBully"] = bitbully()
        for path in arguments.positions:
            positions = published(path, arguments.every)
            print(f"\n{path.stem}, {len(positions)} positions\n")
            print("| solver | time a position | nodes a position | million nodes a second | values |")
            print("|---|---|---|---|---|")
            for name, prove in solvers.items():
                print(row(name, prove, positions), flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes docs/benchmarks.md from the results in docs/benchmarks/, and measures those that one machine can.

    tools/benchmarks.py                          writes docs/benchmarks.md
    tools/benchmarks.py check                    fails where docs/benchmarks.md is not that
    tools/benchmarks.py measure PROGRAM          counts instructions of a search of each game by valgrind, and keeps them
    tools/benchmarks.py limits PROGRAM           the same, and fails where a count is 10 % above the one that is kept

A result has a title, what was measured and how, the version, columns and rows. Nothing is written by hand into the page.
Needs Python 3.11, and valgrind to measure.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/benchmarks"
PAGE = ROOT / "docs/benchmarks.md"
INSTRUCTIONS = RESULTS / "instructions.json"
# One search of each game, without limits of time.
SEARCHES = {
    "tic-tac-toe": ["--depth", "9", "--algorithm", "alpha-beta"],
    "connect-four": ["4", "4", "4", "--depth", "9", "--algorithm", "alpha-beta"],
    "checkers": ["11-15", "23-19", "--nodes", "20000"],
    "chess": ["e4", "e5", "--nodes", "20000"],
    "othello": ["f5", "d6", "--nodes", "20000"],
}
# Another compiler changes a count by some per cent, a fault in a search by more.
TOLERANCE = 1.10
ABOUT = (
    "Instructions of the processor for one search each, which are repeatable where times are not: those of the command with "
    "the search, less those of the command with a search of depth 1."
)


def page() -> str:
    """The page: a section for each result."""
    text = ["# Benchmarks", "", "Made by `tools/benchmarks.py` from the results in `docs/benchmarks/`. Change those, not this page.", ""]
    for path in sorted(RESULTS.glob("*.json")):
        result = json.loads(path.read_text())
        assert all(len(row) == len(result["columns"]) for row in result["rows"]), path
        text += [f"## {result['title']}", "", result["about"], "", f"Version {result['version']}, by `{result['command']}`.", ""]
        text += [f"| {' | '.join(result['columns'])} |", "|---" * len(result["columns"]) + "|"]
        text += [f"| {' | '.join(row)} |" for row in result["rows"]]
        text += ["", *(line for note in result.get("notes", []) for line in (note, ""))]
    return "\n".join(text)


def instructions(program: str, arguments: list[str]) -> int:
    """The instructions of a run of the program on one thread."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"--callgrind-out-file={folder}/out"
        command = ["valgrind", "--tool=callgrind", out, program, "best-move", *arguments, "--json"]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]})
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def counted(program: str) -> dict[str, tuple[int, int]]:
    """The instructions and nodes of a search of each game."""
    counts = {}
    for game, moves_and_limit in SEARCHES.items():
        moves = list(itertools.takewhile(lambda word: not word.startswith("--"), moves_and_limit))
        answer = subprocess.run([program, "best-move", game, *moves_and_limit, "--json"], capture_output=True, text=True, check=True)
        nodes = json.loads(answer.stdout)["search"]["nodes"]
        start = instructions(program, [game, *moves, "--depth", "1"])
        counts[game] = (instructions(program, [game, *moves_and_limit]) - start, nodes)
        print(f"{game}: {counts[game][0]} instructions, {nodes} nodes", flush=True)
    return counts


def measure(program: str) -> None:
    """Keeps the counts of this program."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    counts = counted(program)
    rows = [
        [game, " ".join(SEARCHES[game]), f"{nodes}", f"{count}", f"{count / nodes:.0f}"]
        for game, (count, nodes) in counts.items()
    ]
    result = {
        "title": "Instructions of a search",
        "about": ABOUT,
        "command": "tools/benchmarks.py measure target/release/bestmove",
        "version": version,
        "columns": ["game", "search", "nodes", "instructions", "a node"],
        "rows": rows,
    }
    INSTRUCTIONS.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")


def limits(program: str) -> None:
    """Fails where a search takes more instructions than it did."""
    kept = {row[0]: int(row[3]) for row in json.loads(INSTRUCTIONS.read_text())["rows"]}
    slower = [game for game, (count, _) in counted(program).items() if count > TOLERANCE * kept[game]]
    assert not slower, f"more instructions than {INSTRUCTIONS.name} has: {slower}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            PAGE.write_text(page())
        case ["check"]:
            assert PAGE.read_text() == page(), "run tools/benchmarks.py"
        case ["measure", program]:
            measure(program)
            PAGE.write_text(page())
        case ["limits", program]:
            limits(program)
        case _:
            sys.exit(__doc__)

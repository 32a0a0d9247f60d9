#!/usr/bin/env python3
"""Writes docs/benchmarks.md from the results in docs/benchmarks/, and measures those that one machine can.

    tools/benchmarks.py                          writes docs/benchmarks.md
    tools/benchmarks.py check                    fails where docs/benchmarks.md is not that
    tools/benchmarks.py measure PROGRAM          counts instructions of a search of each game by valgrind, and keeps them
    tools/benchmarks.py limits PROGRAM           the same, and fails where a count is 10 % above the one that is kept
    tools/benchmarks.py http PROGRAM LOAD        counts instructions of a request, and keeps them; LOAD is the example `load`

A result has a title, what was measured and how, the version, columns and rows. Nothing is written by hand into the page.
Needs Python 3.11, and valgrind to measure.
"""

import http.client
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/benchmarks"
PAGE = ROOT / "docs/benchmarks.md"
INSTRUCTIONS = RESULTS / "instructions.json"
HTTP = RESULTS / "http.json"
# One search of each game, without limits of time.
# The moves, and the limit last: its name and its number.
SEARCHES = {
    "tic-tac-toe": ["--algorithm", "alpha-beta", "--depth", "9"],
    "connect-four": ["4", "4", "4", "--algorithm", "alpha-beta", "--depth", "9"],
    "checkers": ["11-15", "23-19", "--nodes", "20000"],
    "chess": ["e4", "e5", "--nodes", "20000"],
    "othello": ["f5", "d6", "--nodes", "20000"],
}
# Another compiler changes a count by some per cent, a fault in a search by more.
TOLERANCE = 1.10
ABOUT = (
    "Instructions of the processor for one search each, which are repeatable where times are not: those of the command with "
    "the search, less those of the same command with a limit of 1."
)

# The requests that are counted, and those before, in which all positions of tic-tac-toe occur.
COUNTED, BEFORE = 2000, 4600
ABOUT_HTTP = (
    f"Instructions of the server for each request, beside a fixed answer within the same layers. All positions of tic-tac-toe "
    f"at depth 9, {COUNTED} requests on one kept connection after {BEFORE} others, `RUST_LOG=info`, release builds."
)


def page() -> str:
    """The page: a section for each result."""
    text = ["# Benchmarks", "", "Made by `tools/benchmarks.py` from the results in `docs/benchmarks/`. Change those, not this page.", ""]
    text += ["[Levels](benchmarks/levels.md) and [a deployment](benchmarks/deployment.md) have pages of their own.", ""]
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
    for game, words in SEARCHES.items():
        answer = subprocess.run([program, "best-move", game, *words, "--json"], capture_output=True, text=True, check=True)
        nodes = json.loads(answer.stdout)["search"]["nodes"]
        # All other words are the same, since what a start takes depends on where they lie in memory.
        start = instructions(program, [game, *words[:-1], "1"])
        counts[game] = (instructions(program, [game, *words]) - start, nodes)
        print(f"{game}: {counts[game][0]} instructions, {nodes} nodes", flush=True)
    return counts


def version(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def measure(program: str) -> None:
    """Keeps the counts of this program."""
    counts = counted(program)
    rows = [
        [game, " ".join(SEARCHES[game]), f"{nodes}", f"{count}", f"{count / nodes:.0f}"]
        for game, (count, nodes) in counts.items()
    ]
    result = {
        "title": "Instructions of a search",
        "about": ABOUT,
        "command": "tools/benchmarks.py measure target/release/bestmove",
        "version": version(program),
        "columns": ["game", "search", "nodes", "instructions", "a node"],
        "rows": rows,
    }
    INSTRUCTIONS.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")


def limits(program: str) -> None:
    """Fails where a search takes more instructions than it did."""
    kept = {row[0]: int(row[3]) for row in json.loads(INSTRUCTIONS.read_text())["rows"]}
    slower = [game for game, (count, _) in counted(program).items() if count > TOLERANCE * kept[game]]
    assert not slower, f"more instructions than {INSTRUCTIONS.name} has: {slower}"


def positions() -> list[str]:
    """All unfinished positions of tic-tac-toe."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    found, new = set(), {("." * 9, "X")}
    while new:
        found |= new
        placed = {
            (cells[:at] + side + cells[at + 1 :], "XO".replace(side, ""))
            for cells, side in new
            for at in range(9)
            if cells[at] == "."
        }
        is_won = {it for it in placed for line in lines if {it[0][at] for at in line} in ({"X"}, {"O"})}
        new = {it for it in placed - is_won if "." in it[0]}
    return sorted(f"{cells} {side}" for cells, side in found)


def connected(server: subprocess.Popen, port: int) -> socket.socket:
    """A connection, as soon as the server listens."""
    while server.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=120)
        except ConnectionRefusedError:
            time.sleep(0.2)
    raise RuntimeError("the server has ended")


def served(command: list[str], port: int, path: str, count: int) -> int:
    """The instructions of a server from its start to its end, with so many requests between."""
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *command]
        environment = {"PATH": os.environ["PATH"], "RUST_LOG": "info"}
        with open(f"{folder}/log", "w+") as log:
            server = subprocess.Popen(valgrind, stdout=subprocess.DEVNULL, stderr=log, env=environment)
            connection = connected(server, port)
            for position in itertools.islice(itertools.cycle(positions()), count):
                body = json.dumps({"game": "tic-tac-toe", "position": position, "depth": 9})
                head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
                # In one piece: the constants do not wait for the body.
                connection.sendall((head + body).encode())
                answer = http.client.HTTPResponse(connection)
                answer.begin()
                answer.read()
                assert answer.status == 200, position
            connection.close()
            server.terminate()
            server.wait()
            log.seek(0)
            return int(re.search(r"Collected : (\d+)", log.read())[1])


def requests(program: str, load: str) -> None:
    """Keeps the instructions of a request."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    service, floor = [program, "--port", str(port)], [load, "floor", str(port)]
    rows = []
    for name, command, path in [
        ("constant", floor, "/at-once"),
        ("constant by way of the blocking pool", floor, "/blocking"),
        ("known answer", service, "/best-move"),
        ("searched answer", [*service, "--cache-mb", "0"], "/best-move"),
    ]:
        more, less = (served(command, port, path, count) for count in (BEFORE + COUNTED, BEFORE))
        rows.append([name, f"{round((more - less) / COUNTED):,}".replace(",", " ")])
        print(*rows[-1], flush=True)
    result = {
        "title": "What a request costs over HTTP",
        "about": ABOUT_HTTP,
        "command": "tools/benchmarks.py http target/dist/bestmove target/dist/examples/load",
        "version": version(program),
        "columns": ["answer", "instructions"],
        "rows": rows,
    }
    HTTP.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            PAGE.write_text(page())
        case ["check"]:
            assert PAGE.read_text() == page(), "run tools/benchmarks.py"
        case ["measure", program]:
            measure(program)
            PAGE.write_text(page())
        case ["http", program, load]:
            requests(program, load)
            PAGE.write_text(page())
        case ["limits", program]:
            limits(program)
        case _:
            sys.exit(__doc__)

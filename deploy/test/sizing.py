"""Measures what requests cost, by game and kind, for docs/benchmarks/deployment.md:

DEPLOY_TEST_PROGRAM=sizing.py deploy/test/run [--count 60] [--game chess …]

Processor time is the service's own (`process_cpu_seconds_total`), so a busy machine falsifies little.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time

from client import Connection, ask, get, post
from replicas import Replicas

# The most random plies before a position is asked about.
PLIES = {"tic-tac-toe": 7, "connect-four": 30, "checkers": 50, "chess": 60, "othello": 50}
LEVELS = ["beginner", "amateur", "professional", "master"]
# What is asked about a position beside the move of a level.
OTHERS = {
    "professional, reasons": ("/best-move", {"level": "professional", "include": ["reasons"]}),
    "analyze, 20 000 nodes": ("/analyze", {"nodes": 20_000}),
    "analyze, reasons": ("/analyze", {"nodes": 20_000, "include": ["reasons"]}),
    "review, a ply": ("/review", {}),
    "review, a ply, reasons": ("/review", {"include": ["reasons"]}),
}
REVIEWED_PLIES = 4


async def random_moves(port: int, start: dict, plies: int, rng: random.Random) -> list[dict]:
    """So many random moves, none of which ends the game; fewer where each would."""
    moves = []
    while len(moves) < plies:
        asked = start | ({"position": moves[-1]["position"]} if moves else {})
        legal = (await ask(port, post("/position", asked))).json()["legal_moves"]
        legal = [move for move in legal if move["state"] == "ongoing"]
        if not legal:
            break
        moves.append(rng.choice(legal))
    return moves


async def positions_of(port: int, game: str, count: int) -> list[dict]:
    """Positions after a random number of random moves, with the moves that follow in a review."""
    rng, found = random.Random(game), []
    while len(found) < count:
        moves = await random_moves(port, {"game": game}, rng.randint(1, PLIES[game]), rng)
        start = {"game": game, "position": moves[-1]["position"]}
        reviewed = await random_moves(port, start, REVIEWED_PLIES, rng)
        if len(reviewed) == REVIEWED_PLIES or game == "tic-tac-toe":
            found.append(start | {"moves": [move["move"] for move in reviewed]})
    return found


class Watch:
    """The most memory that was reserved while it ran."""

    def __init__(self, replica):
        self.replica, self.most, self.stopped = replica, 0.0, False
        self.task = asyncio.create_task(self.run())

    async def run(self) -> None:
        while not self.stopped:
            self.most = max(self.most, (await self.replica.metrics())["bestmove_search_memory_bytes"])
            await asyncio.sleep(0.001)


async def cost(replica, game: str, kind: str, route: str, bodies: list[dict], plies: int = 1) -> None:
    """Prints a row of the table."""
    connection, times = Connection(replica.port), []
    before = (await replica.metrics())["process_cpu_seconds_total"]
    spent = 0.0
    # The clock counts hundredths of a second: what costs less is asked again and again.
    while spent < 1 and len(times) < 40 * len(bodies):
        for body in bodies:
            start = time.monotonic()
            answer = await connection.ask(post(route, body))
            assert answer.status == 200, answer
            timing = answer.headers.get("server-timing", "")
            passed = 1000 * (time.monotonic() - start)
            times.append(float(timing.split("search;dur=")[1]) if "search;dur=" in timing else passed)
        spent = (await replica.metrics())["process_cpu_seconds_total"] - before
    watch = Watch(replica)
    for body in bodies:
        await connection.ask(post(route, body))
    watch.stopped = True
    await watch.task
    await connection.close()
    times.sort()
    each = spent / len(times) / plies
    print(f"| {game} | {kind} | {1000 * each:.2f} | {1 / each:.0f} | {times[len(times) // 2] / plies:.1f} | "
          f"{times[int(0.99 * len(times))] / plies:.1f} | {watch.most / 2**20:.1f} |", flush=True)


async def main() -> None:
    """Prints the table and the memory of the process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--game", nargs="*", default=list(PLIES))
    options = parser.parse_args()
    print("| game | kind | processor ms | searches a second | median ms | 99 % ms | memory MiB |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        async with Replicas(os.environ["BESTMOVE"], folder, 1, WORKERS=1, CACHE_MB=0) as replicas:
            replica = replicas[0]
            idle = (await replica.metrics())["process_resident_memory_bytes"]
            for game in options.game:
                games = await positions_of(replica.port, game, options.count)
                positions = [{field: known[field] for field in ("game", "position")} for known in games]
                for level in LEVELS:
                    await cost(replica, game, level, "/best-move", [known | {"level": level} for known in positions])
                for kind, (route, fields) in OTHERS.items():
                    if game == "tic-tac-toe":
                        continue
                    plies = REVIEWED_PLIES if route == "/review" else 1
                    asked = games if route == "/review" else positions
                    await cost(replica, game, kind, route, [known | fields for known in asked], plies)
            connection, before = Connection(replica.port), (await replica.metrics())["process_cpu_seconds_total"]
            for _ in range(5000):
                await connection.ask(get("/games/chess"))
            spent = (await replica.metrics())["process_cpu_seconds_total"] - before
            after = (await replica.metrics())["process_resident_memory_bytes"]
    print(f"a request without a search: {1e6 * spent / 5000:.0f} us of processor time")
    print(f"resident: {idle / 2**20:.0f} MiB at the start, {after / 2**20:.0f} MiB at the end; "
          f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    asyncio.run(main())

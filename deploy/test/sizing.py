"""Measures what a search costs, by game and level, for docs/benchmarks/deployment.md:

DEPLOY_TEST_PROGRAM=sizing.py deploy/test/run [--count 60]

Processor time is the service's own (`process_cpu_seconds_total`), so a busy machine falsifies little.
"""

import argparse
import asyncio
import os
import random
import tempfile

from client import Connection, ask, get, post
from replicas import Replicas

# The most random plies before a position is asked about.
PLIES = {"tic-tac-toe": 7, "connect-four": 30, "checkers": 50, "chess": 60}
LEVELS = ["beginner", "amateur", "professional", "master"]


async def positions_of(port: int, game: str, count: int) -> list[str]:
    """Positions after a random number of random moves."""
    rng, found = random.Random(game), []
    while len(found) < count:
        position, plies = None, rng.randint(0, PLIES[game])
        for _ in range(plies):
            asked = {"game": game} | ({"position": position} if position else {})
            moves = (await ask(port, post("/position", asked))).json()["legal_moves"]
            moves = [move for move in moves if move["state"] == "ongoing"]
            if not moves:
                position = None
                break
            position = rng.choice(moves)["position"]
        if position:
            found.append(position)
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


async def cost(replica, game: str, level: str, positions: list[str]) -> None:
    """Prints a row of the table."""
    connection, times = Connection(replica.port), []
    before = (await replica.metrics())["process_cpu_seconds_total"]
    spent = 0.0
    # The clock counts hundredths of a second: what costs less is asked again and again.
    while spent < 1 and len(times) < 40 * len(positions):
        for position in positions:
            asked = {"game": game, "position": position, "level": level}
            answer = await connection.ask(post("/best-move", asked))
            assert answer.status == 200, answer
            times.append(float(answer.headers["server-timing"].split("search;dur=")[1]))
        spent = (await replica.metrics())["process_cpu_seconds_total"] - before
    watch = Watch(replica)
    for position in positions:
        await connection.ask(post("/best-move", {"game": game, "position": position, "level": level}))
    watch.stopped = True
    await watch.task
    await connection.close()
    times.sort()
    each = spent / len(times)
    print(f"| {game} | {level} | {1000 * each:.2f} | {1 / each:.0f} | {times[len(times) // 2]:.1f} | "
          f"{times[int(0.99 * len(times))]:.1f} | {watch.most / 2**20:.1f} |", flush=True)


async def main() -> None:
    """Prints the table and the memory of the process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=60)
    count = parser.parse_args().count
    print("| game | level | processor ms | searches a second | median ms | 99 % ms | memory MiB |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        async with Replicas(os.environ["BESTMOVE"], folder, 1, WORKERS=1, CACHE_MB=0) as replicas:
            replica = replicas[0]
            idle = (await replica.metrics())["process_resident_memory_bytes"]
            for game in PLIES:
                positions = await positions_of(replica.port, game, count)
                for level in LEVELS:
                    await cost(replica, game, level, positions)
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

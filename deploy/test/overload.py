"""More searches than all replicas can take."""

import asyncio
import time
from collections import Counter

from client import Connection, ask, get, post
from replicas import Replicas

# Plies of the Ruy Lopez: other questions, so that no search is shared.
OPENING = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"]


def heavy(number: int):
    """A search of a few hundred milliseconds that no other request asks for."""
    moves = OPENING[: number % (len(OPENING) + 1)]
    return post("/best-move", {"game": "chess", "moves": moves, "nodes": 200000 + number})


class Flood:
    """Many clients that ask for heavy searches."""

    def __init__(self, port: int, clients: int):
        self.port, self.number = port, 0
        self.statuses, self.without_header = Counter(), 0
        self.stopped = asyncio.Event()
        self.tasks = [asyncio.create_task(self.client()) for _ in range(clients)]

    async def client(self) -> None:
        connection = Connection(self.port)
        while not self.stopped.is_set():
            self.number += 1
            try:
                answer = await asyncio.wait_for(connection.ask(heavy(self.number)), 60)
            except (OSError, EOFError, asyncio.TimeoutError) as error:
                self.statuses[type(error).__name__] += 1
                continue
            self.statuses[answer.status] += 1
            self.without_header += answer.status == 503 and "retry-after" not in answer.headers
            if answer.status == 503:
                await asyncio.sleep(0.1)
        await connection.close()

    async def stop(self) -> None:
        """Lets every request in flight end."""
        self.stopped.set()
        await asyncio.gather(*self.tasks)


async def overload_is_refused_and_recovers(stage, proxy_class) -> None:
    """503 with Retry-After, health stays up, no replica is taken out, and soon all is well."""
    async with Replicas(stage.binary, stage.folder, WORKERS=1, QUEUE=2) as replicas:
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            flood = Flood(proxy.port, 40)
            slowest, checks, end = 0.0, 0, time.monotonic() + (4 if stage.short else 8)
            while time.monotonic() < end:
                for port in [proxy.port, *(replica.port for replica in replicas)]:
                    start = time.monotonic()
                    health = await ask(port, get("/health/ready"), 10)
                    assert health.status == 200, f"health is {health.status} under load"
                    slowest, checks = max(slowest, time.monotonic() - start), checks + 1
                await asyncio.sleep(0.2)
            refused = await replicas.total("bestmove_searches_refused_total")
            await flood.stop()
            recovery = await seconds_to_answer(proxy.port)
            served = await spread(replicas, proxy.port)
    print(f"  flood: {dict(flood.statuses)}, refused by replicas {refused:.0f}; "
          f"health up in {checks} of {checks} checks, slowest {1000 * slowest:.0f} ms")
    print(f"  an answer {recovery:.2f} s after the flood; then searches of the replicas {served}")
    assert set(flood.statuses) == {200, 503}, "some requests met something else than 200 and 503"
    assert flood.without_header == 0, "a 503 had no Retry-After"
    assert recovery < 5 and all(served), "a replica was taken out"


async def seconds_to_answer(port: int) -> float:
    """The seconds until a request is answered with 200."""
    start = time.monotonic()
    while (await ask(port, heavy(1))).status != 200:
        await asyncio.sleep(0.05)
    return time.monotonic() - start


async def spread(replicas, port: int) -> list[int]:
    """How many of 60 new searches each replica gets."""
    name = "bestmove_search_nodes_count"
    before = [(await replica.metrics()).get(name, 0) for replica in replicas]
    for batch in range(10):
        asked = [post("/best-move", {"game": "checkers", "nodes": 1000 + 6 * batch + i}) for i in range(6)]
        assert all(a.status == 200 for a in await asyncio.gather(*(ask(port, q) for q in asked)))
    after = [(await replica.metrics()).get(name, 0) for replica in replicas]
    return [int(b - a) for a, b in zip(before, after)]

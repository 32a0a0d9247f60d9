"""How load is spread: throughput by replicas, and cache hits with consistent hashing and without."""

import asyncio
import os
import random
import time

from client import Connection, Question, ask, get, post
from proxies import Nginx
from replicas import Replicas
from overload import heavy


async def searches_a_second(proxy, clients: int, seconds: float) -> float:
    """Heavy searches answered a second, with so many clients at a time."""
    number, done, start = int(time.monotonic() * 1000) % 10**6, 0, time.monotonic()

    async def client(own: int) -> None:
        nonlocal done
        connection = Connection(proxy.port)
        while time.monotonic() < start + seconds:
            own += clients
            answer = await connection.ask(heavy(own))
            assert answer.status == 200, answer
            done += 1
        await connection.close()

    await asyncio.gather(*(client(number + i) for i in range(clients)))
    return done / (time.monotonic() - start)


async def two_replicas_search_twice_as_much(stage) -> None:
    """Throughput with one and with two replicas of one worker each, measured in turn."""
    proxy_class = next((p for p in stage.proxies if p is not Nginx), Nginx)
    rounds, best = [], {1: 0.0, 2: 0.0}
    async with Replicas(stage.binary, stage.folder, WORKERS=1, CACHE_MB=0) as replicas:
        replicas[2].stop()
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            for _ in range(1 if stage.short else 3):
                for count in [1, 2]:
                    if count == 1:
                        replicas[1].stop()
                    else:
                        replicas[1].start()
                        await replicas[1].ready()
                    await asyncio.sleep(2.5)
                    rate = await searches_a_second(proxy, 2 * count, 4)
                    rounds.append((count, round(rate, 2)))
                    best[count] = max(best[count], rate)
    ratio = best[2] / best[1]
    print(f"  {proxy_class.name}: searches of 200 000 nodes a second by replicas {rounds}; best {best[1]:.2f} "
          f"and {best[2]:.2f}, ratio {ratio:.2f}; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    assert os.cpu_count() < 2 or ratio > 1.3, "a second replica adds too little"


async def hashing_raises_the_hit_ratio(stage, proxy_class) -> None:
    """The same questions by GET, hashed by URL, and by POST, sent to the least loaded replica."""
    plies = [str(1 + i % 7) for i in range(60)]
    asked = [{"game": "connect-four", "moves": ",".join(plies[:i % 6]), "nodes": 1000 + i} for i in range(60)]
    addresses = ["/best-move?" + "&".join(f"{k}={v}" for k, v in a.items() if v) for a in asked]
    bodies = [a | {"moves": a["moves"].split(",") if a["moves"] else []} for a in asked]
    with_hash = await hit_ratio(stage, proxy_class, [get(address) for address in addresses])
    without = await hit_ratio(stage, proxy_class, [post("/best-move", body) for body in bodies])
    print(f"  60 questions, each asked four times: hit ratio {with_hash:.3f} with hashing, {without:.3f} "
          "without; 0.750 is possible")
    assert with_hash > 0.7 and with_hash > without + 0.1


async def hit_ratio(stage, proxy_class, asked: list[Question]) -> float:
    """The share of requests that the caches of three new replicas answer."""
    order = asked * 4
    random.Random(7).shuffle(order)
    async with Replicas(stage.binary, stage.folder, WORKERS=1) as replicas:
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            for start in range(0, len(order), 3):
                batch = order[start:start + 3]
                answers = await asyncio.gather(*(ask(proxy.port, question) for question in batch))
                assert all(answer.status == 200 for answer in answers), answers
            hits = await replicas.total("bestmove_cache_hits_total")
    return hits / len(order)

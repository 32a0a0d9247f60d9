"""Mixed traffic for a long time; at the end nothing may have grown (see `soak`)."""

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

from client import Connection, Question, ask, post
from failover import batch_of, stream_of
from main import Stage
from proxies import PROXIES
from replicas import Replicas
from traffic import Load, positions, questions, rest, with_answers

HOSTILE = [
    # Nine queens a side and every capture a question: the search must end in time all the same.
    post("/best-move", {"game": "chess", "position": "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1", "time_ms": 200}),
    post("/best-move", {"game": "chess", "position": "8/8/8/8/8/8/8/8 w - - 0 1"}),
    post("/best-move", {"game": "checkers", "position": "W:WK1-32:B"}),
    post("/best-move", {"game": "connect-four", "position": "1" * 60000}),
    post("/best-move", {"game": "tic-tac-toe", "position": [[["X"] * 3] * 3] * 3}),
    post("/best-move", {"game": "chess", "moves": ["Nf3", "Nf6", "Ng1", "Ng8"] * 500, "nodes": 500}),
    post("/best-move", {"game": "chess", "depth": 64, "time_ms": 300}),
    post("/analyze", {"game": "checkers", "time_ms": 300}),
    post("/tree", {"game": "chess", "depth": 30}),
    Question("POST", "/best-move", b'{"game":' + b"[" * 30000),
    Question("POST", "/best-move", b'{"game": "\xff\xfe"}'),
    Question("GET", "/best-move?game=chess&moves=" + "e4," * 2000),
]


class Guests:
    """Clients that behave badly until they are stopped."""

    def __init__(self, port: int, duty: float):
        self.port, self.duty, self.seen = port, duty, Counter()
        self.stopped = False
        kinds = [self.hostile, self.leave, self.leave, self.slow_upload, self.slow_reader]
        self.tasks = [asyncio.create_task(self.forever(kind)) for kind in kinds]

    async def forever(self, kind) -> None:
        rng = random.Random(kind.__name__)
        while not self.stopped:
            start = time.monotonic()
            try:
                await asyncio.wait_for(kind(rng), 60)
            except (OSError, EOFError, asyncio.TimeoutError) as error:
                self.seen[f"{kind.__name__}: {type(error).__name__}"] += 1
            await asyncio.sleep(0.05)
            await rest(start, self.duty)

    async def hostile(self, rng) -> None:
        """A request that is malformed, or as heavy as may be."""
        answer = await ask(self.port, rng.choice(HOSTILE), 30)
        self.seen[f"hostile: {answer.status}"] += 1

    async def leave(self, rng) -> None:
        """A client that does not wait for its answer."""
        connection = Connection(self.port)
        path = rng.choice(["/best-move", "/best-move/stream", "/analyze"])
        await connection.send(post(path, {"game": rng.choice(["chess", "checkers"]), "time_ms": 5000}))
        await asyncio.sleep(rng.uniform(0.02, 0.4))
        await connection.close()
        self.seen["left"] += 1

    async def slow_upload(self, rng) -> None:
        """A client that sends a byte at a time, and half of the time never ends."""
        connection = Connection(self.port)
        question = post("/best-move", {"game": "tic-tac-toe"}).encode()
        connection.reader, connection.writer = await asyncio.open_connection(*connection.address)
        length = len(question) if rng.random() < 0.5 else len(question) - 5
        for byte in question[:length]:
            connection.writer.write(bytes([byte]))
            await asyncio.sleep(0.01)
        if length == len(question):
            status, _ = await connection.head()
            self.seen[f"slow upload: {status}"] += 1
        await connection.close()

    async def slow_reader(self, rng) -> None:
        """A client that reads a stream a little at a time."""
        connection = Connection(self.port)
        await connection.send(post("/best-move/stream", {"game": "chess", "time_ms": 1000}))
        await connection.head()
        for _ in range(20):
            await connection.reader.read(100)
            await asyncio.sleep(0.1)
        await connection.close()
        self.seen["slow reader"] += 1

    async def stop(self) -> None:
        """Lets every guest end."""
        self.stopped = True
        await asyncio.gather(*self.tasks)


def process_figures(pid: int) -> tuple[float, int]:
    """Resident memory in MiB, and open file descriptors."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20, len(os.listdir(f"/proc/{pid}/fd"))


class Figures:
    """Memory, descriptors and latency in equal parts of the time."""

    def __init__(self, replicas, load: Load):
        self.replicas, self.load, self.rows, self.seen = replicas, load, [], 0

    def take(self, start: float) -> None:
        """Takes a row, and prints it."""
        latencies = sorted(self.load.tally.latencies[self.seen:]) or [0.0]
        self.seen += len(latencies)
        figures = [process_figures(replica.process.pid) for replica in self.replicas]
        memory, files = [round(f[0], 1) for f in figures], [f[1] for f in figures]
        at = [1000 * latencies[int(q * len(latencies))] for q in (0.5, 0.99)]
        self.rows.append((sum(memory), sum(files), *at))
        print(f"  {time.monotonic() - start:6.0f} s: memory {memory} MiB, descriptors {files}, "
              f"median {at[0]:.1f} ms, p99 {at[1]:.0f} ms", flush=True)

    def growth(self) -> list[float]:
        """For each figure the median of the last third by that of the middle third."""
        third = len(self.rows) // 3
        middle, last = self.rows[third:2 * third], self.rows[-third:]
        return [statistics.median(b) / statistics.median(a) for a, b in zip(zip(*middle), zip(*last))]


async def soak(stage: Stage, proxy_class, seconds: float, duty: float) -> None:
    """Runs the traffic, prints the figures, and holds them against each other."""
    # Caches too small for all answers, so that they fill and drop some all the time.
    settings = {"WORKERS": 1, "CACHE_MB": 1, "MEMORY_MB": 256}
    async with Replicas(stage.binary, stage.folder, **settings) as replicas:
        asked = questions(await positions(replicas[0].port, 1500, 21), 22, 8000)
        expected = await with_answers(replicas[0].port, asked)
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            load, guests = Load(proxy.port, expected, 4, duty), Guests(proxy.port, duty)
            others = [stream_of(proxy.port, duty), batch_of(proxy.port, duty)]
            figures, start = Figures(replicas, load), time.monotonic()
            parts = 30
            for part in range(parts):
                await asyncio.sleep(max(0.0, start + seconds * (part + 1) / parts - time.monotonic()))
                figures.take(start)
            await guests.stop()
            for other in others:
                await other.stop()
            tally = await load.stop()
            retried = await proxy.retries()
            spent = await replicas.total("process_cpu_seconds_total") / (time.monotonic() - start)
            await asyncio.sleep(15)
            quiet = [process_figures(replica.process.pid) for replica in replicas]
            running = await replicas.total("bestmove_searches_running")
            reserved = await replicas.total("bestmove_search_memory_bytes")
            abandoned = await replicas.total("bestmove_searches_abandoned_total")
    growth = figures.growth()
    print(f"  {proxy_class.name}, {seconds:.0f} s, clients busy {duty:.0%} of the time: {tally}; retried {retried}")
    print(f"  streams complete {others[0].complete}, cut {len(others[0].cut)}; "
          f"batches complete {others[1].complete}, cut {len(others[1].cut)}")
    print(f"  guests: {dict(sorted(guests.seen.items()))}; searches abandoned {abandoned:.0f}; "
          f"{spent:.2f} cores used by the replicas")
    print("  last third by middle third: memory {:.2f}, descriptors {:.2f}, median {:.2f}, p99 {:.2f}".format(*growth))
    print(f"  quiet for 15 s: memory {[round(q[0], 1) for q in quiet]} MiB, descriptors {[q[1] for q in quiet]}, "
          f"searches running {running:.0f}, memory reserved {reserved:.0f} B; load {os.getloadavg()[0]:.1f}")
    assert not tally.failed and not any(o.cut or o.sent_again for o in others), "a request failed"
    assert growth[0] < 1.1 and growth[1] < 1.5, "memory or descriptors grew"
    assert growth[2] < 2 and growth[3] < 2, "answers became slower"
    assert running == 0 and reserved == 0, "a search was left behind"


def main() -> None:
    """Reads the options and runs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", nargs="?", type=float, default=3600)
    parser.add_argument("proxy", nargs="?", default="haproxy")
    parser.add_argument("--duty", type=float, default=1, help="the share of the time that each client is busy")
    options = parser.parse_args()
    proxy_class = next(proxy for proxy in PROXIES if proxy.name == options.proxy)
    with tempfile.TemporaryDirectory(prefix="bestmove-soak-") as folder:
        stage = Stage(os.environ["BESTMOVE"], folder, False)
        asyncio.run(soak(stage, proxy_class, options.seconds, options.duty))
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()

"""Replicas die, restart, are replaced in turn and hang, and no request of a client fails."""

import asyncio
import signal
import time

from client import NDJSON, Connection, Question, ask
from replicas import Replicas
from traffic import Load, positions, questions, rest, with_answers


class Endless:
    """Streams or batches one after the other.

    One that is cut is counted apart. One that a proxy refuses as a whole, with 503 and Retry-After, is sent again after
    that time, as clients do: what has begun to send an unbuffered body can be sent again by the client alone.
    """

    def __init__(self, port: int, body: bytes, path: str, headers: dict, end: bytes, duty: float):
        self.duty, self.port, self.question, self.end = duty, port, Question("POST", path, body, headers), end
        self.complete, self.cut, self.refused, self.sent_again = 0, [], 0, 0
        self.reasons = []
        self.stopped = asyncio.Event()
        self.task = asyncio.create_task(self.run())

    async def run(self) -> None:
        while not self.stopped.is_set():
            start = time.monotonic()
            try:
                answer = await ask(self.port, self.question, 60)
                if answer.status == 503 and "retry-after" in answer.headers:
                    self.sent_again += 1
                    await asyncio.sleep(float(answer.headers["retry-after"]))
                    continue
                whole = answer.status == 200 and self.end in answer.body
                if not whole:
                    self.reasons.append((answer.status, answer.body[-200:]))
                self.refused += answer.body.count(b"/problems/overloaded")
            except (OSError, EOFError, asyncio.TimeoutError) as error:
                whole = False
                self.reasons.append(repr(error)[:200])
            if whole:
                self.complete += 1
            else:
                self.cut.append((start, time.monotonic()))
                await asyncio.sleep(0.05)
            await rest(start, self.duty)

    async def stop(self) -> None:
        """Lets the last one end."""
        self.stopped.set()
        await self.task


def stream_of(port: int, duty: float = 1) -> Endless:
    """Streams of about a third of a second."""
    body = b'{"game": "chess", "nodes": 100000}'
    return Endless(port, body, "/best-move/stream", {}, b"event: result", duty)


def batch_of(port: int, duty: float = 1) -> Endless:
    """Batches of 20 lines."""
    line = b'{"game": "checkers", "nodes": 20000, "moves": ["%s"]}\n'
    body = b"".join(line % move for move in [b"11-15", b"9-13", b"12-16", b"10-15"] * 5)
    return Endless(port, body, "/best-move/batch", NDJSON, b"}\n", duty)


async def replicas_die_and_are_replaced(stage, proxy_class) -> None:
    """kill -9, restart and a rolling restart by SIGTERM, under load."""
    async with Replicas(stage.binary, stage.folder, WORKERS=1, CACHE_MB=0) as replicas:
        asked = questions(await positions(replicas[0].port, 80, 1), 2)
        expected = await with_answers(replicas[0].port, asked)
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            before = await proxy.retries()
            load = Load(proxy.port, expected)
            others = [stream_of(proxy.port), batch_of(proxy.port)]
            await asyncio.sleep(1.5)
            killed = time.monotonic()
            replicas[1].kill()
            await asyncio.sleep(stage.pause)
            replicas[1].start()
            await replicas[1].ready()
            await asyncio.sleep(stage.pause)
            await rolling_restart(replicas, stage.pause)
            for other in others:
                await other.stop()
            tally = await load.stop()
            retried = await proxy.retries() - before
    print(f"  requests: {tally}; retried {retried}")
    by_kill = [sum(a <= killed <= b for a, b in other.cut) for other in others]
    for name, other, count in zip(["streams", "batches"], others, by_kill):
        print(f"  {name}: complete {other.complete}, cut by kill -9 {count}, otherwise "
              f"{len(other.cut) - count}; sent again {other.sent_again}; lines refused by a drain {other.refused}")
    assert not tally.failed, "a request failed"
    assert tally.answered == tally.sent > 100
    assert retried > 0, "nothing was retried, so the test met no failure"
    assert all(len(o.cut) == c for o, c in zip(others, by_kill)), [o.reasons for o in others]
    streams, batches = others
    assert streams.sent_again == 0, "a stream was refused, which a proxy can retry"
    # A batch can meet each of the three restarts and the kill once.
    assert batches.sent_again <= 4, "batches were refused again and again"


async def rolling_restart(replicas, pause: float) -> None:
    """Each replica in turn: SIGTERM, status 0, started again, ready."""
    for replica in replicas:
        status = await replica.terminate()
        assert status == 0, f"replica {replica.number} ended with {status}"
        replica.start()
        await replica.ready()
        await asyncio.sleep(pause)


async def a_replica_that_hangs_is_taken_out(stage, proxy_class) -> None:
    """SIGSTOP: requests that met the replica are retried, and new ones avoid it."""
    async with Replicas(stage.binary, stage.folder, WORKERS=1, CACHE_MB=0) as replicas:
        asked = questions(await positions(replicas[0].port, 40, 3), 4, 4000)
        expected = await with_answers(replicas[0].port, asked)
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            before = await proxy.retries()
            load = Load(proxy.port, expected)
            await asyncio.sleep(1)
            replicas[2].signal(signal.SIGSTOP)
            stopped = time.monotonic()
            await asyncio.sleep(proxy.hang_bound + 3)
            answered = load.tally.answered
            await asyncio.sleep(1)
            rate = load.tally.answered - answered
            tally = await load.stop()
            replicas[2].signal(signal.SIGCONT)
            retried = await proxy.retries() - before
            await replicas[2].ready()
            again = await ask(proxy.port, asked[0], 30)
    last = max((start - stopped for start, _ in tally.slow), default=0.0)
    print(f"  requests: {tally}; retried {retried}")
    print(f"  {len(tally.slow)} requests waited over a second, the last sent {last:.1f} s after the "
          f"stop; then {rate} answers in a second")
    assert not tally.failed, "a request failed"
    assert again.status == 200
    assert rate > 10, "the replica that hangs was not taken out"
    late = sum(start - stopped > proxy.hang_bound for start, _ in tally.slow)
    assert late <= proxy.late_probes, f"{late} requests met the replica long after it hung"


async def answers_are_byte_identical(stage, proxy_class) -> None:
    """Every replica gives the same bytes, with its cache and without, directly and by the proxy."""
    async with Replicas(stage.binary, stage.folder, WORKERS=1) as replicas:
        asked = questions(await positions(replicas[0].port, 120, 5), 6)
        expected = await with_answers(replicas[0].port, asked)
        compared = 0
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            for port in [replicas[1].port, replicas[2].port, proxy.port, proxy.port]:
                connection = Connection(port)
                for question, body in expected:
                    answer = await connection.ask(question)
                    assert answer.body == body, (question, answer.body, body)
                    compared += 1
                await connection.close()
    print(f"  {compared} answers compared with those of the first replica, all equal")

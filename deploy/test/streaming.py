"""Streams and batches through a proxy: unbuffered, and cancelled when their client leaves."""

import asyncio
import time

from client import KEY, Connection, Question, post
from replicas import Replicas


async def streams_are_unbuffered_and_cancelled(stage, proxy_class) -> None:
    """Events and lines arrive as they are made; a client that leaves ends its search."""
    async with Replicas(stage.binary, stage.folder, WORKERS=1) as replicas:
        async with proxy_class(stage.folder, replicas, stage.tls) as proxy:
            first, last = await event_times(proxy.port)
            print(f"  stream: first event after {first:.2f} s, the result after {last:.2f} s")
            assert first < last - 1, "events were held back"
            delays = await line_times(proxy.port)
            print("  batch: each line answered before the next was sent, after "
                  + ", ".join(f"{1000 * delay:.0f}" for delay in delays) + " ms")
            for name, question, wait in abandoned_questions():
                seconds = await seconds_to_cancel(replicas, proxy.port, question, wait)
                print(f"  {name}: the search ended {1000 * seconds:.0f} ms after its client left")


def deep(seed: int) -> dict:
    """A search of ten seconds."""
    return {"game": "chess", "time_ms": 10000, "moves": ["e4", "e5", "Nf3", "Nc6"][:seed]}


def abandoned_questions() -> list:
    """Requests that a client leaves, and whether it waits for the first bytes of the answer."""
    body = post("/best-move", deep(2)).body
    batch = {"content-type": "application/x-ndjson", "x-api-key": KEY}
    return [
        ("stream", Question("POST", "/best-move/stream", body), True),
        ("event source", Question("GET", "/best-move/stream?game=chess&time_ms=10000"), True),
        ("best-move", post("/best-move", deep(1)), False),
        ("batch", Question("POST", "/best-move/batch", body + b"\n" + body, batch), False),
    ]


async def event_times(port: int) -> tuple[float, float]:
    """When the first event and the last arrived, in seconds after a request for two seconds."""
    connection, start, times = Connection(port), time.monotonic(), []
    await connection.send(post("/best-move/stream", {"game": "chess", "time_ms": 2000}))
    status, headers = await connection.head()
    assert status == 200 and headers["content-type"].startswith("text/event-stream"), (status, headers)
    async for piece in connection.chunks(status, headers):
        times += [time.monotonic() - start] * piece.count(b"event: ")
    await connection.close()
    return times[0], times[-1]


async def line_times(port: int) -> list[float]:
    """Sends lines of a batch one at a time, each after the answer to the one before."""
    connection, delays = Connection(port), []
    head = {"content-type": "application/x-ndjson", "x-api-key": KEY, "transfer-encoding": "chunked"}
    line = b'{"game": "checkers", "nodes": 2000}\n'
    connection.reader, connection.writer = await asyncio.open_connection(*connection.address)
    names = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    connection.writer.write(f"POST /best-move/batch HTTP/1.1\r\nhost: test\r\n{names}\r\n".encode())
    pieces = None
    for _ in range(3):
        start = time.monotonic()
        connection.writer.write(b"%x\r\n%s\r\n" % (len(line), line))
        if pieces is None:
            status, headers = await asyncio.wait_for(connection.head(), 5)
            assert status == 200, status
            pieces = connection.chunks(status, headers)
        piece = await asyncio.wait_for(anext(pieces), 5)
        assert b'"best_move"' in piece, piece
        delays.append(time.monotonic() - start)
    connection.writer.write(b"0\r\n\r\n")
    await connection.close()
    return delays


async def seconds_to_cancel(replicas, port: int, question: Question, wait: bool) -> float:
    """The seconds from the end of the client's connection to the end of its search."""
    abandoned = await replicas.total("bestmove_searches_abandoned_total")
    connection = Connection(port)
    await connection.send(question)
    if wait:
        status, headers = await asyncio.wait_for(connection.head(), 5)
        await asyncio.wait_for(anext(connection.chunks(status, headers)), 5)
    await until(replicas, lambda running, _: running == 1, "the search did not begin")
    await connection.close()
    start = time.monotonic()
    await until(replicas, lambda running, left: running == 0 and left > abandoned,
                "the search went on without its client")
    return time.monotonic() - start


async def until(replicas, holds, complaint: str) -> None:
    """Waits until the numbers of running and abandoned searches are as they should be."""
    end = time.monotonic() + 5
    while not holds(await replicas.total("bestmove_searches_running"),
                    await replicas.total("bestmove_searches_abandoned_total")):
        assert time.monotonic() < end, complaint
        await asyncio.sleep(0.02)

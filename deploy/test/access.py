"""What a proxy itself decides: keys, rates, sizes, TLS, and what it says without a replica."""

import asyncio
import ssl
from collections import Counter

from client import NDJSON, Connection, Question, ask, get, post
from replicas import Replicas

LINE = b'{"game": "tic-tac-toe"}\n'


def is_problem(answer, status: int) -> bool:
    """Whether an answer is a problem with this status."""
    return answer.status == status and answer.headers["content-type"] == "application/problem+json"


async def the_proxy_guards_the_service(stage, proxy_class) -> None:
    """API key, rate limit, size limit, TLS, hidden metrics, no replica at all."""
    async with Replicas(stage.binary, stage.folder, WORKERS=1) as replicas:
        async with proxy_class(stage.folder, replicas, stage.tls, 50) as proxy:
            await key_and_size(proxy.port)
            await tls(proxy.tls_port, stage.tls)
            await rate(proxy.port)
            await asyncio.sleep(1.5)
            for replica in replicas:
                replica.kill()
            for _ in range(3):
                nobody = await ask(proxy.port, get("/best-move?game=tic-tac-toe"), 10)
                assert is_problem(nobody, 503) and "retry-after" in nobody.headers, nobody
    print("  no replica at all: 503 with Retry-After")


async def key_and_size(port: int) -> None:
    """Batches need the key, metrics are hidden, bodies are bounded."""
    keys = {"none": None, "wrong": "wrong", "right": NDJSON["x-api-key"]}
    statuses = {}
    for name, key in keys.items():
        headers = {"content-type": "application/x-ndjson"} | ({"x-api-key": key} if key else {})
        answer = await ask(port, Question("POST", "/best-move/batch", LINE, headers), 10)
        statuses[name] = answer.status
        assert answer.status == 200 or is_problem(answer, 401), answer
    assert statuses == {"none": 401, "wrong": 401, "right": 200}, statuses
    # A slash at the end of a path changes nothing for the service, so it opens nothing here.
    lines = Question("POST", "/best-move/batch/", LINE, {"content-type": "application/x-ndjson"})
    assert is_problem(await ask(port, lines, 10), 401)
    for hidden in ("/metrics", "/metrics/"):
        assert (await ask(port, get(hidden), 10)).status == 404, hidden
    large = post("/best-move", {"game": "x" * 200000})
    refused = await ask(port, large, 10)
    assert is_problem(refused, 413), refused
    # A body as large as the service takes passes, and is understood there.
    whole = await ask(port, post("/best-move", {"game": "tic-tac-toe", "moves": "4" + " " * 65000}), 10)
    assert whole.status == 200, whole
    print(f"  batches by key {statuses}; /metrics 404; 200 kB 413; 64 KiB 200")


async def tls(port: int, folder: str) -> None:
    """A verified certificate, and HTTP/2 is offered."""
    context = ssl.create_default_context(cafile=f"{folder}/tls.crt")
    answer = await ask(port, get("/best-move?game=tic-tac-toe&position=XOXX.O..O"), 10, tls=context)
    assert answer.status == 200, answer
    context.set_alpn_protocols(["h2", "http/1.1"])
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    chosen = writer.get_extra_info("ssl_object")
    print(f"  TLS: {chosen.version()}, {chosen.selected_alpn_protocol()}")
    writer.close()
    assert chosen.selected_alpn_protocol() == "h2"


async def rate(port: int) -> None:
    """A client that sends too many requests gets 429, and later is served again."""
    await asyncio.sleep(1.2)
    connection, statuses = Connection(port), Counter()
    for _ in range(300):
        answer = await connection.ask(get("/games/chess"))
        statuses[answer.status] += 1
        assert answer.status == 200 or (is_problem(answer, 429) and "retry-after" in answer.headers), answer
    await connection.close()
    print(f"  300 requests at once with a limit of 50 a second: {dict(statuses)}")
    # The windows of the proxies are not the same; a burst is at most as large as the rate.
    assert 40 <= statuses[200] <= 150 and statuses[429] >= 150, statuses
    await asyncio.sleep(1.5)
    assert (await ask(port, get("/games/chess"), 10)).status == 200

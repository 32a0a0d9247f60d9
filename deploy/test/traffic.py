"""Requests of clients whose answers depend on nothing but the request."""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field

from client import Connection, Question, ask, get, post

GAMES = ["tic-tac-toe", "connect-four", "checkers", "chess"]


async def positions(port: int, count: int, seed: int) -> list[tuple[str, str]]:
    """Games and positions after some random moves, none of them finished."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        game = rng.choice(GAMES)
        position = None
        for _ in range(rng.randint(0, 5)):
            asked = {"game": game} | ({"position": position} if position else {})
            moves = (await ask(port, post("/position", asked))).json()["legal_moves"]
            ongoing = [move["position"] for move in moves if move["state"] == "ongoing"]
            if not ongoing:
                break
            position = rng.choice(ongoing)
        if position:
            found.append((game, position))
    return found


def questions(found: list[tuple[str, str]], seed: int, nodes: int = 20000) -> list[Question]:
    """One request for each position, of the kinds that front ends send."""
    rng, made = random.Random(seed), []
    for game, position in found:
        asked = {"game": game, "position": position}
        limit = {} if game == "tic-tac-toe" else {"nodes": rng.randint(nodes // 4, nodes)}
        kind = rng.randrange(5)
        if kind == 0:
            made.append(post("/analyze", asked | {"top": 2, "depth": 2}))
        elif kind == 1:
            made.append(post("/position", asked))
        elif kind == 2:
            address = position.replace(" ", "_" if game == "chess" else "%20")
            fields = "".join(f"&{name}={value}" for name, value in limit.items())
            made.append(get(f"/best-move?game={game}&position={address}{fields}"))
        else:
            made.append(post("/best-move", asked | limit))
    return made


async def rest(start: float, duty: float) -> None:
    """Waits after a request that began at `start`, so that its client is busy this share of the time."""
    await asyncio.sleep(min(120, (time.monotonic() - start) * (1 / duty - 1)))


@dataclass
class Tally:
    """What became of the requests of one load."""

    sent: int = 0
    answered: int = 0
    failed: Counter = field(default_factory=Counter)
    latencies: list = field(default_factory=list)
    # The begin of each request that took longer than a second, and its duration.
    slow: list = field(default_factory=list)

    def __str__(self) -> str:
        ordered = sorted(self.latencies) or [0.0]
        at = lambda share: 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]
        failed = sum(self.failed.values())
        return (
            f"sent {self.sent}, answered {self.answered}, failed {failed}"
            f"{' ' + str(dict(self.failed)) if failed else ''}; "
            f"median {at(0.5):.0f} ms, p99 {at(0.99):.0f} ms, slowest {1000 * ordered[-1]:.0f} ms"
        )


class Load:
    """Clients that send the questions again and again and compare every answer."""

    def __init__(self, port: int, expected: list[tuple[Question, bytes]], clients: int = 8, duty: float = 1):
        self.port, self.expected, self.duty = port, expected, duty
        self.tally = Tally()
        self.stopped = asyncio.Event()
        self.tasks = [asyncio.create_task(self.client(number)) for number in range(clients)]

    async def client(self, number: int) -> None:
        rng = random.Random(number)
        connection = Connection(self.port)
        while not self.stopped.is_set():
            question, body = rng.choice(self.expected)
            start = time.monotonic()
            asking = asyncio.create_task(self.ask(connection, question, body))
            done, _ = await asyncio.wait([asking], timeout=1)
            if not done:
                # Another client takes over, so that the load stays the same while this one waits.
                self.tasks.append(asyncio.create_task(self.client(len(self.tasks))))
                await asking
                break
            # Few enough requests for a machine of two cores that is shared.
            await asyncio.sleep(0.005)
            await rest(start, self.duty)
        await connection.close()

    async def ask(self, connection: Connection, question: Question, body: bytes) -> None:
        """Sends one request and counts what became of it."""
        start = time.monotonic()
        self.tally.sent += 1
        try:
            answer = await asyncio.wait_for(connection.ask(question), 60)
        except (OSError, EOFError, asyncio.TimeoutError) as error:
            self.tally.failed[type(error).__name__] += 1
            return
        duration = time.monotonic() - start
        self.tally.latencies.append(duration)
        if duration > 1:
            self.tally.slow.append((start, duration))
        if answer.status != 200:
            self.tally.failed[answer.status] += 1
        elif answer.body != body:
            self.tally.failed["other answer"] += 1
        else:
            self.tally.answered += 1

    async def stop(self) -> Tally:
        """Lets every request in flight end."""
        self.stopped.set()
        while not all(task.done() for task in self.tasks):
            await asyncio.gather(*self.tasks)
        return self.tally


async def with_answers(port: int, asked: list[Question]) -> list[tuple[Question, bytes]]:
    """Each question with the answer of the replica on this port."""
    answers = [(question, await ask(port, question)) for question in asked]
    bad = [(q, a.status, a.body) for q, a in answers if a.status != 200]
    assert not bad, bad[:3]
    return [(question, answer.body) for question, answer in answers]

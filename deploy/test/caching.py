"""The cache in front of the proxy: what share of two front ends it takes, and what it must not keep."""

import asyncio
import json
import random
import subprocess
import time
from collections import Counter
from pathlib import Path
from urllib.parse import quote

from client import Connection, ask, get
from proxies import DEPLOY, render
from replicas import Replicas, free_port


class Cache:
    """nginx with the shipped configuration in front of a port."""

    def __init__(self, folder: str, backend: int):
        self.folder, self.port = Path(folder) / "cache", free_port()
        self.folder.mkdir(exist_ok=True)
        values = {"LISTEN_ADDRESS": "127.0.0.1", "HTTP_PORT": self.port, "BACKEND_HOST": "127.0.0.1",
                  "BACKEND_PORT": backend, "CACHE_DIR": self.folder / "answers", "CACHE_KEYS": "16m",
                  "CACHE_SIZE": "100m"}
        (self.folder / "nginx.conf").write_text(render(DEPLOY / "cache/nginx.conf", values))

    async def __aenter__(self):
        settings = f"daemon off; pid {self.folder}/nginx.pid;"
        command = ["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf", "-g", settings]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        for _ in range(100):
            try:
                if (await ask(self.port, get("/health"), 2)).status == 200:
                    return self
            except OSError:
                await asyncio.sleep(0.05)
        self.process.kill()
        raise AssertionError((self.folder / "log").read_text())

    async def __aexit__(self, *_):
        self.process.terminate()
        self.process.wait(10)


async def play(connection: Connection, game: str, level: str, choose, plies: int, found: Counter) -> None:
    """A game of somebody against the engine, or its beginning: a request a turn, as a front end sends it."""
    position = None
    for _ in range(plies):
        place = f"&position={quote(position)}" if position else ""
        question = f"/best-move?game={game}{place}&level={level}&include=legal_moves"
        answer = await connection.ask(get(question))
        assert answer.status == 200, answer
        found[answer.headers["x-cache"]] += 1
        moves = answer.json()["after"].get("legal_moves", [])
        if not moves:
            return
        reply = choose(moves)
        if reply["state"] != "ongoing":
            return
        position = reply["position"]


async def tic_tac_toe(connection: Connection, rng: random.Random, found: Counter) -> None:
    """A whole game; the player is as likely to play any move."""
    level = rng.choice(["beginner", "amateur", "professional", "master"])
    await play(connection, "tic-tac-toe", level, rng.choice, 5, found)


async def connect_four(connection: Connection, rng: random.Random, found: Counter) -> None:
    """Most players prefer the centre, and half of them leave after every second move."""
    weights = {"1": 1, "2": 2, "3": 4, "4": 8, "5": 4, "6": 2, "7": 1}

    def choose(moves: list):
        return rng.choices(moves, [weights[move["move"]] for move in moves])[0]

    plies = 1
    while plies < 18 and rng.random() < 0.7:
        plies += 1
    level = rng.choice(["beginner", "amateur"])
    await play(connection, "connect-four", level, choose, plies, found)


async def share(port: int, player, games: int, seed: int) -> Counter:
    """What the cache said to the requests of so many games."""
    found, rng = Counter(), random.Random(seed)

    async def player_after_player(own: random.Random) -> None:
        connection = Connection(port)
        for _ in range(games // 4):
            await player(connection, own, found)
        await connection.close()

    await asyncio.gather(*(player_after_player(random.Random(rng.random())) for _ in range(4)))
    return found


async def the_cache_takes_its_share(stage) -> None:
    """A tic-tac-toe front end, and one of Connect Four where most games end early."""
    games = 400 if stage.short else 1000
    async with Replicas(stage.binary, stage.folder, WORKERS=1, CACHE_MB=0) as replicas:
        async with stage.proxies[0](stage.folder, replicas, stage.tls) as proxy:
            async with Cache(stage.folder, proxy.port) as cache:
                for player, least in [(tic_tac_toe, 0.7), (connect_four, 0.5)]:
                    searches = await replicas.total("bestmove_search_nodes_count")
                    found = await share(cache.port, player, games, 1)
                    total = sum(found.values())
                    searched = await replicas.total("bestmove_search_nodes_count") - searches
                    taken = 1 - searched / total
                    print(f"  {player.__name__}: {games} games, {total} requests, {dict(found)}; the cache took "
                          f"{100 * taken:.1f} % of the searches")
                    assert taken > least, "the cache takes too little"
                await rightly_kept(cache.port, replicas)


async def rightly_kept(port: int, replicas) -> None:
    """Equal bytes; nothing that depends on time or failed; answers without any replica."""
    opening = get("/best-move?game=checkers&depth=5")
    answers = [await ask(port, opening) for _ in range(2)]
    assert [a.headers["x-cache"] for a in answers] == ["MISS", "HIT"], answers
    assert answers[0].body == answers[1].body and answers[0].headers["etag"] == answers[1].headers["etag"]
    tagged = await ask(port, get("/best-move?game=checkers&depth=5", if_none_match=answers[0].headers["etag"]))
    assert tagged.status == 304, tagged
    never = ["/best-move?game=checkers&time_ms=20", "/best-move?game=go", "/best-move?game=chess&position=8"]
    for path in never:
        seen = [(await ask(port, get(path))).headers["x-cache"] for _ in range(2)]
        assert seen == ["MISS", "MISS"], (path, seen)
    picture, again = [await ask(port, get("/board.svg?game=chess&flip=true")) for _ in range(2)]
    assert picture.status == 200 and picture.headers["content-type"].startswith("image/svg+xml"), picture
    assert again.headers["x-cache"] == "HIT" and again.body == picture.body, again
    known = await ask(port, get("/board.svg?game=chess&flip=true", if_none_match=picture.headers["etag"]))
    assert known.status == 304, known
    together = await asyncio.gather(*(ask(port, get("/best-move?game=chess&nodes=150000")) for _ in range(8)))
    assert len({a.body for a in together}) == 1
    for replica in replicas:
        replica.kill()
    await asyncio.sleep(3)
    start = time.monotonic()
    kept = await ask(port, opening)
    assert kept.status == 200 and kept.body == answers[0].body, kept
    other = await ask(port, get("/best-move?game=checkers&depth=3"), 30)
    assert other.status == 503 and json.loads(other.body)["status"] == 503, other
    print(f"  without any replica: cached answers go on, others get 503 after {time.monotonic() - start:.2f} s")

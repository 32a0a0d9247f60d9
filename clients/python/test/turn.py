"""The wheel in an empty project: a turn, a game, streams, a batch, a problem, a busy service, none, and asyncio."""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bestmove_client import AsyncBestmove, Bestmove, ProblemError, UnreachableError
from bestmove_client.contract import BestMoveRequest

address = os.environ["BESTMOVE"].removeprefix("http://")
service = Bestmove(address)

turn = service.best_move(game="chess", moves=["e4", "e5"], depth=3, include=["board"])
assert turn["side_to_move"] == "white" and len(turn["after"]["board"]) == 8

analysis = service.analyze(game="tic-tac-toe", position="XX.OO....", top=2)
assert [len(analysis["moves"]), analysis["moves"][0]["move"]] == [2, "2"]
assert service.review(game="tic-tac-toe", moves=["0", "1"])["moves"][1]["label"] == "blunder"
assert len(service.tree(game="tic-tac-toe", depth=1)["tree"]["children"]) == 9
assert service.health()["version"] and service.game("checkers")["levels"]

# Whole games: a person who plays the first legal move, on either side.
for known in service.games()["games"]:
    game = service.play(known["name"], level="beginner", seed=7)
    while not game.is_over and len(game.moves) < 12:
        game.play(game.legal_moves[0]["move"])
    assert game.turn["position"] == service.position(game=known["name"], moves=game.moves)["position"]
# Variants, and a game with passes to its end.
game = service.play("connect-four", variant="8x7", level="beginner", seed=7)
while not game.is_over:
    game.play(game.legal_moves[-1]["move"])
told = service.position(game="connect-four", variant="8x7", moves=game.moves)
assert [game.turn["position"], len(game.board[0])] == [told["position"], 8]
game = service.play("othello", variant="4x4", level="beginner", seed=7)
while not game.is_over:
    game.play(game.legal_moves[-1]["move"])
assert game.turn["position"] == service.position(game="othello", variant="4x4", moves=game.moves)["position"]
PASSING = "..XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X"
game = service.play("othello", position=PASSING, level="beginner", seed=7)
assert [legal["move"] for legal in game.legal_moves] == ["pass"]
game.play("pass")
assert len(game.moves) == 2
black = service.play("chess", person="black", depth=1)
assert [len(black.moves), black.turn["side_to_move"]] == [1, "black"]
try:
    black.play("Ke4")
    raise AssertionError("an illegal move is refused")
except ProblemError as refused:
    assert (refused.status, refused.type) == (422, "/problems/illegal-move")
    assert refused.problem["field"] == "/moves/1" and refused.problem["allowed"]
assert len(black.moves) == 1
black.play("e5")
black.undo()
assert [len(black.moves), black.turn["side_to_move"]] == [1, "black"]
# Sides are what people call them, in any case; the marks of their pieces do too.
for name, person, side in [("othello", "black", "black"), ("othello", "White", "white"), ("connect-four", "Red", "red"),
                           ("connect-four", "o", "yellow"), ("tic-tac-toe", "o", "O"), ("chess", "Black", "black")]:
    seated = service.play(name, person=person, depth=1)  # type: ignore[arg-type]
    began = 0 if side == service.game(name)["sides"][0] else 1  # type: ignore[arg-type]
    assert (seated.person, seated.turn["side_to_move"], len(seated.moves)) == (side, side, began)
for name, person in [("chess", "red"), ("othello", "purple"), ("connect-four", "black"), ("chess", "K"), ("chess", "")]:
    try:
        service.play(name, person=person)  # type: ignore[arg-type]
        raise AssertionError(f"{name} has no side {person}")
    except ValueError as unknown:
        assert " and ".join(service.game(name)["sides"]) in str(unknown)  # type: ignore[arg-type]
# A move that wins ends the game without a reply.
won = service.play("tic-tac-toe", position="XX.OO....")
assert won.play("2") is None and won.is_over and won.turn["winner"] == "X"

events = list(service.stream_best_move(game="checkers", depth=3))
assert events[-1].kind == "result" and len(events) > 1 and all(event.answer["best_move"] for event in events)
assert all(len(event.answer["moves"]) == 7 for event in service.stream_analysis(game="connect-four", depth=2))
# Leaving a stream ends the search.
assert next(iter(service.stream_best_move(game="chess", time_ms=9000))).kind == "progress"

answers = list(service.batch([{"game": "tic-tac-toe"}, {"game": "chess", "moves": ["e5"]}]))
assert "best_move" in answers[0] and "type" in answers[1] and len(answers) == 2
# More requests than are sent at a time; an error of theirs.
many: list[BestMoveRequest] = [{"game": "tic-tac-toe", "moves": [str(cell % 9)]} for cell in range(250)]
assert [answer.get("status") for answer in service.batch(many)] == [None] * 250


def failing() -> Iterator[BestMoveRequest]:
    """A request, then an error."""
    yield {"game": "tic-tac-toe"}
    raise KeyError("mine")


start = time.monotonic()
try:
    list(service.batch(failing()))
    raise AssertionError("the error of the requests is raised")
except KeyError:
    assert time.monotonic() - start < 1


class Faulty(BaseHTTPRequestHandler):
    """Answers as `answers` says: a status, or none at all for 0; then 200."""

    protocol_version = "HTTP/1.1"
    answers: list[int] = []
    sent = 0
    connections: set[object] = set()

    def do_GET(self) -> None:
        """Answers."""
        Faulty.sent += 1
        Faulty.connections.add(self.client_address)
        status = Faulty.answers.pop(0) if Faulty.answers else 200
        if status == 0:
            self.close_connection = True
            return
        body = b'{"status":"ok","version":"0"}'
        self.send_response(status)
        self.send_header("retry-after", "0")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        """Answers a batch: one line, one busy line, and no further ones; a single request: a move."""
        Faulty.sent += 1
        self.rfile.read(int(self.headers["content-length"]))
        lines = [b'{"best_move":"1"}\n', b'{"type":"/problems/overloaded","status":503}\n']
        body = b"".join(lines) if self.path.endswith("batch") else b'{"best_move":"2"}'
        self.send_response(200)
        self.send_header("content-length", str(len(body) + 9 * self.path.endswith("batch")))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Says nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Faulty)
threading.Thread(target=server.serve_forever, daemon=True).start()
faulty = f"127.0.0.1:{server.server_port}"
# A connection is kept.
client = Bestmove(faulty)
assert [client.health()["status"] for _ in range(5)] == ["ok"] * 5 and len(Faulty.connections) == 1
client.close()
# A busy service is asked again, and one that closes connections, and no more often than allowed.
for statuses, sent in [([503, 429, 503], 4), ([0, 0], 3)]:
    Faulty.answers, Faulty.sent = statuses, 0
    assert Bestmove(faulty).health()["status"] == "ok" and Faulty.sent == sent
Faulty.answers, Faulty.sent = [503] * 9, 0
try:
    Bestmove(faulty, attempts=3).health()
    raise AssertionError("the service stays busy")
except ProblemError as refused:
    assert (refused.status, refused.type, Faulty.sent) == (503, "about:blank", 3)
    assert refused.problem["detail"] == "status 503"
# Lines of a batch that found no place, and those of a batch that broke off, are sent again.
Faulty.sent = 0
named: list[BestMoveRequest] = [{"game": "chess", "id": name} for name in "abc"]  # type: ignore[typeddict-unknown-key]
again = [(answer.get("best_move"), answer.get("id")) for answer in Bestmove(faulty).batch(named)]
assert (again, Faulty.sent) == ([("1", None), ("2", "b"), ("2", "c")], 3)
# A service that is not there, and one that does not answer.
silent = ThreadingHTTPServer(("127.0.0.1", 0), Faulty)
gone = ThreadingHTTPServer(("127.0.0.1", 0), Faulty)
gone.server_close()
for unreachable in [Bestmove(f"127.0.0.1:{gone.server_port}", attempts=2),
                    Bestmove(f"127.0.0.1:{silent.server_port}", timeout=0.2)]:
    try:
        unreachable.health()
        raise AssertionError("nobody answers")
    except UnreachableError as nobody:
        assert "is not reached" in str(nobody)
try:
    Bestmove("ftp://example.org")
    raise AssertionError("no address")
except ValueError:
    pass


async def play() -> None:
    """A turn, requests side by side, a game, a stream, a batch, a problem."""
    service = AsyncBestmove(address)
    moves = await asyncio.gather(*[service.best_move(game="chess", moves=[move], depth=2) for move in ("e4", "d4")])
    assert [move["side_to_move"] for move in moves] == ["black", "black"]
    game = await service.play("checkers", level="beginner", seed=7)
    reply = await game.play(game.now.legal_moves[0]["move"])
    assert reply and len(game.now.moves) == 2
    await game.undo()
    assert game.now.moves == [] and len(game.now.board) == 8
    kinds = [event.kind async for event in service.stream_best_move(game="checkers", depth=3)]
    assert kinds[-1] == "result" and len(kinds) > 1
    async for _ in service.stream_best_move(game="chess", time_ms=9000):
        break
    assert len([answer async for answer in service.batch([{"game": "chess", "depth": 1}] * 3)]) == 3
    try:
        await service.best_move(game="chess", moves=["e5"])
        raise AssertionError("an illegal move is refused")
    except ProblemError as refused:
        assert refused.problem["allowed"]


asyncio.run(play())
print("the wheel plays")

"""The wheel in an empty project: a turn, a game, streams, a batch, a problem, a busy service."""

import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from bestmove_client import Bestmove, ProblemError

service = Bestmove(os.environ["BESTMOVE"])

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
    assert (refused.status, refused.type) == (422, "/problems/illegal-move") and refused.problem
    assert refused.problem["field"] == "/moves/1" and refused.problem["allowed"]
assert len(black.moves) == 1
black.play("e5")
black.undo()
assert [len(black.moves), black.turn["side_to_move"]] == [1, "black"]
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


class Busy(BaseHTTPRequestHandler):
    """Is busy as often as `left` says, then healthy."""

    left = 3
    sent = 0

    def do_GET(self) -> None:
        """Answers."""
        Busy.sent += 1
        Busy.left -= 1
        body = b'{"status":"ok","version":"0"}'
        self.send_response((503 if Busy.left % 2 else 429) if Busy.left >= 0 else 200)
        self.send_header("retry-after", "0")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


# A busy service is asked again, and no more often than allowed.
server = HTTPServer(("127.0.0.1", 0), Busy)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
assert Bestmove(url).health()["status"] == "ok" and Busy.sent == 4
Busy.left, Busy.sent = 9, 0
try:
    Bestmove(url, attempts=3).health()
    raise AssertionError("the service stays busy")
except ProblemError as refused:
    assert refused.status in (429, 503) and refused.problem is None and Busy.sent == 3
print("the wheel plays")

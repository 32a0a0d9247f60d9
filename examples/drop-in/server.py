"""The routes of three public services, answered by the bestmove at BESTMOVE: python server.py [PORT]"""
import json, math, os, re, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request, urlopen

def ask(route, **request):
    url = os.environ.get("BESTMOVE", "http://127.0.0.1:8080") + route
    with urlopen(Request(url, json.dumps(request).encode(), {"content-type": "application/json"})) as answer:
        return json.load(answer)

def number(request, name, default, most):
    return max(1, min(int(request.get(name) or default), most))

def values(answer):
    """Pawns, and moves to a proven mate, from White's view."""
    sign, evaluation = (1 if answer["side_to_move"] == "white" else -1), answer["evaluation"]
    mate = {"win": sign, "loss": -sign}.get(evaluation["outcome"], 0) * ((evaluation.get("plies", 0) + 1) // 2)
    return sign * evaluation["score"] / 100, mate or None

def effect(position, move):
    """What a move does, in the fields of chess-api.com."""
    rows = [re.sub(r"\d", lambda digit: " " * int(digit[0]), row) for row in position.split()[0].split("/")]
    start, end, rook, captures = move["path"][0], move["path"][-1], move.get("also"), move.get("captures", [])
    piece, *captured = [rows[row][column].lower() for row, column in [start, *captures]]
    special = ("q" if rook[0][1] == 0 else "k") if rook else ("c" if end in captures else "e") if captures else ""
    promotion, quiet = move.get("promotion", "").lower(), "b" if piece == "p" and abs(start[0] - end[0]) == 2 else "n"
    told = {"turn": position.split()[1], "color": position.split()[1], "piece": piece, "isCapture": bool(captures),
            "flags": (special or quiet) + ("p" if promotion else ""), "isCastling": bool(rook), "isPromotion": bool(promotion)}
    for name, (row, column) in (("from", start), ("to", end)):
        told |= {name: f"{'abcdefgh'[column]}{8 - row}", f"{name}Numeric": f"{column + 1}{8 - row}"}
    return told | ({"captured": captured[0]} if captures else {}) | ({"promotion": promotion} if promotion else {})

def chess_api(request):
    searched = {"search_moves": request["searchmoves"].split()} if request.get("searchmoves") else {}
    answer = ask("/best-move", game="chess", position=request["fen"], depth=number(request, "depth", 12, 18),
                 time_ms=number(request, "maxThinkingTime", 50, 100), include=["board"], **searched)
    (pawns, mate), depth, move, san = values(answer), answer["search"]["depth"], answer["best_move"], answer["san"]
    pawns = math.copysign(100, mate) if mate else pawns
    standing = "White is winning" if pawns >= 0.5 else "Black is winning" if pawns <= -0.5 else "The game is balanced"
    return {"text": f"Move {san}: [{pawns:.2f}]. {standing}. Depth {depth}.", "eval": pawns, "depth": depth, "mate": mate,
            "centipawns": None if mate else f"{pawns * 100:.0f}", "winChance": 100 / (1 + math.exp(-0.368208 * pawns)),
            "fen": request["fen"], "san": san, "move": move, "lan": move, "continuationArr": answer["principal_variation"],
            "taskId": request.get("taskId"), "type": "bestmove"} | effect(answer["position"], answer["after"]["last_move"])

def stockfish_online(request):
    answer = ask("/best-move", game="chess", position=request["fen"], depth=number(request, "depth", 10, 15))
    (pawns, mate), line = values(answer), answer["principal_variation"]
    return {"success": True, "evaluation": None if mate else pawns, "mate": mate, "continuation": " ".join(line),
            "bestmove": f"bestmove {' ponder '.join(line[:2])}"}

def gamesolver(request):
    played, score = request.get("pos", ""), [100] * 7
    for move in ask("/analyze", game="connect-four", moves=list(played), algorithm="solve")["moves"]:
        sign = {"win": 1, "loss": -1, "draw": 0}[move["evaluation"]["outcome"]]
        score[int(move["move"]) - 1] = sign * (22 - (len(played) + move["evaluation"].get("plies", 0) + 1) // 2)
    return {"pos": played, "score": score}

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url, told, status = urlsplit(self.path), {}, 200
        routes = {"/v1": chess_api, "/api/s/v2.php": stockfish_online, "/solve": gamesolver}
        try:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if self.command != "OPTIONS":
                told = routes[url.path](json.loads(body) if body else dict(parse_qsl(url.query)))
        except HTTPError as error:
            status, told = error.code, json.load(error)
        except Exception as error:
            status, told = 422, {"error": repr(error)}
        self.send_response(status)
        for name, value in (("origin", "*"), ("headers", "content-type")):
            self.send_header(f"access-control-allow-{name}", value)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())
    do_POST = do_OPTIONS = do_GET

ThreadingHTTPServer(("127.0.0.1", int((sys.argv[1:] or [8081])[0])), Handler).serve_forever()

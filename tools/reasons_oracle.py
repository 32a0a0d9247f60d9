"""Checks the reasons of chess moves by rules of its own and by Stockfish: `reasons_oracle.py URL POSITIONS [PUZZLES.csv]`.

Needs a running service, python-chess (`pip install chess`) and Stockfish (`apt-get install stockfish`, or its path in
`STOCKFISH`); without them it says so and ends. The positions come from games with random moves; the puzzles have lines of fen,
moves, rating and themes. Prints each reason that is false or misleading, what is told by kind, and how often a puzzle's theme is.
With `GAMES=FILE`, which has the moves of a chess game a line, it compares the labels of their reviews with Stockfish at depth 18.
"""

import collections
import csv
import itertools
import json
import math
import os
import random
import re
import shutil
import sys
import urllib.request

STOCKFISH = os.environ.get("STOCKFISH") or shutil.which("stockfish") or "/usr/games/stockfish"
try:
    import chess
    import chess.engine
except ImportError:
    sys.exit(print("skipped: python-chess is absent"))
if not os.path.exists(STOCKFISH):
    sys.exit(print("skipped: Stockfish is absent"))

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 100}
FAULTS = {"throws-away", "allows", "loses-material", "loses-points", "misses"}
PRAISE = {"wins-material", "sacrifices", "fork", "skewer", "pin", "deflection", "trapped-piece", "removed-defender"}
THEMES = {"pin": {"pin", "pinned-defender"}, "trappedPiece": {"trapped-piece"}}
engine = chess.engine.SimpleEngine.popen_uci(STOCKFISH)
searched, counts, draw = {}, collections.defaultdict(collections.Counter), random.Random(int(os.environ.get("SEED", "1")))


def post(path, body):
    request = urllib.request.Request(sys.argv[1].rstrip("/") + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def value(board, square):
    return VALUES.get(board.piece_type_at(square), 0)


def score(board, moves=None, nodes=200_000):
    """The centipawns of the best of some moves by Stockfish, for the side to move, and the line."""
    key = board.fen(), tuple(moves or ()), nodes
    if key not in searched:
        info = engine.analyse(board, chess.engine.Limit(nodes=nodes), root_moves=moves, game=object())
        searched[key] = info["score"].relative.score(mate_score=10_000), info.get("pv", [])
    return searched[key]


def costs(board, move):
    """The least and the greatest cost of a move by two searches: a share of a point, or a tenth of the pawns in a decided game."""
    seen = []
    for nodes in (200_000, 1_000_000):
        best, own = score(board, nodes=nodes)[0], score(board, [move], nodes)[0]
        seen.append(max(points(best) - points(own), min((best - own) / 1000, 0.2)))
        if not 0.02 < seen[-1] < 0.3:
            break
    return min(seen), max(seen)


def points(centipawns):
    return 1 / (1 + 10 ** (-centipawns / 400))


def material(board, side):
    return sum(value(board, square) * (1 if board.color_at(square) == side else -1) for square in chess.SquareSet(board.occupied))


def settled(board, side, depth=6):
    """The material once the captures are played out."""
    best = material(board, side)
    if depth and not board.is_game_over():
        mine = board.turn == side
        for move in sorted(board.generate_legal_captures(), key=lambda it: -value(board, it.to_square))[:4]:
            board.push(move)
            seen = settled(board, side, depth - 1)
            board.pop()
            best = max(best, seen) if mine else min(best, seen)
    return best


def played(board, moves):
    """The boards along a line, the first one before it."""
    boards = [board.copy()]
    for move in moves:
        after = boards[-1].copy()
        after.push(after.parse_uci(move))
        boards.append(after)
    return boards


def in_danger(board, square):
    """Whether a lesser piece can take the piece on a square, or any piece for nothing."""
    side = board.color_at(square)
    takers = board.attackers(not side, square)
    return any(value(board, it) < value(board, square) for it in takers) or takers and not board.attackers(side, square)


def trapped(board, square):
    if not in_danger(board, square):
        return False
    for move in [it for it in board.legal_moves if it.from_square == square]:
        if value(board, move.to_square) >= value(board, square) or not in_danger(played(board, [move.uci()])[1], move.to_square):
            return False
    return True


def lined_up(board, first, second, third):
    line = chess.SquareSet.between(first, third)
    return second in line and len(line & board.occupied) == 1


def faults_of(board, move, reason, line):
    """What is false or misleading in a reason of a move; `line` is the one that the service expects."""
    kind, side, moves = reason["kind"], board.turn, reason["moves"]
    squares = [chess.square(column, 7 - row) for row, column in reason.get("squares", [])]
    after = played(board, [move.uci()])[1]
    start = board
    if kind in ("prevents", "threat", "threatens", "double-threat"):
        start = (after if kind.endswith("threat" if kind == "double-threat" else "threatens") else board).copy()
        start.push(chess.Move.null())
    lines = [[it] for it in moves] if kind in ("threatens", "double-threat") else [moves]
    try:
        ends = [played(start, one) for one in lines]
    except ValueError:
        return "false: its line is illegal"
    along, mover = ends[0] if ends else [start], start.turn
    for name, square in re.findall(r"(pawn|knight|bishop|rook|queen|king) on ([a-h][1-8])", reason["text"]):
        at = chess.parse_square(square)
        if name not in [chess.piece_name(it.piece_type_at(at) or 1) for it in (board, after)]:
            return f"false: no {name} on {square}"
    gains = [material(it, mover) - material(start, mover) for it in along]
    # Mates in four and more are seen by their line, or by a won game.
    sure = 9000 if reason.get("plies", 99) <= 5 and not along[-1].is_checkmate() else 300
    if kind == "forced":
        return board.legal_moves.count() == 1 or "false: there are other moves"
    if kind in ("wins", "misses", "throws-away") and "draw" not in reason["text"]:
        seen = score(board, [chess.Move.from_uci(moves[0])])[0]
        return seen >= sure or f"false: {seen}"
    if kind in ("allows", "loses"):
        seen = score(board, [move])[0]
        return seen <= -sure or f"false: {seen}"
    if kind == "draws":
        return abs(score(board, [move])[0]) <= 100 or "false: it is not drawn"
    if kind == "only-move" and reason["text"].startswith("Every"):
        seen = score(board, [it for it in board.legal_moves if it != move])[0]
        return seen <= -300 or f"false: another move has {seen}"
    if kind in ("prevents", "threatens", "double-threat"):
        return all(it[-1].is_checkmate() for it in ends) or "misleading: no mate is shown"
    if kind == "threat" and "gain" in reason:
        early = [it for it in gains[1:-1:2] if it > 0 and it == min(gains[gains.index(it) :])]
        return gains[-1] * 100 == reason["gain"] and (reason["gain"] <= 900 or "=" in reason["text"]) and not early or f"misleading: {gains}"
    if kind in ("loses-material", "loses-points"):
        lost = costs(board, move)[1]
        return lost >= 0.05 or f"{'false' if lost < 0.01 else 'misleading'}: it costs {lost:.2f}"
    if kind == "trades":
        if "recaptures" in reason["text"]:
            last = board.peek() if board.move_stack else None
            return last and last.to_square == move.to_square or "false: nothing was taken there"
        captures = [played(start, moves[:it])[-1].is_capture(chess.Move.from_uci(moves[it])) for it in range(len(moves))]
        first = 0 if reason["text"].startswith("Trades") else 1
        return captures[first : first + 2] == [True, True] and abs(gains[-1]) <= 1 or f"misleading: {gains}"
    if kind == "sacrifices" and min(gains[2::2], default=0) > -2:
        return f"false: nothing is given up, {gains}"
    if kind == "fork" and not all(it in after.attacks(squares[0]) for it in squares[1:]):
        return "false: it attacks less"
    if kind in ("pin", "skewer"):
        pinner, front, behind = squares
        order = value(after, front) < value(after, behind)
        if not lined_up(after, pinner, front, behind) or order != (kind == "pin"):
            return "false: the pieces do not stand so"
    if kind == "pinned-defender" and not (after.is_pinned(not side, squares[1]) and squares[2] in after.pin(not side, squares[1])):
        return "false: it is not pinned"
    if kind == "deflection":
        taken = next((at for at in (2, 4) if at < len(moves) and chess.Move.from_uci(moves[at]).to_square == squares[1]), None)
        reply = taken and chess.Move.from_uci(moves[taken - 1])
        if not taken or reply.from_square != squares[0] or squares[1] not in after.attacks(squares[0]):
            return "false: it did not guard, or nothing is taken"
        if squares[1] in along[taken].attacks(reply.to_square):
            return "false: it still guards"
    if kind == "trapped-piece" and not trapped(after, squares[0]):
        return "false: it has a square"
    if kind == "removed-defender" and squares[0] not in board.attacks(move.to_square):
        return "false: it defends nothing"
    if kind == "hanging-piece" and after.attackers(not side, move.to_square):
        return "false: it is defended"
    if kind in ("discovered-check", "double-check") and not set(squares) <= set(after.checkers()):
        return "false: no check"
    if kind == "discovered-attack" and not set(squares[1:]) <= set(after.attacks(squares[0])) - set(board.attacks(squares[0])):
        return "false: no line is opened"
    if kind == "passed-pawn" and not any(value(after, it) == 1 for it in squares):
        return "false: no pawn"
    if reason["proven"] or "gain" not in reason:
        return True
    if gains[-1] * 100 < reason["gain"] and kind == "wins-material":
        return f"misleading: the line gains {gains[-1]}"
    # What is praised for material must cost nothing, and win it by Stockfish's line and by the service's own.
    if reason["gain"] >= 100 and kind != "passed-pawn":
        own = material(played(board, line)[-1], side) - material(board, side)
        best = settled(played(board, [it.uci() for it in score(board, [move])[1][:12]])[-1], side) - material(board, side)
        if own < 1 and len(line) >= len(moves):
            return f"misleading: the expected line gains {own}"
        lost = costs(board, move)[0]
        if best < 1 and lost >= 0.2:
            return f"{'false' if lost > 0.3 else 'misleading'}: it costs {lost:.2f}, and Stockfish's line gains {best}"
        if best < 1 and score(board, [move])[0] < 300:
            counts["(unconfirmed by Stockfish's line)"][kind] += 1
            show(board, move, reason, f"unconfirmed: Stockfish's line gains {best}")
    return True


def show(board, move, reason, fault):
    print(f"{board.fen()} {board.san(move)}: {reason['text']} ({reason['kind']}; {fault})", flush=True)


def check(board, asked, answer):
    """Counts the reasons of an answer's moves, and shows the wrong ones. Gives the kinds told of the first move."""
    told = answer.get("moves") or [{**answer, "move": answer["best_move"]}]
    if "threat" in answer:
        told[0]["reasons"] = [*told[0].get("reasons", []), answer["threat"]]
    for index, one in enumerate(told):
        kinds, move = {it["kind"] for it in one.get("reasons", [])}, chess.Move.from_uci(one["move"])
        for reason in one.get("reasons", []):
            fault = faults_of(board, move, reason, one["principal_variation"])
            if fault is True and reason["kind"] in FAULTS and (kinds & PRAISE or index == 0 and asked == "all" and reason["kind"] != "allows"):
                fault = "misleading: the move is praised, too, or the best one"
            verdict = "told" if fault is True else fault.split(":")[0] if fault else "false"
            counts[verdict][reason["kind"]] += 1
            if fault is not True:
                show(board, move, reason, fault)
    return {it["kind"] for it in told[0].get("reasons", [])}


def ask(board, moves, path, **fields):
    return post(path, {"game": "chess", "position": board.root().fen(), "moves": moves, "nodes": 20_000, **fields})


def games():
    """Positions with the move that led to them, of games in which some moves are random."""
    while True:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 100:
            legal = list(board.legal_moves)
            known = board.ply() > 6 and draw.random() < 0.7
            before = board.copy(stack=False)
            move = engine.play(board, chess.engine.Limit(nodes=2000)).move if known else draw.choice(legal)
            board.push(move)
            if draw.random() < 0.1 and not board.is_game_over():
                after = before.copy()
                after.push(move)
                yield after, [move.uci()]


def expected(board):
    """The points that the side to move may expect by Stockfish at depth 18 and lichess's formula, and the best move."""
    if board.is_game_over():
        return 0.0 if board.is_checkmate() else 0.5, None
    info = engine.analyse(board, chess.engine.Limit(depth=18), game=object())
    won = info["score"].relative.score(mate_score=100_000)
    return 1 / (1 + math.exp(-0.00368208 * max(-2000, min(2000, won)))), info["pv"][0]


def label(loss):
    return sum(loss > limit for limit in (0, 0.02, 0.05, 0.1, 0.2))


def labels(game):
    """Counts the labels of a reviewed game that are off by two classes, of six and with `best` and `excellent` as one."""
    names = ["best", "excellent", "good", "inaccuracy", "mistake", "blunder"]
    board, moves = chess.Board(), game.split()
    before = expected(board)
    for told in post("/review", {"game": "chess", "moves": moves})["moves"]:
        move = chess.Move.from_uci(told["move"])
        board.push(move)
        after = expected(board)
        loss = 0 if before[1] == move else max(0, before[0] + after[0] - 1)
        before = after
        if told["label"] != "forced":
            own, best = names.index(told["label"]), label(loss)
            counts["labels"]["all"] += 1
            counts["labels"]["off by two of six"] += abs(own - best) > 1
            counts["labels"]["off by two of five"] += abs(max(own, 1) - max(best, 1)) > 1
            counts["labels"]["best, but loses 0.1"] += own == 0 and loss >= 0.1


def main():
    if "GAMES" in os.environ:
        for game in open(os.environ["GAMES"]):
            labels(game)
    for board, moves in itertools.islice(games(), int(sys.argv[2])):
        check(board, "all", ask(board, moves, "/analyze", top=3, include=["reasons", "threat"]))
        move = draw.choice(list(board.legal_moves)).uci()
        check(board, "one", ask(board, moves, "/best-move", search_moves=[move], include=["reasons"]))
    themes = collections.Counter()
    for puzzle in csv.DictReader(open(sys.argv[3])) if len(sys.argv) > 3 else []:
        start, moves, told = chess.Board(puzzle["fen"]), puzzle["moves"].split(), []
        for index in range(1, len(moves), 2):
            board = played(start, moves[:index])[-1]
            answer = ask(board, moves[:index], "/best-move", search_moves=[moves[index]], include=["reasons"])
            told.append(check(board, "one", answer))
        for theme, kinds in THEMES.items():
            has, key, any_of = theme in puzzle["themes"].split(), kinds & told[0], kinds & set().union(*told)
            themes[theme, "with the theme, told" if any_of else "with the theme, not told" if has else ""] += bool(has or 0)
            themes[theme, "beside the theme"] += bool(key and not has)
            if has and not any_of or key and not has:
                print(theme, "missed" if has else "beside", puzzle["fen"], puzzle["moves"], told)
    for verdict, kinds in counts.items():
        print(f"{verdict}: {sum(kinds.values())}", dict(kinds))
    print(*(f"{theme}: {count} {what}" for (theme, what), count in themes.items() if what), sep="\n")
    engine.quit()
    sys.exit(bool(counts["false"]))


main()

"""The adapters by the clients that people use: the official Python SDK of the Model Context Protocol plays Connect Four over
HTTP and chess over standard input; python-chess plays and analyses by the Universal Chess Interface.

Takes the address of a running server and the program."""

import asyncio
import base64
import json
import sys
import urllib.request

import chess
import chess.engine
from mcp import Client
from mcp.client.stdio import StdioServerParameters

SERVER, PROGRAM = sys.argv[1:]


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return result.structured_content


async def connect_four(mode):
    """Both sides take the move that the service finds, at different depths."""
    async with Client(f"{SERVER}/mcp", mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "moves" in tools["best_move"].input_schema["properties"]
        moves = []
        while True:
            answer = await call(client, "best_move", game="connect-four", moves=moves, depth=2 + 4 * (len(moves) % 2))
            moves.append(answer["best_move"])
            if answer["after"]["state"] != "ongoing":
                break
        review = await call(client, "review_game", game="connect-four", moves=moves, nodes=2000)
        assert len(review["moves"]) == len(moves), review
        picture = await client.call_tool("render_board", {"game": "connect-four", "moves": moves})
        text, image = picture.content
        assert base64.b64decode(image.data).startswith(b"<svg"), image
        refused = await client.call_tool("best_move", {"game": "connect-four", "moves": ["8"]})
        assert refused.is_error and refused.structured_content["allowed"][0] == "4", refused
        request = urllib.request.Request(f"{SERVER}/position", headers={"content-type": "application/json"})
        there = json.load(urllib.request.urlopen(request, json.dumps({"game": "connect-four", "moves": moves}).encode()))
        assert there == await call(client, "get_position", game="connect-four", moves=moves)
        print(f"MCP over HTTP ({client.protocol_version}): {' '.join(moves)}, {answer['after']['state']}")


async def chess_over_pipes():
    """The moves of the service are legal by python-chess, and so is the end."""
    program = StdioServerParameters(command=PROGRAM, args=["mcp"], env={"RUST_LOG": "warn"})
    async with Client(program) as client:
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 200:
            level = "professional" if board.turn else 1
            answer = await call(
                client, "best_move", game="chess", moves=[move.uci() for move in board.move_stack], level=level
            )
            assert answer["san"] == board.san(chess.Move.from_uci(answer["best_move"])), answer
            board.push_uci(answer["best_move"])
        assert board.result(claim_draw=True) == "1-0", board
        print(f"MCP over pipes ({client.protocol_version}): {board.ply()} plies, {board.result(claim_draw=True)}")


def uci():
    """A game on the clock, an analysis of several moves, and what a search is stopped by."""
    with chess.engine.SimpleEngine.popen_uci([PROGRAM, "uci"]) as engine:
        board = chess.Board()
        clocks = [2.0, 2.0]
        while not board.is_game_over(claim_draw=True) and board.ply() < 40:
            limit = chess.engine.Limit(white_clock=clocks[1], black_clock=clocks[0], white_inc=0.02, black_inc=0.02)
            board.push(engine.play(board, limit, game=1).move)
        lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
        scores = [line["score"].relative.score(mate_score=100_000) for line in lines]
        assert len(lines) == 3 and scores == sorted(scores, reverse=True), lines
        mate = engine.analyse(chess.Board("k7/8/2K5/8/8/8/8/7R w - - 0 1"), chess.engine.Limit(depth=6))
        assert mate["score"].relative.mate() == 2, mate
        with engine.analysis(board) as analysis:
            for info in analysis:
                if info.get("depth", 0) > 5:
                    break
        assert engine.play(board, chess.engine.Limit(time=0.1), root_moves=[next(iter(board.legal_moves))]).move
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": engine.options["UCI_Elo"].min})
        assert engine.play(board, chess.engine.Limit(time=1)).move in board.legal_moves
        print(f"UCI: {board.ply()} plies, then {board.san(lines[0]['pv'][0])} of three moves")


for mode in ("auto", "legacy"):
    asyncio.run(connect_four(mode))
asyncio.run(chess_over_pipes())
uci()

"""A turn, a review, a stream and an error through the generated Python client."""

import os

from bestmove_client import Client
from bestmove_client.api.analysis import analyze, review, tree
from bestmove_client.api.games import best_move, best_move_text, position, stream_best_move
from bestmove_client.models import (
    AnalysisRequest,
    BestMove,
    BestMoveRequest,
    GameName,
    Included,
    MoveLabel,
    PositionRequest,
    Problem,
    ProblemType,
    Review,
    ReviewRequest,
    SideName,
    State,
    TreeRequest,
)

client = Client(base_url=os.environ["BESTMOVE"])

turn = best_move.sync(
    client=client,
    body=BestMoveRequest(
        game=GameName.CHESS, moves=["e4", "e5"], depth=4, include=[Included.BOARD, Included.LEGAL_MOVES]
    ),
)
assert isinstance(turn, BestMove), turn
assert turn.after.side_to_move == SideName.BLACK and turn.after.state == State.ONGOING
assert len(turn.after.board) == 8 and turn.after.last_move.move == turn.best_move
assert all(len(move.path) == 2 for move in turn.after.legal_moves)

reviewed = review.sync(
    client=client, body=ReviewRequest(game=GameName.CHESS, moves="1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#")
)
assert isinstance(reviewed, Review), reviewed
assert reviewed.winner == SideName.WHITE and reviewed.moves[5].label == MoveLabel.BLUNDER

assert analyze.sync(client=client, body=AnalysisRequest(game=GameName.CHECKERS, depth=3, top=2)).moves[1].move
assert tree.sync(client=client, body=TreeRequest(game=GameName.TIC_TAC_TOE, depth=1)).tree.children
assert position.sync(client=client, body=PositionRequest(game=GameName.CONNECT_FOUR)).legal_moves

stream = stream_best_move.sync_detailed(client=client, body=BestMoveRequest(game=GameName.CHECKERS, depth=3))
assert b"event: result" in stream.content, stream

text = best_move_text.sync_detailed(client=client, game=GameName.CHESS, moves=["e4", "e5"], depth=3)
assert text.content.endswith(b"\n"), text

error = best_move.sync(client=client, body=BestMoveRequest(game=GameName.CHESS, moves=["e4", "e4"]))
assert isinstance(error, Problem), error
assert error.type_ == ProblemType("/problems/illegal-move") and error.field == "/moves/1" and error.allowed

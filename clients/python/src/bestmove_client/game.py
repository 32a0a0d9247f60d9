"""A game of a person against the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, cast

from .contract import (
    After,
    BestMove,
    BestMoveRequest,
    Board,
    GameName,
    LegalMove,
    Level,
    Position,
    PositionRequest,
    SideName,
)

if TYPE_CHECKING:
    from .client import Bestmove


class Opponent(TypedDict, total=False):
    """How the service plays, as in a request."""

    level: Level
    seed: int
    depth: int
    nodes: int
    time_ms: int


class Game:
    """A game of a person against the service. The moves are kept here; the service keeps nothing."""

    def __init__(
        self,
        service: Bestmove,
        name: GameName,
        opponent: Opponent,
        person: SideName | None,
        position: Position | None,
        variant: str | None = None,
    ) -> None:
        self._service = service
        self._opponent = opponent
        #: The name of the game.
        self.name: GameName = name
        self._start: PositionRequest = {"game": name}
        if variant is not None:
            self._start["variant"] = variant
        if position is not None:
            self._start["position"] = position
        #: The moves played, in the notation of the game.
        self.moves: list[str | int] = []
        #: Where the game stands: board, state, check, claim.
        self.turn: Board | After = service.position(**self._start)
        #: The side of the person.
        self.person: SideName = person or self.turn["side_to_move"]
        if not self.is_over and self.turn["side_to_move"] != self.person:
            self._reply()

    @property
    def board(self) -> list[list[str]]:
        """Rows of cells: the name of a piece, or an empty text."""
        return self.turn.get("board", [])

    @property
    def legal_moves(self) -> list[LegalMove]:
        """What the person may play; nothing once the game is over."""
        return self.turn.get("legal_moves", [])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.turn["state"] != "ongoing"

    def play(self, move: str) -> BestMove | None:
        """Plays a move of the person. Returns the answer of the service, or nothing where the move ended the game."""
        known = next((legal for legal in self.legal_moves if move in (legal["move"], legal.get("san"))), None)
        self.moves.append(move)
        try:
            if known is None or known["state"] == "ongoing":
                return self._reply()
            self.turn = self._at(self.moves)
            return None
        except BaseException:
            self.moves.pop()
            raise

    def undo(self) -> None:
        """Takes back the last move of the person, and the reply."""
        for kept in range(len(self.moves) - 1, -1, -1):
            turn = self._at(self.moves[:kept])
            if turn["side_to_move"] == self.person:
                del self.moves[kept:]
                self.turn = turn
                return

    def _at(self, moves: list[str | int]) -> Board:
        request: PositionRequest = {**self._start, "moves": moves}
        return self._service.position(**request)

    def _reply(self) -> BestMove:
        asked = {**self._start, **self._opponent, "moves": self.moves, "include": ["board", "legal_moves"]}
        reply = self._service.best_move(**cast(BestMoveRequest, asked))
        self.moves.append(reply["best_move"])
        self.turn = reply["after"]
        return reply

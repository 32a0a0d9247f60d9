"""A game of a person against the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from .contract import After, BestMove, Board, GameName, LegalMove, Level, Position, SideName

if TYPE_CHECKING:
    from .client import Bestmove


class Opponent(TypedDict, total=False):
    """How a game begins, and how the service plays, as in a request."""

    #: The side of the person; the one that moves first where absent.
    person: SideName | None
    position: Position | None
    variant: str | None
    level: Level
    seed: int
    depth: int
    nodes: int
    time_ms: int


def _side(service: Bestmove, game: GameName, name: str) -> SideName:
    """The side with a name, in any case; the mark of its only piece will do too."""
    known = service.game(game)
    marks = {piece["name"].lower(): piece["side"] for piece in known["pieces"]} if len(known["pieces"]) == 2 else {}
    side = (marks | {side.lower(): side for side in known["sides"]}).get(name.lower())
    if side is None:
        raise ValueError(f"{game} has no side {name!r}, but {' and '.join(known['sides'])}")
    return side


class Game:
    """A game of a person against the service. The moves are kept here; the service keeps nothing."""

    def __init__(self, service: Bestmove, name: GameName, opponent: Opponent) -> None:
        given: dict[str, Any] = {field: value for field, value in opponent.items() if value is not None}
        person = given.pop("person", None)
        side = None if person is None else _side(service, name, person)
        self._service = service
        self._start = {"game": name} | {field: given.pop(field) for field in ("position", "variant") if field in given}
        self._opponent = given
        #: The name of the game.
        self.name: GameName = name
        #: The moves played, in the notation of the game.
        self.moves: list[str | int] = []
        #: Where the game stands: board, state, check, claim.
        self.turn: Board | After = self._at([])
        #: The side of the person.
        self.person: SideName = side or self.turn["side_to_move"]
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
        return self._service.position(**self._start, moves=moves)

    def _reply(self) -> BestMove:
        asked = self._start | self._opponent
        reply = self._service.best_move(**asked, moves=self.moves, include=["board", "legal_moves"])
        self.moves.append(reply["best_move"])
        self.turn = reply["after"]
        return reply

"""The routes of the service as methods."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any, Generic, Literal, TypeVar, Unpack, cast
from urllib.parse import urlsplit

from . import contract
from .game import Game, Opponent
from .problem import ProblemError

Answer = TypeVar("Answer")
JSON = "application/json"
LINES = "application/x-ndjson"


@dataclass(frozen=True)
class Progress(Generic[Answer]):
    """An event of a stream: an answer so far, or the last one."""

    kind: Literal["progress", "result"]
    answer: Answer


class Bestmove:
    """A bestmove service. Every request has a connection of its own, so threads may share the object."""

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        headers: dict[str, str] | None = None,
        attempts: int = 5,
        timeout: float = 60,
    ) -> None:
        """`attempts`: how often a request is sent at most while the service is busy. `timeout`: seconds of silence."""
        self._url = urlsplit(base_url.rstrip("/"))
        self._headers = headers or {}
        self._attempts = attempts
        self._timeout = timeout

    def best_move(self, **request: Unpack[contract.BestMoveRequest]) -> contract.BestMove:
        """The best move of a position."""
        return cast(contract.BestMove, self._ask("/best-move", request))

    def analyze(self, **request: Unpack[contract.AnalysisRequest]) -> contract.Analysis:
        """The value of every legal move."""
        return cast(contract.Analysis, self._ask("/analyze", request))

    def review(self, **request: Unpack[contract.ReviewRequest]) -> contract.Review:
        """What each move of a game was worth."""
        return cast(contract.Review, self._ask("/review", request))

    def tree(self, **request: Unpack[contract.TreeRequest]) -> contract.Tree:
        """The tree of a textbook search."""
        return cast(contract.Tree, self._ask("/tree", request))

    def position(self, **request: Unpack[contract.PositionRequest]) -> contract.Board:
        """The board, the state and the legal moves of a position."""
        return cast(contract.Board, self._ask("/position", request))

    def games(self) -> contract.Games:
        """The games."""
        return cast(contract.Games, self._ask("/games"))

    def game(self, name: contract.GameName) -> contract.Game:
        """A game: its notations, pieces and levels."""
        return cast(contract.Game, self._ask(f"/games/{name}"))

    def health(self) -> contract.Health:
        """The version of the service."""
        return cast(contract.Health, self._ask("/health"))

    def stream_best_move(self, **request: Unpack[contract.BestMoveRequest]) -> Iterator[Progress[contract.BestMove]]:
        """The best move after every completed depth, then the result."""
        return self._stream("/best-move/stream", request)

    def stream_analysis(self, **request: Unpack[contract.AnalysisRequest]) -> Iterator[Progress[contract.Analysis]]:
        """The values of all moves after every completed depth, then the result."""
        return self._stream("/analyze/stream", request)

    def batch(self, requests: Iterable[contract.BestMoveRequest]) -> Iterator[contract.BestMove | contract.Problem]:
        """The answer to each of many requests, in order: a best move or a problem. Requests are sent while answers are read."""
        with closing(self._connection()) as connection:
            connection.putrequest("POST", f"{self._url.path}/best-move/batch")
            for name, value in (self._headers | {"content-type": LINES, "transfer-encoding": "chunked"}).items():
                connection.putheader(name, value)
            connection.endheaders()
            threading.Thread(target=send_lines, args=(connection, requests), daemon=True).start()
            response = connection.getresponse()
            if response.status >= 400:
                raise ProblemError.of(response)
            for line in response:
                yield json.loads(line)

    def play(
        self,
        game: contract.GameName,
        *,
        person: contract.SideName | None = None,
        position: contract.Position | None = None,
        variant: str | None = None,
        **opponent: Unpack[Opponent],
    ) -> Game:
        """A game of a person against the service. Where the person is not the first side, the service has moved."""
        return Game(self, game, opponent, person, position, variant)

    def _connection(self) -> HTTPConnection:
        kind = HTTPSConnection if self._url.scheme == "https" else HTTPConnection
        return kind(self._url.netloc, timeout=self._timeout)

    def _ask(self, path: str, request: Any = None) -> Any:
        with closing(self._connection()) as connection:
            return json.load(self._send(connection, path, request))

    def _stream(self, path: str, request: Any) -> Iterator[Progress[Any]]:
        with closing(self._connection()) as connection:
            response = self._send(connection, path, request)
            kind = ""
            for line in response:
                field, _, value = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    kind = value
                elif field == "data" and kind == "problem":
                    problem = json.loads(value)
                    raise ProblemError(problem["status"], problem)
                elif field == "data" and kind in ("progress", "result"):
                    yield Progress(cast(Literal["progress", "result"], kind), json.loads(value))
                    if kind == "result":
                        return
            raise ProblemError(response.status)

    def _send(self, connection: HTTPConnection, path: str, request: Any) -> HTTPResponse:
        """The answer. A busy service is asked again after the time that it names."""
        method, body = ("GET", None) if request is None else ("POST", json.dumps(request).encode())
        attempt = 1
        while True:
            connection.request(method, self._url.path + path, body, self._headers | {"content-type": JSON})
            response = connection.getresponse()
            if response.status < 400:
                return response
            problem = ProblemError.of(response)
            if response.status not in (429, 503) or attempt >= self._attempts:
                raise problem
            retry_after = response.headers.get("retry-after", "")
            connection.close()
            time.sleep(float(retry_after) if retry_after.isdigit() else 1)
            attempt += 1


def send_lines(connection: HTTPConnection, requests: Iterable[contract.BestMoveRequest]) -> None:
    """Sends a request a line. Ends silently where the reader has left."""
    try:
        for request in requests:
            line = json.dumps(request).encode() + b"\n"
            connection.send(b"%x\r\n%b\r\n" % (len(line), line))
        connection.send(b"0\r\n\r\n")
    except OSError:
        pass

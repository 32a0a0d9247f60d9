"""The routes of the service as methods."""

from __future__ import annotations

import json
import random
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from itertools import islice
from typing import Any, Generic, Literal, TypeVar, Unpack, cast
from urllib.parse import quote, urlsplit

from . import contract
from .game import Game, Opponent
from .problem import ProblemError, UnreachableError

Answer = TypeVar("Answer")
JSON = "application/json"
LINES = "application/x-ndjson"
#: How many requests of a batch are sent at a time.
BATCH_SIZE = 100
#: The seconds before a request is sent again where the answer names none.
FIRST_PAUSE = 0.2


@dataclass(frozen=True)
class Progress(Generic[Answer]):
    """An event of a stream: an answer so far, or the last one."""

    kind: Literal["progress", "result"]
    answer: Answer


class Bestmove:
    """A bestmove service. Threads may share the object, processes may not: connections are kept."""

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        headers: dict[str, str] | None = None,
        attempts: int = 5,
        timeout: float = 60,
    ) -> None:
        """`attempts`: how often a request is sent at most while the service is busy or refuses connections.
        `timeout`: seconds of silence. An address without a scheme is one of HTTP."""
        self._url = urlsplit((base_url if "://" in base_url else f"http://{base_url}").rstrip("/"))
        if self._url.scheme not in ("http", "https") or not self._url.netloc:
            raise ValueError(f"{base_url!r} is no address such as http://127.0.0.1:8080")
        self._headers = headers or {}
        self._attempts = attempts
        self._timeout = timeout
        self._kept: list[HTTPConnection] = []

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
        return cast(contract.Game, self._ask(f"/games/{quote(name)}"))

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
        """The answer to each of many requests, in order: a best move or a problem. Sends a hundred at a time."""
        source = iter(requests)
        while waiting := deque(islice(source, BATCH_SIZE)):
            body = b"".join(json.dumps(request).encode() + b"\n" for request in waiting)
            try:
                with self._answer("/best-move/batch", body, LINES) as response:
                    for line in whole_lines(response):
                        answer = json.loads(line)
                        yield self._answer_again(waiting[0]) if answer.get("status") == 503 else answer
                        waiting.popleft()
            except UnreachableError:
                pass  # Each request that is left is sent again.
            for request in waiting:
                yield self._answer_again(request)

    def play(self, game: contract.GameName, **opponent: Unpack[Opponent]) -> Game:
        """A game of a person against the service. Where the person is not the first side, the service has moved."""
        return Game(self, game, opponent)

    def close(self) -> None:
        """Closes the connections that are kept; the next request opens another one."""
        while self._kept:
            self._kept.pop().close()

    def _ask(self, path: str, request: Any = None) -> Any:
        with self._answer(path, None if request is None else json.dumps(request).encode()) as response:
            return json.load(response)

    def _answer_again(self, request: contract.BestMoveRequest) -> contract.BestMove | contract.Problem:
        """The answer to a request of a batch in which the service was busy or broke off."""
        asked: dict[str, Any] = dict(request)
        # Only lines of a batch have an id.
        line_id = {"id": asked.pop("id")} if "id" in asked else {}
        answer: contract.BestMove | contract.Problem
        try:
            answer = self._ask("/best-move", asked)
        except ProblemError as error:
            answer = error.problem
        answer.update(line_id)  # type: ignore[typeddict-item]
        return answer

    def _stream(self, path: str, request: Any) -> Iterator[Progress[Any]]:
        with self._answer(path, json.dumps(request).encode()) as response:
            kind = ""
            for line in whole_lines(response):
                field, _, value = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    kind = value
                elif field == "data" and kind == "problem":
                    raise ProblemError(json.loads(value))
                elif field == "data" and kind in ("progress", "result"):
                    yield Progress(cast(Literal["progress", "result"], kind), json.loads(value))
                    if kind == "result":
                        return
        raise UnreachableError("the stream ended before its result")

    @contextmanager
    def _answer(self, path: str, body: bytes | None, content_type: str = JSON) -> Iterator[HTTPResponse]:
        """The answer to a request. The connection is kept where the answer is read to its end."""
        connection, response = self._send(path, body, self._headers | {"content-type": content_type})
        try:
            yield response
        except (OSError, HTTPException) as error:
            raise UnreachableError(f"the answer broke off: {error!r}") from error
        finally:
            if response.isclosed():
                self._kept.append(connection)
            else:
                connection.close()

    def _send(self, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[HTTPConnection, HTTPResponse]:
        """Sends a request, again where the service is busy or no connection is made, and later each time."""
        attempt = 1
        while True:
            connection = self._connection()
            is_kept = connection.sock is not None
            error: ProblemError | UnreachableError
            pause = FIRST_PAUSE
            try:
                connection.request("GET" if body is None else "POST", self._url.path + path, body, headers)
                response = connection.getresponse()
                if response.status < 400:
                    return connection, response
                error = ProblemError.of(response)
                is_final = response.status not in (429, 503)
                retry_after = response.headers.get("retry-after", "")
                pause = float(retry_after) if retry_after.isdigit() else pause
            except (OSError, HTTPException) as failure:
                error = UnreachableError(f"{self._url.netloc} is not reached: {failure!r}")
                error.__cause__ = failure
                is_final = isinstance(failure, TimeoutError)
                if is_kept and not is_final:
                    # The service has closed the connection since.
                    connection.close()
                    continue
            connection.close()
            if is_final or attempt >= self._attempts:
                raise error
            time.sleep(pause * attempt * random.uniform(1, 1.5))
            attempt += 1

    def _connection(self) -> HTTPConnection:
        """A connection that is kept, or a new one."""
        try:
            return self._kept.pop()
        except IndexError:
            kind = HTTPSConnection if self._url.scheme == "https" else HTTPConnection
            return kind(self._url.netloc, timeout=self._timeout)


def whole_lines(response: HTTPResponse) -> Iterator[bytes]:
    """The lines of an answer, without one that broke off."""
    return (line for line in response if line.endswith(b"\n"))

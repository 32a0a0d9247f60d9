"""The client for programs of asyncio. Each request waits in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, Unpack

from .client import Bestmove
from .contract import BestMove, GameName
from .game import Game, Opponent

P = ParamSpec("P")
T = TypeVar("T")


def awaited(
    method: Callable[Concatenate[Bestmove, P], T],
) -> Callable[Concatenate[AsyncBestmove, P], Coroutine[Any, Any, T]]:
    """A method whose answer is awaited."""

    @wraps(method)
    async def call(self: AsyncBestmove, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(partial(method, self.service, *args, **kwargs))

    return call


def iterated(
    method: Callable[Concatenate[Bestmove, P], Iterator[T]],
) -> Callable[Concatenate[AsyncBestmove, P], AsyncIterator[T]]:
    """A method whose answers are awaited one by one."""

    @wraps(method)
    async def call(self: AsyncBestmove, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        answers = method(self.service, *args, **kwargs)
        while (answer := await self.run(partial(next, answers, None))) is not None:
            yield answer

    return call


class AsyncBestmove:
    """A bestmove service whose methods are those of `Bestmove`, awaited. The request of a cancelled task goes on."""

    def __init__(self, service: Bestmove | str = "http://127.0.0.1:8080", *, requests: int = 32) -> None:
        """`service`: an address, or a client with its settings. `requests`: how many are under way at once at most."""
        #: The client that the threads share.
        self.service = service if isinstance(service, Bestmove) else Bestmove(service)
        self._threads = ThreadPoolExecutor(requests, "bestmove")

    best_move = awaited(Bestmove.best_move)
    analyze = awaited(Bestmove.analyze)
    review = awaited(Bestmove.review)
    tree = awaited(Bestmove.tree)
    position = awaited(Bestmove.position)
    games = awaited(Bestmove.games)
    game = awaited(Bestmove.game)
    health = awaited(Bestmove.health)
    stream_best_move = iterated(Bestmove.stream_best_move)
    stream_analysis = iterated(Bestmove.stream_analysis)
    batch = iterated(Bestmove.batch)

    async def play(self, game: GameName, **opponent: Unpack[Opponent]) -> AsyncGame:
        """A game of a person against the service."""
        return AsyncGame(self, await self.run(lambda: self.service.play(game, **opponent)))

    async def run(self, work: Callable[[], T]) -> T:
        """Does work in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class AsyncGame:
    """A game of a person against the service. `now` tells its board, its legal moves and whether it is over."""

    def __init__(self, service: AsyncBestmove, game: Game) -> None:
        self._service = service
        #: Where the game stands.
        self.now = game

    async def play(self, move: str) -> BestMove | None:
        """Plays a move of the person. Returns the answer of the service, or nothing where the move ended the game."""
        return await self._service.run(lambda: self.now.play(move))

    async def undo(self) -> None:
        """Takes back the last move of the person, and the reply."""
        await self._service.run(self.now.undo)

"""A client of a bestmove service. The types in `contract` come from its contract."""

from .aio import AsyncBestmove, AsyncGame
from .client import Bestmove, Progress
from .game import Game
from .problem import ProblemError, UnreachableError

__all__ = ["AsyncBestmove", "AsyncGame", "Bestmove", "Game", "ProblemError", "Progress", "UnreachableError"]

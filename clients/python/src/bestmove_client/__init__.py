"""A client of a bestmove service. The types in `contract` come from its contract."""

from .client import Bestmove, Progress
from .game import Game
from .problem import ProblemError

__all__ = ["Bestmove", "Game", "ProblemError", "Progress"]

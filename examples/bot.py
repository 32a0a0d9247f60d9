"""A bot for a chat: people play against the service in words. Here the chat is the terminal, one message a line.

    clients/build && pip install target/clients/bestmove_client-*.whl    (a release has the wheel too)
    python bot.py

To use it in a chat, call `Bot.answer` for every message and post what it returns. A channel is any name; each has
one game.
"""

import os
import sys
from typing import get_args

from bestmove_client import Bestmove, Game, ProblemError, UnreachableError
from bestmove_client.contract import LevelName

HELP = """!play GAME [LEVEL] starts a game, such as !play chess 3
!board shows it, !hint helps, !undo takes a move back, !resign ends it
Anything else is a move, such as e4"""


class Bot:
    """The games of all channels."""

    def __init__(self, service: Bestmove) -> None:
        self.service = service
        self.games: dict[str, Game] = {}

    def answer(self, channel: str, message: str) -> str:
        """What the bot says to a message."""
        command, *words = message.split() or ["!help"]
        game = self.games.get(channel)
        try:
            if command == "!play" and words:
                return self.start(channel, words[0], words[1] if len(words) > 1 else "amateur")
            if game is None or command == "!help":
                return HELP
            if command == "!board":
                return self.board(game)
            if command == "!hint":
                hint = self.service.best_move(game=game.name, moves=game.moves, nodes=50_000)
                return f"Try {hint.get('san', hint['best_move'])}."
            if command == "!undo":
                game.undo()
                return self.board(game)
            if command == "!resign":
                del self.games[channel]
                return "Well played."
            return self.move(channel, game, command)
        except ProblemError as error:
            return f"{error}. {self.allowed(error)}"
        except UnreachableError as error:
            return f"{error}. Is the service running?"

    def start(self, channel: str, name: str, level: str) -> str:
        """Starts a game in a channel."""
        known = self.service.game(name)
        levels = {str(entry["number"]): entry["number"] for entry in known["levels"]}
        levels |= {word: word for word in get_args(LevelName)}
        if level.lower() not in levels:
            return f"There is no level {level}. Possible: {', '.join(levels)}"
        game = self.service.play(name, level=levels[level.lower()])
        self.games[channel] = game
        marks = {piece["side"]: piece["name"] for piece in known["pieces"]} if len(known["pieces"]) == 2 else {}
        mark = marks.get(game.person, game.person)
        shown = "" if mark == game.person else f", {mark} on the board"
        return f"You have {game.person}{shown}.\n{self.board(game)}"

    def move(self, channel: str, game: Game, move: str) -> str:
        """Plays a move of the person, and tells the reply."""
        reply = game.play(move)
        said = [f"I play {reply.get('san', reply['best_move'])}."] if reply else []
        said.append(self.board(game))
        if game.is_over:
            del self.games[channel]
            winner = game.turn.get("winner")
            said.append(f"{winner} wins: {game.turn['reason']}." if winner else f"A draw: {game.turn['reason']}.")
        elif "claim" in game.turn:
            said.append(f"You may claim a draw: {game.turn['claim']}.")
        return "\n".join(said)

    def board(self, game: Game) -> str:
        """The board in characters."""
        return self.service.position(game=game.name, moves=game.moves)["text"].rstrip()

    @staticmethod
    def allowed(error: ProblemError) -> str:
        """What would have been right."""
        allowed = error.problem.get("allowed", [])
        return f"Possible: {', '.join(allowed[:12])}{' …' if len(allowed) > 12 else ''}" if allowed else ""


if __name__ == "__main__":
    bot = Bot(Bestmove(os.environ.get("BESTMOVE", "http://127.0.0.1:8080")))
    for line in sys.stdin:
        print(bot.answer("terminal", line.strip()), flush=True)

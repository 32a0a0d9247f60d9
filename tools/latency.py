#!/usr/bin/env python3
"""Times POST /best-move over HTTP on positions of random games, drawn evenly from all plies.

    python3 tools/latency.py GAME [--url http://127.0.0.1:8080] [--positions 1000] [--plies 40]
        [--request '{"algorithm": "solve"}'] [--seed 1]

The rules come from the service itself (POST /position). One request at a time, over one connection. Tells
quantiles of the whole time that a client waits, and the slowest positions.
"""

import argparse
import http.client
import json
import random
import time
import urllib.parse


class Service:
    """A connection to the service."""

    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)

    def ask(self, path, body):
        headers = {"content-type": "application/json"}
        self.connection.request("POST", path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path} {body}: {answer.status} {text.decode()}")
        return json.loads(text)


def position_after(service, game, plies, dice):
    """An unfinished position after so many random plies."""
    while True:
        board = service.ask("/position", {"game": game})
        for _ in range(plies):
            # Whoever would have ended the game does not play that move.
            ongoing = [move for move in board["legal_moves"] if move["state"] == "ongoing"]
            if not ongoing:
                break
            board = service.ask(
                "/position", {"game": game, "position": dice.choice(ongoing)["position"]}
            )
        else:
            return board["position"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--plies", type=int, default=40, help="the most plies before a position")
    parser.add_argument("--request", type=json.loads, default={}, help="more fields, as JSON")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    service, dice = Service(arguments.url), random.Random(arguments.seed)
    times = []
    for number in range(arguments.positions):
        plies = number % (arguments.plies + 1)
        position = position_after(service, arguments.game, plies, dice)
        request = {"game": arguments.game, "position": position, **arguments.request}
        start = time.perf_counter()
        answer = service.ask("/best-move", request)
        times.append((time.perf_counter() - start, plies, position, answer["search"]["stopped_by"]))
    times.sort()
    for share in (50, 90, 95, 99, 100):
        place = max(0, len(times) * share // 100 - 1)
        print(f"{share} of 100 within {times[place][0] * 1000:.2f} ms")
    stopped = sorted({reason for *_, reason in times})
    counts = [f"{sum(reason == other for *_, other in times)} {reason}" for reason in stopped]
    print("stopped by: " + ", ".join(counts))
    for seconds, plies, position, reason in times[-5:]:
        print(f"{seconds * 1000:.1f} ms after {plies} plies: {position} ({reason})")


if __name__ == "__main__":
    main()

"""Four questions to the engine, a cell each (`# %%`): run it as a whole, or cell by cell in an editor or a notebook.

    clients/build && pip install target/clients/bestmove_client-*.whl    (a release has the wheel too)
"""

# %% The service.
import os

from bestmove_client import Bestmove

service = Bestmove(os.environ.get("BESTMOVE", "http://127.0.0.1:8080"))
print("version", service.health()["version"])

# %% Which first moves of Connect Four are worth what? Every value is exact at its depth.
analysis = service.analyze(game="connect-four", depth=8, algorithm="alpha-beta")
for move in analysis["moves"]:
    print(move["move"], move["evaluation"]["score"])

# %% How good are four first moves of chess? One request a line, answered in order.
openings = ["e4", "d4", "c4", "Nf3"]
requests = [{"game": "chess", "moves": [opening], "nodes": 20_000} for opening in openings]
for opening, answer in zip(openings, service.batch(requests)):
    # The answer is from the view of the side to move, Black.
    print(opening, answer["san"], round(-answer["evaluation"]["value"], 3))

# %% Where was this game lost?
review = service.review(game="chess", moves="1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#", nodes=5000)
for move in review["moves"]:
    if move["label"] in ("mistake", "blunder"):
        print(move["ply"], move["san"], move["label"], "better:", move["best"]["san"])

# %% How does an answer grow with the depth?
for event in service.stream_best_move(game="checkers", moves=["11-15", "23-19"], depth=6):
    print(event.kind, event.answer["search"]["depth"], event.answer["principal_variation"])

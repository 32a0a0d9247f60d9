#!/bin/sh
# The service from a shell: a move, a picture, a batch, a stream. Ends with the first error, which it prints.
set -eu
service=${BESTMOVE:-http://127.0.0.1:8080}
call() { curl -sS --fail-with-body "$@"; }
ask() { call -H 'content-type: application/json' "$service$1" -d "$2"; echo; }

# The best move of a position, and what may be played after it.
ask /best-move '{"game": "connect-four", "moves": "4453", "depth": 8, "include": ["legal_moves"]}'

# Only the move.
call "$service/best-move.txt?game=chess&moves=e4,e5&level=amateur&seed=7"

# The three best moves of a position.
ask /analyze '{"game": "checkers", "top": 3, "depth": 6}'

# A picture.
picture=$(call "$service/board.svg?game=chess&moves=e4,e5&arrows=g1f3")
printf '%.100s\n' "$picture"

# Many positions, one a line, answered in order.
printf '%s\n' '{"game": "tic-tac-toe", "position": "XOXX.O..O"}' '{"game": "chess", "moves": "1. e4 c5", "depth": 3}' |
  call "$service/best-move/batch" -H 'content-type: application/x-ndjson' --data-binary @-

# The answer after every completed depth.
call -N "$service/best-move/stream?game=checkers&depth=3"

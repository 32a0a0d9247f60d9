//! The nodes of a fixed set of searches: a change that means to change no search changes none of
//! them, and one that does explains the new numbers.

use crate::knowledge;
use bestmove_engine::games;
use bestmove_engine::games::any::SearchParameters;

/// Game, moves from the start, depth and algorithm, and the positions visited.
const SEARCHES: &[(&str, &str, u64, &str, u64)] = &[
    ("tic-tac-toe", "", 9, "minimax", 1_290_105),
    ("tic-tac-toe", "", 9, "alpha-beta", 2_160),
    ("tic-tac-toe", "", 9, "solve", 2_405),
    ("connect-four", "", 6, "minimax", 160_125),
    ("connect-four", "", 12, "alpha-beta", 220_133),
    ("connect-four", "4 4 4 4 4 2", 12, "alpha-beta", 203_538),
    ("connect-four", "4 4 4 4 4 2 2 2 2 2 6 6 6 6 6", 42, "solve", 3_699),
    ("checkers", "", 5, "minimax", 11_436),
    ("checkers", "", 9, "alpha-beta", 22_474),
    ("checkers", "11-15 23-19 8-11 22-17", 9, "alpha-beta", 23_383),
];

#[test]
fn the_searches_visit_as_many_positions_as_before() {
    let visited = |&(game, moves, depth, algorithm, nodes): &(_, &str, u64, &'static str, u64)| {
        let moves: Vec<_> = moves.split_whitespace().map(String::from).collect();
        let board = games::find(game).expect(game).board(None, &moves).expect("legal moves");
        let parameters = SearchParameters {
            depth: Some(depth),
            algorithm: Some(algorithm.to_owned()),
            ..SearchParameters::default()
        };
        let answer = board.search(&parameters, knowledge()).expect("a search").run(&false.into());
        (game, depth, algorithm, answer.nodes, nodes)
    };
    let changed: Vec<_> =
        SEARCHES.iter().map(visited).filter(|&(.., nodes, before)| nodes != before).collect();
    assert!(changed.is_empty(), "game, depth, algorithm, nodes now and before: {changed:#?}");
}

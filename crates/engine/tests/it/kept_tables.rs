//! The tables that a search leaves to the next one of the same game.

use bestmove_engine::game::{LevelNumber, PositionText};
use bestmove_engine::games::any::{Answer, AnyBoard, AnyGame, GameStatus, SearchParameters};
use bestmove_engine::games::{find, variants};
use bestmove_engine::search::{Algorithm, SearchTables};

use crate::knowledge;

fn game(name: &str) -> &'static dyn AnyGame {
    find(name).expect("a game of the catalogue")
}

fn selective(depth: Option<u64>, nodes: Option<u64>) -> SearchParameters {
    let algorithm = Some(Algorithm::Selective);
    SearchParameters { depth, nodes, algorithm, ..SearchParameters::default() }
}

/// The answer of a search that goes on with `tables`.
fn resumed(
    board: &dyn AnyBoard,
    parameters: &SearchParameters,
    tables: &mut SearchTables,
) -> Answer {
    let search = board.search(parameters, knowledge()).expect("a position with a choice");
    search.run_with(&false.into(), tables, None)
}

fn fresh(board: &dyn AnyBoard, parameters: &SearchParameters) -> Answer {
    resumed(board, parameters, &mut SearchTables::default())
}

fn is_over(board: &dyn AnyBoard) -> bool {
    board.state().status != GameStatus::Ongoing
}

/// In the sum of several depths, since a single search may happen on another line.
#[test]
fn what_the_search_before_has_found_is_not_searched_again() {
    for (name, depths) in [("chess", 7..=11), ("checkers", 8..=12), ("othello", 7..=9)] {
        let board = game(name).board(None, &[]).expect("a start");
        let (mut first, mut again) = (0, 0);
        for depth in depths {
            let (mut tables, parameters) = (SearchTables::default(), selective(Some(depth), None));
            let answer = resumed(&*board, &parameters, &mut tables);
            assert_eq!(answer, fresh(&*board, &parameters));
            first += answer.search.nodes;
            again += resumed(&*board, &parameters, &mut tables).search.nodes;
        }
        assert!(again * 4 < first, "{name}: {first} positions, then {again}");
    }
}

/// Plain alpha-beta to the end proves what the search told.
#[test]
fn a_win_that_kept_tables_tell_is_a_win() {
    let starts = [
        "7k/8/8/8/8/8/4Q3/K7 w - - 0 1",
        "8/8/8/4k3/8/8/4P3/4K2R w K - 0 1",
        "6k1/5ppp/8/8/8/8/q4PPP/1R4K1 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "4k3/8/8/8/8/8/RR6/4K3 w - - 90 60",
    ];
    let (mut told, chess) = (0, game("chess"));
    for start in starts {
        let mut tables = SearchTables::default();
        let position = PositionText::Text(start.to_owned());
        let mut board = chess.board(Some(&position), &[]).expect("a position");
        for ply in 0..30 {
            if is_over(&*board) {
                break;
            }
            let answer = resumed(&*board, &selective(None, Some(3000)), &mut tables);
            if let Some(plies) = answer.evaluation.plies.filter(|&plies| plies <= 3) {
                let algorithm = Some(Algorithm::AlphaBeta);
                let depth = Some(u64::from(plies));
                let exact = SearchParameters { depth, algorithm, ..SearchParameters::default() };
                let proven = fresh(&*board, &exact);
                assert_eq!(
                    (proven.evaluation.outcome, proven.evaluation.plies),
                    (answer.evaluation.outcome, answer.evaluation.plies),
                    "{start}, {ply} plies later"
                );
                told += 1;
            }
            board = board.after(&answer.best_move.text, 0).expect("a legal move");
        }
    }
    assert!(told >= 10, "{told} wins were told");
}

#[test]
fn a_level_plays_as_without_tables() {
    let chess = game("chess");
    for level in [3, 8] {
        let level = LevelNumber::new(level);
        let parameters = SearchParameters { level, seed: Some(1), ..SearchParameters::default() };
        let mut tables = SearchTables::default();
        let mut board = chess.board(None, &["e2e4".to_owned()]).expect("a position");
        for _ in 0..4 {
            resumed(&*board, &selective(Some(6), None), &mut tables);
            let answer = resumed(&*board, &parameters, &mut tables);
            assert_eq!(answer, fresh(&*board, &parameters));
            board = board.after(&answer.best_move.text, 0).expect("a legal move");
        }
    }
}

/// Tables hold positions by their keys alone: another variant or another game may find none of its own there.
#[test]
fn tables_of_another_game_break_nothing() {
    let mut tables = SearchTables::default();
    for name in ["chess", "checkers", "othello", "connect-four", "tic-tac-toe"] {
        for variant in variants(name) {
            let board = variant.board(None, &[]).expect("a start");
            let answer = resumed(&*board, &selective(None, Some(2000)), &mut tables);
            assert!(board.after(&answer.best_move.text, 0).is_ok(), "{}", variant.info().variant);
        }
    }
}

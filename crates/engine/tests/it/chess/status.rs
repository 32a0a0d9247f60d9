//! Where a game stands after moves were played, as a service tells it.

use std::sync::atomic::AtomicBool;

use crate::knowledge;
use bestmove_engine::game::{Outcome, PositionText};
use bestmove_engine::games::any::{AnyBoard, GameStatus, MoveText, RequestError, SearchParameters};
use bestmove_engine::games::find;
use bestmove_engine::search::Algorithm;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn played(fen: &str, moves: &str) -> Result<Box<dyn AnyBoard>, RequestError> {
    let chess = find("chess").expect("chess is in the catalogue");
    let moves: Vec<String> = moves.split_whitespace().map(String::from).collect();
    chess.board(Some(&PositionText::Text(fen.to_owned())), &moves)
}

fn status(fen: &str, moves: &str) -> GameStatus {
    played(fen, moves).expect("legal moves").state().status
}

fn drawn(reason: &'static str) -> GameStatus {
    GameStatus::Drawn { reason }
}

/// How a game stands, and the draw that may be claimed.
fn standing(fen: &str, moves: &str) -> (GameStatus, Option<&'static str>) {
    let state = played(fen, moves).expect("legal moves").state();
    (state.status, state.claim)
}

const REPEATED: (GameStatus, Option<&str>) = (GameStatus::Ongoing, Some("threefold-repetition"));
const COUNTED: (GameStatus, Option<&str>) = (GameStatus::Ongoing, Some("fifty-moves"));
const UNCLAIMED: (GameStatus, Option<&str>) = (GameStatus::Ongoing, None);

#[test]
fn the_third_and_the_fourth_occurrence_may_be_claimed_and_the_fifth_draws_the_game() {
    let cycle = "Nf3 Nf6 Ng1 Ng8 ";
    for (cycles, expected) in
        [(1, UNCLAIMED), (2, REPEATED), (3, REPEATED), (4, (drawn("fivefold repetition"), None))]
    {
        assert_eq!(standing(START, &cycle.repeat(cycles)), expected, "{cycles} cycles");
    }
    assert_eq!(standing(START, &format!("{}e4", cycle.repeat(2))), UNCLAIMED);
    assert_eq!(standing(START, &format!("{}e4 e5", cycle.repeat(3))), UNCLAIMED);
    let Err(RequestError::Move { index, error, allowed, .. }) =
        played(START, &format!("{}e4", cycle.repeat(4)))
    else {
        panic!("nothing can be played after the end");
    };
    assert_eq!((index, error.to_string().as_str(), allowed.len()), (16, "the game is over", 0));
}

#[test]
fn a_position_in_which_en_passant_was_possible_does_not_come_back() {
    let shuffle = "Kd8 Kd1 Ke8 Ke1";
    let twice = format!("e4 {shuffle} {shuffle}");
    let nobody_can_take = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(standing(nobody_can_take, &twice), REPEATED);
    let a_pawn_can_take = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    assert_eq!(standing(a_pawn_can_take, &twice), UNCLAIMED);
    let once_more = format!("{twice} Kd8");
    assert_eq!(standing(a_pawn_can_take, &once_more), REPEATED);
}

#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_draw_the_game() {
    let rook = |clock| format!("6k1/5ppp/8/8/8/8/8/K3R3 w - - {clock} 90");
    for clock in [0, 99] {
        assert_eq!(standing(&rook(clock), ""), UNCLAIMED, "{clock}");
    }
    for clock in [100, 101, 113, 149] {
        assert_eq!(standing(&rook(clock), ""), COUNTED, "{clock}");
    }
    for clock in [150, 151, 1000, 65_536] {
        assert_eq!(standing(&rook(clock), ""), (drawn("seventy-five moves"), None), "{clock}");
    }
    assert_eq!(standing(&rook(99), "Re2"), COUNTED);
    assert_eq!(standing(&rook(100), "Re2 g6"), UNCLAIMED);
    assert_eq!(standing(&rook(149), "Re2"), (drawn("seventy-five moves"), None));
    let mate =
        GameStatus::Won { winner: "white", reason: "checkmate", margin: None, line: Vec::new() };
    for clock in [99, 149] {
        assert_eq!(standing(&rook(clock), "Re8#"), (mate.clone(), None), "{clock}");
    }
}

#[test]
fn the_clock_is_written_as_it_was_read_and_goes_on() {
    for clock in [0, 99, 100, 113, 149, 150] {
        let fen = format!("4k3/8/8/8/8/8/8/4KR2 w - - {clock} 120");
        let written = played(&fen, "").expect("a position").state().position;
        assert_eq!(written, fen);
    }
    let after = |moves| {
        let board = played("4k3/8/8/8/8/8/4P3/4KR2 w - - 113 120", moves);
        board.expect("legal moves").state().position
    };
    assert_eq!(after("Rf2 Kd8"), "3k4/8/8/8/8/8/4PR2/4K3 w - - 115 121");
    assert_eq!(after("Rf2 Kd8 e3"), "3k4/8/8/8/8/4P3/5R2/4K3 b - - 0 121");
}

#[test]
fn a_search_answers_though_a_draw_may_be_claimed() {
    let cycle = "Nf3 Nf6 Ng1 Ng8 ";
    for (fen, moves) in [
        (START, cycle.repeat(2)),
        (START, cycle.repeat(3)),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 100 80", String::new()),
        ("4k3/8/8/8/8/8/8/4KR2 b - - 148 80", String::new()),
    ] {
        let board = played(fen, &moves).expect("legal moves");
        for algorithm in ["minimax", "alpha-beta", "selective"] {
            let parameters = SearchParameters {
                depth: Some(3),
                algorithm: Algorithm::named(algorithm),
                ..SearchParameters::default()
            };
            let search = board.search(&parameters, knowledge()).expect("something to search");
            let answer = search.run(&AtomicBool::new(false));
            let legal = board.legal_moves().into_iter().map(|legal| legal.mv);
            assert!(legal.into_iter().any(|mv| mv == answer.best_move), "{fen} {algorithm}");
            assert!(board.state().claim.is_some(), "{fen} {algorithm}");
        }
    }
}

/// Searches a position past the claim with every algorithm.
fn best_moves(fen: &str, depth: u64) -> Vec<(String, Option<Outcome>)> {
    let board = played(fen, "").expect("a position");
    let best = |algorithm: &str| {
        let (algorithm, depth) = (Algorithm::named(algorithm), Some(depth));
        let parameters = SearchParameters { depth, algorithm, ..SearchParameters::default() };
        let search = board.search(&parameters, knowledge()).expect("something to search");
        let answer = search.run(&AtomicBool::new(false));
        (answer.best_move.text, answer.evaluation.outcome)
    };
    ["minimax", "alpha-beta", "selective"].map(best).to_vec()
}

#[test]
fn past_the_claim_the_best_move_ends_the_game_or_resets_the_counter_or_lets_nobody_win() {
    let won = Some(Outcome::Win);
    for (fen, depth, mv, outcome) in [
        // A mate is worth more than a draw, and a capture that wins a rook too.
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 120 90", 3, "e1e8", won),
        ("k7/8/1r6/8/8/8/1R6/K7 w - - 120 90", 3, "b2b6", None),
        // The opponent would not claim a draw after a move that loses the queen; only one move saves it.
        ("k2r4/8/8/8/3Q4/8/8/r1K5 w - - 120 90", 3, "d4a1", None),
    ] {
        for found in best_moves(fen, depth) {
            assert_eq!(found, (mv.to_owned(), outcome), "{fen}");
        }
    }
    // White is to be mated on the back rank: the opponent does not claim a draw, so White must move the
    // king or the pawn.
    for (mv, _) in best_moves("3r2k1/8/8/8/8/8/PPP5/1K2R3 w - - 110 90", 3) {
        assert_ne!(mv, "e1e2", "a mate on the back rank follows");
    }
}

#[test]
fn no_mate_is_told_that_a_claim_spoils() {
    // Mate in two by quiet moves; the opponent may claim a draw after the first.
    let fen = |clock| format!("7k/8/5K2/8/8/8/8/1R6 w - - {clock} 90");
    for clock in [0, 90] {
        for (_, outcome) in best_moves(&fen(clock), 4) {
            assert_eq!(outcome, Some(Outcome::Win), "{clock}");
        }
    }
    for clock in [98, 99, 100, 140] {
        for (_, outcome) in best_moves(&fen(clock), 4) {
            assert_eq!(outcome, None, "{clock}");
        }
    }
}

#[test]
fn the_end_by_dead_material_and_by_stalemate_is_told() {
    assert_eq!(status("7k/8/8/8/8/8/6q1/7K w - - 0 1", "Kxg2"), drawn("insufficient material"));
    assert_eq!(status("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "Qc7"), drawn("stalemate"));
}

#[test]
fn an_answer_tells_its_moves_in_both_notations() {
    let board = played("7k/8/8/8/8/8/R7/1R5K b - - 0 1", "Kg7 Rg2 Kf7").expect("legal moves");
    let parameters = SearchParameters { depth: Some(4), ..SearchParameters::default() };
    let search = board.search(&parameters, knowledge()).expect("something to search");
    let answer = search.run(&AtomicBool::new(false));
    assert_eq!(answer.position, "8/5k2/8/8/8/8/6R1/1R5K w - - 3 3");
    for MoveText { text, san } in answer.principal_variation {
        assert_eq!((text.len(), san.is_some()), (4, true));
    }
}

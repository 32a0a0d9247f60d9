//! Where a game stands after moves were played, as a service tells it.

use std::sync::atomic::AtomicBool;

use crate::knowledge;
use bestmove_engine::game::PositionText;
use bestmove_engine::games::any::{AnyBoard, GameStatus, MoveText, RequestError, SearchParameters};
use bestmove_engine::games::find;

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

#[test]
fn the_third_occurrence_of_a_position_draws_the_game() {
    let once = "Nf3 Nf6 Ng1 Ng8";
    assert_eq!(status(START, once), GameStatus::Ongoing);
    assert_eq!(status(START, &format!("{once} {once}")), drawn("threefold repetition"));
    let Err(RequestError::Move { index, error, allowed, .. }) =
        played(START, &format!("{once} {once} e4"))
    else {
        panic!("nothing can be played after the end");
    };
    assert_eq!((index, error.to_string().as_str(), allowed.len()), (8, "the game is over", 0));
}

#[test]
fn a_position_in_which_en_passant_was_possible_does_not_come_back() {
    let shuffle = "Kd8 Kd1 Ke8 Ke1";
    let twice = format!("e4 {shuffle} {shuffle}");
    let nobody_can_take = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(status(nobody_can_take, &twice), drawn("threefold repetition"));
    let a_pawn_can_take = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    assert_eq!(status(a_pawn_can_take, &twice), GameStatus::Ongoing);
    let once_more = format!("{twice} Kd8");
    assert_eq!(status(a_pawn_can_take, &once_more), drawn("threefold repetition"));
}

#[test]
fn mate_on_the_hundredth_ply_comes_before_the_fifty_moves() {
    let fen = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 90";
    assert_eq!(status(fen, "Re2"), drawn("fifty moves"));
    let mate = GameStatus::Won { winner: "white", reason: "checkmate", line: Vec::new() };
    assert_eq!(status(fen, "Re8#"), mate);
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
    assert_eq!(answer.before.position, "8/5k2/8/8/8/8/6R1/1R5K w - - 3 3");
    for MoveText { text, san } in answer.principal_variation {
        assert_eq!((text.len(), san.is_some()), (4, true));
    }
}

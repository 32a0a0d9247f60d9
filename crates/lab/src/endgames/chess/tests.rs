use bestmove_endgames::{DRAW, Layout, Slice};
use bestmove_engine::game::{Notation, Outcome, Position, PositionText, Score, known_value};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use bestmove_engine::games::endgame::score;

use super::*;
use crate::game::evaluator;
use crate::knowledge::knowledge;

/// The file that the engine embeds.
const EMBEDDED: &[u8] = include_bytes!("../../../../../knowledge/chess-4.tables");

/// Calls `each` with all positions of up to `men` and the value that was made for each.
fn each_value(men: u8, mut each: impl FnMut(&ChessPlacement, Plies)) {
    let values = values_up_to(u32::from(men)).expect("values");
    let layout = Layout::up_to::<ChessSlice>(men);
    for slice in (2..=men).flat_map(ChessSlice::of_pieces) {
        let start = layout.start(slice).expect("a slice of the layout");
        for number in 0..slice.positions() {
            if let Some(placement) = slice.placement(number) {
                each(&placement, values[start + number]);
            }
        }
    }
}

/// The board of a placement; none of a position that no game can reach.
fn board(placement: &ChessPlacement) -> Option<ChessBoard> {
    let text = PositionText::Text(placement.board()?.to_string());
    Some(Chess::Standard.read_position(&text).expect("a position"))
}

/// The placement of the men of a board.
fn placement_of(board: &ChessBoard) -> Option<ChessPlacement> {
    ChessPlacement::of(&Chess::write_position(board).parse().ok()?)
}

fn table(men: u32) -> Vec<u8> {
    let mut file = Vec::new();
    write_table(men, Form::Packed, &mut file).expect("memory takes all");
    file
}

#[test]
#[ignore = "takes minutes, and many of them without optimisation"]
fn the_table_that_the_engine_embeds_is_made_again_byte_for_byte() {
    assert!(table(4) == EMBEDDED);
}

/// Compares the value of every position with the best value after a legal move. If all agree, all are right, by induction
/// over the plies to mate.
fn assert_values_follow_from_the_rules(men: u8) {
    let values = values_up_to(u32::from(men)).expect("values");
    let layout = Layout::up_to::<ChessSlice>(men);
    let mut compared = 0;
    for slice in (2..=men).flat_map(ChessSlice::of_pieces) {
        let start = layout.start(slice).expect("a slice of the layout");
        for number in 0..slice.positions() {
            let placement = slice.placement(number);
            // No game reaches a few placements, such as two rooks that give check at once.
            let Some(board) = placement.as_ref().and_then(board) else { continue };
            let value_after = |mv| {
                let after = placement_of(&board.play(mv)).expect("few men");
                let place = layout.place::<ChessSlice>(&after).expect("a slice of the layout");
                -score(values[place]).seen_from_root(1)
            };
            let value = match board.outcome() {
                Some(outcome) => Score::ended(outcome, 0),
                None => board.legal_moves().map(value_after).max().expect("a move"),
            };
            assert_eq!(score(values[start + number]), value, "{placement:?}");
            compared += 1;
        }
    }
    println!("{compared} positions");
}

#[test]
fn values_of_three_men_follow_from_the_rules() {
    assert_values_follow_from_the_rules(3);
}

#[test]
#[ignore = "takes minutes, and many of them without optimisation"]
fn values_of_four_men_follow_from_the_rules() {
    assert_values_follow_from_the_rules(4);
}

/// Compares the value that the engine reads with the value that was made, in one position of `stride`.
fn assert_engine_reads_what_was_made(men: u8, stride: usize) {
    let evaluator =
        evaluator::<Chess>(None, &knowledge().expect("whole files")).expect("an evaluator");
    let mut count = 0;
    each_value(men, |placement, value| {
        count += 1;
        if count % stride > 0 {
            return;
        }
        let Some(board) = board(placement) else { return };
        if board.outcome().is_none() {
            assert_eq!(known_value(&evaluator, &board), Some(score(value)), "{placement:?}");
        } else if value != DRAW {
            assert_eq!((board.outcome(), value), (Some(Outcome::Loss), 0));
        }
    });
}

#[test]
fn the_engine_reads_what_was_made() {
    assert_engine_reads_what_was_made(3, 31);
}

#[test]
#[ignore = "takes minutes, and many of them without optimisation"]
fn the_engine_reads_what_was_made_of_four_men() {
    assert_engine_reads_what_was_made(4, 4001);
}

#[test]
fn too_many_men_are_refused() {
    assert!(write_table(5, Form::Packed, &mut Vec::new()).is_err());
}

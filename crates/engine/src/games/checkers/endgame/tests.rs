use std::sync::LazyLock;

use bestmove_endgames::Slice;
use bestmove_endgames::checkers::CheckersSlice;
use proptest::prelude::*;

use super::*;
use crate::game::{Outcome, Position};

fn slices(pieces: std::ops::RangeInclusive<u8>) -> impl Iterator<Item = CheckersSlice> {
    pieces.flat_map(CheckersSlice::of_pieces)
}

/// The best of the values that the rules and the table give to the positions after one move.
fn best_by_moves(board: &CheckersBoard) -> Score {
    let value_after = |mv| {
        let next = board.play(mv);
        let ended = next.outcome().map(|outcome| Score::ended(outcome, 0));
        let value = ended.or_else(|| embedded().value(&next)).expect("few pieces lead to fewer");
        -value.seen_from_root(1)
    };
    board.legal_moves().map(value_after).max().unwrap_or(Score::ended(Outcome::Loss, 0))
}

/// The tables that are part of the program.
fn embedded() -> &'static EndgameTables {
    static EMBEDDED: LazyLock<EndgameTables> =
        LazyLock::new(|| EndgameTables::read().expect("whole tables"));
    &EMBEDDED
}

fn carried() -> &'static CheckersTables {
    embedded().carried.get().expect("the table that is part of the program")
}

#[test]
fn a_placement_and_its_board_are_the_same() {
    for slice in slices(2..=4) {
        let step = 1 + slice.positions() / 1000;
        for number in (0..slice.positions()).step_by(step) {
            let Some(placement) = slice.placement(number) else { continue };
            assert_eq!(CheckersPlacement::from(&CheckersBoard::from(&placement)), placement);
        }
    }
}

#[test]
fn a_position_has_the_value_of_the_same_with_colours_exchanged() {
    let board = |text| super::super::fen::read(text).expect(text);
    let (white, black) = (board("W:WK10,27:B7,14"), board("B:W26,19:BK23,6"));
    assert_eq!(CheckersPlacement::from(&white), CheckersPlacement::from(&black));
}

#[test]
fn the_table_that_is_carried_has_the_pieces_it_is_said_to_have() {
    assert_eq!(carried().pieces(), CARRIED_PIECES);
}

/// Who wins, by the rules and by what is known of the positions after captures.
fn played_out(board: &CheckersBoard) -> Outcome {
    let ended = board.outcome();
    let known = || {
        embedded().value(board).map(|score| match score {
            score if score.is_won() => Outcome::Win,
            score if score.is_lost() => Outcome::Loss,
            _ => Outcome::Draw,
        })
    };
    ended
        .or_else(known)
        .or_else(|| embedded().outcome(board))
        .unwrap_or_else(|| best_outcome(board))
}

fn best_outcome(board: &CheckersBoard) -> Outcome {
    let outcomes = board.legal_moves().map(|mv| played_out(&board.play(mv)).reversed());
    outcomes.max_by_key(|&outcome| Score::ended(outcome, 0)).unwrap_or(Outcome::Loss)
}

/// A position of these slices; none where the number that is picked stands for none.
fn picked(
    slices: impl Iterator<Item = CheckersSlice>,
    pick: prop::sample::Index,
) -> Option<CheckersBoard> {
    let slices: Vec<_> = slices.collect();
    let mut number = pick.index(slices.iter().copied().map(CheckersSlice::positions).sum());
    for slice in slices {
        match number.checked_sub(slice.positions()) {
            Some(rest) => number = rest,
            None => return slice.placement(number).as_ref().map(CheckersBoard::from),
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn who_wins_with_five_pieces_follows_from_the_moves(pick in any::<prop::sample::Index>()) {
        let board = picked(slices(5..=5), pick);
        if let Some((board, found)) = board.and_then(|board| Some((board, embedded().outcome(&board)?))) {
            prop_assert_eq!(found, best_outcome(&board), "{:?}", board);
        }
    }

    #[test]
    fn a_value_is_the_best_of_the_values_after_one_move(pick in any::<prop::sample::Index>()) {
        if let Some(board) = picked(slices(2..=4), pick) {
            prop_assert_eq!(embedded().value(&board), Some(best_by_moves(&board)), "{:?}", board);
        }
    }
}

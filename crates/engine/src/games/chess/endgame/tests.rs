use std::sync::LazyLock;

use proptest::prelude::*;

use super::super::super::endgame::Slice;
use super::*;
use crate::game::{Outcome, Position};

/// The tables that are part of the program.
fn embedded() -> &'static EndgameTables {
    static EMBEDDED: LazyLock<EndgameTables> =
        LazyLock::new(|| EndgameTables::read().expect("whole tables"));
    &EMBEDDED
}

fn slices() -> impl Iterator<Item = ChessSlice> {
    (3..=MOST_MEN as u8).flat_map(ChessSlice::of_pieces)
}

/// The best of the values that the rules and the tables give to the positions after one move.
fn best_by_moves(board: &ChessBoard) -> Score {
    let value_after = |mv| {
        let next = board.play(mv);
        let ended = next.outcome().map(|outcome| Score::ended(outcome, 0));
        let value = ended.or_else(|| embedded().value(&next)).expect("few men lead to fewer");
        -value.seen_from_root(1)
    };
    board.legal_moves().map(value_after).max().unwrap_or(Score::ended(Outcome::Loss, 0))
}

#[test]
fn every_position_of_a_slice_has_a_number_of_its_own() {
    for slice in slices() {
        let step = 1 + slice.positions() / 5000;
        for number in (0..slice.positions()).step_by(step) {
            let Some(placement) = slice.placement(number) else { continue };
            assert_eq!(ChessSlice::place(&placement), (slice, number), "{placement:?}");
            let board = placement.board();
            let again = board.as_ref().and_then(ChessPlacement::of);
            let again = again.map(|placement| ChessSlice::place(&placement));
            // A capture en passant that a pin forbids is none.
            let is_same = again == Some((slice, number)) || placement.en_passant();
            assert!(board.is_none() || is_same, "{placement:?}");
        }
    }
}

#[test]
fn the_positions_of_a_block_are_the_legal_ones_that_stand_for_themselves() {
    for slice in slices() {
        let step = 1 + slice.arrangements() / 20;
        for arrangement in (0..slice.arrangements()).step_by(step) {
            let kings = slice.kings(arrangement).enumerate().flat_map(|(own, others)| {
                others.into_iter().map(move |other| own * Square::NUM + other as usize)
            });
            let one_by_one = (0..slice.king_arrangements()).filter(|kings| {
                let placement = slice.placement(kings * slice.arrangements() + arrangement);
                placement.is_some_and(|placement| placement.is_canonical())
            });
            assert!(kings.eq(one_by_one), "{slice:?}, {arrangement}");
        }
    }
}

#[test]
fn moves_are_those_of_the_rules() {
    for slice in slices() {
        let step = 1 + slice.positions() / 500;
        for number in (0..slice.positions()).step_by(step) {
            let Some(placement) = slice.placement(number) else { continue };
            let Some(board) = placement.board() else { continue };
            let moves = super::super::ChessMoves::of(board.inner());
            let by_rules = moves.map(|mv| ChessPlacement::of(&board.play(mv)).expect("few men"));
            let sorted = |after: &mut Vec<_>| {
                after.sort_unstable_by_key(|&(slice, number)| (ChessSlice::index(slice), number));
            };
            let mut by_rules: Vec<_> = by_rules.map(|after| ChessSlice::place(&after)).collect();
            let after = placement.after();
            let without_pins = |after: &ChessPlacement| {
                let board = after.board().and_then(|board| ChessPlacement::of(&board));
                ChessSlice::place(&board.unwrap_or(*after))
            };
            let mut after: Vec<_> = after.iter().map(without_pins).collect();
            sorted(&mut by_rules);
            sorted(&mut after);
            assert!(after == by_rules, "{placement:?}");
        }
    }
}

#[test]
fn a_move_back_is_a_move() {
    for slice in slices() {
        let step = 1 + slice.positions() / 500;
        for number in (0..slice.positions()).step_by(step) {
            let Some(placement) = slice.placement(number) else { continue };
            placement.each_before(|earlier| {
                let leads = |after: &ChessPlacement| {
                    ChessSlice::place(after) == ChessSlice::place(&placement)
                };
                assert!(earlier.after().iter().any(leads), "{earlier:?} before {placement:?}");
            });
        }
    }
}

#[test]
fn a_file_that_is_damaged_is_refused() {
    let file = knowledge_file!("chess-4.tables").bytes;
    let is_table = |file: Vec<u8>| BucketTables::new(file.leak()).is_ok();
    assert!(is_table(file.to_vec()));
    assert!(!is_table(file[..file.len() - 1].to_vec()), "a byte is missing");
    assert!(!is_table(b"endgame1".to_vec()), "nothing but the mark");
    let mut other_mark = file.to_vec();
    other_mark[0] ^= 1;
    assert!(!is_table(other_mark));
}

/// A position of these slices; none where the number that is picked stands for none.
fn picked(slice: prop::sample::Index, number: prop::sample::Index) -> Option<ChessBoard> {
    let slices: Vec<_> = slices().collect();
    let slice = slices[slice.index(slices.len())];
    slice.placement(number.index(slice.positions()))?.board()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn a_value_is_the_best_of_the_values_after_one_move(
        slice in any::<prop::sample::Index>(),
        number in any::<prop::sample::Index>(),
    ) {
        let board = picked(slice, number);
        if let Some(board) = board.filter(|board| board.outcome().is_none()) {
            prop_assert_eq!(embedded().value(&board), Some(best_by_moves(&board)), "{:?}", board);
        }
    }

    #[test]
    fn a_bound_tells_on_which_side_of_beta_a_value_lies(
        slice in any::<prop::sample::Index>(),
        number in any::<prop::sample::Index>(),
        plies in 0..100_u32,
    ) {
        let board = picked(slice, number);
        if let Some(board) = board.filter(|board| board.outcome().is_none()) {
            let value = embedded().value(&board).expect("few men");
            let near = [value.predecessor(), value, value.successor()];
            let far = [Score::DRAWN, Score::heuristic(1), Score::won_in(plies), Score::lost_in(plies)];
            for beta in near.into_iter().chain(far) {
                match embedded().bound(&board, beta) {
                    Some(bound) if bound >= beta => prop_assert!(value >= bound, "{:?}", board),
                    Some(bound) => prop_assert!(value <= bound, "{:?}", board),
                    // A heuristic beta lies outside the distances of a bucket.
                    None => prop_assert!(beta.is_won() || beta.is_lost(), "{:?}", board),
                }
            }
        }
    }
}

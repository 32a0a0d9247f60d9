use std::sync::LazyLock;

use cozy_chess::Board;
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// The table that the engine embeds.
const FILE: &[u8] = include_bytes!("../../../../knowledge/chess-4.tables");

static EMBEDDED: LazyLock<ChessTables> =
    LazyLock::new(|| ChessTables::open(FILE).expect("a whole table"));

/// The slices with tables.
fn all_slices() -> impl Iterator<Item = ChessSlice> {
    (3..=MOST_MEN as u8).flat_map(ChessSlice::of_pieces)
}

/// About `count` positions of a slice, each with its number.
fn some_positions(
    slice: ChessSlice,
    count: usize,
) -> impl Iterator<Item = (usize, ChessPlacement)> {
    let numbers = (0..slice.positions()).step_by(1 + slice.positions() / count);
    numbers.filter_map(move |number| Some((number, slice.placement(number)?)))
}

/// The positions after all moves of a board, by the rules.
fn after_by_rules(board: &Board) -> Vec<Board> {
    let mut after = Vec::new();
    board.generate_moves(|moves| {
        after.extend(moves.into_iter().map(|mv| {
            let mut next = board.clone();
            next.play_unchecked(mv);
            next
        }));
        false
    });
    after
}

/// The numbers of positions in ascending order.
fn numbers(placements: impl IntoIterator<Item = ChessPlacement>) -> Vec<(usize, usize)> {
    let places = placements.into_iter().map(|placement| ChessSlice::place(&placement));
    let mut numbers: Vec<_> = places.map(|(slice, number)| (slice.index(), number)).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn every_position_of_a_slice_has_a_number_of_its_own() {
    for slice in all_slices() {
        for (number, placement) in some_positions(slice, 5000) {
            assert_eq!(ChessSlice::place(&placement), (slice, number), "{placement:?}");
            if let Some(again) = placement.board().as_ref().and_then(ChessPlacement::of) {
                assert_eq!(ChessSlice::place(&again), (slice, number), "{placement:?}");
            }
        }
    }
}

#[test]
fn moves_are_those_of_the_rules() {
    for slice in all_slices() {
        for (_, placement) in some_positions(slice, 500) {
            let Some(board) = placement.board() else { continue };
            let by_rules = after_by_rules(&board);
            let by_rules = by_rules.iter().map(|after| ChessPlacement::of(after).expect("few men"));
            assert_eq!(numbers(placement.after()), numbers(by_rules), "{placement:?}");
        }
    }
}

#[test]
fn a_move_back_is_a_move() {
    for slice in all_slices() {
        for (_, placement) in some_positions(slice, 500) {
            placement.each_before(|earlier| {
                let number = numbers([placement])[0];
                let is_after = numbers(earlier.after()).contains(&number);
                assert!(is_after, "{earlier:?} before {placement:?}");
            });
        }
    }
}

#[test]
fn a_file_that_is_damaged_is_refused() {
    let is_table = |file: Vec<u8>| ChessTables::open(file).is_ok();
    assert!(is_table(FILE.to_vec()));
    assert!(!is_table(FILE[..FILE.len() - 1].to_vec()), "a byte is missing");
    assert!(!is_table(b"endgame1".to_vec()), "nothing but the mark");
    let mut other_mark = FILE.to_vec();
    other_mark[0] ^= 1;
    assert!(!is_table(other_mark));
}

/// 2000 cases where `FULL_TESTS` is set, else a tenth, since most cases unpack blocks.
fn config() -> ProptestConfig {
    let cases = if std::env::var_os("FULL_TESTS").is_some() { 2000 } else { 200 };
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// A position of a slice; `None` where the number stands for none.
fn drawn(slice: Index, number: Index) -> Option<ChessPlacement> {
    let slices: Vec<_> = all_slices().collect();
    let slice = slices[slice.index(slices.len())];
    slice.placement(number.index(slice.positions()))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_value_is_the_best_of_the_values_after_one_move(slice: Index, number: Index) {
        let placement = drawn(slice, number);
        let board = placement.and_then(|placement| placement.board());
        if let (Some(placement), Some(board)) = (placement, board) {
            let after = after_by_rules(&board).into_iter().map(|after| {
                let after = ChessPlacement::of(&after).expect("few men");
                probe::one_ply_earlier(EMBEDDED.value(&after).expect("four men lead to no more"))
            });
            let best = after.reduce(probe::better);
            let value = best.unwrap_or(if board.checkers().is_empty() { DRAW } else { 0 });
            prop_assert_eq!(EMBEDDED.value(&placement), Some(value), "{:?}", placement);
        }
    }

    #[test]
    fn bounds_hold_the_value_and_do_not_depend_on_questions_before(slice: Index, number: Index) {
        if let Some(placement) = drawn(slice, number) {
            let tables = ChessTables::open(FILE).expect("a whole table");
            let bounds = || tables.bounds(&placement).expect("four men at most");
            let at_first = bounds();
            let value = tables.value(&placement).expect("four men at most");
            prop_assert_eq!(bounds(), at_first, "{:?}", placement);
            let [worst, best] = at_first;
            prop_assert_eq!(probe::better(value, worst), value);
            prop_assert_eq!(probe::better(best, value), best);
        }
    }
}

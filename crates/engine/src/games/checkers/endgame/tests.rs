use std::sync::LazyLock;

use proptest::prelude::*;

use super::super::super::endgame::Slice;
use super::*;
use crate::game::{Outcome, Position, TableForm};

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

fn carried() -> &'static Tables<&'static [u8]> {
    embedded().carried.as_ref().expect("the table that is part of the program")
}

#[test]
fn every_position_of_a_slice_has_a_number_of_its_own() {
    for slice in slices(2..=4) {
        let step = 1 + slice.positions() / 5000;
        for number in (0..slice.positions()).step_by(step) {
            let Some(placement) = slice.placement(number) else { continue };
            assert_eq!(placement.slice(), slice);
            assert_eq!(CheckersSlice::place(&placement).1, number, "{slice:?}");
            assert_eq!(CheckersPlacement::from(&placement.board()), placement);
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

/// Files of tables: a plain one of two pieces, and those that are part of the program.
const FILES: [(TableForm, &[u8]); 3] = [
    (TableForm::Plain, include_bytes!("../../../../../../tests/data/checkers-2.tables")),
    (TableForm::Packed, knowledge_file!("checkers-4.tables").bytes),
    (TableForm::Outcomes, knowledge_file!("checkers-5.outcomes").bytes),
];

#[test]
fn a_plain_table_says_what_the_embedded_one_does() {
    let table = Tables::new(FILES[0].1).expect("a whole table");
    assert_eq!(table.pieces(), 2);
    for slice in slices(2..=3) {
        for placement in (0..slice.positions()).filter_map(|number| slice.placement(number)) {
            let is_known = slices(2..=2).any(|two| two == slice);
            let expected = carried().value(&placement).filter(|_| is_known);
            assert_eq!(table.value(&placement), expected, "{placement:?}");
        }
    }
}

#[test]
fn a_file_that_is_damaged_is_refused() {
    let is_table = |form, file: &[u8]| match form {
        TableForm::Plain | TableForm::Packed => Tables::new(file).is_ok(),
        TableForm::Outcomes => Outcomes::new(file).is_ok(),
    };
    for (form, file) in FILES {
        let mut file = file.to_vec();
        assert!(is_table(form, &file));
        assert!(!is_table(form, &file[..file.len() - 1]), "a byte is missing");
        assert!(!is_table(form, b"endgame1"), "nothing but the mark");
        file[0] ^= 1;
        assert!(!is_table(form, &file), "the mark is another");
    }
}

#[test]
fn a_table_whose_values_are_damaged_is_refused() {
    for (form, file) in &FILES[..2] {
        let check = |file: &[u8]| Tables::new(file).and_then(|table| table.check());
        assert!(check(file).is_ok());
        let last = file.len() - 1;
        for place in [16, last / 2, last] {
            let mut damaged = file.to_vec();
            damaged[place] ^= 1;
            assert!(check(&damaged).is_err(), "{form:?}, {place}");
        }
    }
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
            None => return slice.placement(number).map(|placement| placement.board()),
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

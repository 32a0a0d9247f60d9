use proptest::prelude::*;

use super::slice::{Layout, Slice};
use super::*;
use crate::game::{Outcome, Position};

fn slices(pieces: std::ops::RangeInclusive<u8>) -> impl Iterator<Item = Slice> {
    pieces.flat_map(Slice::of_pieces)
}

/// The best of the values that the rules and the table give to the positions after one move.
fn best_by_moves(board: &Board) -> Score {
    let value_after = |route| {
        let next = board.play(route);
        let ended = next.outcome().map(|outcome| Score::ended(outcome, 0));
        let value = ended.or_else(|| value(&next)).expect("few pieces lead to fewer");
        -value.seen_from_root(1)
    };
    board.legal_moves().map(value_after).max().unwrap_or(Score::ended(Outcome::Loss, 0))
}

fn carried() -> &'static Tables<&'static [u8]> {
    CARRIED.as_ref().expect("the table that is part of the program")
}

#[test]
fn every_position_of_a_slice_has_a_number_of_its_own() {
    for slice in slices(2..=4) {
        let step = 1 + slice.positions() / 5000;
        for number in (0..slice.positions()).step_by(step) {
            let Some(placement) = slice.placement(number) else { continue };
            assert_eq!(placement.slice(), slice);
            assert_eq!(placement.number(), number, "{slice:?}");
            assert_eq!(Placement::from(&placement.board()), placement);
        }
    }
}

#[test]
fn a_position_has_the_value_of_the_same_with_colours_exchanged() {
    let board = |text| super::super::fen::read(text).expect(text);
    let (white, black) = (board("W:WK10,27:B7,14"), board("B:W26,19:BK23,6"));
    assert_eq!(Placement::from(&white), Placement::from(&black));
}

#[test]
fn the_table_that_is_carried_is_the_one_that_is_made() {
    let made = solver::values_up_to(3);
    let layout = Layout::up_to(3);
    let mut compared = 0;
    for slice in slices(2..=3) {
        for placement in (0..slice.positions()).filter_map(|number| slice.placement(number)) {
            let place = layout.place(&placement).expect("a slice of three pieces");
            assert_eq!(carried().value(&placement), Some(made[place]), "{placement:?}");
            compared += 1;
        }
    }
    // There are 6972 positions of two pieces and 261 224 of three (Schaeffer, *One Jump Ahead*,
    // 1997, on databases), less those in which a side, either one, has none.
    assert_eq!(compared, 6_972 + 261_224 - 2 * (1_742 + 32_596));
}

#[test]
fn the_table_that_is_carried_has_the_pieces_it_is_said_to_have() {
    assert_eq!(carried().pieces(), CARRIED_PIECES);
}

#[test]
fn plain_and_packed_tables_say_the_same() {
    let table = |packed| {
        let mut file = Vec::new();
        write(3, packed, &mut file).expect("memory takes all");
        Tables::new(file).expect("a whole table")
    };
    let (plain, packed) = (table(false), table(true));
    assert_eq!(plain.checksum(), packed.checksum());
    for slice in slices(2..=3) {
        for placement in (0..slice.positions()).filter_map(|number| slice.placement(number)) {
            assert_eq!(plain.value(&placement), packed.value(&placement), "{placement:?}");
        }
    }
}

#[test]
fn a_file_that_is_damaged_is_refused() {
    for packed in [false, true] {
        let mut file = Vec::new();
        write(2, packed, &mut file).expect("memory takes all");
        assert!(Tables::new(file.clone()).is_ok());
        assert!(Tables::new(&file[..file.len() - 1]).is_err(), "a byte is missing");
        file[0] ^= 1;
        assert!(Tables::new(file.as_slice()).is_err(), "the mark is another");
    }
    assert!(Tables::new(&b"endgame1"[..]).is_err());
    assert!(write(7, false, &mut Vec::new()).is_err(), "too many pieces");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn a_value_is_the_best_of_the_values_after_one_move(pick in any::<prop::sample::Index>()) {
        let all: usize = slices(2..=4).map(Slice::positions).sum();
        let mut number = pick.index(all);
        for slice in slices(2..=4) {
            if number < slice.positions() {
                if let Some(placement) = slice.placement(number) {
                    let board = placement.board();
                    prop_assert_eq!(value(&board), Some(best_by_moves(&board)), "{:?}", board);
                }
                break;
            }
            number -= slice.positions();
        }
    }
}

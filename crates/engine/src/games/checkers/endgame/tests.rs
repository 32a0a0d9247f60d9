use std::sync::LazyLock;

use proptest::prelude::*;

use super::slice::{Layout, Slice};
use super::*;
use crate::game::{Outcome, Position, SamplingSpec, TableForm};

fn slices(pieces: std::ops::RangeInclusive<u8>) -> impl Iterator<Item = Slice> {
    pieces.flat_map(Slice::of_pieces)
}

/// The best of the values that the rules and the table give to the positions after one move.
fn best_by_moves(board: &Board) -> Score {
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
    let table = |form| {
        let mut file = Vec::new();
        write(3, form, &mut file).expect("memory takes all");
        Tables::new(file).expect("a whole table")
    };
    let (plain, packed) = (table(TableForm::Plain), table(TableForm::Packed));
    assert_eq!(plain.checksum(), packed.checksum());
    for slice in slices(2..=3) {
        for placement in (0..slice.positions()).filter_map(|number| slice.placement(number)) {
            assert_eq!(plain.value(&placement), packed.value(&placement), "{placement:?}");
        }
    }
}

#[test]
fn positions_are_sampled_with_their_winner_and_distance() {
    let mut drawn = 0;
    let sampling = |pieces| SamplingSpec { pieces, count: 500, seed: 1 };
    sample(sampling(3), &mut |board, winner, plies| {
        let is_won = winner == board.side_to_move();
        let score = if is_won { Score::won_in(plies) } else { Score::lost_in(plies) };
        assert_eq!(embedded().value(board), Some(score), "{board:?}");
        assert_eq!(board.jumpers(), 0);
        drawn += 1;
    })
    .expect("there are tables of three pieces");
    assert_eq!(drawn, 500);
    assert!(sample(sampling(9), &mut |_, _, _| {}).is_err(), "too many pieces");
}

#[test]
fn a_table_of_outcomes_says_who_wins_wherever_there_is_no_capture() {
    let mut file = Vec::new();
    write(3, TableForm::Outcomes, &mut file).expect("memory takes all");
    let table = Outcomes::new(file).expect("a whole table");
    for slice in slices(2..=3) {
        for placement in (0..slice.positions()).filter_map(|number| slice.placement(number)) {
            let board = placement.board();
            let expected = match carried().value(&placement) {
                _ if slices(2..=2).any(|two| two == slice) => None,
                Some(DRAW) => Some(Outcome::Draw),
                Some(plies) if is_loss(plies) => Some(Outcome::Loss),
                _ => Some(Outcome::Win),
            };
            if expected.is_none() || board.jumpers() == 0 {
                assert_eq!(table.outcome(&placement), expected, "{placement:?}");
            }
        }
    }
}

/// Who wins, by the rules and by what is known of the positions after captures.
fn played_out(board: &Board) -> Outcome {
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

fn best_outcome(board: &Board) -> Outcome {
    let outcomes = board.legal_moves().map(|mv| played_out(&board.play(mv)).reversed());
    outcomes.max_by_key(|&outcome| Score::ended(outcome, 0)).unwrap_or(Outcome::Loss)
}

#[test]
fn a_file_that_is_damaged_is_refused() {
    let is_table = |form, file: &[u8]| match form {
        TableForm::Plain | TableForm::Packed => Tables::new(file).is_ok(),
        TableForm::Outcomes => Outcomes::new(file).is_ok(),
    };
    for form in [TableForm::Plain, TableForm::Packed, TableForm::Outcomes] {
        let mut file = Vec::new();
        write(3, form, &mut file).expect("memory takes all");
        assert!(is_table(form, &file));
        assert!(!is_table(form, &file[..file.len() - 1]), "a byte is missing");
        assert!(!is_table(form, b"endgame1"), "nothing but the mark");
        file[0] ^= 1;
        assert!(!is_table(form, &file), "the mark is another");
    }
    assert!(write(7, TableForm::Plain, &mut Vec::new()).is_err(), "too many pieces");
}

#[test]
fn a_table_whose_values_are_damaged_is_refused() {
    for form in [TableForm::Plain, TableForm::Packed] {
        let mut file = Vec::new();
        write(3, form, &mut file).expect("memory takes all");
        let check = |file: &[u8]| Tables::new(file).and_then(|table| table.check());
        assert!(check(&file).is_ok());
        let last = file.len() - 1;
        for place in [16, last / 2, last] {
            let mut damaged = file.clone();
            damaged[place] ^= 1;
            assert!(check(&damaged).is_err(), "{form:?}, {place}");
        }
    }
}

/// A position of these slices; none where the number that is picked stands for none.
fn picked(slices: impl Iterator<Item = Slice>, pick: prop::sample::Index) -> Option<Board> {
    let slices: Vec<_> = slices.collect();
    let mut number = pick.index(slices.iter().copied().map(Slice::positions).sum());
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

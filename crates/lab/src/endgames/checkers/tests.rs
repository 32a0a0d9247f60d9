use std::fs;
use std::sync::Arc;

use bestmove_engine::game::{Evaluator, Outcome, Score};
use bestmove_engine::games::Knowledge;
use lzma_rust2::Lzma2Reader;

use super::*;
use crate::game::evaluator;
use crate::knowledge::knowledge;

/// The positions of two to `pieces` pieces.
fn placements(pieces: u8) -> impl Iterator<Item = CheckersPlacement> {
    let slices = (2..=pieces).flat_map(CheckersSlice::of_pieces);
    slices.flat_map(|slice| (0..slice.positions()).filter_map(move |it| slice.placement(it)))
}

/// The value of a position of few pieces in the table that the engine embeds.
fn embedded(board: &CheckersBoard) -> Option<Score> {
    let evaluator = evaluator::<Checkers>(None, &knowledge()).expect("an evaluator");
    evaluator.known(board)
}

fn score(plies: Plies) -> Score {
    match plies {
        DRAW => Score::DRAWN,
        plies if is_loss(plies) => Score::lost_in(u32::from(plies)),
        plies => Score::won_in(u32::from(plies)),
    }
}

/// The bytes of a table.
fn table(pieces: u32, form: TableForm) -> Vec<u8> {
    let mut file = Vec::new();
    CheckersEndgames.write_table(pieces, form, &mut file).expect("memory takes all");
    file
}

#[test]
fn the_table_that_the_engine_embeds_is_the_one_that_is_made() {
    let (made, layout) = (values_up_to(3).expect("values"), SliceLayout::<CheckersSlice>::up_to(3));
    let evaluator = evaluator::<Checkers>(None, &knowledge()).expect("an evaluator");
    let mut compared = 0;
    for placement in placements(3) {
        let place = layout.place(&placement).expect("a slice of three pieces");
        let known = evaluator.known(&placement.board());
        assert_eq!(known, Some(score(made[place])), "{placement:?}");
        compared += 1;
    }
    // There are 6972 positions of two pieces and 261 224 of three (Schaeffer, *One Jump Ahead*,
    // 1997, on databases), less the positions in which a side has no piece.
    assert_eq!(compared, 6_972 + 261_224 - 2 * (1_742 + 32_596));
}

#[test]
fn embedded_files_are_made_again_byte_for_byte() {
    if std::env::var_os("FULL_TESTS").is_none() {
        eprintln!("skipped: FULL_TESTS is not set");
        return;
    }
    let file = include_bytes!("../../../../../knowledge/checkers-4.tables");
    assert!(table(4, TableForm::Packed) == file);
}

#[test]
fn the_table_of_the_tests_of_the_service_is_the_one_that_is_made() {
    let file = include_bytes!("../../../../../tests/data/checkers-2.tables");
    assert!(table(2, TableForm::Plain) == file);
}

/// The evaluator of the engine with a table in this form alone.
fn opened(name: &str, form: TableForm) -> (u64, <Checkers as Game>::Evaluator) {
    let file = std::env::temp_dir().join(format!("bestmove-{name}-{}", std::process::id()));
    fs::write(&file, table(3, form)).expect("room on the disk");
    let mut knowledge = <Checkers as Game>::Knowledge::default();
    let checksum = Checkers::open_endgame_table(&mut knowledge, &file).expect("a table");
    fs::remove_file(&file).expect("it is there");
    let evaluator = Checkers::evaluator("full", &Arc::new(knowledge));
    (checksum, evaluator.expect("an evaluator"))
}

#[test]
fn the_engine_reads_the_same_from_plain_and_packed_tables() {
    let (plain, packed) = (opened("plain", TableForm::Plain), opened("packed", TableForm::Packed));
    assert_eq!(plain.0, packed.0);
    let nothing = evaluator::<Checkers>(None, &Knowledge::default()).expect("an evaluator");
    for board in placements(3).map(|placement| placement.board()) {
        assert_eq!(nothing.known(&board), None);
        let known = embedded(&board);
        assert!(known.is_some());
        assert_eq!((plain.1.known(&board), packed.1.known(&board)), (known, known), "{board:?}");
    }
}

/// The unpacked blocks of a file.
fn unpacked(file: &[u8], bytes: usize) -> Vec<u8> {
    let (mut ends, mut blocks) = (&file[24..], Vec::new());
    let count = bytes.div_ceil(256 * 1024);
    let (mut start, streams) = (0, &file[24 + 4 * count..]);
    for _ in 0..count {
        let (end, rest) = ends.split_first_chunk().expect("an end");
        let end = u32::from_le_bytes(*end) as usize;
        let stream = &streams[start..end];
        io::copy(&mut Lzma2Reader::new(stream, 256 * 1024, None), &mut blocks).expect("a stream");
        (ends, start) = (rest, end);
    }
    blocks
}

#[test]
fn a_table_of_outcomes_says_who_wins_wherever_there_is_no_capture() {
    let count: usize = CheckersSlice::of_pieces(3).into_iter().map(CheckersSlice::positions).sum();
    let bytes = unpacked(&table(3, TableForm::Outcomes), count.div_ceil(5));
    assert_eq!(bytes.len(), count.div_ceil(5));
    let positions = CheckersSlice::of_pieces(3)
        .into_iter()
        .flat_map(|slice| (0..slice.positions()).map(move |number| slice.placement(number)));
    for (place, placement) in positions.enumerate() {
        let Some(board) = placement.map(|placement| placement.board()) else { continue };
        if !is_quiet(&board) {
            continue;
        }
        let digit = bytes[place / 5] / 3_u8.pow((place % 5) as u32) % 3;
        let outcome = [Outcome::Draw, Outcome::Win, Outcome::Loss][usize::from(digit)];
        let known = embedded(&board).expect("three pieces");
        let expected = match known {
            _ if known.is_won() => Outcome::Win,
            _ if known.is_lost() => Outcome::Loss,
            _ => Outcome::Draw,
        };
        assert_eq!(outcome, expected, "{board:?}");
    }
}

#[test]
fn positions_are_sampled_with_their_winner_and_distance() {
    let mut drawn = 0;
    let sampling = |pieces| Sampling { pieces, count: 500, seed: 1 };
    each_decided(sampling(3), &mut |board, winner, plies| {
        let is_won = winner == board.side_to_move();
        let score = if is_won { Score::won_in(plies) } else { Score::lost_in(plies) };
        assert_eq!(embedded(board), Some(score), "{board:?}");
        assert!(is_quiet(board));
        drawn += 1;
    })
    .expect("there are tables of three pieces");
    assert_eq!(drawn, 500);
}

#[test]
fn too_many_pieces_are_refused() {
    let sampling = Sampling { pieces: 9, count: 1, seed: 1 };
    assert!(CheckersEndgames.sample(sampling, &mut |_, _| {}).is_err());
    assert!(CheckersEndgames.write_table(7, TableForm::Plain, &mut Vec::new()).is_err());
}

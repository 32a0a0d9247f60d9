use std::fs;
use std::sync::Arc;

use bestmove_endgames::checkers::CheckersTables;
use bestmove_engine::game::{KnowledgeFiles, Score, known_value};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::endgame::score;

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
    let evaluator =
        evaluator::<Checkers>(None, &knowledge().expect("whole files")).expect("an evaluator");
    known_value(&evaluator, board)
}

/// The bytes of a table.
fn table(pieces: u32, form: Form) -> Vec<u8> {
    let mut file = Vec::new();
    write_table(pieces, form, &mut file).expect("memory takes all");
    file
}

#[test]
fn the_table_that_the_engine_embeds_is_the_one_that_is_made() {
    let (made, layout) = (values_up_to(3).expect("values"), Layout::up_to::<CheckersSlice>(3));
    let evaluator =
        evaluator::<Checkers>(None, &knowledge().expect("whole files")).expect("an evaluator");
    let mut compared = 0;
    for placement in placements(3) {
        let place = layout.place::<CheckersSlice>(&placement).expect("a slice of three pieces");
        let known = known_value(&evaluator, &CheckersBoard::from(&placement));
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
    assert!(table(4, Form::Packed) == file);
}

#[test]
fn the_table_of_the_tests_of_the_service_is_the_one_that_is_made() {
    let file = include_bytes!("../../../../../tests/data/checkers-2.tables");
    assert!(table(2, Form::Plain) == file);
}

/// The evaluator of an engine that has opened this table.
fn opened(name: &str, form: Form) -> <Checkers as Game>::Evaluator {
    let file = std::env::temp_dir().join(format!("bestmove-{name}-{}", std::process::id()));
    fs::write(&file, table(3, form)).expect("room on the disk");
    let files = KnowledgeFiles { table: Some(&file), networks: None };
    let knowledge = Checkers::load_knowledge(files).expect("a table");
    fs::remove_file(&file).expect("it is there");
    Checkers::evaluator("full", &Arc::new(knowledge)).expect("an evaluator")
}

#[test]
fn the_engine_reads_the_same_from_plain_and_packed_tables() {
    let (plain, packed) = (opened("plain", Form::Plain), opened("packed", Form::Packed));
    let nothing =
        evaluator::<Checkers>(Some("material"), &Knowledge::default()).expect("an evaluator");
    for board in placements(3).map(|placement| CheckersBoard::from(&placement)) {
        assert_eq!(known_value(&nothing, &board), None);
        let known = embedded(&board);
        assert!(known.is_some());
        assert_eq!(
            (known_value(&plain, &board), known_value(&packed, &board)),
            (known, known),
            "{board:?}"
        );
    }
}

#[test]
fn a_table_of_outcomes_says_who_wins_wherever_there_is_no_capture() {
    let table = CheckersTables::open(table(3, Form::Outcomes)).expect("a table");
    for placement in placements(3) {
        let board = CheckersBoard::from(&placement);
        let known = embedded(&board).expect("three pieces");
        match table.outcome(&placement) {
            Some(outcome) if is_quiet(&board) => {
                assert_eq!(outcome, known.cmp(&Score::DRAWN), "{board:?}");
            }
            _ => {}
        }
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
    assert!(sample("checkers", sampling, &mut |_, _| {}).is_err());
    assert!(write_table(7, Form::Plain, &mut Vec::new()).is_err());
}

//! What the evaluators of chess promise, held against the rules.

use bestmove_engine::game::{Drawing, Evaluator, Game, Notation, Position};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use bestmove_engine::network::Accumulator;
use proptest::prelude::*;

use super::{chosen, colours_exchanged, positions, read};
use crate::{cases, evaluator};

const EVALUATORS: [&str; 3] = ["material", "piece-square", "full"];

/// The position seen in a mirror, without the rights that the mirror breaks.
fn mirrored(board: &ChessBoard) -> ChessBoard {
    let fen = Chess::write_position(board);
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> =
        fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    read(&format!("{} {} - - 0 1", ranks.join("/"), fields[1]))
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn exchanged_colours_change_nothing_for_the_side_to_move(board in positions()) {
        let exchanged = colours_exchanged(&board);
        for name in EVALUATORS {
            let kind = evaluator::<Chess>(name);
            prop_assert_eq!(kind.score(&board), kind.score(&exchanged), "{}", Chess::write_position(&board));
        }
    }

    #[test]
    fn no_position_has_more_features_than_a_network_takes(board in positions()) {
        let input = evaluator::<Chess>("full").sparse_input(&board).expect("a network");
        let most = Chess::Standard.game_info().network.expect("a network").present;
        prop_assert!(input.views.iter().all(|view| view.len() <= most), "{}", Chess::write_position(&board));
    }

    #[test]
    fn a_mirror_changes_no_full_score(board in positions()) {
        let (full, mirrored) = (evaluator::<Chess>("full"), mirrored(&board));
        prop_assert_eq!(full.score(&board), full.score(&mirrored), "{}", Chess::write_position(&board));
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// Captures, promotions, castling, en passant and passes on the way, and jumps to other games.
    #[test]
    fn a_score_does_not_depend_on_the_positions_before(
        starts in prop::collection::vec(positions(), 1..4),
        choices in prop::collection::vec(any::<u16>(), 40),
    ) {
        let full = evaluator::<Chess>("full");
        let mut accumulator = Accumulator::default();
        for mut board in starts {
            for &choice in &choices {
                let passed = Chess::passed(&board);
                for position in [Some(board.clone()), passed].iter().flatten() {
                    let score = full.score_after(position, &mut accumulator);
                    prop_assert_eq!(score, full.score(position), "{}", Chess::write_position(position));
                }
                let Some(mv) = chosen(&board, choice) else { break };
                board = board.play(mv);
            }
        }
    }
}

#[test]
fn the_lone_king_is_best_off_in_the_middle() {
    let score = |fen| evaluator::<Chess>("full").score(&read(fen));
    assert!(score("8/8/8/3k4/8/8/8/KQ6 w - - 0 1") < score("3k4/8/8/8/8/8/8/KQ6 w - - 0 1"));
}

#[test]
fn a_queen_more_is_worth_about_a_queen() {
    let score = |fen| evaluator::<Chess>("full").score(&read(fen));
    let start = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let ahead = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((-50..100).contains(&start), "{start}");
    assert!(ahead > 500, "{ahead}");
}

#[test]
fn wrong_bishops_do_not_win() {
    let full = evaluator::<Chess>("full");
    for (fen, is_won) in [
        ("7k/8/7K/7P/7P/4B3/8/8 w - - 0 1", true),
        ("7k/3B4/7K/7P/7P/8/8/8 w - - 0 1", false),
        ("6k1/3B4/7K/7P/7P/p7/8/8 w - - 0 1", false),
        ("k7/8/K7/P7/P7/3B4/8/8 w - - 0 1", true),
        ("k7/8/K7/P7/P4B2/8/8/8 w - - 0 1", false),
        ("k7/8/K7/P7/P4B2/8/8/2B5 w - - 0 1", false),
        ("k7/8/K7/P7/P4B1n/8/8/8 w - - 0 1", false),
        ("6k1/8/7K/7P/8/8/8/5b1B w - - 0 1", false),
        ("6k1/8/7p/7P/4K2P/3B4/8/8 w - - 0 1", false),
        ("k7/8/2K5/8/P7/P1B5/p7/8 w - - 0 1", false),
        // Pawns that may leave their file, another file, and a king that is away.
        ("6k1/6p1/8/6KP/7P/3B4/8/8 w - - 0 1", true),
        ("k7/p7/8/P1K5/8/4B3/8/8 w - - 0 1", true),
        ("7k/3B4/7K/7P/6P1/8/8/8 w - - 0 1", true),
        ("8/3B4/7K/7P/7P/8/1k6/8 w - - 0 1", true),
    ] {
        let board = read(fen);
        let scores = [&board, &colours_exchanged(&board)].map(|board| full.score(board));
        let fits = |score: i32| if is_won { score > 100 } else { score <= 0 };
        assert!(scores.into_iter().all(fits), "{fen}: {scores:?}");
    }
}

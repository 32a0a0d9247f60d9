//! What the evaluators of chess promise, held against the rules and against their own weights.

use bestmove_engine::game::linear::{Tapered, read_weights};
use bestmove_engine::game::{Evaluator, Game, Position, Side};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use proptest::prelude::*;

use super::{colours_exchanged, positions, read};
use crate::{cases, evaluator, features};

const SQUARES: usize = 389;
const FULL: usize = 654;
static SQUARE_WEIGHTS: [Tapered; SQUARES] =
    read_weights(include_str!("../../../../../knowledge/chess-squares.txt"));
static FULL_WEIGHTS: [Tapered; FULL] =
    read_weights(include_str!("../../../../../knowledge/chess-full.txt"));

const EVALUATORS: [&str; 3] = ["material", "piece-square", "full"];

/// The position seen in a mirror, without the rights that the mirror breaks.
fn mirrored(board: &ChessBoard) -> ChessBoard {
    let fen = Chess::write_position(board);
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<String> =
        fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    read(&format!("{} {} - - 0 1", ranks.join("/"), fields[1]))
}

/// The score for the side to move that these weights make of the features of a position.
fn weighed(weights: &[Tapered], name: &str, board: &ChessBoard) -> Option<f64> {
    let (features, [opening, ending]) = features(&evaluator::<Chess>(name), board)?;
    let mut sum = [0.0; 2];
    for (index, times) in features {
        let weight = weights[index];
        sum[0] += f64::from(weight.opening()) * f64::from(times);
        sum[1] += f64::from(weight.ending()) * f64::from(times);
    }
    let score = sum[0] * opening + sum[1] * ending;
    let is_first = board.side_to_move() == Side::First;
    Some(if is_first { score } else { -score })
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
    fn a_mirror_changes_no_full_score(board in positions()) {
        let (full, mirrored) = (evaluator::<Chess>("full"), mirrored(&board));
        prop_assert_eq!(full.score(&board), full.score(&mirrored), "{}", Chess::write_position(&board));
    }

    #[test]
    fn the_features_times_the_weights_are_the_score(board in positions()) {
        for (name, weights) in
            [("piece-square", &SQUARE_WEIGHTS[..]), ("full", &FULL_WEIGHTS[..])]
        {
            if let Some(weighed) = weighed(weights, name, &board) {
                let score = f64::from(evaluator::<Chess>(name).score(&board));
                prop_assert!((score - weighed).abs() <= 1.0, "{score} {weighed} {}", Chess::write_position(&board));
            }
        }
    }
}

#[test]
fn an_advantage_without_the_men_to_win_is_worth_little() {
    let score = |fen| evaluator::<Chess>("full").score(&read(fen)).abs();
    for fen in [
        "8/8/4k3/8/8/2BK4/8/4n2n w - - 0 1",
        "8/8/4k3/8/8/2RK4/8/4n3 w - - 0 1",
        "8/8/4k3/8/8/2NK4/2N5/8 w - - 0 1",
    ] {
        assert!(score(fen) < 50, "{fen}: {}", score(fen));
    }
    let (opposite, equal) =
        ("8/2k5/4b3/8/8/2BKP3/4P3/8 w - - 0 1", "8/2k5/3b4/8/8/2BKP3/4P3/8 w - - 0 1");
    assert!(score(opposite) < score(equal));
}

#[test]
fn the_lone_king_is_best_off_in_the_middle() {
    let score = |fen| evaluator::<Chess>("full").score(&read(fen));
    assert!(score("8/8/8/3k4/8/8/8/KQ6 w - - 0 1") < score("3k4/8/8/8/8/8/8/KQ6 w - - 0 1"));
}

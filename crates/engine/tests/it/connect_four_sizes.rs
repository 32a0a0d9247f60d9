//! Connect Four on boards of other sizes: known values, by a search without a book.

use bestmove_engine::game::{Game, Notation, Outcome, Position, PositionText, SolverScore};
use bestmove_engine::games::connect_four::{SizedConnectFour, SizedConnectFourBoard};
use bestmove_engine::search::Solver;

use crate::{data, evaluator};

/// The game on a board of this size.
fn game(size: &str) -> SizedConnectFour {
    let mut all = SizedConnectFour::VARIANTS.iter();
    *all.find(|game| game.game_info().variant == size).expect(size)
}

fn played(size: &str, columns: &str) -> SizedConnectFourBoard {
    let position = game(size).read_position(&PositionText::Text(columns.to_owned()));
    position.expect(columns)
}

fn value(position: &SizedConnectFourBoard) -> SolverScore {
    let evaluator = evaluator::<SizedConnectFour>("segments");
    Solver::of(&evaluator, position).value(position)
}

/// Who wins from the empty board, and the last ply.
fn assert_value(size: &str, expected: Option<(Outcome, u32)>) {
    let start = game(size).start();
    let plies = start.plies_left().expect("the game ends") as SolverScore;
    let by_proof = match expected {
        None => 0,
        Some((Outcome::Loss, last)) => last as SolverScore - plies - 1,
        Some((_, last)) => plies - last as SolverScore + 1,
    };
    assert_eq!(value(&start), by_proof, "{size}");
}

#[test]
fn small_boards_have_their_known_values() {
    for size in ["4x4", "4x5", "4x6", "5x4", "5x5"] {
        assert_value(size, None);
    }
    assert_value("6x4", Some((Outcome::Loss, 24)));
}

/// With optimisation: `cargo test --release -p bestmove-engine --test it -- --ignored larger_boards`.
#[test]
#[ignore = "takes seconds with optimisation"]
fn larger_boards_have_their_known_values() {
    for size in ["4x7", "5x6", "5x7", "6x5", "7x4", "7x5"] {
        assert_value(size, None);
    }
    assert_value("8x4", Some((Outcome::Loss, 32)));
    assert_value("6x6", Some((Outcome::Loss, 36)));
}

/// The prover's table has no room for scores above 63, which early wins on the largest boards have.
#[test]
fn early_wins_on_the_largest_board_are_proven() {
    for (columns, plies) in [("5161", 3), ("51617", 2), ("516171", 1)] {
        let position = played("10x8", columns);
        let expected = position.plies_left().expect("the game ends") as SolverScore - plies + 1;
        assert_eq!(value(&position).abs(), expected, "{columns}");
    }
}

/// The published positions of a class, each with its score.
fn published(size: &str, class: &str) -> Vec<(SizedConnectFourBoard, SolverScore)> {
    let text = data(&format!("connect-four/{size}-{class}.txt"));
    let position = |line: &str| {
        let (columns, score) = line.split_once(' ').expect("columns and a score");
        // The columns are numbered from 0.
        let play = |board: SizedConnectFourBoard, digit: char| {
            let column = (digit.to_digit(10).expect("a digit") + 1).to_string();
            board.play(SizedConnectFour::read_move(&board, &column).expect("a legal move"))
        };
        (columns.chars().fold(game(size).start(), play), score.parse().expect("a score"))
    };
    text.lines().map(position).collect()
}

/// The published score: a win counts one more for every two cells that stay empty.
fn published_score(position: &SizedConnectFourBoard) -> SolverScore {
    let value = value(position);
    value.signum() * (1 + (value.abs() - 1) / 2) * SolverScore::from(value != 0)
}

#[test]
fn published_values_of_late_positions_are_found() {
    for size in ["9x5", "10x6"] {
        for (position, score) in published(size, "endgame_L1").into_iter().step_by(10) {
            let text = SizedConnectFour::write_position(&position);
            assert_eq!(published_score(&position), score, "{text}");
        }
    }
}

/// With optimisation: `cargo test --release -p bestmove-engine --test it -- --ignored middle_game`.
#[test]
#[ignore = "takes minutes"]
fn published_values_of_the_middle_game_are_found() {
    for (size, class) in [
        ("9x5", "endgame_L1"),
        ("9x5", "midgame_L1"),
        ("9x5", "midgame_L2"),
        ("10x6", "endgame_L1"),
        ("10x6", "midgame_L1"),
    ] {
        for (position, score) in published(size, class) {
            let text = SizedConnectFour::write_position(&position);
            assert_eq!(published_score(&position), score, "{text}");
        }
    }
}

#[test]
fn a_written_position_is_read_back_on_its_own_size_alone() {
    let text =
        |board: &SizedConnectFourBoard| PositionText::Text(SizedConnectFour::write_position(board));
    for of in SizedConnectFour::VARIANTS {
        let start = of.start();
        let board = start.legal_moves().take(3).fold(start, |board, mv| board.play(mv));
        for other in SizedConnectFour::VARIANTS {
            let is_same = of.game_info().variant == other.game_info().variant;
            assert_eq!(other.read_position(&text(&board)).is_ok(), is_same);
        }
    }
}

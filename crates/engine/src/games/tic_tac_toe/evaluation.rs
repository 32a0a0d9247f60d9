//! Static evaluations, which count lines.

use super::board::{LINES, TicTacToeBoard};
use crate::game::{Evaluator, SelectiveHooks, SolverHooks, Trainable};

/// The evaluators of tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TicTacToeEvaluator {
    /// Three times the lines that hold two own marks and nothing else, plus those that hold one,
    /// less the opponent's: 'weighted lines'.
    Lines,
    /// The lines in which three can still be completed, less the opponent's: 'open lines'.
    OpenLines,
    /// None: only finished games count.
    Outcome,
}

impl Evaluator<TicTacToeBoard> for TicTacToeEvaluator {
    type Accumulator = ();

    fn score(&self, board: &TicTacToeBoard) -> i32 {
        match self {
            Self::Lines => weighted_lines(board.own, board.other),
            Self::OpenLines => open_lines(board.other) - open_lines(board.own),
            Self::Outcome => 0,
        }
    }

    fn half_value(&self) -> i32 {
        4
    }
}

impl SelectiveHooks<TicTacToeBoard> for TicTacToeEvaluator {}

impl SolverHooks<TicTacToeBoard> for TicTacToeEvaluator {}

impl Trainable<TicTacToeBoard> for TicTacToeEvaluator {}

/// The lines that are free of these cells.
fn open_lines(cells: u16) -> i32 {
    LINES.iter().filter(|&&line| line & cells == 0).count() as i32
}

fn weighted_lines(own: u16, other: u16) -> i32 {
    const WEIGHTS: [i32; 4] = [0, 1, 3, 0];
    let weight = |line: &u16| match ((line & own).count_ones(), (line & other).count_ones()) {
        (marks, 0) => WEIGHTS[marks as usize],
        (0, marks) => -WEIGHTS[marks as usize],
        _ => 0,
    };
    LINES.iter().map(weight).sum()
}

//! Static evaluations, which count lines.

use super::board::{LINES, TicTacToeBoard};
use super::mnk_board::{Mark, MnkBoard};
use crate::game::{
    Evaluator, Expansion, Scale, SelectiveHooks, SolverHooks, SolverScore, by_rules,
};

/// The evaluators of tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TicTacToeEvaluator {
    /// Three times the lines that hold two own marks and nothing else, plus those that hold one,
    /// less the opponent's: 'weighted lines'. Each further mark counts three times as much.
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

    fn scale(&self) -> Scale {
        Scale::of(4)
    }
}

impl SelectiveHooks<TicTacToeBoard> for TicTacToeEvaluator {}

impl SolverHooks<TicTacToeBoard> for TicTacToeEvaluator {}

/// The lines that are free of these cells.
fn open_lines(cells: u16) -> i32 {
    LINES.iter().filter(|&&line| line & cells == 0).count() as i32
}

fn weighted_lines(own: u16, other: u16) -> i32 {
    const WEIGHTS: [i32; 4] = [0, 1, 3, 0];
    let lines = LINES.iter().map(|line| [line & own, line & other].map(u16::count_ones));
    lines.map(|marks| line_weight(&WEIGHTS, marks)).sum()
}

/// What a line is worth by the marks of both sides on it: nothing where both have some.
fn line_weight(weights: &[i32], marks: [u32; 2]) -> i32 {
    match marks {
        [own, 0] => weights[own as usize],
        [0, other] => -weights[other as usize],
        _ => 0,
    }
}

/// The weight of a line by the marks of the one side that has any on it.
const LINE_WEIGHTS: [i32; 6] = [0, 1, 3, 9, 27, 0];

impl Evaluator<MnkBoard> for TicTacToeEvaluator {
    type Accumulator = ();

    fn score(&self, board: &MnkBoard) -> i32 {
        let rules = board.rules();
        let score = match self {
            Self::Lines => rules.lines().iter().map(|&line| weight(board, line)).sum(),
            Self::OpenLines => {
                let [own, other] = [board.other, board.own].map(|cells| {
                    rules.lines().iter().filter(|&line| line & cells == 0).count() as i32
                });
                own - other
            }
            Self::Outcome => 0,
        };
        if rules.is_misere { -score } else { score }
    }

    fn scale(&self) -> Scale {
        Scale::of(9)
    }

    fn ordering_hint(&self, board: &MnkBoard, Mark(cell): Mark) -> i32 {
        rank(board, board.rules().bit(cell))
    }
}

impl SelectiveHooks<MnkBoard> for TicTacToeEvaluator {}

impl SolverHooks<MnkBoard> for TicTacToeEvaluator {
    fn expand(
        &self,
        board: &MnkBoard,
        beta: SolverScore,
        mut child: impl FnMut(MnkBoard, i32),
    ) -> Expansion {
        if board.rules().is_misere {
            return by_rules(board, beta, child);
        }
        let empty = board.empty_cells();
        let plies = empty.count_ones() as SolverScore;
        let threats = LineThreats::of(board);
        if threats.own != 0 {
            return Expansion::Decided(plies);
        }
        if threats.other.count_ones() > 1 {
            return Expansion::Decided(1 - plies);
        }
        // Nobody wins with the last two marks where nobody threatens to.
        if plies <= 2 {
            return Expansion::Decided(0);
        }
        let low = if threats.is_open_to_other { 3 - plies } else { 0 };
        let high = if threats.is_open_to_own { plies - 2 } else { 0 };
        if low >= beta {
            return Expansion::Decided(low);
        }
        if high < beta {
            return Expansion::Decided(high);
        }
        let mut moves = if threats.other == 0 { empty } else { threats.other };
        while moves != 0 {
            let cell = moves & moves.wrapping_neg();
            moves ^= cell;
            child(board.with_mark(cell), rank(board, cell));
        }
        Expansion::Open { low, high, rest: SolverScore::MIN }
    }
}

/// What the lines of a board tell about its end.
struct LineThreats {
    /// The empty cells that complete a line of the side to move, and of its opponent.
    own: u64,
    other: u64,
    /// Whether a line is left that the side can still complete.
    is_open_to_own: bool,
    is_open_to_other: bool,
}

impl LineThreats {
    fn of(board: &MnkBoard) -> Self {
        let rules = board.rules();
        let mut threats = Self { own: 0, other: 0, is_open_to_own: false, is_open_to_other: false };
        for &line in rules.lines() {
            let (own, other) = (line & board.own, line & board.other);
            threats.is_open_to_own |= other == 0;
            threats.is_open_to_other |= own == 0;
            if other == 0 && own.count_ones() + 1 == rules.length {
                threats.own |= line ^ own;
            }
            if own == 0 && other.count_ones() + 1 == rules.length {
                threats.other |= line ^ other;
            }
        }
        threats
    }
}

/// What a line is worth to the side to move.
fn weight(board: &MnkBoard, line: u64) -> i32 {
    line_weight(&LINE_WEIGHTS, [line & board.own, line & board.other].map(u64::count_ones))
}

/// How soon to try a cell: the lines through it that one side has alone, by their marks.
fn rank(board: &MnkBoard, cell: u64) -> i32 {
    let lines = board.rules().lines().iter().filter(|&line| line & cell != 0);
    lines.map(|&line| 1 + weight(board, line).abs()).sum()
}

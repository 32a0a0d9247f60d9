//! Static evaluations, which count lines.

use super::board::{Mark, TicTacToeBoard};
use crate::game::{
    Evaluator, Expansion, Position, Scale, SelectiveHooks, SolverHooks, SolverScore, by_rules,
};

/// The evaluators of tic-tac-toe. Where a line loses, they count the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TicTacToeEvaluator {
    /// The lines that hold marks of one side alone: 1 with one mark, three times as much with each further mark, less the
    /// opponent's: 'weighted lines'.
    Lines,
    /// The lines that can still be completed, less the opponent's: 'open lines'.
    OpenLines,
    /// None: only finished games count.
    Outcome,
}

impl Evaluator<TicTacToeBoard> for TicTacToeEvaluator {
    type Accumulator = ();

    fn score(&self, board: &TicTacToeBoard) -> i32 {
        let rules = board.rules();
        let lines = rules.lines().iter();
        let score = match self {
            Self::Lines => lines.map(|&line| weight(board, line)).sum(),
            Self::OpenLines => lines.map(|&line| openness(board, line)).sum(),
            Self::Outcome => 0,
        };
        if rules.is_misere { -score } else { score }
    }

    fn scale(&self) -> Scale {
        Scale::of(4)
    }

    /// Three by three cells are searched in the order of the textbook.
    fn ordering_hint(&self, board: &TicTacToeBoard, Mark(cell): Mark) -> i32 {
        if board.rules().width == 3 { 0 } else { rank(board, cell) }
    }
}

impl SelectiveHooks<TicTacToeBoard> for TicTacToeEvaluator {}

impl SolverHooks<TicTacToeBoard> for TicTacToeEvaluator {
    fn expand(
        &self,
        board: &TicTacToeBoard,
        beta: SolverScore,
        mut child: impl FnMut(TicTacToeBoard, i32),
    ) -> Expansion {
        if board.rules().width == 3 {
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
        for mv in board.legal_moves() {
            let Mark(cell) = mv;
            if threats.other == 0 || threats.other >> cell & 1 != 0 {
                child(board.play(mv), rank(board, cell));
            }
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
    fn of(board: &TicTacToeBoard) -> Self {
        let rules = board.rules();
        let mut threats = Self { own: 0, other: 0, is_open_to_own: false, is_open_to_other: false };
        for &line in rules.lines() {
            let (own, other) = (line & board.own, line & board.other);
            threats.is_open_to_own |= other == 0;
            threats.is_open_to_other |= own == 0;
            if other == 0 && own.count_ones() + 1 == u32::from(rules.length) {
                threats.own |= line ^ own;
            }
            if own == 0 && other.count_ones() + 1 == u32::from(rules.length) {
                threats.other |= line ^ other;
            }
        }
        threats
    }
}

/// 1 for a line that the side to move can complete, less 1 for a line that its opponent can complete.
fn openness(board: &TicTacToeBoard, line: u64) -> i32 {
    i32::from(line & board.other == 0) - i32::from(line & board.own == 0)
}

/// The value of a line to the side to move: nothing where both sides have marks on it.
fn weight(board: &TicTacToeBoard, line: u64) -> i32 {
    /// The weight of a line by the marks of the one side that has any on it.
    const WEIGHTS: [i32; 6] = [0, 1, 3, 9, 27, 0];
    match [line & board.own, line & board.other].map(u64::count_ones) {
        [own, 0] => WEIGHTS[own as usize],
        [0, other] => -WEIGHTS[other as usize],
        _ => 0,
    }
}

/// The rank of a cell in the order of moves: the lines through the cell that one side has alone, by their marks.
fn rank(board: &TicTacToeBoard, cell: u8) -> i32 {
    let lines = board.rules().lines().iter().filter(|&line| line >> cell & 1 != 0);
    lines.map(|&line| 1 + weight(board, line).abs()).sum()
}

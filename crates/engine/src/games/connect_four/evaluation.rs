//! How good a Connect Four position looks.

use std::sync::Arc;

use super::super::book::Book;
use super::board::{CELLS, Column, ConnectFourBoard, DIRECTIONS, holds_four};
use super::book;
use super::threats::{EVEN_ROWS, ODD_ROWS, Threats, above, winning_cells};
use crate::game::{
    Evaluator, Expansion, KnowledgeKind, Score, SelectiveHooks, SolverHooks, SolverScore, Trainable,
};

/// An evaluator of Connect Four with the opening book.
#[derive(Clone, Debug)]
pub struct ConnectFourEvaluator {
    pub(super) kind: ConnectFourEvaluatorKind,
    pub(super) book: Arc<Book>,
}

/// The static evaluations.
#[derive(Clone, Copy, Debug)]
pub(super) enum ConnectFourEvaluatorKind {
    /// Each of the 69 segments of four cells with stones of one side only counts 1 with two of
    /// them and 100 with three.
    Segments,
    /// Empty cells that would complete a four count 20, and 40 more in the rows that the end of the
    /// game gives to their owner; segments with two stones of one side only count 10.
    Threats,
    /// None: only finished games count.
    Outcome,
}

impl Evaluator<ConnectFourBoard> for ConnectFourEvaluator {
    type Accumulator = ();
    const KNOWLEDGE: KnowledgeKind = KnowledgeKind::Book;

    #[inline]
    fn score(&self, board: &ConnectFourBoard) -> i32 {
        match self.kind {
            ConnectFourEvaluatorKind::Segments => segments(board.own(), board.other()),
            ConnectFourEvaluatorKind::Threats => threats(board),
            ConnectFourEvaluatorKind::Outcome => 0,
        }
    }

    fn ordering_hint(&self, board: &ConnectFourBoard, column: Column) -> i32 {
        let landing = board.landing_cell(column);
        let (own, other) = (board.own() | landing, board.other());
        if holds_four(own) {
            return 1 << 24;
        }
        let threats = winning_cells(own) & CELLS & !board.stones();
        let block = i32::from(holds_four(other | landing));
        (block << 22) + (threats.count_ones() as i32) * (1 << 12)
    }

    #[inline]
    fn known(&self, board: &ConnectFourBoard) -> Option<Score> {
        book::score(&self.book, board)
    }
}

impl SelectiveHooks<ConnectFourBoard> for ConnectFourEvaluator {}

impl Trainable<ConnectFourBoard> for ConnectFourEvaluator {}

impl SolverHooks<ConnectFourBoard> for ConnectFourEvaluator {
    #[inline]
    fn expand(
        &self,
        board: &ConnectFourBoard,
        beta: SolverScore,
        mut child: impl FnMut(ConnectFourBoard, i32),
    ) -> Expansion {
        Threats::of(board).expand(beta, |cell, rank| child(board.with_stone(cell), rank))
    }

    fn least_value(&self, board: &ConnectFourBoard) -> Option<SolverScore> {
        book::least_value(&self.book, board)
    }

    fn known_move(&self, board: &ConnectFourBoard) -> Option<Column> {
        book::best_move(&self.book, board)
    }
}

fn threats(board: &ConnectFourBoard) -> i32 {
    let empty = CELLS & !board.stones();
    let (own, other) = (board.own(), board.other());
    let (own_wins, other_wins) = (winning_cells(own) & empty, winning_cells(other) & empty);
    // Once the rest of the board is full, whoever moves first then must open the way to a cell in
    // the other one's rows. What lies above another winning cell comes too late.
    let in_time = !above(own_wins | other_wins);
    let first_moves = board.stones().count_ones().is_multiple_of(2);
    let (own_rows, other_rows) =
        if first_moves { (ODD_ROWS, EVEN_ROWS) } else { (EVEN_ROWS, ODD_ROWS) };
    let lasting = ones(own_wins & own_rows & in_time) - ones(other_wins & other_rows & in_time);
    let twos = DIRECTIONS.iter().fold(0, |twos, &direction| {
        let (own_twos, _) = counted(own, other, direction);
        let (other_twos, _) = counted(other, own, direction);
        twos + ones(own_twos) - ones(other_twos)
    });
    TWO * twos + WINNING_CELL * (ones(own_wins) - ones(other_wins)) + LASTING_THREAT * lasting
}

/// The weights of [`ConnectFourEvaluatorKind::Threats`]: the best of a dozen sets, by matches of 2000 games at a depth
/// of 6 plies against [`ConnectFourEvaluatorKind::Segments`] from random openings of 8 plies, both ways.
const TWO: i32 = 10;
const WINNING_CELL: i32 = 20;
const LASTING_THREAT: i32 = 40;

fn segments(own: u64, other: u64) -> i32 {
    let mut twos = 0;
    let mut threes = 0;
    for direction in DIRECTIONS {
        let (own_twos, own_threes) = counted(own, other, direction);
        let (other_twos, other_threes) = counted(other, own, direction);
        twos += ones(own_twos) - ones(other_twos);
        threes += ones(own_threes) - ones(other_threes);
    }
    twos + 100 * threes
}

fn ones(cells: u64) -> i32 {
    cells.count_ones() as i32
}

/// The segments in this direction, by their first cells, with two and with three own stones and no
/// other. The four cells of all segments are added up at once, bit by bit.
#[inline]
fn counted(own: u64, other: u64, direction: u32) -> (u64, u64) {
    let all = |cells: u64| {
        let pairs = cells & cells >> direction;
        pairs & pairs >> (2 * direction)
    };
    let open = all(CELLS & !other);
    let next = own >> direction;
    let (odd, both) = (own ^ next, own & next);
    let (far_odd, far_both) = (odd >> (2 * direction), both >> (2 * direction));
    let two_or_three = (both ^ far_both) ^ (odd & far_odd);
    let uneven = odd ^ far_odd;
    (open & two_or_three & !uneven, open & two_or_three & uneven)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Position;
    use crate::games::connect_four::board::{COLUMNS, ROWS, cell};

    /// The same count, segment by segment.
    fn segments_one_by_one(own: u64, other: u64) -> i32 {
        let steps: [(i32, i32); 4] = [(0, 1), (1, 0), (1, -1), (1, 1)];
        let mut score = 0;
        for (column, row) in (0..COLUMNS as i32).flat_map(|c| (0..ROWS as i32).map(move |r| (c, r)))
        {
            for (right, up) in steps {
                let cells: Vec<(i32, i32)> =
                    (0..4).map(|i| (column + i * right, row + i * up)).collect();
                if cells.iter().any(|(c, r)| !(0..7).contains(c) || !(0..6).contains(r)) {
                    continue;
                }
                let count = |stones: u64| {
                    cells.iter().filter(|&&(c, r)| stones & cell(c as u32, r as u32) != 0).count()
                };
                let weight = |stones| [0, 0, 1, 100, 0][stones];
                score += match (count(own), count(other)) {
                    (mine, 0) => weight(mine),
                    (0, theirs) => -weight(theirs),
                    _ => 0,
                };
            }
        }
        score
    }

    /// The board after those of the columns that could be played.
    fn played(columns: Vec<u8>) -> ConnectFourBoard {
        columns.into_iter().fold(ConnectFourBoard::EMPTY, |board, column| {
            let legal = board.legal_moves().find(|legal| legal.0 == column);
            match (board.outcome(), legal) {
                (None, Some(legal)) => board.play(legal),
                _ => board,
            }
        })
    }

    proptest! {
        #[test]
        fn segments_are_counted_right_all_at_once(columns in prop::collection::vec(0u8..7, 0..60)) {
            let board = played(columns);
            prop_assert_eq!(
                segments(board.own(), board.other()),
                segments_one_by_one(board.own(), board.other())
            );
        }

        #[test]
        fn winning_cells_complete_a_four(columns in prop::collection::vec(0u8..7, 0..60)) {
            let board = played(columns);
            for empty in (0..49).map(|bit| 1u64 << bit).filter(|bit| CELLS & !board.stones() & bit != 0) {
                let completes = holds_four(board.own() | empty);
                prop_assert_eq!(winning_cells(board.own()) & empty != 0, completes);
            }
        }
    }
}

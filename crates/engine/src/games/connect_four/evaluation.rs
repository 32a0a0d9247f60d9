//! How good a Connect Four position looks.

use std::sync::Arc;

use num_traits::PrimInt;

use super::super::book::Book;
use super::ConnectFourOn;
use super::board::{BoardOf, Column, fours, holds_four};
use super::book;
use super::size::{BoardSize, CellSet};
use super::threats::{Threats, above, winning_cells};
use crate::game::{
    Evaluator, Expansion, Known, Question, SelectiveHooks, SolverHooks, SolverScore,
};

/// An evaluator of Connect Four with the opening book of the standard board.
#[derive(Clone, Debug)]
pub struct ConnectFourEvaluator {
    pub(super) kind: ConnectFourEvaluatorKind,
    pub(super) book: Arc<Book>,
}

/// The static evaluations.
#[derive(Clone, Copy, Debug)]
pub(super) enum ConnectFourEvaluatorKind {
    /// Each of the 69 segments of four cells with stones of one side only counts 1 with two stones and 100 with three.
    Segments,
    /// An empty cell that would complete a four counts 20, and 40 more in a row that the end of the game gives to the owner
    /// of the four. A segment with two stones of one side only counts 10.
    Threats,
    /// None: only finished games count.
    Outcome,
}

impl<S: BoardSize> Evaluator<BoardOf<S>> for ConnectFourEvaluator {
    type Accumulator = ();

    #[inline]
    fn score(&self, board: &BoardOf<S>) -> i32 {
        match self.kind {
            ConnectFourEvaluatorKind::Segments => segments(board),
            ConnectFourEvaluatorKind::Threats => threats(board),
            ConnectFourEvaluatorKind::Outcome => 0,
        }
    }

    fn ordering_hint(&self, board: &BoardOf<S>, column: Column) -> i32 {
        let landing = board.landing_cell(column);
        let (game, own, other) = (board.game, board.own | landing, board.other());
        if holds_four(game, own) {
            return 1 << 24;
        }
        let threats = winning_cells(game, own) & game.all_cells() & !board.stones;
        let block = i32::from(holds_four(game, other | landing));
        (block << 22) + (threats.count_ones() as i32) * (1 << 12)
    }

    #[inline]
    fn known(&self, board: &BoardOf<S>, question: Question) -> Option<Known<Column>> {
        book::known(&self.book, board, question)
    }
}

impl<S: BoardSize> SelectiveHooks<BoardOf<S>> for ConnectFourEvaluator {}

impl<S: BoardSize> SolverHooks<BoardOf<S>> for ConnectFourEvaluator {
    #[inline]
    fn expand(
        &self,
        board: &BoardOf<S>,
        beta: SolverScore,
        mut child: impl FnMut(BoardOf<S>, i32),
    ) -> Expansion {
        Threats::of(board).expand(beta, |cell, rank| child(board.with_stone(cell), rank))
    }
}

fn threats<S: BoardSize>(board: &BoardOf<S>) -> i32 {
    let (game, own, other) = (board.game, board.own, board.other());
    let empty = game.all_cells() & !board.stones;
    let own_wins = winning_cells(game, own) & empty;
    let other_wins = winning_cells(game, other) & empty;
    // Once the rest of the board is full, the side to move must open the way to a cell in a row of the other side. A winning
    // cell above another winning cell comes too late.
    let in_time = !above(game, own_wins | other_wins);
    let first_moves = board.stones.count_ones().is_multiple_of(2);
    let (odd, even) = (game.odd_rows(), game.even_rows());
    let (own_rows, other_rows) = if first_moves { (odd, even) } else { (even, odd) };
    let lasting = ones(own_wins & own_rows & in_time) - ones(other_wins & other_rows & in_time);
    let twos = game.directions().iter().fold(0, |twos, &direction| {
        let (own_twos, _) = counted(game, own, other, direction);
        let (other_twos, _) = counted(game, other, own, direction);
        twos + ones(own_twos) - ones(other_twos)
    });
    TWO * twos + WINNING_CELL * (ones(own_wins) - ones(other_wins)) + LASTING_THREAT * lasting
}

/// The weights of [`ConnectFourEvaluatorKind::Threats`]: the best of a dozen sets, by matches of 2000 games at a depth
/// of 6 plies against [`ConnectFourEvaluatorKind::Segments`] from random openings of 8 plies, both ways.
const TWO: i32 = 10;
const WINNING_CELL: i32 = 20;
const LASTING_THREAT: i32 = 40;

fn segments<S: BoardSize>(board: &BoardOf<S>) -> i32 {
    let (game, own, other) = (board.game, board.own, board.other());
    let mut twos = 0;
    let mut threes = 0;
    for direction in game.directions() {
        let (own_twos, own_threes) = counted(game, own, other, direction);
        let (other_twos, other_threes) = counted(game, other, own, direction);
        twos += ones(own_twos) - ones(other_twos);
        threes += ones(own_threes) - ones(other_threes);
    }
    twos + 100 * threes
}

fn ones(cells: impl CellSet) -> i32 {
    cells.count_ones() as i32
}

/// The first cells of the segments in `direction` that hold own stones only: of segments with two stones, and of segments
/// with three. The four cells of all segments are added up at once, bit by bit.
#[inline]
fn counted<S: BoardSize>(
    game: ConnectFourOn<S>,
    own: S::Cells,
    other: S::Cells,
    direction: usize,
) -> (S::Cells, S::Cells) {
    let open = fours(game.all_cells() & !other, direction);
    let next = own >> direction;
    let (odd, both) = (own ^ next, own & next);
    let (far_odd, far_both) = (odd >> (2 * direction), both >> (2 * direction));
    let two_or_three = (both ^ far_both) ^ (odd & far_odd);
    let uneven = odd ^ far_odd;
    (open & two_or_three & !uneven, open & two_or_three & uneven)
}

#[cfg(test)]
mod tests {
    use num_traits::Zero;
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Game, Position};
    use crate::games::connect_four::{ConnectFour, SizedConnectFour};

    /// The same count, segment by segment.
    fn segments_one_by_one<S: BoardSize>(board: &BoardOf<S>) -> i32 {
        let steps: [(i32, i32); 4] = [(0, 1), (1, 0), (1, -1), (1, 1)];
        let (width, height) = (board.game.columns() as i32, board.game.rows() as i32);
        let mut score = 0;
        for (column, row) in (0..width).flat_map(|c| (0..height).map(move |r| (c, r))) {
            for (right, up) in steps {
                let cells: Vec<(i32, i32)> =
                    (0..4).map(|i| (column + i * right, row + i * up)).collect();
                if cells.iter().any(|(c, r)| !(0..width).contains(c) || !(0..height).contains(r)) {
                    continue;
                }
                let count = |stones: S::Cells| {
                    let is_there = |&&(c, r): &&(i32, i32)| {
                        stones & board.game.cell(c as usize, r as usize) != S::Cells::zero()
                    };
                    cells.iter().filter(is_there).count()
                };
                let weight = |stones| [0, 0, 1, 100, 0][stones];
                score += match (count(board.own), count(board.other())) {
                    (mine, 0) => weight(mine),
                    (0, theirs) => -weight(theirs),
                    _ => 0,
                };
            }
        }
        score
    }

    /// The board after those of the columns that could be played.
    fn played<S: BoardSize>(game: ConnectFourOn<S>, columns: &[u8]) -> BoardOf<S> {
        columns.iter().fold(BoardOf::empty(game), |board, &column| {
            let legal = board.legal_moves().find(|legal| legal.0 == column);
            match (board.outcome(), legal) {
                (None, Some(legal)) => board.play(legal),
                _ => board,
            }
        })
    }

    fn assert_segments<S: BoardSize>(board: &BoardOf<S>) {
        assert_eq!(segments(board), segments_one_by_one(board), "{board:?}");
    }

    fn assert_winning_cells<S: BoardSize>(board: &BoardOf<S>) {
        let (game, none) = (board.game, S::Cells::zero());
        for (column, row) in (0..game.columns()).flat_map(|c| (0..game.rows()).map(move |r| (c, r)))
        {
            let cell = game.cell(column, row);
            if board.stones & cell == none {
                let completes = holds_four(game, board.own | cell);
                assert_eq!(winning_cells(game, board.own) & cell != none, completes, "{board:?}");
            }
        }
    }

    fn any_size() -> impl Strategy<Value = SizedConnectFour> {
        prop::sample::select(SizedConnectFour::VARIANTS)
    }

    proptest! {
        #[test]
        fn segments_are_counted_right_all_at_once(
            columns in prop::collection::vec(0u8..10, 0..80),
            game in any_size(),
        ) {
            assert_segments(&played(ConnectFour::STANDARD, &columns));
            assert_segments(&played(game, &columns));
        }

        #[test]
        fn winning_cells_complete_a_four(
            columns in prop::collection::vec(0u8..10, 0..80),
            game in any_size(),
        ) {
            assert_winning_cells(&played(ConnectFour::STANDARD, &columns));
            assert_winning_cells(&played(game, &columns));
        }
    }
}

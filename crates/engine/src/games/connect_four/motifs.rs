//! The motifs of a move of Connect Four: what new winning cells bring.

use num_traits::{One, PrimInt, Zero};

use super::board::{BoardOf, Column};
use super::size::BoardSize;
use super::threats::{landing_cells, winning_cells};
use crate::game::{Claim, Motif, Position, ReasonKind, Side, Square, reason_kinds};

/// The motifs that are found, the most important first.
pub(super) const KINDS: &[ReasonKind] = reason_kinds! {
    "stacked-threats" "Two winning cells lie above each other, and the move wins by one of them."
        ["{move} makes threats above each other, on {0} and {1}."]
    "zugzwang-threat" "A winning cell lies on an odd row for the first side, on an even one for the second, and the move wins: in the end the other side must play below the cell."
        ["{move} makes a threat on {0}, below which the other side must play in the end."]
};

/// The motifs of a legal move, the most important first.
pub(super) fn motifs<S: BoardSize>(board: &BoardOf<S>, column: Column) -> Vec<Motif> {
    let (game, after) = (board.game, board.play(column));
    let (rows, stride) = (game.rows(), game.stride());
    let square =
        |bit: usize| Square { row: (rows - 1 - bit % stride) as u8, column: (bit / stride) as u8 };
    let wins = winning_cells(game, after.other()) & game.all_cells() & !after.stones;
    let new = wins & !winning_cells(game, board.own);
    // Each pair by its lower cell.
    let stacked = wins & wins >> 1 & (new | new >> 1);
    if stacked != S::Cells::zero() {
        let lower = stacked.trailing_zeros() as usize;
        let squares = vec![square(lower), square(lower + 1)];
        let claim = Claim::EndsOn { above_reply: false };
        return vec![Motif { kind: "stacked-threats", squares, claim }];
    }
    let good_height = usize::from(board.side_to_move() == Side::Second);
    let later = new & !landing_cells(game, after.stones);
    let cells = (0..game.columns() * stride)
        .filter(|&bit| later & S::Cells::one() << bit != S::Cells::zero());
    let good = cells.filter(|bit| rows.is_multiple_of(2) && bit % stride % 2 == good_height);
    let claim = Claim::EndsOn { above_reply: true };
    let motif =
        |bit| Motif { kind: "zugzwang-threat", squares: vec![square(bit)], claim: claim.clone() };
    good.map(motif).collect()
}

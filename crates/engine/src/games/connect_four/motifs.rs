//! The motifs of a move of Connect Four: what new winning cells bring.

use super::board::{BoardOf, Column};
use super::size::{BoardSize, CellSet};
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
    let (size, after) = (board.size, board.play(column));
    let (rows, stride) = (size.rows(), size.stride());
    let square =
        |bit: u32| Square { row: (rows - 1 - bit % stride) as u8, column: (bit / stride) as u8 };
    let wins = winning_cells(size, after.other()) & size.cells() & !after.stones();
    let new = wins & !winning_cells(size, board.own());
    // Each pair by its lower cell.
    let stacked = wins & wins >> 1 & (new | new >> 1);
    if stacked != S::Cells::NONE {
        let lower = stacked.lowest_bit();
        let squares = vec![square(lower), square(lower + 1)];
        let claim = Claim::EndsOn { above_reply: false };
        return vec![Motif { kind: "stacked-threats", squares, claim }];
    }
    let good_height = u32::from(board.side_to_move() == Side::Second);
    let later = new & !landing_cells(size, after.stones());
    let cells = (0..size.columns() * stride)
        .filter(|&bit| later & S::Cells::FIRST << bit != S::Cells::NONE);
    let good = cells.filter(|bit| rows.is_multiple_of(2) && bit % stride % 2 == good_height);
    let claim = Claim::EndsOn { above_reply: true };
    let motif =
        |bit| Motif { kind: "zugzwang-threat", squares: vec![square(bit)], claim: claim.clone() };
    good.map(motif).collect()
}

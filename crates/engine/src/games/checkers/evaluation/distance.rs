//! The estimated distance of decided positions.
//!
//! The outcome of positions with five pieces is known, their distance is not. A small [`Network`] estimates it, so
//! that a search makes progress towards the end. How it was trained: `docs/experiments/checkers-evaluation.md`.

use std::io;

use super::super::board::CheckersBoard;
use super::network_input::{PIECE_WORDS, has_odd_rows, pieces};
use crate::game::{Position, Side};
use crate::network::{Accumulator, FULL, Input, LOGIT, Network, NetworkSize};

/// The dimensions of the network.
pub const SIZE: NetworkSize = NetworkSize { features: 64 * PIECE_WORDS, present: 24, buckets: 4 };

/// The plies to the end for an output of 0.
pub const HALF_WAY: i32 = 48;

/// The plies by which each [`LOGIT`] of output brings the end nearer.
pub const PLIES_OF_LOGIT: i32 = 24;

/// The network that is part of the program.
pub(super) fn read() -> io::Result<Network> {
    knowledge_file!("checkers-distance.bin").read(|bytes| Network::read(bytes, SIZE))
}

/// The estimated number of plies to the end of a decided position.
#[inline]
pub(super) fn plies(network: &Network, board: &CheckersBoard, winner: Side) -> i32 {
    let output = network.output(&input(board, winner), &mut Accumulator::default());
    HALF_WAY - output / FULL * PLIES_OF_LOGIT / LOGIT
}

/// The input of the network for a decided position: the pieces, in the view of the winner and of the loser, and a bucket by
/// the side to move and the side with the move.
#[inline]
#[must_use]
pub fn input(board: &CheckersBoard, winner: Side) -> Input<PIECE_WORDS> {
    let is_to_move = usize::from(board.side_to_move() == winner);
    Input {
        views: [winner, winner.other()].map(|side| pieces(board, side)),
        turns: [0; 2],
        patterns: [[]; 2],
        mover: 0,
        bucket: 2 * is_to_move + usize::from(has_odd_rows(board, winner)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, PositionText};
    use crate::games::checkers::Checkers;

    /// Won positions, and in how many plies they are won, as the table of five pieces has it.
    const WON: [(&str, i32); 6] = [
        ("W:WK2,K13,K27:BK30,15", 23),
        ("B:WK14,K16:BK22,6,K8", 29),
        ("B:W8,K31:BK25,K13,K22", 39),
        ("W:WK2,K28,11:BK22,K26", 51),
        ("W:W6,32,K4:BK29,K1", 67),
        ("W:W12,6,25:BK2,K31", 77),
    ];

    #[test]
    fn the_end_of_a_decided_position_is_about_as_far_off_as_it_looks() {
        let network = read().expect("a whole network");
        let error = |(fen, expected): (&str, i32)| {
            let board = Checkers.read_position(&PositionText::Text(fen.to_owned())).expect(fen);
            (plies(&network, &board, board.side_to_move()) - expected).abs()
        };
        let errors = WON.map(error);
        assert!(errors.iter().sum::<i32>() < 60, "{errors:?}");
    }
}

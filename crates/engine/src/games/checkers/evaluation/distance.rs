//! The estimated distance of decided positions.
//!
//! The outcome of positions with five pieces is known, their distance is not. A small [`Network`] estimates it, so
//! that a search makes progress towards the end. How it was trained: `docs/experiments/checkers-evaluation.md`.

use std::io;

use super::super::super::knowledge::invalid;
use super::super::board::CheckersBoard;
use super::features::has_odd_rows;
use super::network_input;
use crate::game::{Position, Side};
use crate::nn::{Features, HALF_WAY, Network};

/// The features of the distance network: where the pieces stand, and one of four for who is to move and who has the
/// move.
pub const FEATURES: usize = network_input::PIECES + 4;

/// The network that is part of the program.
pub(super) fn read() -> io::Result<Network> {
    let file = knowledge_file!("checkers-distance.bin");
    let network = Network::read_all(file, FEATURES).and_then(|mut networks| networks.pop());
    network.ok_or_else(|| invalid("not a network of distances"))
}

/// About how many plies it takes the winner of a decided position.
#[inline]
pub(super) fn plies(network: Option<&Network>, board: &CheckersBoard, winner: Side) -> i32 {
    let features = features(board, winner);
    network.map_or(HALF_WAY, |network| network.plies(features.as_slice()))
}

/// The features of a decided position for the distance network, from the view of the winner.
#[inline]
pub fn features(board: &CheckersBoard, winner: Side) -> Features {
    let mut features = network_input::pieces(board, winner);
    let is_to_move = u16::from(board.side_to_move() == winner);
    let turn = 2 * is_to_move + u16::from(has_odd_rows(board, winner));
    features.add(network_input::PIECES as u16 + turn);
    features
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, PositionText};
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
            (plies(Some(&network), &board, board.side_to_move()) - expected).abs()
        };
        let errors = WON.map(error);
        assert!(errors.iter().sum::<i32>() < 60, "{errors:?}");
    }
}

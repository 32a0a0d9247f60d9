//! The trainer's view of chess.

use super::{ChessBoard, ChessEvaluator, network_input};
use crate::game::Trainable;
use crate::network::{NetworkSize, SparseInput};

impl Trainable<ChessBoard> for ChessEvaluator {
    fn network_size(&self) -> Option<NetworkSize> {
        Some(network_input::SIZE)
    }

    fn sparse_input(&self, board: &ChessBoard) -> Option<SparseInput> {
        Some(SparseInput::from(&network_input::input(board.inner())))
    }
}

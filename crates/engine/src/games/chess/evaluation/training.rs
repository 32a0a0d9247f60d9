//! What the tuner asks about chess.

use super::{
    ALL, ChessBoard, ChessEvaluator, ChessEvaluatorKind, Shares, count_squares, endings, features,
    layout,
};
use crate::game::Trainable;
use crate::game::linear::{Accumulator, Layout};

impl Trainable<ChessBoard> for ChessEvaluator {
    fn layout(&self) -> Option<Layout> {
        match self.kind {
            ChessEvaluatorKind::Material => None,
            ChessEvaluatorKind::PieceSquare => Some(layout::SQUARES),
            ChessEvaluatorKind::Full => Some(layout::FULL),
        }
    }

    fn count_features(
        &self,
        board: &ChessBoard,
        accumulator: &mut impl Accumulator,
    ) -> Option<[f64; 2]> {
        let inner = board.inner();
        let shares = match self.kind {
            ChessEvaluatorKind::PieceSquare => {
                count_squares(inner, accumulator);
                Shares::without_endings(inner)
            }
            ChessEvaluatorKind::Full if endings::lone_king(inner).is_none() => {
                features::extract(inner, accumulator);
                Shares::of(inner)
            }
            ChessEvaluatorKind::Full | ChessEvaluatorKind::Material => return None,
        };
        Some([shares.opening, shares.ending].map(|share| f64::from(share) / f64::from(ALL)))
    }
}

//! What the tuner asks about chess.

use super::{ALL, ChessBoard, ChessEvaluator, Shares, count_squares, endings, features, layout};
use crate::game::Trainable;
use crate::game::linear::{Accumulator, Layout};

impl Trainable<ChessBoard> for ChessEvaluator {
    fn layout(&self) -> Option<Layout> {
        match self {
            Self::Material => None,
            Self::PieceSquare => Some(layout::SQUARES),
            Self::Full => Some(layout::FULL),
        }
    }

    fn count_features(
        &self,
        board: &ChessBoard,
        accumulator: &mut impl Accumulator,
    ) -> Option<[f64; 2]> {
        let inner = board.inner();
        let shares = match self {
            Self::PieceSquare => {
                count_squares(inner, accumulator);
                Shares::without_endings(inner)
            }
            Self::Full if endings::lone_king(inner).is_none() => {
                features::extract(inner, accumulator);
                Shares::of(inner)
            }
            Self::Full | Self::Material => return None,
        };
        Some([shares.opening, shares.ending].map(|share| f64::from(share) / f64::from(ALL)))
    }
}

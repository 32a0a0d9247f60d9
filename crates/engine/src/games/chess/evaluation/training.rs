//! What the tuner asks about chess.

use super::{ALL, Board, EvaluatorKind, Shares, count_squares, endings, features, layout};
use crate::game::Trainable;
use crate::game::linear::{Layout, Trace};

impl Trainable<Board> for EvaluatorKind {
    fn layout(&self) -> Option<Layout> {
        match self {
            Self::Material => None,
            Self::PieceSquare => Some(layout::SQUARES),
            Self::Full => Some(layout::FULL),
        }
    }

    fn trace(&self, board: &Board) -> Option<Trace> {
        let inner = board.inner();
        let mut trace = Trace::default();
        let shares = match self {
            Self::PieceSquare => {
                count_squares(inner, &mut trace);
                Shares::without_endings(inner)
            }
            Self::Full if endings::lone_king(inner).is_none() => {
                features::extract(inner, &mut trace);
                Shares::of(inner)
            }
            Self::Full | Self::Material => return None,
        };
        trace.complete(
            [shares.opening, shares.ending].map(|share| f64::from(share) / f64::from(ALL)),
        );
        Some(trace)
    }
}

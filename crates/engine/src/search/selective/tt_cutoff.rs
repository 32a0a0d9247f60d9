//! The use of a probe of the transposition table in the selective search.

use crate::game::{Position, Score};
use crate::search::negamax::SearchNode;
use crate::search::transposition_table::{Probe, TtBound};

impl Probe {
    /// The value of a null-window node, if the entry decides it.
    pub(super) fn cut_off<P: Position>(self, position: &P, node: SearchNode) -> Option<Score> {
        let entry = self.entry.filter(|entry| u32::from(entry.depth) >= node.depth)?;
        let score = entry.score.seen_from_root(node.ply);
        let holds = match entry.bound {
            TtBound::Exact => true,
            TtBound::Lower => score >= node.beta,
            TtBound::Upper => score <= node.alpha,
        };
        // A move counter may draw the game first.
        let ends_after = entry.score.plies().unwrap_or(node.depth);
        let in_time = position.plies_to_draw().is_none_or(|plies| plies > ends_after);
        (holds && node.is_null_window() && in_time).then_some(score)
    }

    /// A static evaluation, replaced by the value of the entry where its bound lies on the right side.
    pub(super) fn corrected_eval(self, static_eval: i32) -> i32 {
        let Some(entry) = self.entry else { return static_eval };
        if entry.bound.is_nearer(entry.score, static_eval) {
            entry.score.number()
        } else {
            static_eval
        }
    }
}

impl TtBound {
    /// Whether a value with this bound is nearer to the true value than a static evaluation is.
    pub(super) fn is_nearer(self, score: Score, static_eval: i32) -> bool {
        let is_decided = score.is_won() || score.is_lost();
        !is_decided
            && match self {
                Self::Exact => true,
                Self::Lower => score.number() > static_eval,
                Self::Upper => score.number() < static_eval,
            }
    }
}

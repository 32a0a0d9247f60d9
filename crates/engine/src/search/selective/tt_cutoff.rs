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
        let score = entry.score.number();
        let is_nearer = match entry.bound {
            TtBound::Exact => true,
            TtBound::Lower => score > static_eval,
            TtBound::Upper => score < static_eval,
        };
        let is_heuristic = !entry.score.is_won() && !entry.score.is_lost();
        if is_nearer && is_heuristic { score } else { static_eval }
    }
}

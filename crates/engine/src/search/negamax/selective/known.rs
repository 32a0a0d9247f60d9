//! What the transposition table knows of a node, and what follows from it.

use super::SelectiveNegamax;
use crate::game::{Evaluator, Position, Score, Symmetry};
use crate::search::negamax::Node;
use crate::search::table::{Bound, Entry, NO_MOVE};

/// What the table knows of a node.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub key: u64,
    pub symmetry: Symmetry,
    pub entry: Option<Entry>,
}

impl Known {
    /// The code of the remembered move, with the symmetry under which it is one.
    pub(super) fn best_move(self) -> (Option<u16>, Symmetry) {
        let code = self.entry.map(|entry| entry.code).filter(|&code| code != NO_MOVE);
        (code, self.symmetry)
    }

    /// The value of a node of a null window that the table settles.
    pub(super) fn cut_off<P: Position>(self, position: &P, node: Node) -> Option<Score> {
        let entry = self.entry.filter(|entry| u32::from(entry.depth) >= node.depth)?;
        let score = entry.score.seen_from_root(node.ply);
        let holds = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
        };
        // What a move counter may end in the meantime is searched again.
        let ends_after = entry.score.plies().unwrap_or(node.depth);
        let in_time = position.plies_to_draw().is_none_or(|plies| plies > ends_after);
        (holds && node.is_null_window() && in_time).then_some(score)
    }

    /// A static evaluation, put right by what the table knows of the value.
    pub(super) fn corrected(self, judgement: i32) -> i32 {
        let Some(entry) = self.entry else { return judgement };
        let score = entry.score.number();
        let is_nearer = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score > judgement,
            Bound::Upper => score < judgement,
        };
        let is_heuristic = !entry.score.is_won() && !entry.score.is_lost();
        if is_nearer && is_heuristic { score } else { judgement }
    }
}

impl<P: Position, E: Evaluator<P>> SelectiveNegamax<'_, '_, P, E> {
    pub(super) fn known(&self, position: &P) -> Known {
        let (key, symmetry) = position.canonical();
        Known { key, symmetry, entry: self.table.get(key) }
    }

    /// Has what the table knows of a position fetched from memory, for a [`known`](Self::known) that
    /// will follow soon.
    pub(super) fn fetch(&self, position: &P) {
        self.table.prefetch(position.canonical().0);
    }
}

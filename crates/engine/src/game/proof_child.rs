//! The children of a node of a proof.

use super::proof_table::{Hash, SolverTable};
use super::{Position, SolverScore};

/// A position to search, and its rank.
#[derive(Clone, Copy)]
pub(crate) struct ProofChild<P> {
    pub(crate) position: P,
    pub(crate) rank: i32,
    /// The place of the position in the table; `None` where the table does not keep it.
    pub(crate) hash: Option<Hash>,
}

impl<P: Position> ProofChild<P> {
    /// Adds the child to those of its node, which begin at `start`: the highest rank first, of equal ranks the first child.
    #[inline]
    pub(crate) fn insert(self, children: &mut Vec<Self>, start: usize, table: &SolverTable) {
        self.hash.inspect(|&hash| table.prefetch(hash));
        let before = children[start..].iter().rposition(|child| child.rank >= self.rank);
        children.insert(before.map_or(start, |before| start + before + 1), self);
    }

    /// A value of `beta` or more that the table knows of one of the children.
    #[inline]
    pub(crate) fn settled(
        children: &[Self],
        table: &SolverTable,
        beta: SolverScore,
    ) -> Option<SolverScore> {
        let known = children.iter().filter_map(|child| table.settles(child.hash?, 1 - beta));
        known.map(|value| -value).find(|&value| value >= beta)
    }

    /// Sorts moves by the ranks of the children to which they lead. Other moves have the rank 0.
    pub(crate) fn sort_moves(children: &[Self], position: &P, moves: &mut [P::Move]) {
        moves.sort_by_cached_key(|&mv| {
            let next = position.play(mv);
            let child = children.iter().find(|child| child.position == next);
            child.map_or(0, |child| -child.rank)
        });
    }
}

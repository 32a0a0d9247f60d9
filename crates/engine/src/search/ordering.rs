//! Which moves to try first.
//!
//! Alpha-beta visits least when the best move comes first (Knuth and Moore, *An Analysis of
//! Alpha-Beta Pruning*, 1975). In order: the move that a table remembers, the two killers of this
//! ply, then by the game's own promise and by how often a move has caused a cut-off elsewhere.

use crate::game::{Move, Side};

/// A move and how soon to try it; more is sooner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    pub mv: M,
    pub rank: i32,
}

const KILLER: i32 = 1 << 20;
/// A history counter stays below a killer, and one step of promise outweighs none of it.
const MAX_HISTORY: i32 = 1 << 14;

/// What cut-offs so far teach about the order of moves.
pub(super) struct Ordering {
    killers: Vec<[Option<u16>; 2]>,
    /// History counters by move index and side.
    history: Vec<[i32; 2]>,
}

impl Ordering {
    /// Nothing learned yet, for a search of at most `depth` plies of moves with `moves` moves.
    pub(super) fn new(depth: u32, moves: u16) -> Self {
        Self {
            killers: vec![[None; 2]; depth as usize + 1],
            history: vec![[0; 2]; usize::from(moves)],
        }
    }

    /// How soon to try `mv`, which its game finds worth `promise`.
    pub(super) fn rank<M: Move>(&self, mv: M, promise: i32, side: Side, ply: u32) -> i32 {
        let move_index = mv.move_index();
        let killers = &self.killers[ply as usize];
        let killer = if killers.contains(&Some(move_index)) { KILLER } else { 0 };
        promise
            + killer
            + self.history.get(usize::from(move_index)).map_or(0, |gain| gain[side as usize])
    }

    /// Remembers that `mv` refuted its parent with `depth` plies left to search.
    pub(super) fn cut_off<M: Move>(&mut self, mv: M, side: Side, ply: u32, depth: u32) {
        let move_index = mv.move_index();
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(move_index) {
            *killers = [Some(move_index), killers[0]];
        }
        if let Some(gain) = self.history.get_mut(usize::from(move_index)) {
            let gain = &mut gain[side as usize];
            let bonus = (depth * depth).min(MAX_HISTORY as u32) as i32;
            // Gravity: the nearer to its end, the less a counter moves.
            *gain += bonus - *gain * bonus / MAX_HISTORY;
        }
    }
}

/// Brings the best of the moves that are left to their front and returns it.
pub(super) fn bring_best_forward<M: Copy>(moves: &mut [Ranked<M>]) -> M {
    let mut best = 0;
    for candidate in 1..moves.len() {
        if moves[candidate].rank > moves[best].rank {
            best = candidate;
        }
    }
    // Not a swap: moves of equal rank keep the game's own order.
    moves[..=best].rotate_right(1);
    moves[0].mv
}

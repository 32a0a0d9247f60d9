//! Move picking.
//!
//! In order: the move of the table; noisy moves that lose nothing, the largest gain
//! first; killers; quiet moves by their histories; noisy moves that lose material. The static
//! exchange evaluation is done when a move is picked, since most nodes end before.

use super::history_tables::Context;
use super::state::{Candidate, Selective, SelectiveNegamax};
use crate::game::{Move, Position, SelectiveHooks};
use crate::search::move_ordering::highest;
use crate::search::negamax::SearchNode;
use crate::search::transposition_table::Probe;

/// The rank of the move of the table.
const TABLE_MOVE: i32 = i32::MAX;
/// The rank of a killer, above all sums of counters.
const KILLER: i32 = 1 << 18;
/// The rank of a noisy move without gain, above all killers.
const NOISY: i32 = 1 << 24;
/// The rise in rank for a unit of gain.
const UNIT: i32 = 1 << 14;

impl<P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'_, '_, P, E> {
    /// The history context of the node at `ply`.
    pub(super) fn context(&self, position: &P, ply: u32) -> Context {
        let before =
            [self.policy.step(ply, 1).history_index, self.policy.step(ply, 2).history_index];
        Context { side: position.side_to_move(), before }
    }

    /// Puts all moves of a node on the stack.
    pub(super) fn rank_all(&mut self, position: &P, node: SearchNode, tt: Probe) {
        let (context, best) = (self.context(position, node.ply), tt.best_move());
        let killers = self.policy.histories.killers.at(node.ply);
        for mv in position.legal_moves() {
            if P::PROPERTIES.plays_cheaply {
                self.table.prefetch(&position.play(mv));
            }
            let history_index = self.evaluator.history_index(position, mv);
            let gain = self.evaluator.gain(position, mv);
            let is_tt_move = best == Some(tt.index::<P>(mv));
            let rank = match gain {
                _ if is_tt_move => TABLE_MOVE,
                Some(gain) => self.policy.noisy_rank(context, history_index, gain),
                None if killers.contains(&Some(mv.move_index())) => KILLER,
                None => self.policy.histories.quiet_score(context, mv.move_index(), history_index),
            };
            self.policy.push(mv, history_index, gain.is_some(), rank);
        }
    }

    /// Puts the noisy moves of a node on the stack.
    pub(super) fn rank_noisy(&mut self, position: &P, node: SearchNode, tt: Probe) {
        let (context, best) = (self.context(position, node.ply), tt.best_move());
        let Self { policy, evaluator, .. } = self;
        evaluator.noisy_moves(position, |mv, gain| {
            let history_index = evaluator.history_index(position, mv);
            let is_tt_move = best == Some(tt.index::<P>(mv));
            let rank = if is_tt_move {
                TABLE_MOVE
            } else {
                policy.noisy_rank(context, history_index, gain)
            };
            policy.push(mv, history_index, true, rank);
        });
    }

    /// Brings the best of the moves from `next` on to the place `next`.
    pub(super) fn pick(&mut self, position: &P, next: usize) -> Candidate<P::Move> {
        loop {
            let candidates = &mut self.policy.candidates[next..];
            let best = highest(candidates.iter().map(|candidate| candidate.rank));
            candidates.swap(0, best);
            let candidate = &mut candidates[0];
            if candidate.is_see_known || self.evaluator.exchange_at_least(position, candidate.mv, 0)
            {
                candidate.is_see_known = true;
                return *candidate;
            }
            candidate.is_see_known = true;
            candidate.rank -= 2 * NOISY;
        }
    }
}

impl<M> Candidate<M> {
    /// Whether the move is a killer, and not the move of the table.
    pub(super) fn is_killer(&self) -> bool {
        self.rank == KILLER
    }
}

impl<M> Selective<M> {
    /// Puts a move on the stack.
    fn push(&mut self, mv: M, history_index: u16, is_noisy: bool, rank: i32) {
        let is_see_known = rank == TABLE_MOVE || !is_noisy;
        self.candidates.push(Candidate {
            mv,
            history_index,
            is_noisy,
            is_tried: false,
            is_see_known,
            rank,
        });
    }

    fn noisy_rank(&self, context: Context, history_index: u16, gain: i32) -> i32 {
        NOISY + gain * UNIT / self.unit + self.histories.noisy.get(context.side, history_index)
    }
}

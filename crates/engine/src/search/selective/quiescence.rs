//! Quiescence search: noisy moves are played out, so that only quiet positions are evaluated.

use super::node::Best;
use super::state::SelectiveNegamax;
use crate::game::limits::Interrupted;
use crate::game::{Doubt, Position, Score, SelectiveHooks};
use crate::search::negamax::SearchNode;

/// The greatest number of nodes below one position at the horizon. Beyond it leaves are evaluated statically. Ordinary
/// positions have some tens, and hundreds at most, but with nine queens a side there is no end of captures.
const MOST_NODES: u64 = 4096;

impl<P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'_, '_, P, E> {
    /// Whether the node bound of the present quiescence search is reached.
    pub(super) fn is_quiescence_spent(&self) -> bool {
        self.policy.quiescence_end.is_some_and(|end| self.budget.nodes() >= end)
    }

    /// The value of an unforced position at the horizon or beyond it.
    pub(super) fn quiescence(
        &mut self,
        position: &P,
        node: SearchNode,
    ) -> Result<Score, Interrupted> {
        if self.policy.quiescence_end.is_some() {
            return self.quiet_value(position, node);
        }
        self.policy.quiescence_end = Some(self.budget.nodes() + MOST_NODES);
        let value = self.quiet_value(position, node);
        self.policy.quiescence_end = None;
        value
    }

    /// The value after noisy moves. The side to move may also stand pat.
    fn quiet_value(&mut self, position: &P, node: SearchNode) -> Result<Score, Interrupted> {
        let tt = self.table.probe(position);
        if let Some(score) = tt.cut_off(position, node) {
            return Ok(score);
        }
        let static_eval = self.static_eval(position, tt);
        self.policy.step_mut(node.ply).static_eval = Some(static_eval);
        let stand_pat = Score::heuristic(self.corrected_eval(position, node, tt, static_eval));
        if stand_pat >= node.beta {
            let has_hanging_piece = self.has_hanging_piece(position, node);
            return if has_hanging_piece {
                self.hanging_piece_check(position, node)
            } else {
                Ok(stand_pat)
            };
        }
        let start = self.policy.candidates.len();
        self.rank_noisy(position, node, tt);
        self.history.enter(position);
        let best = self.best_noisy(position, node, Best { score: stand_pat, mv: None }, start)?;
        self.history.leave::<P>();
        self.policy.candidates.truncate(start);
        self.store(tt, node, &best, Some(static_eval));
        Ok(best.score)
    }

    /// Whether a piece of the side to move may be captured next, so that standing pat is not safe. Within two plies of another
    /// hanging-piece check the answer is no, or threats that answer threats would have no end.
    fn has_hanging_piece(&self, position: &P, node: SearchNode) -> bool {
        !self.policy.step(node.ply, 1).in_hanging_piece_check
            && !self.policy.step(node.ply, 2).in_hanging_piece_check
            && self.evaluator.doubts(position, Doubt::Threatened)
    }

    /// The value of a position by a search of one more ply, in which the hanging piece may be saved.
    fn hanging_piece_check(
        &mut self,
        position: &P,
        node: SearchNode,
    ) -> Result<Score, Interrupted> {
        self.policy.step_mut(node.ply).in_hanging_piece_check = true;
        let value = self.node(position, SearchNode { depth: 1, ..node }, false);
        self.policy.step_mut(node.ply).in_hanging_piece_check = false;
        value
    }

    fn best_noisy(
        &mut self,
        position: &P,
        node: SearchNode,
        mut best: Best<P::Move>,
        start: usize,
    ) -> Result<Best<P::Move>, Interrupted> {
        for next in start..self.policy.candidates.len() {
            let candidate = self.pick(position, next);
            if candidate.loses_material() {
                break;
            }
            self.budget.visit()?;
            self.policy.step_mut(node.ply).history_index = candidate.history_index;
            let alpha = node.alpha.max(best.score);
            // The child then has depth 0 too.
            let below = SearchNode { depth: node.depth + 1, ..node }.child(alpha, node.beta);
            let child = position.play(candidate.mv);
            self.table.prefetch(&child);
            let score = -self.value(&child, below)?;
            if score <= best.score {
                continue;
            }
            best.score = score;
            if score > alpha {
                best.mv = Some(candidate);
                if !node.is_null_window() && score < node.beta {
                    self.pv.extend(node.ply, candidate.mv);
                }
            }
            if score >= node.beta {
                break;
            }
        }
        Ok(best)
    }
}

//! A node above the horizon.

use super::pruning::{NodeEval, is_late};
use super::state::{Candidate, SelectiveNegamax};
use crate::game::limits::Interrupted;
use crate::game::{Move, Position, Score, SelectiveHooks};
use crate::search::move_ordering::MAX_HISTORY;
use crate::search::negamax::SearchNode;
use crate::search::transposition_table::{NO_MOVE, NO_STATIC_EVAL, Probe, TtBound, TtEntry};

/// The best of the moves tried so far.
pub(super) struct Best<M> {
    pub score: Score,
    pub mv: Option<Candidate<M>>,
}

impl<P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'_, '_, P, E> {
    /// The value of a node with a remaining depth of 1 or more.
    pub(super) fn node(
        &mut self,
        position: &P,
        mut node: SearchNode,
        is_forced: bool,
    ) -> Result<Score, Interrupted> {
        if let Some(score) = node.mate_distance_cutoff() {
            return Ok(score);
        }
        let is_whole = self.policy.step(node.ply, 0).excluded.is_none();
        let tt = self.table.probe(position);
        if let Some(score) = tt.cut_off(position, node).filter(|_| is_whole) {
            return Ok(score);
        }
        let node_eval = self.evaluate(position, node, tt, is_forced);
        if is_whole && let Some(score) = self.reverse_futility(position, node, &node_eval) {
            return Ok(score);
        }
        if is_whole && let Some(score) = self.prob_cut(position, node, &node_eval)? {
            return Ok(score);
        }
        node.depth -= internal_reduction(node, tt);
        let singular = if is_whole { self.singular(position, node, tt)? } else { None };
        let start = self.policy.candidates.len();
        self.rank_all(position, node, tt);
        self.history.enter(position);
        let best = self.best_of(position, node, &node_eval, singular, start)?;
        self.history.leave::<P>();
        if is_whole {
            self.store(tt, node, &best, node_eval.static_eval);
            self.update_correction(position, node, &best, &node_eval);
        }
        self.policy.candidates.truncate(start);
        Ok(if is_whole { best.score } else { best.score.max(node.alpha) })
    }

    /// The best among the moves that lie on the stack from `start`.
    fn best_of(
        &mut self,
        position: &P,
        node: SearchNode,
        node_eval: &NodeEval,
        singular: Option<P::Move>,
        start: usize,
    ) -> Result<Best<P::Move>, Interrupted> {
        let mut best = Best { score: -Score::INFINITE, mv: None };
        let mut tried = 0;
        for next in start..self.policy.candidates.len() {
            let candidate = self.pick(position, next);
            if self.policy.step(node.ply, 0).excluded == Some(candidate.mv) {
                continue;
            }
            let may_skip = tried > 0 && !best.score.is_lost();
            if may_skip && is_late(node, node_eval, &candidate, tried) {
                break;
            }
            if may_skip && self.is_prunable(position, node, node_eval, &candidate, tried) {
                continue;
            }
            let extension = u32::from(singular == Some(candidate.mv));
            self.budget.visit()?;
            self.policy.candidates[next].is_tried = true;
            self.policy.step_mut(node.ply).history_index = candidate.history_index;
            let child = position.play(candidate.mv);
            if !P::PROPERTIES.plays_cheaply {
                self.table.prefetch(&child);
            }
            let open = SearchNode {
                alpha: node.alpha.max(best.score),
                depth: node.depth + extension,
                ..node
            };
            let reduction = self.reduction(position, &child, open, node_eval, &candidate, tried);
            let score = self.child_value(&child, open, reduction, tried == 0)?;
            tried += 1;
            if score <= best.score {
                continue;
            }
            best.score = score;
            if score > node.alpha {
                best.mv = Some(candidate);
                if !node.is_null_window() && score < node.beta {
                    self.pv.extend(node.ply, candidate.mv);
                }
            }
            if score >= node.beta {
                self.update_histories(position, node, &candidate, start..next);
                break;
            }
        }
        Ok(best)
    }

    /// The value of a move by principal variation search with reductions: a null window at reduced depth, then a null window
    /// at full depth, or a ply deeper after a value far above alpha, then the open window; each search only if the last one
    /// failed high.
    // A call costs up to 2 % of a search.
    #[inline]
    pub(super) fn child_value(
        &mut self,
        child: &P,
        node: SearchNode,
        reduction: u32,
        is_first: bool,
    ) -> Result<Score, Interrupted> {
        let mut null = node.child(node.alpha, node.alpha.successor());
        if reduction > 0 {
            let score = -self.value(child, SearchNode { depth: null.depth - reduction, ..null })?;
            if score <= node.alpha {
                return Ok(score);
            }
            let is_far_above = E::PARAMETERS.deeper.is_some_and(|margin| {
                score.number() > node.alpha.number() + self.policy.unit * margin / 1024
            });
            null.depth += u32::from(reduction > 1 && is_far_above);
        }
        if reduction > 0 || !is_first || node.is_null_window() {
            let score = -self.value(child, null)?;
            if score <= node.alpha || node.is_null_window() {
                return Ok(score);
            }
        }
        Ok(-self.value(child, node.child(node.alpha, node.beta))?)
    }

    /// Updates killers and histories after a cut-off: a bonus for the move that caused it, a malus for the moves that were
    /// tried before it.
    fn update_histories(
        &mut self,
        position: &P,
        node: SearchNode,
        best: &Candidate<P::Move>,
        before: std::ops::Range<usize>,
    ) {
        let context = self.context(position, node.ply);
        let bonus = (16 * node.depth * node.depth + 128 * node.depth).min(1600) as i32;
        let policy = &mut self.policy;
        if best.is_noisy {
            policy.histories.noisy.update(context.side, best.history_index, bonus);
        } else {
            policy.histories.update_quiet(context, best.mv.move_index(), best.history_index, bonus);
            policy.histories.killers.add(node.ply, best.mv.move_index());
        }
        for candidate in policy.candidates[before].iter().filter(|candidate| candidate.is_tried) {
            if candidate.is_noisy {
                policy.histories.noisy.update(context.side, candidate.history_index, -bonus);
            } else if !best.is_noisy {
                let move_index = candidate.mv.move_index();
                policy.histories.update_quiet(context, move_index, candidate.history_index, -bonus);
            }
        }
    }

    /// Updates the correction history by the difference between the value of a node and its static evaluation, unless a noisy
    /// move explains the difference.
    fn update_correction(
        &mut self,
        position: &P,
        node: SearchNode,
        best: &Best<P::Move>,
        node_eval: &NodeEval,
    ) {
        /// The bonus for a difference of a unit, for each ply of depth.
        const BONUS: i32 = 800;
        const MOST: i32 = MAX_HISTORY / 4;
        if E::PARAMETERS.correction == 0 {
            return;
        }
        let Some(static_eval) = node_eval.static_eval else { return };
        let is_explained = best.mv.is_some_and(|best| best.is_noisy);
        if is_explained || !node.bound(best.score).is_nearer(best.score, static_eval) {
            return;
        }
        let difference = BONUS * (best.score.number() - static_eval) / self.policy.unit;
        let bonus = (difference * node.depth as i32).clamp(-MOST, MOST);
        let context = self.context(position, node.ply);
        self.policy.histories.update_correction(context, bonus);
    }

    /// Stores the node in the transposition table, unless a much deeper entry is there.
    pub(super) fn store(
        &mut self,
        tt: Probe,
        node: SearchNode,
        best: &Best<P::Move>,
        static_eval: Option<i32>,
    ) {
        let bound = node.bound(best.score);
        let is_deeper = tt.entry.is_some_and(|entry| u32::from(entry.depth) > node.depth + 3);
        if bound != TtBound::Exact && is_deeper {
            return;
        }
        let found = best.mv.map(|best| tt.index::<P>(best.mv));
        self.table.insert(TtEntry {
            key: tt.key,
            score: best.score.seen_from(node.ply),
            static_eval: static_eval.map_or(NO_STATIC_EVAL, |score| score as i16),
            move_index: found.or(tt.best_move()).unwrap_or(NO_MOVE),
            depth: node.depth as u8,
            bound,
        });
    }
}

/// The plies of internal iterative reduction: a node without a table move is searched a ply less deep, which stores a
/// table move for the next visit.
fn internal_reduction(node: SearchNode, tt: Probe) -> u32 {
    u32::from(node.depth >= 4 && tt.best_move().is_none())
}

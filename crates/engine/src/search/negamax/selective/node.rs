//! A node above the horizon.

use super::SelectiveNegamax;
use super::candidates::Candidate;
use super::known::Known;
use super::pruning::{Estimate, is_late};
use crate::game::{Evaluator, Move, Position, Score};
use crate::search::negamax::Node;
use crate::search::stop::Interrupted;
use crate::search::table::{Bound, Entry, NO_MOVE, UNJUDGED};

/// The best of the moves tried so far.
pub(super) struct Best<M> {
    pub score: Score,
    pub mv: Option<Candidate<M>>,
}

impl<P: Position, E: Evaluator<P>> SelectiveNegamax<'_, '_, P, E> {
    /// The value of a node with a ply or more to go.
    pub(super) fn node(
        &mut self,
        position: &P,
        mut node: Node,
        is_forced: bool,
    ) -> Result<Score, Interrupted> {
        if let Some(score) = node.beyond_window() {
            return Ok(score);
        }
        let is_whole = self.style.step(node.ply, 0).excluded.is_none();
        let known = self.known(position);
        if let Some(score) = known.cut_off(position, node).filter(|_| is_whole) {
            return Ok(score);
        }
        let estimate = self.estimate(position, node, known, is_forced);
        if is_whole && let Some(score) = self.pruned(position, node, &estimate)? {
            return Ok(score);
        }
        node.depth -= internal_reduction(node, known);
        let singular = if is_whole { self.singular(position, node, known)? } else { None };
        let start = self.style.candidates.len();
        self.rank_all(position, node, known.best_move());
        self.enter(position);
        let best = self.best_of(position, node, &estimate, singular, start)?;
        self.leave();
        if is_whole {
            self.remember(known, node, &best, estimate.judgement);
        }
        self.style.candidates.truncate(start);
        Ok(if is_whole { best.score } else { best.score.max(node.alpha) })
    }

    /// The best among the moves that lie on the stack from `start`.
    fn best_of(
        &mut self,
        position: &P,
        node: Node,
        estimate: &Estimate,
        singular: Option<P::Move>,
        start: usize,
    ) -> Result<Best<P::Move>, Interrupted> {
        let mut best = Best { score: -Score::INFINITE, mv: None };
        let mut tried = 0;
        for next in start..self.style.candidates.len() {
            let candidate = self.pick(position, next);
            if self.style.step(node.ply, 0).excluded == Some(candidate.mv) {
                continue;
            }
            let may_skip = tried > 0 && !best.score.is_lost();
            if may_skip && is_late(node, estimate, &candidate, tried) {
                break;
            }
            if may_skip && self.is_hopeless(position, node, estimate, &candidate) {
                continue;
            }
            let extension = u32::from(singular == Some(candidate.mv));
            self.budget.visit()?;
            self.style.candidates[next].is_tried = true;
            self.style.step_mut(node.ply).slot = candidate.slot;
            let child = position.play(candidate.mv);
            if !P::PLAYS_CHEAPLY {
                self.fetch(&child);
            }
            let open =
                Node { alpha: node.alpha.max(best.score), depth: node.depth + extension, ..node };
            let reduction = self.reduction(position, &child, open, estimate, &candidate, tried);
            let score = self.child_value(&child, open, reduction, tried == 0)?;
            tried += 1;
            if score <= best.score {
                continue;
            }
            best.score = score;
            if score > node.alpha {
                best.mv = Some(candidate);
                if !node.is_null_window() && score < node.beta {
                    self.lines.extend(node.ply, candidate.mv);
                }
            }
            if score >= node.beta {
                self.learn(position, node, &candidate, start..next);
                break;
            }
        }
        Ok(best)
    }

    /// Principal variation search with reductions: a move must first show at less depth, then at the
    /// whole one that it is better, before its value is asked for.
    pub(super) fn child_value(
        &mut self,
        child: &P,
        node: Node,
        reduction: u32,
        is_first: bool,
    ) -> Result<Score, Interrupted> {
        let null = node.child(node.alpha, node.alpha.successor());
        if reduction > 0 {
            let score = -self.value(child, Node { depth: null.depth - reduction, ..null })?;
            if score <= node.alpha {
                return Ok(score);
            }
        }
        if reduction > 0 || !is_first || node.is_null_window() {
            let score = -self.value(child, null)?;
            if score <= node.alpha || node.is_null_window() {
                return Ok(score);
            }
        }
        Ok(-self.value(child, node.child(node.alpha, node.beta))?)
    }

    /// Credits the move that caused a cut-off, and blames those that were tried before it in vain.
    fn learn(
        &mut self,
        position: &P,
        node: Node,
        best: &Candidate<P::Move>,
        before: std::ops::Range<usize>,
    ) {
        let context = self.context(position, node.ply);
        let bonus = (16 * node.depth * node.depth + 128 * node.depth).min(1600) as i32;
        let style = &mut self.style;
        if best.is_noisy {
            style.experience.learn_noisy(context.side, best.slot, bonus);
        } else {
            style.experience.learn_quiet(context, best.mv.code(), best.slot, bonus);
            style.experience.add_killer(node.ply, best.mv.code());
        }
        for candidate in style.candidates[before].iter().filter(|candidate| candidate.is_tried) {
            if candidate.is_noisy {
                style.experience.learn_noisy(context.side, candidate.slot, -bonus);
            } else if !best.is_noisy {
                let code = candidate.mv.code();
                style.experience.learn_quiet(context, code, candidate.slot, -bonus);
            }
        }
    }

    /// Keeps what was found out in the table, unless it knows more already.
    pub(super) fn remember(
        &mut self,
        known: Known,
        node: Node,
        best: &Best<P::Move>,
        judgement: Option<i32>,
    ) {
        let bound = node.bound(best.score);
        let deeper = |entry: Entry| u32::from(entry.depth) > node.depth + 3;
        if bound != Bound::Exact && known.entry.is_some_and(deeper) {
            return;
        }
        let found = best.mv.map(|best| P::transformed(best.mv, known.symmetry).code());
        let before = known.best_move().0;
        self.table.insert(Entry {
            key: known.key,
            score: best.score.seen_from(node.ply),
            judgement: judgement.map_or(UNJUDGED, |score| score as i16),
            code: found.or(before).unwrap_or(NO_MOVE),
            depth: node.depth as u8,
            bound,
        });
    }
}

/// Internal iterative reduction: a node that the table does not know is searched a ply less deep,
/// which finds a move to begin with when it is met again.
fn internal_reduction(node: Node, known: Known) -> u32 {
    u32::from(node.depth >= 4 && known.best_move().0.is_none())
}

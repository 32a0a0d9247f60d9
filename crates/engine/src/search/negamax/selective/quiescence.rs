//! Beyond the horizon: noisy moves are played out, so that a position is judged when it is quiet.

use super::SelectiveNegamax;
use super::node::Best;
use crate::game::{Evaluator, Position, Score};
use crate::search::negamax::Node;
use crate::search::stop::Interrupted;

/// The nodes below one position at the horizon. Ordinary positions have some tens, and hundreds at
/// most; with nine queens a side there is no end of captures. From there on leaves are evaluated
/// statically.
const MOST_NODES: u64 = 4096;

impl<P: Position, E: Evaluator<P>> SelectiveNegamax<'_, '_, P, E> {
    /// Whether the present quiescence search has visited as many nodes as it may.
    pub(super) fn is_quiescence_spent(&self) -> bool {
        self.style.quiescence_end.is_some_and(|end| self.budget.nodes() >= end)
    }

    /// The value of a position at the horizon, or beyond it, that is not forced.
    pub(super) fn quiescence(&mut self, position: &P, node: Node) -> Result<Score, Interrupted> {
        if self.style.quiescence_end.is_some() {
            return self.quiet_value(position, node);
        }
        self.style.quiescence_end = Some(self.budget.nodes() + MOST_NODES);
        let value = self.quiet_value(position, node);
        self.style.quiescence_end = None;
        value
    }

    /// The value of a position once no noisy move makes it better. The side to move need not make
    /// any: it may stand pat.
    fn quiet_value(&mut self, position: &P, node: Node) -> Result<Score, Interrupted> {
        let known = self.known(position);
        if let Some(score) = known.cut_off(position, node) {
            return Ok(score);
        }
        let judgement = self.judgement(position, known);
        self.style.step_mut(node.ply).judgement = Some(judgement);
        let standing = Score::heuristic(known.corrected(judgement));
        if standing >= node.beta {
            let is_doubtful = self.is_doubtful(position, node);
            return if is_doubtful { self.put_to_the_test(position, node) } else { Ok(standing) };
        }
        let start = self.style.candidates.len();
        self.rank_noisy(position, node, known.best_move());
        self.enter(position);
        let best = self.best_noisy(position, node, Best { score: standing, mv: None }, start)?;
        self.leave();
        self.style.candidates.truncate(start);
        self.remember(known, node, &best, Some(judgement));
        Ok(best.score)
    }

    /// Whether a judgement is too good to be believed: something may be lost next. Not where a judgement a
    /// ply or two before is being put to the test, or threats that answer threats would have no end.
    fn is_doubtful(&self, position: &P, node: Node) -> bool {
        let is_doubted = |back| self.style.step(node.ply, back).is_doubted;
        !is_doubted(1) && !is_doubted(2) && self.evaluator.is_threatened(position)
    }

    /// The value of a position after one more ply: whether any move keeps what it seems to be worth.
    fn put_to_the_test(&mut self, position: &P, node: Node) -> Result<Score, Interrupted> {
        self.style.step_mut(node.ply).is_doubted = true;
        let value = self.node(position, Node { depth: 1, ..node }, false);
        self.style.step_mut(node.ply).is_doubted = false;
        value
    }

    fn best_noisy(
        &mut self,
        position: &P,
        node: Node,
        mut best: Best<P::Move>,
        start: usize,
    ) -> Result<Best<P::Move>, Interrupted> {
        for next in start..self.style.candidates.len() {
            let candidate = self.pick(position, next);
            if candidate.loses_material() {
                break;
            }
            self.budget.visit()?;
            self.style.step_mut(node.ply).slot = candidate.slot;
            let alpha = node.alpha.max(best.score);
            // Not a ply deeper, but as deep: there are none left.
            let below = Node { depth: node.depth + 1, ..node }.child(alpha, node.beta);
            let child = position.play(candidate.mv);
            self.fetch(&child);
            let score = -self.value(&child, below)?;
            if score <= best.score {
                continue;
            }
            best.score = score;
            if score > alpha {
                best.mv = Some(candidate);
                if !node.is_null_window() && score < node.beta {
                    self.lines.extend(node.ply, candidate.mv);
                }
            }
            if score >= node.beta {
                break;
            }
        }
        Ok(best)
    }
}

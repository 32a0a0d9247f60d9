//! What is unlikely to matter: whole nodes, single moves, and the last plies below late moves.

use super::SelectiveNegamax;
use super::candidates::Candidate;
use super::known::Known;
use crate::game::{Evaluator, Move, Position, Score};
use crate::search::negamax::Node;
use crate::search::stop::Interrupted;
use crate::search::table::{Bound, UNJUDGED};

/// Single moves are left out only where there are no more plies to go than this.
const SHALLOW: u32 = 8;

/// How a node looks before its moves are tried.
pub(super) struct Estimate {
    /// Its static evaluation; none where it is forced.
    pub judgement: Option<i32>,
    /// The same, put right by what the table knows.
    better: i32,
    /// Whether the side to move stands better than two plies before.
    is_improving: bool,
}

impl<P: Position, E: Evaluator<P>> SelectiveNegamax<'_, '_, P, E> {
    /// Judges a node and puts the judgement on the path.
    pub(super) fn estimate(
        &mut self,
        position: &P,
        node: Node,
        known: Known,
        is_forced: bool,
    ) -> Estimate {
        let judgement = (!is_forced).then(|| self.judgement(position, known));
        self.style.step_mut(node.ply).judgement = judgement;
        let before = self.style.step(node.ply, 2).judgement;
        let is_improving = matches!((before, judgement), (Some(before), Some(now)) if now > before);
        let better = judgement.map_or(0, |score| known.corrected(score));
        Estimate { judgement, better, is_improving }
    }

    /// The static evaluation of a position.
    pub(super) fn judgement(&self, position: &P, known: Known) -> i32 {
        match known.entry {
            Some(entry) if entry.judgement != UNJUDGED => i32::from(entry.judgement),
            _ => self.static_value(position).number(),
        }
    }

    /// The value of a node of a null window whose moves need not be tried.
    pub(super) fn pruned(
        &mut self,
        position: &P,
        node: Node,
        estimate: &Estimate,
    ) -> Result<Option<Score>, Interrupted> {
        let can_be_pruned = node.is_null_window()
            && estimate.judgement.is_some()
            && !node.beta.is_lost()
            && !node.beta.is_won();
        if !can_be_pruned {
            return Ok(None);
        }
        if let Some(score) = self.reverse_futility(node, estimate) {
            return Ok(Some(score));
        }
        self.null_move(position, node, estimate)
    }

    /// Reverse futility: with few plies to go, an advantage that is large enough stays one.
    fn reverse_futility(&self, node: Node, estimate: &Estimate) -> Option<Score> {
        let plies = node.depth as i32 - i32::from(estimate.is_improving);
        let margin = self.style.unit * 3 / 4 * plies;
        let holds = node.depth <= 8 && estimate.better - margin >= node.beta.number();
        holds.then(|| Score::heuristic(estimate.better))
    }

    /// Null move (Donninger, *Null Move and Deep Search*, 1993): what is good enough even after a
    /// pass needs no move. A win that the opponent's pass allowed is none.
    fn null_move(
        &mut self,
        position: &P,
        node: Node,
        estimate: &Estimate,
    ) -> Result<Option<Score>, Interrupted> {
        let no_slot = self.style.experience.no_slot();
        let beta = node.beta.number();
        let excess = estimate.better - beta;
        let follows_null = node.ply > 0 && self.style.step(node.ply, 1).slot == no_slot;
        if node.depth < 3 || excess < 0 || follows_null {
            return Ok(None);
        }
        let Some(passed) = self.evaluator.null_move(position) else { return Ok(None) };
        let reduction = 3 + node.depth / 4 + (excess / (2 * self.style.unit)).min(3) as u32;
        let child = node.child(node.alpha, node.beta);
        let child = Node { depth: child.depth.saturating_sub(reduction), ..child };
        self.style.step_mut(node.ply).slot = no_slot;
        self.budget.visit()?;
        self.enter(position);
        let score = -self.value(&passed, child)?;
        self.leave();
        let shown = if score.is_won() { node.beta } else { score };
        Ok((score >= node.beta).then_some(shown))
    }

    /// Whether a move is so unlikely to be good that it is not tried. One that leaves the opponent
    /// little choice is always tried, since sacrifices that work begin so.
    pub(super) fn is_hopeless(
        &self,
        position: &P,
        node: Node,
        estimate: &Estimate,
        candidate: &Candidate<P::Move>,
    ) -> bool {
        self.looks_hopeless(position, node, estimate, candidate)
            && !self.evaluator.is_forced(&position.play(candidate.mv))
    }

    fn looks_hopeless(
        &self,
        position: &P,
        node: Node,
        estimate: &Estimate,
        candidate: &Candidate<P::Move>,
    ) -> bool {
        let Some(judgement) = estimate.judgement else { return false };
        if node.depth > SHALLOW {
            return false;
        }
        let (unit, depth) = (self.style.unit, node.depth as i32);
        if candidate.is_noisy {
            let most_lost = -unit * depth;
            return candidate.loses_material()
                && !self.evaluator.exchange_at_least(position, candidate.mv, most_lost);
        }
        // Futility: not even a lucky move reaches alpha. A win comes by no such gains: whether there is a
        // faster one than alpha has to be looked at, or the slower one may be put off again and again.
        let hope = judgement + unit + unit * depth;
        if node.is_null_window() && !node.alpha.is_won() && hope <= node.alpha.number() {
            return true;
        }
        !self.evaluator.exchange_at_least(position, candidate.mv, -unit / 2 * depth)
    }

    /// Singular extension (Anantharaman, Campbell and Hsu, *Singular Extensions: Adding Selectivity
    /// to Brute-Force Searching*, 1990): the remembered move, if all others are clearly worse.
    pub(super) fn singular(
        &mut self,
        position: &P,
        node: Node,
        known: Known,
    ) -> Result<Option<P::Move>, Interrupted> {
        let (Some(entry), (Some(code), symmetry)) = (known.entry, known.best_move()) else {
            return Ok(None);
        };
        let is_trusted = u32::from(entry.depth) + 3 >= node.depth && entry.bound != Bound::Upper;
        let is_heuristic = !entry.score.is_won() && !entry.score.is_lost();
        if node.depth < 8 || !is_trusted || !is_heuristic {
            return Ok(None);
        }
        let is_known = |&mv: &P::Move| P::transformed(mv, symmetry).code() == code;
        let Some(mv) = position.legal_moves().into_iter().find(is_known) else { return Ok(None) };
        let margin = self.style.unit * node.depth as i32 / 50;
        let beta = Score::heuristic(entry.score.number() - margin);
        let others = Node { depth: (node.depth - 1) / 2, alpha: beta.predecessor(), beta, ..node };
        self.style.step_mut(node.ply).excluded = Some(mv);
        let score = self.node(position, others, self.evaluator.is_forced(position))?;
        self.style.step_mut(node.ply).excluded = None;
        Ok((score < beta).then_some(mv))
    }

    /// Late move reductions: how many plies less deep a move, which leads to `child`, is searched at
    /// first. None for one that loses nothing and leads to a position that is extended.
    pub(super) fn reduction(
        &self,
        position: &P,
        child: &P,
        node: Node,
        estimate: &Estimate,
        candidate: &Candidate<P::Move>,
        tried: u32,
    ) -> u32 {
        let is_open = !node.is_null_window();
        if node.depth < 3 || tried < 1 + 2 * u32::from(is_open) {
            return 0;
        }
        if candidate.is_noisy && !candidate.loses_material() {
            return 0;
        }
        let is_forcing = E::EXTENDS_FORCED
            && !candidate.is_noisy
            && self.evaluator.is_forced(child)
            && self.evaluator.exchange_at_least(position, candidate.mv, 0);
        if is_forcing {
            return 0;
        }
        let [least, divisor] = E::REDUCTION;
        let mut reduction = least + log2(node.depth) * log2(tried + 1) / divisor;
        if !candidate.is_noisy {
            let context = self.context(position, node.ply);
            let gains =
                self.style.experience.of_quiet(context, candidate.mv.code(), candidate.slot);
            reduction -= gains / 8;
        }
        reduction += 1024 * (i32::from(!estimate.is_improving) - i32::from(is_open));
        (reduction / 1024).clamp(0, node.depth as i32 - 1) as u32
    }
}

/// Late move pruning: whether a move comes so late in the order that neither it nor those behind it
/// are tried, after `tried` others.
pub(super) fn is_late<M: Copy>(
    node: Node,
    estimate: &Estimate,
    candidate: &Candidate<M>,
    tried: u32,
) -> bool {
    let enough = (3 + node.depth * node.depth) << u32::from(estimate.is_improving);
    node.depth <= SHALLOW
        && tried >= enough
        && node.is_null_window()
        && estimate.judgement.is_some()
        && (!candidate.is_noisy || candidate.loses_material())
}

/// The logarithm to the base 2, in parts of 1024.
fn log2(number: u32) -> i32 {
    LOGARITHMS[number.min(LOGARITHMS.len() as u32 - 1) as usize]
}

/// The logarithms of small numbers; nothing is lost by a bound on larger ones.
const LOGARITHMS: [i32; 64] = {
    let mut logarithms = [0; 64];
    let mut number = 1;
    while number < logarithms.len() {
        logarithms[number] = exact_log2(number as u32);
        number += 1;
    }
    logarithms
};

const fn exact_log2(number: u32) -> i32 {
    let mut whole = number.ilog2();
    let mut rest = (number as u64) << 31 >> whole;
    let mut digits = 0;
    // Squaring the rest doubles its logarithm: each time the next digit comes to the front.
    while digits < 10 {
        rest = (rest * rest) >> 31;
        let digit = rest >> 32;
        rest >>= digit;
        whole = whole << 1 | digit as u32;
        digits += 1;
    }
    whole as i32
}

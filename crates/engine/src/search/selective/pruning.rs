//! Pruning and reductions: reverse futility, `ProbCut`, futility and exchange pruning, singular extension, late
//! move reductions, late move pruning.

use std::sync::LazyLock;

use super::state::{Candidate, SelectiveNegamax};
use crate::game::limits::Interrupted;
use crate::game::{Doubt, Move, Position, Score, SelectiveHooks};
use crate::search::move_ordering::MAX_HISTORY;
use crate::search::negamax::SearchNode;
use crate::search::transposition_table::{NO_STATIC_EVAL, Probe, TtBound};

/// The largest depth at which single moves are pruned; for futility and exchanges of quiet moves, less their reduction.
const SHALLOW: u32 = 8;

/// The static evaluation of a node, made before its moves are tried.
pub(super) struct NodeEval {
    /// The static evaluation; `None` in a forced position.
    pub static_eval: Option<i32>,
    /// The static evaluation, corrected by the correction history and by the value in the transposition table.
    corrected_eval: i32,
    /// Whether the static evaluation is higher than two plies before (the node is improving).
    is_improving: bool,
}

/// The least depth at which `ProbCut` is tried.
const LEAST_PROB_CUT: u32 = 5;

/// The largest depth at which reverse futility prunes positions that risk zugzwang.
const MOST_UNDER_ZUGZWANG: u32 = 3;

impl<P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'_, '_, P, E> {
    /// Evaluates a node statically and puts the static evaluation on the path.
    pub(super) fn evaluate(
        &mut self,
        position: &P,
        node: SearchNode,
        tt: Probe,
        is_forced: bool,
    ) -> NodeEval {
        let static_eval = (!is_forced).then(|| self.static_eval(position, tt));
        self.policy.step_mut(node.ply).static_eval = static_eval;
        let before = self.policy.step(node.ply, 2).static_eval;
        let is_improving =
            matches!((before, static_eval), (Some(before), Some(now)) if now > before);
        let corrected_eval =
            static_eval.map_or(0, |score| self.corrected_eval(position, node, tt, score));
        NodeEval { static_eval, corrected_eval, is_improving }
    }

    pub(super) fn static_eval(&mut self, position: &P, tt: Probe) -> i32 {
        match tt.entry {
            Some(entry) if entry.static_eval != NO_STATIC_EVAL => i32::from(entry.static_eval),
            _ => self.static_value(position).number(),
        }
    }

    /// A static evaluation, corrected by the correction history and by the value in the transposition table.
    #[inline]
    pub(super) fn corrected_eval(
        &self,
        position: &P,
        node: SearchNode,
        tt: Probe,
        static_eval: i32,
    ) -> i32 {
        if E::PARAMETERS.correction == 0 {
            return tt.corrected_eval(static_eval);
        }
        let most = self.policy.unit * E::PARAMETERS.correction / 1024;
        let error = self.policy.histories.correction(self.context(position, node.ply));
        tt.corrected_eval(static_eval + error * most / MAX_HISTORY)
    }

    /// Reverse futility: at a small depth, an evaluation far enough above beta is a cut-off in a null window, without a look
    /// at moves; only at depths up to [`MOST_UNDER_ZUGZWANG`] in positions that risk zugzwang.
    pub(super) fn reverse_futility(
        &self,
        position: &P,
        node: SearchNode,
        node_eval: &NodeEval,
    ) -> Option<Score> {
        let can_be_pruned = node.depth <= SHALLOW
            && node.is_null_window()
            && node_eval.static_eval.is_some()
            && !node.beta.is_lost()
            && !node.beta.is_won();
        if !can_be_pruned {
            return None;
        }
        let plies = node.depth as i32 - i32::from(node_eval.is_improving);
        let margin = self.policy.unit * 3 / 4 * plies;
        let holds = node_eval.corrected_eval - margin >= node.beta.number()
            && (node.depth <= MOST_UNDER_ZUGZWANG
                || !self.evaluator.doubts(position, Doubt::Zugzwang));
        holds.then(|| Score::heuristic(node_eval.corrected_eval))
    }

    /// `ProbCut` (Buro, *An effective selective extension of the alpha-beta algorithm*, 1995): in a null window, a
    /// shallower search stands for the whole one where its value lies outside the window by the margin of the game. It is
    /// made on the side of the window on which the static evaluation lies.
    pub(super) fn prob_cut(
        &mut self,
        position: &P,
        node: SearchNode,
        node_eval: &NodeEval,
    ) -> Result<Option<Score>, Interrupted> {
        let is_decided = |score: Score| score.is_won() || score.is_lost();
        let can_be_cut = node.depth >= LEAST_PROB_CUT
            && node.is_null_window()
            && !is_decided(node.alpha)
            && !is_decided(node.beta);
        let Some(static_eval) = node_eval.static_eval.filter(|_| can_be_cut) else {
            return Ok(None);
        };
        // Depths that differ by an odd number favour one side.
        let least = node.depth * 2 / 5;
        let depth = least + (node.depth - least) % 2;
        let margin = self.evaluator.prob_cut_margin(position, node.depth - depth);
        let Some(margin) = margin else { return Ok(None) };
        let beta = node.beta.number();
        let is_high = static_eval >= beta;
        let beta = Score::heuristic(if is_high { beta + margin } else { beta - margin });
        let shallow = SearchNode { depth, alpha: beta.predecessor(), beta, ..node };
        let fails_high = self.node(position, shallow, false)? >= beta;
        let bound = if is_high { node.beta } else { node.alpha };
        Ok((fails_high == is_high).then_some(bound))
    }

    /// Whether a move that comes after `tried` others is pruned. A move that forces the opponent is always tried, since sound
    /// sacrifices begin so.
    pub(super) fn is_prunable(
        &self,
        position: &P,
        node: SearchNode,
        node_eval: &NodeEval,
        candidate: &Candidate<P::Move>,
        tried: u32,
    ) -> bool {
        self.fails_futility_or_see(position, node, node_eval, candidate, tried)
            && !self.evaluator.doubts(&position.play(candidate.mv), Doubt::Forced)
    }

    fn fails_futility_or_see(
        &self,
        position: &P,
        node: SearchNode,
        node_eval: &NodeEval,
        candidate: &Candidate<P::Move>,
        tried: u32,
    ) -> bool {
        let Some(static_eval) = node_eval.static_eval else { return false };
        let is_reduced = E::PARAMETERS.prunes_by_reduced_depth && !candidate.is_noisy;
        let reduction = if is_reduced { Self::late_reduction(node.depth, tried) } else { 0 };
        let depth = (node.depth as i32 - reduction / 1024).max(1);
        if depth > SHALLOW as i32 {
            return false;
        }
        let unit = self.policy.unit;
        if candidate.is_noisy {
            let most_lost = -unit * depth;
            return candidate.loses_material()
                && !self.evaluator.exchange_at_least(position, candidate.mv, most_lost);
        }
        // Futility: the static evaluation and a margin do not reach alpha. This does not hold where alpha is a win: a
        // faster win does not depend on the evaluation, and without a search a slower win may be put off for ever.
        let [base, per_ply] = E::PARAMETERS.futility;
        let reachable = static_eval + unit * (base + per_ply * depth) / 1024;
        if node.is_null_window() && !node.alpha.is_won() && reachable <= node.alpha.number() {
            return true;
        }
        let most_lost = -unit * E::PARAMETERS.quiet_loss / 1024 * depth;
        !self.evaluator.exchange_at_least(position, candidate.mv, most_lost)
    }

    /// Singular extension (Anantharaman, Campbell and Hsu, *Singular Extensions: Adding Selectivity
    /// to Brute-Force Searching*, 1990): extends the table move, if all other moves are clearly worse.
    pub(super) fn singular(
        &mut self,
        position: &P,
        node: SearchNode,
        tt: Probe,
    ) -> Result<Option<P::Move>, Interrupted> {
        let (Some(entry), Some(best)) = (tt.entry, tt.best_move()) else { return Ok(None) };
        let is_trusted = u32::from(entry.depth) + 3 >= node.depth && entry.bound != TtBound::Upper;
        let is_heuristic = !entry.score.is_won() && !entry.score.is_lost();
        if node.depth < 8 || !is_trusted || !is_heuristic {
            return Ok(None);
        }
        let mut moves = position.legal_moves().into_iter();
        let Some(mv) = moves.find(|&mv| tt.index::<P>(mv) == best) else { return Ok(None) };
        let margin = self.policy.unit * node.depth as i32 / 50;
        let beta = Score::heuristic(entry.score.number() - margin);
        let others =
            SearchNode { depth: (node.depth - 1) / 2, alpha: beta.predecessor(), beta, ..node };
        self.policy.step_mut(node.ply).excluded = Some(mv);
        let is_forced = self.evaluator.doubts(position, Doubt::Forced);
        let score = self.node(position, others, is_forced)?;
        self.policy.step_mut(node.ply).excluded = None;
        Ok((score < beta).then_some(mv))
    }

    /// Late move reductions: the plies by which a move, which leads to `child`, is searched less deep at first. 0 at a small
    /// depth, for the first moves, for a noisy move that loses no material, and for a quiet move that loses no
    /// material and leads to a position that is extended.
    pub(super) fn reduction(
        &self,
        position: &P,
        child: &P,
        node: SearchNode,
        node_eval: &NodeEval,
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
        let is_forcing = E::PARAMETERS.extends_forced
            && !candidate.is_noisy
            && self.evaluator.doubts(child, Doubt::Forced)
            && self.evaluator.exchange_at_least(position, candidate.mv, 0);
        if is_forcing {
            return 0;
        }
        let parameters = E::PARAMETERS;
        let mut reduction = Self::late_reduction(node.depth, tried);
        if !candidate.is_noisy {
            let context = self.context(position, node.ply);
            let gains = self.policy.histories.quiet_score(
                context,
                candidate.mv.move_index(),
                candidate.history_index,
            );
            reduction -= gains / 8;
        }
        reduction += parameters.not_improving_reduction * i32::from(!node_eval.is_improving);
        reduction -= parameters.open_window_reduction * i32::from(is_open);
        reduction -= parameters.killer_reduction * i32::from(candidate.is_killer());
        (reduction / 1024).clamp(0, node.depth as i32 - 1) as u32
    }

    /// The late move reduction by the depth and the number of moves tried before, in parts of 1024 of a ply.
    fn late_reduction(depth: u32, tried: u32) -> i32 {
        let [base, divisor] = E::PARAMETERS.reduction;
        base + log2(depth) * log2(tried + 1) / divisor
    }
}

/// Late move pruning: whether a move comes so late, after `tried` others, that neither it nor the moves behind it are
/// tried.
pub(super) fn is_late<M: Copy>(
    node: SearchNode,
    node_eval: &NodeEval,
    candidate: &Candidate<M>,
    tried: u32,
) -> bool {
    let enough = (3 + node.depth * node.depth) << u32::from(node_eval.is_improving);
    node.depth <= SHALLOW
        && tried >= enough
        && node.is_null_window()
        && node_eval.static_eval.is_some()
        && (!candidate.is_noisy || candidate.loses_material())
}

/// The logarithm to the base 2, in parts of 1024.
fn log2(number: u32) -> i32 {
    LOGARITHMS[number.min(LOGARITHMS.len() as u32 - 1) as usize]
}

/// The logarithms of small numbers. Larger numbers count as the largest one here, which loses nothing.
static LOGARITHMS: LazyLock<[i32; 64]> = LazyLock::new(|| {
    std::array::from_fn(|number| (1024.0 * libm::log2(f64::from(number.max(1) as u32))) as i32)
});

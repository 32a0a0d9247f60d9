//! Alpha-beta: the value and the move of minimax, with fewer positions visited.
//!
//! A table entry cuts off if its depth is the remaining depth, or if it is a win or a loss within the
//! remaining depth; never if a repetition or the move counter could draw the line. A value that a repetition or
//! the move counter influenced is not stored.

mod root;

use super::move_ordering::{HistoryTable, Killers, MAX_HISTORY, highest};
use super::negamax::{NO_HISTORY_PLY, Negamax, NodePolicy, SearchNode};
use super::task::Task;
use super::transposition_table::{NO_STATIC_EVAL, Probe, TtBound, TtEntry};
use crate::game::limits::{Budget, Interrupted};
use crate::game::{Evaluator, Move, Position, Score, Side};

/// The search with the value and the move of minimax.
pub(super) type AlphaBeta<'a, 'b, P, E> = Negamax<'a, 'b, P, E, Exact<<P as Position>::Move>>;

/// The longest loss that the tie-break among losing moves plays out, in plies.
pub(super) const TIE_BREAK_PLIES: u32 = 8;

/// The line of best play from the task's position to the task's depth, if it is worth `score`.
pub(super) fn proven_line<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    score: Score,
) -> Result<Vec<P::Move>, Interrupted> {
    let mut negamax = AlphaBeta::of_few_plies(task, evaluator, budget);
    let (alpha, beta) = (score.predecessor(), score.successor());
    let node = SearchNode { ply: 0, depth: task.limits.depth, alpha, beta };
    let value = negamax.value(&task.position, node)?;
    Ok(if value == score { negamax.line(0) } else { Vec::new() })
}

/// The state of the exact search, which only orders moves.
pub(super) struct Exact<M> {
    killers: Killers,
    quiet_history: HistoryTable,
    /// The moves of all nodes of the current path, each with its rank, the deepest node's last.
    moves: Vec<(M, i32)>,
}

/// The rank of a killer move, above all history counters.
const KILLER: i32 = 1 << 20;

/// The deepest ply that a line may reach, also in the tie-break among losing moves, which uses this search.
fn deepest<P: Position>(task: &Task<P>) -> u32 {
    task.limits.depth.max(TIE_BREAK_PLIES)
}

impl<P: Position, E: Evaluator<P>> NodePolicy<P, E> for Exact<P::Move> {
    fn new(task: &Task<P>, _: &E) -> Self {
        let killers = Killers::new(deepest(task) + 1);
        Self { killers, quiet_history: HistoryTable::new(P::Move::INDICES), moves: Vec::new() }
    }

    /// At least the plies of the tie-break: a selective search may have seen a loss beyond its depth, which is played out here.
    fn deepest(task: &Task<P>) -> u32 {
        deepest(task)
    }

    fn rewind(&mut self) {
        self.moves.clear();
    }

    fn value(
        search: &mut Negamax<'_, '_, P, E, Self>,
        position: &P,
        node: SearchNode,
    ) -> Result<Score, Interrupted> {
        match node.depth {
            0 => {
                let score = search.evaluator.score_after(position, &mut search.accumulator);
                Ok(Score::heuristic(score))
            }
            // One ply above the horizon neither the table nor move ordering saves anything.
            1 => search.best_in_order(position, node, -Score::INFINITE),
            _ => search.interior(position, node),
        }
    }
}

impl<P: Position, E: Evaluator<P>> AlphaBeta<'_, '_, P, E> {
    /// The value of a node two plies or more above the horizon, with the table.
    fn interior(&mut self, position: &P, mut node: SearchNode) -> Result<Score, Interrupted> {
        if let Some(score) = node.mate_distance_cutoff() {
            return Ok(score);
        }
        node.depth = position.plies_left().map_or(node.depth, |plies| plies.min(node.depth));
        let tt = self.table.probe(position);
        if let Some(score) = tt.entry.and_then(|entry| self.cut_off(position, node, entry)) {
            return Ok(score);
        }
        let start = self.policy.moves.len();
        self.rank_moves(position, node.ply, tt);
        let outside = std::mem::replace(&mut self.history_ply, NO_HISTORY_PLY);
        self.history.enter(position);
        let (best, mv) = self.best_of(position, node, start)?;
        self.history.leave::<P>();
        self.policy.moves.truncate(start);
        if self.history_ply >= node.ply {
            self.table.insert(TtEntry {
                key: tt.key,
                score: best.seen_from(node.ply),
                move_index: tt.index::<P>(mv),
                depth: node.depth as u8,
                bound: node.bound(best),
                static_eval: NO_STATIC_EVAL,
            });
            self.history_ply = NO_HISTORY_PLY;
        }
        self.history_ply = self.history_ply.min(outside);
        Ok(best)
    }
}

/// The phases of an interior node.
impl<P: Position, E: Evaluator<P>> AlphaBeta<'_, '_, P, E> {
    /// The value of a node, where its window is null and the table settles it. Nodes with an open window are always
    /// searched, so that the principal variation is complete.
    fn cut_off(&self, position: &P, node: SearchNode, entry: TtEntry) -> Option<Score> {
        if !node.is_null_window() || !self.is_free_of_history(position, node.depth) {
            return None;
        }
        let score = entry.score.seen_from_root(node.ply);
        let at_least = entry.bound != TtBound::Upper && score >= node.beta;
        let at_most = entry.bound != TtBound::Lower && score <= node.alpha;
        // A win or a loss within the remaining depth holds whatever the depth of the entry.
        let ends_in_time = entry.score.plies().is_some_and(|plies| plies <= node.depth);
        let holds = u32::from(entry.depth) == node.depth
            || ends_in_time && (at_least && score.is_won() || at_most && score.is_lost());
        (holds && (at_least || at_most)).then_some(score)
    }

    /// Whether neither a repetition of an earlier position nor a move counter can matter within `depth` plies. A position
    /// comes back after four plies at the earliest.
    fn is_free_of_history(&self, position: &P, depth: u32) -> bool {
        let reversible = position.reversible_plies();
        let back = if P::PROPERTIES.repeats { self.history.max_plies_back(reversible) } else { 0 };
        (back == 0 || back + depth < 4)
            && position.plies_to_draw().is_none_or(|plies| plies > depth)
    }

    /// Puts the moves of a node on the stack, each with its rank: the move of the table, killers, then by the evaluator's
    /// hint and the history.
    fn rank_moves(&mut self, position: &P, ply: u32, tt: Probe) {
        let side = position.side_to_move();
        let (best, killers) = (tt.best_move(), self.policy.killers.at(ply));
        for mv in position.legal_moves() {
            let move_index = mv.move_index();
            let rank = if best.is_some_and(|best| best == tt.index::<P>(mv)) {
                i32::MAX
            } else {
                let killer = if killers.contains(&Some(move_index)) { KILLER } else { 0 };
                let hint = self.evaluator.ordering_hint(position, mv);
                hint + killer + self.policy.quiet_history.get(side, move_index)
            };
            self.policy.moves.push((mv, rank));
        }
    }

    /// Updates the killers and the history after a cut-off by `mv`.
    fn update_histories(&mut self, mv: P::Move, side: Side, node: SearchNode) {
        let bonus = (node.depth * node.depth).min(MAX_HISTORY as u32) as i32;
        self.policy.killers.add(node.ply, mv.move_index());
        self.policy.quiet_history.update(side, mv.move_index(), bonus);
    }

    /// The best value among the moves that lie on the stack from `start`, and its move.
    fn best_of(
        &mut self,
        position: &P,
        node: SearchNode,
        start: usize,
    ) -> Result<(Score, P::Move), Interrupted> {
        let mut best = (-Score::INFINITE, self.policy.moves[start].0);
        for next in start..self.policy.moves.len() {
            let mv = bring_best_forward(&mut self.policy.moves[next..]);
            let alpha = node.alpha.max(best.0);
            self.budget.visit()?;
            let score = self.move_value(&position.play(mv), node, alpha, next == start)?;
            if score <= best.0 {
                continue;
            }
            best = (score, mv);
            if score > alpha && !node.is_null_window() {
                self.pv.extend(node.ply, mv);
            }
            if score >= node.beta {
                self.update_histories(mv, position.side_to_move(), node);
                break;
            }
        }
        Ok(best)
    }

    /// The value of a move by principal variation search: only the first move gets the whole window at once.
    fn move_value(
        &mut self,
        child: &P,
        node: SearchNode,
        alpha: Score,
        is_first: bool,
    ) -> Result<Score, Interrupted> {
        if !is_first && !node.is_null_window() {
            let score = -self.value(child, node.child(alpha, alpha.successor()))?;
            if score <= alpha || score >= node.beta {
                return Ok(score);
            }
        }
        Ok(-self.value(child, node.child(alpha, node.beta))?)
    }
}

/// Brings the move with the highest rank forward and returns it. Moves of equal rank keep the game's own order.
fn bring_best_forward<M: Copy>(moves: &mut [(M, i32)]) -> M {
    let best = highest(moves.iter().map(|&(_, rank)| rank));
    if best > 0 {
        moves[..=best].rotate_right(1);
    }
    moves[0].0
}

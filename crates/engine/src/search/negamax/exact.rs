//! Alpha-beta: the value and the move of minimax, with fewer positions visited.
//!
//! What it does not do is guess. A table entry cuts only where it holds for exactly the remaining
//! depth and nothing that led here could draw the line; a value that a repetition or a move counter
//! influenced is not stored.

use super::{ExactNegamax, NO_HISTORY_PLY, Negamax, Node, NodePolicy};
use crate::game::{Evaluator, Move, Position, Score, Symmetry};
use crate::search::deepening::Driver;
use crate::search::ordering::{Ordering, Ranked, bring_best_forward};
use crate::search::ranking::Ranking;
use crate::search::stop::{Budget, Interrupted};
use crate::search::table::{Bound, Entry, NO_STATIC_EVAL};
use crate::search::{Algorithm, Task, Variation, losing_tie_break};

/// What the exact search keeps in mind: only what orders its moves.
pub(in crate::search) struct Exact<M> {
    ordering: Ordering,
    /// The moves of all nodes of the current path, the deepest node's last.
    moves: Vec<Ranked<M>>,
}

/// The deepest ply that a line may reach; the tie-break among losing moves uses the same search.
fn deepest<P: Position>(task: &Task<P>) -> u32 {
    task.limits.depth.max(losing_tie_break::HORIZON)
}

impl<P: Position, E: Evaluator<P>> NodePolicy<P, E> for Exact<P::Move> {
    fn new(task: &Task<P>, _: &E) -> Self {
        Self { ordering: Ordering::new(deepest(task), P::Move::INDICES), moves: Vec::new() }
    }

    /// A loss that a selective search has seen beyond its depth is played out by this one.
    fn deepest(task: &Task<P>) -> u32 {
        deepest(task)
    }

    fn rewind(&mut self) {
        self.moves.clear();
    }

    fn value(
        search: &mut Negamax<'_, '_, P, E, Self>,
        position: &P,
        node: Node,
    ) -> Result<Score, Interrupted> {
        match node.depth {
            0 => Ok(Score::heuristic(search.evaluator.score(position))),
            1 => search.frontier(position, node),
            _ => search.interior(position, node),
        }
    }
}

impl<P: Position, E: Evaluator<P>> ExactNegamax<'_, '_, P, E> {
    /// One ply above the horizon. Neither the table nor move ordering saves anything here.
    fn frontier(&mut self, position: &P, node: Node) -> Result<Score, Interrupted> {
        let mut best = -Score::INFINITE;
        self.enter(position);
        for mv in position.legal_moves() {
            let alpha = node.alpha.max(best);
            self.budget.visit()?;
            let score = -self.value(&position.play(mv), node.child(alpha, node.beta))?;
            if score > best {
                best = score;
                if score > alpha && !node.is_null_window() {
                    self.pv.extend(node.ply, mv);
                }
                if score >= node.beta {
                    break;
                }
            }
        }
        self.leave();
        Ok(best)
    }

    /// Above the frontier: with the table around the moves.
    fn interior(&mut self, position: &P, mut node: Node) -> Result<Score, Interrupted> {
        if let Some(score) = node.beyond_window() {
            return Ok(score);
        }
        node.depth = position.plies_left().map_or(node.depth, |plies| plies.min(node.depth));
        let (key, symmetry) = position.canonical();
        let entry = self.table.get(key);
        if let Some(score) = entry.and_then(|entry| self.cut_off(position, node, entry)) {
            return Ok(score);
        }
        let start = self.policy.moves.len();
        self.rank_moves(position, node.ply, entry.map(|entry| (entry.move_index, symmetry)));
        let outside = std::mem::replace(&mut self.history_ply, NO_HISTORY_PLY);
        self.enter(position);
        let (best, mv) = self.best_of(position, node, start)?;
        self.leave();
        self.policy.moves.truncate(start);
        if self.history_ply >= node.ply {
            self.table.insert(Entry {
                key,
                score: best.seen_from(node.ply),
                move_index: P::transformed(mv, symmetry).move_index(),
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
impl<P: Position, E: Evaluator<P>> ExactNegamax<'_, '_, P, E> {
    /// The value of a node of a null window that the table settles. Nodes of an open window are
    /// always searched, so that the principal variation is complete.
    fn cut_off(&self, position: &P, node: Node, entry: Entry) -> Option<Score> {
        if !node.is_null_window() || !self.is_free_of_history(position, node.depth) {
            return None;
        }
        let score = entry.score.seen_from_root(node.ply);
        let at_least = entry.bound != Bound::Upper && score >= node.beta;
        let at_most = entry.bound != Bound::Lower && score <= node.alpha;
        // A win or a loss within the remaining depth holds whatever the depth of the entry.
        let ends_in_time = entry.score.plies().is_some_and(|plies| plies <= node.depth);
        let holds = u32::from(entry.depth) == node.depth
            || ends_in_time && (at_least && score.is_won() || at_most && score.is_lost());
        (holds && (at_least || at_most)).then_some(score)
    }

    /// Whether neither a repetition of what led here nor a move counter can matter within `depth`
    /// plies. A position comes back after four plies at the earliest.
    fn is_free_of_history(&self, position: &P, depth: u32) -> bool {
        let reach = if P::REPEATS { self.history.reach(position.reversible_plies()) } else { 0 };
        (reach == 0 || reach + depth < 4)
            && position.plies_to_draw().is_none_or(|plies| plies > depth)
    }

    /// Puts the moves of a node on the stack, each with its rank.
    fn rank_moves(&mut self, position: &P, ply: u32, known: Option<(u16, Symmetry)>) {
        let side = position.side_to_move();
        for mv in position.legal_moves() {
            let rank = match known {
                Some((move_index, symmetry))
                    if P::transformed(mv, symmetry).move_index() == move_index =>
                {
                    i32::MAX
                }
                _ => self.policy.ordering.rank(
                    mv,
                    self.evaluator.ordering_hint(position, mv),
                    side,
                    ply,
                ),
            };
            self.policy.moves.push(Ranked { mv, rank });
        }
    }

    /// The best value among the moves that lie on the stack from `start`, and its move.
    fn best_of(
        &mut self,
        position: &P,
        node: Node,
        start: usize,
    ) -> Result<(Score, P::Move), Interrupted> {
        let mut best = (-Score::INFINITE, self.policy.moves[start].mv);
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
                self.policy.ordering.cut_off(mv, position.side_to_move(), node.ply, node.depth);
                break;
            }
        }
        Ok(best)
    }

    /// Principal variation search: only the first move gets the whole window at once.
    fn move_value(
        &mut self,
        child: &P,
        node: Node,
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

impl<'b, P: Position, E: Evaluator<P>> Driver<'b, P::Move> for ExactNegamax<'_, 'b, P, E> {
    const ALGORITHM: Algorithm = Algorithm::AlphaBeta;

    fn budget(&mut self) -> &mut Budget<'b> {
        self.budget
    }

    fn iterate(&mut self, depth: u32) -> Result<Vec<Variation<P::Move>>, Interrupted> {
        self.rewind();
        let root = &self.task.position;
        let whole = Node { ply: 0, depth, alpha: -Score::INFINITE, beta: Score::INFINITE };
        let mut ranking = Ranking::new(self.task.wanted());
        self.enter(root);
        for tried in 0..self.root_moves.len() {
            let (place, mv) = self.root_moves[tried];
            let alpha = ranking.threshold(place);
            self.budget.visit_root_move(depth)?;
            let is_open = alpha == whole.alpha;
            let score = self.move_value(&root.play(mv), whole, alpha, is_open)?;
            if score > alpha {
                let continuation = self.line(1);
                let variation = Variation { mv, score, outcome: None, continuation };
                if ranking.insert(place, variation) {
                    self.root_moves[..=tried].rotate_right(1);
                }
            }
        }
        for place in ranking.places().rev() {
            self.root_moves.sort_by_key(|&(other, _)| other != place);
        }
        Ok(ranking.into_variations())
    }

    fn break_losing_tie(&mut self, variations: &mut Vec<Variation<P::Move>>) {
        losing_tie_break::break_losing_tie(self, variations);
    }
}

//! The root of the selective search: moves in the order of the last depth, in a window around the last value.

use super::state::SelectiveNegamax;
use crate::game::limits::{Budget, Interrupted, StoppedBy};
use crate::game::{Doubt, Position, Score, SelectiveHooks};
use crate::search::iterative_deepening::{Driver, Found};
use crate::search::negamax::SearchNode;
use crate::search::ranking::Ranking;
use crate::search::report::SearchVariation;
use crate::search::task::Algorithm;

/// The first depth with an aspiration window around the value of the last depth.
const MIN_ASPIRATION_DEPTH: u32 = 4;

impl<'b, P: Position, E: SelectiveHooks<P>> Driver<'b, P> for SelectiveNegamax<'_, 'b, P, E> {
    const ALGORITHM: Algorithm = Algorithm::Selective;
    const IS_EXACT: bool = false;

    fn budget(&mut self) -> &mut Budget<'b> {
        self.budget
    }

    fn table_usage(&self) -> Option<u16> {
        Some(self.table.usage())
    }

    /// Searches with aspiration windows (Slate and Atkin, *Chess 4.5*, 1977): the window lies around the value of the last
    /// depth, and widens where the value lies outside.
    fn iterate(&mut self, depth: u32) -> Result<Vec<SearchVariation<P::Move>>, Interrupted> {
        self.rewind();
        self.policy.found = None;
        self.history.enter(&self.task.position);
        let mut delta = self.policy.unit * E::PARAMETERS.aspiration / 1024;
        let mut node = self.window(depth, delta);
        loop {
            let variations = self.best_variations(node)?;
            let score = variations.first().map_or(node.alpha, |best| best.score);
            delta *= 2;
            if score <= node.alpha && node.alpha > -Score::INFINITE {
                node.alpha = widened(score, -delta);
            } else if score >= node.beta {
                node.beta = widened(score, delta);
            } else {
                self.policy.expected = Some(score);
                return Ok(variations);
            }
        }
    }

    fn found(&mut self) -> Option<Found<P::Move>> {
        self.policy.found.take()
    }
}

impl<P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'_, '_, P, E> {
    /// The root at `depth` with the first window.
    fn window(&self, depth: u32, delta: i32) -> SearchNode {
        let expected = self
            .policy
            .expected
            .filter(|_| depth >= MIN_ASPIRATION_DEPTH && self.task.wanted() == 1);
        let (alpha, beta) = match expected {
            Some(score) => (widened(score, -delta), widened(score, delta)),
            None => (-Score::INFINITE, Score::INFINITE),
        };
        SearchNode { ply: 0, depth, alpha, beta }
    }

    /// The best root moves whose values lie above alpha.
    fn best_variations(
        &mut self,
        node: SearchNode,
    ) -> Result<Vec<SearchVariation<P::Move>>, Interrupted> {
        let root = &self.task.position;
        let is_forced = self.evaluator.doubts(root, Doubt::Forced);
        let tt = self.table.probe(root);
        self.evaluate(root, node, tt, is_forced);
        let mut ranking = Ranking::new(self.task.wanted());
        for tried in 0..self.root_moves.len() {
            let (_, mv) = self.root_moves[tried];
            let alpha = node.alpha.max(ranking.threshold(tried));
            self.budget.visit_root_move(node.depth)?;
            self.policy.step_mut(0).history_index = self.evaluator.history_index(root, mv);
            let child = root.play(mv);
            let open = SearchNode { alpha, ..node };
            let is_open = tried == 0 || self.task.exact;
            let score = if self.budget.is_late() {
                Err(Interrupted(StoppedBy::Time))
            } else {
                self.child_value(&child, open, 0, is_open)
            };
            let score = self.static_where_interrupted(score, &child, node.depth)?;
            if score > alpha {
                // Only a value inside the window comes with a line.
                let continuation = if score < node.beta { self.line(1) } else { Vec::new() };
                let variation = SearchVariation::new(mv, score, continuation);
                if self.task.wanted() == 1 {
                    self.policy.found =
                        Some(Found { variation: variation.clone(), is_bound: score >= node.beta });
                }
                if ranking.insert(tried, variation) {
                    self.root_moves[..=tried].rotate_right(1);
                }
                if score >= node.beta {
                    break;
                }
            }
        }
        let variations = ranking.into_variations();
        for variation in variations.iter().rev() {
            self.bring_forward(|&(_, mv)| mv == variation.mv);
        }
        Ok(variations)
    }

    /// The value of a root move whose `child` was searched; the static value where a limit has interrupted depth 1.
    fn static_where_interrupted(
        &mut self,
        searched: Result<Score, Interrupted>,
        child: &P,
        depth: u32,
    ) -> Result<Score, Interrupted> {
        match searched {
            Err(interrupted) if depth == 1 => {
                self.budget.note_interruption(interrupted);
                self.rewind();
                self.history.enter(&self.task.position);
                self.pv.clear(1);
                Ok(-self.static_end(child, 1))
            }
            searched => searched,
        }
    }

    /// The value of a position at `ply` without a look at its moves, and past the deadline without tables.
    fn static_end(&mut self, position: &P, ply: u32) -> Score {
        if let Some(outcome) = position.outcome() {
            Score::of_end(position, outcome, ply)
        } else if self.is_drawn_by_history(position) {
            Score::DRAWN
        } else {
            let known = if self.budget.is_late() { None } else { self.known_end(position, ply) };
            known.unwrap_or_else(|| self.static_value(position))
        }
    }
}

/// A score moved by `by`. Beyond the heuristic scores the window is open.
fn widened(score: Score, by: i32) -> Score {
    let number = score.number() + by;
    let moved = Score::heuristic(number);
    if moved.number() == number {
        moved
    } else if by > 0 {
        Score::INFINITE
    } else {
        -Score::INFINITE
    }
}

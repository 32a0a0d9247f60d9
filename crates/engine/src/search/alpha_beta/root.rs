//! The root of alpha-beta: it tries the best moves of the last depth first.

use super::AlphaBeta;
use crate::game::limits::{Budget, Interrupted};
use crate::game::{Evaluator, Position, Score};
use crate::search::iterative_deepening::Driver;
use crate::search::negamax::SearchNode;
use crate::search::ranking::Ranking;
use crate::search::report::SearchVariation;
use crate::search::task::Algorithm;

impl<'b, P: Position, E: Evaluator<P>> Driver<'b, P> for AlphaBeta<'_, 'b, P, E> {
    const ALGORITHM: Algorithm = Algorithm::AlphaBeta;

    fn budget(&mut self) -> &mut Budget<'b> {
        self.budget
    }

    fn table_usage(&self) -> Option<u16> {
        Some(self.table.usage())
    }

    fn iterate(&mut self, depth: u32) -> Result<Vec<SearchVariation<P::Move>>, Interrupted> {
        self.rewind();
        let root = &self.task.position;
        let whole = SearchNode { ply: 0, depth, alpha: -Score::INFINITE, beta: Score::INFINITE };
        let mut ranking = Ranking::new(self.task.wanted());
        self.history.enter(root);
        for tried in 0..self.root_moves.len() {
            let (place, mv) = self.root_moves[tried];
            let alpha = ranking.threshold(place);
            self.budget.visit_root_move(depth)?;
            let is_open = alpha == whole.alpha;
            let score = self.move_value(&root.play(mv), whole, alpha, is_open)?;
            if score > alpha {
                let continuation = self.line(1);
                let variation = SearchVariation::new(mv, score, continuation);
                if ranking.insert(place, variation) {
                    self.root_moves[..=tried].rotate_right(1);
                }
            }
        }
        for place in ranking.places().rev() {
            self.bring_forward(|&(other, _)| other == place);
        }
        Ok(ranking.into_variations())
    }
}

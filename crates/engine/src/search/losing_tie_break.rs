//! The tie-break among losing moves, which avoids 'surrender'.
//!
//! A player that knows every move to lose has no reason to prefer one, and by the naive rule seems
//! to give up (Stephens, *Ready-to-run Visual Basic Algorithms*, chapter 8). There are two parts.
//! The order of [`Score`] prefers a loss in more plies. The other part is here: of the moves that hold out longest, take
//! the one after which the fewest replies keep the opponent's fastest win, so that the opponent has the most chances
//! to go wrong.

use super::alpha_beta::{AlphaBeta, TIE_BREAK_PLIES};
use super::negamax::SearchNode;
use super::report::SearchVariation;
use super::task::Task;
use crate::game::limits::{Budget, Interrupted};
use crate::game::{Evaluator, Outcome, Position, Score};

/// Of the moves that hold out longest, puts the one first after which the fewest replies keep the fastest win. An
/// interruption leaves the order unchanged, and is noted in the budget.
pub(super) fn break_tie<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    variations: &mut Vec<SearchVariation<P::Move>>,
) {
    let Some(plies) = near_loss(variations) else { return };
    match AlphaBeta::of_few_plies(task, evaluator, budget).hardest(plies) {
        Ok(Some(hardest)) => put_first(variations, hardest),
        Ok(None) => {}
        Err(interrupted) => budget.note_interruption(interrupted),
    }
}

/// The plies of the best move, if it loses in more than one ply and at most [`TIE_BREAK_PLIES`]. In longer losses the
/// order of moves decides.
pub(super) fn near_loss<M>(variations: &[SearchVariation<M>]) -> Option<u32> {
    let score = variations[0].score;
    score.plies().filter(|plies| score.is_lost() && (2..=TIE_BREAK_PLIES).contains(plies))
}

/// Puts a move first, before the others or in place of the last one.
pub(super) fn put_first<M: PartialEq>(
    variations: &mut Vec<SearchVariation<M>>,
    first: SearchVariation<M>,
) {
    let wanted = variations.len();
    variations.retain(|variation| variation.mv != first.mv);
    variations.insert(0, first);
    variations.truncate(wanted);
}

/// The parts of the tie-break, at a root that is lost in `plies` after every move.
impl<P: Position, E: Evaluator<P>> AlphaBeta<'_, '_, P, E> {
    /// The move with the fewest winning replies, the first of equals, and the line that is expected after it; `None` without a
    /// choice.
    fn hardest(&mut self, plies: u32) -> Result<Option<SearchVariation<P::Move>>, Interrupted> {
        let root = &self.task.position;
        self.history.enter(root);
        let mut longest = Vec::new();
        for mv in self.task.root_moves() {
            let child = root.play(mv);
            self.budget.visit()?;
            if self.holds_out(&child, plies)? {
                longest.push((mv, child));
            }
        }
        if longest.len() < 2 {
            return Ok(None);
        }
        // Where a side may lose by its own move, a loss may come one ply sooner than `holds_out` looks.
        while !longest.is_empty() {
            let fewest = self.fewest_replies(&longest, plies)?;
            let (mv, child) = longest.remove(fewest);
            let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            let score =
                -self.value(&child, SearchNode { ply: 1, depth: plies - 1, alpha, beta })?;
            if score == Score::lost_in(plies) {
                let (outcome, continuation) = (Some(Outcome::Loss), self.line(1));
                let variation = SearchVariation::new(mv, score, continuation);
                return Ok(Some(SearchVariation { outcome, ..variation }));
            }
        }
        Ok(None)
    }

    /// The place of the move with the fewest winning replies, the first of equals.
    fn fewest_replies(&mut self, moves: &[(P::Move, P)], plies: u32) -> Result<usize, Interrupted> {
        let (mut fewest, mut best) = (usize::MAX, 0);
        for (place, (_, child)) in moves.iter().enumerate() {
            let replies = self.winning_replies(child, plies, fewest)?;
            if replies < fewest {
                (fewest, best) = (replies, place);
            }
        }
        Ok(best)
    }

    /// Whether the opponent, to move in `child`, needs all the `plies` to win.
    fn holds_out(&mut self, child: &P, plies: u32) -> Result<bool, Interrupted> {
        if child.outcome().is_some() || plies < 4 {
            return Ok(child.outcome().is_none());
        }
        let sooner = Score::won_in(plies - 2);
        let node =
            SearchNode { ply: 1, depth: plies - 3, alpha: sooner.predecessor(), beta: sooner };
        Ok(self.value(child, node)? < sooner)
    }

    /// The number of replies in `child` that keep the fastest win, counted up to `enough`.
    fn winning_replies(
        &mut self,
        child: &P,
        plies: u32,
        enough: usize,
    ) -> Result<usize, Interrupted> {
        let in_time = Score::lost_in(plies);
        let node =
            SearchNode { ply: 2, depth: plies - 2, alpha: in_time, beta: in_time.successor() };
        let mut replies = 0;
        self.history.enter(child);
        for reply in child.legal_moves() {
            if replies >= enough {
                break;
            }
            self.budget.visit()?;
            replies += usize::from(self.value(&child.play(reply), node)? <= in_time);
        }
        self.history.leave::<P>();
        Ok(replies)
    }
}

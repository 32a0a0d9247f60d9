//! The tie-break among losing moves, which avoids 'surrender'.
//!
//! A player that knows every move to lose has no reason to prefer one, and by the naive rule seems
//! to give up (Stephens, *Ready-to-run Visual Basic Algorithms*, chapter 8). There are two parts.
//! That a loss in more plies weighs more is the order of [`Score`] itself. The other part is here:
//! of the moves that hold out longest, take the one that leaves the opponent the fewest replies
//! that keep its fastest win, so that it has the most chances to go wrong.

use super::alpha_beta::{AlphaBeta, TIE_BREAK_PLIES};
use super::limits::{Budget, Interrupted};
use super::negamax::Node;
use super::report::Variation;
use super::task::Task;
use crate::game::{Evaluator, Outcome, Position, Score};

/// As [`break_tie_with`], with a search of its own.
pub(super) fn break_tie<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    variations: &mut Vec<Variation<P::Move>>,
) {
    break_tie_with(&mut AlphaBeta::of_few_plies(task, evaluator, budget), variations);
}

/// Puts first, of the moves that hold out longest, the one after which the fewest replies keep the fastest
/// win. Losses further off than [`TIE_BREAK_PLIES`] are left to the order of moves. An interruption leaves the
/// order as it is, and is noted.
pub(super) fn break_tie_with<P: Position, E: Evaluator<P>>(
    negamax: &mut AlphaBeta<'_, '_, P, E>,
    variations: &mut Vec<Variation<P::Move>>,
) {
    let Some(plies @ 2..=TIE_BREAK_PLIES) = variations[0].score.plies() else { return };
    negamax.rewind();
    match (LosingTieBreak { negamax, plies }).hardest() {
        Ok(Some(hardest)) => put_first(variations, hardest),
        Ok(None) => {}
        Err(interrupted) => negamax.budget.note_interruption(interrupted),
    }
}

/// Puts a move first, before the others or in the place of the last.
pub(super) fn put_first<M: PartialEq>(variations: &mut Vec<Variation<M>>, first: Variation<M>) {
    let wanted = variations.len();
    variations.retain(|variation| variation.mv != first.mv);
    variations.insert(0, first);
    variations.truncate(wanted);
}

/// A root that is lost in `plies` plies, whatever it plays.
struct LosingTieBreak<'n, 'a, 'b, P: Position, E> {
    negamax: &'n mut AlphaBeta<'a, 'b, P, E>,
    plies: u32,
}

impl<P: Position, E: Evaluator<P>> LosingTieBreak<'_, '_, '_, P, E> {
    /// The move with the fewest winning replies, the first of equals; none where there is no choice.
    fn hardest(&mut self) -> Result<Option<Variation<P::Move>>, Interrupted> {
        let root = &self.negamax.task.position;
        self.negamax.history.enter(root);
        let mut candidates = Vec::new();
        for mv in self.negamax.task.root_moves() {
            let child = root.play(mv);
            self.negamax.budget.visit()?;
            if self.holds_out(&child)? {
                candidates.push((mv, child));
            }
        }
        if candidates.len() < 2 {
            return Ok(None);
        }
        let mut hardest: Option<(usize, P::Move, P)> = None;
        for (mv, child) in candidates {
            let fewest = hardest.as_ref().map_or(usize::MAX, |&(replies, ..)| replies);
            let replies = self.winning_replies(&child, fewest)?;
            if replies < fewest {
                hardest = Some((replies, mv, child));
            }
        }
        hardest.map(|(_, mv, child)| self.played_out(mv, &child)).transpose()
    }

    /// Whether the opponent, to move in `child`, needs all the plies there are.
    fn holds_out(&mut self, child: &P) -> Result<bool, Interrupted> {
        if child.outcome().is_some() || self.plies < 4 {
            return Ok(self.plies < 4);
        }
        let sooner = Score::won_in(self.plies - 2);
        let node =
            Node { ply: 1, depth: self.plies - 3, alpha: sooner.predecessor(), beta: sooner };
        Ok(self.negamax.value(child, node)? < sooner)
    }

    /// How many replies in `child` keep the fastest win, counted up to `enough`.
    fn winning_replies(&mut self, child: &P, enough: usize) -> Result<usize, Interrupted> {
        let in_time = Score::lost_in(self.plies);
        let node =
            Node { ply: 2, depth: self.plies - 2, alpha: in_time, beta: in_time.successor() };
        let mut replies = 0;
        self.negamax.history.enter(child);
        for reply in child.legal_moves() {
            if replies >= enough {
                break;
            }
            self.negamax.budget.visit()?;
            replies += usize::from(self.negamax.value(&child.play(reply), node)? <= in_time);
        }
        self.negamax.history.leave::<P>();
        Ok(replies)
    }

    /// The move with the line that is expected after it.
    fn played_out(&mut self, mv: P::Move, child: &P) -> Result<Variation<P::Move>, Interrupted> {
        let node =
            Node { ply: 1, depth: self.plies - 1, alpha: -Score::INFINITE, beta: Score::INFINITE };
        let score = -self.negamax.value(child, node)?;
        let continuation = self.negamax.line(1);
        Ok(Variation { mv, score, outcome: Some(Outcome::Loss), continuation })
    }
}

//! Iterative deepening, which minimax and negamax share.

use super::stop::{Budget, Interrupted, StoppedBy};
use super::{Algorithm, Report, Task};
use crate::game::{Outcome, Position, Score};

/// The best root move of a completed depth.
#[derive(Clone, Debug)]
pub(super) struct Best<M> {
    /// The move.
    pub mv: M,
    /// The value of the root.
    pub score: Score,
    /// The line that is expected after the move.
    pub continuation: Vec<M>,
}

impl<M: Copy> Best<M> {
    /// The report of a search that found this at `depth`.
    pub(super) fn into_report(
        self,
        outcome: Option<Outcome>,
        algorithm: Algorithm,
        depth: u32,
        nodes: u64,
    ) -> Report<M> {
        let mut principal_variation = self.continuation;
        principal_variation.insert(0, self.mv);
        Report {
            best_move: self.mv,
            score: self.score,
            outcome,
            principal_variation,
            algorithm,
            depth,
            nodes,
            stopped_by: if outcome.is_some() { StoppedBy::Solved } else { StoppedBy::Depth },
        }
    }
}

/// A search that looks at the root one depth at a time.
pub(super) trait Driver<'b, M> {
    /// Its name in the report.
    const ALGORITHM: Algorithm;

    /// What it may spend.
    fn budget(&mut self) -> &mut Budget<'b>;

    /// Searches the root to `depth`.
    fn iterate(&mut self, depth: u32) -> Result<Best<M>, Interrupted>;

    /// Exchanges a move that loses soon for the one of its equals that resists best.
    fn resist(&mut self, best: Best<M>) -> Best<M>;
}

/// Deepens until a limit is reached or nothing deeper can change the answer.
pub(super) fn deepen<'b, P: Position, D: Driver<'b, P::Move>>(
    task: &Task<P>,
    driver: &mut D,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let Ok(first) = driver.iterate(1) else {
        unreachable!("nothing interrupts a budget before it is armed");
    };
    driver.budget().arm();
    let mut report = completed(task, driver, first, 1);
    observer(&report);
    while report.outcome.is_none() && report.depth < task.limits.depth {
        match driver.iterate(report.depth + 1) {
            Ok(best) => report = completed(task, driver, best, report.depth + 1),
            Err(Interrupted(stopped_by)) => {
                return Report { stopped_by, nodes: driver.budget().nodes(), ..report };
            }
        }
        observer(&report);
    }
    report
}

/// The report of a depth that the driver has completed.
fn completed<'b, P: Position, D: Driver<'b, P::Move>>(
    task: &Task<P>,
    driver: &mut D,
    mut best: Best<P::Move>,
    depth: u32,
) -> Report<P::Move> {
    let outcome = proven(task, best.score, depth);
    if outcome == Some(Outcome::Loss) {
        best = driver.resist(best);
    }
    best.into_report(outcome, D::ALGORITHM, depth, driver.budget().nodes())
}

/// The outcome that `score` proves after a search of `depth` plies. A win or a loss proves itself;
/// a draw is proven by a complete tree.
fn proven<P: Position>(task: &Task<P>, score: Score, depth: u32) -> Option<Outcome> {
    if score.is_won() {
        Some(Outcome::Win)
    } else if score.is_lost() {
        Some(Outcome::Loss)
    } else if score == Score::DRAWN && is_complete_below_root(task, depth) {
        Some(Outcome::Draw)
    } else {
        None
    }
}

/// How many positions are looked at to find the tree complete; one that is larger counts as
/// incomplete. Complete trees are rare, and small where a search has not solved them by a win.
const PATIENCE: u32 = 10_000;

fn is_complete_below_root<P: Position>(task: &Task<P>, depth: u32) -> bool {
    if let Some(plies) = task.position.plies_left() {
        return plies <= depth;
    }
    let mut patience = PATIENCE;
    let mut children = task.root_moves().into_iter().map(|mv| task.position.play(mv));
    children.all(|child| is_complete(&child, depth - 1, &mut patience))
}

/// Whether every line ends the game within `depth` plies, none of them by a move counter. (None
/// can end by a repetition: it could be repeated until the horizon.)
fn is_complete<P: Position>(position: &P, depth: u32, patience: &mut u32) -> bool {
    if position.outcome().is_some() {
        return true;
    }
    if depth == 0 || *patience == 0 || position.plies_to_draw() == Some(0) {
        return false;
    }
    *patience -= 1;
    let mut moves = position.legal_moves().into_iter();
    moves.all(|mv| is_complete(&position.play(mv), depth - 1, patience))
}

//! Iterative deepening, which minimax, alpha-beta and the selective search share.

use super::losing_tie_break::break_tie;
use super::report::{Report, SearchVariation, proven, proven_margin};
use super::root_probe::extend_line;
use super::task::{Algorithm, Task};
use crate::game::limits::{Budget, Interrupted, StoppedBy};
use crate::game::{Evaluator, Outcome, Position, Score};

/// A search that can search the root to a given depth.
pub(super) trait Driver<'b, P: Position> {
    /// The algorithm that the report names.
    const ALGORITHM: Algorithm;

    /// Whether values are those of the whole tree, and the distances of wins and losses exact.
    const IS_EXACT: bool = true;

    /// The budget of the search.
    fn budget(&mut self) -> &mut Budget<'b>;

    /// The best moves of the root at `depth`, as many as the task wants, the best first. Depth 1 is never interrupted: after
    /// a limit is reached, the positions after the remaining root moves are evaluated statically.
    fn iterate(&mut self, depth: u32) -> Result<Vec<SearchVariation<P::Move>>, Interrupted>;

    /// The used share of the transposition table, in the form of the report.
    fn table_usage(&self) -> Option<u16> {
        None
    }

    /// The best root move among those that an interrupted [`iterate`](Self::iterate) has searched, if its value lies above
    /// the lower end of the window.
    fn found(&mut self) -> Option<Found<P::Move>> {
        None
    }
}

/// A root move of an iteration that a limit has interrupted.
pub(super) struct Found<M> {
    pub variation: SearchVariation<M>,
    /// Whether the score is a lower bound, since it lies above the window.
    pub is_bound: bool,
}

/// Deepens until a limit is reached or nothing deeper can change the answer.
pub(super) fn deepen<'b, P: Position, E: Evaluator<P>, D: Driver<'b, P>>(
    task: &Task<P>,
    evaluator: &E,
    driver: &mut D,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let Ok(first) = driver.iterate(1) else {
        unreachable!("no limit interrupts depth 1");
    };
    let mut report = completed(task, evaluator, driver, first, 1);
    observer(&report);
    while report.stopped_by == StoppedBy::Depth && report.depth < task.limits.depth {
        if task.limits.soft_nodes.is_some_and(|enough| report.nodes >= enough) {
            return Report { stopped_by: StoppedBy::Nodes, ..report };
        }
        match driver.iterate(report.depth + 1) {
            Ok(variations) => {
                report = completed(task, evaluator, driver, variations, report.depth + 1);
            }
            Err(Interrupted(stopped_by)) => {
                // Only all moves together prove a loss, and the iteration has not searched all.
                let found = driver.found().filter(|found| !found.variation.score.is_lost());
                if let Some(Found { variation, is_bound }) = found {
                    report = completed(task, evaluator, driver, vec![variation], report.depth);
                    report.is_bound = is_bound && report.outcome.is_none();
                }
                let (nodes, table_usage) = (driver.budget().nodes(), driver.table_usage());
                return Report { nodes, table_usage, stopped_by, ..report };
            }
        }
        observer(&report);
    }
    report
}

/// The report of a completed depth: with proven outcomes, after the tie-break among losing moves, with lines continued by
/// tables.
fn completed<'b, P: Position, E: Evaluator<P>, D: Driver<'b, P>>(
    task: &Task<P>,
    evaluator: &E,
    driver: &mut D,
    mut variations: Vec<SearchVariation<P::Move>>,
    depth: u32,
) -> Report<P::Move> {
    let mut walk = Walk::new(driver.budget());
    for variation in &mut variations {
        let child = task.position.play(variation.mv);
        let mut is_complete = || D::IS_EXACT && walk.covers(&child, depth - 1);
        variation.outcome = proven(variation.score, &mut is_complete);
        variation.margin = margin::<P>(variation.score, variation.outcome, is_complete);
    }
    let mut is_complete = || D::IS_EXACT && walk.covers_below_root(task, depth);
    let outcome = proven(variations[0].score, &mut is_complete);
    let margin = margin::<P>(variations[0].score, outcome, is_complete);
    break_tie(task, evaluator, driver.budget(), &mut variations);
    for variation in &mut variations {
        // The line of a win or a loss that ends before the game ends at a position of a book or a table.
        if variation.score.plies().is_some_and(|plies| plies > variation.plies()) {
            extend_line(task, evaluator, driver.budget(), variation);
        }
    }
    let is_solved = outcome.is_some()
        && (P::PROPERTIES.margin_step == 0 || margin.is_some())
        && variations.iter().all(|known| match P::PROPERTIES.margin_step {
            0 => known.outcome.is_some() && (D::IS_EXACT || known.score.plies() <= Some(depth)),
            _ => known.margin.is_some(),
        });
    let table_usage = driver.table_usage();
    let report = Report::new(task, driver.budget(), variations, is_solved);
    Report { outcome, margin, algorithm: D::ALGORITHM, depth, table_usage, ..report }
}

/// The margin that a score proves, where the tree below it is complete.
fn margin<P: Position>(
    score: Score,
    outcome: Option<Outcome>,
    is_complete: impl FnOnce() -> bool,
) -> Option<i32> {
    outcome.and_then(|outcome| proven_margin::<P>(score, outcome)).filter(|_| is_complete())
}

/// A walk over a tree, to find out whether it is complete: whether every line ends the game. A tree that is too large, or
/// not walked when the time is up, counts as incomplete. Complete trees are rare, and small unless a
/// search has solved them by a win.
pub(super) struct Walk<'w, 'b> {
    budget: &'w mut Budget<'b>,
    /// The number of positions that may still be visited below one position.
    left: u32,
}

impl<'w, 'b> Walk<'w, 'b> {
    /// The greatest number of positions that are visited below one position.
    const MOST: u32 = 10_000;

    /// A walk that ends when the time of `budget` is up.
    pub(super) fn new(budget: &'w mut Budget<'b>) -> Self {
        Self { budget, left: 0 }
    }

    /// Whether every line from the root ends the game within `depth` plies.
    pub(super) fn covers_below_root<P: Position>(&mut self, task: &Task<P>, depth: u32) -> bool {
        self.left = Self::MOST;
        let mut children = task.root_moves().into_iter().map(|mv| task.position.play(mv));
        children.all(|child| self.is_complete(&child, depth - 1))
    }

    /// Whether every line from `position` ends the game within `depth` plies, and no line by a move counter. (No line can end
    /// by a repetition, which could be repeated until the horizon.)
    pub(super) fn covers<P: Position>(&mut self, position: &P, depth: u32) -> bool {
        self.left = Self::MOST;
        self.is_complete(position, depth)
    }

    fn is_complete<P: Position>(&mut self, position: &P, depth: u32) -> bool {
        if ends_within(position, depth) {
            return true;
        }
        let may_end = P::PROPERTIES.passes || position.plies_left().is_none();
        let may_go_on = depth > 0 && self.left > 0 && may_end;
        if !may_go_on || position.plies_to_draw() == Some(0) {
            return false;
        }
        if let Err(interrupted) = self.budget.check() {
            self.budget.note_interruption(interrupted);
            return false;
        }
        self.left -= 1;
        let mut moves = position.legal_moves().into_iter();
        moves.all(|mv| self.is_complete(&position.play(mv), depth - 1))
    }
}

/// Whether the game ends within `depth` plies, as far as the rules tell without a look at moves.
pub(super) fn ends_within<P: Position>(position: &P, depth: u32) -> bool {
    position.outcome().is_some() || position.plies_left().is_some_and(|plies| plies <= depth)
}

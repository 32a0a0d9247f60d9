//! Iterative deepening, which minimax and negamax share.

use super::stop::{Budget, Interrupted, StoppedBy};
use super::{Algorithm, Report, Source, Task, Variation};
use crate::game::{Outcome, Position, Score};

/// A search that looks at the root one depth at a time.
pub(super) trait Driver<'b, M> {
    /// Its name in the report.
    const ALGORITHM: Algorithm;

    /// Whether its values are those of the whole tree, and its wins and losses as near as they are.
    const IS_EXACT: bool = true;

    /// What it may spend.
    fn budget(&mut self) -> &mut Budget<'b>;

    /// The best moves of the root at `depth`, as many as the task wants, the best first.
    fn iterate(&mut self, depth: u32) -> Result<Vec<Variation<M>>, Interrupted>;

    /// The best root move that an interrupted [`iterate`](Self::iterate) has found, if it has shown to
    /// be better than all before it.
    fn found(&mut self) -> Option<Variation<M>> {
        None
    }

    /// Puts first, where the side to move loses soon, the move that resists best.
    fn resist(&mut self, variations: &mut Vec<Variation<M>>);

    /// Continues the line of a proven win or loss below a position that a book or a table knows, whose
    /// search has ended there.
    fn extend(&mut self, _: &mut Variation<M>) -> Result<(), Interrupted> {
        Ok(())
    }
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
    while report.stopped_by != StoppedBy::Solved && report.depth < task.limits.depth {
        match driver.iterate(report.depth + 1) {
            Ok(variations) => report = completed(task, driver, variations, report.depth + 1),
            Err(Interrupted(stopped_by)) => {
                if let Some(found) = driver.found() {
                    report = completed(task, driver, vec![found], report.depth);
                }
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
    mut variations: Vec<Variation<P::Move>>,
    depth: u32,
) -> Report<P::Move> {
    for variation in &mut variations {
        let child = task.position.play(variation.mv);
        variation.outcome = proven(variation.score, || {
            D::IS_EXACT && is_complete(&child, depth - 1, &mut { PATIENCE })
        });
    }
    let outcome =
        proven(variations[0].score, || D::IS_EXACT && is_complete_below_root(task, depth));
    if outcome == Some(Outcome::Loss) {
        driver.resist(&mut variations);
    }
    let extended = variations.iter_mut().try_for_each(|variation| driver.extend(variation));
    let is_final = |known: &Variation<_>| {
        known.outcome.is_some() && (D::IS_EXACT || known.score.plies() <= Some(depth))
    };
    let solved = outcome.is_some() && variations.iter().all(is_final);
    Report {
        variations,
        outcome,
        algorithm: D::ALGORITHM,
        source: Source::Search,
        depth,
        nodes: driver.budget().nodes(),
        stopped_by: match extended {
            Err(Interrupted(stopped_by)) => stopped_by,
            Ok(()) if solved => StoppedBy::Solved,
            Ok(()) => StoppedBy::Depth,
        },
    }
}

/// The outcome that `score` proves. A win or a loss proves itself; a draw is proven by a complete
/// tree.
pub(super) fn proven(score: Score, is_complete: impl FnOnce() -> bool) -> Option<Outcome> {
    if score.is_won() {
        Some(Outcome::Win)
    } else if score.is_lost() {
        Some(Outcome::Loss)
    } else if score == Score::DRAWN && is_complete() {
        Some(Outcome::Draw)
    } else {
        None
    }
}

/// How many positions are looked at to find a tree complete; one that is larger counts as
/// incomplete. Complete trees are rare, and small where a search has not solved them by a win.
const PATIENCE: u32 = 10_000;

pub(super) fn is_complete_below_root<P: Position>(task: &Task<P>, depth: u32) -> bool {
    let mut patience = PATIENCE;
    let mut children = task.root_moves().into_iter().map(|mv| task.position.play(mv));
    children.all(|child| is_complete(&child, depth - 1, &mut patience))
}

/// Whether every line ends the game within `depth` plies, none of them by a move counter. (None
/// can end by a repetition: it could be repeated until the horizon.)
pub(super) fn is_complete<P: Position>(position: &P, depth: u32, patience: &mut u32) -> bool {
    if position.outcome().is_some() || position.plies_left().is_some_and(|plies| plies <= depth) {
        return true;
    }
    let may_go_on = depth > 0 && *patience > 0 && position.plies_left().is_none();
    if !may_go_on || position.plies_to_draw() == Some(0) {
        return false;
    }
    *patience -= 1;
    let mut moves = position.legal_moves().into_iter();
    moves.all(|mv| is_complete(&position.play(mv), depth - 1, patience))
}

//! The proof of near wins and losses at the end of a selective search without limits. The proof is an alpha-beta search that
//! values nothing but the end of the game. It tells what the pruning of the selective search hides, such as a mate by
//! zugzwang.

use super::alpha_beta::AlphaBeta;
use super::iterative_deepening::deepen;
use super::report::Report;
use super::search_run::SearchRun;
use super::task::Task;
use crate::game::limits::{SearchLimits, StoppedBy};
use crate::game::{Evaluator, Known, Outcome, Position, Question, Side};

/// An evaluator that values nothing but the end of the game. Other positions are a little better for the first side, so that
/// they are no draws.
struct EndsAlone<'a, E>(&'a E);

impl<P: Position, E: Evaluator<P>> Evaluator<P> for EndsAlone<'_, E> {
    type Accumulator = ();

    fn score(&self, position: &P) -> i32 {
        match position.side_to_move() {
            Side::First => 1,
            Side::Second => -1,
        }
    }

    fn known(&self, position: &P, question: Question) -> Option<Known<P::Move>> {
        self.0.known(position, question)
    }

    fn ordering_hint(&self, position: &P, mv: P::Move) -> i32 {
        self.0.ordering_hint(position, mv)
    }
}

/// The most positions after two plies of a proof. Middle games of chess have more, endings and positions with a side that can
/// hardly move have fewer.
const MOST_AFTER_TWO_PLIES: usize = 500;

/// The positions after two plies, a measure of the size of the proof.
fn positions_after_two_plies<P: Position>(task: &Task<P>) -> usize {
    let children = task.root_moves().into_iter().map(|mv| task.position.play(mv));
    children.map(|child| child.legal_moves().into_iter().count()).sum()
}

/// The report of a selective search, with the win or the loss that the proof finds where the search has found none.
pub(super) fn with_near_ends<P: Position, E: Evaluator<P>>(
    SearchRun { task, evaluator, budget, observer }: SearchRun<P, E>,
    report: Report<P::Move>,
) -> Report<P::Move> {
    let is_open = task.limits.proof_nodes.is_some()
        && report.outcome.is_none()
        && report.stopped_by == StoppedBy::Depth
        && positions_after_two_plies(task) <= MOST_AFTER_TWO_PLIES;
    let Some(nodes) = task.limits.proof_nodes.filter(|_| is_open) else { return report };
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::depth(report.depth) };
    let proof_task = Task { limits, ..task.clone() };
    let evaluator = EndsAlone(evaluator);
    budget.hold_back_all_but(nodes);
    let mut search = AlphaBeta::new(&proof_task, &evaluator, budget);
    let proof = deepen(&proof_task, &evaluator, &mut search, &mut |_| ());
    budget.release();
    let mut variations = proof.variations;
    match proof.outcome {
        Some(Outcome::Win) => {
            variations.retain(|variation| variation.outcome == Some(Outcome::Win));
            let wins: Vec<_> = variations.iter().map(|variation| variation.mv).collect();
            variations.extend(report.variations.into_iter().filter(|it| !wins.contains(&it.mv)));
            variations.truncate(task.top);
        }
        Some(Outcome::Loss) => {}
        _ => return Report { nodes: budget.nodes(), ..report },
    }
    let is_solved = variations.iter().all(|variation| variation.outcome.is_some());
    let stopped_by = if is_solved { StoppedBy::Solved } else { report.stopped_by };
    let (outcome, nodes) = (proof.outcome, budget.nodes());
    let report = Report { variations, outcome, nodes, stopped_by, ..report };
    observer(&report);
    report
}

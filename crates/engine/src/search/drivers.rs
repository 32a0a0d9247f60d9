//! The deepening searches, each with what follows a completed depth: the tie-break among losing moves, and the
//! continuation of proven lines.

use super::alpha_beta::AlphaBeta;
use super::iterative_deepening::deepen;
use super::limits::Budget;
use super::line_extension::extend_found;
use super::losing_tie_break::{break_tie, break_tie_with};
use super::minimax::Minimax;
use super::negamax::Negamax;
use super::report::Report;
use super::selective::SelectiveNegamax;
use super::task::Task;
use crate::game::{Evaluator, Outcome, Position, SelectiveHooks};

pub(super) fn minimax<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let mut minimax = Minimax::new(task, evaluator, budget);
    let finish = |minimax: &mut Minimax<'_, '_, P, E>, outcome, variations: &mut _| {
        if outcome == Some(Outcome::Loss) {
            break_tie(task, evaluator, minimax.budget, variations);
        }
    };
    deepen(task, &mut minimax, finish, observer)
}

pub(super) fn alpha_beta<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let mut negamax = AlphaBeta::<P, E>::new(task, evaluator, budget);
    let finish = |negamax: &mut AlphaBeta<'_, '_, P, E>, outcome, variations: &mut _| {
        if outcome == Some(Outcome::Loss) {
            break_tie_with(negamax, variations);
        }
    };
    deepen(task, &mut negamax, finish, observer)
}

pub(super) fn selective<P: Position, E: SelectiveHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let mut negamax = SelectiveNegamax::<P, E>::new(task, evaluator, budget);
    let finish = |Negamax { budget, .. }: &mut SelectiveNegamax<'_, '_, P, E>,
                  outcome,
                  variations: &mut Vec<_>| {
        if outcome == Some(Outcome::Loss) {
            break_tie(task, evaluator, budget, variations);
        }
        for variation in variations {
            extend_found(task, evaluator, budget, variation);
        }
    };
    deepen(task, &mut negamax, finish, observer)
}

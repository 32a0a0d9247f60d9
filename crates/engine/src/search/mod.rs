//! One search for every game.
//!
//! - `minimax` is the textbook's search without any pruning, the oracle of every test.
//! - `alpha-beta` finds the value and the move of `minimax` with fewer positions visited.
//! - `selective` looks deeper and prunes moves that are unlikely to matter.
//! - `solve` proves outcome and distance in a game that must end.
//!
//! A [`Task`] names the position, the limits and the algorithm; [`run`] answers with a [`Report`]. The root probe answers
//! where a book or a table knows the moves, else a search. Each depth of every search is followed by the tie-break
//! among losing moves and the continuation of lines that end in a table. [`build_tree`] shows the whole decision
//! tree of the textbook's search instead.
//!
//! The example `hexapawn.rs` searches a game of its own, which has rules and an evaluation and nothing else:
//!
//! ```
#![doc = include_str!("../../examples/hexapawn.rs")]
//! ```

mod alpha_beta;
mod iterative_deepening;
mod losing_tie_break;
mod minimax;
mod move_ordering;
mod near_ends;
mod negamax;
mod pv_table;
mod ranking;
mod report;
mod root_probe;
mod search_run;
mod selective;
mod solve;
mod task;
mod transposition_table;
mod tree;

use std::sync::atomic::AtomicBool;

use self::alpha_beta::AlphaBeta;
use self::iterative_deepening::deepen;
use self::minimax::Minimax;
pub use self::minimax::minimax;
use self::near_ends::with_near_ends;
pub use self::negamax::TIE_BREAK_MEMORY;
pub use self::report::{Report, SearchVariation, Source};
use self::search_run::SearchRun;
pub use self::selective::SearchTables;
use self::selective::SelectiveNegamax;
pub use self::solve::Solver;
pub(crate) use self::solve::{nodes_to_end, proof_nodes};
pub use self::task::{Algorithm, Task};
pub use self::tree::{Bound, SearchTree, TreeError, TreeNode, Tried, build_tree};
pub(crate) use crate::game::limits::Deadline;
pub use crate::game::limits::{SearchLimits, StoppedBy};
use crate::game::{Budget, Position, SelectiveHooks, SolverHooks};

/// The greatest number of bytes that the tables of a search may occupy.
pub const MOST_MEMORY: usize = solve::MOST_MEMORY + negamax::MOST_MEMORY;

/// The number of bytes that the tables of a search of `task` may occupy: at most [`MOST_MEMORY`].
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let task = |algorithm| Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(9), algorithm);
/// let memory = |algorithm| search::memory(&task(algorithm), &evaluator);
/// assert!(memory(Algorithm::Minimax) <= memory(Algorithm::Selective));
/// # Ok::<_, &str>(())
/// ```
#[must_use]
pub fn memory<P: Position, E: SolverHooks<P>>(task: &Task<P>, evaluator: &E) -> usize {
    match task.algorithm {
        Algorithm::Minimax => TIE_BREAK_MEMORY,
        Algorithm::AlphaBeta if task.limits.proof_nodes.is_none() => negamax::memory(task),
        Algorithm::Selective
            if solve::may_prove(task, evaluator) || solve::may_presearch(task, evaluator) =>
        {
            solve::memory(task) + TIE_BREAK_MEMORY
        }
        Algorithm::Selective => negamax::memory(task) + TIE_BREAK_MEMORY,
        Algorithm::AlphaBeta | Algorithm::Solve => solve::memory(task) + TIE_BREAK_MEMORY,
    }
}

/// Whether a selective search without limits for the best `moves` of a position begins with a proof.
pub(crate) fn is_proven_unasked<P: Position, E: SolverHooks<P>>(
    position: &P,
    evaluator: &E,
    moves: u64,
) -> bool {
    let nodes = proof_nodes(position, evaluator);
    nodes.is_some_and(|nodes| nodes.saturating_mul(moves) <= solve::MOST_UNASKED)
}

/// Answers from a book or a table, or searches until a limit is reached or no greater depth can change the answer.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let task = Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(9), Algorithm::Solve);
/// let report = search::run(&task, &evaluator);
/// assert_eq!(report.outcome, Some(bestmove_engine::game::Outcome::Draw));
/// assert_eq!(report.principal_variation().first(), Some(&report.best_move()));
/// # Ok::<_, &str>(())
/// ```
pub fn run<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
) -> Report<P::Move> {
    run_with_progress(task, evaluator, &AtomicBool::new(false), &mut |_| {})
}

/// As [`run`]; stops soon after `stop` is raised, and shows the `observer` every completed depth.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let task = Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(5), Algorithm::AlphaBeta);
/// let mut depths = Vec::new();
/// search::run_with_progress(&task, &evaluator, &false.into(), &mut |report| depths.push(report.depth));
/// assert_eq!(depths, [1, 2, 3, 4, 5]);
/// # Ok::<_, &str>(())
/// ```
pub fn run_with_progress<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let deadline = Deadline::after(task.limits.time, stop);
    run_until(task, evaluator, deadline, &mut SearchTables::default(), observer)
}

/// As [`run_with_progress`], until a deadline in place of the task's own time. A selective search goes on with `tables`, and
/// leaves its own there.
// Compiled once for each game, in this crate: never by those that call it.
#[inline(never)]
pub(crate) fn run_until<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    deadline: Deadline,
    tables: &mut SearchTables,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let budget = &mut Budget::new(task.limits.nodes, deadline);
    if let Some(report) = root_probe::answer(task, evaluator, budget) {
        observer(&report);
        return report;
    }
    let mut run = SearchRun { task, evaluator, budget, observer };
    match task.algorithm {
        Algorithm::Minimax => {
            deepen(task, evaluator, &mut Minimax::new(task, evaluator, run.budget), run.observer)
        }
        Algorithm::AlphaBeta => {
            if let Some(report) = run.short_proof() {
                return report;
            }
            deepen(task, evaluator, &mut AlphaBeta::new(task, evaluator, run.budget), run.observer)
        }
        Algorithm::Selective => {
            if let Some(report) = run.early_proof().or_else(|| run.early_presearch()) {
                return report;
            }
            let mut search = SelectiveNegamax::resumed(task, evaluator, run.budget, tables);
            let report = deepen(task, evaluator, &mut search, run.observer);
            *tables = search.into_tables();
            with_near_ends(run, report)
        }
        Algorithm::Solve => run.solve(),
    }
}

//! The prover for many positions, one after the other: for books and comparisons.

use std::sync::atomic::AtomicBool;

use super::prover;
use crate::game::limits::{Budget, Deadline, Interrupted};
use crate::game::proof_table::slots;
use crate::game::{Position, Prover, SolverHooks, SolverScore};

/// Proves positions of a game that must end, without limits. Its table serves all positions, one after the other.
///
/// ```
/// use bestmove_engine::game::{Game, MoveError, Notation, Position};
/// use bestmove_engine::games::{Knowledge, connect_four::ConnectFour};
/// use bestmove_engine::search::Solver;
/// let evaluator = ConnectFour::evaluator("threats", &Knowledge::default().of::<ConnectFour>());
/// let evaluator = evaluator.expect("one of the evaluators");
/// // The first side has three on the bottom row, open at both ends.
/// let mut position = ConnectFour::STANDARD.start();
/// for column in ["3", "3", "4", "4", "5"] {
///     position = position.play(ConnectFour::read_move(&position, column)?);
/// }
/// let mut solver = Solver::of(&evaluator, &position);
/// let value = solver.value(&position);
/// assert_eq!(value, -36, "lost in two plies: 35 of the 37 are unused");
/// assert!(solver.is_at_least(&position, -36) && !solver.is_at_least(&position, -35));
/// let block = ConnectFour::read_move(&position, "2")?;
/// assert!(solver.is_move_at_least(&position, block, value));
/// let held = solver.holding_move(&position, value);
/// assert!(position.legal_moves().into_iter().any(|mv| mv == held));
/// // A smaller table does, too.
/// assert_eq!(Solver::new(&evaluator, 1 << 10).value(&position), value);
/// # Ok::<_, MoveError>(())
/// ```
pub struct Solver<'a, P> {
    budget: Budget<'static>,
    prover: Box<dyn Prover<P> + 'a>,
}

impl<'a, P: Position> Solver<'a, P> {
    /// A solver whose table is as large as that of a search of `position`.
    pub fn of<E: SolverHooks<P>>(evaluator: &'a E, position: &P) -> Self {
        Self::new(evaluator, slots(position.plies_left().unwrap_or(0)))
    }

    /// A solver with a table of up to `entries` slots of eight bytes, a power of two.
    pub fn new<E: SolverHooks<P>>(evaluator: &'a E, entries: usize) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let budget = Budget::new(None, Deadline::after(None, &NEVER));
        Self { budget, prover: prover(evaluator, entries) }
    }

    /// The positions visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// The solver score of an unfinished position.
    pub fn value(&mut self, position: &P) -> SolverScore {
        without_limits(self.prover.value(&mut self.budget, position, &[]))
    }

    /// Whether the solver score of an unfinished position is at least `value`.
    pub fn is_at_least(&mut self, position: &P, value: SolverScore) -> bool {
        without_limits(self.prover.at_least(&mut self.budget, position, value)) >= value
    }

    /// Whether a legal move is worth at least `value`.
    pub fn is_move_at_least(&mut self, position: &P, mv: P::Move, value: SolverScore) -> bool {
        without_limits(self.prover.move_at_least(&mut self.budget, position, mv, value)) >= value
    }

    /// A move that holds the solver score of an unfinished position, which is `value`.
    pub fn holding_move(&mut self, position: &P, value: SolverScore) -> P::Move {
        let moves = position.legal_moves().into_iter().collect();
        without_limits(self.prover.holding_move(&mut self.budget, position, moves, value))
    }
}

fn without_limits<T>(answer: Result<T, Interrupted>) -> T {
    let Ok(answer) = answer else {
        unreachable!("nothing interrupts a search without limits");
    };
    answer
}

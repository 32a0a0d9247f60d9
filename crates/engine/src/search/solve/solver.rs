//! The prover for many positions, one after the other: for books and comparisons.

use std::mem;
use std::sync::atomic::AtomicBool;

use super::prover::Prover;
use super::table::{SolverTable, SolverTables, slots};
use crate::game::{Position, SolverHooks, SolverScore};
use crate::search::limits::{Budget, Deadline, Interrupted};

/// Proves positions of a game that must end, without limits. What it learns of a position helps it with the next.
///
/// ```
/// use bestmove_engine::game::{Game, MoveError, Position};
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
pub struct Solver<'a, E> {
    evaluator: &'a E,
    budget: Budget<'static>,
    tables: SolverTables,
}

impl<'a, E> Solver<'a, E> {
    /// A solver whose table is as large as that of a search of `position`.
    pub fn of<P: Position>(evaluator: &'a E, position: &P) -> Self {
        Self::new(evaluator, slots(position.plies_left().unwrap_or(0)))
    }

    /// A solver with a table of up to `entries` slots of eight bytes, a power of two.
    pub fn new(evaluator: &'a E, entries: usize) -> Self {
        Self::with(evaluator, SolverTables::one(SolverTable::new(entries)))
    }

    /// As [`new`](Self::new), with as many slots again for positions that leave at least so many plies. Their bounds
    /// cost most and are asked for again longest after.
    pub fn with_early(evaluator: &'a E, entries: usize, plies: SolverScore) -> Self {
        Self::with(evaluator, SolverTables::with_early(entries, plies))
    }

    fn with(evaluator: &'a E, tables: SolverTables) -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let budget = Budget::new(None, Deadline::after(None, &NEVER));
        Self { evaluator, budget, tables }
    }

    /// The positions visited so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// The solver score of an unfinished position.
    pub fn value<P: Position>(&mut self, position: &P) -> SolverScore
    where
        E: SolverHooks<P>,
    {
        self.ask(|prover: &mut Prover<P, E>| prover.value(position))
    }

    /// Whether the solver score of an unfinished position is at least `value`.
    pub fn is_at_least<P: Position>(&mut self, position: &P, value: SolverScore) -> bool
    where
        E: SolverHooks<P>,
    {
        self.ask(|prover: &mut Prover<P, E>| prover.at_least(position, value)) >= value
    }

    /// Whether a legal move is worth at least `value`.
    pub fn is_move_at_least<P: Position>(
        &mut self,
        position: &P,
        mv: P::Move,
        value: SolverScore,
    ) -> bool
    where
        E: SolverHooks<P>,
    {
        self.ask(|prover: &mut Prover<P, E>| prover.move_at_least(position, mv, value)) >= value
    }

    /// A move that holds the solver score of an unfinished position, which is `value`.
    pub fn holding_move<P: Position>(&mut self, position: &P, value: SolverScore) -> P::Move
    where
        E: SolverHooks<P>,
    {
        self.ask(|prover: &mut Prover<P, E>| {
            prover.holding_move(position, position.legal_moves(), value)
        })
    }

    fn ask<P: Position, T>(
        &mut self,
        question: impl FnOnce(&mut Prover<'_, 'static, P, E>) -> Result<T, Interrupted>,
    ) -> T
    where
        E: SolverHooks<P>,
    {
        let none = SolverTables::one(SolverTable::new(0));
        let tables = mem::replace(&mut self.tables, none);
        let mut prover = Prover::new(self.evaluator, &mut self.budget, tables);
        let Ok(answer) = question(&mut prover) else {
            unreachable!("nothing interrupts a search without limits");
        };
        self.tables = prover.into_tables();
        answer
    }
}

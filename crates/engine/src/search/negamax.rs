//! Negamax with alpha and beta, shared by alpha-beta and the selective search.
//!
//! Iterative deepening; principal variation search (Marsland and Campbell, *Parallel Search of
//! Strongly Ordered Game Trees*, 1982): the first move of a node gets the whole window, the others a null window, which
//! asks whether they are better; a transposition table; move ordering. The [`NodePolicy`] decides how a node
//! whose game goes on is searched.

use super::pv_table::PvTable;
use super::task::Task;
use super::transposition_table::{Table, TtBound};
use crate::game::limits::{Budget, Interrupted};
use crate::game::{Evaluator, History, Position, Recurrence, Score};

/// The greatest number of table entries of a search, 16 bytes each.
pub(super) const TABLE_ENTRIES: usize = 1 << 20;

/// The greatest number of table entries of a search of few plies: in the tie-break among losing moves, or to continue a line.
const TIE_BREAK_ENTRIES: usize = 1 << 14;

/// The bytes that the table of the tie-break among losing moves may occupy.
pub const TIE_BREAK_MEMORY: usize = Table::bytes(TIE_BREAK_ENTRIES);

/// The bytes that the table of a search and that of its tie-break may occupy.
pub(super) const MOST_MEMORY: usize = Table::bytes(TABLE_ENTRIES) + TIE_BREAK_MEMORY;

/// The bytes that the tables of a search of `task` may occupy.
pub(super) fn memory<P: Position>(task: &Task<P>) -> usize {
    Table::bytes(entries(task))
}

/// The table entries that a search can use: the number of positions that it may visit, and near the end of a game that must
/// end the number of positions that may still arise.
fn entries<P: Position>(task: &Task<P>) -> usize {
    const MOST_BITS: u32 = TABLE_ENTRIES.ilog2();
    let arising = task.position.plies_left().map(|plies| 1 << (plies + 4).min(MOST_BITS));
    let visited = task.limits.nodes.map(|nodes| 1 << (nodes.max(1).ilog2() + 1).min(MOST_BITS));
    arising.into_iter().chain(visited).fold(TABLE_ENTRIES, usize::min)
}

/// The treatment of nodes whose game goes on, with its state.
pub(super) trait NodePolicy<P: Position, E: Evaluator<P>>: Sized {
    /// The initial state.
    fn new(task: &Task<P>, evaluator: &E) -> Self;

    /// The greatest number of plies below the root that a line may reach.
    fn deepest(task: &Task<P>) -> u32;

    /// Resets the path to the root, also after an interruption.
    fn rewind(&mut self);

    /// The value of an unfinished `position` that is not drawn by its history.
    fn value(
        search: &mut Negamax<'_, '_, P, E, Self>,
        position: &P,
        node: SearchNode,
    ) -> Result<Score, Interrupted>;
}

/// A search: its task, evaluator and budget, its history and its tables.
pub(super) struct Negamax<'a, 'b, P: Position, E: Evaluator<P>, S> {
    pub(super) task: &'a Task<P>,
    pub(super) evaluator: &'a E,
    pub(super) accumulator: E::Accumulator,
    pub(super) budget: &'a mut Budget<'b>,
    pub(super) history: History,
    pub(super) table: Table,
    pub(super) pv: PvTable<P::Move>,
    pub(super) policy: S,
    /// The root moves in the order of search, each with its place in the game's order.
    pub(super) root_moves: Vec<(usize, P::Move)>,
    /// The lowest ply to which a repetition led back within the value just computed; 0 where a move counter or a third
    /// occurrence influenced it; [`NO_HISTORY_PLY`] where the value does not depend on the history.
    pub(super) history_ply: u32,
}

pub(super) const NO_HISTORY_PLY: u32 = u32::MAX;

/// The ply, the remaining depth and the window of a node.
#[derive(Clone, Copy)]
pub(super) struct SearchNode {
    /// Plies below the root.
    pub ply: u32,
    /// Plies left to search.
    pub depth: u32,
    /// The lower bound of the window: values up to it are equivalent.
    pub alpha: Score,
    /// The upper bound of the window: values from it on are equivalent.
    pub beta: Score,
}

impl SearchNode {
    /// The node one ply down, with the window from the other side's view.
    pub(super) fn child(self, alpha: Score, beta: Score) -> Self {
        Self { ply: self.ply + 1, depth: self.depth - 1, alpha: -beta, beta: -alpha }
    }

    /// Mate distance pruning: the best or the worst value still possible, if it lies outside the window.
    pub(super) fn mate_distance_cutoff(self) -> Option<Score> {
        let (soonest_win, soonest_loss) =
            (Score::won_in(self.ply + 1), Score::lost_in(self.ply + 2));
        if soonest_win <= self.alpha {
            Some(soonest_win)
        } else if soonest_loss >= self.beta {
            Some(soonest_loss)
        } else {
            None
        }
    }

    /// Whether the window is null, so that a search tells only whether the value exceeds alpha.
    pub(super) fn is_null_window(self) -> bool {
        self.alpha.successor() == self.beta
    }

    /// The kind of bound that a value found in this window is.
    pub(super) fn bound(self, score: Score) -> TtBound {
        if score <= self.alpha {
            TtBound::Upper
        } else if score >= self.beta {
            TtBound::Lower
        } else {
            TtBound::Exact
        }
    }
}

impl<'a, 'b, P: Position, E: Evaluator<P>, S: NodePolicy<P, E>> Negamax<'a, 'b, P, E, S> {
    pub(super) fn new(task: &'a Task<P>, evaluator: &'a E, budget: &'a mut Budget<'b>) -> Self {
        Self::with_table(task, evaluator, budget, Table::new(entries(task)))
    }

    /// A search of few plies, with a small table.
    pub(super) fn of_few_plies(
        task: &'a Task<P>,
        evaluator: &'a E,
        budget: &'a mut Budget<'b>,
    ) -> Self {
        let table = Table::new(TIE_BREAK_ENTRIES.min(entries(task)));
        Self::with_table(task, evaluator, budget, table)
    }

    fn with_table(
        task: &'a Task<P>,
        evaluator: &'a E,
        budget: &'a mut Budget<'b>,
        table: Table,
    ) -> Self {
        Self {
            task,
            evaluator,
            accumulator: E::Accumulator::default(),
            budget,
            history: task.history.clone(),
            table,
            pv: PvTable::new(S::deepest(task)),
            policy: S::new(task, evaluator),
            root_moves: task.root_moves().into_iter().enumerate().collect(),
            history_ply: NO_HISTORY_PLY,
        }
    }

    /// Moves the root move that `fits` to the front.
    pub(super) fn bring_forward(&mut self, fits: impl Fn(&(usize, P::Move)) -> bool) {
        if let Some(index) = self.root_moves.iter().position(fits) {
            self.root_moves[..=index].rotate_right(1);
        }
    }

    /// Resets the path to the root, also after an interruption.
    pub(super) fn rewind(&mut self) {
        self.history.rewind();
        self.policy.rewind();
        self.history_ply = NO_HISTORY_PLY;
    }

    /// The line found below `ply` by the last search with an open window.
    pub(super) fn line(&self, ply: u32) -> Vec<P::Move> {
        self.pv.get(ply)
    }

    /// The value of `position` for the side to move; outside the window a bound.
    pub(super) fn value(&mut self, position: &P, node: SearchNode) -> Result<Score, Interrupted> {
        if !node.is_null_window() {
            self.pv.clear(node.ply);
        }
        if let Some(outcome) = position.outcome() {
            return Ok(Score::of_end(position, outcome, node.ply));
        }
        if self.is_drawn_by_history(position) {
            return self.drawn_value(position, node);
        }
        S::value(self, position, node)
    }

    /// The value of a position that is drawn by its history: a draw, or more where the side to move need not claim it.
    fn drawn_value(&mut self, position: &P, node: SearchNode) -> Result<Score, Interrupted> {
        let looks_on = node.depth > 0 && self.task.is_past_claim(position, node.ply);
        if looks_on && Score::DRAWN < node.beta {
            self.best_in_order(position, node, Score::DRAWN)
        } else {
            Ok(Score::DRAWN)
        }
    }

    /// The best value of a node whose moves are tried in the game's order, at least `least`, which lies below beta.
    pub(super) fn best_in_order(
        &mut self,
        position: &P,
        node: SearchNode,
        least: Score,
    ) -> Result<Score, Interrupted> {
        let mut best = least;
        self.history.enter(position);
        for mv in position.legal_moves() {
            let alpha = node.alpha.max(best);
            self.budget.visit()?;
            let score = -self.value(&position.play(mv), node.child(alpha, node.beta))?;
            if score > best {
                best = score;
                if score > alpha && !node.is_null_window() {
                    self.pv.extend(node.ply, mv);
                }
                if score >= node.beta {
                    break;
                }
            }
        }
        self.history.leave::<P>();
        Ok(best)
    }

    /// Whether a repetition or a move counter draws the line here.
    pub(super) fn is_drawn_by_history(&mut self, position: &P) -> bool {
        if position.plies_to_draw() == Some(0) {
            self.history_ply = 0;
            return true;
        }
        if !P::PROPERTIES.repeats {
            return false;
        }
        match self.history.recurrence(position.key(), position.reversible_plies()) {
            Some(Recurrence::OnPath(ply)) => self.history_ply = self.history_ply.min(ply),
            Some(Recurrence::Third) => self.history_ply = 0,
            None => return false,
        }
        true
    }
}

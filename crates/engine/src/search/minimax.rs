//! The textbook's minimax, without pruning and without a table.
//!
//! Kopec, *Classic Computer Science Problems*, chapter 8: the value of a position is its outcome if
//! the game is over, its static evaluation at depth 0, and otherwise the best of its children's
//! values, the maximising player's best being the largest and the minimising player's the smallest.
//! The tests compare every other search with it.

use std::sync::atomic::AtomicBool;

use super::iterative_deepening::Driver;
use super::pv_table::PvTable;
use super::ranking::Ranking;
use super::report::SearchVariation;
use super::task::{Algorithm, Task};
use crate::game::limits::{Budget, Deadline, Interrupted};
use crate::game::{Evaluator, History, Position, Score};

/// The value of the root by one pass of plain minimax to exactly the depth of `task`, and the
/// positions visited: the textbook's function, for comparisons and lessons.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let task = |algorithm| Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(4), algorithm);
/// let (score, nodes) = search::minimax(&task(Algorithm::Minimax), &evaluator);
/// let pruned = search::run(&task(Algorithm::AlphaBeta), &evaluator);
/// assert!(pruned.score() == score && pruned.nodes < nodes);
/// # Ok::<_, &str>(())
/// ```
pub fn minimax<P: Position, E: Evaluator<P>>(task: &Task<P>, evaluator: &E) -> (Score, u64) {
    let never = AtomicBool::new(false);
    let mut budget = Budget::new(None, Deadline::after(None, &never));
    let mut minimax = Minimax::new(task, evaluator, &mut budget);
    let Ok(best) = minimax.iterate(task.limits.depth) else {
        unreachable!("nothing interrupts a search without limits");
    };
    (best[0].score, budget.nodes())
}

/// The state of a search.
pub(super) struct Minimax<'a, 'b, P: Position, E> {
    task: &'a Task<P>,
    evaluator: &'a E,
    history: History,
    pv: PvTable<P::Move>,
    pub(super) budget: &'a mut Budget<'b>,
}

/// The player to move: the one at the root, who maximises, or the other one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MinimaxPlayer {
    Maximizing,
    Minimizing,
}

impl MinimaxPlayer {
    pub(super) fn next(self) -> Self {
        match self {
            Self::Maximizing => Self::Minimizing,
            Self::Minimizing => Self::Maximizing,
        }
    }

    /// Turns a score from the view of the side to move into the view of the player at the root, or back.
    pub(super) fn seen_by_root(self, score: Score) -> Score {
        match self {
            Self::Maximizing => score,
            Self::Minimizing => -score,
        }
    }

    pub(super) fn prefers(self, score: Score, to: Score) -> bool {
        match self {
            Self::Maximizing => score > to,
            Self::Minimizing => score < to,
        }
    }
}

/// The value, for the side to move, of a position without a look at its moves: of a finished game, of a draw by its
/// history, or at depth 0. `None` where moves have to be tried.
#[inline]
pub(super) fn base_case<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    position: &P,
    history: &History,
    evaluator: &E,
    (ply, depth): (u32, u32),
) -> Option<Score> {
    if let Some(outcome) = position.outcome() {
        Some(Score::of_end(position, outcome, ply))
    } else if is_drawn_by_history(position, history) {
        let looks_on = depth > 0 && task.is_past_claim(position, ply);
        (!looks_on).then_some(Score::DRAWN)
    } else if depth == 0 {
        Some(Score::heuristic(evaluator.score(position)))
    } else {
        None
    }
}

fn is_drawn_by_history<P: Position>(position: &P, history: &History) -> bool {
    position.plies_to_draw() == Some(0)
        || P::PROPERTIES.repeats
            && history.recurrence(position.key(), position.reversible_plies()).is_some()
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Minimax<'a, 'b, P, E> {
    pub(super) fn new(task: &'a Task<P>, evaluator: &'a E, budget: &'a mut Budget<'b>) -> Self {
        let (history, pv) = (task.history.clone(), PvTable::new(task.limits.depth));
        Self { task, evaluator, history, pv, budget }
    }

    /// The value of `position` for the player at the root.
    #[inline]
    fn minimax(
        &mut self,
        position: &P,
        ply: u32,
        depth: u32,
        player: MinimaxPlayer,
    ) -> Result<Score, Interrupted> {
        self.pv.clear(ply);
        match base_case(self.task, position, &self.history, self.evaluator, (ply, depth)) {
            Some(score) => Ok(player.seen_by_root(score)),
            None => self.best_child(position, ply, depth, player),
        }
    }

    /// The value of the best child for the player at the root. (Kept out of line, so that a position
    /// without moves to look at costs no call.)
    #[inline(never)]
    fn best_child(
        &mut self,
        position: &P,
        ply: u32,
        depth: u32,
        player: MinimaxPlayer,
    ) -> Result<Score, Interrupted> {
        let mut best = player.seen_by_root(self.task.least(position, ply));
        self.history.enter(position);
        for mv in position.legal_moves() {
            self.budget.visit()?;
            let child = position.play(mv);
            let score = self.minimax(&child, ply + 1, depth - 1, player.next())?;
            if player.prefers(score, best) {
                best = score;
                self.pv.extend(ply, mv);
            }
        }
        self.history.leave::<P>();
        Ok(best)
    }
}

impl<'b, P: Position, E: Evaluator<P>> Driver<'b, P> for Minimax<'_, 'b, P, E> {
    const ALGORITHM: Algorithm = Algorithm::Minimax;

    fn budget(&mut self) -> &mut Budget<'b> {
        self.budget
    }

    fn iterate(&mut self, depth: u32) -> Result<Vec<SearchVariation<P::Move>>, Interrupted> {
        let root = &self.task.position;
        let mut ranking = Ranking::new(self.task.wanted());
        self.history.rewind();
        self.history.enter(root);
        for (place, mv) in self.task.root_moves().into_iter().enumerate() {
            self.budget.visit_root_move(depth)?;
            let score = self.minimax(&root.play(mv), 1, depth - 1, MinimaxPlayer::Minimizing)?;
            if score > ranking.threshold(place) {
                let continuation = self.pv.get(1);
                ranking.insert(place, SearchVariation::new(mv, score, continuation));
            }
        }
        Ok(ranking.into_variations())
    }
}

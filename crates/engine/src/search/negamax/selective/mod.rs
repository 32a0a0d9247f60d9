//! Selective search: looks past the horizon where it must, and skips what is unlikely to matter.
//!
//! It prunes nothing while its best score is a loss and returns no mate from a null move, so a mate
//! that it reports is one. All margins are parts of the evaluator's
//! [`unit`](crate::game::SelectiveHooks::unit).
//!
//! The techniques: iterative deepening with aspiration windows; principal variation search;
//! transposition table; killers, quiet, capture and continuation histories; quiescence with static
//! exchange evaluation; null move; reverse futility; futility; late move pruning; late move reductions;
//! internal iterative reduction; singular and check extension. What each of them gains was measured:
//! see `docs/experiments/selective-search.md`.

mod candidates;
mod history_tables;
mod node;
mod pruning;
mod quiescence;
mod root;
mod tt_probe;

use self::candidates::Candidate;
use self::history_tables::HistoryTables;
use super::{Negamax, Node, NodePolicy};
use crate::game::{Move, Position, Score, SelectiveHooks};
use crate::search::stop::Interrupted;
use crate::search::{Task, Variation};

/// The search with all its selective phases on.
type SelectiveNegamax<'a, 'b, P, E> = Negamax<'a, 'b, P, E, Selective<<P as Position>::Move>>;

/// How many plies beyond the nominal depth a line may go on.
const BEYOND: u32 = 64;

/// The deepest ply that a line may reach.
fn deepest<P: Position>(task: &Task<P>) -> u32 {
    task.limits.depth + BEYOND
}

/// The state of the selective search.
pub(in crate::search) struct Selective<M> {
    /// The evaluator's unit of advantage.
    unit: i32,
    /// The value that the last depth found.
    expected: Option<Score>,
    /// Whether the game has reached a position twice that may come back a third time.
    has_recurred: bool,
    /// The best root move of the present depth so far.
    found: Option<Variation<M>>,
    histories: HistoryTables,
    /// The count of nodes at which the present quiescence search ends; none above the horizon.
    quiescence_end: Option<u64>,
    /// The nodes of the current path, two that stand for what is not known before the root.
    path: Vec<Step<M>>,
    /// The moves of all nodes of the current path, the deepest node's last.
    candidates: Vec<Candidate<M>>,
}

/// A node of the current path.
#[derive(Clone, Copy)]
struct Step<M> {
    /// Its static evaluation, where it was not forced.
    static_eval: Option<i32>,
    /// The history index of the move that is being searched.
    history_index: u16,
    /// The move that the singular extension search leaves out.
    excluded: Option<M>,
    /// Whether its hanging-piece check is under way.
    in_hanging_piece_check: bool,
}

impl<M> Selective<M> {
    /// The node `back` plies before the one at `ply`.
    fn step(&self, ply: u32, back: u32) -> &Step<M> {
        &self.path[(ply + 2 - back) as usize]
    }

    fn step_mut(&mut self, ply: u32) -> &mut Step<M> {
        &mut self.path[(ply + 2) as usize]
    }
}

impl<P: Position, E: SelectiveHooks<P>> NodePolicy<P, E> for Selective<P::Move> {
    fn new(task: &Task<P>, evaluator: &E) -> Self {
        let plies = deepest(task) + 1;
        let histories = HistoryTables::new(plies, P::Move::INDICES, E::HISTORY_INDICES);
        let history_index = histories.null_index();
        let step = Step {
            static_eval: None,
            history_index,
            excluded: None,
            in_hanging_piece_check: false,
        };
        let path = vec![step; plies as usize + 2];
        let (unit, candidates) = (evaluator.unit(), Vec::new());
        let has_recurred = !task.recurred(&[]).is_empty();
        Self {
            unit,
            expected: None,
            has_recurred,
            found: None,
            histories,
            quiescence_end: None,
            path,
            candidates,
        }
    }

    fn deepest(task: &Task<P>) -> u32 {
        deepest(task)
    }

    fn rewind(&mut self) {
        self.candidates.clear();
        self.quiescence_end = None;
        self.path.iter_mut().for_each(|step| step.excluded = None);
    }

    fn value(
        search: &mut Negamax<'_, '_, P, E, Self>,
        position: &P,
        node: Node,
    ) -> Result<Score, Interrupted> {
        if let Some(score) = search.known_end(position, node.ply) {
            return Ok(score);
        }
        if node.ply >= deepest(search.task) || search.is_quiescence_spent() {
            return Ok(search.static_value(position));
        }
        let is_forced = search.evaluator.is_forced(position);
        let is_extended = is_forced && (E::PARAMETERS.extends_forced || node.depth == 0);
        match node.depth + u32::from(is_extended) {
            0 => search.quiescence(position, node),
            depth => search.node(position, Node { depth, ..node }, is_forced),
        }
    }
}

impl<P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'_, '_, P, E> {
    /// The static evaluation; corrected by a stored outcome where the task sets no probe limit.
    fn static_value(&self, position: &P) -> Score {
        Score::heuristic(match self.task.probe_limit {
            None => self.evaluator.informed_score(position),
            Some(_) => self.evaluator.score(position),
        })
    }

    /// The value that a book or a table gives to a position, where the task admits it and neither a
    /// move counter nor a third occurrence comes first.
    #[inline]
    fn known_end(&self, position: &P, ply: u32) -> Option<Score> {
        let score = self.evaluator.known(position)?;
        let may_recur = self.policy.has_recurred && position.reversible_plies() >= ply;
        let in_time = !may_recur && score.plies() <= position.plies_to_draw().or(Some(u32::MAX));
        (in_time && self.task.reaches(score, ply)).then(|| score.seen_from_root(ply))
    }
}

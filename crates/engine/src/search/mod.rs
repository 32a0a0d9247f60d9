//! One search for every game: three drivers on shared parts.
//!
//! - `minimax` is the textbook's search without any pruning, the oracle of every test.
//! - `negamax` is the strong one. As `alpha-beta` it finds the same value and the same move with
//!   fewer positions visited; as `selective` it looks deeper still and takes risks for it.
//! - `solve` proves outcome and distance in a game that must end.
//!
//! A [`Task`] says what to search and how far; [`run`] answers with a [`Report`]. For lessons,
//! [`build_tree`] shows the whole decision tree instead.

mod deepening;
mod extension;
mod losing_tie_break;
mod minimax;
mod negamax;
mod openings;
mod ordering;
mod proofs;
mod prover;
mod pv_table;
mod ranking;
mod root_probe;
mod solve;
mod stop;
mod table;
mod tree;

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use self::negamax::TIE_BREAK_MEMORY;
pub use self::openings::{backed_up, openings};
use self::stop::Budget;
pub use self::stop::StoppedBy;
pub use self::tree::{Bound, Node, Tree, TreeError, Tried};
use crate::game::{
    Evaluator, History, Knowledge, Margin, Outcome, Position, Score, SelectiveHooks, SolverHooks,
};

/// The most bytes that the tables of a search may come to occupy.
pub const MOST_MEMORY: usize = proofs::MOST_BYTES + negamax::MOST_MEMORY;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// The textbook's search, without any pruning.
    Minimax,
    /// Prunes only what cannot matter: the same value and the same move at the same depth.
    AlphaBeta,
    /// Looks past the horizon and skips what is unlikely to matter: stronger in the same time.
    Selective,
    /// Proves outcome and distance in a game that must end.
    Solve,
}

impl Algorithm {
    /// Its name in requests and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alpha-beta",
            Self::Selective => "selective",
            Self::Solve => "solve",
        }
    }
}

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies below the position, 1 or more.
    pub depth: u32,
    /// Positions visited. Exact, but that every root move is visited.
    pub nodes: Option<u64>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
}

impl Limits {
    /// A limit of `depth` plies and no other.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self { depth, nodes: None, time: None }
    }
}

/// What to search: a position that is not finished, and how.
#[derive(Clone, Debug)]
pub struct Task<P: Position> {
    /// The position at the root.
    pub position: P,
    /// The positions of the game before it.
    pub history: History,
    /// The moves to consider at the root, all legal; where empty, all that there are.
    pub moves: Vec<P::Move>,
    /// How to search. [`Algorithm::Solve`] in a game that need not end is
    /// [`Algorithm::AlphaBeta`].
    pub algorithm: Algorithm,
    /// How far to search.
    pub limits: Limits,
    /// How many of the best moves to report, 1 or more. All of them get their exact values.
    pub top: usize,
    /// The plies within which a value from a book or a table must end the game to be used; `None` for
    /// any distance.
    pub probe_limit: Option<u32>,
}

impl<P: Position> Task<P> {
    /// A search of `position` without history, all its moves considered; what is known counts
    /// within its depth.
    #[must_use]
    pub fn new(position: P, limits: Limits, algorithm: Algorithm) -> Self {
        let (history, moves, probe_limit) = (History::default(), Vec::new(), Some(limits.depth));
        Self { position, history, moves, algorithm, limits, top: 1, probe_limit }
    }

    /// Whether a known value, its distance counted from `ply` plies below the root, lies within the
    /// horizon. A draw ends where the game must, or lies beyond all.
    fn reaches(&self, known: Score, ply: u32) -> bool {
        let Some(probe_limit) = self.probe_limit else { return true };
        let end = known.plies().map(|plies| ply + plies).or_else(|| self.position.plies_left());
        end.is_some_and(|plies| plies <= probe_limit)
    }

    /// The bytes that the tables of this search may come to occupy: no more than [`MOST_MEMORY`].
    #[must_use]
    pub fn memory(&self) -> usize {
        match self.algorithm {
            Algorithm::Minimax => TIE_BREAK_MEMORY,
            Algorithm::AlphaBeta => negamax::memory(self),
            Algorithm::Selective => negamax::memory(self) + TIE_BREAK_MEMORY,
            Algorithm::Solve => solve::memory(self) + TIE_BREAK_MEMORY,
        }
    }

    /// The keys of the positions whose next occurrence below the root draws by repetition: they stood
    /// twice, the root and the positions of a `line` from it included.
    fn recurred(&self, line: &[P::Move]) -> HashSet<u64> {
        let (mut position, mut history) = (self.position.clone(), self.history.clone());
        if !P::REPEATS {
            return HashSet::new();
        }
        for &mv in line {
            history.played(position.key());
            position = position.play(mv);
        }
        history.played(position.key());
        history.recurred(position.reversible_plies() + 1)
    }

    /// How many moves to report: no more than there are.
    fn wanted(&self) -> usize {
        self.top.clamp(1, self.root_moves().len())
    }

    /// The moves to consider at the root, in the game's own order.
    fn root_moves(&self) -> Vec<P::Move> {
        let legal = self.position.legal_moves().into_iter();
        legal.filter(|mv| self.moves.is_empty() || self.moves.contains(mv)).collect()
    }
}

/// A root move with what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// The move.
    pub mv: M,
    /// The value of the root if the move is played, from the view of its side to move.
    pub score: Score,
    /// The outcome, where it is proven.
    pub outcome: Option<Outcome>,
    /// The line that is expected after the move.
    pub continuation: Vec<M>,
}

impl<M: Copy> Variation<M> {
    /// The move and the line after it.
    fn line(&self) -> impl Iterator<Item = M> {
        std::iter::once(self.mv).chain(self.continuation.iter().copied())
    }

    /// The length of the line.
    fn plies(&self) -> u32 {
        1 + self.continuation.len() as u32
    }
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A search.
    Search,
    /// A book or a table.
    Stored(Knowledge),
}

impl Source {
    /// Its name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Stored(Knowledge::Book) => "book",
            Self::Stored(Knowledge::Tables) => "tables",
        }
    }
}

/// What a search found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The best moves, best first: as many as the task wanted, and at least one.
    pub variations: Vec<Variation<M>>,
    /// The outcome of the position, where it is proven.
    pub outcome: Option<Outcome>,
    /// The algorithm that the answer comes from.
    pub algorithm: Algorithm,
    /// Where the answer comes from.
    pub source: Source,
    /// The last depth completed.
    pub depth: u32,
    /// The positions reached by a move, over all iterations.
    pub nodes: u64,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl<M: Copy> Report<M> {
    /// The best move.
    pub fn best_move(&self) -> M {
        self.variations[0].mv
    }

    /// The value of the position from the view of the side to move.
    pub fn score(&self) -> Score {
        self.variations[0].score
    }

    /// The line that is expected, the best move first.
    pub fn principal_variation(&self) -> Vec<M> {
        self.variations[0].line().collect()
    }
}

/// The value of the root by one pass of plain minimax to exactly the depth of `task`, and the
/// positions visited: the textbook's function, for comparisons and lessons.
pub fn minimax<P: Position, E: Evaluator<P>>(task: &Task<P>, evaluator: &E) -> (Score, u64) {
    minimax::single_pass(task, evaluator)
}

/// The margin of an unfinished position in a game that must end, proven without any limit, and the
/// positions visited: the prover alone, for comparisons.
pub fn prove<P: Position, E: SolverHooks<P>>(position: &P, evaluator: &E) -> (Margin, u64) {
    solve::margin(position, evaluator)
}

/// The margins of many positions, proven one after the other with one table of `entries` slots of
/// eight bytes, a power of two: for books. `sink` sees each position with its margin, and says
/// whether to go on.
pub fn margins<P: Position, E: SolverHooks<P>>(
    positions: impl Iterator<Item = P>,
    evaluator: &E,
    entries: usize,
    sink: &mut dyn FnMut(P, Margin) -> bool,
) {
    solve::margins(positions, evaluator, entries, sink);
}

/// Answers from what is known of the position, or searches until a limit is reached or nothing deeper
/// can change the answer.
pub fn run<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
) -> Report<P::Move> {
    run_watched(task, evaluator, &AtomicBool::new(false), &mut |_| {})
}

/// As [`run`]; stops soon after `stop` is raised, and shows the `observer` every completed depth.
pub fn run_watched<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    stop: &AtomicBool,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let mut budget = Budget::new(&task.limits, stop);
    if let Some(report) = root_probe::answer(task, evaluator, &mut budget) {
        observer(&report);
        return report;
    }
    match task.algorithm {
        Algorithm::Minimax => minimax::search(task, evaluator, &mut budget, observer),
        Algorithm::AlphaBeta => negamax::search(task, evaluator, &mut budget, observer),
        Algorithm::Selective => negamax::search_selectively(task, evaluator, &mut budget, observer),
        Algorithm::Solve => solve::search(task, evaluator, &mut budget, observer),
    }
}

/// The decision tree of the textbook's search to exactly the depth of `task`, with `max_nodes` nodes
/// at most, the root and what was cut off among them.
///
/// # Errors
/// Where it has more, or the time is up or `stop` is raised before it is complete.
pub fn build_tree<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    max_nodes: usize,
    stop: &AtomicBool,
) -> Result<Tree<P::Move>, TreeError> {
    tree::build_tree(task, evaluator, max_nodes, stop)
}

//! The task of a search: position, limits and algorithm.

use crate::game::limits::SearchLimits;
use crate::game::{History, Position, Score};

/// `minimax` is the textbook search without any pruning. `alpha-beta` prunes only what cannot matter: the same value and the
/// same move at the same depth, fewer nodes. `selective` also searches past the horizon and skips what is unlikely to matter:
/// stronger in the same time. `solve` proves outcome and distance in a game that must end; where a limit stops it, the answer
/// is that of the deepest completed `alpha-beta`. The default is `selective` in a game that need not end; in one that must,
/// `solve` where `depth` is absent or reaches the end, else `alpha-beta`.
///
/// ```
/// use bestmove_engine::search::Algorithm;
/// assert_eq!(Algorithm::AlphaBeta.name(), "alpha-beta");
/// assert_eq!(Algorithm::named("alpha-beta"), Some(Algorithm::AlphaBeta));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Algorithm {
    /// The textbook's search, without any pruning.
    Minimax,
    /// Prunes only moves that cannot matter: value and move are those of minimax at equal depth.
    AlphaBeta,
    /// Looks past the horizon and prunes moves that are unlikely to matter: stronger in equal time.
    Selective,
    /// Proves outcome and distance in a game that must end.
    Solve,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 4] = [Self::Minimax, Self::AlphaBeta, Self::Selective, Self::Solve];

    /// The algorithm called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// The name in requests and answers.
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

/// A search to run, of an unfinished position.
#[derive(Clone, Debug)]
pub struct Task<P: Position> {
    /// The position at the root.
    pub position: P,
    /// The positions of the game before it.
    pub history: History,
    /// The legal moves to consider at the root; all moves where empty.
    pub moves: Vec<P::Move>,
    /// The algorithm. [`Algorithm::Solve`] counts as [`Algorithm::AlphaBeta`] in a game that need not end.
    pub algorithm: Algorithm,
    /// The limits of the search.
    pub limits: SearchLimits,
    /// The number of best moves to report, 1 or more.
    pub top: usize,
    /// Whether every root move is searched with an open window, so that no value depends on `top`.
    pub exact: bool,
    /// The plies within which a value from a book or a table must end the game to be used; `None` for
    /// any distance.
    pub probe_limit: Option<u32>,
}

impl<P: Position> Task<P> {
    /// A search of `position` without history, with all its moves. Values of books and tables count within the depth.
    ///
    /// ```
    /// use bestmove_engine::game::Game;
    /// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
    /// use bestmove_engine::search::{Algorithm, SearchLimits, Task};
    /// let task = Task { top: 3, ..Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(9), Algorithm::Minimax) };
    /// assert!(task.moves.is_empty(), "all moves are considered");
    /// ```
    #[must_use]
    pub fn new(position: P, limits: SearchLimits, algorithm: Algorithm) -> Self {
        let (history, moves, probe_limit) = (History::default(), Vec::new(), Some(limits.depth));
        Self { position, history, moves, algorithm, limits, top: 1, exact: false, probe_limit }
    }

    /// Whether a known value ends the game within the probe limit. Its distance counts from `ply` plies below the root. A draw
    /// ends where the game must end, else never.
    pub(super) fn is_within_probe_limit(&self, known: Score, ply: u32) -> bool {
        let Some(probe_limit) = self.probe_limit else { return true };
        let end = known.plies().map(|plies| ply + plies).or_else(|| self.position.plies_left());
        end.is_some_and(|plies| plies <= probe_limit)
    }

    /// Whether the side to move `ply` plies below the root may claim a draw by a move counter that the side
    /// at the root could claim before. No side has to claim: a move that ends the game or resets the
    /// counter may be worth more. A search tries such moves after a root move, and no deeper.
    pub(crate) fn is_past_claim(&self, position: &P, ply: u32) -> bool {
        ply == 1 && position.plies_to_draw() == Some(0) && self.position.plies_to_draw() == Some(0)
    }

    /// The least value for the side to move, whatever its moves are worth: a draw where it may claim a draw.
    pub(super) fn least(&self, position: &P, ply: u32) -> Score {
        if self.is_past_claim(position, ply) { Score::DRAWN } else { -Score::INFINITE }
    }

    /// The number of best root moves to value: all moves in an exact task, else the number to report.
    pub(super) fn wanted(&self) -> usize {
        let top = if self.exact { usize::MAX } else { self.top };
        top.clamp(1, self.root_moves().len())
    }

    /// The moves to consider at the root, in the game's own order.
    pub(crate) fn root_moves(&self) -> Vec<P::Move> {
        let legal = self.position.legal_moves().into_iter();
        legal.filter(|mv| self.moves.is_empty() || self.moves.contains(mv)).collect()
    }
}

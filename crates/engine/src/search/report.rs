//! The result of a search.

use super::task::{Algorithm, Task};
use crate::game::limits::{Budget, StoppedBy};
use crate::game::{KnowledgeKind, Outcome, Position, Score};

/// A root move with its value and the line after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchVariation<M> {
    /// The move.
    pub mv: M,
    /// The value of the root if the move is played, from the view of its side to move.
    pub score: Score,
    /// The outcome, where it is proven.
    pub outcome: Option<Outcome>,
    /// In games that count: the margin of the side to move, where it is proven.
    pub margin: Option<i32>,
    /// The line that is expected after the move.
    pub continuation: Vec<M>,
}

impl<M> SearchVariation<M> {
    /// A move without a proof.
    pub(super) fn new(mv: M, score: Score, continuation: Vec<M>) -> Self {
        Self { mv, score, outcome: None, margin: None, continuation }
    }
}

impl<M: Copy> SearchVariation<M> {
    /// The move and the line after it.
    pub(crate) fn line(&self) -> impl Iterator<Item = M> {
        std::iter::once(self.mv).chain(self.continuation.iter().copied())
    }

    /// The length of the line.
    pub(super) fn plies(&self) -> u32 {
        1 + self.continuation.len() as u32
    }
}

/// Where the answer comes from: a search, an opening book or endgame tables. What the latter two know is exact. They
/// answer where no `depth` was asked for, or the end lies within it. Tables know no draw rules: where the count
/// towards a draw could come first and no search confirms the end, `outcome` is `unknown`.
///
/// ```
/// use bestmove_engine::game::{Game, KnowledgeKind};
/// use bestmove_engine::games::{self, connect_four::ConnectFour};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Source, Task};
/// let knowledge = games::load_knowledge(None)?.of::<ConnectFour>();
/// let game = ConnectFour::STANDARD;
/// let evaluator = ConnectFour::evaluator("threats", &knowledge).expect("one of the evaluators");
/// let task = Task::new(game.start(), SearchLimits::depth(42), Algorithm::Solve);
/// let report = search::run(&task, &evaluator);
/// assert_eq!(report.source, Source::Stored(KnowledgeKind::Book));
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", schemars(rename = "AnswerSource"), serde(rename_all = "kebab-case"))]
pub enum Source {
    /// A search.
    Search,
    /// A book or a table.
    #[cfg_attr(feature = "serde", serde(untagged))]
    Stored(KnowledgeKind),
}

/// The result of a search.
///
/// ```
/// use bestmove_engine::game::{Game, Notation, Outcome, PositionText, Score};
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let position = TicTacToe::STANDARD.read_position(&PositionText::Text("XX.OO.... X".to_owned()))?;
/// let task = Task::new(position.clone(), SearchLimits::depth(4), Algorithm::Minimax);
/// let report = search::run(&Task { top: 2, ..task }, &evaluator);
/// assert_eq!(TicTacToe::write_move(&position, report.best_move()).text, "2");
/// assert_eq!((report.score(), report.outcome), (Score::won_in(1), Some(Outcome::Win)));
/// assert_eq!(report.principal_variation(), [report.best_move()]);
/// // The second best move of the two that were asked for.
/// let [_, second] = &report.variations[..] else { return Err("two moves".into()) };
/// assert_eq!(TicTacToe::write_move(&position, second.mv).text, "5");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The best moves, best first: as many as the task wanted, and at least one.
    pub variations: Vec<SearchVariation<M>>,
    /// The outcome of the position, where it is proven.
    pub outcome: Option<Outcome>,
    /// In games that count: the margin of the position, where it is proven.
    pub margin: Option<i32>,
    /// Whether the score is a lower bound: a limit interrupted the search after the move had turned out better than
    /// expected, and before its value was known.
    pub is_bound: bool,
    /// The algorithm that the answer comes from.
    pub algorithm: Algorithm,
    /// Where the answer comes from.
    pub source: Source,
    /// The last depth completed.
    pub depth: u32,
    /// The positions reached by a move, over all iterations.
    pub nodes: u64,
    /// The used entries of the transposition table, in thousandths of its greatest size. `None` for a search without a table.
    pub table_usage: Option<u16>,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl<M: Copy> Report<M> {
    /// The report of the best moves: cut to the number that the task reports, with the outcome of the best one, and the length
    /// of its line as the depth.
    pub(super) fn new<P: Position<Move = M>>(
        task: &Task<P>,
        budget: &Budget,
        mut variations: Vec<SearchVariation<M>>,
        is_solved: bool,
    ) -> Self {
        variations.truncate(task.top);
        let stopped_by = if is_solved { StoppedBy::Solved } else { StoppedBy::Depth };
        Self {
            outcome: variations[0].outcome,
            margin: variations[0].margin,
            is_bound: false,
            algorithm: task.algorithm,
            source: Source::Search,
            depth: variations[0].plies(),
            // A proof that visits no position counts the one after the best move.
            nodes: budget.nodes().max(1),
            table_usage: None,
            stopped_by: budget.interrupted_by().unwrap_or(stopped_by),
            variations,
        }
    }

    /// The best move.
    pub fn best_move(&self) -> M {
        self.variations[0].mv
    }

    /// The value of the position from the view of the side to move.
    pub fn score(&self) -> Score {
        self.variations[0].score
    }

    /// Whether the plies to a proven end are an upper bound: a selective search may have pruned a shorter way. All
    /// root moves and their replies are tried, so that no end within two plies is overlooked.
    ///
    /// ```
    /// use bestmove_engine::game::{Game, Notation, PositionText};
    /// use bestmove_engine::games::{Knowledge, chess::Chess};
    /// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
    /// let evaluator = Chess::evaluator("piece-square", &Knowledge::default().of::<Chess>());
    /// let evaluator = evaluator.ok_or("no such evaluator")?;
    /// // Two rooks mate in two moves.
    /// let position = PositionText::Text("7k/8/8/8/8/8/R7/1R5K w - -".to_owned());
    /// let position = Chess::Standard.read_position(&position)?;
    /// let report = |algorithm| {
    ///     search::run(&Task::new(position.clone(), SearchLimits::depth(4), algorithm), &evaluator)
    /// };
    /// let [exact, bound] = [Algorithm::AlphaBeta, Algorithm::Selective].map(report);
    /// assert_eq!((exact.score().plies(), exact.plies_are_bound(exact.score())), (Some(3), false));
    /// assert!(bound.plies_are_bound(bound.score()));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn plies_are_bound(&self, score: Score) -> bool {
        let is_selective = self.algorithm == Algorithm::Selective && self.source == Source::Search;
        is_selective && score.plies().is_some_and(|plies| plies > 2)
    }

    /// The line that is expected, the best move first.
    pub fn principal_variation(&self) -> Vec<M> {
        self.variations[0].line().collect()
    }
}

/// The outcome that `score` proves. A win or a loss proves itself; a draw is proven by a complete
/// tree.
pub(super) fn proven(score: Score, is_complete: impl FnOnce() -> bool) -> Option<Outcome> {
    if score.is_won() {
        Some(Outcome::Win)
    } else if score.is_lost() {
        Some(Outcome::Loss)
    } else if score == Score::DRAWN && is_complete() {
        Some(Outcome::Draw)
    } else {
        None
    }
}

/// The margin of a score whose `outcome` is proven, in games that count. It is exact only where the whole tree was
/// searched: otherwise a win may be larger still.
pub(super) fn proven_margin<P: Position>(score: Score, outcome: Outcome) -> Option<i32> {
    match outcome {
        _ if P::PROPERTIES.margin_step == 0 => None,
        Outcome::Draw => Some(0),
        Outcome::Win | Outcome::Loss => score.margin(),
    }
}

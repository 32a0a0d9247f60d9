//! What a game and a search of it have to tell, in words.

use crate::game::{Alert, MoveDrawing, Outcome, Square};
use crate::search::{Algorithm, Bound, Source, StoppedBy};

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The name of the game.
    pub game: &'static str,
    /// The position, in canonical notation.
    pub position: String,
    /// The side to move.
    pub side_to_move: &'static str,
    /// How the game ended, or that it goes on.
    pub status: GameStatus,
    /// The draw that the side to move may claim, though the game goes on: `threefold-repetition`, or the
    /// one of the game's move counter.
    pub claim: Option<&'static str>,
    /// What the side to move has to heed.
    pub alert: Option<Alert>,
}

/// Whether a game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStatus {
    /// It does.
    Ongoing,
    /// A side has won.
    Won {
        /// The winner's name.
        winner: &'static str,
        /// Why.
        reason: &'static str,
        /// The cells of the winning line, in games that have one.
        line: Vec<Square>,
    },
    /// Nobody has won.
    Drawn {
        /// Why.
        reason: &'static str,
    },
}

/// A move in the notations of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// As requests write it.
    pub text: String,
    /// In standard algebraic notation, in games that have it.
    pub san: Option<String>,
}

/// A move in the notations of its game, and on the board as drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownMove {
    /// The move in words.
    pub text: MoveText,
    /// What it does to the board.
    pub drawing: MoveDrawing,
}

/// The value of a position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The outcome, where it is proven.
    pub outcome: Option<Outcome>,
    /// The plies to the end of a proven win or loss.
    pub plies: Option<u32>,
    /// `AtMost` where `plies` is an upper bound.
    pub plies_bound: Option<Bound>,
    /// The score on the scale of the evaluator.
    pub score: i32,
    /// Whether the true score may be better or worse; `None` where neither is known.
    pub score_bound: Option<Bound>,
    /// The score on a scale from -1 to 1: [`value`](crate::game::Score::value).
    pub value: f64,
    /// The score at which three quarters of the points are expected: the scale of the evaluator.
    pub half_value: i32,
}

/// A move with what is expected of it, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The move.
    pub mv: MoveText,
    /// The value of the position if it is played, from the view of the side to move before it.
    pub evaluation: Evaluation,
    /// The line that is expected, the move first.
    pub principal_variation: Vec<MoveText>,
}

/// A legal move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// The move.
    pub mv: MoveText,
    /// What it does to the board.
    pub drawing: MoveDrawing,
    /// Where the game stands after it.
    pub after: State,
    /// In games with symmetric positions: the first of the legal moves that is the same as this one
    /// but for a symmetry.
    pub symmetric_to: Option<String>,
}

/// What a search found out, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The position that was searched.
    pub before: State,
    /// The best move.
    pub best_move: MoveText,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// The line that is expected, the best move first.
    pub principal_variation: Vec<MoveText>,
    /// As many of the best moves as were asked for, best first; none where nobody asked for more
    /// than the best one.
    pub variations: Vec<Variation>,
    /// The algorithm that the answer comes from.
    pub algorithm: Algorithm,
    /// Where the answer comes from.
    pub source: Source,
    /// The evaluator, where one was used.
    pub evaluator: Option<&'static str>,
    /// The last depth completed.
    pub depth: u32,
    /// The positions reached by a move.
    pub nodes: u64,
    /// The used entries of the transposition table, in thousandths of the most that it may have.
    pub table_usage: Option<u16>,
    /// What ended the search.
    pub stopped_by: StoppedBy,
    /// Where the game stands after the best move.
    pub after: State,
}

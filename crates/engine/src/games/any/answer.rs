//! What a game and a search of it have to tell, in words. These types are what the service sends: with the
//! feature `serde` they serialise to its JSON, in the order of their fields.

#[cfg(feature = "serde")]
use serde::Serialize;

#[cfg(feature = "serde")]
use super::{move_text, serialize};
use crate::game::{Alert, Cells, MoveDrawing, MoveText, Outcome, Square, expected_points};
use crate::search::{Algorithm, Bound, Source, StoppedBy};

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct State {
    /// The position, in canonical notation.
    pub position: String,
    /// The side to move.
    pub side_to_move: &'static str,
    /// How the game ended, or that it goes on.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub status: GameStatus,
    /// The draw that the side to move may claim, though the game goes on: `threefold-repetition`, or the
    /// one of the game's move counter.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub claim: Option<&'static str>,
    /// What the side to move has to heed.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub alert: Option<Alert>,
    /// The board and its moves, where somebody asked for them.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub view: Option<Box<BoardView>>,
}

/// Whether a game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(tag = "state", rename_all = "lowercase"))]
pub enum GameStatus {
    /// It does.
    Ongoing,
    /// A side has won.
    Won {
        /// The winner's name.
        winner: &'static str,
        /// Why.
        reason: &'static str,
        /// By how much, in games that count.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        margin: Option<u32>,
        /// The cells of the winning line, in games that have one.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
        line: Vec<Square>,
    },
    /// Nobody has won.
    Drawn {
        /// Why.
        reason: &'static str,
    },
}

/// What a front end needs beside the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct BoardView {
    /// The rows of the board from the top.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub board: Option<Cells>,
    /// The move that was played last.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub last_move: Option<ShownMove>,
    /// The legal moves in the game's own order.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub legal_moves: Option<Vec<LegalMove>>,
}

/// A move in the notations of its game, and on the board as drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct ShownMove {
    /// The move in words.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub text: MoveText,
    /// What it does to the board.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub drawing: MoveDrawing,
}

/// The value of a position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Evaluation {
    /// The outcome, where it is proven.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize::outcome"))]
    pub outcome: Option<Outcome>,
    /// In games that count: the margin of the side to move, where it is proven.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub margin: Option<i32>,
    /// The plies to the end of a proven win or loss; in games that count, those of the line.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub plies: Option<u32>,
    /// `AtMost` where `plies` is an upper bound.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub plies_bound: Option<Bound>,
    /// The score on the scale of the evaluator.
    pub score: i32,
    /// Whether the true score may be better or worse; `None` where neither is known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub score_bound: Option<Bound>,
    /// The score on a scale from -1 to 1: [`value`](crate::game::Score::value).
    pub value: f64,
    /// The score at which three quarters of the points are expected: the scale of the evaluator, a smaller one where
    /// few plies are left.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub half_value: i32,
}

/// A move with what is expected of it, in words.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Variation {
    /// The move.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub mv: MoveText,
    /// What the move does to the board, where that is told.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub drawing: Option<MoveDrawing>,
    /// The value of the position if it is played, from the view of the side to move before it.
    pub evaluation: Evaluation,
    /// The line that is expected, the move first.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "move_text::line"))]
    pub principal_variation: Vec<MoveText>,
    /// Why the move is good or bad, where somebody asked for that; the most important reason first.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reasons: Option<Vec<Reason>>,
    /// Somebody asked for reasons, and the explanation had ended before it came to this move.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "unexplained", skip_serializing_if = "std::ops::Not::not")
    )]
    pub is_unexplained: bool,
}

/// Why a move is good or bad.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Reason {
    /// Its kind, one of a closed list.
    pub kind: &'static str,
    /// The squares that it is about; empty where it is about moves alone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub squares: Vec<Square>,
    /// The moves that show it.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "move_text::reason_moves"))]
    pub moves: Vec<MoveText>,
    /// What it gains, or loses where negative, by the game's piece values.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub gain: Option<i32>,
    /// The expected points that the move costs, of 1 for a win, in hundredths.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub loss: Option<f64>,
    /// The plies within which it ends the game.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub plies: Option<u32>,
    /// Whether it is proven; else a search has confirmed it.
    pub proven: bool,
    /// The same in a sentence.
    pub text: String,
}

/// A legal move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct LegalMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub mv: MoveText,
    /// What it does to the board.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub drawing: MoveDrawing,
    /// In games with symmetric positions: the first of the legal moves that is the same as this one
    /// but for a symmetry.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub symmetric_to: Option<String>,
    /// The position after it.
    pub position: String,
    /// How the game ended with it, or that the game goes on.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub status: GameStatus,
    /// The draw that the opponent may claim then.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub claim: Option<&'static str>,
    /// What the opponent has to heed then.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub alert: Option<Alert>,
}

/// What a search found out, in words.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Answer {
    /// The name of the game.
    pub game: &'static str,
    /// The name of the variant, where it is not the standard one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub variant: Option<&'static str>,
    /// The position that was searched, in canonical notation.
    pub position: String,
    /// The side to move there.
    pub side_to_move: &'static str,
    /// The best move.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "move_text::best_move"))]
    pub best_move: MoveText,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// The line that is expected, the best move first.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "move_text::line"))]
    pub principal_variation: Vec<MoveText>,
    /// How all this was found.
    pub search: SearchSummary,
    /// Where the game stands after the best move; `None` while the search goes on, since no move is made yet.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub after: Option<State>,
    /// Why the best move is good, where somebody asked for that; the most important reason first.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reasons: Option<Vec<Reason>>,
    /// What the other side threatens, where somebody asked for that and it threatens something.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub threat: Option<Box<Reason>>,
    /// Whether time ended the search for reasons and threat, so that some may be missing.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "reasons_cut", skip_serializing_if = "std::ops::Not::not")
    )]
    pub are_reasons_cut: bool,
    /// As many of the best moves as were asked for, best first; none where nobody asked for more
    /// than the best one.
    #[cfg_attr(feature = "serde", serde(rename = "moves", skip_serializing_if = "Vec::is_empty"))]
    pub variations: Vec<Variation>,
    /// The board that was searched and its moves, where somebody asked for them.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub view: Option<Box<BoardView>>,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct SearchSummary {
    /// The algorithm that the answer comes from.
    pub algorithm: Algorithm,
    /// Where the answer comes from.
    pub source: Source,
    /// The evaluator, where one was used.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub evaluator: Option<&'static str>,
    /// The last depth completed.
    pub depth: u32,
    /// The positions reached by a move.
    pub nodes: u64,
    /// The used entries of the transposition table, in thousandths of the most that it may have.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub table_usage: Option<u16>,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl Evaluation {
    /// The points that the side may expect of the game: 1 for a win and ½ for a draw.
    #[must_use]
    pub fn expected_points(&self) -> f64 {
        match self.outcome {
            Some(Outcome::Win) => 1.0,
            Some(Outcome::Draw) => 0.5,
            Some(Outcome::Loss) => 0.0,
            None => expected_points(f64::from(self.score), self.half_value),
        }
    }

    /// The same value from the other side's view.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            outcome: self.outcome.map(Outcome::reversed),
            margin: self.margin.map(|margin| -margin),
            score: -self.score,
            score_bound: self.score_bound.map(Bound::reversed),
            // Minus zero is written otherwise.
            value: 0.0 - self.value,
            ..self
        }
    }
}

impl Answer {
    /// The same answer with all values from the other side's view.
    #[must_use]
    pub fn reversed(self) -> Self {
        let mut variations = self.variations;
        for variation in &mut variations {
            variation.evaluation = variation.evaluation.reversed();
        }
        Self { evaluation: self.evaluation.reversed(), variations, ..self }
    }

    /// Whether time cut the search, or that for reasons, short, so that another one may find something else.
    ///
    /// ```
    /// use std::time::Duration;
    /// use bestmove_engine::games::{self, any::SearchParameters};
    /// let board = games::find("chess").expect("a game").board(None, &[]).expect("the start");
    /// let knowledge = games::load_knowledge(None).expect("whole files");
    /// let search = |parameters| board.search(&parameters, &knowledge).expect("a search");
    /// let depth = SearchParameters { depth: Some(1), ..SearchParameters::default() };
    /// assert!(!search(depth).run(&false.into()).is_cut_short());
    /// let time = SearchParameters { time: Some(Duration::ZERO), ..SearchParameters::default() };
    /// assert!(search(time).run(&false.into()).is_cut_short());
    /// ```
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.search.stopped_by == StoppedBy::Time || self.are_reasons_cut
    }
}

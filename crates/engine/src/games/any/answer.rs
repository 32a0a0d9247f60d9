//! What a game and a search of it have to tell, in words. These types are what the service sends: with the
//! feature `serde` they serialise to its JSON, in the order of their fields, and the contract has their descriptions.

#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::Serialize;

#[cfg(feature = "serde")]
use super::serialize::{self, BestMoveMembers, LineMembers, OutcomeName, ReasonMembers};
use crate::game::{Alert, Cells, MoveDrawing, MoveText, Outcome, Score, Square, expected_points};
use crate::search::{Algorithm, Bound, Source, StoppedBy};

/// Where the game stands after the best move, and what `include` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), schemars(rename = "After"))]
pub struct State {
    /// The position, in the notation of the game.
    pub position: String,
    /// The side to move.
    pub side_to_move: &'static str,
    /// How the game ended, or that it goes on.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub status: GameStatus,
    /// The draw that the side to move may claim.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub claim: Option<&'static str>,
    /// What the side to move has to heed.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub alert: Option<Alert>,
    /// The board and its moves, where somebody asked for them.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub view: Option<Box<BoardView>>,
}

/// Whether the game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "state", rename_all = "lowercase"))]
pub enum GameStatus {
    /// It does.
    Ongoing,
    /// A side has won.
    Won {
        /// The winner of a game that is won.
        winner: &'static str,
        /// Why the game has ended, such as `checkmate`.
        reason: &'static str,
        /// By how much it is won, in games that count.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        #[cfg_attr(feature = "serde", schemars(range(min = 1)))]
        margin: Option<u32>,
        /// The cells of the winning line, in games that have one.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
        line: Vec<Square>,
    },
    /// Nobody has won.
    Drawn {
        /// Why the game has ended, such as `checkmate`.
        reason: &'static str,
    },
}

/// What a front end needs beside the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct BoardView {
    /// The board, where `include` asks for it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub board: Option<Cells>,
    /// The move that led here, beside `board`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub last_move: Option<ShownMove>,
    /// What may be played, where `include` asks for it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub legal_moves: Option<Vec<LegalMove>>,
}

/// A move and what it does to the board. A client that keeps `board` makes it so: take the piece from the first square of
/// `path` (where the path has one square: the piece that the side to move places, the only one that `pieces` list for it), empty the `captures`, put the piece, or
/// that of `promotion`, on the last square, move a second piece along `also`, and make the pieces on `flips` pieces of the
/// side to move. A pass has an empty `path` and changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), schemars(rename = "Move"))]
pub struct ShownMove {
    /// The move in words.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub text: MoveText,
    /// What it does to the board.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub drawing: MoveDrawing,
}

/// What a position is worth, from the view of the side to move unless it is said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct Evaluation {
    /// The result, where it is proven.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize::outcome"))]
    #[cfg_attr(feature = "serde", schemars(with = "OutcomeName"))]
    pub outcome: Option<Outcome>,
    /// In games that count, by how much the side to move wins, negative where it loses, 0 in a draw: where it is proven to
    /// be the best that both sides can reach. In Othello discs, the empty squares counted for the winner.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub margin: Option<i32>,
    /// Plies to the end of a proven win or loss, the winner hurrying and the loser delaying. In games that count, the plies
    /// of the line: both sides care for the margin alone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(range(min = 1)))]
    pub plies: Option<u32>,
    /// `at-most` where `plies` is an upper bound: the win, or the loss, is proven and comes within so many plies, but a
    /// shorter way may have been pruned. From `selective`, where `plies` is more than 2; never from other algorithms,
    /// books and tables.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub plies_bound: Option<Bound>,
    /// On the scale of the evaluation in use. Proven wins and losses lie beyond every heuristic score, nearer ones
    /// further out; in games that count, those with larger margins. In Othello hundredths of a disc.
    pub score: i32,
    /// Whether the true score, and `value` with it, may be better (`at-least`) or worse (`at-most`): in `/best-move`, and in
    /// `/analyze` with `top` 1, where a limit interrupts `selective` after a move has turned out better than expected.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub score_bound: Option<Bound>,
    /// The score on a scale from -1 (lost) to 1 (won), for an evaluation bar: score / (|score| + k), where k is the score at
    /// which three quarters of the points are expected. k follows from the evaluator: chess 320, `material` 200; checkers 66;
    /// Connect Four 100; tic-tac-toe 4; Othello 100 and 10 for each empty square, with `mobility` and `discs`
    /// 800. Proven results are exactly -1, 0 and 1.
    #[cfg_attr(feature = "serde", schemars(range(min = -1, max = 1)))]
    pub value: f64,
    /// The score at which three quarters of the points are expected: the scale of the evaluator, a smaller one where
    /// few plies are left.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub half_value: i32,
}

/// A move and what is expected of it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), schemars(rename = "RankedMove"))]
pub struct Variation {
    /// The move.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub mv: MoveText,
    /// What the move does to the board, where that is told.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub drawing: Option<MoveDrawing>,
    /// What the position is worth to the side to move if it plays this.
    pub evaluation: Evaluation,
    /// The line that is expected, the move first.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "serialize::line"))]
    #[cfg_attr(feature = "serde", schemars(with = "LineMembers"))]
    pub principal_variation: Vec<MoveText>,
    /// Why the move is good or bad, where `include` asks for it: three at most, the most important first; empty where
    /// nothing is certain.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(length(max = 3)))]
    pub reasons: Option<Vec<Reason>>,
    /// Present and true where `include` asks for reasons and the explanation had ended before it came to this move: all
    /// reasons of an answer share one budget of two million positions, which the best moves get first.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "unexplained", skip_serializing_if = "std::ops::Not::not")
    )]
    pub is_unexplained: bool,
}

/// Why a move is good or bad: proven, or confirmed by search. `text` says what the other fields say and nothing else.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct Reason {
    /// One of the `reasons` that `GET /games/{game}` lists.
    pub kind: &'static str,
    /// The squares that it is about, those that the sentence names among them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub squares: Vec<Square>,
    /// The moves that show it.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "serialize::reason_moves"))]
    #[cfg_attr(feature = "serde", schemars(with = "ReasonMembers"))]
    pub moves: Vec<MoveText>,
    /// The material gained, or lost where negative, by the values of the evaluator `material`; of a proven end in a game that
    /// counts, 100 times the margin.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub gain: Option<i32>,
    /// The expected points that the move costs beside the best other one, of 1 for a win, in hundredths.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub loss: Option<f64>,
    /// The plies within which the game ends.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(range(min = 1)))]
    pub plies: Option<u32>,
    /// Whether it is proven; else searches of different depths agree on it.
    pub proven: bool,
    /// The same in a sentence, in English.
    #[cfg_attr(feature = "serde", schemars(length(min = 1)))]
    pub text: String,
}

/// A legal move, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct LegalMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub mv: MoveText,
    /// What it does to the board.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub drawing: MoveDrawing,
    /// In games with symmetric positions, the first move that is the same by symmetry; often the move itself.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub symmetric_to: Option<String>,
    /// Where the move leads.
    pub position: String,
    /// How the game ended with it, or that the game goes on.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub status: GameStatus,
    /// The draw that the side to move may claim then.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub claim: Option<&'static str>,
    /// What the opponent has to heed then.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub alert: Option<Alert>,
}

/// What a search found out, in words.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct Answer {
    /// The game.
    pub game: &'static str,
    /// The variant of the game, where it is not the standard one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub variant: Option<&'static str>,
    /// The position after `moves`, in the notation of the game.
    pub position: String,
    /// The side to move.
    pub side_to_move: &'static str,
    /// The best move.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "serialize::best_move"))]
    #[cfg_attr(feature = "serde", schemars(with = "BestMoveMembers"))]
    pub best_move: MoveText,
    /// What the position is worth to the side to move.
    pub evaluation: Evaluation,
    /// The line that is expected, the best move first.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "serialize::line"))]
    #[cfg_attr(feature = "serde", schemars(with = "LineMembers"))]
    pub principal_variation: Vec<MoveText>,
    /// How the answer was found.
    pub search: SearchSummary,
    // `None` while the search goes on, since no move is made yet.
    /// Where the game stands after the best move.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub after: Option<State>,
    /// Why the best move is good, where `include` asks for it: three at most, the most important first; empty where
    /// nothing is certain.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(length(max = 3)))]
    pub reasons: Option<Vec<Reason>>,
    /// What the other side would do if it were its turn, where `include` asks for it and it would win or win material. Left
    /// out in check and where a pass makes no sense.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub threat: Option<Box<Reason>>,
    /// How likely a player of the `level` plays each legal move, where `include` asks for it: the likeliest first. The
    /// probabilities sum to 1.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub chances: Option<Vec<Chance>>,
    /// Present and true where time, or the end of the service, ended the search for reasons, threat and chances, so that
    /// some may be missing. Such an answer is not kept by any cache.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "reasons_cut", skip_serializing_if = "std::ops::Not::not")
    )]
    pub are_reasons_cut: bool,
    /// The moves, best first by their final values. A proven win stands before everything unproven.
    #[cfg_attr(feature = "serde", serde(rename = "moves", skip_serializing_if = "Vec::is_empty"))]
    pub variations: Vec<Variation>,
    /// The board that was searched and its moves, where somebody asked for them.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub view: Option<Box<BoardView>>,
}

/// How likely a player plays a move.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct Chance {
    /// The move.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub mv: MoveText,
    /// The probability that the player plays the move: the average over all seeds.
    #[cfg_attr(feature = "serde", schemars(range(min = 0, max = 1)))]
    pub probability: f64,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), schemars(rename = "Search"))]
pub struct SearchSummary {
    /// The algorithm that the answer comes from.
    pub algorithm: Algorithm,
    /// Whether the answer was searched or looked up.
    pub source: Source,
    /// The static evaluation, where one was used.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub evaluator: Option<&'static str>,
    /// The last depth completed.
    #[cfg_attr(feature = "serde", schemars(range(min = 1)))]
    pub depth: u32,
    /// Every position reached by a move, over all iterations. The position asked about, the root of a tree, is not
    /// counted. So `minimax` on the empty tic-tac-toe board tells 1290105, the sum of depths 1 to 9, where the textbook's one
    /// search to the end has 549946 positions with the empty board, 549945 without it.
    #[cfg_attr(feature = "serde", schemars(range(min = 1)))]
    pub nodes: u64,
    /// The used entries of the transposition table, in thousandths of the most that it may have.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub table_usage: Option<u16>,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

impl Evaluation {
    /// The evaluation by a score, without margin and bounds. Three quarters of the points are expected at `half_value`.
    #[must_use]
    pub fn of(score: Score, outcome: Option<Outcome>, half_value: i32) -> Self {
        Self {
            outcome,
            margin: None,
            plies: score.plies(),
            plies_bound: None,
            score: score.number(),
            score_bound: None,
            value: score.value(half_value),
            half_value,
        }
    }

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

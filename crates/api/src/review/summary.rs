//! The result of a review: its moves, labelled and summed up.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::reasons::LEAST_LOSS;
use bestmove_engine::game::{GameInfo, Outcome};
use bestmove_engine::games::any::{Evaluation, MoveText, Reason, ShownMove, State, Variation};
use bestmove_engine::games::special_variant;

/// How good a move was: `forced` where there was no other, else by the expected points that it lost: `best` none,
/// `excellent` at most 0.02, `good` at most 0.05, `inaccuracy` at most 0.1, `mistake` at most 0.2, `blunder` more. Where at most
/// 0.15 points, or at least 0.85, are expected both before and after the move, the game was decided: `inaccuracy` at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "MoveLabel")]
pub enum Label {
    /// Moves without another choice.
    Forced,
    /// Moves that lost nothing.
    Best,
    /// Moves that lost at most 0.02 points.
    Excellent,
    /// Moves that lost at most 0.05 points.
    Good,
    /// Moves that lost at most 0.1 points.
    Inaccuracy,
    /// Moves that lost at most 0.2 points.
    Mistake,
    /// Moves that lost more.
    Blunder,
}

impl Label {
    /// All labels, the best first.
    pub const ALL: [Self; 7] = [
        Self::Forced,
        Self::Best,
        Self::Excellent,
        Self::Good,
        Self::Inaccuracy,
        Self::Mistake,
        Self::Blunder,
    ];

    /// The name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Best => "best",
            Self::Excellent => "excellent",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The label of a move that had a choice, by its loss and the points before it.
    pub(super) fn of(loss: f64, before: f64) -> Self {
        /// The points up to which a side has as good as lost: about those of five pawns less.
        const DECIDED: f64 = 0.15;
        const LIMITS: [(f64, Label); 5] = [
            (0.0, Label::Best),
            (0.02, Label::Excellent),
            (0.05, Label::Good),
            (0.10, Label::Inaccuracy),
            (0.20, Label::Mistake),
        ];
        let is_decided = before <= DECIDED || before - loss >= 1.0 - DECIDED;
        let loss = if is_decided { loss.min(0.10) } else { loss };
        LIMITS.iter().find(|(limit, _)| loss <= *limit).map_or(Label::Blunder, |&(_, label)| label)
    }
}

/// What a move of the game was worth.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReviewedMove {
    /// The number of the move, from 1.
    #[schemars(range(min = 1))]
    pub ply: usize,
    /// The side that played it.
    pub side: &'static str,
    /// The move.
    #[serde(flatten)]
    pub mv: MoveText,
    /// The move with what it does to the board.
    pub played: ShownMove,
    /// The value of the position after it, which is that before the next move.
    pub evaluation: Evaluation,
    /// The best move of the position before it.
    pub best: Variation,
    /// The points that the side which moved may expect of the game.
    pub expected: ExpectedPoints,
    /// The expected points that the move lost, `before` less `after`, or 0 where they rose or the move is the best one.
    #[schemars(range(min = 0, max = 1))]
    pub loss: f64,
    /// The loss in a word.
    pub label: Label,
    /// The plies by which a move in a lost position brings the proven end nearer than the best one; left out where it does not,
    /// or a distance is not known exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub hastened: Option<u32>,
    /// Whether both evaluations are proven; left out where not.
    #[serde(rename = "proven", skip_serializing_if = "std::ops::Not::not")]
    pub is_proven: bool,
    /// Why the move is good or bad, where `include` asks for it: three at most, the most important first; empty where
    /// nothing is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 3))]
    pub reasons: Option<Vec<Reason>>,
    /// Present and true where time, or the end of the service, ended the search for reasons and threat, so that some may be
    /// missing. Such an answer is not kept by any cache.
    #[serde(rename = "reasons_cut", skip_serializing_if = "std::ops::Not::not")]
    pub are_reasons_cut: bool,
}

impl ReviewedMove {
    /// The move with values from the view of the other side.
    pub(super) fn turned(self) -> Self {
        let evaluation = self.evaluation.reversed();
        let best = Variation { evaluation: self.best.evaluation.reversed(), ..self.best };
        Self { evaluation, best, ..self }
    }
}

/// The parts of a review beside the value of each move.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReviewInclude {
    /// Reasons of the played and the better moves.
    pub reasons: bool,
    /// The exercises.
    pub exercises: bool,
    /// Whether values are told from the view of the game's first side, not of the side that moves first.
    pub is_first_view: bool,
}

/// A position of the game in which a mistake or a blunder was played, so that another move is better by more than 0.1
/// points.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Exercise {
    /// The number of the move that was played, from 1.
    #[schemars(range(min = 1))]
    pub ply: usize,
    /// The position, in the notation of the game.
    pub position: String,
    /// The side to move.
    pub side_to_move: &'static str,
    /// The move that was played.
    pub played: MoveText,
    /// The best move and the line that is expected after it.
    #[schemars(length(min = 1))]
    pub solution: Vec<String>,
    /// The moves that solve the exercise: the best one, then the others that cost at most 0.05 points, of five that a search
    /// of 50 000 nodes ranks highest.
    #[schemars(length(min = 1, max = 6))]
    pub accepted: Vec<String>,
    /// The kind of the most important reason of the best move, where one is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Three hints, each of which tells more than the one before. The piece, the kind, the move.
    pub hints: [String; 3],
}

/// Why a review has no exercises. `no-choice`: every move was forced. `decided`: the game was decided before and after each move
/// that lost more than 0.1 points. `lost`: a side had lost from the start by proof, and the other one made no mistake.
/// `no-mistake`: no move lost more than 0.1 points.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoExercises {
    /// There was no choice.
    NoChoice,
    /// Points were lost in a decided game alone.
    Decided,
    /// The game was lost before its first move.
    Lost,
    /// There was no mistake.
    NoMistake,
}

impl NoExercises {
    fn of(moves: &[ReviewedMove]) -> Self {
        let start = moves.first().and_then(|first| first.best.evaluation.outcome);
        if moves.iter().all(|mv| mv.label == Label::Forced) {
            Self::NoChoice
        } else if moves.iter().any(|mv| mv.loss > LEAST_LOSS) {
            Self::Decided
        } else if matches!(start, Some(Outcome::Win | Outcome::Loss)) {
            Self::Lost
        } else {
            Self::NoMistake
        }
    }
}

/// The points that the side which moved may expect, rounded to four decimals: 1, ½ and 0 where the result is proven, else
/// 1 / (1 + 3^(-score / k)) with the k of `value`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExpectedPoints {
    /// Before the move.
    #[schemars(range(min = 0, max = 1))]
    pub before: f64,
    /// After it.
    #[schemars(range(min = 0, max = 1))]
    pub after: f64,
}

/// The moves of one side, summed up.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SideReview {
    /// The side.
    pub side: &'static str,
    /// How many of its moves have each label.
    #[serde(rename = "labels", serialize_with = "label_counts")]
    pub counts: [usize; 7],
    /// The mean over its moves of 103.1668 exp(-4.354 loss) - 3.1669, cut off at 0 and 100: lichess's formula for one move.
    /// Left out where it has no moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub accuracy: Option<f64>,
}

/// Writes the number of moves with each label.
fn label_counts<S: Serializer>(counts: &[usize; 7], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Label::ALL.map(Label::name).into_iter().zip(counts))
}

/// What each move of a game was worth. All values, `outcome` included, are from the view of the side that moves first in
/// the record, or with `view` of the first of the game's `sides`; `expected` and `loss` are from the view of the side that
/// moved. The value of a position is the better one of what the played move turned out to be worth, and of what a search
/// says about the other moves. So a value that falls is the loss of one move, and the value before a move that nothing
/// could have saved is mended.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Review")]
pub struct ReviewAnswer {
    /// The game.
    pub game: &'static str,
    /// The variant of the game, where it is not the standard one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<&'static str>,
    /// The moves in their order.
    #[schemars(length(min = 1))]
    pub moves: Vec<ReviewedMove>,
    /// The moves of each side, summed up; the side that moves first in the record comes first.
    pub sides: [SideReview; 2],
    /// Positions of the game to solve, where `include` asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exercises: Option<Vec<Exercise>>,
    /// Why `exercises` is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_exercises: Option<NoExercises>,
    /// The position and state after the last move.
    #[serde(flatten)]
    pub end: State,
}

/// The accuracy of a move in per cent, by lichess's formula (<https://lichess.org/page/accuracy>).
fn accuracy(loss: f64) -> f64 {
    (103.1668 * libm::exp(-4.354 * loss) - 3.1669).clamp(0.0, 100.0)
}

impl ReviewAnswer {
    pub(super) fn new(
        game: &GameInfo,
        moves: Vec<ReviewedMove>,
        sides: [&'static str; 2],
        end: State,
        exercises: Option<Vec<Exercise>>,
    ) -> Self {
        let sides = sides.map(|side| side_review(side, &moves));
        let (game, variant) = (game.name, special_variant(game));
        let has_none = exercises.as_ref().is_some_and(Vec::is_empty);
        let no_exercises = has_none.then(|| NoExercises::of(&moves));
        Self { game, variant, moves, sides, exercises, no_exercises, end }
    }
}

fn side_review(side: &'static str, moves: &[ReviewedMove]) -> SideReview {
    let own: Vec<_> = moves.iter().filter(|reviewed| reviewed.side == side).collect();
    let (total, sum) =
        own.iter().fold((0.0, 0.0), |(total, sum), it| (total + 1.0, sum + accuracy(it.loss)));
    let accuracy = (total > 0.0).then(|| (sum / total * 100.0_f64).round() / 100.0);
    let counts =
        Label::ALL.map(|label| own.iter().filter(|reviewed| reviewed.label == label).count());
    SideReview { side, counts, accuracy }
}

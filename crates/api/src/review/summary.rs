//! The result of a review: its moves, labelled and summed up.

use serde::{Serialize, Serializer};

use bestmove_engine::game::GameInfo;
use bestmove_engine::games::any::{Evaluation, MoveText, Reason, ShownMove, State, Variation};
use bestmove_engine::games::special_variant;

/// The label of a move, by its loss in expected points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// It was the only legal move.
    Forced,
    /// It lost nothing.
    Best,
    /// It lost at most 0.02 points.
    Excellent,
    /// It lost at most 0.05 points.
    Good,
    /// It lost at most 0.1 points.
    Inaccuracy,
    /// It lost at most 0.2 points.
    Mistake,
    /// It lost more than 0.2 points.
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

    pub(super) fn of(loss: f64) -> Self {
        const LIMITS: [(f64, Label); 5] = [
            (0.0, Label::Best),
            (0.02, Label::Excellent),
            (0.05, Label::Good),
            (0.10, Label::Inaccuracy),
            (0.20, Label::Mistake),
        ];
        LIMITS.iter().find(|(limit, _)| loss <= *limit).map_or(Label::Blunder, |&(_, label)| label)
    }
}

/// A reviewed move. All values are from the view of the side that moves first in the game.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedMove {
    /// The number of the move, from 1.
    pub ply: usize,
    /// The side that played the move.
    pub side: &'static str,
    /// The move.
    #[serde(flatten)]
    pub mv: MoveText,
    /// The move, with what it did to the board.
    pub played: ShownMove,
    /// The value of the position after the move.
    pub evaluation: Evaluation,
    /// The best move. Its value is that of the position before the move.
    pub best: Variation,
    /// The expected points of the side that moved, before and after the move.
    pub expected: ExpectedPoints,
    /// The expected points that the move lost: the points before it less those after it, or 0.
    pub loss: f64,
    /// The label of the loss.
    pub label: Label,
    /// Whether both evaluations are proven.
    #[serde(rename = "proven", skip_serializing_if = "std::ops::Not::not")]
    pub is_proven: bool,
    /// Why the move is good or bad, where the request asks for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    /// Whether time ended the search for reasons, so that some may be missing.
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

/// A position of the game in which only one move held, and another was played.
#[derive(Clone, Debug, Serialize)]
pub struct Exercise {
    /// The number of the move that was played, from 1.
    pub ply: usize,
    /// The position, in the notation of the game.
    pub position: String,
    /// The side to move.
    pub side_to_move: &'static str,
    /// The move that was played.
    pub played: MoveText,
    /// The solution, the best move first.
    pub solution: Vec<String>,
    /// The kind of the most important reason of the best move, where one is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Three hints, each of which tells more than the last one: the piece, the kind, the move.
    pub hints: [String; 3],
}

/// The points that the side which played a move may expect of the game, 0 to 1, rounded to four decimals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExpectedPoints {
    /// Before the move.
    pub before: f64,
    /// After the move.
    pub after: f64,
}

/// The summary of the moves of a side.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SideReview {
    /// The side.
    pub side: &'static str,
    /// The number of moves with each label of [`Label::ALL`].
    #[serde(rename = "labels", serialize_with = "label_counts")]
    pub counts: [usize; 7],
    /// The mean accuracy of the side's moves in per cent; absent where it has no moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
}

/// Writes the number of moves with each label.
fn label_counts<S: Serializer>(counts: &[usize; 7], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Label::ALL.map(Label::name).into_iter().zip(counts))
}

/// A review of a whole game.
#[derive(Serialize)]
pub struct ReviewAnswer {
    /// The name of the game.
    pub game: &'static str,
    /// The name of the variant, where it is not the standard one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<&'static str>,
    /// The moves in their order.
    pub moves: Vec<ReviewedMove>,
    /// Both sides: the side that moves first in the game, then the other one.
    pub sides: [SideReview; 2],
    /// Positions in which only one move held, and another was played, where the request asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exercises: Option<Vec<Exercise>>,
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
        Self { game, variant, moves, sides, exercises, end }
    }
}

fn side_review(side: &'static str, moves: &[ReviewedMove]) -> SideReview {
    let own: Vec<_> = moves.iter().filter(|reviewed| reviewed.side == side).collect();
    let (mut total, mut sum) = (0.0, 0.0);
    for reviewed in &own {
        total += 1.0;
        sum += accuracy(reviewed.loss);
    }
    let accuracy = (total > 0.0).then(|| (sum / total * 100.0_f64).round() / 100.0);
    let counts =
        Label::ALL.map(|label| own.iter().filter(|reviewed| reviewed.label == label).count());
    SideReview { side, counts, accuracy }
}

//! The answer of `/review`.

use serde::{Serialize, Serializer};

use super::answer::Evaluation;
use super::board::{MoveObject, Status};
use super::json;
use crate::service::{ExpectedPoints, Label, Review, ReviewedMove, SearchCount, SideReview};

/// A review as `/review` gives it.
pub fn review_json(review: &Review) -> String {
    let end = &review.end;
    let side =
        |SideReview { side, counts: labels, accuracy }| SideObject { side, labels, accuracy };
    json(&ReviewAnswer {
        game: end.game,
        moves: review.moves.iter().map(ReviewedMoveObject::from).collect(),
        sides: review.sides.map(side).into(),
        position: &end.position,
        side_to_move: end.side_to_move,
        status: end.into(),
    })
}

/// A move that has been reviewed, while the review goes on.
pub(in crate::http) fn reviewed_move_json(reviewed: &ReviewedMove, plies: usize) -> String {
    json(&ProgressObject { reviewed: reviewed.ply, plies, r#move: reviewed.into() })
}

/// How many searches are done, while the review goes on.
pub(in crate::http) fn search_count_json(count: SearchCount) -> String {
    let SearchCount { searched, searches } = count;
    json(&SearchCountObject { searched, searches })
}

#[derive(Serialize)]
struct SearchCountObject {
    searched: usize,
    searches: usize,
}

#[derive(Serialize)]
struct ReviewAnswer<'a> {
    game: &'static str,
    moves: Vec<ReviewedMoveObject<'a>>,
    sides: Vec<SideObject>,
    position: &'a str,
    side_to_move: &'static str,
    #[serde(flatten)]
    status: Status,
}

#[derive(Serialize)]
struct ProgressObject<'a> {
    reviewed: usize,
    plies: usize,
    r#move: ReviewedMoveObject<'a>,
}

/// A move of the game.
#[derive(Serialize)]
struct ReviewedMoveObject<'a> {
    ply: usize,
    side: &'static str,
    r#move: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<&'a str>,
    played: MoveObject,
    evaluation: Evaluation,
    best: BestObject<'a>,
    expected: ExpectedObject,
    loss: f64,
    label: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    proven: bool,
}

/// The points that the side of a move may expect.
#[derive(Serialize)]
struct ExpectedObject {
    before: f64,
    after: f64,
}

/// The best move of a position.
#[derive(Serialize)]
struct BestObject<'a> {
    #[serde(flatten)]
    mv: MoveObject,
    evaluation: Evaluation,
    principal_variation: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    principal_variation_san: Option<Vec<&'a str>>,
}

/// The moves of one side, summed up.
#[derive(Serialize)]
struct SideObject {
    side: &'static str,
    #[serde(serialize_with = "label_counts")]
    labels: [usize; 7],
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
}

impl<'a> From<&'a ReviewedMove> for ReviewedMoveObject<'a> {
    fn from(reviewed: &'a ReviewedMove) -> Self {
        let line = &reviewed.principal_variation;
        let ExpectedPoints { before, after } = reviewed.expected;
        Self {
            ply: reviewed.ply,
            side: reviewed.side,
            r#move: &reviewed.played.text.text,
            san: reviewed.played.text.san.as_deref(),
            played: reviewed.played.clone().into(),
            evaluation: (&reviewed.evaluation).into(),
            best: BestObject {
                mv: reviewed.best.clone().into(),
                evaluation: (&reviewed.best_evaluation).into(),
                principal_variation: line.iter().map(|mv| mv.text.as_str()).collect(),
                principal_variation_san: line.iter().map(|mv| mv.san.as_deref()).collect(),
            },
            expected: ExpectedObject { before, after },
            loss: reviewed.loss,
            label: reviewed.label.name(),
            proven: reviewed.is_proven,
        }
    }
}

/// How many moves have each label.
fn label_counts<S: Serializer>(counts: &[usize; 7], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Label::ALL.map(Label::name).into_iter().zip(counts))
}

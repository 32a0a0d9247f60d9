//! The request and the answer of `/review`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::best_move_request::{Integer, MOST, Moves, board_request, required};
use super::board::{MoveObject, Status};
use super::evaluation::Evaluation;
use super::position_text::Position;
use super::{Dto, json};
use crate::http::problem::{Kind, Problem};
use crate::service::{BoardRequest, Review, ReviewQuestion, ReviewedMove, Service, SideReview};
use bestmove_engine::games::any::SearchParameters;

/// The nodes of each search where the request sets no limit.
const DEFAULT_NODES: u64 = 20_000;
/// The most moves of a game.
const MOST_MOVES: usize = 1000;

/// The body of `POST /review`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct ReviewRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
    depth: Option<Integer<MOST>>,
    time_ms: Option<Integer<3_600_000>>,
    nodes: Option<Integer<MOST>>,
    algorithm: Option<String>,
    evaluator: Option<String>,
}

impl ReviewRequest {
    /// The game that is to be reviewed, and the search of its positions.
    pub(in crate::http) fn split(self) -> Result<(BoardRequest, SearchParameters), Problem> {
        let is_unlimited = self.depth.is_none() && self.time_ms.is_none() && self.nodes.is_none();
        let parameters = SearchParameters {
            depth: self.depth.map(|depth| depth.0),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: self.nodes.map(|nodes| nodes.0).or(is_unlimited.then_some(DEFAULT_NODES)),
            algorithm: self.algorithm,
            evaluator: self.evaluator,
            ..SearchParameters::default()
        };
        let game = required(self.game, "game", "the name of a game")?;
        let moves = required(self.moves, "moves", "the moves of the game")?;
        let board = board_request(Some(game), self.position, Some(moves))?;
        let count = board.moves.len();
        if !(1..=MOST_MOVES).contains(&count) {
            let detail = format!("moves: expected 1 to {MOST_MOVES} moves but got {count}");
            return Err(Problem::new(Kind::InvalidRequest, detail).at("/moves"));
        }
        Ok((board, parameters))
    }
}

impl Dto for ReviewRequest {
    type Typed = ReviewQuestion;

    fn typed(self, service: &Service) -> Result<ReviewQuestion, Problem> {
        let (board, parameters) = self.split()?;
        Ok(service.review_question(board, parameters)?)
    }
}

/// A review as `/review` gives it.
#[must_use]
pub fn review_json(review: &Review) -> String {
    let end = &review.end;
    json(&ReviewAnswer {
        game: end.game,
        moves: review.moves.iter().map(ReviewedMoveObject::from).collect(),
        sides: review.sides.iter().map(SideObject::from).collect(),
        position: &end.position,
        side_to_move: end.side_to_move,
        status: end.into(),
    })
}

/// A move that has been reviewed, while the review goes on.
pub(in crate::http) fn reviewed_move_json(reviewed: &ReviewedMove, plies: usize) -> String {
    json(&ProgressObject { reviewed: reviewed.ply, plies, r#move: reviewed.into() })
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
    played: MoveObject,
    evaluation: Evaluation,
    best: BestObject<'a>,
    loss: f64,
    label: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    proven: bool,
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
    labels: LabelCounts,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
}

#[derive(Serialize)]
struct LabelCounts {
    forced: usize,
    best: usize,
    excellent: usize,
    good: usize,
    inaccuracy: usize,
    mistake: usize,
    blunder: usize,
}

impl<'a> From<&'a ReviewedMove> for ReviewedMoveObject<'a> {
    fn from(reviewed: &'a ReviewedMove) -> Self {
        let line = &reviewed.principal_variation;
        Self {
            ply: reviewed.ply,
            side: reviewed.side,
            played: reviewed.played.clone().into(),
            evaluation: (&reviewed.evaluation).into(),
            best: BestObject {
                mv: reviewed.best.clone().into(),
                evaluation: (&reviewed.best_evaluation).into(),
                principal_variation: line.iter().map(|mv| mv.text.as_str()).collect(),
                principal_variation_san: line.iter().map(|mv| mv.san.as_deref()).collect(),
            },
            loss: reviewed.loss,
            label: reviewed.label.name(),
            proven: reviewed.is_proven,
        }
    }
}

impl From<&SideReview> for SideObject {
    fn from(&SideReview { side, counts, accuracy }: &SideReview) -> Self {
        let [forced, best, excellent, good, inaccuracy, mistake, blunder] = counts;
        let labels = LabelCounts { forced, best, excellent, good, inaccuracy, mistake, blunder };
        Self { side, labels, accuracy }
    }
}

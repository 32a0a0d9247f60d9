//! The request of `/analyze`, and what its answer adds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::evaluation::Evaluation;
use super::position::Position;
use super::request::{Integer, MOST, required, some_moves};
use crate::games::any::{Terms, Variation};
use crate::http::problem::Problem;
use crate::service::Question;

/// The body of `POST /analyze`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct AnalysisRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Vec<String>>,
    depth: Option<Integer<MOST>>,
    time_ms: Option<Integer<3_600_000>>,
    nodes: Option<Integer<MOST>>,
    search_moves: Option<Vec<String>>,
    algorithm: Option<String>,
    evaluator: Option<String>,
    top: Option<Integer<MOST>>,
}

impl TryFrom<AnalysisRequest> for Question {
    type Error = Problem;

    fn try_from(request: AnalysisRequest) -> Result<Self, Problem> {
        let terms = Terms {
            depth: request.depth.map(|depth| depth.0),
            time: request.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: request.nodes.map(|nodes| nodes.0),
            search_moves: request.search_moves.map(some_moves).transpose()?,
            algorithm: request.algorithm,
            evaluator: request.evaluator,
            top: Some(request.top.map_or(MOST, |top| top.0)),
            ..Terms::default()
        };
        let game = required(request.game, "game", "the name of a game")?;
        let position = request.position.map(|position| position.0);
        Ok(Self { game, position, moves: request.moves.unwrap_or_default(), terms })
    }
}

/// A move and what is expected of it.
#[derive(Serialize)]
pub(super) struct RankedMove<'a> {
    r#move: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<&'a str>,
    evaluation: Evaluation,
    principal_variation: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    principal_variation_san: Option<Vec<&'a str>>,
}

impl<'a> From<&'a Variation> for RankedMove<'a> {
    fn from(Variation { mv, evaluation, principal_variation: line }: &'a Variation) -> Self {
        Self {
            r#move: &mv.text,
            san: mv.san.as_deref(),
            evaluation: evaluation.into(),
            principal_variation: line.iter().map(|mv| mv.text.as_str()).collect(),
            principal_variation_san: line.iter().map(|mv| mv.san.as_deref()).collect(),
        }
    }
}

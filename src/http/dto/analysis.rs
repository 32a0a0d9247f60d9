//! The request of `/analyze`, and what its answer adds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Dto;
use super::best_move_request::{Integer, MOST, Moves, board_request, include, some_moves};
use super::evaluation::Evaluation;
use super::position_text::Position;
use crate::http::problem::Problem;
use crate::service::{Described, Question, Service};
use bestmove_engine::games::any::{SearchParameters, Variation};

/// The body of `POST /analyze`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct AnalysisRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
    depth: Option<Integer<MOST>>,
    time_ms: Option<Integer<3_600_000>>,
    nodes: Option<Integer<MOST>>,
    search_moves: Option<Vec<String>>,
    algorithm: Option<String>,
    evaluator: Option<String>,
    top: Option<Integer<MOST>>,
    include: Option<Vec<String>>,
}

impl Dto for AnalysisRequest {
    type Typed = Question;

    fn typed(self, service: &Service) -> Result<Question, Problem> {
        let include = include(self.include, Described::Asked)?;
        let parameters = SearchParameters {
            depth: self.depth.map(|depth| depth.0),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: self.nodes.map(|nodes| nodes.0),
            search_moves: self.search_moves.map(some_moves).transpose()?,
            algorithm: self.algorithm,
            evaluator: self.evaluator,
            top: Some(self.top.map_or(MOST, |top| top.0)),
            ..SearchParameters::default()
        };
        let board = board_request(self.game, self.position, self.moves)?;
        Ok(service.question(&board, parameters, include)?)
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

//! The answer of `/best-move`, which `/analyze` and `/tree` extend, and its parts.

use axum::body::Bytes;
use serde::Serialize;

use super::board::{Status, extend_json};
use super::json;
use crate::service::Writers;
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{self, Answer, Bound, State, Variation};

/// How answers are serialised.
pub const WRITERS: Writers = Writers { answer: answer_json, extend: extend_json };

/// The answer as it is sent.
pub(in crate::http) fn answer_json(answer: &Answer) -> Bytes {
    json(&BestMoveAnswer::from(answer)).into()
}

/// What is known so far, while the search goes on: no move is made yet.
pub(in crate::http) fn progress_json(answer: &Answer) -> Bytes {
    json(&BestMoveAnswer { after: None, ..answer.into() }).into()
}

/// The best move of a position; and the others, where they were asked for.
#[derive(Serialize)]
pub(super) struct BestMoveAnswer<'a> {
    game: &'static str,
    position: &'a str,
    side_to_move: &'static str,
    best_move: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<&'a str>,
    evaluation: Evaluation,
    principal_variation: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    principal_variation_san: Option<Vec<&'a str>>,
    search: Search,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<After<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<RankedMove<'a>>,
}

#[derive(Serialize)]
struct Search {
    algorithm: &'static str,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluator: Option<&'static str>,
    depth: u32,
    nodes: u64,
    stopped_by: &'static str,
}

#[derive(Serialize)]
struct After<'a> {
    position: &'a str,
    side_to_move: &'static str,
    #[serde(flatten)]
    status: Status,
}

impl<'a> From<&'a Answer> for BestMoveAnswer<'a> {
    fn from(answer: &'a Answer) -> Self {
        let line = &answer.principal_variation;
        Self {
            game: answer.before.game,
            position: &answer.before.position,
            side_to_move: answer.before.side_to_move,
            best_move: &answer.best_move.text,
            san: answer.best_move.san.as_deref(),
            evaluation: (&answer.evaluation).into(),
            principal_variation: line.iter().map(|mv| mv.text.as_str()).collect(),
            principal_variation_san: line.iter().map(|mv| mv.san.as_deref()).collect(),
            search: Search {
                algorithm: answer.algorithm.name(),
                source: answer.source.name(),
                evaluator: answer.evaluator,
                depth: answer.depth,
                nodes: answer.nodes,
                stopped_by: answer.stopped_by.name(),
            },
            after: Some((&answer.after).into()),
            moves: answer.variations.iter().map(RankedMove::from).collect(),
        }
    }
}

impl<'a> From<&'a State> for After<'a> {
    fn from(state: &'a State) -> Self {
        let State { position, side_to_move, .. } = state;
        Self { position, side_to_move, status: state.into() }
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

/// What a position or a move is worth.
#[derive(Serialize)]
pub(super) struct Evaluation {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_bound: Option<&'static str>,
    score: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_bound: Option<&'static str>,
    value: f64,
}

impl From<&any::Evaluation> for Evaluation {
    fn from(evaluation: &any::Evaluation) -> Self {
        let outcome = match evaluation.outcome {
            Some(Outcome::Win) => "win",
            Some(Outcome::Draw) => "draw",
            Some(Outcome::Loss) => "loss",
            None => "unknown",
        };
        let any::Evaluation { plies, score, value, .. } = *evaluation;
        let plies_bound = evaluation.plies_bound.map(Bound::name);
        let score_bound = evaluation.score_bound.map(Bound::name);
        Self { outcome, plies, plies_bound, score, score_bound, value }
    }
}

//! What a position or a move is worth, as it is sent.

use serde::Serialize;

use bestmove_engine::game::Outcome;
use bestmove_engine::games::any;

#[derive(Serialize)]
pub(super) struct Evaluation {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    score: i32,
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
        Self { outcome, plies, score, value }
    }
}

//! The members of answers whose form is not the derived one.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::game::{MoveText, Outcome};

/// `win`, `loss` or `draw` where it is proven, else `unknown`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Outcome")]
pub(super) enum OutcomeName {
    Win,
    Loss,
    Draw,
    Unknown,
}

/// An outcome, or `unknown`.
#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
pub(super) fn outcome<S: Serializer>(
    outcome: &Option<Outcome>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let name = match outcome {
        Some(Outcome::Win) => OutcomeName::Win,
        Some(Outcome::Loss) => OutcomeName::Loss,
        Some(Outcome::Draw) => OutcomeName::Draw,
        None => OutcomeName::Unknown,
    };
    name.serialize(serializer)
}

/// The best move.
#[derive(Serialize, JsonSchema)]
pub(super) struct BestMoveMembers<'a> {
    /// The best move, as requests take it.
    best_move: &'a str,
    /// The best move in standard algebraic notation, in games that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<&'a str>,
}

pub(super) fn best_move<S: Serializer>(mv: &MoveText, serializer: S) -> Result<S::Ok, S::Error> {
    BestMoveMembers { best_move: &mv.text, san: mv.san.as_deref() }.serialize(serializer)
}

/// A line.
#[derive(Serialize, JsonSchema)]
pub(super) struct LineMembers<'a> {
    /// The line that is expected, the best move first. It never runs past the end of the game. That of a proven win or
    /// loss runs to the end and has `plies` moves, with two exceptions: where a book answers (`source`) it may stop at
    /// the end of the book, and from `selective` it may stop sooner.
    #[schemars(length(min = 1))]
    principal_variation: Vec<&'a str>,
    /// The same in standard algebraic notation, in games that have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    principal_variation_san: Vec<&'a str>,
}

pub(super) fn line<S: Serializer>(line: &[MoveText], serializer: S) -> Result<S::Ok, S::Error> {
    let (principal_variation, principal_variation_san) = notations(line);
    LineMembers { principal_variation, principal_variation_san }.serialize(serializer)
}

/// The moves of a reason.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReasonMembers<'a> {
    /// The moves that show it, as requests take them. A line begins in the position asked about; that of `prevents` and
    /// `threat` with the other side's move, as if the side to move had passed; of `threatens` and `double-threat` they are
    /// the moves that would win after the move and a pass.
    moves: Vec<&'a str>,
    /// The same moves in standard algebraic notation, in games that have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves_san: Vec<&'a str>,
}

pub(super) fn reason_moves<S: Serializer>(
    line: &[MoveText],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (moves, moves_san) = notations(line);
    ReasonMembers { moves, moves_san }.serialize(serializer)
}

/// Moves as requests write them and, in games that have that notation, in SAN.
fn notations(moves: &[MoveText]) -> (Vec<&str>, Vec<&str>) {
    let texts = moves.iter().map(|mv| &*mv.text).collect();
    let san = moves.iter().map(|mv| mv.san.as_deref()).collect::<Option<_>>();
    (texts, san.unwrap_or_default())
}

//! Moves and lines as members of JSON.

use serde::{Serializer, ser::SerializeStruct};

use crate::game::MoveText;

/// The best move, as the members `best_move` and `san`.
pub(super) fn best_move<S: Serializer>(mv: &MoveText, serializer: S) -> Result<S::Ok, S::Error> {
    let mut members = serializer.serialize_struct("BestMove", 2)?;
    members.serialize_field("best_move", &mv.text)?;
    if let Some(san) = &mv.san {
        members.serialize_field("san", san)?;
    }
    members.end()
}

pub(super) fn line<S: Serializer>(line: &[MoveText], serializer: S) -> Result<S::Ok, S::Error> {
    moves(line, ["principal_variation", "principal_variation_san"], serializer)
}

pub(super) fn reason_moves<S: Serializer>(
    line: &[MoveText],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    moves(line, ["moves", "moves_san"], serializer)
}

/// Moves as two members: as requests write them and, in games that have that notation, in SAN.
fn moves<S: Serializer>(
    moves: &[MoveText],
    [name, san_name]: [&'static str; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let texts: Vec<_> = moves.iter().map(|mv| &mv.text).collect();
    let san: Option<Vec<_>> = moves.iter().map(|mv| mv.san.as_ref()).collect();
    let mut members = serializer.serialize_struct("Moves", 2)?;
    members.serialize_field(name, &texts)?;
    if let Some(san) = san.filter(|_| !moves.is_empty()) {
        members.serialize_field(san_name, &san)?;
    }
    members.end()
}

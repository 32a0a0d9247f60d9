//! Moves as PDN writes them: `11-15`, `22x15`, and `22x15x8` where two ends don't fix the route.

use super::board::{CheckersBoard, bit_of, square_named};
use super::moves::CheckersMove;
use crate::game::{MoveError, Position, excerpt};

/// Writes a legal move by its two ends if no other move has these ends, else in full.
pub(super) fn write(board: &CheckersBoard, mv: CheckersMove) -> String {
    let squares = mv.squares();
    let sharing = board.legal_moves().filter(|other| has_ends_of(*other, mv)).count();
    match squares[..] {
        [first, .., last] if sharing == 1 => joined(&[first, last], mv),
        _ => joined(&squares, mv),
    }
}

fn has_ends_of(mv: CheckersMove, other: CheckersMove) -> bool {
    mv.from == other.from && mv.to == other.to
}

/// All squares of a move, joined as a step or as a capture.
fn joined(squares: &[u8], mv: CheckersMove) -> String {
    let names: Vec<String> = squares.iter().map(u8::to_string).collect();
    names.join(if mv.jumps() == 0 { "-" } else { "x" })
}

/// Reads a legal move, in full or by its two ends.
pub(super) fn read(board: &CheckersBoard, text: &str) -> Result<CheckersMove, MoveError> {
    let names = text.trim().split(['-', 'x', 'X', ':']).map(str::trim);
    let squares: Option<Vec<u8>> = names.map(square_named).collect();
    let Some(squares @ [first, .., last]) = squares.as_deref() else {
        if matches!(text.trim(), "--" | "Z0" | "null" | "0000" | "pass") {
            return Err(MoveError("a null move: the rules of checkers allow no pass".to_owned()));
        }
        return Err(MoveError(
            "expected two squares or more, 1 to 32, as in 11-15 or 22x15x8".to_owned(),
        ));
    };
    // A move written in full comes first, since a longer move may have the same two ends.
    if let Some(mv) = board.legal_moves().find(|mv| mv.squares() == squares) {
        return Ok(mv);
    }
    let mut candidates = Vec::new();
    if squares.len() == 2 {
        let (from, to) = (bit_of(*first), bit_of(*last));
        candidates.extend(board.legal_moves().filter(|mv| mv.from == from && mv.to == to));
    }
    match candidates[..] {
        [] => Err(MoveError(why_illegal(board, squares, text.trim()))),
        [mv] => Ok(mv),
        _ => Err(MoveError(format!(
            "{} is ambiguous: write one of {}",
            excerpt(text.trim()),
            in_full(&candidates)
        ))),
    }
}

fn in_full(moves: &[CheckersMove]) -> String {
    let names: Vec<String> = moves.iter().map(|&mv| joined(&mv.squares(), mv)).collect();
    names.join(", ")
}

/// The reason why a readable move is illegal.
fn why_illegal(board: &CheckersBoard, squares: &[u8], text: &str) -> String {
    let own = board.own >> bit_of(squares[0]) & 1 != 0;
    if !own {
        return format!("the side to move has no piece on {}", squares[0]);
    }
    let moves = board.legal_moves();
    let longer: Vec<CheckersMove> = moves.filter(|mv| mv.squares().starts_with(squares)).collect();
    if !longer.is_empty() {
        format!(
            "{text} stops too early, a capture goes on while it can: {}",
            in_full(&longer),
            text = excerpt(text)
        )
    } else if board.jumpers() != 0 {
        format!(
            "{text} is none of the captures, and one of them must be made",
            text = excerpt(text)
        )
    } else {
        format!("{text} is not a legal move", text = excerpt(text))
    }
}

//! The motifs that a game finds in a move. A motif is told where a search confirms its claim.

use super::searcher::{Exchange, PIECE, Valued, played};
use super::sentences::draft_of;
use bestmove_engine::game::{Claim, NextCapture, Outcome, ReasonKind, Square};
use bestmove_engine::games::any::{AnyBoard, GameStatus, MoveText, Reason};

/// A capture of the piece that has just captured.
#[derive(Clone, Copy)]
pub(super) struct TakenBack {
    /// The material that the side lost by the last move.
    pub(super) lost: i32,
    /// The material that the side gets back at once.
    pub(super) won: i32,
}

/// The motifs of a move whose claims hold.
pub(super) fn confirmed(
    board: &dyn AnyBoard,
    own: &Valued,
    exchange: Option<&Exchange>,
    taken_back: Option<TakenBack>,
) -> Vec<Reason> {
    let wins = own.evaluation.outcome == Some(Outcome::Win);
    let gain = exchange.map_or(0, |exchange| exchange.gain);
    let lost = taken_back.map_or(0, |it| it.lost);
    let gains = wins || gain >= lost + PIECE;
    let only_takes_back = taken_back.is_some_and(|it| it.won < it.lost + PIECE);
    let line = match exchange {
        Some(exchange) if !wins => &exchange.line,
        _ => &own.line,
    };
    let mut drafts = Vec::new();
    for motif in board.motifs(&own.mv.text) {
        let holds = match &motif.claim {
            Claim::Shown => true,
            Claim::Wins => wins,
            Claim::Gains => gains,
            Claim::Takes => gains && !only_takes_back,
            Claim::Holds => wins || gain > -PIECE,
            Claim::EndsOn { above_reply } => {
                wins && ends_on(board, line, &motif.squares, *above_reply)
            }
            Claim::Captures(capture) => gains && is_made(board, line, capture),
        };
        let kind = board.game().motifs.iter().find(|kind| kind.name == motif.kind);
        if let Some(&ReasonKind { name, sentences: &[sentence], .. }) = kind.filter(|_| holds) {
            let gain = (!wins && gain != 0).then_some(gain);
            let proven = matches!(motif.claim, Claim::Shown) || wins;
            let draft = draft_of(name, sentence, line);
            drafts.push(Reason { squares: motif.squares, gain, proven, ..draft });
        }
    }
    drafts
}

/// Whether a line wins on one of `squares`, and, with `above_reply`, right above the other side's last move.
fn ends_on(board: &dyn AnyBoard, line: &[MoveText], squares: &[Square], above_reply: bool) -> bool {
    let end = played(board, line).filter(|end| end.state().status != GameStatus::Ongoing);
    let before = line.split_last().and_then(|(_, before)| played(board, before));
    let Some(last) = end.and_then(|end| landing(&*end)).filter(|last| squares.contains(last))
    else {
        return false;
    };
    let below = Square { row: last.row + 1, ..last };
    !above_reply || before.and_then(|before| landing(&*before)) == Some(below)
}

/// The last square of the last move.
fn landing(board: &dyn AnyBoard) -> Option<Square> {
    board.last_move()?.drawing.path.last().copied()
}

/// Whether one of the next two moves of the side that begins the line makes `capture`, even if its pieces have moved
/// meanwhile.
fn is_made(board: &dyn AnyBoard, line: &[MoveText], capture: &NextCapture) -> bool {
    let NextCapture { mut on, mut by, left, follows } = capture.clone();
    let mut replied = None;
    for index in 1..line.len().min(5) {
        let Some(after) = played(board, &line[..=index]) else { return false };
        let Some(drawing) = after.last_move().map(|mv| mv.drawing) else { return false };
        let (Some(&from), Some(&to)) = (drawing.path.first(), drawing.path.last()) else {
            return false;
        };
        if index % 2 == 1 {
            replied = Some(from);
            let target = on.iter_mut().find(|square| follows && **square == from);
            // If the target takes its attacker, any piece may take it back.
            if let Some(target) = target {
                *target = to;
                by = by.filter(|_| !drawing.captures.iter().any(|square| by == Some(*square)));
            }
        } else if drawing.captures.iter().any(|square| on.contains(square))
            && by.is_none_or(|by| by == from)
            && (left.is_none() || left == replied)
        {
            return true;
        } else if by == Some(from) {
            by = Some(to);
        }
    }
    false
}

/// The squares on which a legal move captures.
pub(super) fn captures(board: &dyn AnyBoard, mv: &MoveText) -> Vec<Square> {
    let after = board.after(&mv.text, 0).ok().and_then(|after| after.last_move());
    after.map(|mv| mv.drawing.captures).unwrap_or_default()
}

//! The motifs that a game finds in a move, told where a search confirms what they claim.

use super::searcher::{Exchange, PIECE, Valued, played};
use super::sentences::Draft;
use bestmove_engine::game::{Claim, NextCapture, Outcome, Square};
use bestmove_engine::games::any::{AnyBoard, MoveText};

/// The motifs of a move whose claims hold.
pub(super) fn confirmed(
    board: &dyn AnyBoard,
    own: &Valued,
    exchange: Option<&Exchange>,
    takes_back: bool,
) -> Vec<Draft> {
    let wins = own.evaluation.outcome == Some(Outcome::Win);
    let gain = exchange.map_or(0, |exchange| exchange.gain);
    let gains = wins || gain >= PIECE && !takes_back;
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
            Claim::Holds => wins || gain > -PIECE,
            Claim::Captures(capture) => gains && is_made(board, line, capture),
        };
        let kind = board.motif_kinds().iter().find(|kind| kind.name == motif.kind);
        if let Some(kind) = kind.filter(|_| holds) {
            let draft = Draft::motif(kind, motif.squares, line);
            let gain = (!wins && gain != 0).then_some(gain);
            let is_proven = matches!(motif.claim, Claim::Shown) || wins;
            drafts.push(Draft { gain, is_proven, ..draft });
        }
    }
    drafts
}

/// Whether one of the next two moves of the side that begins the line makes a capture.
fn is_made(
    board: &dyn AnyBoard,
    line: &[MoveText],
    NextCapture { on, by, left }: &NextCapture,
) -> bool {
    let first = |board: &dyn AnyBoard| board.last_move()?.drawing.path.first().copied();
    [2, 4].into_iter().filter(|&index| index < line.len()).any(|index| {
        let before = played(board, &line[..index]);
        let after = played(board, &line[..=index]);
        let Some((before, after)) = before.zip(after) else { return false };
        let captures = captures(&*before, &line[index]);
        captures.iter().any(|square| on.contains(square))
            && by.is_none_or(|by| first(&*after) == Some(by))
            && left.is_none_or(|left| first(&*before) == Some(left))
    })
}

/// The squares on which a legal move captures.
pub(super) fn captures(board: &dyn AnyBoard, mv: &MoveText) -> Vec<Square> {
    let after = board.after(&mv.text, 0).ok().and_then(|after| after.last_move());
    after.map(|mv| mv.drawing.captures).unwrap_or_default()
}

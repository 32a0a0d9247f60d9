//! The motifs that a game finds in a move. A motif is told where a search confirms its claim.

use super::searcher::{Exchange, PIECE, Valued, boards, drawings};
use super::sentences::draft_of;
use bestmove_engine::game::{Claim, NextCapture, Outcome, ReasonKind, Square};
use bestmove_engine::games::any::{AnyBoard, GameStatus, MoveText, Reason};

/// The motifs of a move whose claims hold. The move takes back what is worth `taken_back`.
pub(super) fn confirmed(
    board: &dyn AnyBoard,
    own: &Valued,
    exchange: Option<&Exchange>,
    taken_back: Option<i32>,
) -> Vec<Reason> {
    let wins = own.evaluation.outcome == Some(Outcome::Win);
    let gain = exchange.map_or(0, |exchange| exchange.gain);
    let gains = wins || gain >= taken_back.unwrap_or_default() + PIECE;
    let line = match exchange {
        Some(exchange) if !wins => &exchange.line,
        _ => &own.line,
    };
    let mut drafts = Vec::new();
    for motif in board.motifs(&own.mv.text) {
        let holds = match &motif.claim {
            Claim::Shown => true,
            Claim::Gains => gains,
            Claim::Takes => gains && taken_back.is_none(),
            Claim::Holds => wins || exchange.is_some() && gain > -PIECE,
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
    let boards = boards(board, line);
    let has_ended = boards.last().is_some_and(|end| end.state().status != GameStatus::Ongoing);
    let landings =
        drawings(board, line).into_iter().rev().map(|drawing| drawing.path.last().copied());
    let [last, before] = [0, 1].map(|back| landings.clone().nth(back).flatten());
    let below = last.map(|last| Square { row: last.row + 1, ..last });
    has_ended
        && last.is_some_and(|last| squares.contains(&last))
        && (!above_reply || before == below)
}

/// Whether one of the next two moves of the side that begins the line makes `capture`, even if its pieces have moved
/// meanwhile.
fn is_made(board: &dyn AnyBoard, line: &[MoveText], capture: &NextCapture) -> bool {
    let NextCapture { mut on, mut by, replies, follows } = capture.clone();
    let mut replied = None;
    for (index, drawing) in drawings(board, line).iter().enumerate().take(5).skip(1) {
        let (Some(&from), Some(&to)) = (drawing.path.first(), drawing.path.last()) else {
            return false;
        };
        if index % 2 == 1 {
            replied = Some([from, to]);
            let target = on.iter_mut().find(|square| follows && **square == from);
            // If the target takes its attacker, any piece may take it back.
            if let Some(target) = target {
                *target = to;
                by = by.filter(|by| !drawing.captures.contains(by));
            }
        } else if drawing.captures.iter().any(|square| on.contains(square))
            && by.is_none_or(|by| by == from)
            && (replies.is_empty() || replied.is_some_and(|it| replies.contains(&it)))
        {
            return true;
        } else if by == Some(from) {
            by = Some(to);
        }
    }
    false
}

//! Reasons about material.

use super::Explainer;
use super::motifs::{self, TakenBack};
use super::searcher::{Exchange, PIECE, Valued, played};
use super::sentences::{draft, worth};
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{AnyBoard, MoveText, Reason};

/// The difference of material up to which an exchange is even.
const EVEN: i32 = 50;

impl Explainer<'_> {
    /// Adds the effect of a move on the material, and the motifs of the game, which material confirms.
    pub(super) fn exchanges(&self, own: &Valued, others: &[String], drafts: &mut Vec<Reason>) {
        let wins = own.evaluation.outcome == Some(Outcome::Win);
        let exchange = self.searcher.exchange(self.board, std::slice::from_ref(&own.mv.text));
        let taken_back = self.taken_back(&own.mv);
        drafts.extend(motifs::confirmed(self.board, own, exchange.as_ref(), taken_back));
        drafts.extend(self.sacrifice(own, exchange.as_ref()));
        let Some(exchange) = exchange.filter(|_| !wins) else { return };
        let Exchange { gain, line } = &exchange;
        let is_even = taken_back.is_some_and(|it| *gain < it.lost + PIECE);
        if *gain >= PIECE && !is_even {
            drafts.push(worth(*gain, draft("wins-material", 0, line)));
        } else if *gain <= -PIECE {
            let best = self.searcher.exchange(self.board, others);
            if best.is_some_and(|best| best.gain >= gain + PIECE) {
                drafts.push(worth(*gain, draft("loses-material", 0, line)));
            }
        } else if is_even {
            drafts.push(worth(*gain, draft("trades", 0, &line[..line.len().min(1)])));
        } else if gain.abs() < EVEN && is_trade(self.board, line) {
            drafts.push(worth(*gain, draft("trades", 1, &line[..2])));
        } else if gain.abs() < EVEN && self.offers_trade(line) {
            drafts.push(worth(*gain, draft("trades", 2, &line[..3])));
        }
    }

    /// The material that the last move took, and that `mv` takes by capturing the piece which took it; `None` where `mv` does
    /// not.
    pub(super) fn taken_back(&self, mv: &MoveText) -> Option<TakenBack> {
        let last = self.board.last_move().filter(|last| !last.drawing.captures.is_empty())?;
        let captures = motifs::captures(self.board, mv);
        last.drawing.path.last().filter(|target| captures.contains(target))?;
        let now = self.searcher.material(self.board)?;
        // Both numbers are from the view of the other side.
        let before = self.searcher.material(&*self.board.before()?)?;
        let after = self.searcher.material(&*self.board.after(&mv.text, 0).ok()?)?;
        Some(TakenBack { lost: -now - before, won: -now - after })
    }

    /// Whether the other side must capture after the first move of a line, and the third one takes back.
    fn offers_trade(&self, line: &[MoveText]) -> bool {
        let Some((first, rest)) = line.split_first() else { return false };
        let Ok(after) = self.board.after(&first.text, 0) else { return false };
        let forced = after.legal_moves();
        let is_forced =
            !forced.is_empty() && forced.iter().all(|mv| !mv.drawing.captures.is_empty());
        is_forced && is_trade(&*after, rest)
    }

    /// The reason of a sacrifice: the line wins, or wins material, and in its course the side has less material than now, by
    /// at least two of the least pieces.
    fn sacrifice(&self, own: &Valued, exchange: Option<&Exchange>) -> Option<Reason> {
        let now = self.searcher.material(self.board)?;
        let wins = own.evaluation.outcome == Some(Outcome::Win);
        let gains = exchange.filter(|exchange| exchange.gain >= PIECE);
        let line = if wins { &own.line } else { &gains?.line };
        let along = self.searcher.material_along(self.board, line);
        // Material that a promotion of the other side costs is not sacrificed.
        let after_captures = (2..along.len()).step_by(2).filter(|&index| {
            let before = played(self.board, &line[..index - 1]);
            before.is_some_and(|before| !motifs::captures(&*before, &line[index - 1]).is_empty())
        });
        let least = after_captures.map(|index| along[index]).min()? - now;
        let sacrifice = worth(least, draft("sacrifices", 0, line));
        (least <= -2 * PIECE).then_some(Reason { proven: wins, ..sacrifice })
    }
}

/// Whether the first two moves of a line are captures, and the second one takes the piece that made the first.
fn is_trade(board: &dyn AnyBoard, line: &[MoveText]) -> bool {
    let [first, second, ..] = line else { return false };
    let Ok(after) = board.after(&first.text, 0) else { return false };
    let landing = after.last_move().and_then(|mv| mv.drawing.path.last().copied());
    let is_capture = !motifs::captures(board, first).is_empty();
    is_capture && landing.is_some_and(|it| motifs::captures(&*after, second).contains(&it))
}

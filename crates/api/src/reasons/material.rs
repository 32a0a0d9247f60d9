//! Reasons about material.

use super::Explainer;
use super::motifs;
use super::searcher::{Exchange, PIECE, Valued, drawings};
use super::sentences::{draft, worth};
use bestmove_engine::game::{MoveDrawing, Outcome};
use bestmove_engine::games::any::{MoveText, Reason};

impl Explainer<'_> {
    /// Adds what a move gains or trades, and the motifs of the game, which material confirms. Nothing is praised that
    /// `is_worse` by its value than another move, or that the expected line refutes. Gives the exchange of a move that loses
    /// material.
    pub(super) fn exchanges(
        &self,
        own: &Valued,
        expected: &[MoveText],
        is_worse: bool,
        drafts: &mut Vec<Reason>,
    ) -> Option<Exchange> {
        let exchange = self.searcher.exchange(self.board, std::slice::from_ref(&own.mv.text));
        let exchange = exchange.filter(|it| {
            let mut lines =
                [&own.line, expected].into_iter().filter(|line| line.len() >= it.line.len());
            it.gain < PIECE || !is_worse && lines.all(|line| self.is_expected(line))
        });
        let taken_back = self.taken_back(&own.mv);
        drafts.extend(motifs::confirmed(self.board, own, exchange.as_ref(), taken_back));
        drafts.extend(self.sacrifice(own, exchange.as_ref()));
        let exchange = exchange.filter(|_| own.evaluation.outcome != Some(Outcome::Win))?;
        let Exchange { gain, line } = &exchange;
        let is_even = taken_back.is_some_and(|lost| *gain < lost + PIECE);
        if *gain <= -PIECE {
            return Some(exchange);
        } else if is_even {
            drafts.push(worth(*gain, draft("trades", 0, std::slice::from_ref(&own.mv))));
        } else if *gain >= PIECE {
            drafts.push(worth(*gain, draft("wins-material", 0, line)));
        } else {
            drafts.extend(self.trade(line));
        }
        None
    }

    /// Whether the line that a search expects wins material, with the captures that follow it and without them.
    fn is_expected(&self, line: &[MoveText]) -> bool {
        let now = self.searcher.material(self.board);
        let end = self.searcher.material_along(self.board, line).pop();
        let shown = self.searcher.shown(self.board, line.to_vec()).map(|(shown, _)| shown);
        now.zip(end.min(shown)).is_some_and(|(now, least)| least >= now + PIECE)
    }

    /// The material that the last move took, where `mv` captures the piece which took it.
    pub(super) fn taken_back(&self, mv: &MoveText) -> Option<i32> {
        let last = self.board.last_move().filter(|last| !last.drawing.captures.is_empty())?;
        let own = drawings(self.board, std::slice::from_ref(mv)).pop()?;
        last.drawing.path.last().filter(|target| own.captures.contains(target))?;
        // The material before the last move is from the view of the other side.
        let before = self.searcher.material(&*self.board.before()?)?;
        Some(-self.searcher.material(self.board)? - before)
    }

    /// The reason of a line that trades pieces, or that offers a trade which can't be refused, up to where the material is
    /// even and stays so.
    fn trade(&self, line: &[MoveText]) -> Option<Reason> {
        let drawings = drawings(self.board, line);
        let (now, along) =
            (self.searcher.material(self.board)?, self.searcher.material_along(self.board, line));
        let sentence = if is_trade(&drawings) {
            1
        } else {
            let replies = self.board.after(&line.first()?.text, 0).ok()?.legal_moves();
            let is_offer = is_trade(drawings.get(1..)?)
                && replies.iter().all(|mv| !mv.drawing.captures.is_empty());
            if !is_offer {
                return None;
            }
            2
        };
        let mut ends = sentence..along.len();
        let end = ends.find(|&end| along[end..].iter().take(2).all(|seen| *seen == now))?;
        Some(worth(0, draft("trades", sentence, &line[..=end])))
    }

    /// The reason of a sacrifice: the line wins, or wins material, and in its course the side has less material than now, by
    /// at least two of the least pieces.
    fn sacrifice(&self, own: &Valued, exchange: Option<&Exchange>) -> Option<Reason> {
        let now = self.searcher.material(self.board)?;
        let wins = own.evaluation.outcome == Some(Outcome::Win);
        let gains = exchange.filter(|exchange| exchange.gain >= PIECE);
        let line = if wins { &own.line } else { &gains?.line };
        let along = self.searcher.material_along(self.board, line);
        let drawings = drawings(self.board, line);
        // Material that a promotion of the other side costs is not sacrificed.
        let after_captures =
            (2..along.len()).step_by(2).filter(|&index| !drawings[index - 1].captures.is_empty());
        let least = after_captures.map(|index| along[index]).min()? - now;
        let sacrifice = worth(least, draft("sacrifices", usize::from(!wins), line));
        (least <= -2 * PIECE).then_some(Reason { proven: wins, ..sacrifice })
    }
}

/// Whether the first two moves of a line are captures, and the second one takes the piece that made the first.
fn is_trade(drawings: &[MoveDrawing]) -> bool {
    let [first, second, ..] = drawings else { return false };
    let landing = first.path.last().filter(|_| !first.captures.is_empty());
    landing.is_some_and(|landing| second.captures.contains(landing))
}

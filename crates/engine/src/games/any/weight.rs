//! The memory that an answer occupies.

use super::answer::{Answer, BoardView, Chance, LegalMove, Reason, Variation};
use crate::game::MoveText;

impl Answer {
    /// The approximate number of bytes in memory.
    #[must_use]
    pub fn weight(&self) -> usize {
        let variations = self.variations.iter().map(|it| {
            let own = size_of::<Variation>() + it.mv.heap() + line(&it.principal_variation);
            own + reasons(it.reasons.as_deref())
        });
        let after = self
            .after
            .as_ref()
            .map_or(0, |after| heap(&after.position) + view(after.view.as_deref()));
        let chances = self.chances.iter().flatten();
        let chances = chances.map(|it| size_of::<Chance>() + it.mv.heap());
        size_of::<Self>()
            + heap(&self.position)
            + chances.sum::<usize>()
            + self.best_move.heap()
            + line(&self.principal_variation)
            + variations.sum::<usize>()
            + after
            + reasons(self.reasons.as_deref())
            + view(self.view.as_deref())
    }
}

impl MoveText {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.heap()
    }

    /// The bytes beside the value itself.
    fn heap(&self) -> usize {
        heap(&self.text) + self.san.as_deref().map_or(0, heap)
    }
}

/// The bytes that a text occupies on the heap, with what the allocator adds.
fn heap(text: &str) -> usize {
    const ALLOCATION: usize = 16;
    text.len() + ALLOCATION
}

fn line(moves: &[MoveText]) -> usize {
    moves.iter().map(MoveText::weight).sum()
}

fn reasons(reasons: Option<&[Reason]>) -> usize {
    let reasons = reasons.unwrap_or_default().iter();
    reasons.map(|it| size_of::<Reason>() + line(&it.moves) + heap(&it.text)).sum()
}

/// The bytes of a view, with what the paths of its moves occupy.
fn view(view: Option<&BoardView>) -> usize {
    /// The bytes of the paths and captures of a move.
    const DRAWING: usize = 64;
    let Some(view) = view else { return 0 };
    let cells = view.board.iter().flatten().map(|row| size_of_val(&row[..]));
    let moves = view.legal_moves.iter().flatten();
    let moves =
        moves.map(|it| size_of::<LegalMove>() + it.mv.heap() + heap(&it.position) + DRAWING);
    size_of::<BoardView>() + cells.sum::<usize>() + moves.sum::<usize>()
}

//! The opening book: every unfinished position after up to eight plies, proven.

use super::super::book::Book;
use super::board::Board;
use crate::game::Score;

/// The plies up to which all positions are in the book.
const PLIES: u32 = 8;

/// Made by `lab book connect-four --plies 8`.
const BOOK: Book = Book::new(include_bytes!("../../../knowledge/connect-four.book"));

/// The exact score of an unfinished board that is in the book.
pub(super) fn score(board: &Board) -> Option<Score> {
    if board.stones().count_ones() > PLIES {
        return None;
    }
    BOOK.score(&board.as_if_first_began())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::{Game, Margin, Position, ended};
    use crate::games::connect_four::ConnectFour;

    /// The margin of a position by the book, held against those of the positions after it.
    fn margin(board: &Board, seen: &mut HashSet<u64>) -> Margin {
        if let Some(outcome) = board.outcome() {
            return ended(outcome, board);
        }
        let margin = BOOK.margin(board).expect("every unfinished position is in the book");
        if seen.insert(board.canonical().0) && board.stones().count_ones() < PLIES {
            let children = board.legal_moves().map(|column| board.play(column));
            let best = children.map(|child| -self::margin(&child, seen)).max();
            assert_eq!(Some(margin), best, "{}", ConnectFour::write_position(board));
        }
        margin
    }

    #[test]
    fn the_book_holds_every_position_up_to_its_last_ply_and_nothing_else() {
        let mut seen = HashSet::new();
        assert_eq!(margin(&Board::EMPTY, &mut seen), 2, "the first player wins on the 41st ply");
        assert_eq!(BOOK.records().len(), seen.len());
        assert!(BOOK.records().map(|(key, _)| key).is_sorted());
    }
}

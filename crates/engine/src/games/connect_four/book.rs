//! The opening book: proven positions after up to eight plies.

use std::io;

use super::super::book::Book;
use super::super::embedded::Embedded;
use super::board::Board;
use crate::game::Score;

/// The most plies after which a position is in the book.
const PLIES: u32 = 8;

/// Made by `lab book connect-four --plies 8`.
static BOOK: Embedded<Book> = Embedded::new("knowledge/connect-four.book", || {
    Book::read(include_bytes!("../../../../../knowledge/connect-four.book"))
});

/// # Errors
/// Names the file if it is damaged.
pub(super) fn check_embedded() -> io::Result<()> {
    BOOK.check()
}

/// The exact score of an unfinished board that is in the book.
pub(super) fn score(board: &Board) -> Option<Score> {
    if board.stones().count_ones() > PLIES {
        return None;
    }
    BOOK.get()?.score(&board.as_if_first_began())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::{Game, Margin, Position, ended};
    use crate::games::connect_four::ConnectFour;

    /// The positions of the book, each held against those after it where the book has them all.
    struct Reader {
        seen: HashSet<u64>,
        found: usize,
    }

    fn book() -> &'static Book {
        BOOK.get().expect("the book is whole")
    }

    impl Reader {
        fn margin(&mut self, board: &Board) -> Option<Margin> {
            if let Some(outcome) = board.outcome() {
                return Some(ended(outcome, board));
            }
            let margin = book().margin(board);
            if self.seen.insert(board.canonical().0) {
                self.found += usize::from(margin.is_some());
                if board.stones().count_ones() < PLIES {
                    assert_eq!(margin, self.best(board), "{}", ConnectFour::write_position(board));
                }
            }
            margin
        }

        fn best(&mut self, board: &Board) -> Option<Margin> {
            let children = board.legal_moves().map(|column| board.play(column));
            let known: Vec<_> = children.map(|child| self.margin(&child)).collect();
            known
                .into_iter()
                .map(|margin| margin.map(|margin| -margin))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max()
        }
    }

    #[test]
    fn the_book_holds_what_follows_from_its_last_ply_and_nothing_else() {
        let mut reader = Reader { seen: HashSet::new(), found: 0 };
        reader.margin(&Board::EMPTY);
        assert_eq!(reader.found, book().records().len());
        assert!(book().records().map(|(key, _)| key).is_sorted());
    }
}

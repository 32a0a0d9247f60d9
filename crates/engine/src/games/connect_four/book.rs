//! The opening book: proven positions after up to eight plies.

use std::io;

use super::super::book::Book;
use super::super::knowledge::named;
use super::board::Board;
use crate::game::{Score, SolverScore};

/// The most plies after which a position is in the book.
const PLIES: u32 = 8;

/// The book that is part of the program, made by `lab book connect-four --plies 8`.
///
/// # Errors
/// Names the file if it is damaged.
pub(super) fn read() -> io::Result<Book> {
    let book = Book::read(include_bytes!("../../../../../knowledge/connect-four.book"));
    book.map_err(|error| named(&"knowledge/connect-four.book", &error))
}

/// The exact score of an unfinished board that is in the book.
#[inline]
pub(super) fn score(book: &Book, board: &Board) -> Option<Score> {
    if board.stones().count_ones() > PLIES {
        return None;
    }
    book.score(&board.as_if_first_began())
}

/// A lower bound of the solver score of an unfinished board one ply after those in the book.
pub(super) fn least_value(book: &Book, board: &Board) -> Option<SolverScore> {
    if board.stones().count_ones() != PLIES + 1 {
        return None;
    }
    least_after(book, &board.as_if_first_began())
}

/// A lower bound of the solver score of an unfinished board by the values of the boards before it: whoever
/// moved last could have come here from each of them, and gets no more here than their values.
fn least_after(book: &Book, board: &Board) -> Option<SolverScore> {
    board.predecessors().filter_map(|before| book.value(&before)).map(|value| -value).max()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::{Game, Position, final_value};
    use crate::games::connect_four::ConnectFour;

    /// The positions of the book, each held against those after it where the book has them all.
    struct Reader {
        book: Book,
        seen: HashSet<u64>,
        found: usize,
        /// How many have the value that is the least by the positions before them.
        bounded: usize,
    }

    impl Reader {
        fn value(&mut self, board: &Board) -> Option<SolverScore> {
            if let Some(outcome) = board.outcome() {
                return Some(final_value(outcome, board));
            }
            let value = self.book.value(board);
            if self.seen.insert(board.canonical().0) {
                self.found += usize::from(value.is_some());
                self.bounded += usize::from(value == least_after(&self.book, board));
                assert!(least_after(&self.book, board) <= value);
                if board.stones().count_ones() < PLIES {
                    assert_eq!(value, self.best(board), "{}", ConnectFour::write_position(board));
                }
            }
            value
        }

        fn best(&mut self, board: &Board) -> Option<SolverScore> {
            let children = board.legal_moves().map(|column| board.play(column));
            let known: Vec<_> = children.map(|child| self.value(&child)).collect();
            known
                .into_iter()
                .map(|value| value.map(|value| -value))
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .max()
        }
    }

    #[test]
    fn the_book_holds_what_follows_from_its_last_ply_and_nothing_else() {
        let book = read().expect("the book is whole");
        let mut reader = Reader { book, seen: HashSet::new(), found: 0, bounded: 0 };
        reader.value(&Board::EMPTY);
        assert!(reader.bounded > reader.found / 4, "{}", reader.bounded);
        assert_eq!(reader.found, reader.book.records().len());
        assert!(reader.book.records().map(|(key, _)| key).is_sorted());
    }
}

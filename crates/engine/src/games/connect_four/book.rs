//! The opening book: proven positions after up to eight plies.

use std::io;

use super::super::book::Book;
use num_traits::PrimInt;

use super::ConnectFour;
use super::board::{BoardOf, Column};
use super::size::BoardSize;
use crate::game::{Known, Position, Question, SolverScore, outcome_and_score};

/// The most plies after which a position is in the book.
const PLIES: u32 = 8;

/// The book that is part of the program, made by `lab book connect-four --plies 8`.
///
/// # Errors
/// Names the file if it is damaged.
pub(super) fn read() -> io::Result<Book> {
    let file = knowledge_file!("connect-four.book");
    file.read(|bytes| Book::read(bytes, &BoardOf::empty(ConnectFour::STANDARD)))
}

/// The board of the book that stands for `board`, if `board` is a standard board of at most `plies` plies. In the book the
/// first side has always begun.
#[inline]
fn listed<S: BoardSize>(board: &BoardOf<S>, plies: u32) -> Option<BoardOf<S>> {
    (board.game.is_standard() && board.stones.count_ones() <= plies)
        .then(|| board.as_if_first_began())
}

/// The answer of the book to a question about an unfinished board. One ply after the book there are lower bounds.
pub(super) fn known<S: BoardSize>(
    book: &Book,
    board: &BoardOf<S>,
    question: Question,
) -> Option<Known<Column>> {
    match question {
        Question::Value => book.score(&listed(board, PLIES)?).map(Known::Score),
        Question::Move => book.best_move(&listed(board, PLIES)?).map(Known::Move),
        Question::Least if board.stones.count_ones() == PLIES + 1 => {
            let least = least_after(book, &listed(board, PLIES + 1)?)?;
            Some(Known::Score(outcome_and_score(least, board.plies_left()?).1))
        }
        Question::Least | Question::Reaches(_) | Question::Outcome => None,
    }
}

/// A lower bound of the solver score of an unfinished board by the values of the boards one ply before. A move leads from
/// each of the earlier boards to `board`, so the side that moved last gets no more on `board` than the value of an earlier
/// board.
fn least_after<S: BoardSize>(book: &Book, board: &BoardOf<S>) -> Option<SolverScore> {
    board.predecessors().filter_map(|before| book.value(&before)).map(|value| -value).max()
}

#[cfg(test)]
mod tests {
    use super::super::board::ConnectFourBoard;
    use super::*;
    use crate::game::{Game, Notation, PositionText, final_value};
    use crate::games::Knowledge;
    use crate::games::book::generations;
    use crate::games::connect_four::ConnectFour;
    use crate::search::Solver;

    /// The value after the best move of a position by the book, seen from before it.
    fn value_after_best_move(
        book: &Book,
        board: &ConnectFourBoard,
        prove: impl Fn(&ConnectFourBoard) -> SolverScore,
    ) -> SolverScore {
        let listed = listed(board, PLIES).expect("a standard board");
        let child = board.play(book.best_move(&listed).expect("a move"));
        let known = child.outcome().map(|outcome| final_value(outcome, &child));
        -known.or_else(|| book.value(&child.as_if_first_began())).unwrap_or_else(|| prove(&child))
    }

    fn mirrored(board: &ConnectFourBoard) -> ConnectFourBoard {
        let text = ConnectFour::write_position(board);
        let (rows, side) = text.split_once(' ').expect("rows and a side");
        let rows: String =
            rows.split('/').rev().collect::<Vec<_>>().join("/").chars().rev().collect();
        let text = PositionText::Text(format!("{rows} {side}"));
        ConnectFour::STANDARD.read_position(&text).expect("a position")
    }

    #[test]
    fn the_book_has_every_position_and_its_bounds_hold() {
        let book = read().expect("the book is whole");
        assert_eq!(u32::from(book.plies()), PLIES);
        let (mut found, mut bounded) = (0, 0);
        for (_, board) in
            generations(&BoardOf::empty(ConnectFour::STANDARD), PLIES as u8).into_iter().flatten()
        {
            let value = book.value(&board);
            assert!(value.is_some(), "{}", ConnectFour::write_position(&board));
            let least = least_after(&book, &board);
            assert!(least <= value, "{}", ConnectFour::write_position(&board));
            found += 1;
            bounded += usize::from(least == value);
        }
        assert!(bounded > found / 4, "{bounded}");
        assert_eq!(book.entries().len(), found);
    }

    /// In the mirror image too. Values after nine plies are proven, for some.
    #[test]
    fn the_best_moves_of_the_book_hold_its_values() {
        let book = read().expect("the book is whole");
        let evaluator =
            ConnectFour::evaluator("outcome", &Knowledge::default().of::<ConnectFour>());
        let evaluator = evaluator.expect("an evaluator");
        let by_proof = |board: &ConnectFourBoard| Solver::of(&evaluator, board).value(board);
        let mut early = generations(&BoardOf::empty(ConnectFour::STANDARD), PLIES as u8);
        let last = early.pop().expect("the last ply").into_iter().step_by(9000);
        for (_, board) in early.into_iter().flatten().chain(last) {
            for board in [board, mirrored(&board)] {
                let text = ConnectFour::write_position(&board);
                let value = book.value(&board).expect("an entry");
                assert_eq!(value_after_best_move(&book, &board, by_proof), value, "{text}");
            }
        }
    }
}

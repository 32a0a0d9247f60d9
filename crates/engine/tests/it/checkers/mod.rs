//! Checkers by its rules, in its notation, and searched without a mistake.

mod endings;
mod evaluation;
mod late_draws;
mod motifs;
mod notation;
mod perft;
mod plain;
mod rules;
mod search;

use bestmove_engine::game::{Game, Notation, Position, PositionText};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard};
use proptest::prelude::*;
use proptest::sample::Index;

/// The position that a text stands for.
fn board(text: &str) -> CheckersBoard {
    Checkers.read_position(&PositionText::Text(text.to_owned())).expect(text)
}

/// The board after a move by its text.
fn played(board: &CheckersBoard, text: &str) -> CheckersBoard {
    board.play(Checkers::read_move(board, text).expect(text))
}

/// The legal moves, written out.
fn legal_moves(board: &CheckersBoard) -> Vec<String> {
    board.legal_moves().map(|mv| Checkers::write_move(board, mv).text).collect()
}

/// The unfinished positions of a game with these choices, oldest first.
fn wander(start: CheckersBoard, choices: &[Index]) -> Vec<CheckersBoard> {
    let mut line = vec![start];
    for choice in choices {
        let last = line[line.len() - 1];
        let children = last.legal_moves().map(|mv| last.play(mv));
        let ongoing: Vec<CheckersBoard> =
            children.filter(|child| child.outcome().is_none()).collect();
        if ongoing.is_empty() {
            break;
        }
        line.push(ongoing[choice.index(ongoing.len())]);
    }
    line
}

/// Boards in the midst of a game.
fn boards_from_play() -> impl Strategy<Value = CheckersBoard> {
    prop::collection::vec(any::<Index>(), 0..90)
        .prop_map(|choices| *wander(Checkers.start(), &choices).last().expect("the start"))
}

/// Boards with pieces anywhere, many of them kings, so that captures branch and turn round.
fn scattered_boards() -> impl Strategy<Value = CheckersBoard> {
    let square =
        prop_oneof![4 => Just('.'), 1 => Just('b'), 2 => Just('B'), 1 => Just('w'), 2 => Just('W')];
    let squares = (prop::collection::vec(square, 32), any::<bool>());
    squares.prop_filter_map("a side without moves", |(squares, black_to_move)| {
        unfinished(&plain::Board::scattered(&squares, black_to_move))
    })
}

/// The same board, where a game could have reached it and goes on.
fn unfinished(board: &plain::Board) -> Option<CheckersBoard> {
    let board = Checkers.read_position(&PositionText::Text(board.fen())).ok()?;
    board.outcome().is_none().then_some(board)
}

/// Both.
fn boards() -> impl Strategy<Value = CheckersBoard> {
    prop_oneof![boards_from_play(), scattered_boards()]
}

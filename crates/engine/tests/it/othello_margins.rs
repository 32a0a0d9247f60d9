//! Margins of Othello: the largest win and the smallest loss are the best, whoever chooses.

use std::collections::BTreeMap;

use bestmove_engine::game::{Drawing, Game, LevelNumber, Notation, Position, PositionText};
use bestmove_engine::games::any::{AnyBoard, SearchParameters};
use bestmove_engine::games::othello::{Othello, OthelloBoard};
use bestmove_engine::search::Algorithm;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{cases, knowledge, untyped};

/// The unfinished position of a random game with at most so many empty squares.
fn late(variant: Othello, choices: &[Index], most: usize) -> Option<OthelloBoard> {
    let empty = |board: &OthelloBoard| {
        Othello::cells(board).into_iter().flatten().filter(|cell| cell.is_empty()).count()
    };
    let mut board = variant.start();
    for choice in choices {
        if board.outcome().is_some() || empty(&board) <= most {
            break;
        }
        let moves: Vec<_> = board.legal_moves().collect();
        board = board.play(moves[choice.index(moves.len())]);
    }
    (board.outcome().is_none() && empty(&board) <= most).then_some(board)
}

/// The margin of the side to move with best play of both, by the rules alone.
fn plain(board: &OthelloBoard) -> i32 {
    if board.outcome().is_none() {
        return board.legal_moves().map(|disc| -plain(&board.play(disc))).max().unwrap_or_default();
    }
    let cells = Othello::cells(board);
    let count = |side: usize| {
        let own = cells.iter().flatten().filter(|&&cell| cell == ["X", "O"][side]);
        own.count() as i32
    };
    let own = board.side_to_move() as usize;
    match count(own) - count(1 - own) {
        0 => 0,
        difference => difference.signum() * board.margin() as i32,
    }
}

/// The margin of each move.
fn plain_margins(board: &OthelloBoard) -> BTreeMap<String, i32> {
    let margin = |disc| (Othello::write_move(board, disc).text, -plain(&board.play(disc)));
    board.legal_moves().map(margin).collect()
}

fn any_board(variant: Othello, board: &OthelloBoard) -> Box<dyn AnyBoard> {
    let text = PositionText::Text(Othello::write_position(board));
    untyped(variant).board(Some(&text), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn choices() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 70)
}

fn variant() -> impl Strategy<Value = Othello> {
    prop::sample::select(Othello::VARIANTS)
}

/// b1, d3 and d1 win by 14, d2 ends the game with a win by 12.
#[test]
fn a_strong_level_prefers_a_larger_margin_to_a_win_at_once() {
    let moves = ["a2", "a3", "a4", "c1", "d4", "c4", "b4", "a1"].map(str::to_owned);
    let board =
        untyped(Othello::Four).board(None, &moves).unwrap_or_else(|error| panic!("{error}"));
    let parameters =
        SearchParameters { level: LevelNumber::new(10), ..SearchParameters::default() };
    let search = board.search(&parameters, knowledge()).expect("a search");
    assert_ne!(search.run(&false.into()).best_move.text, "d2");
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn every_algorithm_ranks_moves_by_the_margin_of_plain_minimax(
        variant in variant(),
        choices in choices(),
        algorithm in prop::sample::select(vec!["minimax", "alpha-beta", "selective", "solve"]),
        top in prop::sample::select(vec![1, 3, 40]),
    ) {
        let Some(board) = late(variant, &choices, 6) else { return Ok(()) };
        let margins = plain_margins(&board);
        let parameters = SearchParameters {
            depth: Some(12),
            algorithm: Algorithm::named(algorithm),
            top: Some(top),
            ..SearchParameters::default()
        };
        let search = any_board(variant, &board).search(&parameters, knowledge());
        let answer = search.expect("a search").run(&false.into());
        let mut best: Vec<_> = margins.values().copied().collect();
        best.sort_unstable_by_key(|margin| -margin);
        best.truncate(top as usize);
        let found: Vec<_> = answer.variations.iter().map(|it| it.evaluation.margin).collect();
        prop_assert_eq!(found, best.iter().copied().map(Some).collect::<Vec<_>>());
        for known in &answer.variations {
            prop_assert_eq!(known.evaluation.margin, margins.get(&known.mv.text).copied());
        }
    }

    #[test]
    fn of_moves_that_all_win_or_all_lose_a_strong_level_takes_the_one_with_the_best_margin(
        variant in variant(),
        choices in choices(),
        seed in prop::option::of(any::<u64>()),
    ) {
        let Some(board) = late(variant, &choices, 6) else { return Ok(()) };
        let margins = plain_margins(&board);
        let parameters = SearchParameters {
            level: LevelNumber::new(10),
            seed,
            ..SearchParameters::default()
        };
        let search = any_board(variant, &board).search(&parameters, knowledge());
        let answer = search.expect("a search").run(&false.into());
        let chosen = margins.get(&answer.best_move.text);
        prop_assert_eq!(chosen, margins.values().max());
    }
}

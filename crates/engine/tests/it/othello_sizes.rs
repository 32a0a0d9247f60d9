//! Othello on smaller boards, and the symmetries of all boards.

use std::collections::BTreeSet;

use bestmove_engine::game::{Drawing, Game, Move, Notation, Outcome, Position, PositionText};
use bestmove_engine::games::any::SearchParameters;
use bestmove_engine::games::othello::{Othello, OthelloBoard};
use bestmove_engine::search::{self, Algorithm, SearchLimits, StoppedBy, Task};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{cases, evaluator, knowledge, untyped};

const SMALL: [Othello; 2] = [Othello::Six, Othello::Four];

fn read(variant: Othello, text: &str) -> Result<OthelloBoard, String> {
    let text = PositionText::Text(text.to_owned());
    variant.read_position(&text).map_err(|error| error.to_string())
}

/// The rules once more, cell by cell: 1 and -1 are discs.
#[derive(Clone)]
struct Plain {
    cells: Vec<Vec<i8>>,
    side: i8,
}

impl Plain {
    fn new(width: usize) -> Self {
        let mut cells = vec![vec![0; width]; width];
        let middle = width / 2 - 1;
        for (row, column, disc) in [(0, 0, -1), (1, 1, -1), (0, 1, 1), (1, 0, 1)] {
            cells[middle + row][middle + column] = disc;
        }
        Self { cells, side: 1 }
    }

    fn at(&self, row: i32, column: i32) -> Option<i8> {
        let line = self.cells.get(usize::try_from(row).ok()?)?;
        line.get(usize::try_from(column).ok()?).copied()
    }

    /// The board after a disc, if it turns any over.
    fn after(&self, row: usize, column: usize) -> Option<Self> {
        let mut next = self.clone();
        let directions = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
        for (down, right) in directions.filter(|&direction| direction != (0, 0)) {
            let place = |step: i32| (row as i32 + step * down, column as i32 + step * right);
            let disc = |step: i32| self.at(place(step).0, place(step).1);
            let mut length = 1;
            while disc(length) == Some(-self.side) {
                length += 1;
            }
            if disc(length) == Some(self.side) {
                for step in 1..length {
                    next.cells[place(step).0 as usize][place(step).1 as usize] = self.side;
                }
            }
        }
        if self.cells[row][column] != 0 || next.cells == self.cells {
            return None;
        }
        next.cells[row][column] = self.side;
        next.side = -self.side;
        Some(next)
    }

    fn children(&self) -> Vec<Self> {
        let width = self.cells.len();
        let squares = (0..width).flat_map(|row| (0..width).map(move |column| (row, column)));
        squares.filter_map(|(row, column)| self.after(row, column)).collect()
    }

    fn perft(&self, plies: u32) -> u64 {
        if plies == 0 {
            return 1;
        }
        let passed = Self { side: -self.side, ..self.clone() };
        match self.children() {
            none if none.is_empty() && passed.children().is_empty() => 1,
            none if none.is_empty() => passed.perft(plies - 1),
            children => children.iter().map(|child| child.perft(plies - 1)).sum(),
        }
    }
}

fn perft(position: &OthelloBoard, plies: u32) -> u64 {
    if plies == 0 || position.outcome().is_some() {
        return 1;
    }
    position.legal_moves().map(|mv| perft(&position.play(mv), plies - 1)).sum()
}

#[test]
fn the_moves_on_small_boards_are_as_many_as_a_plain_counter_finds() {
    for (variant, width, most) in [(Othello::Four, 4, 9), (Othello::Six, 6, 6)] {
        for plies in 1..=most {
            let expected = Plain::new(width).perft(plies);
            assert_eq!(perft(&variant.start(), plies), expected, "{width}: {plies} plies");
        }
    }
}

/// The second player wins by 3 discs to 11, and the two squares that stay empty are the winner's.
#[test]
fn four_by_four_is_proven_at_once() {
    let board = untyped(Othello::Four).board(None, &[]).unwrap_or_else(|error| panic!("{error}"));
    let search = board.search(&SearchParameters::default(), knowledge()).expect("a search");
    let answer = search.run(&false.into());
    assert_eq!(answer.evaluation.margin, Some(-10));
    let line = answer.principal_variation.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>();
    let end = untyped(Othello::Four).board(None, &line).unwrap_or_else(|error| panic!("{error}"));
    let count = |name| end.cells().into_iter().flatten().filter(|&cell| cell == name).count();
    assert_eq!((count("X"), count("O")), (3, 11));
}

#[test]
fn a_small_board_is_searched_alike_by_all_algorithms() {
    let start = read(Othello::Four, "d3d2c1b4d1a3").expect("a game");
    let exact = |algorithm, name| {
        let task = Task::new(start, SearchLimits::depth(24), algorithm);
        let report = search::run(&task, &evaluator::<Othello>(name));
        assert_eq!(report.stopped_by, StoppedBy::Solved);
        (report.margin, report.outcome)
    };
    let proof = exact(Algorithm::Solve, "mobility");
    assert_eq!(exact(Algorithm::AlphaBeta, "discs"), proof);
    assert_eq!(exact(Algorithm::Selective, "mobility"), proof);
}

#[test]
fn small_boards_are_written_in_rows_and_read_in_every_form() {
    let start = "....../....../..OX../..XO../....../...... X";
    assert_eq!(Othello::Six.game_info().start, start);
    for text in [&start.replace('/', ""), &start.replace('/', "\n"), ""] {
        assert_eq!(read(Othello::Six, text), Ok(Othello::Six.start()), "{text}");
    }
    let played = read(Othello::Four, "D3 D2".replace(' ', "").as_str()).expect("a game");
    let text = Othello::write_position(&played);
    assert_eq!(read(Othello::Four, &text), Ok(played));
    let drawing = Othello::drawing(&played);
    assert_eq!(drawing.lines().last(), Some("  a b c d"));
    assert_eq!(read(Othello::Four, &drawing), Ok(played));
    for (text, words) in [
        ("..../..../..../.... X", "b2, c2, b3 and c3"),
        ("X.../.OX./.XO./.... X", ""),
        (start, "rows: expected 4 but got 6"),
        ("e3", "cells"),
        ("a1", "a1, disc 1: a disc on a1 turns none over"),
    ] {
        match read(Othello::Four, text) {
            Err(error) => assert!(!words.is_empty() && error.contains(words), "{text}: {error}"),
            Ok(_) => assert!(words.is_empty(), "{text}"),
        }
    }
    let error = Othello::read_move(&Othello::Six.start(), "g7").expect_err("no square");
    assert_eq!(error.0, "expected a square, a1 to f6, or pass");
}

#[test]
fn the_first_moves_are_the_same_by_symmetry() {
    for &variant in Othello::VARIANTS {
        let board = untyped(variant).board(None, &[]).unwrap_or_else(|error| panic!("{error}"));
        let moves = board.legal_moves();
        let first = Some(moves[0].mv.text.clone());
        assert_eq!(moves.len(), 4);
        assert!(moves.iter().all(|known| known.symmetric_to == first), "{moves:?}");
    }
    // After the first move a parallel, a diagonal and a perpendicular reply differ.
    let board = untyped(Othello::Standard).board(None, &["f5".to_owned()]);
    let moves = board.unwrap_or_else(|error| panic!("{error}")).legal_moves();
    assert!(moves.iter().all(|known| known.symmetric_to.as_ref() == Some(&known.mv.text)));
}

/// The eight images of the rows of a board.
fn images(rows: &[Vec<&'static str>]) -> Vec<Vec<Vec<&'static str>>> {
    let mut images = vec![rows.to_vec()];
    let turned = |rows: &Vec<Vec<&'static str>>| {
        let column = |column| rows.iter().rev().map(|row: &Vec<_>| row[column]).collect();
        (0..rows.len()).map(column).collect()
    };
    for at in 0..3 {
        let next = turned(&images[at]);
        images.push(next);
    }
    let mirrored = |rows: &Vec<Vec<&'static str>>| rows.iter().rev().cloned().collect();
    let others: Vec<_> = images.iter().map(mirrored).collect();
    images.extend(others);
    images
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn all_images_of_a_position_have_one_canonical_key(
        variant in prop::sample::select(Othello::VARIANTS),
        choices in prop::collection::vec(any::<Index>(), 0..60),
    ) {
        let mut board = variant.start();
        for choice in choices {
            if board.outcome().is_some() {
                break;
            }
            let moves: Vec<_> = board.legal_moves().collect();
            board = board.play(moves[choice.index(moves.len())]);
        }
        let side = board.side_to_move();
        let (key, _) = board.canonical();
        for rows in images(&Othello::cells(&board)) {
            let rows = rows.into_iter().map(|row| row.into_iter().map(str::to_owned).collect());
            let side_to_move = ["X", "O"][side as usize].to_owned();
            let image = PositionText::Board { rows: rows.collect(), side_to_move };
            let image = variant.read_position(&image).expect("a reachable position");
            let (image_key, symmetry) = image.canonical();
            prop_assert_eq!(image_key, key);
            // The moves of the image lead to the same places of the position that stands for all.
            let targets = |board: &OthelloBoard, symmetry| {
                let target = |disc| OthelloBoard::transformed(disc, symmetry).move_index();
                board.legal_moves().map(target).collect::<BTreeSet<_>>()
            };
            prop_assert_eq!(targets(&image, symmetry), targets(&board, board.canonical().1));
        }
    }

    /// Both ways of saying the rules lead through the same games to the same ends.
    #[test]
    fn games_on_small_boards_follow_the_rules(
        choices in prop::collection::vec(any::<Index>(), 0..40),
    ) {
        for variant in SMALL {
            let mut board = variant.start();
            let mut plain = Plain::new(Othello::cells(&board).len());
            for choice in &choices {
                if board.outcome().is_some() {
                    break;
                }
                let moves: Vec<_> = board.legal_moves().collect();
                let children = plain.children();
                board = board.play(moves[choice.index(moves.len())]);
                plain = match children.len() {
                    0 => Plain { side: -plain.side, ..plain },
                    count => children[choice.index(count)].clone(),
                };
                let sign = |cell: &i8| ["O", "", "X"][(cell + 1) as usize];
                let cells: Vec<Vec<_>> =
                    plain.cells.iter().map(|row| row.iter().map(sign).collect()).collect();
                prop_assert_eq!(Othello::cells(&board), cells);
            }
            if board.outcome().is_some_and(|outcome| outcome != Outcome::Draw) {
                let count = |side: i8| plain.cells.iter().flatten().filter(|&&cell| cell == side).count();
                let squares = plain.cells.len() * plain.cells.len();
                prop_assert_eq!(board.margin() as usize, squares - 2 * count(1).min(count(-1)));
            }
        }
    }
}

//! Tic-tac-toe is played perfectly, and as the textbooks show it.

use std::collections::{HashMap, HashSet};

use bestmove_engine::game::{Evaluator, Game, Notation, Outcome, Position, PositionText};
use bestmove_engine::games::tic_tac_toe::{TicTacToe, TicTacToeBoard, TicTacToeEvaluator};
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, StoppedBy, Task};

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Solve];

fn board(text: &str) -> TicTacToeBoard {
    TicTacToe::STANDARD.read_position(&PositionText::Text(text.to_owned())).expect(text)
}

fn report(
    text: &str,
    depth: u32,
    algorithm: Algorithm,
) -> Report<<TicTacToeBoard as Position>::Move> {
    search::run(
        &Task::new(board(text), SearchLimits::depth(depth), algorithm),
        &TicTacToeEvaluator::Lines,
    )
}

fn best_move(text: &str, depth: u32, algorithm: Algorithm) -> String {
    TicTacToe::write_move(&board(text), report(text, depth, algorithm).best_move()).text
}

/// The game once more, plainly: nine characters and whose turn it is.
mod plain {
    use std::collections::HashMap;

    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

    pub(super) type Cells = [char; 9];

    /// Plies to the end, and 1 for a win of the side to move, 0 for a draw, -1 for a loss.
    pub(super) type Value = (i32, u32);

    fn is_won_by(cells: &Cells, side: char) -> bool {
        LINES.iter().any(|line| line.iter().all(|&cell| cells[cell] == side))
    }

    pub(super) fn other(side: char) -> char {
        if side == 'X' { 'O' } else { 'X' }
    }

    pub(super) fn play(cells: &Cells, cell: usize, side: char) -> Cells {
        let mut next = *cells;
        next[cell] = side;
        next
    }

    pub(super) fn empty_cells(cells: &Cells) -> Vec<usize> {
        (0..9).filter(|&cell| cells[cell] == '.').collect()
    }

    pub(super) fn is_over(cells: &Cells) -> bool {
        is_won_by(cells, 'X') || is_won_by(cells, 'O') || empty_cells(cells).is_empty()
    }

    /// Orders values as the player sees them: a quick win first, a quick loss last.
    pub(super) fn preference((result, plies): Value) -> i32 {
        result * (100 - plies as i32)
    }

    pub(super) fn value(cells: &Cells, side: char, known: &mut HashMap<Cells, Value>) -> Value {
        if let Some(&value) = known.get(cells) {
            return value;
        }
        let value = if is_won_by(cells, other(side)) {
            (-1, 0)
        } else if empty_cells(cells).is_empty() {
            (0, 0)
        } else {
            let children = empty_cells(cells).into_iter().map(|cell| {
                let (result, plies) = value(&play(cells, cell, side), other(side), known);
                (-result, plies + 1)
            });
            children.max_by_key(|&child| preference(child)).expect("a move")
        };
        known.insert(*cells, value);
        value
    }
}

#[test]
fn every_reachable_position_is_played_perfectly_by_every_algorithm() {
    let mut known = HashMap::new();
    plain::value(&['.'; 9], 'X', &mut known);
    let unfinished: Vec<_> = known.keys().copied().filter(|cells| !plain::is_over(cells)).collect();
    assert_eq!(unfinished.len(), 4520);
    for cells in unfinished {
        let side = if plain::empty_cells(&cells).len() % 2 == 1 { 'X' } else { 'O' };
        let (result, plies) = plain::value(&cells, side, &mut known);
        let text = String::from_iter(cells);
        for algorithm in ALGORITHMS {
            let report = report(&text, 9, algorithm);
            let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(result + 1) as usize];
            assert_eq!(report.outcome, Some(outcome), "{text} {algorithm:?}");
            assert_eq!(report.stopped_by, StoppedBy::Solved, "{text} {algorithm:?}");
            assert_eq!(
                report.score().plies(),
                (result != 0).then_some(plies),
                "{text} {algorithm:?}"
            );
            let cell = TicTacToe::write_move(&board(&text), report.best_move()).text;
            let child = plain::play(&cells, cell.parse().expect("a cell"), side);
            let (reply, later) = plain::value(&child, plain::other(side), &mut known);
            assert_eq!((-reply, later + 1), (result, plies), "{text} {algorithm:?} plays {cell}");
        }
    }
}

#[test]
fn a_proven_line_runs_to_the_end_of_the_game() {
    let mut known = HashMap::new();
    plain::value(&['.'; 9], 'X', &mut known);
    for cells in known.keys().filter(|cells| !plain::is_over(cells)) {
        let text = String::from_iter(cells);
        for algorithm in ALGORITHMS {
            let report = report(&text, 9, algorithm);
            let mut position = board(&text);
            for &mv in &report.principal_variation() {
                assert_eq!(position.outcome(), None, "{text}");
                assert!(position.legal_moves().any(|legal| legal == mv), "{text}");
                position = position.play(mv);
            }
            assert!(position.outcome().is_some(), "{text} {algorithm:?}");
            if let Some(plies) = report.score().plies() {
                assert_eq!(
                    report.principal_variation().len() as u32,
                    plies,
                    "{text} {algorithm:?}"
                );
            }
        }
    }
}

#[test]
fn the_best_moves_are_those_of_the_textbook() {
    let cases = [("XOXX.O..O", "6", 1), ("X....O.XO", "2", 5), ("X....OOX.", "1", 3)];
    for (text, cell, plies) in cases {
        for algorithm in ALGORITHMS {
            assert_eq!(best_move(text, 9, algorithm), cell, "{text} {algorithm:?}");
            let report = report(text, 9, algorithm);
            assert_eq!(report.outcome, Some(Outcome::Win), "{text}");
            assert_eq!(report.score().plies(), Some(plies), "{text}");
        }
    }
}

/// The values of all positions of two whole small trees, from the view of the root's mover.
#[test]
fn small_trees_have_the_values_of_the_textbook() {
    let trees: [&[(&str, i32)]; 2] = [
        &[
            (".XOOOXX.X O", 0),
            ("OXOOOXX.X X", -1),
            ("OXOOOXXXX O", -1),
            (".XOOOXXOX X", 0),
            ("XXOOOXXOX O", 0),
        ],
        &[
            ("..O.OXXOX X", 0),
            ("X.O.OXXOX O", -1),
            ("XOO.OXXOX X", -1),
            ("X.OOOXXOX X", 0),
            ("XXOOOXXOX O", 0),
            (".XO.OXXOX O", 0),
            ("OXO.OXXOX X", 0),
            ("OXOXOXXOX O", 0),
            (".XOOOXXOX X", 0),
            ("..OXOXXOX O", -1),
            ("O.OXOXXOX X", 0),
            (".OOXOXXOX X", -1),
        ],
    ];
    for tree in trees {
        let root = board(tree[0].0).side_to_move();
        for &(text, expected) in tree {
            let position = board(text);
            let outcome = position
                .outcome()
                .or_else(|| report(text, 9, Algorithm::Minimax).outcome)
                .expect("small trees are complete");
            let for_root =
                if position.side_to_move() == root { outcome } else { outcome.reversed() };
            let value = match for_root {
                Outcome::Win => 1,
                Outcome::Draw => 0,
                Outcome::Loss => -1,
            };
            assert_eq!(value, expected, "{text}");
        }
    }
}

#[test]
fn a_lost_player_does_not_surrender() {
    // Crosses 5, noughts 0, crosses 2, noughts 8, crosses 4: all is lost on the second ply, and only
    // 3 and 6 leave a single winning reply.
    for algorithm in ALGORITHMS {
        assert_eq!(best_move("O.X.XX..O", 9, algorithm), "3", "{algorithm:?}");
    }
}

#[test]
fn lines_are_counted_as_in_the_textbook() {
    assert_eq!(-TicTacToeEvaluator::Lines.score(&board("XX..O.... O")), 2);
    assert_eq!(TicTacToeEvaluator::OpenLines.score(&board("....OX.XO O")), 2);
    assert_eq!(TicTacToeEvaluator::OpenLines.score(&board("....OX.XO X")), -2);
}

#[test]
fn the_centre_is_the_best_first_move_by_open_lines() {
    let value = |cell: &str| {
        let start = TicTacToe::STANDARD.start();
        let mv = TicTacToe::read_move(&start, cell).expect(cell);
        let task = Task::new(start.play(mv), SearchLimits::depth(1), Algorithm::Minimax);
        -search::minimax(&task, &TicTacToeEvaluator::OpenLines).0.number()
    };
    assert_eq!(value("4"), 1);
    assert_eq!(["0", "2", "6", "8"].map(value), [-1; 4]);
    assert_eq!(["1", "3", "5", "7"].map(value), [-2; 4]);
    let task = Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(2), Algorithm::AlphaBeta);
    let best = search::run(&task, &TicTacToeEvaluator::OpenLines).best_move();
    assert_eq!(TicTacToe::write_move(&TicTacToe::STANDARD.start(), best).text, "4");
}

#[test]
fn only_three_first_moves_differ() {
    let start = TicTacToe::STANDARD.start();
    let folded = start.legal_moves().map(|mv| start.play(mv).canonical().0);
    assert_eq!(folded.collect::<HashSet<_>>().len(), 3);
}

#[test]
fn plain_minimax_visits_as_many_positions_as_the_textbook() {
    let counts = [9, 81, 585, 3609, 18_729, 73_449, 221_625, 422_073, 549_945];
    for (depth, count) in (1..).zip(counts) {
        let task =
            Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(depth), Algorithm::Minimax);
        assert_eq!(search::minimax(&task, &TicTacToeEvaluator::Lines).1, count, "depth {depth}");
    }
}

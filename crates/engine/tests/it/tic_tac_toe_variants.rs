//! Tic-tac-toe on larger boards, and the game whose lines lose.

use bestmove_engine::game::{Drawing, Game, Notation, Outcome, Position, PositionText};
use bestmove_engine::games::tic_tac_toe::{TicTacToe, TicTacToeBoard};
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, Task};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{cases, evaluator};

fn game(name: &str) -> TicTacToe {
    let mut all = TicTacToe::VARIANTS.iter();
    *all.find(|game| game.game_info().variant == name).expect(name)
}

fn board(variant: &str, rows: &str) -> TicTacToeBoard {
    game(variant).read_position(&PositionText::Text(rows.to_owned())).expect(rows)
}

fn report(
    board: TicTacToeBoard,
    depth: u32,
    algorithm: Algorithm,
) -> Report<<TicTacToeBoard as Position>::Move> {
    let task = Task::new(board, SearchLimits::depth(depth), algorithm);
    search::run(&task, &evaluator::<TicTacToe>("lines"))
}

/// Who wins from the empty board, and with which ply.
fn assert_value(variant: &str, outcome: Outcome, plies: Option<u32>) {
    let start = game(variant).start();
    let found = report(start, start.plies_left().expect("it ends"), Algorithm::Solve);
    assert_eq!(found.outcome, Some(outcome), "{variant}");
    assert_eq!(found.score().plies(), plies, "{variant}");
}

/// The first player gets three in a row on four by four, and nobody four. A line loses: the second player holds the draw.
#[test]
fn small_boards_have_their_known_values() {
    assert_value("4x4x3", Outcome::Win, Some(5));
    assert_value("4x4x4", Outcome::Draw, None);
    assert_value("misere", Outcome::Draw, None);
}

#[test]
fn a_line_ends_the_game_and_in_misere_the_other_side_wins() {
    let won = board("4x4x4", "XXXX/OOO./..../....");
    assert_eq!(won.outcome(), Some(Outcome::Loss));
    assert_eq!(TicTacToe::ending(&won).reason, "four in a row");
    assert_eq!(TicTacToe::ending(&won).line.len(), 4);
    let lost = board("misere", "XXX/OO./...");
    assert_eq!(lost.outcome(), Some(Outcome::Win), "the side to move has not made the line");
    assert_eq!(TicTacToe::ending(&lost).reason, "X made three in a row");
}

#[test]
fn the_sole_move_that_does_not_lose_is_played_in_misere() {
    // X has to fill one of three cells, two of which complete a line of X.
    let position = board("misere", "XO./OXX/.O. X");
    let best = report(position, 9, Algorithm::Solve).best_move();
    let after = position.play(best);
    assert_ne!(after.outcome(), Some(Outcome::Win), "{}", TicTacToe::write_position(&after));
}

#[test]
fn impossible_positions_are_told_why() {
    let refused = |rows: &str| {
        let read = game("4x4x3").read_position(&PositionText::Text(rows.to_owned()));
        read.expect_err(rows).to_string()
    };
    assert!(refused("XXX./OOO./..../....").contains("both X and O"));
    assert!(refused("XXX./OO.O/..../.... X").contains("completed a line"));
    assert!(refused("XX../..../..../....").contains("differ by one"));
    assert!(refused("XXX./OO../O.OO/.XXX O").contains("no single last mark"));
    assert!(refused("..../..../....").contains("rows: expected 4 but got 3"));
}

fn wander(start: TicTacToeBoard, choices: &[Index]) -> TicTacToeBoard {
    choices.iter().fold(start, |board, choice| {
        let moves: Vec<_> = board.legal_moves().collect();
        match board.outcome() {
            None => board.play(moves[choice.index(moves.len())]),
            Some(_) => board,
        }
    })
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn variants_are_pruned_exactly(
        choices in prop::collection::vec(any::<Index>(), 0..20),
        place in 0usize..TicTacToe::VARIANTS.len(),
        depth in 1u32..=3,
    ) {
        let position = wander(TicTacToe::VARIANTS[place].start(), &choices);
        if position.outcome().is_none() {
            let score = |algorithm| report(position, depth, algorithm).score();
            prop_assert_eq!(score(Algorithm::AlphaBeta), score(Algorithm::Minimax));
        }
    }

    #[test]
    fn late_positions_are_proven_as_minimax_finds_them(
        choices in prop::collection::vec(any::<Index>(), 9..14),
        place in 1usize..3,
    ) {
        let position = wander(TicTacToe::VARIANTS[place].start(), &choices);
        if position.outcome().is_none() {
            let plies = position.plies_left().expect("it ends");
            let exact = report(position, plies, Algorithm::Minimax).score();
            prop_assert_eq!(report(position, plies, Algorithm::Solve).score(), exact);
        }
    }
}

//! Legal moves, the ends of the game, and what repetitions are told by.

use std::collections::HashSet;

use bestmove_engine::game::{
    Drawing, Evaluator, Game, Move as _, Notation, Outcome, Position, Side,
};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use proptest::prelude::*;

use super::oracle::Letters;
use super::{Move, colours_exchanged, games, read};
use crate::{cases, evaluator};

fn played(fen: &str, moves: &str) -> ChessBoard {
    moves.split_whitespace().fold(read(fen), |board, text| {
        let mv = Chess::read_move(&board, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        board.play(mv)
    })
}

#[test]
fn every_end_of_the_game_has_its_reason() {
    for (fen, outcome, reason) in [
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", Some(Outcome::Loss), "checkmate"),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90", Some(Outcome::Loss), "checkmate"),
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", Some(Outcome::Draw), "stalemate"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", Some(Outcome::Draw), "insufficient material"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 120", None, "seventy-five moves"),
    ] {
        let board = read(fen);
        assert_eq!(board.outcome(), outcome, "{fen}");
        assert_eq!(Chess::ending(&board).reason, reason, "{fen}");
    }
}

#[test]
fn material_is_dead_only_where_no_mate_can_come_about() {
    for (pieces, is_dead) in [
        ("k7/8/8/8/8/8/8/K7", true),
        ("k7/8/8/8/8/8/8/K6B", true),
        ("k6n/8/8/8/8/8/8/K7", true),
        // Bishops on squares of one colour, on one side and on both.
        ("k7/8/8/8/8/8/6B1/K6B", true),
        ("k7/7b/8/8/8/8/6B1/K6B", true),
        ("k7/4b3/8/8/8/8/6B1/K6B", false),
        ("k7/8/8/8/8/8/8/K5NN", false),
        ("k6n/8/8/8/8/8/8/K6N", false),
        ("k6n/8/8/8/8/8/8/K6B", false),
        ("k7/8/8/8/8/8/7P/K7", false),
        ("k7/8/8/8/8/8/8/K6R", false),
        ("k7/8/8/8/8/8/8/K5Q1", false),
    ] {
        let board = read(&format!("{pieces} b - - 0 1"));
        assert_eq!(board.outcome() == Some(Outcome::Draw), is_dead, "{pieces}");
    }
}

#[test]
fn the_fifty_move_counter_runs_until_a_capture_or_a_pawn_move() {
    let fen = "4k3/8/8/8/8/1n6/4P3/R3K3 w Q - 98 80";
    let counters = |moves| {
        let board = played(fen, moves);
        (board.plies_to_draw(), board.reversible_plies())
    };
    assert_eq!(played(fen, "Ra2 Nc1 Ra1").plies_to_forced_draw(), Some(49));
    assert_eq!(counters(""), (Some(2), 98));
    assert_eq!(counters("Ra2"), (Some(1), 99));
    assert_eq!(counters("Ra2 Nc1"), (Some(0), 100));
    assert_eq!(counters("Ra2 Nc1 Ra1"), (Some(0), 101));
    assert_eq!(counters("e3"), (Some(100), 0));
    assert_eq!(counters("Ra2 Nc1 Ra1 Nxe2"), (Some(100), 0));
    assert_eq!(counters("Ra8+"), (Some(1), 99));
}

#[test]
fn a_position_that_comes_back_has_the_same_key() {
    let start = Chess::Standard.start();
    let knights_out_and_back = played(&Chess::write_position(&start), "Nf3 Nf6 Ng1 Ng8");
    assert_eq!(knights_out_and_back.key(), start.key());
    assert_ne!(knights_out_and_back, start, "the counters differ");
}

#[test]
fn castling_rights_tell_positions_apart() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let keys: HashSet<u64> = ["KQkq", "KQk", "Kkq", "Qkq", "Kk", "Qq", "K", "Q", "k", "q", "-"]
        .map(|rights| read(&fen.replace("KQkq", rights)).key())
        .into();
    assert_eq!(keys.len(), 11);
    assert_ne!(played(fen, "Rb1 Rb8 Ra1 Ra8").key(), read(fen).key());
}

#[test]
fn an_en_passant_square_tells_positions_apart_only_if_it_can_be_used() {
    for (fen, double_step, once_more, is_same) in [
        // No pawn stands beside; one does; it is pinned; the capture would uncover a rook.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "Kd8 Kd1 Ke8 Ke1", true),
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "Kd8 Kd1 Ke8 Ke1", false),
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", "Ke8 Rd2 Kd8 Rd1", true),
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", "Ka3 Kd1 Ka4 Ke1", true),
    ] {
        let before = played(fen, double_step);
        let after = played(fen, &format!("{double_step} {once_more}"));
        assert_eq!(before.key() == after.key(), is_same, "{fen}");
    }
}

#[test]
fn the_moves_of_a_pawn_that_promotes_have_codes_of_their_own() {
    let board = read("1n2k3/P7/8/8/8/8/8/4K2R w K - 0 1");
    let moves: Vec<Move> = board.legal_moves().collect();
    let codes: HashSet<u16> = moves.iter().map(|mv| mv.move_index()).collect();
    assert_eq!(codes.len(), moves.len());
    let promotions: Vec<String> = moves
        .iter()
        .map(|&mv| Chess::write_move(&board, mv).text)
        .filter(|uci| uci.len() == 5)
        .collect();
    let expected = ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q", "a7b8r", "a7b8b", "a7b8n"];
    assert_eq!(promotions, expected);
}

#[test]
fn the_board_is_drawn_as_white_sees_it() {
    let drawn = "\
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h
";
    assert_eq!(Chess::drawing(&Chess::Standard.start()), drawn);
}

#[test]
fn captures_promise_the_more_the_more_they_take_and_the_less_they_risk() {
    let board = read("r2qk3/1P2P3/8/8/8/8/8/R2RK1Q1 w - - 0 1");
    let ordering_hint = |uci: &str| {
        let mv = Chess::read_move(&board, uci).unwrap_or_else(|error| panic!("{uci}: {error}"));
        evaluator::<Chess>("material").ordering_hint(&board, mv)
    };
    let descending = ["e7d8q", "b7a8q", "d1d8", "a1a8", "g1g8"].map(ordering_hint);
    assert!(descending.is_sorted_by(|a, b| a > b), "{descending:?}");
    assert_eq!(ordering_hint("g1g8"), 0);
}

/// The square that a pawn's double step passed.
fn passed_square(board: &ChessBoard, mv: Move) -> Option<String> {
    let uci = Chess::write_move(board, mv).text;
    let is_pawn_move =
        Chess::write_move(board, mv).san.is_some_and(|san| san.starts_with(&uci[2..3]));
    match (&uci[1..2], &uci[3..4]) {
        ("2", "4") if is_pawn_move => Some(format!("{}3", &uci[..1])),
        ("7", "5") if is_pawn_move => Some(format!("{}6", &uci[..1])),
        _ => None,
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_legal_moves_are_those_that_the_laws_allow(boards in games()) {
        for pair in boards.windows(2) {
            let Some(mv) = pair[0].legal_moves().find(|&mv| pair[0].play(mv) == pair[1]) else {
                panic!("the second follows from the first");
            };
            let letters = Letters::read(&Chess::write_position(&pair[1]));
            let letters = match passed_square(&pair[0], mv) {
                Some(square) => letters.after_double_step(&square),
                None => letters,
            };
            let mut moves: Vec<String> =
                pair[1].legal_moves().map(|mv| Chess::write_move(&pair[1], mv).text).collect();
            moves.sort();
            prop_assert_eq!(moves, letters.legal_moves());
        }
    }

    #[test]
    fn the_legal_moves_come_in_the_order_of_squares(boards in games()) {
        for board in &boards {
            let squares: Vec<_> = board.legal_moves().map(|mv| (mv.from, mv.to)).collect();
            prop_assert!(squares.is_sorted());
        }
    }

    #[test]
    fn a_game_is_over_where_no_move_is_left(boards in games()) {
        for board in &boards {
            let is_stuck = board.legal_moves().next().is_none();
            prop_assert_eq!(is_stuck && board.outcome().is_none(), false);
            prop_assert_eq!(board.outcome() == Some(Outcome::Loss), is_stuck && {
                let reason = Chess::ending(board).reason;
                reason == "checkmate"
            });
        }
    }

    #[test]
    fn exchanged_colours_change_nothing_for_the_side_to_move(boards in games()) {
        for board in &boards {
            let exchanged = colours_exchanged(board);
            prop_assert_ne!(exchanged.side_to_move(), board.side_to_move());
            prop_assert_eq!(exchanged.outcome(), board.outcome());
            prop_assert_eq!(exchanged.legal_moves().count(), board.legal_moves().count());
            prop_assert_eq!(evaluator::<Chess>("material").score(&exchanged), evaluator::<Chess>("material").score(board));
        }
    }

    #[test]
    fn material_counts_own_men_less_theirs(boards in games()) {
        for board in &boards {
            let worth = |letter: char| match letter.to_ascii_lowercase() {
                'p' => 100,
                'n' | 'b' => 300,
                'r' => 500,
                'q' => 900,
                _ => 0,
            };
            let fen = Chess::write_position(board);
            let pieces = fen.split(' ').next().unwrap_or_default();
            let white: i32 = pieces
                .chars()
                .map(|man| if man.is_ascii_uppercase() { worth(man) } else { -worth(man) })
                .sum();
            let own = if board.side_to_move() == Side::First { white } else { -white };
            prop_assert_eq!(evaluator::<Chess>("material").score(board), own);
        }
    }
}

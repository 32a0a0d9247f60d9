//! Reading positions kindly, judging them strictly, writing them in one way.

use bestmove_engine::game::{Game, Notation, Position, PositionText};
use bestmove_engine::games::chess::Chess;
use proptest::prelude::*;

use super::{games, positions, read};
use crate::cases;

fn refusal(fen: &str) -> String {
    let read = Chess::Standard.read_position(&PositionText::Text(fen.to_owned()));
    read.map_or_else(|error| error.to_string(), |board| panic!("{fen} was read as {board:?}"))
}

#[track_caller]
fn assert_canonical(fen: &str, canonical: &str) {
    assert_eq!(Chess::write_position(&read(fen)), canonical, "{fen}");
}

#[test]
fn what_a_position_leaves_out_is_completed_where_nothing_else_can_be_meant() {
    let complete = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    assert_canonical("4k3/8/8/8/8/8/4P3/4K3 b - - 0", complete);
    assert_canonical("4k3/8/8/8/8/8/4P3/4K3 b - -", complete);
    assert_canonical("4k3/8/8/8/8/8/4P3/4K3 b -", complete);
    assert_canonical("4k3/8/8/8/8/8/4P3/4K3 b", complete);
    assert_canonical(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
        &Chess::write_position(&Chess::Standard.start()),
    );
}

#[test]
fn spaces_and_small_slips_are_forgiven() {
    let canonical = "r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 7 30";
    assert_canonical("  r3k2r/8/8/8/8/8/4P3/R3K2R   w\tKQkq  -  7 30\n", canonical);
    assert_canonical("r3k2r/8/8/8/8/8/4P3/R3K2R_w_KQkq_-_7_30", canonical);
    assert_canonical("/r3k2r/8/8/8/8/8/4P3/R3K2R/ W qkQK - 007 30", canonical);
    assert_canonical("r3k2r/44/8/8/11111111/8/4P3/R3K2R w KQkq - 7 30", canonical);
}

#[test]
fn counters_are_brought_into_their_range() {
    assert_canonical("4k3/8/8/8/8/8/4P3/4K3 w - - 151 0", "4k3/8/8/8/8/8/4P3/4K3 w - - 150 1");
    assert_canonical(
        "4k3/8/8/8/8/8/4P3/4K3 w - - 99999999999999999999 99999999999999999999",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 150 65535",
    );
}

#[test]
fn an_en_passant_square_is_kept_only_where_a_capture_is_legal() {
    for (given, kept) in [
        // No pawn can take; one can; one is pinned to its king; the capture uncovers a rook.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "-"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3"),
        ("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", "-"),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "-"),
        // The double step gives a check that the capture ends; it uncovers one that remains.
        ("8/8/8/3k4/3pP3/8/8/4K3 b - e3 0 1", "e3"),
        ("8/8/8/8/3pP3/8/R6k/4K3 b - e3 0 1", "-"),
    ] {
        let written = Chess::write_position(&read(given));
        assert_eq!(written.split(' ').nth(3), Some(kept), "{given}");
    }
}

#[test]
fn an_unreadable_position_is_refused_with_what_was_expected() {
    for (fen, reason) in [
        ("", "expected a FEN, which begins with 8 ranks separated by /, but got 0 in ''"),
        ("8/8/8/8/8/8/8 w - -", "8 ranks separated by /, but got 7"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - -", "8 ranks separated by /, but got 9"),
        ("4k3/8/8/7/8/8/8/4K3 w - -", "rank 5: expected 8 squares but got 7 in '7'"),
        ("4k3/8/8/8/8/8/pppppppppp/4K3 w - -", "rank 2: expected 8 squares but got 10"),
        ("4k3/8/8/8/8/8/8/4X3 w - -", "rank 1: expected KQRBNP for white, kqrbnp for black"),
        ("4k3/8/8/8/8/8/0/4K3 w - -", "the number of empty squares but got '0'"),
        ("4k3/8/8/8/8/8/8/4K3", "the side to move is missing: add w or b"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", "the side to move: expected w or b but got 'x'"),
        (
            "r3k2r/8/8/8/8/8/8/4K2R w",
            "the castling rights are missing: add Kkq, or some of it, or -",
        ),
        ("4k3/8/8/8/8/8/8/4K2R w Kx -", "expected some of KQkq, or -, but got 'x'"),
        ("4k3/8/8/8/8/8/8/4K2R w K- -", "expected some of KQkq, or -, but got '-'"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9", "expected a square such as e3, or -, but got 'e9'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x", "leave out 'x' and what follows it"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 9x", "the halfmove clock: expected a number but got '9x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "the move number: expected a number but got '-1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2", "leave out 'moves' and what"),
    ] {
        let refusal = refusal(fen);
        assert!(refusal.contains(reason), "{fen}: {refusal}");
    }
}

#[test]
fn an_impossible_position_is_refused_with_the_reason() {
    for (fen, reason) in [
        ("4k3/8/8/8/8/8/8/8 w - -", "white has 0 kings: each side has exactly one"),
        ("4k3/8/8/8/8/8/8/4K2K w - -", "white has 2 kings: each side has exactly one"),
        ("8/8/8/8/8/8/8/4K3 w - -", "black has 0 kings"),
        ("4k2P/8/8/8/8/8/8/4K3 w - -", "white has a pawn on h8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - -", "black has a pawn on a1"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - -", "white has 9 pawns: a side has 8 at most"),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - -", "white has too many pieces: besides 8 pawns, 1 of"),
        ("4k3/8/8/8/8/2B1B3/PPPPPPPP/4K3 w - -", "1 of the pieces must have been pawns"),
        ("4k3/rrrrrrrr/rrr5/8/8/8/8/4K3 w - -", "black has too many pieces: besides 0 pawns, 9 of"),
        ("8/8/8/3kK3/8/8/8/8 w - -", "the kings on e5 and d5 touch: move one of them away"),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - -",
            "black is in check but white is to move: end the check, or let black move",
        ),
        ("4k3/8/8/8/8/8/4r3/4K3 b - -", "white is in check but black is to move"),
        ("4k3/8/8/8/8/3n4/4q3/r3K3 w - -", "white is in check from 3 pieces"),
        (
            "4k3/8/8/8/8/8/8/3K3R w K -",
            "the castling rights: K needs the white king on e1; leave out K",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KQ -",
            "the castling rights: Q needs the white rook on a1; leave out Q",
        ),
        ("4k2n/8/8/8/8/8/8/4K3 w k -", "k needs the black rook on h8"),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - e3", "with white to move it must lie on rank 6, or write -"),
        ("4k3/8/8/8/3p4/8/8/4K3 b - e3", "e3: there must be a pawn of white on e4, or write -"),
        ("4k3/8/8/8/3pP3/4N3/8/4K3 b - e3", "e3 must be empty after a double step from e2 to e4"),
        ("4k3/8/8/8/3pP3/8/4B3/4K3 b - e3", "e2 must be empty after a double step from e2 to e4"),
        (
            "4k3/8/3N4/8/3pP3/8/8/4K3 b - e3",
            "no double step to e4 leads to this check: change it, or write -",
        ),
    ] {
        let refusal = refusal(fen);
        assert!(refusal.contains(reason), "{fen}: {refusal}");
    }
}

#[test]
fn rows_of_cells_are_no_chess_position() {
    let rows = PositionText::Rows(vec![vec![String::new(); 8]; 8]);
    let refusal = Chess::Standard.read_position(&rows).map_err(|error| error.to_string());
    assert_eq!(refusal, Err("expected a FEN as a string but got rows of cells".to_owned()));
}

/// Text that comes close to a FEN.
fn almost_fens() -> impl Strategy<Value = String> {
    (positions(), any::<prop::sample::Index>(), "[ -~]{0,3}", 0..3_usize).prop_map(
        |(board, at, letters, removed)| {
            let mut fen = Chess::write_position(&board);
            let at = at.index(fen.len());
            fen.replace_range(at..(at + removed).min(fen.len()), &letters);
            fen
        },
    )
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_position_is_written_as_it_is_read(board in positions()) {
        let fen = Chess::write_position(&board);
        let again = read(&fen);
        prop_assert_eq!(&again, &board);
        prop_assert_eq!(Chess::write_position(&again), fen);
        prop_assert_eq!(again.key(), board.key());
    }

    #[test]
    fn keys_tell_positions_apart_as_their_text_does(boards in games()) {
        let identity = |fen: &str| fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let written: Vec<_> =
            boards.iter().map(|board| (identity(&Chess::write_position(board)), board.key())).collect();
        for (text, key) in &written {
            for (other_text, other_key) in &written {
                prop_assert_eq!(text == other_text, key == other_key);
            }
        }
    }

    #[test]
    fn a_text_without_eight_ranks_is_refused_in_words(text in "[^/]{0,90}") {
        let refusal = Chess::Standard.read_position(&PositionText::Text(text)).map_err(|error| error.0);
        prop_assert!(refusal.is_err_and(|why| !why.is_empty()));
    }

    #[test]
    fn what_is_read_from_garbled_text_can_be_written_and_played(fen in almost_fens()) {
        match Chess::Standard.read_position(&PositionText::Text(fen)) {
            Ok(board) => {
                prop_assert_eq!(&read(&Chess::write_position(&board)), &board);
                for mv in board.legal_moves() {
                    let after = board.play(mv);
                    prop_assert_eq!(&read(&Chess::write_position(&after)), &after);
                }
            }
            Err(refusal) => prop_assert!(!refusal.0.is_empty()),
        }
    }
}

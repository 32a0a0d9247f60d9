//! Reading moves kindly and writing them in one way.

use bestmove_engine::game::{Notation, Position};
use bestmove_engine::games::chess::Chess;
use proptest::prelude::*;

use super::{positions, read};
use crate::cases;

/// What a move is read as: UCI and SAN, or the refusal.
fn read_as(fen: &str, text: &str) -> Result<[String; 2], String> {
    let board = read(fen);
    let mv = Chess::read_move(&board, text).map_err(|error| error.to_string())?;
    let san = Chess::write_move(&board, mv).san.unwrap_or_default();
    Ok([Chess::write_move(&board, mv).text, san])
}

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const MANY_WAYS: &str = "4k3/P6P/8/2pP4/4N1N1/8/8/4K3 w - c6 0 1";

#[test]
fn a_move_is_read_in_every_usual_way() {
    for (fen, ways, [uci, san]) in [
        (MANY_WAYS, &["e4f6", "Nef6", "Nef6+", "N4f6"][..2], ["e4f6", "Nef6+"]),
        (
            MANY_WAYS,
            &["e4c5", "Nxc5", "Nc5", "Ne4xc5", "Ne4-c5", "e4-c5", "Nxc5!?"],
            ["e4c5", "Nxc5"],
        ),
        (MANY_WAYS, &["d5d6", "d6", "d5-d6", " d6 "], ["d5d6", "d6"]),
        (MANY_WAYS, &["d5c6", "dxc6", "dc6", "d5xc6"], ["d5c6", "dxc6"]),
        (MANY_WAYS, &["a7a8q", "a7a8Q", "a8=Q+", "a8Q", "a8q", "a7-a8=Q"], ["a7a8q", "a8=Q+"]),
        (MANY_WAYS, &["h7h8n", "h8=N", "h8N"], ["h7h8n", "h8=N"]),
        (CASTLING, &["e1g1", "O-O", "0-0", "o-o", "e1h1", "Kg1", "O-O!"], ["e1g1", "O-O"]),
        (CASTLING, &["e1c1", "O-O-O", "0-0-0", "e1a1", "Kc1"], ["e1c1", "O-O-O"]),
        (CASTLING, &["h1h8", "Rxh8+", "Rh8", "Rh1xh8"], ["h1h8", "Rxh8+"]),
    ] {
        for way in ways {
            assert_eq!(read_as(fen, way), Ok([uci.to_owned(), san.to_owned()]), "{way}");
        }
    }
}

#[test]
fn a_move_says_no_more_than_tells_it_from_the_others() {
    let queens = "8/8/8/8/4Q2Q/1k6/8/K6Q w - - 0 1";
    for (fen, uci, san) in [
        (queens, "h4e1", "Qh4e1"),
        (queens, "e4e1", "Qee1"),
        (queens, "h1e1", "Q1e1"),
        ("7k/8/8/6N1/8/8/8/K5N1 w - - 0 1", "g1f3", "N1f3"),
        // The other knight is pinned.
        ("4k3/8/8/4r3/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#"),
        ("k7/8/KQ6/8/8/8/8/8 w - - 0 1", "b6c7", "Qc7"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    ] {
        assert_eq!(read_as(fen, uci), Ok([uci.to_owned(), san.to_owned()]));
    }
}

#[test]
fn a_refused_move_says_why() {
    let expected = "expected a move such as e2e4, e7e8q, Nf3, exd5, e8=Q or O-O";
    let pinned = "4k3/8/8/8/1b6/2N5/8/R3K2R w Q - 0 1";
    for (fen, text, reason) in [
        (MANY_WAYS, "", expected),
        (MANY_WAYS, "e9", expected),
        (MANY_WAYS, "e", expected),
        (MANY_WAYS, "Xe4", expected),
        (MANY_WAYS, "e4e9", expected),
        (MANY_WAYS, "0000", "a null move"),
        (MANY_WAYS, "e7e8k9", expected),
        (MANY_WAYS, "NNe4f6", expected),
        (MANY_WAYS, "e\u{301}4", expected),
        (MANY_WAYS, "Nf6", "ambiguous: write Nef6+ or Ngf6+"),
        (MANY_WAYS, "a7a8", "this pawn promotes: end the move with q, r, b or n"),
        (MANY_WAYS, "h8", "this pawn promotes: end the move with q, r, b or n"),
        (MANY_WAYS, "a8=K", "this pawn promotes: end the move with q, r, b or n"),
        (MANY_WAYS, "d6=Q", "this is no promotion: leave out the last letter"),
        (MANY_WAYS, "Nxd6+", "there is nothing to take on d6: leave out the x"),
        (MANY_WAYS, "b2b4", "there is no piece on b2"),
        (MANY_WAYS, "e8e7", "the piece on e8 is black's, but white is to move"),
        (MANY_WAYS, "Bg4h5", "there is no bishop on g4"),
        (MANY_WAYS, "e4e5", "the knight on e4 can't go to e5"),
        (MANY_WAYS, "Nh8", "no white knight can go to h8"),
        (MANY_WAYS, "Qd4", "no white queen can go to d4"),
        (MANY_WAYS, "dxe6", "no white pawn can go to e6"),
        (pinned, "Nd5", "this would leave the white king in check"),
        (pinned, "O-O", "white has no right to castle to the g-file"),
        (
            "4k3/8/8/8/8/8/3r4/R3K3 w Q - 0 1",
            "e1c1",
            "castling needs empty squares between king and rook",
        ),
        ("4k3/8/8/8/8/8/3r4/R3K3 w Q - 0 1", "Kd1", "this would leave the white king in check"),
    ] {
        let refusal = read_as(fen, text).expect_err(text);
        assert!(refusal.contains(reason), "{text}: {refusal}");
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn every_legal_move_is_read_as_it_is_written(board in positions()) {
        for mv in board.legal_moves() {
            let uci = Chess::write_move(&board, mv).text;
            let san = Chess::write_move(&board, mv).san.unwrap_or_default();
            let bare = san.trim_end_matches(['+', '#']);
            for text in [&uci, &san, bare] {
                prop_assert_eq!(Chess::read_move(&board, text), Ok(mv), "{}", text);
            }
        }
    }

    #[test]
    fn without_the_square_it_leaves_a_move_that_names_it_is_ambiguous(board in positions()) {
        for mv in board.legal_moves() {
            let san = Chess::write_move(&board, mv).san.unwrap_or_default();
            let bare = san.trim_end_matches(['+', '#']).replace('x', "");
            let names_more = bare.len() > 3 && bare.starts_with(['N', 'B', 'R', 'Q', 'K']);
            if names_more {
                let short = format!("{}{}", &bare[..1], &bare[bare.len() - 2..]);
                let refusal = Chess::read_move(&board, &short).map_err(|error| error.to_string());
                prop_assert!(refusal.is_err_and(|why| why.starts_with("ambiguous")), "{}", san);
            }
        }
    }

    #[test]
    fn what_is_read_is_legal_and_the_rest_refused_in_words(
        board in positions(),
        text in prop_oneof!["[ a-h1-8KQRBNxqrbnO0=+#-]{0,8}", ".{0,12}"],
    ) {
        match Chess::read_move(&board, &text) {
            Ok(mv) => {
                prop_assert!(board.legal_moves().any(|legal| legal == mv));
                prop_assert_eq!(Chess::read_move(&board, &Chess::write_move(&board, mv).text), Ok(mv));
            }
            Err(refusal) => prop_assert!(!refusal.0.is_empty()),
        }
    }
}

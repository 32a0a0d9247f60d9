//! Chess960: its starts, castling rights and castling, and counts of lines.

use bestmove_engine::game::{Game, MoveText, Notation, Position, PositionText};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use proptest::prelude::*;

use super::chosen;
use crate::cases;

/// Positions of the suite of Ethereal (`fischer.epd`), with the counts from depth 1.
const KNOWN: [(&str, [u64; 4]); 11] = [
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        [21, 528, 12_189, 326_672],
    ),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807, 18_002, 667_366]),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479, 10_471, 273_318]),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", [22, 593, 13_440, 382_958]),
    ("n1bb1rkr/qpnppppp/2p5/p7/P1P5/5P2/1P1PPRPP/NQBBN1KR w Hhf - 1 9", [27, 697, 18_724, 505_089]),
    ("bnqnrbkr/1pp2pp1/p7/3pP2p/4P1P1/8/PPPP3P/BNQNRBKR w HEhe d6 0 9", [31, 984, 28_677, 962_591]),
    (
        "b1nrkrqb/1p1npppp/p2p4/2p5/5P2/4P2P/PPPP1RP1/BNNRK1QB w Dfd - 1 9",
        [25, 475, 12_603, 270_909],
    ),
    ("n1rk1qbb/pppprpp1/2n4p/4p3/2PP3P/8/PP2PPP1/NNRKRQBB w ECc - 1 9", [25, 622, 16_031, 425_247]),
    ("nnrkrbbq/pppp2pp/8/4pp2/4P3/P7/1PPPBPPP/NNKRR1BQ w c - 0 9", [25, 792, 19_883, 636_041]),
    (
        "1nrbkr1q/1pppp1pp/1n6/p4p2/N1b4P/8/PPPPPPPB/N1RBKR1Q w FCfc - 2 9",
        [27, 862, 24_141, 755_171],
    ),
    (
        "qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg - 3 9",
        [33, 823, 26_895, 713_420],
    ),
];

fn read(text: &str) -> ChessBoard {
    let text = PositionText::Text(text.to_owned());
    Chess::Chess960.read_position(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn refused(text: &str) -> String {
    let text = PositionText::Text(text.to_owned());
    Chess::Chess960.read_position(&text).expect_err("no position").to_string()
}

fn perft(board: &ChessBoard, depth: u32) -> u64 {
    match depth {
        1 => board.legal_moves().count() as u64,
        _ => board.legal_moves().map(|mv| perft(&board.play(mv), depth - 1)).sum(),
    }
}

/// The lines of a length from all starts.
fn lines_from_all_starts(depth: u32) -> u64 {
    (0..960).map(|number| perft(&read(&format!("chess960:{number}")), depth)).sum()
}

#[test]
fn known_positions_have_as_many_lines_as_published() {
    for (fen, counts) in KNOWN {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&read(fen), depth), count, "{fen}, depth {depth}");
        }
    }
}

#[test]
fn all_starts_have_as_many_lines_as_published() {
    for (depth, lines) in [(1, 18_882), (2, 371_766), (3, 8_224_968)] {
        assert_eq!(lines_from_all_starts(depth), lines, "depth {depth}");
    }
}

#[test]
fn a_start_is_read_by_its_number() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    assert_eq!(Chess::write_position(&read("chess960:518")), start);
    assert_eq!(Chess::write_position(&Chess::Chess960.start()), start);
    let first = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
    assert_eq!(Chess::write_position(&read("chess960:0")), first);
    for text in ["chess960:960", "chess960:-1", "chess960:", "chess960:x"] {
        assert!(refused(text).contains("the number of a start, 0 to 959"), "{text}");
    }
    let standard = PositionText::Text("chess960:518".to_owned());
    assert!(Chess::Standard.read_position(&standard).is_err());
}

#[test]
fn castling_rights_are_read_in_both_forms() {
    let rows = "1r2k1rr/8/8/8/8/8/8/1R2K1RR";
    for (rights, written) in
        [("HBhb", "HBhb"), ("KQkq", "HBhb"), ("Gg", "Gg"), ("Kb", "Hb"), ("-", "-")]
    {
        let board = read(&format!("{rows} w {rights} - 0 1"));
        assert_eq!(Chess::write_position(&board), format!("{rows} w {written} - 0 1"), "{rights}");
    }
    assert!(refused(&format!("{rows} w A - 0 1")).contains("A needs a king and a rook of white"));
    assert!(refused(&format!("{rows} w X - 0 1")).contains("the castling rights: X"));
    assert!(refused("4k3/8/8/8/8/8/4K3/7R w H - 0 1").contains("on rank 1"));
    assert!(refused("4k3/8/8/8/8/8/8/R3K3 w K - 0 1").contains("K needs"));
    assert!(refused(&format!("{rows} w")).contains("the castling rights are missing"));
}

/// The king on f1 may go to g1, castle with the rook on h1, which takes it to g1, or with the one on a1.
#[test]
fn castling_is_told_from_a_step_to_the_same_square() {
    let board = read("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
    let uci = |text: &str| {
        let mv = Chess::read_move(&board, text).map_err(|error| error.to_string())?;
        let san = Chess::write_move(&board, mv).san.unwrap_or_default();
        Ok::<_, String>([Chess::write_move(&board, mv).text, san])
    };
    for (texts, written) in [
        (["Kg1", "f1g1"], ["f1g1", "Kg1"]),
        (["O-O", "f1h1"], ["f1h1", "O-O"]),
        (["0-0-0", "f1a1"], ["f1a1", "O-O-O"]),
    ] {
        for text in texts {
            assert_eq!(uci(text), Ok(written.map(str::to_owned)), "{text}");
        }
    }
    let castled = board.play(Chess::read_move(&board, "O-O-O").expect("it is legal"));
    assert_eq!(Chess::write_position(&castled), "4k3/8/8/8/8/8/8/2KR3R b - - 1 1");
    let attacked = read("4k1r1/8/8/8/8/8/8/5K1R w H - 0 1");
    let refusal = Chess::read_move(&attacked, "O-O").expect_err("g1 is attacked").to_string();
    assert!(refusal.contains("castling needs empty squares"), "{refusal}");
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn positions_and_moves_are_read_back(
        number in 0u16..960,
        choices in prop::collection::vec(any::<u16>(), 0..100),
    ) {
        let mut board = read(&format!("chess960:{number}"));
        for choice in choices {
            let again = read(&Chess::write_position(&board));
            prop_assert_eq!(&again, &board);
            for mv in board.legal_moves() {
                let MoveText { text, san } = Chess::write_move(&board, mv);
                for text in [Some(text), san] {
                    let text = text.unwrap_or_default();
                    prop_assert_eq!(Chess::read_move(&board, &text), Ok(mv), "{}", text);
                }
            }
            let Some(mv) = chosen(&board, choice) else { break };
            board = board.play(mv);
        }
    }
}

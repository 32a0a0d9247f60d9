//! Counts of all lines of a length, which are known for well-known positions.

use bestmove_engine::game::Position;
use bestmove_engine::games::chess::ChessBoard;

use super::read;
use crate::{data, stride};

/// Positions of the Chess Programming Wiki, and what is easily got wrong: captures en passant that
/// expose the king, castling rights that a capture ends, promotion, stalemate. The counts begin
/// with depth 1.
const KNOWN: [(&str, &[u64]); 14] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97_862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62_379, 2_103_487]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89_890, 3_894_594],
    ),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", &[18, 92, 1670, 10_138, 185_429, 1_134_888]),
    ("8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", &[13, 102, 1284, 10_375, 138_886, 1_038_514]),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", &[15, 66, 1198, 6399, 120_330, 661_072]),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", &[26, 1141, 27_826, 1_274_206]),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", &[44, 1494, 50_509, 1_720_476]),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", &[11, 133, 1442, 19_174, 266_199, 3_821_001]),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", &[2, 6, 13, 63, 382, 2217]),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", &[10, 25, 268, 926, 10_857, 43_261]),
];

fn perft(board: &ChessBoard, depth: usize) -> u64 {
    let moves = board.legal_moves();
    if depth <= 1 {
        moves.count() as u64
    } else {
        moves.map(|mv| perft(&board.play(mv), depth - 1)).sum()
    }
}

fn assert_counts(fen: &str, counts: &[u64]) {
    let board = read(fen);
    for (index, &count) in counts.iter().enumerate() {
        assert_eq!(perft(&board, index + 1), count, "{fen} at depth {}", index + 1);
    }
}

#[test]
fn the_lines_of_known_positions_are_counted_right() {
    for (fen, counts) in KNOWN {
        assert_counts(fen, counts);
    }
}

#[test]
fn the_lines_of_the_suite_are_counted_right() {
    let depths = if stride() == 1 { 5 } else { 4 };
    for line in data("chess/perft.epd").lines() {
        let mut fields = line.split(';');
        let fen = fields.next().unwrap_or_default();
        let counts = fields.filter_map(|field| field.split_whitespace().nth(1)?.parse().ok());
        assert_counts(fen, &counts.take(depths).collect::<Vec<u64>>());
    }
}

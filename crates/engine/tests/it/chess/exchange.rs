//! What a move wins once all captures on its square are played out.

use bestmove_engine::game::{Notation, SelectiveHooks};
use bestmove_engine::games::chess::Chess;

use super::read;
use crate::evaluator;

/// Positions, moves, and what they win in centipawns, worked out by hand.
const EXCHANGES: [(&str, &str, i32); 10] = [
    // An undefended pawn; a defended one, where the knight is lost for it.
    ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
    ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
    // Rooks behind rooks.
    ("3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", -400),
    ("6k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 100),
    // A king must not take what is defended.
    ("8/8/2k5/3p4/4P3/8/8/3R2K1 w - - 0 1", "e4d5", 100),
    // En passant, promotions, a quiet move into a pawn's reach.
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
    ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", 800),
    ("7r/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q", -100),
    ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -300),
    // Castling risks nothing, though the rook's own square is attacked.
    ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
];

#[test]
fn an_exchange_wins_what_is_left_once_nobody_takes_any_more() {
    for (fen, mv, gain) in EXCHANGES {
        let board = read(fen);
        let mv = Chess::read_move(&board, mv).expect("a legal move");
        let wins = |threshold| evaluator::<Chess>("full").exchange_at_least(&board, mv, threshold);
        assert!(wins(gain) && !wins(gain + 1), "{fen}: {mv} wins {gain}");
    }
}

//! Mates that begin with a quiet move or rest on zugzwang: the selective search finds them too.

use super::{Move, colours_exchanged, read};
use crate::evaluator;

use bestmove_engine::game::{Notation, Outcome};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, Task};

/// Positions in which one move mates in so many plies, and the depth at which the selective search has to know.
const MATES: [(&str, u32, u32); 4] = [
    // Black's one piece has to leave the diagonal.
    ("8/4N3/8/8/8/2b1p3/p1K1P3/k7 w - - 0 1", 5, 14),
    ("8/3N4/8/8/8/3p1b2/3P1K1p/7k w - - 0 1", 5, 14),
    ("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1", 3, 8),
    ("8/2R5/3P1K2/3k4/8/B1ppPP1b/2p5/8 w - - 0 1", 3, 8),
];

fn searched(board: &ChessBoard, depth: u32, algorithm: Algorithm) -> Report<Move> {
    let task = Task::new(board.clone(), SearchLimits::depth(depth), algorithm);
    search::run(&task, &evaluator::<Chess>("full"))
}

#[test]
fn a_quiet_mate_that_the_textbook_proves_is_found() {
    for (fen, plies, depth) in MATES {
        for board in [read(fen), colours_exchanged(&read(fen))] {
            let proven = searched(&board, plies, Algorithm::AlphaBeta);
            assert_eq!((proven.outcome, proven.score().plies()), (Some(Outcome::Win), Some(plies)));
            let found = searched(&board, depth, Algorithm::Selective);
            let text = |report: &Report<_>| Chess::write_move(&board, report.best_move()).text;
            assert_eq!(found.outcome, Some(Outcome::Win), "{fen}");
            assert_eq!(text(&found), text(&proven), "{fen}");
        }
    }
}

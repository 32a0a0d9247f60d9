//! What chess positions lead to, counted in bulk.

use bestmove_engine::game::Position;
use bestmove_engine::games::chess::ChessBoard;

/// The sequences of `depth` moves; the last ones are counted and not played.
pub(crate) fn perft(board: &ChessBoard, depth: u32) -> u64 {
    let moves = board.legal_moves();
    match depth {
        ..=1 => moves.count() as u64,
        _ => moves.map(|mv| perft(&board.play(mv), depth - 1)).sum(),
    }
}

/// The same by the generator underneath alone.
pub(crate) fn generator_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut lines = 0;
    board.generate_moves(|moves| {
        lines += match depth {
            ..=1 => moves.len() as u64,
            _ => moves
                .into_iter()
                .map(|mv| {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    generator_perft(&child, depth - 1)
                })
                .sum(),
        };
        false
    });
    lines
}

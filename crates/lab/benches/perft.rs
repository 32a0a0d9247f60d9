//! Every count of a suite of chess positions to depth 6, and the positions counted a second, beside
//! what the move generator reaches alone.
//!
//! `cargo bench --bench perft [SUITE]`: a suite has a position a line, `FEN ;D1 n ;D2 n ...`.

mod counts;

use std::time::Instant;
use std::{env, fs};

use bestmove_engine::game::{Notation, PositionText};
use bestmove_engine::games::chess::Chess;
use counts::{generator_perft, perft};

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/chess/perft.epd");

/// The lines that `count` finds, and how many of them a microsecond.
fn measured(count: impl FnOnce() -> u64) -> (u64, u128) {
    let start = Instant::now();
    let lines = count();
    (lines, u128::from(lines) / start.elapsed().as_micros().max(1))
}

fn main() {
    let path = env::args().nth(1).filter(|word| !word.starts_with("--"));
    let suite = fs::read_to_string(path.as_deref().unwrap_or(SUITE)).expect("a suite");
    for line in suite.lines() {
        let mut fields = line.split(" ;");
        let fen = fields.next().unwrap_or_default();
        let board = Chess::Standard.read_position(&PositionText::Text(fen.to_owned())).expect(fen);
        let deepest = fields.filter_map(|field| field.strip_prefix('D')?.split_once(' ')).last();
        let (depth, count) = deepest.expect("a depth and a count");
        let depth = depth.parse().expect("a depth");
        let (lines, rate) = measured(|| perft(&board, depth));
        assert_eq!(lines.to_string(), count.trim(), "{fen} at depth {depth}");
        let board = cozy_chess::Board::from_fen(fen, false).expect(fen);
        let (_, generator) = measured(|| generator_perft(&board, depth));
        println!("{rate:4} of {generator:4} M/s  depth {depth}  {lines:>12}  {fen}");
    }
}

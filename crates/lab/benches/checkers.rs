//! How fast checkers is, on one thread: legal moves counted in bulk, and positions searched.

use std::hint::black_box;
use std::sync::Arc;

use bestmove_engine::game::{Game, Notation, Position, PositionText};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const POSITIONS: [(&str, &str); 3] = [
    ("start", "B:W21-32:B1-12"),
    ("mid-game", "B:W17,18,22,25,27,28,29,30,32:B1,2,3,4,5,6,8,9,11,21"),
    ("kings", "B:W14,K15,18,22,29,30:B4,6,20,K24"),
];

fn board(text: &str) -> Option<CheckersBoard> {
    Checkers.read_position(&PositionText::Text(text.to_owned())).ok()
}

/// The sequences of `depth` moves; the last ones are counted and not played.
fn perft(board: &CheckersBoard, depth: u32) -> u64 {
    let moves = board.legal_moves();
    match depth {
        ..=1 => moves.count() as u64,
        _ => moves.map(|mv| perft(&board.play(mv), depth - 1)).sum(),
    }
}

fn bulk_perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checkers, perft in bulk to depth 8");
    for (name, text) in POSITIONS {
        let Some(board) = board(text) else { continue };
        group.throughput(Throughput::Elements(perft(&board, 8)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&board), 8)));
    }
}

fn alpha_beta(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("checkers, alpha-beta to depth 10");
    let Some(material) = Checkers::evaluator("material", &Arc::default()) else { return };
    for (name, text) in POSITIONS {
        let Some(board) = board(text) else { continue };
        let task = Task::new(board, SearchLimits::depth(10), Algorithm::AlphaBeta);
        group.throughput(Throughput::Elements(search::run(&task, &material).nodes));
        group.bench_function(name, |bencher| {
            bencher.iter(|| search::run(black_box(&task), &material));
        });
    }
}

criterion_group!(benches, bulk_perft, alpha_beta);
criterion_main!(benches);

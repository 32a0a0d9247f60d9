//! How fast chess is, on one thread: legal moves counted in bulk, beside the generator underneath,
//! and positions searched.

mod counts;

use std::hint::black_box;

use bestmove_engine::game::{Evaluator, Game, Notation, PositionText};
use bestmove_engine::games;
use bestmove_engine::games::chess::{Chess, ChessBoard, ChessEvaluator};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
use counts::{generator_perft, perft};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const POSITIONS: [(&str, &str); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
];

/// The evaluator of that name, with the knowledge files.
fn evaluator(name: &str) -> ChessEvaluator {
    let knowledge = games::load_knowledge(None).expect("whole files");
    Chess::evaluator(name, &knowledge.of::<Chess>()).expect("a known name")
}

fn board(fen: &str) -> Option<ChessBoard> {
    Chess::Standard.read_position(&PositionText::Text(fen.to_owned())).ok()
}

fn bulk_perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chess, perft in bulk to depth 4");
    for (name, fen) in POSITIONS {
        let (Some(board), Ok(plain)) = (board(fen), fen.parse()) else { continue };
        group.throughput(Throughput::Elements(perft(&board, 4)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&board), 4)));
        group.bench_function(format!("{name}, generator alone"), |bencher| {
            bencher.iter(|| generator_perft(black_box(&plain), 4));
        });
    }
}

fn alpha_beta(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chess, alpha-beta to depth 5");
    for (name, fen) in POSITIONS {
        let Some(board) = board(fen) else { continue };
        let task = Task::new(board, SearchLimits::depth(5), Algorithm::AlphaBeta);
        group.throughput(Throughput::Elements(search::run(&task, &evaluator("material")).nodes));
        group.bench_function(name, |bencher| {
            bencher.iter(|| search::run(black_box(&task), &evaluator("material")));
        });
    }
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chess, evaluation");
    for (name, fen) in POSITIONS {
        let Some(board) = board(fen) else { continue };
        for kind in ["full", "piece-square"] {
            let evaluator = evaluator(kind);
            group.bench_function(format!("{name}, {kind}"), |bencher| {
                bencher.iter(|| evaluator.score(black_box(&board)));
            });
        }
    }
}

criterion_group!(benches, bulk_perft, alpha_beta, evaluation);
criterion_main!(benches);

//! How fast the searches are, on one thread. Elements are positions visited.

use std::hint::black_box;
use std::sync::Arc;

use bestmove_engine::game::Game;
use bestmove_engine::games::connect_four::ConnectFour;
use bestmove_engine::games::tic_tac_toe::{self, TicTacToe};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn tic_tac_toe(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tic-tac-toe, empty board, depth 9");
    let evaluator = tic_tac_toe::TicTacToeEvaluator::Lines;
    let task = Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(9), Algorithm::Minimax);
    group.bench_function("one pass of minimax", |bencher| {
        bencher.iter(|| search::minimax(black_box(&task), &evaluator));
    });
    for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Solve] {
        let task = Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(9), algorithm);
        group.bench_function(algorithm.name(), |bencher| {
            bencher.iter(|| search::run(black_box(&task), &evaluator));
        });
    }
}

fn connect_four(criterion: &mut Criterion) {
    let Some(evaluator) = ConnectFour::evaluator("threats", &Arc::default()) else { return };
    for (name, top) in [("empty board", 1), ("every move of the empty board", usize::MAX)] {
        let mut group = criterion.benchmark_group(format!("Connect Four, {name}"));
        group.sample_size(20);
        for depth in [8, 10, 12] {
            let limits = SearchLimits::depth(depth);
            let task = Task::new(ConnectFour::STANDARD.start(), limits, Algorithm::AlphaBeta);
            let task = Task { top, ..task };
            group.throughput(Throughput::Elements(search::run(&task, &evaluator).nodes));
            group.bench_function(format!("alpha-beta, depth {depth}"), |bencher| {
                bencher.iter(|| search::run(black_box(&task), &evaluator));
            });
        }
    }
}

criterion_group!(benches, tic_tac_toe, connect_four);
criterion_main!(benches);

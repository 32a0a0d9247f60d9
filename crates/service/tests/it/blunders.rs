//! How many blunders of reviewed games have a reason with a line, and what reasons cost.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{KNOWLEDGE, Random, answer, board};
use bestmove_engine::games::CATALOGUE;
use bestmove_engine::games::any::SearchParameters;
use bestmove_engine::search::MOST_MEMORY;
use bestmove_engine::{games, games::Knowledge};
use bestmove_service::{
    Label, Review, ReviewInclude, ReviewRequest, Service, ServiceLimits, Wanted, explain,
};
use prometheus_client::registry::Registry;

/// The kinds that say what is wrong with a move.
const FAULTS: [&str; 5] = ["allows", "loses-material", "throws-away", "misses", "loses-points"];

/// The moves of a game in which every third move is random, and the others see little.
fn generated(game: &str, random: &mut Random) -> Vec<String> {
    const MOST_MOVES: usize = 80;
    let mut position = board(game, None);
    let mut moves = Vec::new();
    while moves.len() < MOST_MOVES {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = if moves.len() < 4 || random.below(3) == 0 {
            legal[random.below(legal.len())].mv.text.clone()
        } else {
            let weak = SearchParameters { nodes: Some(500), ..Default::default() };
            answer(&*position, &weak).best_move.text
        };
        position = position.after(&mv, 0).expect("legal");
        moves.push(mv);
    }
    moves
}

fn reviewed(service: &Arc<Service>, game: &str, moves: &[String]) -> Review {
    let request = serde_json::json!({"game": game, "moves": moves, "nodes": 20_000});
    let request: ReviewRequest = serde_json::from_value(request).expect("a request");
    let (board, parameters) = request.split().expect("a good request");
    let include = ReviewInclude { reasons: true, ..ReviewInclude::default() };
    let prepared = service.prepare_review(&board, parameters, include).expect("a game");
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("a runtime");
    runtime.block_on(service.review(prepared)).expect("a review")
}

/// The nodes and the time that the reasons of the best move cost, on average over a game.
fn cost(game: &str, moves: &[String]) -> (u64, Duration) {
    let mut position = board(game, None);
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let knowledge: &Knowledge = &KNOWLEDGE;
    for mv in moves {
        let parameters = SearchParameters { nodes: Some(20_000), ..Default::default() };
        let mut answer = answer(&*position, &parameters);
        nodes -= answer.search.nodes.cast_signed();
        let wanted = Wanted { reasons: true, threat: false };
        let start = Instant::now();
        explain(&mut answer, &*position, wanted, false, knowledge, &AtomicBool::new(false));
        time += start.elapsed();
        nodes += answer.search.nodes.cast_signed();
        position = position.after(mv, 0).expect("legal");
    }
    let count = moves.len() as u32;
    (nodes.cast_unsigned() / u64::from(count), time / count)
}

#[test]
#[ignore = "a measurement: GAMES=20 cargo test --release -p bestmove-service --test it blunders -- --ignored --nocapture"]
fn blunders_have_a_reason_with_a_line() {
    let count = std::env::var("GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let wanted = std::env::var("GAME").unwrap_or_default();
    let hour = Duration::from_hours(1);
    let limits =
        ServiceLimits { workers: 2, queue: 0, memory: 2 * MOST_MEMORY, max_time: hour, cache: 0 };
    let knowledge = games::load_knowledge(None).expect("the knowledge is whole");
    let service = Arc::new(Service::new(&limits, knowledge, &mut Registry::default()));
    for game in CATALOGUE.iter().map(|game| game.info().name) {
        if !wanted.is_empty() && wanted != game {
            continue;
        }
        let mut random = Random(7);
        let (mut blunders, mut told) = (0, [0; FAULTS.len()]);
        for number in 0..count {
            let moves = generated(game, &mut random);
            if number == 0 {
                println!("{game}: nodes and time of reasons per move {:?}", cost(game, &moves));
            }
            for mv in reviewed(&service, game, &moves).moves {
                if !matches!(mv.label, Label::Blunder) {
                    continue;
                }
                let reasons = mv.reasons.unwrap_or_default();
                let is_told =
                    |kind: &&str| reasons.iter().any(|it| it.kind == *kind && !it.moves.is_empty());
                blunders += 1;
                if let Some(fault) = FAULTS.iter().position(is_told) {
                    told[fault] += 1;
                } else {
                    let texts: Vec<_> = reasons.iter().map(|it| &it.text).collect();
                    let before = &moves[..mv.ply - 1];
                    println!("SILENT {game} {} {before:?} {} {texts:?}", mv.loss, mv.mv.text);
                }
            }
        }
        let all: i32 = told.iter().sum();
        println!(
            "{game}: {all} of {blunders} blunders have a reason, the first of {FAULTS:?} {told:?}"
        );
    }
}

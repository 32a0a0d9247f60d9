//! How many blunders of reviewed games have a reason with a line.
//!
//! `cargo run --release -p bestmove-api --example blunders -- [GAMES] [GAME]`

use std::sync::atomic::AtomicBool;

use bestmove_api::{Context, Label, ReviewAnswer, ReviewRequest, read_value};
use bestmove_engine::games;
use bestmove_engine::games::any::SearchParameters;
use bestmove_engine::games::catalogue;
use fastrand::Rng;

/// The kinds of reasons that speak against a move.
const FAULTS: [&str; 5] = ["allows", "loses-material", "throws-away", "misses", "loses-points"];

/// The moves of a game in which every third move is random, and the others see little.
fn generated(context: &Context, game: &str, random: &mut Rng) -> Vec<String> {
    const MOST_MOVES: usize = 80;
    let game = games::find(game).expect("a game");
    let mut position = game.board(None, &[]).expect("the start");
    let mut moves = Vec::new();
    while moves.len() < MOST_MOVES {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = if moves.len() < 4 || random.usize(..3) == 0 {
            legal[random.usize(..legal.len())].mv.text.clone()
        } else {
            let weak = SearchParameters { nodes: Some(500), ..Default::default() };
            let search = position.search(&weak, &context.knowledge).expect("a search");
            search.run(&AtomicBool::new(false)).best_move.text
        };
        position = position.after(&mv, 0).expect("legal");
        moves.push(mv);
    }
    moves
}

fn reviewed(context: &Context, game: &str, moves: &[String]) -> ReviewAnswer {
    let request = serde_json::json!({
        "game": game, "moves": moves, "nodes": 20_000, "include": ["reasons"],
    });
    let request = read_value::<ReviewRequest>(request).expect("a request");
    let mut review = request.prepare(context).expect("a good request");
    loop {
        let tasks = review.tasks();
        if tasks.is_empty() {
            return review.answer();
        }
        for task in tasks {
            let task = task.prepare().expect("a position of the game");
            review.take(task.run(&AtomicBool::new(false)));
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(20, |text| text.parse().expect("a number of games"));
    let wanted = arguments.next().unwrap_or_default();
    let knowledge = games::load_knowledge(None).expect("the knowledge is whole");
    let context = Context { knowledge, max_time: None };
    for game in catalogue().iter().map(|game| game.info().name) {
        if !wanted.is_empty() && wanted != game {
            continue;
        }
        let mut random = Rng::with_seed(7);
        let (mut blunders, mut told) = (0, [0; FAULTS.len()]);
        for _ in 0..count {
            let moves = generated(&context, game, &mut random);
            for mv in reviewed(&context, game, &moves).moves {
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

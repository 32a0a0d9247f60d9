//! What each kind of reason costs.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::searcher::NODES;
use super::{Explainer, Valued};
use bestmove_engine::games::any::{AnyBoard, SearchParameters};
use bestmove_engine::games::{CATALOGUE, Knowledge, load_knowledge};

/// The parts of an explanation, and the kinds that each finds.
const PARTS: [&str; 7] = [
    "a pass: prevents, threat",
    "the move alone: wins, loses, draws, allows",
    "the best other move: throws-away, misses, only-move",
    "no win is left: prevents, only-move",
    "wins at once: threatens, double-threat",
    "material: wins-material, loses-material, trades, sacrifices, motifs",
    "expected points: loses-points",
];

/// The time that this thread has run, in steps of some milliseconds; none where the system does not tell.
fn thread_time() -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split(' ').next().and_then(|text| text.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// The nodes and the time of each part, over several moves.
#[derive(Default)]
struct Costs {
    parts: [(u32, u64, Duration); PARTS.len()],
}

impl Costs {
    /// Adds a part that has run, since the explanation had visited so many nodes and the thread had run so long.
    fn add(&mut self, part: usize, explainer: &Explainer, since: &mut (u64, Duration)) {
        let now = (explainer.nodes(), thread_time());
        let (times, nodes, time) = &mut self.parts[part];
        *times += u32::from(now.0 > since.0);
        *nodes += now.0 - since.0;
        *time += now.1.saturating_sub(since.1);
        *since = (explainer.nodes(), thread_time());
    }

    /// Runs the parts of the explanation of a move, each by itself.
    fn explain(&mut self, board: &dyn AnyBoard, own: Valued, knowledge: &Knowledge) {
        let stop = AtomicBool::new(false);
        let mut since = (0, thread_time());
        let explainer = Explainer::new(board, knowledge, &stop);
        self.add(0, &explainer, &mut since);
        let stated = own.evaluation;
        let own = explainer.deepened(own);
        self.add(1, &explainer, &mut since);
        let Some(other) = explainer.best_other(&own.mv) else { return };
        self.add(2, &explainer, &mut since);
        let after = board.after(&own.mv.text, 0).expect("legal");
        explainer.compared(&own, &other, &*after);
        explainer.prevented(&own, &*after);
        self.add(3, &explainer, &mut since);
        explainer.threats(&*after);
        self.add(4, &explainer, &mut since);
        explainer.exchanges(&own, &board.other_moves(&own.mv), &mut Vec::new());
        self.add(5, &explainer, &mut since);
        explainer.costs(&own, stated, other.evaluation);
        self.add(6, &explainer, &mut since);
    }
}

#[test]
#[ignore = "a measurement: GAMES=3 cargo test --release -p bestmove-service --lib reasons::cost -- --ignored --nocapture"]
fn each_kind_has_a_cost() {
    let games = std::env::var("GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let knowledge = load_knowledge(None).expect("the knowledge is whole");
    for game in CATALOGUE {
        let (mut costs, mut moves, mut random) = (Costs::default(), 0, 7_usize);
        for _ in 0..games {
            let mut position = game.board(None, &[]).expect("a start");
            for _ in 0..80 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mv = &legal[(random >> 33) % legal.len()].mv.text;
                let parameters = SearchParameters {
                    nodes: Some(2 * NODES),
                    search_moves: Some(vec![mv.clone()]),
                    ..SearchParameters::default()
                };
                let search = position.search(&parameters, &knowledge).expect("it is offered");
                let answer = search.run(&AtomicBool::new(false));
                costs.explain(&*position, Valued::from(&answer), &knowledge);
                moves += 1;
                position = position.after(mv, 0).expect("legal");
            }
        }
        println!("{}: {moves} moves", game.info().name);
        for (part, (times, nodes, time)) in PARTS.into_iter().zip(costs.parts) {
            let (share, count) = (100 * times / moves, u64::from(times.max(1)));
            println!(
                "  {part}: {share} % of moves, {} nodes, {:?}",
                nodes / count,
                time / times.max(1)
            );
        }
        assert!(costs.parts[2].1 > 0, "other moves are searched");
    }
}

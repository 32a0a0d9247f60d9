//! Every limit holds from the first node on, on any legal position, for every game and algorithm.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Server, hostile, knowledge};
use bestmove_engine::game::PositionText;
use bestmove_engine::games::any::{AnyBoard, AnySearch, SearchParameters};
use bestmove_engine::games::{all_variants, catalogue};
use bestmove_engine::search::{Algorithm, StoppedBy};
use fastrand::Rng;
use proptest::prelude::*;

/// A chess position whose captures have no end: 14 queens.
const QUEENS: &str = "qQ2n1Nk/Q3QBq1/1Qb4N/q2rB3/qq1Qnq1Q/1Q6/RQQ1r2q/KqR1bq2 w - - 0 1";

/// A search without limits of its own takes minutes where one with limits takes milliseconds. The
/// machine may be busy.
const GENEROUS: Duration = Duration::from_secs(5);

fn board(game: &str, position: &str) -> Option<Box<dyn AnyBoard>> {
    let game = catalogue().iter().find(|known| known.info().name == game).expect("a known game");
    game.board(Some(&PositionText::Text(position.to_owned())), &[]).ok()
}

/// The searches of a position by every algorithm, with these parameters.
fn searches(board: &dyn AnyBoard, parameters: &SearchParameters) -> Vec<Box<dyn AnySearch>> {
    let of = |algorithm: &str| {
        board
            .search(
                &SearchParameters { algorithm: Algorithm::named(algorithm), ..parameters.clone() },
                knowledge(),
            )
            .ok()
    };
    ["minimax", "alpha-beta", "selective", "solve"].into_iter().filter_map(of).collect()
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_node_limit_holds_and_there_is_an_answer(seed: u64, nodes in 1_u64..60) {
        let mut rng = Rng::with_seed(seed);
        let (game, position) = hostile::draw(&mut rng);
        let Some(board) = board(game, &position) else { return Ok(()) };
        let moves: Vec<_> = board.legal_moves().into_iter().map(|known| known.mv.text).collect();
        let limited = |nodes| searches(&*board, &SearchParameters { nodes: Some(nodes), ..SearchParameters::default() });
        for (search, longer) in limited(nodes).into_iter().zip(limited(nodes + 1)) {
            let start = Instant::now();
            let answer = search.run(&AtomicBool::new(false));
            prop_assert!(start.elapsed() < GENEROUS, "{position} takes {:?}", start.elapsed());
            prop_assert!(moves.contains(&answer.best_move.text), "{position}");
            prop_assert!(answer.search.depth >= 1);
            prop_assert!(answer.search.nodes <= nodes + moves.len() as u64, "{position}: {}", answer.search.nodes);
            prop_assert!(answer.search.stopped_by != StoppedBy::Time);
            if answer.search.stopped_by == StoppedBy::Depth {
                // The last depth may need just as many nodes as there may be.
                prop_assert!(answer.search.nodes <= nodes, "{position}: {}", answer.search.nodes);
                prop_assert_eq!(&longer.run(&AtomicBool::new(false)), &answer, "{}", position);
            }
            prop_assert_eq!(search.run(&AtomicBool::new(false)), answer, "{}", position);
        }
    }

    #[test]
    fn a_time_limit_holds_and_there_is_an_answer(seed: u64) {
        let mut rng = Rng::with_seed(seed);
        let (game, position) = hostile::draw(&mut rng);
        let Some(board) = board(game, &position) else { return Ok(()) };
        for search in searches(&*board, &SearchParameters { time: Some(Duration::from_millis(1)), ..SearchParameters::default() }) {
            let start = Instant::now();
            let answer = search.run(&AtomicBool::new(false));
            prop_assert!(start.elapsed() < GENEROUS, "{position} takes {:?}", start.elapsed());
            prop_assert!(answer.search.depth >= 1);
        }
    }

    #[test]
    fn a_search_that_is_told_to_stop_stops(seed: u64, after in 0_u64..3000) {
        let mut rng = Rng::with_seed(seed);
        let (game, position) = hostile::draw(&mut rng);
        let Some(board) = board(game, &position) else { return Ok(()) };
        for search in searches(&*board, &SearchParameters { nodes: Some(1 << 40), ..SearchParameters::default() }) {
            let stop = AtomicBool::new(false);
            let (answer, time) = thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(Duration::from_micros(after));
                    stop.store(true, Ordering::Relaxed);
                });
                let start = Instant::now();
                let answer = search.run(&stop);
                (answer, start.elapsed())
            });
            prop_assert!(time < GENEROUS, "{position} takes {time:?}");
            prop_assert!(answer.search.depth >= 1);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..config() })]

    #[test]
    fn a_node_limit_holds_in_every_variant(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        nodes in 1_u64..60,
    ) {
        let game = all_variants()[choices[0].index(all_variants().len())];
        let mut board = game.board(None, &[]).expect("the start");
        for choice in &choices[1..] {
            let legal = board.legal_moves();
            if legal.is_empty() {
                return Ok(());
            }
            let mv = &legal[choice.index(legal.len())].mv.text;
            board = board.after(mv, 0).expect("a legal move");
        }
        let count = board.legal_moves().len() as u64;
        let parameters = SearchParameters { nodes: Some(nodes), ..SearchParameters::default() };
        for search in searches(&*board, &parameters) {
            let start = Instant::now();
            let answer = search.run(&AtomicBool::new(false));
            prop_assert!(start.elapsed() < GENEROUS, "{} {:?}", game.info().variant, board.state());
            prop_assert!(answer.search.nodes <= nodes + count, "{} {:?}: {} of {nodes}", game.info().name, board.state(), answer.search.nodes);
        }
    }
}

#[test]
fn a_limit_within_depth_one_is_named() {
    let board = board("chess", QUEENS).expect("the position is legal");
    let count = board.legal_moves().len() as u64;
    let nodes = SearchParameters { depth: Some(1), nodes: Some(1), ..SearchParameters::default() };
    for search in searches(&*board, &nodes) {
        let answer = search.run(&AtomicBool::new(false));
        assert_eq!((answer.search.depth, answer.search.stopped_by), (1, StoppedBy::Nodes));
        assert!(answer.search.nodes <= 1 + count, "{} nodes", answer.search.nodes);
    }
    let told = AtomicBool::new(true);
    for search in
        searches(&*board, &SearchParameters { depth: Some(1), ..SearchParameters::default() })
    {
        let answer = search.run(&told);
        assert_eq!((answer.search.depth, answer.search.stopped_by), (1, StoppedBy::Time));
    }
}

#[test]
fn a_quiescence_search_has_an_end_of_its_own() {
    let board = board("chess", QUEENS).expect("the position is legal");
    let first = board.legal_moves().into_iter().map(|known| known.mv.text).take(1);
    let parameters = SearchParameters {
        depth: Some(1),
        search_moves: Some(first.collect()),
        ..SearchParameters::default()
    };
    let search = board.search(&parameters, knowledge()).expect("a search");
    let start = Instant::now();
    let answer = search.run(&AtomicBool::new(false));
    assert_eq!(answer.search.stopped_by, StoppedBy::Depth);
    assert!(start.elapsed() < 4 * GENEROUS, "it takes {:?}", start.elapsed());
}

#[test]
fn a_proof_that_the_clock_stops_says_so() {
    let board = board("connect-four", "444544121").expect("a legal position");
    let parameters = SearchParameters {
        algorithm: Some(Algorithm::Solve),
        time: Some(Duration::from_micros(200)),
        ..SearchParameters::default()
    };
    let search = board.search(&parameters, knowledge()).expect("a search");
    assert_eq!(search.run(&AtomicBool::new(false)).search.stopped_by, StoppedBy::Time);
}

/// O loses in two plies whatever it plays, so that there is a tie-break among its moves.
#[test]
fn a_tie_break_that_is_told_to_stop_says_so() {
    let board = board("tic-tac-toe", "XX..O.O.. O").expect("a legal position");
    let stopped = board
        .search(&SearchParameters::default(), knowledge())
        .expect("a search")
        .run(&AtomicBool::new(true));
    assert_eq!(stopped.search.stopped_by, StoppedBy::Time);
}

#[test]
fn repeated_search_moves_cost_no_more_than_one() {
    let board = board("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let board = board.expect("the start");
    let parameters = SearchParameters {
        search_moves: Some(vec!["e2e4".to_owned(); 200_000]),
        depth: Some(1),
        ..SearchParameters::default()
    };
    let start = Instant::now();
    let search = board.search(&parameters, knowledge()).expect("a legal move");
    assert!(start.elapsed() < Duration::from_secs(1), "it takes {:?}", start.elapsed());
    assert_eq!(search.key().search_moves, ["e2e4"]);
}

#[test]
fn a_small_search_declares_little_memory() {
    let memory = |game: &str, position: &str, parameters: &SearchParameters| {
        board(game, position)
            .expect("legal")
            .search(parameters, knowledge())
            .expect("a search")
            .memory()
    };
    let nodes = |nodes| SearchParameters { nodes: Some(nodes), ..SearchParameters::default() };
    assert!(memory("tic-tac-toe", ".........", &nodes(100)) < 1 << 19);
    assert!(memory("chess", QUEENS, &nodes(100)) < 1 << 22);
    let minimax = SearchParameters { algorithm: Some(Algorithm::Minimax), ..nodes(100) };
    assert!(memory("chess", QUEENS, &minimax) > 0, "its tie-break has a table");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..config() })]

    #[test]
    fn every_endpoint_answers_hostile_positions_in_time(seed: u64, by_nodes: bool) {
        static SERVER: LazyLock<Server> = LazyLock::new(Server::start);
        let mut rng = Rng::with_seed(seed);
        let (game, position) = hostile::draw(&mut rng);
        let limit = if by_nodes { "nodes" } else { "time_ms" };
        let board = format!(r#""game":"{game}","position":"{position}""#);
        let search = format!(r#"{{{board},"{limit}":1}}"#);
        let tree = format!(r#"{{{board},"depth":2,"{limit}":1}}"#);
        let requests = [
            ("/best-move", &search),
            ("/best-move/stream", &search),
            ("/best-move/batch", &search),
            ("/analyze", &search),
            ("/analyze/stream", &search),
            ("/tree", &tree),
            ("/position", &format!("{{{board}}}")),
        ];
        for (path, body) in requests {
            let kind = if path.ends_with("batch") { "application/x-ndjson" } else { "application/json" };
            let start = Instant::now();
            let answer = SERVER.send("POST", path, &[("content-type", kind)], body.as_bytes());
            prop_assert!(start.elapsed() < GENEROUS, "{path} {body} takes {:?}", start.elapsed());
            prop_assert!(matches!(answer.status, 200 | 422), "{path} {body}: {}", answer.text());
        }
    }
}

//! One answer is one job: reasons and threat come under the place, the limits and the caching of the search.

use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::Program;
use crate::common::{Answer, Client, JSON, hostile, request, sample};
use bestmove_engine::games::{all_variants, catalogue};
use fastrand::Rng;
use serde_json::{Value, json};

/// A position whose explanation visits many nodes.
const HARD: &str = "8/2K1R2n/5Brn/7k/N5br/5Q1N/2Rr4/1B3b1q w - - 0 1";
/// The most nodes for the reasons of an answer.
const BUDGET: u64 = 2_000_000;

/// A client that waits for reasons.
fn explained(client: &Client, moves: &str, time_ms: u32) -> TcpStream {
    let body = json!({"game": "chess", "moves": moves, "time_ms": time_ms, "include": ["reasons"]});
    client.asking(&body.to_string())
}

#[test]
fn an_admitted_request_for_reasons_is_answered_after_the_signal() {
    let mut program = Program::start(&["--queue", "1"]);
    let mut clients: Vec<_> =
        ["e4", "d4"].map(|moves| explained(&program, moves, 700)).into_iter().collect();
    program.await_metric("bestmove_searches_running", 2.0);
    clients.push(explained(&program, "c4", 700));
    program.await_metric("bestmove_searches_waiting", 1.0);
    let mut refused = explained(&program, "b4", 700);
    Answer::read(&mut refused).expect("it is answered").problem(503, "overloaded");
    program.signal("TERM");
    for mut client in clients {
        let answer = Answer::read(&mut client).expect("no request is lost");
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.json()["reasons"].is_array(), "{}", answer.text());
    }
    assert_eq!(program.exit().code(), Some(0));
}

/// The searches that a program has counted.
fn searches(client: &Client) -> f64 {
    let metrics = client.get("/metrics").text();
    let counts = metrics.lines().filter(|line| line.starts_with("bestmove_search_nodes_count{"));
    counts.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
}

#[test]
fn no_request_is_refused_after_its_search() {
    let program = Program::start(&["--queue", "1"]);
    let end = Instant::now() + Duration::from_millis(1500);
    // Whoever is refused asks again at once, so that the place in the queue is never free for long.
    let ask = |moves| {
        let (mut answered, mut time_ms) = (0, 100);
        while Instant::now() < end {
            time_ms += 1;
            let mut client = explained(&program, moves, time_ms);
            let answer = Answer::read(&mut client).expect("everybody is answered");
            if answer.status == 200 {
                assert!(answer.json()["reasons"].is_array(), "{}", answer.text());
                answered += 1;
            } else {
                answer.problem(503, "overloaded");
            }
        }
        answered
    };
    let answered: u32 = thread::scope(|scope| {
        let moves = ["e4", "d4", "c4", "b4", "e3", "d3", "c3", "b3"];
        let clients = moves.map(|moves| scope.spawn(move || ask(moves)));
        clients.into_iter().map(|client| client.join().expect("no client panics")).sum()
    });
    assert!(answered >= 3, "{answered} are answered");
    assert!((searches(&program) - f64::from(answered)).abs() < 0.5, "{answered} are answered");
}

/// Positions of all games and variants, and hard ones.
fn positions() -> Vec<Value> {
    let mut rng = Rng::with_seed(72);
    let mut positions = vec![
        json!({"game": "chess", "position": HARD}),
        json!({"game": "tic-tac-toe", "variant": "7x7x5"}),
        json!({"game": "chess", "position": "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"}),
    ];
    positions.extend(catalogue().iter().map(|game| json!({"game": game.info().name})));
    let mut variants = all_variants().to_vec();
    rng.shuffle(&mut variants);
    let variants = variants.into_iter().map(bestmove_engine::games::any::AnyGame::info);
    let variants = variants.map(|info| json!({"game": info.name, "variant": info.variant}));
    positions.extend(variants.take(sample(40)));
    let drawn = std::iter::repeat_with(|| hostile::draw(&mut rng));
    let drawn = drawn.map(|(game, position)| json!({"game": game, "position": position}));
    positions.extend(drawn.take(sample(40)));
    positions
}

/// The milliseconds that a job may take in the tests below.
const LIMIT: u64 = 60;

/// Asks for all that can be explained of a position, and checks the processor time of the answer. It is less than the time
/// on the wall where the machine is busy.
#[cfg(target_os = "linux")]
fn check_time(program: &Program, path: &str, body: &Value) {
    let before = program.processor_time();
    let answer = program.post(path, body.to_string());
    let used = program.processor_time().saturating_sub(before);
    if answer.status == 422 {
        return;
    }
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    assert!(used <= Duration::from_millis(LIMIT + 200), "{path} {body} takes {used:?}");
    let answer = answer.json();
    let moves = answer["moves"].as_array().map_or(&[][..], Vec::as_slice);
    let is_unexplained = |mv: &Value| mv["unexplained"] == true;
    assert!(moves.iter().all(|mv| mv["reasons"].is_array() != is_unexplained(mv)), "{answer}");
}

#[cfg(target_os = "linux")]
#[test]
fn no_answer_takes_longer_than_the_limit_of_the_server_or_its_own() {
    let limit = LIMIT.to_string();
    let of_server = Program::start(&["--workers", "1", "--cache-mb", "0", "--max-time-ms", &limit]);
    let of_request = Program::start(&["--workers", "1", "--cache-mb", "0"]);
    for (index, mut body) in positions().into_iter().enumerate() {
        body["include"] = json!(["reasons", "threat"]);
        for path in ["/analyze", "/best-move"] {
            if index % 2 == 0 {
                body["depth"] = json!(1);
            }
            check_time(&of_server, path, &body);
            let mut timed = body.clone();
            timed.as_object_mut().expect("an object").remove("depth");
            timed["time_ms"] = json!(LIMIT);
            check_time(&of_request, path, &timed);
        }
    }
}

/// A position with many moves that lose material, which is dear to confirm.
const MANY_FAULTS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn the_nodes_of_all_reasons_of_an_answer_are_bounded() {
    let program = Program::start(&["--max-time-ms", "600000"]);
    let check = |mut body: Value| {
        body["depth"] = json!(1);
        let plain = program.post("/analyze", body.to_string()).json();
        body["include"] = json!(["reasons", "threat"]);
        let answer = program.post("/analyze", body.to_string()).json();
        let nodes = |answer: &Value| answer["search"]["nodes"].as_u64().expect("nodes");
        let spent = nodes(&answer) - nodes(&plain);
        assert!(spent <= BUDGET + 1000, "{spent} nodes for the reasons of {body}");
        let moves = answer["moves"].as_array().expect("moves");
        let unexplained = moves.iter().filter(|mv| mv["unexplained"] == true).count();
        assert!((1..moves.len()).contains(&unexplained), "{unexplained} of {}", moves.len());
        assert!(moves[0]["reasons"].is_array(), "the best move comes first: {}", moves[0]);
        assert!(moves.iter().all(|mv| mv["reasons"].is_array() != (mv["unexplained"] == true)));
        assert!(answer.get("reasons_cut").is_none(), "no time has ended it");
    };
    thread::scope(|scope| {
        scope.spawn(|| check(json!({"game": "chess", "position": MANY_FAULTS})));
        scope.spawn(|| check(json!({"game": "tic-tac-toe", "variant": "7x7x5"})));
    });
}

/// A request whose reasons take a second, while its search ends at once.
const EXPLAINED: &str =
    "/best-move?game=tic-tac-toe&variant=7x7x5&depth=2&include=reasons,threat,legal_moves";

/// The answer says that its reasons were cut, and nobody keeps it.
#[track_caller]
fn check_cut(answer: &Answer) {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("etag"), None);
    assert_eq!(answer.json()["reasons_cut"], true, "{}", answer.text());
}

#[test]
fn an_answer_whose_reasons_were_cut_says_so_and_is_kept_nowhere() {
    // By the end of the drain.
    let mut program = Program::start(&["--drain-ms", "0", "--max-time-ms", "600000"]);
    let mut client = program.connect();
    let asked = request("GET", EXPLAINED, &[JSON], b"");
    std::io::Write::write_all(&mut client, &asked).expect("the server reads");
    program.await_metric("bestmove_searches_running", 1.0);
    program.signal("TERM");
    check_cut(&Answer::read(&mut client).expect("it is answered"));
    program.exit();
    // By the limit of the server.
    let program = Program::start(&["--max-time-ms", "1"]);
    for _ in 0..2 {
        check_cut(&program.get(EXPLAINED));
    }
    assert_eq!(program.metric("bestmove_cache_hits_total").to_string(), "0");
    let body = json!({"game": "chess", "position": HARD, "depth": 1, "include": ["reasons"]});
    for path in ["/best-move", "/analyze"] {
        assert_eq!(program.post(path, body.to_string()).json()["reasons_cut"], true, "{path}");
    }
    let stream = program.stream("/analyze/stream", &[JSON], body.to_string().as_bytes()).text();
    assert!(stream.contains("\"reasons_cut\":true"), "{stream}");
}

//! Small requests beside many large ones: nobody waits for what others have asked.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::Program;
use crate::common::{Answer, Client, JSON, request};
use serde_json::json;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MOVES: &str = "d2c1 a6b5 c1d2 b5a6 d2c1 a6b5 c1d2 b5c4";

fn sending(client: &Client, bytes: &[u8]) -> TcpStream {
    let mut stream = client.connect();
    stream.write_all(bytes).expect("the server reads");
    stream
}

/// The milliseconds for which a request waited for a worker.
fn queued(answer: &Answer) -> f64 {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let timing = answer.header("server-timing").expect("times");
    let queue = timing.strip_prefix("queue;dur=").and_then(|rest| rest.split(',').next());
    queue.and_then(|queue| queue.parse().ok()).expect("milliseconds")
}

/// Asks small questions for a while. None waits for a worker, and three of four workers run at most.
fn check_small_requests(program: &Program) {
    let mut most = 0.0_f64;
    for nodes in 200..215 {
        let start = Instant::now();
        let body = json!({"game": "tic-tac-toe", "nodes": nodes});
        let waited = queued(&program.post("/best-move", body.to_string()));
        let (all, running) = (start.elapsed(), program.metric("bestmove_searches_running"));
        // A worker is free. The machine may be busy.
        assert!(waited < 300.0, "{waited} ms for a worker");
        assert!(all < Duration::from_secs(5), "{all:?} in all");
        assert!(running < 3.5, "{running} of 4 workers run");
        most = most.max(running);
        thread::sleep(Duration::from_millis(30));
    }
    assert!(most > 2.5, "{most} workers run");
}

#[test]
fn a_single_request_waits_for_no_review_with_reasons() {
    let program = Program::start(&["--workers", "4"]);
    let mut review = json!({"game": "chess", "position": KIWIPETE, "moves": MOVES, "nodes": 3000});
    assert_eq!(program.post("/review", review.to_string()).status, 200);
    // The positions are known: the reviews begin to explain at once.
    review["include"] = json!(["reasons"]);
    let asked = request("POST", "/review", &[JSON], review.to_string().as_bytes());
    let reviews: Vec<_> = (0..30).map(|_| sending(&program, &asked)).collect();
    program.await_metric("bestmove_searches_running", 3.0);
    check_small_requests(&program);
    drop(reviews);
    program.await_metric("bestmove_searches_running", 0.0);
    program.await_metric("bestmove_searches_waiting", 0.0);
    program.await_metric("bestmove_search_memory_bytes", 0.0);
}

#[test]
fn a_batch_with_reasons_leaves_a_quarter_of_the_workers_to_single_requests() {
    let program = Program::start(&["--workers", "4"]);
    let line = |index| {
        json!({"game": "chess", "position": KIWIPETE, "nodes": 3000 + index, "include": ["reasons", "threat"]})
            .to_string()
    };
    let lines: Vec<_> = (0..24).map(line).collect();
    let kind = ("content-type", "application/x-ndjson");
    let lines = request("POST", "/best-move/batch", &[kind], lines.join("\n").as_bytes());
    let batch = sending(&program, &lines);
    program.await_metric("bestmove_searches_running", 3.0);
    check_small_requests(&program);
    drop(batch);
    program.await_metric("bestmove_searches_running", 0.0);
}

/// The request for a picture with this number of arrows.
fn picture(arrows: usize) -> Vec<u8> {
    let position = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1+w+-+-+0+1";
    let list = |of: &str| vec![of; arrows].join(",");
    let (arrows, marks) = (list("a1b2"), list("c3"));
    let marks = if arrows.len() > 10_000 { String::new() } else { format!("&marks={marks}") };
    let target = format!("/board.svg?game=chess&position={position}&arrows={arrows}{marks}");
    request("GET", &target, &[], b"")
}

#[test]
fn a_small_request_waits_for_no_pictures() {
    let program = Program::start(&[]);
    for (arrows, status) in [(12_500, 422), (64, 200)] {
        let asked = picture(arrows);
        let pictures: Vec<_> = (0..60).map(|_| sending(&program, &asked)).collect();
        for _ in 0..3 {
            let start = Instant::now();
            assert_eq!(program.post("/position", r#"{"game":"tic-tac-toe"}"#).status, 200);
            let waited = start.elapsed();
            assert!(waited < Duration::from_secs(3), "{waited:?} beside {arrows} arrows each");
        }
        for mut picture in pictures {
            let answer = Answer::read(&mut picture).expect("a picture or a problem");
            assert_eq!(answer.status, status);
        }
    }
}

#[test]
fn an_arrow_passes_through_a_bounded_number_of_squares() {
    let program = Program::start(&[]);
    for (path, separator) in [("a1", ""), ("a1", "-"), ("1", "-"), ("a1", "x")] {
        let game = if path == "1" { "tic-tac-toe" } else { "chess" };
        let arrow = vec![path; 5000].join(separator);
        let refused = program.get(&format!("/board.svg?game={game}&arrows={arrow}"));
        let problem = refused.problem(422, "invalid-request");
        assert_eq!(problem["field"], "/arrows/0");
        assert!(refused.body.len() < 1000, "{problem}");
    }
    let longest = vec!["a1"; 33].join("-");
    assert_eq!(program.get(&format!("/board.svg?game=chess&arrows={longest}")).status, 200);
}

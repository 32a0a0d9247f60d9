//! What a server holds for its clients stays below what its settings promise, whatever they send and do not read.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::common::program::Program;
use crate::common::{Answer, JSON, request};
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::runtime::Builder;

/// The settings of the servers, in MB.
const MEMORY: u64 = 128;
const CACHE: u64 = 16;
/// What the program may occupy beside its settings, in MB.
const OTHER: u64 = 64;

fn is_full() -> bool {
    std::env::var_os("FULL_TESTS").is_some()
}

fn server(more: &[&str]) -> Program {
    let (memory, cache) = (MEMORY.to_string(), CACHE.to_string());
    let settings = ["--workers", "1", "--memory-mb", &memory, "--cache-mb", &cache];
    Program::start(&[&settings, more].concat())
}

/// No more was ever occupied than the settings say.
#[track_caller]
fn check(program: &Program, of: &str) {
    let (now, most) = program.memory();
    assert!(most <= MEMORY + CACHE + OTHER, "{of}: {most} MB at most, {now} MB now");
}

/// A client that has sent this. Its socket takes next to nothing that it does not read.
fn sending(program: &Program, bytes: &[u8]) -> TcpStream {
    let runtime = Builder::new_current_thread().enable_io().build().expect("a runtime starts");
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4096)?;
        socket.connect(program.address).await?.into_std()
    });
    let mut stream = stream.expect("the server accepts connections");
    stream.set_nonblocking(false).expect("it blocks");
    stream.set_write_timeout(Some(Duration::from_millis(500))).expect("a time-out is set");
    // Some servers do not read all of it.
    let _ = stream.write_all(bytes);
    stream
}

/// A chess game of so many plies: rooks that go round, and a pawn that moves now and then.
fn long_chess(plies: usize) -> Value {
    let round = |rank: usize, files: usize| {
        let files = "abcdefg"[..files].chars().collect::<Vec<_>>();
        let square = move |index: usize| format!("{}{rank}", files[index % files.len()]);
        (0..).map(move |index| square(index) + &square(index + 1))
    };
    let pawns = |ranks: [usize; 3]| {
        let steps = ranks.windows(2).map(|step| (step[0], step[1])).collect::<Vec<_>>();
        steps.into_iter().flat_map(|(from, to)| {
            "abcdefgh".chars().map(move |file| format!("{file}{from}{file}{to}"))
        })
    };
    let mut rooks =
        [Box::new(round(1, 7)) as Box<dyn Iterator<Item = String>>, Box::new(round(8, 6))];
    let mut pawns = [pawns([2, 3, 4]), pawns([7, 6, 5])];
    let (mut moves, mut quiet) = (Vec::new(), 0);
    for ply in 0..plies {
        let pawn = if quiet >= 90 { pawns[ply % 2].next() } else { None };
        quiet = if pawn.is_some() { 0 } else { quiet + 1 };
        moves.extend(pawn.or_else(|| rooks[ply % 2].next()));
    }
    let start = "r6k/pppppppp/8/8/8/8/PPPPPPPP/R6K w - - 0 1";
    json!({"game": "chess", "position": start, "moves": moves, "nodes": 1})
}

/// The games to review.
fn reviews() -> Vec<Value> {
    let plain = [long_chess(1000), json!({"game": "connect-four", "moves": "4455", "nodes": 1})];
    let explained = plain.clone().map(|mut review| {
        review["include"] = json!(["reasons", "exercises"]);
        review
    });
    // Those with reasons hold more.
    if is_full() { [plain, explained].concat() } else { explained.into() }
}

#[test]
fn reviews_stay_within_the_memory_and_give_it_back() {
    let program = server(&[]);
    for body in reviews() {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "review_game", "arguments": body}});
        for (path, body) in [("/review/stream", &body), ("/review", &body), ("/mcp", &call)] {
            let asked = request("POST", path, &[JSON], body.to_string().as_bytes());
            let mut clients: Vec<_> = (0..200).map(|_| sending(&program, &asked)).collect();
            thread::sleep(Duration::from_millis(if is_full() { 20_000 } else { 300 }));
            check(&program, path);
            let reserved = program.metric("bestmove_search_memory_bytes");
            assert!(reserved as u64 <= MEMORY << 20, "{reserved}");
            // Whoever finds no place is told so at once.
            let mut last = clients.pop().expect("a client");
            let is_long = body["moves"].as_array().is_some_and(|moves| moves.len() == 1000);
            if is_long && !is_full() {
                Answer::read(&mut last).expect("an answer").problem(503, "overloaded");
            }
            drop((clients, last));
            program.await_metric("bestmove_search_memory_bytes", 0.0);
            program.await_metric("bestmove_searches_running", 0.0);
        }
    }
    assert_eq!(program.post("/review", r#"{"game":"tic-tac-toe","moves":"04"}"#).status, 200);
    check(&program, "all reviews");
}

/// The head of a request for JSON with a body of this length, and the beginning of the body.
fn unfinished(path: &str, kind: &str, length: usize, sent: usize) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n"
    );
    [head.as_bytes(), &b" ".repeat(sent)].concat()
}

#[test]
fn requests_that_never_end_stay_within_the_memory() {
    const JSON: &str = "application/json";
    const LINES: &str = "application/x-ndjson";
    let count = if is_full() { 3000 } else { 600 };
    let program = server(&[]);
    let paths = [
        ("/best-move", JSON),
        ("/best-move/batch", LINES),
        ("/mcp", JSON),
        ("/review", JSON),
        ("/no/such/path", JSON),
    ];
    let bodies = paths.map(|(path, kind)| unfinished(path, kind, 65_536, 65_000));
    let head = format!("GET /health HTTP/1.1\r\nhost: a\r\nx-filler: {}", "x".repeat(60_000));
    for asked in bodies.into_iter().chain([head.into_bytes()]) {
        let shown = String::from_utf8_lossy(&asked[..40]).into_owned();
        let clients: Vec<_> = (0..count).map(|_| sending(&program, &asked)).collect();
        thread::sleep(Duration::from_millis(300));
        check(&program, &shown);
        // What is discarded is not kept.
        let is_counted = program.metric("bestmove_search_memory_bytes") > 1e6;
        assert!(is_counted || shown.contains("/no/such/path"), "{shown}");
        drop(clients);
        program.await_metric("bestmove_search_memory_bytes", 0.0);
    }
}

#[test]
fn ids_of_messages_stay_within_the_memory() {
    let program = server(&[]);
    let id = "x".repeat(60_000);
    let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": "best_move", "arguments": {"game": "chess", "time_ms": 5000}}});
    let accept = ("accept", "application/json, text/event-stream");
    let asked = request("POST", "/mcp", &[JSON, accept], message.to_string().as_bytes());
    let mut clients: Vec<_> = (0..1000).map(|_| sending(&program, &asked)).collect();
    check(&program, "ids");
    for client in &mut clients {
        let answer = Answer::read(client).expect("it is answered");
        assert!(answer.body.len() < 1000, "{} bytes", answer.body.len());
        assert!([200, 503].contains(&answer.status), "{}", answer.status);
        if answer.status == 200 {
            assert!(answer.json()["error"].is_object(), "{}", answer.text());
        }
    }
    check(&program, "ids");
}

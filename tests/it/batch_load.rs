//! Batches among other clients: many workers, little memory, several batches at once, clients that
//! write before they read, and slow ones.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Answer, Server, Setup, TIMEOUT, request};
use bestmove_engine::search::MOST_MEMORY;

const NDJSON: (&str, &str) = ("content-type", "application/x-ndjson");
/// A line that is searched in microseconds and needs little memory.
const SMALL: &str = r#"{"game":"tic-tac-toe","nodes":50}"#;

/// A line that takes this long and needs no memory.
fn slow(time_ms: u32) -> String {
    format!(
        r#"{{"game":"connect-four","position":"444544121","algorithm":"minimax","time_ms":{time_ms}}}"#
    )
}

/// A line that takes this long and needs a fifth of the memory that a search may need.
fn large(time_ms: u32) -> String {
    format!(
        r#"{{"game":"connect-four","position":"444544121","algorithm":"alpha-beta","time_ms":{time_ms}}}"#
    )
}

fn server(workers: usize, memory: usize) -> Server {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.memory) = (workers, memory);
    Server::with(setup)
}

/// A client that has sent a whole batch and reads nothing yet.
fn batch(server: &Server, line: &str, count: usize) -> TcpStream {
    let mut client = server.connect();
    let body = vec![line; count].join("\n");
    client
        .write_all(&request("POST", "/best-move/batch", &[NDJSON], body.as_bytes()))
        .expect("the server reads");
    client
}

fn answers(client: &mut TcpStream) -> usize {
    let answer = Answer::read(client).expect("every line is answered");
    let text = answer.text();
    assert!(!text.contains("/problems/"), "{text}");
    text.lines().count()
}

#[test]
fn a_batch_is_answered_whatever_the_number_of_workers_and_however_little_memory_there_is() {
    for workers in [2, 8, 32, 64] {
        for memory in [MOST_MEMORY, 1 << 30] {
            let server = server(workers, memory);
            let count = if memory == MOST_MEMORY { 600 } else { 5000 };
            assert_eq!(answers(&mut batch(&server, SMALL, count)), count, "{workers} {memory}");
        }
    }
}

#[test]
fn lines_are_answered_as_far_as_memory_suffices() {
    let server = server(8, MOST_MEMORY);
    assert_eq!(answers(&mut batch(&server, &large(20), 20)), 20);
}

#[test]
fn a_batch_waits_for_one_line_of_another_batch_at_most() {
    let server = server(1, 1 << 30);
    let _first = batch(&server, &slow(200), 200);
    server.await_metric("bestmove_searches_running", 1.0);
    let start = Instant::now();
    assert_eq!(answers(&mut batch(&server, SMALL, 1)), 1);
    let waited = start.elapsed();
    assert!(waited < Duration::from_secs(3), "{waited:?}, where forty seconds of lines wait");
}

#[test]
fn a_single_request_waits_for_no_line_that_waits() {
    let server = server(2, 1 << 30);
    let _batches: Vec<_> = (0..8).map(|_| batch(&server, &slow(500), 100)).collect();
    server.await_metric("bestmove_searches_running", 2.0);
    server.await_metric("bestmove_searches_waiting", 14.0);
    let start = Instant::now();
    assert_eq!(server.post("/best-move", slow(1)).status, 200);
    let waited = start.elapsed();
    assert!(waited < Duration::from_secs(2), "{waited:?}, where four seconds of lines wait");
}

#[test]
fn a_client_that_reads_nothing_holds_no_worker() {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.cache) = (1, 0);
    let server = Server::with(setup);
    // More answers than the socket buffers of both ends take.
    let line = r#"{"game":"tic-tac-toe","nodes":50,"include":["legal_moves","board"]}"#;
    let _stalled: Vec<_> = (0..3).map(|_| batch(&server, line, 10_000)).collect();
    let answered = || server.metric("bestmove_cache_misses_total");
    let mut before = -1.0;
    while answered() > before {
        before = answered();
        thread::sleep(Duration::from_millis(300));
    }
    assert!(before < 30_000.0, "the answers wait to be read");
    assert_eq!(server.post("/best-move", SMALL).status, 200);
    assert_eq!(answers(&mut batch(&server, SMALL, 100)), 100);
}

#[test]
fn a_single_request_that_waits_for_memory_goes_before_the_next_line() {
    let server = server(8, MOST_MEMORY);
    let _client = batch(&server, &large(500), 200);
    server.await_metric("bestmove_searches_waiting", 3.0);
    let start = Instant::now();
    assert_eq!(server.post("/best-move", large(10)).status, 200);
    assert!(start.elapsed() < TIMEOUT / 4, "{:?}", start.elapsed());
}

#[test]
fn a_client_that_leaves_lines_that_wait_for_memory_stops_them() {
    let server = server(8, MOST_MEMORY);
    let client = batch(&server, &large(60_000), 200);
    server.await_metric("bestmove_searches_waiting", 3.0);
    drop(client);
    server.await_metric("bestmove_searches_waiting", 0.0);
    server.await_metric("bestmove_searches_running", 0.0);
}

#[test]
fn a_client_may_write_a_large_batch_before_it_reads() {
    let server = Server::start();
    let padding = " ".repeat(1000);
    let mut client = batch(&server, &format!("{SMALL}{padding}"), 11_000);
    assert_eq!(answers(&mut client), 11_000);
}

#[test]
fn what_all_batches_read_ahead_is_bounded_by_the_memory() {
    const SPARE: usize = 1 << 20;
    let server = server(2, MOST_MEMORY + SPARE);
    let line = slow(500) + &" ".repeat(60_000);
    let body = vec![line; 400].join("\n");
    let request = request("POST", "/best-move/batch", &[NDJSON], body.as_bytes());
    let sent = || {
        let mut client = server.connect();
        let timeout = Some(Duration::from_millis(300));
        client.set_write_timeout(timeout).expect("a time-out is set");
        // Whoever has sent more than the server keeps is not read any more.
        assert!(client.write_all(&request).is_err());
        client
    };
    let clients: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> = (0..20).map(|_| scope.spawn(sent)).collect();
        clients.into_iter().map(|client| client.join().expect("no client panics")).collect()
    });
    let reserved = server.metric("bestmove_search_memory_bytes");
    let most = f64::from(u32::try_from(MOST_MEMORY + SPARE).expect("some MiB"));
    assert!(reserved <= most, "{reserved}");
    assert!(reserved > 60_000.0, "lines that wait are counted: {reserved}");
    drop(clients);
    server.await_metric("bestmove_search_memory_bytes", 0.0);
}

/// Sends a chunk of a body without end.
fn send_chunk(client: &mut impl Write, text: &str) -> std::io::Result<()> {
    client.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes())
}

fn open(server: &Server) -> TcpStream {
    let mut client = server.connect();
    let head = "POST /best-move/batch HTTP/1.1\r\nhost: a\r\n\
                content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n";
    client.write_all(head.as_bytes()).expect("the server reads");
    client
}

#[test]
fn a_line_that_trickles_in_is_cut_off() {
    let mut setup = Setup::default();
    setup.http.arrival = Duration::from_millis(500);
    let server = Server::with(setup);
    // Also where the line is too long, and its rest is skipped.
    for beginning in ["x".to_owned(), "x".repeat(70_000)] {
        let mut client = open(&server);
        send_chunk(&mut client, &beginning).expect("the server reads");
        let mut reader = client.try_clone().expect("a socket can be shared");
        let trickle = thread::spawn(move || {
            let start = Instant::now();
            while start.elapsed() < TIMEOUT && send_chunk(&mut client, "x").is_ok() {
                thread::sleep(Duration::from_millis(50));
            }
        });
        let mut text = String::new();
        reader.read_to_string(&mut text).ok();
        assert!(text.contains("/problems/request-timeout"), "{text}");
        drop(reader);
        trickle.join().expect("the client does not panic");
    }
}

#[test]
fn a_body_in_chunks_of_one_byte_costs_little() {
    let server = Server::start();
    let mut client = open(&server);
    let line = format!("{SMALL}{}\n", " ".repeat(60_000));
    let mut chunks = Vec::new();
    for letter in line.chars() {
        send_chunk(&mut chunks, &letter.to_string()).expect("a vector takes it");
    }
    chunks.extend(b"0\r\n\r\n");
    let start = Instant::now();
    client.write_all(&chunks).expect("the server reads");
    assert_eq!(answers(&mut client), 1);
    // A scan from the beginning at every byte takes minutes in a build with checks.
    assert!(start.elapsed() < TIMEOUT / 4, "{:?}", start.elapsed());
}

//! How long a connection may keep the server waiting, and how it ends.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::program::Program;
use crate::common::{Answer, JSON, LONG, Server, Setup, TIMEOUT, request};
use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use futures_util::stream;

const SHORT: Duration = Duration::from_millis(150);
const HEALTH: &[u8] = b"GET /health HTTP/1.1\r\nhost: a\r\n\r\n";
/// More than the socket buffers of both ends take.
const HUGE: usize = 32 << 20;

fn with_timeouts(arrival: Duration, idle: Duration) -> Server {
    Server::with(setup(arrival, idle))
}

/// Besides the usual routes some whose responses are huge, or that never respond.
fn setup(arrival: Duration, idle: Duration) -> Setup {
    let mut setup = Setup::default();
    (setup.http.arrival, setup.http.idle) = (arrival, idle);
    setup.routes.push(("/pieces", get(async || Body::from_stream(pieces()))));
    setup.routes.push(("/huge", get(async || vec![b'x'; HUGE])));
    setup.routes.push(("/huge-pieces", get(async || Body::from_stream(huge_pieces()))));
    setup.routes.push(("/length", post(async |body: Bytes| body.len().to_string())));
    setup.routes.push(("/slow", get(async || tokio::time::sleep(SHORT * 4).await)));
    setup
}

fn pieces() -> impl stream::Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(0, async |number| {
        tokio::time::sleep(SHORT * 2).await;
        let piece = if number < 3 { "next" } else { "last" };
        (number < 4).then_some((Ok(piece.into()), number + 1))
    })
}

fn huge_pieces() -> impl stream::Stream<Item = Result<Bytes, Infallible>> {
    let piece = Bytes::from(vec![b'x'; 1 << 16]);
    stream::iter((0..HUGE >> 16).map(move |_| Ok(piece.clone())))
}

fn ask(client: &mut TcpStream) -> io::Result<u16> {
    client.write_all(HEALTH)?;
    Ok(Answer::read(client)?.status)
}

/// A client that has sent this.
fn sending(server: &Server, bytes: &[u8]) -> TcpStream {
    let mut client = server.connect();
    client.write_all(bytes).expect("the server reads");
    client
}

/// Waits until the server closes the connection.
fn closes(client: &mut TcpStream) -> bool {
    match client.read(&mut [0; 64]) {
        Ok(length) => length == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

/// Reads until the server closes the connection.
fn read_rest(client: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    client.read_to_end(&mut bytes).expect("the server closes the connection in order");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn half_open_connections_are_closed_and_delay_nobody() {
    let server = with_timeouts(SHORT, TIMEOUT * 9);
    let mut clients: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for client in &mut clients[..100] {
        client.write_all(&HEALTH[..20]).expect("the server reads");
    }
    assert_eq!(server.get("/health").status, 200);
    assert!(clients.iter_mut().all(closes), "with half a head and with nothing");
}

#[test]
fn a_head_that_comes_byte_by_byte_takes_no_longer() {
    let server = with_timeouts(SHORT, TIMEOUT * 9);
    let mut client = server.connect();
    let start = Instant::now();
    let broken = HEALTH.iter().cycle().skip(1).take(5000).any(|byte| {
        sleep(Duration::from_millis(5));
        client.write_all(if byte == &b'\n' { b"x" } else { std::slice::from_ref(byte) }).is_err()
    });
    assert!(broken && start.elapsed() >= SHORT);
}

#[test]
fn a_head_that_is_too_large_is_refused() {
    let server = Server::start();
    let filler = |bytes: usize| format!("x-filler: {}\r\n", "x".repeat(bytes)).into_bytes();
    let headers = |count: usize| "x-filler: x\r\n".repeat(count).into_bytes();
    for (more, status) in [
        (filler(60 << 10), 200),
        (filler(66 << 10), 431),
        (filler(600 << 10), 431),
        (filler(60 << 10).repeat(40), 431),
        (headers(99), 200),
        (headers(100), 431),
    ] {
        let mut head = HEALTH[..HEALTH.len() - 2].to_vec();
        head.extend(more);
        head.extend(b"\r\n");
        let answer = server.exchange(&head);
        assert_eq!(answer.status, status, "{} bytes", head.len());
    }
}

#[test]
fn heads_that_are_never_finished_take_little_memory() {
    const CLIENTS: u32 = 200;
    let program = Program::start(&[]);
    let before = program.metric("process_resident_memory_bytes");
    let clients = (0..CLIENTS).map(|_| {
        let mut client = program.connect();
        client.write_all(&HEALTH[..HEALTH.len() - 2]).expect("the server reads");
        client.write_all(b"x-filler: ").expect("the server reads");
        // What does not fit is left in the socket, or refused.
        let _ = client.set_nonblocking(true).and_then(|()| client.write_all(&vec![b'x'; 63 << 10]));
        client
    });
    let clients: Vec<_> = clients.collect();
    sleep(SHORT);
    let more = program.metric("process_resident_memory_bytes") - before;
    drop(clients);
    assert!(more < f64::from(CLIENTS << 17), "{more} bytes for {CLIENTS} heads");
}

#[test]
fn a_host_is_named_once() {
    let server = Server::start();
    let status = |head: &str| {
        let answer = server.exchange(format!("{head}\r\n\r\n").as_bytes());
        if answer.status == 400 {
            answer.problem(400, "invalid-host");
        }
        answer.status
    };
    for (head, expected) in [
        ("GET /health HTTP/1.1\r\nhost: a", 200),
        ("GET /health HTTP/1.1\r\nHOST: a.example:8080", 200),
        ("GET /health HTTP/1.1\r\nhost: [::1]:80", 200),
        ("GET /health HTTP/1.1\r\nhost:", 200),
        ("GET /health HTTP/1.0", 200),
        ("GET /health HTTP/1.0\r\nhost: a", 200),
        ("GET http://a/health HTTP/1.1\r\nhost: a", 200),
        ("GET /health HTTP/1.1", 400),
        ("GET http://a/health HTTP/1.1", 400),
        ("GET /nothing HTTP/1.1", 400),
        (
            "OPTIONS /best-move HTTP/1.1\r\norigin: http://b\r\naccess-control-request-method: POST",
            400,
        ),
        ("GET /health HTTP/1.1\r\nhost: a\r\nhost: a", 400),
        ("GET /health HTTP/1.1\r\nhost: a\r\nhost: b", 400),
        ("GET /health HTTP/1.0\r\nhost: a\r\nhost: b", 400),
        ("GET /health HTTP/1.1\r\nhost: a b", 400),
        ("GET /health HTTP/1.1\r\nhost: a/b", 400),
        ("GET /health HTTP/1.1\r\nhost: me@a", 400),
        ("GET /health HTTP/1.1\r\nhost: a, b", 400),
        ("GET /health HTTP/1.1\r\nhost: http://a", 400),
        ("GET /health HTTP/1.1\r\nhost: a:b", 400),
    ] {
        assert_eq!(status(head), expected, "{head}");
    }
}

#[test]
fn a_connection_is_kept_between_requests_longer_than_a_head_may_take() {
    let server = with_timeouts(SHORT, TIMEOUT * 9);
    let mut client = server.connect();
    for _ in 0..3 {
        assert_eq!(ask(&mut client).expect("the connection is kept"), 200);
        sleep(SHORT * 2);
    }
    client.write_all(&HEALTH[..20]).expect("the server reads");
    assert!(closes(&mut client), "the head of a later request is waited for as long as the first");
}

#[test]
fn a_connection_without_requests_is_closed() {
    let server = with_timeouts(TIMEOUT * 9, SHORT);
    let mut client = server.connect();
    assert_eq!(ask(&mut client).expect("the server answers"), 200);
    assert!(closes(&mut client));
}

#[test]
fn a_search_may_take_longer_than_a_client() {
    let server = with_timeouts(SHORT, SHORT);
    let body =
        r#"{"game":"connect-four","position":"444544121","algorithm":"minimax","time_ms":600}"#;
    assert_eq!(server.post("/best-move", body).json()["search"]["stopped_by"], "time");
}

#[test]
fn a_response_in_pieces_may_take_longer_than_a_client() {
    let server = with_timeouts(SHORT, SHORT);
    let text = read_rest(&mut sending(&server, b"GET /pieces HTTP/1.1\r\nhost: a\r\n\r\n"));
    assert!(text.ends_with("4\r\nlast\r\n0\r\n\r\n"), "{text}");
}

#[test]
fn a_client_that_takes_nothing_is_disconnected() {
    for path in ["/huge", "/huge-pieces"] {
        let server = with_timeouts(TIMEOUT * 9, SHORT);
        let head = format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n");
        let mut client = sending(&server, head.as_bytes());
        let (start, mut length) = (Instant::now(), 0);
        // It is waited for while it takes something, however slowly.
        while start.elapsed() < SHORT * 4 {
            length += client.read(&mut [0; 4096]).expect("the response goes on");
            sleep(SHORT / 5);
        }
        sleep(SHORT * 6);
        let mut rest = Vec::new();
        let end = client.read_to_end(&mut rest);
        assert!(length + rest.len() < HUGE, "{path}: {end:?} after {}", rest.len());
    }
}

#[test]
fn a_client_whose_body_stops_is_disconnected() {
    let server = with_timeouts(TIMEOUT * 9, SHORT);
    let head = b"POST /length HTTP/1.1\r\nhost: a\r\ncontent-length: 20\r\n\r\n";
    let mut client = sending(&server, head);
    for _ in 0..10 {
        client.write_all(b"x").expect("the server reads on while bytes come");
        sleep(SHORT / 3);
    }
    assert!(closes(&mut client));
}

#[test]
fn a_request_and_a_fin_together_are_answered() {
    let server = Server::start();
    let post = request("POST", "/best-move", &[JSON], br#"{"game":"tic-tac-toe","depth":1}"#);
    for bytes in [HEALTH, post.as_slice(), &HEALTH.repeat(20)] {
        let mut client = sending(&server, bytes);
        client.shutdown(Shutdown::Write).expect("the client closes its side");
        let text = read_rest(&mut client);
        let requests = bytes.windows(6).filter(|bytes| bytes == b"HTTP/1").count();
        assert_eq!(text.matches("HTTP/1.1 200 OK\r\n").count(), requests, "{text}");
    }
}

#[test]
fn a_large_response_is_complete_although_the_client_has_closed_its_side() {
    let server = Server::with(setup(TIMEOUT, TIMEOUT));
    let mut client = sending(&server, b"GET /huge HTTP/1.1\r\nhost: a\r\n\r\n");
    client.shutdown(Shutdown::Write).expect("the client closes its side");
    sleep(SHORT);
    let text = read_rest(&mut client);
    assert!(text.len() > HUGE, "{} bytes of {HUGE}", text.len());
}

#[test]
fn a_body_that_a_fin_cuts_short_is_malformed() {
    let server = Server::start();
    let whole = request("POST", "/best-move", &[JSON], br#"{"game":"tic-tac-toe"}"#);
    let mut client = sending(&server, &whole[..whole.len() - 1]);
    client.shutdown(Shutdown::Write).expect("the client closes its side");
    Answer::read(&mut client).expect("the server answers").problem(400, "malformed-json");
}

#[test]
fn a_search_whose_client_closes_its_side_is_cancelled() {
    let server = Server::start();
    let client = server.search_long();
    client.shutdown(Shutdown::Write).expect("the client closes its side");
    server.await_metric("bestmove_searches_running", 0.0);
}

#[test]
fn a_search_whose_client_has_left_is_cancelled_whatever_was_sent_behind_it() {
    let server = Server::start();
    for bytes in [HEALTH.to_vec(), HEALTH.repeat(1000)] {
        let mut client = server.search_long();
        // The server leaves them in the socket.
        client.write_all(&bytes).expect("there is room for them");
        sleep(SHORT);
        drop(client);
        server.await_metric("bestmove_searches_running", 0.0);
    }
}

#[test]
fn a_stream_whose_client_has_left_is_cancelled() {
    let server = Server::start();
    let mut client =
        sending(&server, &request("POST", "/best-move/stream", &[JSON], LONG.as_bytes()));
    Answer::read_head(&mut client).expect("the server answers");
    server.await_metric("bestmove_searches_running", 1.0);
    client.write_all(HEALTH).expect("the server reads");
    drop(client);
    server.await_metric("bestmove_searches_running", 0.0);
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = with_timeouts(TIMEOUT, TIMEOUT);
    let mut requests = String::new();
    for number in 0..50 {
        let _ =
            write!(requests, "GET /health HTTP/1.1\r\nhost: a\r\nx-request-id: n{number}\r\n\r\n");
    }
    requests.insert_str(0, "GET /slow HTTP/1.1\r\nhost: a\r\nx-request-id: first\r\n\r\n");
    let mut client = sending(&server, requests.as_bytes());
    let first = Answer::read(&mut client).expect("the server answers");
    assert_eq!(first.header("x-request-id"), Some("first"));
    for number in 0..50 {
        let answer = Answer::read(&mut client).expect("the server answers");
        assert_eq!(answer.header("x-request-id"), Some(format!("n{number}").as_str()));
    }
}

#[test]
fn a_body_is_asked_for_where_the_client_waits_for_that() {
    let server = Server::start();
    let body = br#"{"game":"tic-tac-toe"}"#;
    let whole = request("POST", "/best-move", &[JSON, ("expect", "100-continue")], body);
    let mut client = sending(&server, &whole[..whole.len() - body.len()]);
    assert_eq!(Answer::read_head(&mut client).expect("the server answers").status, 100);
    client.write_all(body).expect("the server reads");
    assert_eq!(Answer::read(&mut client).expect("the server answers").status, 200);
    // The connection goes on, and the answer to HEAD has no body.
    client.write_all(b"HEAD /games HTTP/1.1\r\nhost: a\r\n\r\n").expect("the server reads");
    assert_eq!(Answer::read_head(&mut client).expect("the server answers").status, 200);
    assert_eq!(ask(&mut client).expect("the server answers"), 200);
}

#[test]
fn a_burst_of_connections_waits_for_the_server() {
    let program = Program::start(&[]);
    // The server accepts nothing while it is stopped.
    program.signal("STOP");
    let connected: Vec<_> =
        (0..400).map(|_| TcpStream::connect_timeout(&program.address, TIMEOUT / 40)).collect();
    program.signal("CONT");
    let refused = connected.iter().filter(|client| client.is_err()).count();
    assert_eq!(refused, 0, "of {}", connected.len());
}

#[test]
fn connections_that_cannot_be_accepted_do_not_flood_the_log() {
    let mut program = Program::start_after("ulimit -n 40", &[]);
    let start = Instant::now();
    let clients: Vec<_> = (0..60).map(|_| program.connect()).collect();
    sleep(Duration::from_millis(1500));
    drop(clients);
    program.await_status("/health", 200);
    let seconds = start.elapsed().as_secs() as usize + 1;
    program.signal("TERM");
    let log = program.log();
    let failures = log.iter().filter(|line| line.contains("were not accepted")).count();
    assert!((1..=seconds).contains(&failures), "{failures} lines in {seconds} s");
}

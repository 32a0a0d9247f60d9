//! How long a connection may keep the server waiting.

mod common;

use std::convert::Infallible;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::routing::get;
use common::{Answer, PATIENCE, Server, Setup};
use futures_util::stream;

const SHORT: Duration = Duration::from_millis(150);
const HEALTH: &[u8] = b"GET /health HTTP/1.1\r\nhost: a\r\n\r\n";

fn with_timeouts(arrival: Duration, idle: Duration) -> Server {
    let mut setup = Setup::default();
    (setup.http.arrival, setup.http.idle) = (arrival, idle);
    Server::with(setup)
}

fn ask(client: &mut TcpStream) -> io::Result<u16> {
    client.write_all(HEALTH)?;
    Ok(Answer::read(client)?.status)
}

/// Waits until the server closes the connection.
fn closes(client: &mut TcpStream) -> bool {
    match client.read(&mut [0; 64]) {
        Ok(length) => length == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

#[test]
fn half_open_connections_are_closed_and_delay_nobody() {
    let server = with_timeouts(SHORT, PATIENCE * 9);
    let mut clients: Vec<_> = (0..200).map(|_| server.connect()).collect();
    for client in &mut clients[..100] {
        client.write_all(&HEALTH[..20]).expect("the server reads");
    }
    assert_eq!(server.get("/health").status, 200);
    assert!(clients.iter_mut().all(closes), "with half a head and with nothing");
}

#[test]
fn a_head_that_comes_byte_by_byte_takes_no_longer() {
    let server = with_timeouts(SHORT, PATIENCE * 9);
    let mut client = server.connect();
    let start = Instant::now();
    let broken = HEALTH.iter().cycle().skip(1).take(5000).any(|byte| {
        sleep(Duration::from_millis(5));
        client.write_all(if byte == &b'\n' { b"x" } else { std::slice::from_ref(byte) }).is_err()
    });
    assert!(broken && start.elapsed() >= SHORT);
}

#[test]
fn a_connection_is_kept_between_requests_longer_than_a_head_may_take() {
    let server = with_timeouts(SHORT, PATIENCE * 9);
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
    let server = with_timeouts(PATIENCE * 9, SHORT);
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
fn an_answer_in_pieces_may_take_longer_than_a_client() {
    let mut setup = Setup::default();
    (setup.http.arrival, setup.http.idle) = (SHORT, SHORT);
    setup.routes.push(("/pieces", get(async || Body::from_stream(pieces()))));
    let server = Server::with(setup);
    let mut client = server.connect();
    let request = b"GET /pieces HTTP/1.1\r\nhost: a\r\n\r\n";
    client.write_all(request).expect("the server reads");
    let mut text = Vec::new();
    client.read_to_end(&mut text).expect("the server closes the connection in the end");
    assert!(text.ends_with(b"4\r\nlast\r\n0\r\n\r\n"), "{}", String::from_utf8_lossy(&text));
}

fn pieces() -> impl stream::Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(0, async |number| {
        tokio::time::sleep(SHORT).await;
        let piece = if number < 3 { "next" } else { "last" };
        (number < 4).then_some((Ok(piece.into()), number + 1))
    })
}

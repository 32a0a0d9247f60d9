//! `GET /health` and `/health/ready`; the program's own health check.

use std::process::Command;

use crate::common::{Server, Setup};
use bestmove::http::{REVISION, VERSION};
use serde_json::json;

#[test]
fn a_server_that_lives_says_so() {
    let server = Server::start();
    let mut expected = json!({"status": "ok", "version": VERSION});
    if let Some(revision) = REVISION {
        expected["revision"] = json!(revision);
    }
    for path in ["/health", "/health/ready"] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.json()), (200, expected.clone()), "{path}");
    }
}

#[test]
fn a_full_queue_does_not_make_it_unready() {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (1, 0);
    let server = Server::with(setup);
    let _searching = server.search_long();
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).problem(503, "overloaded");
    assert_eq!(server.get("/health/ready").status, 200);
}

#[test]
fn a_draining_server_is_alive_and_not_ready() {
    let mut server = Server::start();
    let searching = server.search_long();
    server.signal();
    server.await_status("/health/ready", 503);
    assert_eq!(server.get("/health/ready").header("retry-after"), Some("1"));
    assert_eq!(server.get("/health").status, 200);
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).problem(503, "overloaded");
    drop(searching);
    server.join();
}

#[test]
fn the_program_checks_the_health_of_a_server() {
    let server = Server::start();
    let status = |port: u16| {
        let mut check = Command::new(env!("CARGO_BIN_EXE_bestmove"));
        let check = check.args(["healthcheck", "--host", "127.0.0.1", "--port", &port.to_string()]);
        check.output().expect("the program runs").status.code()
    };
    assert_eq!(status(server.address.port()), Some(0));
    let port = server.address.port();
    drop(server);
    assert_eq!(status(port), Some(1));
}

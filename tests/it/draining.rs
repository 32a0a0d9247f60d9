//! How the program stops.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use crate::common::program::Program;
use crate::common::{Answer, TIMEOUT};

/// Searches that end by themselves, each of its own.
fn searches() -> [String; 4] {
    [1, 2, 3, 5].map(|column| {
        format!(
            r#"{{"game":"connect-four","position":"444544121","moves":["{column}"],
                "algorithm":"minimax","nodes":2000000}}"#
        )
    })
}

fn start_searches(program: &Program) -> Vec<TcpStream> {
    let clients = searches().iter().map(|body| program.asking(body)).collect();
    program.await_metric("bestmove_searches_running", 2.0);
    program.await_metric("bestmove_searches_waiting", 2.0);
    clients
}

/// Whether a program that this test starts ignores a hangup, as `nohup cargo test` has it.
fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 != 0)
}

#[test]
fn every_admitted_search_is_answered_before_the_program_ends() {
    let signals = ["TERM", "INT", "HUP"];
    for signal in &signals[..if is_hangup_ignored() { 2 } else { 3 }] {
        let mut program = Program::start(&[]);
        let clients = start_searches(&program);
        program.signal(signal);
        program.await_status("/health/ready", 503);
        program.post("/best-move", r#"{"game":"tic-tac-toe"}"#).problem(503, "overloaded");
        for path in ["/health", "/games", "/metrics", "/openapi.json"] {
            assert_eq!(program.get(path).status, 200, "{path} is answered still");
        }
        for mut client in clients {
            let answer = Answer::read(&mut client).expect("no search is lost");
            assert_eq!(
                (answer.status, &answer.json()["search"]["stopped_by"]),
                (200, &"nodes".into())
            );
        }
        assert_eq!(program.exit().code(), Some(0));
        assert!(TcpStream::connect(program.address).is_err(), "nobody listens any more");
    }
}

#[test]
fn searches_that_take_too_long_answer_with_what_they_have() {
    let mut program = Program::start(&["--drain-ms", "100", "--max-time-ms", "3600000"]);
    let endless = searches().map(|body| body.replace(r#""nodes":2000000"#, r#""depth":38"#));
    let running: Vec<_> = endless[..2].iter().map(|body| program.asking(body)).collect();
    program.await_metric("bestmove_searches_running", 2.0);
    let waiting: Vec<_> = endless[2..].iter().map(|body| program.asking(body)).collect();
    program.await_metric("bestmove_searches_waiting", 2.0);
    program.signal("TERM");
    for mut client in running {
        let answer = Answer::read(&mut client).expect("it is answered");
        assert_eq!((answer.status, &answer.json()["search"]["stopped_by"]), (200, &"time".into()));
    }
    for mut client in waiting {
        Answer::read(&mut client).expect("it is answered").problem(503, "overloaded");
    }
    assert_eq!(program.exit().code(), Some(0));
}

#[test]
fn connections_that_ask_for_nothing_do_not_delay_the_end() {
    let mut program = Program::start(&["--header-timeout", "3600", "--idle-timeout", "3600"]);
    let mut idle = program.connect();
    idle.write_all(b"GET /health HTTP/1.1\r\nhost: a\r\n\r\n").expect("the server reads");
    assert_eq!(Answer::read(&mut idle).expect("the server answers").status, 200);
    let silent = program.connect();
    let mut half_open = program.connect();
    half_open.write_all(b"POST /best-move HTTP/1.1\r\nhost:").expect("the server reads");
    let mut half_a_body = program.connect();
    let head = b"POST /best-move HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{";
    half_a_body.write_all(head).expect("the server reads");
    program.await_status("/health", 200);
    program.signal("TERM");
    assert_eq!(program.exit().code(), Some(0));
    for mut client in [idle, silent, half_open] {
        let end = client.read(&mut [0; 1]);
        let is_closed = matches!(&end, Ok(0))
            || end.as_ref().is_err_and(|error| error.kind() == ErrorKind::ConnectionReset);
        assert!(is_closed, "{end:?}");
    }
    let log = program.log();
    assert!(!log.iter().any(|line| line.contains("in time")), "something was waited for: {log:?}");
}

#[test]
fn a_second_signal_ends_the_program_at_once() {
    let mut program = Program::start(&["--max-time-ms", "3600000"]);
    let _searching = program.search_long();
    program.signal("TERM");
    program.await_status("/health/ready", 503);
    program.signal("TERM");
    assert_eq!(program.exit().code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_is_ignored_as_nohup_does_it_changes_nothing() {
    let mut program = Program::start_after("trap '' HUP", &[]);
    program.signal("HUP");
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(program.get("/health/ready").status, 200);
    program.signal("TERM");
    assert_eq!(program.exit().code(), Some(0));
}

#[test]
fn a_client_that_does_not_take_its_answer_does_not_hold_the_program() {
    let mut program = Program::start(&[]);
    let mut client = program.connect();
    // More answers than fit into the buffers on the way.
    let requests = b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n".repeat(400);
    client.set_write_timeout(Some(TIMEOUT)).expect("a time-out is set");
    client.write_all(&requests).expect("the server reads");
    program.await_status("/health", 200);
    program.signal("TERM");
    assert_eq!(program.exit().code(), Some(0));
}

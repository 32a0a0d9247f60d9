//! What becomes of log lines that nobody takes: the service does not mind.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::Program;
use crate::common::{Answer, TIMEOUT};

const LOST: &str = "bestmove_log_lines_lost_total";

/// A device that takes nothing.
fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").expect("Linux has it")
}

/// A search that ends by itself.
const SEARCH: &str =
    r#"{"game":"connect-four","position":"444544121","algorithm":"minimax","nodes":4000000}"#;

/// Asks for so many paths that are not there, each of which is logged.
fn fill_log(program: &Program, requests: usize) {
    let request = b"GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n";
    let mut client = program.connect();
    let mut answers = BufReader::new(client.try_clone().expect("a second handle"));
    for _ in 0..requests.div_ceil(100) {
        client.write_all(&request.repeat(100)).expect("the server reads");
        for _ in 0..100 {
            assert_eq!(Answer::read(&mut answers).expect("the server answers").status, 404);
        }
    }
}

/// Waits until so many lines are lost, and tells how many are: lines are written some time after their answers.
fn await_lost(program: &Program, least: f64) -> f64 {
    let start = Instant::now();
    loop {
        let lost = program.metric(LOST);
        if lost >= least {
            return lost;
        }
        assert!(start.elapsed() < TIMEOUT, "{lost} lines lost");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Stops the program while it searches, and reads the answer.
fn stop_while_searching(program: &mut Program) -> ExitStatus {
    let mut client = program.asking(SEARCH);
    program.await_metric("bestmove_searches_running", 1.0);
    let start = Instant::now();
    program.signal("TERM");
    let answer = Answer::read(&mut client).expect("no search is lost");
    assert_eq!(answer.json()["search"]["stopped_by"], "nodes");
    let status = program.exit();
    assert!(start.elapsed() < TIMEOUT, "the log does not hold the program");
    status
}

#[test]
fn a_log_that_takes_nothing_is_only_counted() {
    for format in ["text", "json"] {
        let mut program = Program::start_logging_to(full().into(), &["--log-format", format]);
        fill_log(&program, 100);
        await_lost(&program, 100.0);
        assert_eq!(stop_while_searching(&mut program).code(), Some(0));
    }
}

#[test]
fn a_log_whose_reader_leaves_is_only_counted() {
    let mut program = Program::start_logging_to(Stdio::piped(), &["--log-format", "json"]);
    assert!(program.metric(LOST) < 1.0);
    drop(program.take_log());
    fill_log(&program, 100);
    await_lost(&program, 100.0);
    assert_eq!(stop_while_searching(&mut program).code(), Some(0));
}

#[test]
fn a_log_that_nobody_reads_holds_up_no_answer() {
    let mut program = Program::start_logging_to(Stdio::piped(), &["--log-format", "json"]);
    let mut log = program.take_log();
    // More than the pipe and the lines that wait.
    fill_log(&program, 6000);
    let lost = await_lost(&program, 500.0);
    assert_eq!(program.get("/health").status, 200);
    // What is read again goes on.
    let mut bytes = vec![0; 1 << 21];
    log.read_exact(&mut bytes[..1 << 19]).expect("half a megabyte waits");
    assert!(String::from_utf8_lossy(&bytes).contains("answered"));
    fill_log(&program, 3000);
    await_lost(&program, lost + 1.0);
    assert_eq!(stop_while_searching(&mut program).code(), Some(0));
    drop(log);
}

#[test]
fn every_line_that_is_not_lost_is_whole() {
    let mut program = Program::start_logging_to(Stdio::piped(), &["--log-format", "json"]);
    let mut log = program.take_log();
    fill_log(&program, 6000);
    let lost = program.metric(LOST) as usize;
    let reading = thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).map(|_| text)
    });
    thread::sleep(Duration::from_millis(100));
    assert_eq!(stop_while_searching(&mut program).code(), Some(0));
    let text = reading.join().expect("no panic").expect("the log is text");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with('{') && line.ends_with('}')));
    let nothing = lines.iter().filter(|line| line.contains(r#""status":404"#)).count();
    assert!(lost > 0 && nothing + lost >= 6000, "{nothing} lines, {lost} lost");
}

#[test]
fn a_complaint_that_nobody_takes_is_a_failure_in_order() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = taken.local_addr().expect("it has an address").port().to_string();
    for arguments in [&["--port", &port][..], &["--port", "none"], &["best-move", "go"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
        let status = program.args(arguments).stderr(full()).stdout(full()).status();
        let code = status.expect("the program ends").code();
        assert!(matches!(code, Some(1 | 2)), "{arguments:?}: {code:?}");
    }
}

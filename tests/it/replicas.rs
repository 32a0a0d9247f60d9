//! Two processes, each alone and under load, answer alike.

use std::thread;

use crate::common::program::Program;
use crate::common::{LONG, sample};

/// Requests bounded by depth or nodes, one or more of each game and algorithm.
const REQUESTS: [&str; 6] = [
    r#"{"game":"tic-tac-toe","position":"X...O....","algorithm":"solve"}"#,
    r#"{"game":"connect-four","position":"44453","depth":8}"#,
    r#"{"game":"connect-four","position":"444544453","algorithm":"solve","nodes":20000}"#,
    r#"{"game":"checkers","moves":["11-15","23-19"],"depth":6}"#,
    r#"{"game":"chess","moves":["e2e4","e7e5"],"nodes":5000}"#,
    r#"{"game":"chess","algorithm":"alpha-beta","depth":3}"#,
];

fn answer(program: &Program, request: &str) -> Vec<u8> {
    let answer = program.post("/best-move", request);
    assert_eq!(answer.status, 200, "{request}");
    answer.body
}

#[test]
fn replicas_answer_byte_for_byte_alike_alone_and_under_load() {
    // Nothing is kept: every answer is searched.
    let arguments = ["--cache-mb", "0", "--max-time-ms", "3600000"];
    let replicas = [Program::start(&arguments), Program::start(&arguments)];
    let alone = REQUESTS.map(|request| answer(&replicas[0], request));
    let _load = replicas.each_ref().map(|replica| replica.asking(LONG));
    for replica in &replicas {
        replica.await_metric("bestmove_searches_running", 1.0);
    }
    thread::scope(|scope| {
        for replica in &replicas {
            let alone = &alone;
            scope.spawn(move || {
                for _ in 0..sample(100) {
                    for (request, alone) in REQUESTS.iter().zip(alone) {
                        assert_eq!(&answer(replica, request), alone, "{request}");
                    }
                }
            });
        }
    });
}

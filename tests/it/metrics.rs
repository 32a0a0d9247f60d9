//! `GET /metrics`.

use std::io::{Read, Write};
use std::thread;

use crate::common::program::Program;
use crate::common::{JSON, Server};
use serde_json::{Value, json};

#[test]
fn requests_and_searches_are_counted() {
    let server = Server::start();
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#);
    server.post("/best-move", r#"{"game":"tic-tac-toe","depth":2}"#);
    server.post("/best-move", "{");
    server.get("/games/tic-tac-toe");
    server.get("/no/such/path");
    let answer = server.get("/metrics");
    let kind = answer.header("content-type").expect("it has a type");
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = answer.text();
    for line in [
        r#"bestmove_http_request_duration_seconds_count{route="/best-move",method="POST",status="200"} 2"#,
        r#"bestmove_http_request_duration_seconds_count{route="/best-move",method="POST",status="400"} 1"#,
        r#"bestmove_http_request_duration_seconds_count{route="/games/{game}",method="GET",status="200"} 1"#,
        r#"bestmove_http_request_duration_seconds_count{route="none",method="GET",status="404"} 1"#,
        r#"bestmove_search_duration_seconds_count{game="tic-tac-toe",algorithm="solve",stopped_by="solved"} 1"#,
        r#"bestmove_search_nodes_count{game="tic-tac-toe",algorithm="alpha-beta",stopped_by="depth"} 1"#,
        r#"bestmove_search_depth_sum{game="tic-tac-toe",algorithm="alpha-beta",stopped_by="depth"} 2.0"#,
        "bestmove_searches_running 0",
        "bestmove_searches_waiting 0",
        "bestmove_searches_refused_total 0",
        "bestmove_searches_abandoned_total 0",
        "# EOF",
    ] {
        assert!(text.lines().any(|known| known == line), "no {line} in\n{text}");
    }
    assert!(text.contains("bestmove_build_info{version="), "{text}");
}

#[test]
fn the_figures_of_the_process_are_shown() {
    let program = Program::start(&[]);
    assert!(program.metric("process_resident_memory_bytes") > 1e6);
    assert!(program.metric("process_open_fds") >= 5.0);
    assert!(program.metric("process_cpu_seconds_total") >= 0.0);
    assert!(program.metric("process_start_time_seconds") > 1.7e9);
}

#[test]
fn the_limits_are_shown_beside_what_they_bound() {
    let program = Program::start(&["--queue", "7", "--memory-mb", "512"]);
    for (name, limit) in [
        ("bestmove_workers", 2),
        ("bestmove_queue_limit", 7),
        ("bestmove_search_memory_limit_bytes", 512 << 20),
    ] {
        assert_eq!(program.metric(name) as i64, limit, "{name}");
    }
}

#[test]
fn answers_that_are_kept_are_counted_with_their_room() {
    let server = Server::start();
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#);
    server.await_metric("bestmove_cache_answers", 1.0);
    assert!((500.0..5000.0).contains(&server.metric("bestmove_cache_bytes")));
}

#[test]
fn a_client_that_leaves_is_counted_with_a_status_of_its_own() {
    let server = Server::start();
    drop(server.search_long());
    let line = r#"bestmove_http_request_duration_seconds_count{route="/best-move",method="POST",status="499"}"#;
    server.await_metric(line, 1.0);
}

#[test]
fn every_request_has_one_line_in_the_log() {
    let mut program = Program::start(&[]);
    let body = br#"{"game":"tic-tac-toe","depth":3}"#;
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let too_long = trace.repeat(100);
    for (id, traceparent) in [("first", trace), ("second", &too_long)] {
        let headers = [JSON, ("x-request-id", id), ("traceparent", traceparent)];
        program.send("POST", "/best-move", &headers, body);
    }
    program.send("GET", "/nothing", &[("x-request-id", "third")], b"");
    program.signal("TERM");
    let log = program.log();
    let line = |id: &str| {
        let id = format!(r#""id":"{id}""#);
        let mut lines = log.iter().filter(|line| line.contains(&id));
        let line: Value = serde_json::from_str(lines.next().expect("a line")).expect("JSON");
        assert!(lines.next().is_none(), "one line for {id}");
        line
    };
    let [first, second, third] = ["first", "second", "third"].map(line);
    let common = json!({"status": 200, "game": "tic-tac-toe",
        "depth_limit": 3, "algorithm": "alpha-beta", "depth": 3, "stopped_by": "depth"});
    for (name, value) in common.as_object().expect("it is one") {
        assert_eq!((&first[name], &second[name]), (value, value), "{name}");
    }
    assert_eq!((&first["answer"], &second["answer"]), (&json!("searched"), &json!("cached")));
    assert!(first["nodes"].as_u64().is_some_and(|nodes| nodes > 3));
    assert!(first["search_micros"].is_u64() && first["micros"].is_u64());
    assert!(second["span"]["traceparent"].is_null(), "no caller writes a line of any length");
    let span = &first["span"];
    assert_eq!(span["traceparent"], trace);
    assert_eq!((&span["method"], &span["route"]), (&json!("POST"), &json!("/best-move")));
    assert_eq!((&third["span"]["route"], &third["status"]), (&json!("none"), &json!(404)));
}

#[test]
fn every_line_of_many_requests_is_whole_and_none_is_lost_at_the_end() {
    const CONNECTIONS: usize = 8;
    let mut program = Program::start(&[]);
    let request =
        |more: &str| format!("GET /health HTTP/1.1\r\nhost: a\r\n{more}\r\n").into_bytes();
    let requests = [request("").repeat(99), request("connection: close\r\n")].concat();
    let clients: Vec<_> = (0..CONNECTIONS).map(|_| program.connect()).collect();
    thread::scope(|scope| {
        for mut client in clients {
            let requests = &requests;
            scope.spawn(move || {
                client.write_all(requests).expect("the server reads");
                client.read_to_end(&mut Vec::new()).expect("the server answers");
            });
        }
    });
    program.signal("TERM");
    let log = program.log();
    let lines = log.iter().map(|line| serde_json::from_str::<Value>(line).expect("a whole line"));
    let answered = lines.filter(|line| line["span"]["route"] == "/health").count();
    assert!(answered >= CONNECTIONS * 100, "{answered} lines");
}

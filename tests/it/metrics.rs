//! `GET /metrics`.

use std::io::{Read, Write};
use std::thread;

use crate::common::program::Program;
use crate::common::{JSON, Server};
use bestmove::config::Settings;
use clap::Args;
use serde_json::{Value, json};

#[test]
fn requests_and_searches_are_counted() {
    let server = Server::start();
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#);
    server.post("/best-move", r#"{"game":"tic-tac-toe","depth":2}"#);
    server.post("/best-move", "{");
    server.get("/games/tic-tac-toe");
    server.get("/no/such/path");
    let accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3";
    let answer = server.send("GET", "/metrics", &[("accept", accept)], b"");
    let kind = answer.header("content-type").expect("it has a type");
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = answer.text();
    for line in [
        r#"bestmove_http_request_duration_seconds_count{route="/best-move",method="POST",status="200"} 2"#,
        r#"bestmove_http_request_duration_seconds_count{route="/best-move",method="POST",status="400"} 1"#,
        r#"bestmove_http_request_duration_seconds_count{route="/games/{game}",method="GET",status="200"} 1"#,
        r#"bestmove_http_request_duration_seconds_count{route="none",method="GET",status="404"} 1"#,
        r#"bestmove_search_duration_seconds_count{game="tic-tac-toe",variant="3x3x3",algorithm="solve",stopped_by="solved"} 1"#,
        r#"bestmove_search_nodes_count{game="tic-tac-toe",variant="3x3x3",algorithm="alpha-beta",stopped_by="depth"} 1"#,
        r#"bestmove_search_depth_sum{game="tic-tac-toe",variant="3x3x3",algorithm="alpha-beta",stopped_by="depth"} 2.0"#,
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

/// The text format 0.0.4 has neither `info` nor the suffixes that `OpenMetrics` leaves out.
#[test]
fn every_sample_of_the_text_format_has_the_name_that_is_described() {
    let server = Server::start();
    server.post("/best-move", r#"{"game":"tic-tac-toe"}"#);
    for accept in [&[][..], &[("accept", "*/*")], &[("accept", "text/plain;version=0.0.4")]] {
        let answer = server.send("GET", "/metrics", accept, b"");
        let kind = answer.header("content-type");
        assert_eq!(kind, Some("text/plain; version=0.0.4; charset=utf-8"));
        let text = answer.text();
        let (mut samples, mut described) = (0, ("", ""));
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                described = rest.split_once(' ').expect("a name and a type");
                let help = format!("# HELP {} ", described.0);
                assert!(text.contains(&help), "{line}");
                let known = ["counter", "gauge", "histogram"];
                assert!(known.contains(&described.1), "{line}");
                assert_eq!(described.0.ends_with("_total"), described.1 == "counter", "{line}");
            } else if !line.starts_with('#') {
                let name = line.split(['{', ' ']).next().expect("a name");
                let suffix = name.strip_prefix(described.0).unwrap_or_else(|| panic!("{line}"));
                let suffixes: &[_] = match described.1 {
                    "histogram" => &["_bucket", "_sum", "_count"],
                    _ => &[""],
                };
                assert!(suffixes.contains(&suffix), "{line}");
                samples += 1;
            } else {
                assert!(line.starts_with("# HELP "), "{line}");
            }
        }
        assert!(samples > 50 && text.contains("\nbestmove_build_info{version="), "{text}");
    }
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
fn health_checks_and_scrapes_have_a_line_at_debug_alone_unless_they_fail() {
    const PROBES: [&str; 3] = ["/health", "/health/ready", "/metrics"];
    let lines = |arguments: &[&str], level: Option<&str>| {
        let mut program = Program::start_at(level, arguments);
        for path in PROBES {
            assert_eq!(program.get(path).status, 200, "{path}");
        }
        let searching = program.search_long();
        program.signal("TERM");
        program.await_status("/health/ready", 503);
        drop(searching);
        program.log()
    };
    let log = lines(&[], None);
    let refused: Vec<Value> = log
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .filter(|line: &Value| PROBES.iter().any(|path| line["span"]["route"] == *path))
        .collect();
    assert!(!refused.is_empty());
    for line in refused {
        assert_eq!((&line["status"], &line["problem"]), (&json!(503), &json!("overloaded")));
        assert!(line["reason"].as_str().is_some_and(|reason| reason.contains("shutting down")));
    }
    let log = lines(&[], Some("debug"));
    for path in PROBES {
        let route = format!(r#""route":"{path}""#);
        let is_shown = |line: &&String| line.contains(&route) && line.contains(r#""DEBUG""#);
        assert!(log.iter().any(|line| is_shown(&line)), "{path}");
    }
}

#[test]
fn every_refusal_for_want_of_a_place_has_its_reason_in_the_log() {
    let mut program = Program::start(&["--queue", "0"]);
    let searching = [
        program.search_long(),
        program.asking(r#"{"game":"chess","depth":60,"algorithm":"minimax"}"#),
    ];
    program.await_metric("bestmove_searches_running", 2.0);
    program.post("/best-move", r#"{"game":"tic-tac-toe"}"#).problem(503, "overloaded");
    program.post("/best-move", "{").problem(400, "malformed-json");
    program.signal("TERM");
    drop(searching);
    let log = program.log();
    let find = |status: &str| {
        let status = format!(r#""status":{status},"#);
        log.iter().find(|line| line.contains(&status)).expect("a line").to_owned()
    };
    assert!(find("503").contains(r#""reason":"the queue is full: 0 searches"#), "{}", find("503"));
    assert!(find("400").contains(r#""problem":"malformed-json""#), "{}", find("400"));
    assert!(!find("400").contains("reason"), "{}", find("400"));
}

#[test]
fn the_first_line_of_the_log_tells_the_version_and_every_setting() {
    let program =
        Program::start(&["--queue", "7", "--cors-origin", "https://a.example,https://b.example"]);
    let line: Value = serde_json::from_str(&program.first).expect("JSON");
    assert_eq!(line["version"], env!("CARGO_PKG_VERSION"));
    assert!(line["build"].is_string() && line["address"].is_string(), "{line}");
    assert_eq!((&line["queue"], &line["workers"]), (&json!(7), &json!(2)));
    assert_eq!(line["cors_origin"], "https://a.example,https://b.example");
    let settings = Settings::augment_args(clap::Command::new("bestmove"));
    // The address has the host and the port; the form of the line is seen; no folder is set.
    let known = ["host", "port", "log_format", "endgame_tables"];
    for setting in settings.get_arguments().map(clap::Arg::get_id) {
        let is_told = known.contains(&setting.as_str()) || line.get(setting.as_str()).is_some();
        assert!(is_told, "{setting}: {line}");
    }
}

#[test]
fn every_line_of_many_requests_is_whole_and_none_is_lost_at_the_end() {
    const CONNECTIONS: usize = 8;
    let mut program = Program::start(&[]);
    let request = |more: &str| format!("GET /games HTTP/1.1\r\nhost: a\r\n{more}\r\n").into_bytes();
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
    let answered = lines.filter(|line| line["span"]["route"] == "/games").count();
    assert!(answered >= CONNECTIONS * 100, "{answered} lines");
}

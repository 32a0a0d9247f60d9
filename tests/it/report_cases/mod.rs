//! Cases from public reports about other engines, parsers and boards: requests, and what a right answer has. The README
//! of `tests/data/reports` describes their fields.

mod checks;
mod path;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::common::{JSON, Server, TIMEOUT};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    id: String,
    via: String,
    request: Value,
    expect: BTreeMap<String, Value>,
}

/// What came back, by whatever way it was asked for.
#[derive(Debug, Default)]
struct Reply {
    status: Option<u16>,
    text: String,
    json: Value,
    headers: Vec<(String, String)>,
    /// The code of a JSON-RPC error.
    rpc_error: Option<i64>,
    exit: Option<i32>,
    /// The best moves that had been told when each line was sent over UCI.
    told_before: BTreeMap<String, usize>,
}

#[test]
fn every_case_of_the_public_reports_is_answered_as_it_should_be() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reports");
    let files = ["cases.jsonl", "cases-4.jsonl"]
        .map(|name| std::fs::read_to_string(folder.join(name)).expect("the cases are there"));
    let server = Server::start();
    let lines = files.iter().flat_map(|file| file.lines());
    let cases: Vec<Case> =
        lines.map(|line| serde_json::from_str(line).expect("a case is JSON")).collect();
    assert!(cases.len() > 150, "the files are whole");
    let mut failed = Vec::new();
    for case in &cases {
        let reply = ask(&server, &case.via, &case.request);
        for fault in checks::faults(&server, &case.via, &reply, &case.expect) {
            failed.push(format!("{}: {fault}", case.id));
        }
    }
    assert!(failed.is_empty(), "{} faults:\n{}", failed.len(), failed.join("\n"));
}

fn ask(server: &Server, via: &str, request: &Value) -> Reply {
    match via {
        "http" => over_http(server, request),
        "mcp" => over_mcp(server, request),
        "uci" => over_uci(request),
        "cli" => in_terminal(request),
        other => panic!("no way to ask over {other}"),
    }
}

fn over_http(server: &Server, request: &Value) -> Reply {
    let body = match &request["body"] {
        Value::Null => String::new(),
        body => body["raw"].as_str().map_or_else(|| body.to_string(), str::to_owned),
    };
    let given = request["headers"].as_object();
    let mut headers: Vec<(&str, &str)> =
        given.into_iter().flatten().map(|(name, value)| (name.as_str(), text(value))).collect();
    let has_type = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(JSON.0));
    if !body.is_empty() && !has_type {
        headers.push(JSON);
    }
    let answer =
        server.send(text(&request["method"]), text(&request["path"]), &headers, body.as_bytes());
    Reply {
        status: Some(answer.status),
        text: answer.text(),
        json: serde_json::from_slice(&answer.body).unwrap_or_default(),
        headers: answer.headers,
        ..Reply::default()
    }
}

/// Of a tool call the structured content; of another method the whole message.
fn over_mcp(server: &Server, request: &Value) -> Reply {
    let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": request["method"]});
    if let Some(params) = request.get("params") {
        message["params"] = params.clone();
    }
    let headers = json!({"mcp-protocol-version": "2025-06-18"});
    let post = json!({"method": "POST", "path": "/mcp", "headers": headers, "body": message});
    let mut reply = over_http(server, &post);
    let is_call = request["method"] == "tools/call";
    if let Some(code) = reply.json["error"]["code"].as_i64() {
        (reply.status, reply.rpc_error) = (Some(422), Some(code));
    } else if is_call {
        let result = reply.json["result"].take();
        reply.json = result["structuredContent"].clone();
        if result["isError"] == true {
            text(&result["content"][0]["text"]).clone_into(&mut reply.text);
            let status = reply.json["status"].as_u64().and_then(|status| status.try_into().ok());
            reply.status = status.or(Some(422));
        }
    }
    reply
}

fn over_uci(request: &Value) -> Reply {
    let program = Command::new(env!("CARGO_BIN_EXE_bestmove"))
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut program = program.expect("the program starts");
    let mut input = program.stdin.take().expect("piped");
    let output = BufReader::new(program.stdout.take().expect("piped"));
    let (sender, told) = channel();
    thread::spawn(move || {
        output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let (mut lines, mut told_before, mut before_search) = (Vec::new(), BTreeMap::new(), 0);
    for line in request["lines"].as_array().expect("a list of lines") {
        if let Some(seconds) = line["pause"].as_f64() {
            thread::sleep(Duration::from_secs_f64(seconds));
            continue;
        }
        let line = text(line);
        lines.extend(told.try_iter());
        let so_far = best_moves(&lines).count();
        told_before.insert(line.to_owned(), so_far);
        writeln!(input, "{line}").expect("the program reads");
        if line.starts_with("go") {
            before_search = so_far;
        }
        let waits = line.contains("ponder") || line.contains("infinite");
        if line.starts_with("go") && !waits || matches!(line, "ponderhit" | "stop") {
            read_best_move(&told, &mut lines, before_search);
        }
    }
    writeln!(input, "quit").expect("the program reads");
    program.wait().expect("the program ends");
    lines.extend(told);
    Reply { text: lines.join("\n"), told_before, ..Reply::default() }
}

/// Reads lines until there are more best moves than so many.
fn read_best_move(told: &Receiver<String>, lines: &mut Vec<String>, so_far: usize) {
    while best_moves(lines).count() <= so_far {
        let line = told.recv_timeout(TIMEOUT * 3);
        lines.push(line.unwrap_or_else(|_| panic!("no best move: {lines:?}")));
    }
}

fn best_moves(lines: &[String]) -> impl Iterator<Item = &str> {
    lines.iter().map(String::as_str).filter(|line| line.starts_with("bestmove"))
}

fn in_terminal(request: &Value) -> Reply {
    let arguments = request["args"].as_array().expect("a list of arguments");
    let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    program.args(arguments.iter().map(text));
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().expect("the program starts");
    let mut input = program.stdin.take().expect("piped");
    input.write_all(request["stdin"].as_str().unwrap_or_default().as_bytes()).expect("it is read");
    drop(input);
    let output = program.wait_with_output().expect("the program ends");
    let written = String::from_utf8_lossy(&output.stdout).into_owned();
    Reply {
        json: serde_json::from_str(&written).unwrap_or_default(),
        text: written + &String::from_utf8_lossy(&output.stderr),
        exit: output.status.code(),
        ..Reply::default()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text is expected, not {value}"))
}

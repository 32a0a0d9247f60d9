//! `/mcp` and `bestmove mcp`: the games as tools of an assistant, asked by the client of the official SDK.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::Program;
use crate::common::{Answer, Client, JSON, Server, Setup, request};
use axum::http::{HeaderName, HeaderValue};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientConfig, ClientJsonRpcMessage, ContentBlock,
    JsonObject, ProtocolVersion, Tool,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::BoxedSseResponse;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::runtime::Runtime;
use tokio::task::spawn_blocking;

/// What the SDK sends and gets by HTTP, over the client of the tests.
#[derive(Clone)]
struct Wire(SocketAddr);

type WireError = StreamableHttpError<io::Error>;

impl StreamableHttpClient for Wire {
    type Error = io::Error;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        _: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, WireError> {
        let (client, body) = (Client { address: self.0 }, serde_json::to_vec(&message)?);
        let sent = spawn_blocking(move || {
            let named = headers.iter().map(|(name, value)| {
                (name.as_str(), value.to_str().expect("a header of the SDK is a text"))
            });
            let headers: Vec<_> = named.chain([JSON]).collect();
            client.send("POST", "/mcp", &headers, &body)
        });
        let answer = sent.await?;
        if answer.status == 202 {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        Ok(StreamableHttpPostResponse::Json(serde_json::from_slice(&answer.body)?, None))
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        _: Arc<str>,
        _: Option<String>,
        _: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), WireError> {
        unreachable!("the server has no sessions")
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        _: Option<Arc<str>>,
        _: Option<String>,
        _: Option<String>,
        _: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxedSseResponse, WireError> {
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

type Assistant = RunningService<RoleClient, ClientConfig>;

/// The two ways in which clients begin.
fn lifecycles() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::LATEST];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions }]
}

async fn assistant(server: &Server, lifecycle: ClientLifecycleMode) -> Assistant {
    let config = StreamableHttpClientTransportConfig::with_uri("http://localhost/mcp");
    let transport = StreamableHttpClientTransport::with_client(Wire(server.address), config);
    let client = ClientConfig::default().serve_with_lifecycle(transport, lifecycle);
    client.await.expect("the server speaks the protocol")
}

/// Calls a tool with JSON.
async fn call(assistant: &Assistant, tool: &'static str, arguments: Value) -> CallToolResult {
    let Value::Object(arguments) = arguments else { panic!("arguments have names") };
    let parameters = CallToolRequestParams::new(tool).with_arguments(arguments);
    assistant.call_tool(parameters).await.expect("the tool answers")
}

fn value(result: &CallToolResult) -> &Value {
    result.structured_content.as_ref().expect("a result is a value")
}

fn text(result: &CallToolResult) -> &str {
    match &result.content[..] {
        [ContentBlock::Text(text), ..] => &text.text,
        other => panic!("no text: {other:?}"),
    }
}

#[test]
fn the_result_of_a_tool_is_the_answer_of_its_route() {
    let server = Server::start();
    let questions = [
        ("get_position", "/position", json!({"game": "checkers", "moves": ["11-15"]})),
        ("best_move", "/best-move", json!({"game": "chess", "moves": "1. e4 e5", "depth": 3})),
        ("analyze_position", "/analyze", json!({"game": "connect-four", "depth": 4, "top": 2})),
        ("review_game", "/review", json!({"game": "tic-tac-toe", "moves": ["0", "1", "4"]})),
    ];
    Runtime::new().expect("a runtime").block_on(async {
        for lifecycle in lifecycles() {
            let assistant = assistant(&server, lifecycle).await;
            let tools = assistant.list_all_tools().await.expect("a list");
            let games = call(&assistant, "list_games", json!({})).await;
            assert_eq!(value(&games), &server.get("/games").json());
            for (tool, route, question) in &questions {
                let known = tools.iter().find(|known| known.name == *tool).expect("it is listed");
                let result = call(&assistant, tool, question.clone()).await;
                assert_fits(known, value(&result));
                let refused =
                    call(&assistant, tool, json!({"game": "chess", "moves": ["e5"]})).await;
                assert_fits(known, value(&refused));
                let answer = server.post(route, question.to_string());
                assert_eq!(text(&result), answer.text(), "{tool}");
                assert_eq!((value(&result), result.is_error), (&answer.json(), Some(false)));
            }
            assistant.cancel().await.expect("it ends");
        }
    });
}

/// Asserts that the structured content of a result is what the tool says.
fn assert_fits(tool: &Tool, content: &Value) {
    let schema = tool.output_schema.as_deref().expect("a result has a schema").clone();
    let validator = jsonschema::draft202012::new(&schema.into()).expect("it is a schema");
    let faults: Vec<_> = validator.iter_errors(content).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{}: {faults:?}", tool.name);
}

/// Asserts that a schema and all in it have one type each, and no choices or references.
fn assert_plain(schema: &Value, tool: &str) {
    assert!(schema["type"].as_str().is_some_and(|name| name != "null"), "{tool}: {schema}");
    for keyword in ["oneOf", "anyOf", "allOf", "not", "$ref", "const", "nullable"] {
        assert!(schema.get(keyword).is_none(), "{tool}: {schema}");
    }
    let values = schema["enum"].as_array();
    assert!(!values.is_some_and(|values| values.iter().any(Value::is_null)), "{tool}: {schema}");
    let properties = schema["properties"].as_object();
    properties.into_iter().flatten().for_each(|(_, property)| assert_plain(property, tool));
    assert_eq!(schema["type"] == "array", schema.get("items").is_some(), "{tool}: {schema}");
    schema.get("items").into_iter().for_each(|items| assert_plain(items, tool));
}

#[test]
fn numbers_truth_values_and_lists_may_be_sent_as_text() {
    let server = Server::start();
    Runtime::new().expect("a runtime").block_on(async {
        let assistant = assistant(&server, ClientLifecycleMode::Initialize).await;
        let mut asked = 0;
        for tool in assistant.list_all_tools().await.expect("a list") {
            let schema = tool.schema_as_json_value();
            for (name, property) in schema["properties"].as_object().expect("properties") {
                let value = match property["type"].as_str() {
                    // Enough for a ply on the busiest machine.
                    Some("integer") if name == "time_ms" => json!(5000),
                    Some("integer") => {
                        json!(property["minimum"].as_u64().unwrap_or_default().max(2))
                    }
                    Some("boolean") => json!(true),
                    Some("array") if name == "include" => json!([property["items"]["enum"][0]]),
                    Some("array") if name.contains("moves") => json!(["4", "4"]),
                    _ => continue,
                };
                let ask = async |value: Value| {
                    let mut arguments = json!({"game": "connect-four", "moves": ["3", "4"]});
                    match name.as_str() {
                        "seed" => arguments["level"] = json!(1),
                        "time_ms" => arguments["depth"] = json!(1),
                        "level" => arguments["include"] = json!(["chances"]),
                        _ => {}
                    }
                    arguments[name] = value;
                    let Value::Object(arguments) = arguments else { unreachable!("an object") };
                    let parameters =
                        CallToolRequestParams::new(tool.name.clone()).with_arguments(arguments);
                    assistant.call_tool(parameters).await.expect("the tool answers")
                };
                let expected = ask(value.clone()).await;
                let answer = ask(Value::String(value.to_string())).await;
                assert_eq!(expected.is_error, Some(false), "{}: {name}: {expected:?}", tool.name);
                assert_eq!(answer, expected, "{}: {name}", tool.name);
                asked += 1;
            }
        }
        assert!(asked >= 20, "{asked}");
        let named =
            call(&assistant, "best_move", json!({"game": "tic-tac-toe", "level": "beginner"}))
                .await;
        let numbered =
            call(&assistant, "best_move", json!({"game": "tic-tac-toe", "level": "2"})).await;
        assert_eq!((named.is_error, value(&named)), (Some(false), value(&numbered)));
        let wrong = call(&assistant, "best_move", json!({"game": "chess", "depth": "0"})).await;
        assert!(text(&wrong).contains("expected an integer, 1 or more, but got 0"), "{wrong:?}");
    });
}

#[test]
fn every_tool_describes_its_arguments_completely() {
    let server = Server::start();
    Runtime::new().expect("a runtime").block_on(async {
        let assistant = assistant(&server, ClientLifecycleMode::Initialize).await;
        let tools = assistant.list_all_tools().await.expect("a list");
        let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
        let expected = [
            "list_games",
            "get_position",
            "best_move",
            "analyze_position",
            "review_game",
            "render_board",
        ];
        assert_eq!(names, expected);
        for tool in &tools {
            let schema = tool.schema_as_json_value();
            assert!(!schema.to_string().contains("$ref"), "{}", tool.name);
            jsonschema::draft202012::new(&schema).expect("it is a schema");
            assert_plain(&schema, &tool.name);
            if let Some(output) = &tool.output_schema {
                assert_plain(&Value::Object(JsonObject::clone(output)), &tool.name);
            }
            let properties = &schema["properties"];
            for (name, of_type) in [
                ("moves", "array"),
                ("position", "string"),
                ("level", "integer"),
                ("depth", "integer"),
            ] {
                let property = properties.get(name);
                assert!(
                    property.is_none_or(|it| it["type"] == of_type),
                    "{}: {property:?}",
                    tool.name
                );
            }
            assert!(properties.get("moves").is_none_or(|it| it["items"]["type"] == "string"));
            let description = tool.description.as_deref().unwrap_or_default();
            let takes_position = schema["properties"].get("position").is_some();
            assert_eq!(takes_position, description.contains("Never edit a position by hand"));
            assert_eq!(takes_position, description.contains("e7e8q"), "{description}");
        }
        let picture = tools[5].schema_as_json_value();
        assert_eq!(picture["properties"]["theme"]["enum"], json!(["light", "dark"]));
    });
}

#[test]
fn a_game_of_connect_four_is_played_to_its_end() {
    let server = Server::start();
    Runtime::new().expect("a runtime").block_on(async {
        let assistant = assistant(&server, ClientLifecycleMode::Initialize).await;
        // The first player is the weaker one, who always takes the lowest column that is legal.
        let mut moves: Vec<String> = Vec::new();
        let end = loop {
            let asked = json!({"game": "connect-four", "moves": moves});
            let there = call(&assistant, "get_position", asked.clone()).await;
            if value(&there)["state"] != "ongoing" {
                break there;
            }
            let mv = if moves.len().is_multiple_of(2) {
                value(&there)["legal_moves"][0]["move"].clone()
            } else {
                let mut asked = asked;
                asked["depth"] = json!(6);
                value(&call(&assistant, "best_move", asked).await)["best_move"].clone()
            };
            moves.push(mv.as_str().expect("a move").to_owned());
        };
        assert_eq!(value(&end)["winner"], "yellow", "{moves:?}");
        let asked = json!({"game": "connect-four", "moves": moves});
        let review = call(&assistant, "review_game", asked.clone()).await;
        assert_eq!(value(&review)["moves"].as_array().map(Vec::len), Some(moves.len()));
        let picture = call(&assistant, "render_board", asked).await;
        let [ContentBlock::Text(_), ContentBlock::Image(image)] = &picture.content[..] else {
            panic!("no picture: {picture:?}");
        };
        let svg = BASE64_STANDARD.decode(&image.data).expect("it is base64");
        let query = format!("/board.svg?game=connect-four&moves={}", moves.join(","));
        assert_eq!((svg, &*image.mime_type), (server.get(&query).body, "image/svg+xml"));
    });
}

#[test]
fn a_mistake_is_a_result_that_says_what_would_be_right() {
    let server = Server::start();
    Runtime::new().expect("a runtime").block_on(async {
        let assistant = assistant(&server, ClientLifecycleMode::Initialize).await;
        let asked = json!({"game": "tic-tac-toe", "moves": ["4", "4"]});
        let refused = call(&assistant, "best_move", asked).await;
        assert_eq!(refused.is_error, Some(true));
        assert_eq!(value(&refused)["type"], "/problems/illegal-move");
        assert_eq!(value(&refused)["allowed"], json!(["0", "1", "2", "3", "5", "6", "7", "8"]));
        assert!(value(&refused)["request_id"].as_str().is_some_and(|id| id.len() == 16));
        let unknown = call(&assistant, "best_move", json!({"game": "chess", "dept": 3})).await;
        assert!(text(&unknown).contains("unknown field `dept`"), "{}", text(&unknown));
        let call = assistant.call_tool(CallToolRequestParams::new("make_tea")).await;
        assert!(call.is_err_and(|error| error.to_string().contains("make_tea")));
    });
}

#[test]
fn an_assistant_plays_chess_over_standard_input_and_output() {
    Runtime::new().expect("a runtime").block_on(async {
        let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
        program.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = program.kill_on_drop(true).spawn().expect("the program starts");
        let pipes = (program.stdout.take().expect("piped"), program.stdin.take().expect("piped"));
        let assistant = ClientConfig::default().serve(pipes).await.expect("it speaks the protocol");
        let mut moves = vec!["f3".to_owned(), "e5".to_owned(), "g4".to_owned()];
        let asked = json!({"game": "chess", "moves": moves, "depth": 3});
        let answer = call(&assistant, "best_move", asked).await;
        assert_eq!(value(&answer)["san"], "Qh4#");
        moves.push(value(&answer)["best_move"].as_str().expect("a move").to_owned());
        let asked = json!({"game": "chess", "moves": moves});
        let end = call(&assistant, "get_position", asked).await;
        assert_eq!(
            (&value(&end)["winner"], &value(&end)["reason"]),
            (&json!("black"), &json!("checkmate"))
        );
        assistant.cancel().await.expect("it ends");
        assert!(program.wait().await.expect("it ends").success());
    });
}

/// A message as a client of some revision of the protocol sends it.
fn message(method: &str, parameters: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).to_string()
}

/// What a client says first, in some revision of the protocol.
fn hello(version: &str) -> String {
    let client = json!({"name": "test", "version": "1"});
    let parameters = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    message("initialize", &parameters)
}

#[test]
fn any_host_may_be_named_and_older_revisions_are_answered() {
    let server = Server::start();
    for version in ["2025-11-25", "2025-06-18", "2025-03-26"] {
        let body = hello(version);
        let mut bytes = String::from("POST /mcp HTTP/1.1\r\nhost: games.example.org\r\n");
        write!(bytes, "content-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len())
            .expect("a string");
        let answer = server.exchange((bytes + &body).as_bytes());
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("mcp-session-id"), None);
        let result = &answer.json()["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "bestmove");
    }
    let revision = ProtocolVersion::LATEST.to_string();
    let answer = server.post("/mcp", hello(&revision)).json();
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "a revision that begins so");
}

#[test]
fn what_is_no_message_is_a_problem() {
    let server = Server::start();
    for method in ["GET", "DELETE"] {
        let refused = server.send(method, "/mcp", &[], b"").problem(405, "method-not-allowed");
        assert_eq!(refused["allowed"], json!(["POST"]));
    }
    server.post("/mcp", "{").problem(400, "malformed-json");
    server.post("/mcp", r#"{"jsonrpc":"1.0"}"#).problem(422, "invalid-request");
    server.send("POST", "/mcp", &[], b"{}").problem(415, "unsupported-media-type");
    let large = format!("[{}]", " ".repeat(70_000));
    server.post("/mcp", large).problem(413, "payload-too-large");
}

#[test]
fn wrong_parameters_have_a_code_of_their_own() {
    let server = Server::start();
    let cases = [
        ("tools/call", json!({"name": "best_move", "arguments": []}), -32602),
        ("tools/call", json!({"name": "best_move", "arguments": "[]"}), -32602),
        ("tools/call", json!({"name": "best_move", "arguments": 3}), -32602),
        ("tools/call", json!({"name": "make_tea", "arguments": {}}), -32602),
        ("tools/call", json!({"name": 3, "arguments": {}}), -32602),
        ("tools/call", json!({"arguments": {}}), -32602),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!([]), -32602),
        ("tools/list", json!({"cursor": "3"}), -32602),
        ("tools/list", json!([]), -32602),
        ("initialize", json!({}), -32602),
        ("initialize", json!({"protocolVersion": 1}), -32602),
        ("tools/kall", json!({"name": "best_move"}), -32601),
        ("prompts/list", json!({}), -32601),
    ];
    for (method, parameters, code) in cases {
        let answer = server.post("/mcp", message(method, &parameters));
        assert_eq!(
            answer.json()["error"]["code"],
            code,
            "{method} {parameters}: {}",
            answer.text()
        );
        assert_eq!(answer.json()["id"], 1, "{method} {parameters}");
    }
    let without = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}"#;
    assert_eq!(server.post("/mcp", without).json()["error"]["code"], -32602);
    let list = message("tools/call", &json!({"name": "best_move", "arguments": []}));
    let refused = server.post("/mcp", list).json();
    let detail = refused["error"]["message"].as_str().expect("a text");
    assert!(detail.starts_with("the parameters of tools/call: "), "{detail}");
    let unknown = server.post("/mcp", message("tools/call", &json!({"name": "make_tea"}))).json();
    let detail = unknown["error"]["message"].as_str().expect("a text");
    assert!(detail.contains("make_tea") && detail.contains("best_move"), "{detail}");
}

#[test]
fn pages_of_foreign_origins_are_refused() {
    let origins =
        vec!["*".parse().expect("a header"), "https://a.example".parse().expect("a header")];
    let server = Server::with(Setup { origins, ..Setup::default() });
    let own = format!("http://{}", server.address);
    let body = message("tools/call", &json!({"name": "list_games"}));
    let cases = [
        ("https://evil.example", 403),
        ("http://a.example", 403),
        ("null", 403),
        ("https://a.example", 200),
        ("http://localhost:6274", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]:80", 200),
        (&own, 200),
    ];
    for (origin, status) in cases {
        let answer = server.send("POST", "/mcp", &[JSON, ("origin", origin)], body.as_bytes());
        assert_eq!(answer.status, status, "{origin}: {}", answer.text());
        if status == 403 {
            let problem = answer.problem(403, "forbidden-origin");
            assert!(problem["detail"].as_str().is_some_and(|it| it.contains("--cors-origin")));
        }
        // The other routes are for every page.
        assert_eq!(server.send("GET", "/games", &[("origin", origin)], b"").status, 200);
    }
    assert_eq!(server.post("/mcp", &body).status, 200);
}

#[test]
fn mistakes_of_clients_are_no_warnings() {
    let mut program = Program::start(&[]);
    let evil = ("origin", "https://evil.example");
    let version = ("mcp-protocol-version", "1999-01-01");
    let call = |arguments: Value| {
        message("tools/call", &json!({"name": "best_move", "arguments": arguments}))
    };
    let sent: [(&[(&str, &str)], String); 9] = [
        (&[JSON], call(json!([]))),
        (&[JSON], call(json!({"game": "go"}))),
        (&[JSON], call(json!({"game": "chess", "moves": ["e5"]}))),
        (&[JSON], message("tools/call", &json!({"name": "make_tea"}))),
        (&[JSON], message("tools/kall", &json!({}))),
        (&[JSON], "{}".to_owned()),
        (&[JSON], "{".to_owned()),
        (&[JSON, evil], call(json!({"game": "chess"}))),
        (&[JSON, version], call(json!({"game": "tic-tac-toe"}))),
    ];
    for (headers, body) in &sent {
        let _: Answer = program.exchange(&request("POST", "/mcp", headers, body.as_bytes()));
    }
    program.signal("TERM");
    let log = program.log();
    let is_loud = |line: &&String| line.contains("WARN") || line.contains("ERROR");
    assert_eq!(log.iter().filter(is_loud).collect::<Vec<_>>(), [""; 0]);
}

/// `bestmove mcp`, which is greeted, and then has this input and no more: what it answers to that, and how long it
/// goes on.
fn piped(greeting: &str, input: &str) -> (String, Duration) {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_bestmove"));
    program.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().expect("the program starts");
    let mut pipe = program.stdin.take().expect("piped");
    let mut output = BufReader::new(program.stdout.take().expect("piped"));
    pipe.write_all(greeting.as_bytes()).expect("it reads");
    if greeting.ends_with('\n') {
        let mut welcome = String::new();
        output.read_line(&mut welcome).expect("it answers");
        assert!(welcome.contains("serverInfo"), "{welcome}");
    }
    pipe.write_all(input.as_bytes()).expect("it reads");
    // A search that it was asked for has started.
    thread::sleep(Duration::from_millis(500));
    drop(pipe);
    let start = Instant::now();
    let end = program.wait_with_output().expect("it ends");
    let elapsed = start.elapsed();
    let log = String::from_utf8_lossy(&end.stderr);
    assert!(end.status.success() && !log.contains("WARN") && !log.contains("ERROR"), "{log}");
    let mut answers = String::new();
    output.read_to_string(&mut answers).expect("a text");
    (answers, elapsed)
}

#[test]
fn the_end_of_the_input_ends_the_program_within_a_second() {
    let greeting = hello("2025-06-18") + "\n";
    let call = |arguments: Value| {
        message("tools/call", &json!({"name": "best_move", "arguments": arguments})) + "\n"
    };
    let long = call(
        json!({"game": "connect-four", "position": "444544121", "algorithm": "minimax", "time_ms": 9000}),
    );
    let short = call(json!({"game": "tic-tac-toe", "depth": 1}));
    let half = &short[..30];
    let cases = [
        (String::new(), ""),
        ("\n".to_owned(), ""),
        (half.to_owned(), ""),
        (short.clone(), "structuredContent"),
        (long.clone(), ""),
        (long.clone() + half, ""),
        (long + &short, "structuredContent"),
    ];
    let greeting = &greeting;
    thread::scope(|scope| {
        for (input, expected) in &cases {
            scope.spawn(move || {
                let (answers, elapsed) = piped(greeting, input);
                // The bound is generous because the machine may be busy. The SDK by itself takes five seconds.
                assert!(elapsed < Duration::from_secs(3), "{input}: {elapsed:?}");
                // A call that the end cancels may still be told so.
                assert_eq!(expected.is_empty(), !answers.contains("result"), "{input}: {answers}");
                assert!(answers.contains(expected), "{input}: {answers}");
            });
        }
        for (input, rest) in [("", ""), ("", "\n"), (half, ""), (&greeting[..20], "")] {
            scope.spawn(move || assert_eq!(piped(input, rest).0, "", "{input}"));
        }
    });
}

#[test]
fn a_client_that_leaves_stops_its_search() {
    let server = Server::start();
    let asked = json!({"game": "connect-four", "position": "444544121", "algorithm": "minimax", "time_ms": 3_600_000});
    let body = message("tools/call", &json!({"name": "best_move", "arguments": asked}));
    let mut client = server.connect();
    client.write_all(&request("POST", "/mcp", &[JSON], body.as_bytes())).expect("it is sent");
    server.await_metric("bestmove_searches_running", 1.0);
    drop(client);
    server.await_metric("bestmove_searches_running", 0.0);
}

#[test]
fn calls_are_counted_and_logged_like_requests_and_the_route_can_be_left_out() {
    let mut program = Program::start(&[]);
    let asked = json!({"game": "tic-tac-toe", "depth": 2});
    let body = message("tools/call", &json!({"name": "best_move", "arguments": asked}));
    let id = ("x-request-id", "call-of-a-tool");
    let bytes = request("POST", "/mcp", &[JSON, id], body.as_bytes());
    let answer: Answer = program.exchange(&bytes);
    assert_eq!(answer.json()["result"]["structuredContent"]["search"]["depth"], 2);
    let metric =
        r#"bestmove_http_request_duration_seconds_count{route="/mcp",method="POST",status="200"}"#;
    program.await_metric(metric, 1.0);
    program.signal("TERM");
    let log = program.log();
    let line = log.iter().find(|line| line.contains(r#""game":"tic-tac-toe""#));
    assert!(line.is_some_and(|line| line.contains("call-of-a-tool")), "{log:?}");
    let without = Program::start(&["--mcp", "false"]);
    without.send("POST", "/mcp", &[JSON], b"{}").problem(404, "not-found");
}

//! Traces of requests, as a collector gets them.

#[path = "it/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use common::program::Program;
use common::{Answer, request};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;

/// The program.
fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_bestmove").into()
}

/// The trace and the span of a caller.
const CALLER: (&str, &str) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");

const SEARCH: &str = r#"{"game":"connect-four","position":"444544121","depth":6}"#;

/// What a collector is sent: the head of a request in small letters, and its spans.
type Sent = (String, ExportTraceServiceRequest);

/// A collector that answers with 200, and what it is sent.
fn collector() -> (String, Receiver<Sent>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (sender, sent) = channel();
    thread::spawn(move || {
        for client in listener.incoming() {
            let (client, sender) = (client.expect("a client"), sender.clone());
            thread::spawn(move || {
                let mut client = BufReader::new(client);
                while let Some(request) = read_request(&mut client) {
                    let _ = sender.send(request);
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
                    let _ = client.get_mut().write_all(answer);
                }
            });
        }
    });
    (format!("http://{address}"), sent)
}

/// The next request of a client; none once it leaves.
fn read_request(client: &mut BufReader<TcpStream>) -> Option<Sent> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let length = client.read_line(&mut head).ok()?;
        (length > 0).then_some(())?;
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.expect("a length").parse().expect("a number")];
    client.read_exact(&mut body).ok()?;
    Some((head, ExportTraceServiceRequest::decode(&*body).expect("spans")))
}

/// Stops the program and returns what it has sent.
fn stop(mut program: Program, sent: &Receiver<Sent>) -> Vec<Sent> {
    program.signal("TERM");
    assert_eq!(program.exit().code(), Some(0));
    sent.try_iter().collect()
}

fn spans(sent: &[Sent]) -> Vec<Span> {
    let resources = sent.iter().flat_map(|(_, sent)| &sent.resource_spans);
    let scopes = resources.flat_map(|resource| &resource.scope_spans);
    scopes.flat_map(|scope| scope.spans.clone()).collect()
}

fn hex(id: &[u8]) -> String {
    let digits: Vec<_> = id.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

/// Attributes by their keys.
fn attributes(pairs: &[KeyValue]) -> BTreeMap<&str, String> {
    let text = |pair: &KeyValue| match pair.value.as_ref().and_then(|value| value.value.clone()) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    pairs.iter().map(|pair| (&*pair.key, text(pair))).collect()
}

#[test]
fn a_request_is_a_span_below_its_caller_with_its_steps_below_it() {
    let (endpoint, sent) = collector();
    let environment =
        [("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint), ("RUST_LOG", "warn,bestmove=debug")];
    let mut program = Program::start_in(&environment, &[]);
    let traceparent = format!("00-{}-{}-01", CALLER.0, CALLER.1);
    let headers = [("content-type", "application/json"), ("traceparent", &*traceparent)];
    let answer = program.send("POST", "/best-move", &headers, SEARCH.as_bytes());
    let search = answer.json()["search"].clone();
    program.signal("TERM");
    let log = program.log();
    let spans = spans(&sent.try_iter().collect::<Vec<_>>());

    let request = spans.iter().find(|span| hex(&span.parent_span_id) == CALLER.1);
    let request = request.expect("a span below the caller's");
    assert_eq!((&*request.name, request.kind), ("POST /best-move", 2));
    let described = attributes(&request.attributes);
    assert_eq!(described["http.request.method"], "POST");
    assert_eq!(described["http.route"], "/best-move");
    assert_eq!(described["http.response.status_code"], "200");
    assert_eq!(
        described["http.request.header.x-request-id"],
        answer.header("x-request-id").expect("an id")
    );
    let steps: Vec<_> =
        spans.iter().filter(|span| span.parent_span_id == request.span_id).collect();
    assert_eq!(
        steps.iter().map(|step| &*step.name).collect::<Vec<_>>(),
        ["read", "wait", "search", "write"]
    );
    for step in &steps {
        assert_eq!(hex(&step.trace_id), CALLER.0);
        let (start, end) = (step.start_time_unix_nano, step.end_time_unix_nano);
        assert!(
            request.start_time_unix_nano <= start
                && start <= end
                && end <= request.end_time_unix_nano,
            "{step:?}"
        );
    }
    assert!(steps.is_sorted_by_key(|step| step.start_time_unix_nano));
    let found = attributes(&steps[2].attributes);
    assert_eq!(found["game"], "connect-four");
    assert_eq!(found["algorithm"], search["algorithm"].as_str().expect("a name"));
    assert_eq!(found["depth"], search["depth"].to_string());
    assert_eq!(found["nodes"], search["nodes"].to_string());

    let line = log.iter().find(|line| line.contains(r#""nodes":"#)).expect("a line of the log");
    assert!(line.contains(r#""span":{"id":"#) && line.contains(&traceparent), "{line}");
    assert!(log.iter().all(|line| !line.contains(r#""name":"search""#)), "{log:?}");
}

#[test]
fn each_search_of_a_batch_or_a_review_is_a_step_of_its_request() {
    let (endpoint, sent) = collector();
    let program = Program::start_in(
        &[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &format!("{endpoint}/here"))],
        &[],
    );
    let lines = "{\"game\":\"connect-four\"}\n{\"game\":\"tic-tac-toe\"}\n";
    let ndjson = [("content-type", "application/x-ndjson")];
    assert_eq!(program.stream("/best-move/batch", &ndjson, lines.as_bytes()).status, 200);
    let game = r#"{"game":"tic-tac-toe","moves":["1","5"]}"#;
    assert_eq!(program.post("/review", game).status, 200);
    program.get("/games/go").problem(404, "not-found");
    let sent = stop(program, &sent);
    assert!(sent.iter().all(|(head, _)| head.starts_with("post /here ")));
    let spans = spans(&sent);
    let searches = |name: &str| {
        let request = spans.iter().find(|span| span.name == name).expect("a request");
        let of_request =
            |step: &&Span| step.name == "search" && step.parent_span_id == request.span_id;
        spans.iter().filter(of_request).count()
    };
    assert_eq!(searches("POST /best-move/batch"), 2);
    assert!(searches("POST /review") >= 3);
    assert_eq!(searches("GET /games/{game}"), 0);
    let names = ["read", "wait", "search", "write"];
    let is_orphan = |span: &&Span| names.contains(&&*span.name) && span.parent_span_id.is_empty();
    assert_eq!(spans.iter().find(is_orphan), None);
}

#[test]
fn the_environment_names_the_service_the_headers_and_the_sampler() {
    let (endpoint, sent) = collector();
    let program = Program::start_in(
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint),
            ("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=games"),
            ("OTEL_SERVICE_NAME", "engine-of-games"),
            ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test,service.name=other"),
        ],
        &[],
    );
    program.post("/best-move", SEARCH);
    let all = stop(program, &sent);
    let (head, sent) = all.first().expect("some spans");
    assert!(head.starts_with("post /v1/traces "), "{head}");
    assert!(head.contains("\r\nx-tenant: games\r\n"), "{head}");
    let resource = sent.resource_spans[0].resource.as_ref().expect("a resource");
    let resource = attributes(&resource.attributes);
    assert_eq!(resource["service.name"], "engine-of-games");
    assert_eq!(resource["service.version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(resource["deployment.environment"], "test");

    for (name, value) in [
        ("OTEL_TRACES_SAMPLER", "always_off"),
        ("OTEL_SDK_DISABLED", "true"),
        ("OTEL_TRACES_EXPORTER", "none"),
    ] {
        let (endpoint, sent) = collector();
        let program =
            Program::start_in(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint), (name, value)], &[]);
        program.post("/best-move", SEARCH);
        assert_eq!(spans(&stop(program, &sent)), [], "{name}={value}");
    }
}

#[test]
fn a_collector_that_hangs_or_is_gone_holds_up_neither_answers_nor_the_end() {
    let hanging = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let gone =
        TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port");
    for address in [hanging.local_addr().expect("an address"), gone] {
        let endpoint = format!("http://{address}");
        let environment = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &*endpoint),
            ("OTEL_BSP_SCHEDULE_DELAY", "10"),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "16"),
            ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "16"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "120000"),
        ];
        let mut program = Program::start_in(&environment, &[]);
        let start = Instant::now();
        let mut client: TcpStream = program.connect();
        for _ in 0..200 {
            client.write_all(&request("GET", "/games", &[], b"")).expect("the server reads");
            assert_eq!(Answer::read(&mut client).expect("an answer").status, 200);
        }
        program.signal("TERM");
        assert_eq!(program.exit().code(), Some(0));
        // Sending alone may take two minutes.
        assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    }
    assert!(hanging.accept().is_ok(), "it was asked");
}

#[test]
fn a_collector_behind_tls_is_refused_at_the_start() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bestmove"));
    let command = command.env("OTEL_EXPORTER_OTLP_ENDPOINT", "https://localhost:4318");
    let output = command.args(["--port", "0"]).output().expect("the program runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("OTEL_EXPORTER_OTLP_ENDPOINT: expected 'http://"), "{message}");
}

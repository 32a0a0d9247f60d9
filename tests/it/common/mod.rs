//! The real server on a free port, and a client that sees every byte of an answer.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part of this")]

pub mod hostile;
pub mod program;

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::Deref;
use std::sync::LazyLock;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::http::HeaderValue;
use bestmove::http::{self, App, Route};
use bestmove_engine::games::{self, Knowledge};
use bestmove_service::ServiceLimits;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// How often something is tried: `full` times where `FULL_TESTS` is set, else an eighth of that.
pub fn sample(full: usize) -> usize {
    if std::env::var_os("FULL_TESTS").is_some() { full } else { full.div_ceil(8) }
}

/// How long anything may take before a test gives up.
pub const TIMEOUT: Duration = Duration::from_mins(1);

/// A server as a client sees it.
pub struct Client {
    pub address: SocketAddr,
}

/// A server that is drained when it is dropped.
pub struct Server {
    client: Client,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How a server is started.
pub struct Setup {
    pub service: ServiceLimits,
    pub http: http::HttpLimits,
    pub routes: Vec<Route>,
    pub origins: Vec<HeaderValue>,
}

impl Default for Setup {
    fn default() -> Self {
        let second = Duration::from_secs(1);
        Self {
            service: ServiceLimits {
                workers: 2,
                queue: 64,
                memory: 1 << 30,
                // A search that does not stop when it should outlasts every test.
                max_time: TIMEOUT * 9,
                cache: 64 << 20,
            },
            http: http::HttpLimits {
                body: 64 * 1024,
                arrival: 10 * second,
                idle: 75 * second,
                drain: 25 * second,
            },
            routes: http::routes(),
            origins: vec![HeaderValue::from_static("*")],
        }
    }
}

/// The knowledge files of the program.
pub fn knowledge() -> &'static Knowledge {
    static KNOWLEDGE: LazyLock<Knowledge> =
        LazyLock::new(|| games::load_knowledge(None).expect("whole files"));
    &KNOWLEDGE
}

impl Server {
    /// With the settings that a user gets who sets nothing, but for two workers.
    pub fn start() -> Self {
        Self::with(Setup::default())
    }

    pub fn with(setup: Setup) -> Self {
        let (stop, stopped) = oneshot::channel();
        let runtime = Runtime::new().expect("a runtime starts");
        let listening = TcpListener::bind(("127.0.0.1", 0));
        let listener = runtime.block_on(listening).expect("some port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let Setup { routes, service, http, origins } = setup;
        let app = App::new(&service, http, knowledge().clone());
        let stack = http::stack(&app, routes, &origins);
        let signal = async {
            let _ = stopped.await;
        };
        let thread = thread::spawn(move || {
            runtime.block_on(http::serve(listener, app, stack, signal));
            runtime.shutdown_background();
        });
        Self { client: Client { address }, stop: Some(stop), thread: Some(thread) }
    }

    /// Sends the signal to stop.
    pub fn signal(&mut self) {
        self.stop.take().map(|stop| stop.send(()));
    }

    /// Waits until the server has stopped.
    pub fn join(&mut self) {
        self.signal();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server stops in order");
        }
    }
}

impl Deref for Server {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Client {
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server accepts connections");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a time-out is set");
        stream.set_nodelay(true).expect("delays are off");
        stream
    }

    /// Sends bytes and reads the answer.
    pub fn exchange(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request).expect("the server reads");
        if request.starts_with(b"HEAD") {
            return Answer::read_head(&mut stream).expect("the server answers");
        }
        Answer::read(&mut stream).expect("the server answers")
    }

    /// Sends a request with these headers, and a body.
    pub fn send(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        self.exchange(&request(method, target, headers, body))
    }

    pub fn get(&self, target: &str) -> Answer {
        self.send("GET", target, &[], b"")
    }

    /// Posts JSON as it is written.
    pub fn post(&self, target: &str, body: impl AsRef<[u8]>) -> Answer {
        self.send("POST", target, &[JSON], body.as_ref())
    }

    /// Posts JSON and reads an answer that ends by itself, chunk by chunk.
    pub fn stream(&self, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut client = self.connect();
        client.write_all(&request("POST", target, headers, body)).expect("the server reads");
        Answer::read(&mut client).expect("the server answers")
    }

    /// The value of a metric, named with its labels.
    pub fn metric(&self, name: &str) -> f64 {
        self.find_metric(name).unwrap_or_else(|| panic!("no metric {name}"))
    }

    /// The value of a metric, if anything has been counted under these labels.
    fn find_metric(&self, name: &str) -> Option<f64> {
        let metrics = self.get("/metrics").text();
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line?.parse().ok()
    }

    /// A client whose search runs until it leaves.
    pub fn search_long(&self) -> TcpStream {
        let running = self.metric("bestmove_searches_running");
        let client = self.asking(LONG);
        self.await_metric("bestmove_searches_running", running + 1.0);
        client
    }

    /// A client that has sent this and waits for the answer.
    pub fn asking(&self, body: &str) -> TcpStream {
        let mut client = self.connect();
        let bytes = request("POST", "/best-move", &[JSON], body.as_bytes());
        client.write_all(&bytes).expect("the server reads");
        client
    }

    /// Waits until a path answers with this status.
    pub fn await_status(&self, path: &str, status: u16) {
        let start = Instant::now();
        while self.get(path).status != status {
            assert!(start.elapsed() < TIMEOUT, "{path} does not answer {status}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until a metric has this value; one with labels may not be there yet.
    pub fn await_metric(&self, name: &str, value: f64) {
        let start = Instant::now();
        loop {
            let found = self.find_metric(name);
            if found.is_some_and(|found| (found - value).abs() < f64::EPSILON) {
                return;
            }
            assert!(start.elapsed() < TIMEOUT, "{name} is {found:?}, not {value}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.signal();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A search that takes as long as it may.
pub const LONG: &str = concat!(
    r#"{"game":"connect-four","position":"444544121","algorithm":"minimax","#,
    r#""time_ms":3600000}"#
);

pub const JSON: (&str, &str) = ("content-type", "application/json");

/// The bytes of a request on a connection that is kept.
pub fn request(method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\n").into_bytes();
    for (name, value) in headers {
        bytes.extend(format!("{name}: {value}\r\n").bytes());
    }
    if !body.is_empty() || method == "POST" {
        bytes.extend(format!("content-length: {}\r\n", body.len()).bytes());
    }
    bytes.extend(b"\r\n");
    bytes.extend(body);
    bytes
}

/// The next chunk of an answer; none at its end.
pub fn read_chunk(stream: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    while !line.ends_with(b"\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        line.push(byte[0]);
    }
    let digits = String::from_utf8_lossy(&line).trim().to_owned();
    let length = usize::from_str_radix(&digits, 16).map_err(io::Error::other)?;
    let mut chunk = vec![0; length + 2];
    stream.read_exact(&mut chunk)?;
    chunk.truncate(length);
    Ok((length > 0).then_some(chunk))
}

/// An answer, as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Reads one answer, whose length is announced or which comes in chunks.
    pub fn read(stream: &mut impl Read) -> io::Result<Self> {
        let mut answer = Self::read_head(stream)?;
        if answer.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = read_chunk(stream)? {
                answer.body.extend(chunk);
            }
        } else {
            answer.body = vec![0; answer.length()];
            stream.read_exact(&mut answer.body)?;
        }
        Ok(answer)
    }

    /// Reads an answer that has no body.
    pub fn read_head(stream: &mut impl Read) -> io::Result<Self> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(Self { status: status.unwrap_or(0), headers, body: Vec::new() })
    }

    fn length(&self) -> usize {
        self.header("content-length").map_or(0, |length| length.parse().unwrap_or(0))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        values.next().map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("answers are UTF-8")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The answer, which must be this problem.
    #[track_caller]
    pub fn problem(&self, status: u16, name: &str) -> Value {
        let problem = self.json();
        assert_eq!(problem["type"], format!("/problems/{name}"), "{problem}");
        assert_eq!((self.status, &problem["status"]), (status, &status.into()), "{problem}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(problem["request_id"].as_str(), self.header("x-request-id"));
        problem
    }
}

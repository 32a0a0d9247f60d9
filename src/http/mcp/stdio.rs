//! The protocol over standard input and output: a message a line, answered as `POST /mcp` would.
//!
//! The SDK's own transport for this needs a second copy of its service, a hundredth of the program's size.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use axum::http::Request;
use axum::http::header::{CONTENT_TYPE, HOST, HeaderValue};
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Stdout, stdin, stdout};
use tokio::task::{AbortHandle, JoinSet};

use super::exchange;
use crate::http::app::App;
use crate::http::problem::{Kind, Problem};

/// The `Host` of messages that come from this machine.
const LOCAL: HeaderValue = HeaderValue::from_static("localhost");

/// The errors of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// Answers one assistant until the end of its messages, and what it has asked by then.
///
/// # Errors
/// Where the input can't be read or the output can't be written.
pub async fn serve_stdio(app: Arc<App>) -> io::Result<()> {
    let mut lines = BufReader::new(stdin()).lines();
    let mut calls = Calls { app, output: stdout(), tasks: JoinSet::new(), running: HashMap::new() };
    let mut has_ended = false;
    loop {
        tokio::select! {
            line = lines.next_line(), if !has_ended => match line? {
                Some(line) => calls.begin(line).await?,
                None => has_ended = true,
            },
            Some(done) = calls.tasks.join_next() => {
                // A task that was cancelled has no answer.
                if let Ok((id, answer)) = done {
                    calls.running.remove(&id);
                    calls.write(&answer).await?;
                }
            }
            else => return Ok(()),
        }
    }
}

/// The messages that are being answered.
struct Calls {
    app: Arc<App>,
    output: Stdout,
    /// Each ends with the id of its message, in JSON, and the answer, empty where none is due.
    tasks: JoinSet<(String, Bytes)>,
    /// By id, to be cancelled.
    running: HashMap<String, AbortHandle>,
}

impl Calls {
    async fn begin(&mut self, line: String) -> io::Result<()> {
        let message: Value = match serde_json::from_str(&line) {
            Ok(message) => message,
            Err(_) if line.trim().is_empty() => return Ok(()),
            Err(error) => {
                let answer = failure(&Value::Null, PARSE_ERROR, &error.to_string());
                return self.write(&answer).await;
            }
        };
        if message["method"] == "notifications/cancelled" {
            let id = message["params"]["requestId"].to_string();
            if let Some(task) = self.running.remove(&id) {
                task.abort();
            }
            return Ok(());
        }
        let id = message["id"].clone();
        let (app, key) = (Arc::clone(&self.app), id.to_string());
        let task = self.tasks.spawn(async move {
            let answer = answer(&app, line).await;
            let invalid = |problem: Problem| failure(&id, INVALID_REQUEST, problem.detail());
            (id.to_string(), answer.unwrap_or_else(invalid))
        });
        self.running.insert(key, task);
        Ok(())
    }

    async fn write(&mut self, answer: &[u8]) -> io::Result<()> {
        if !answer.is_empty() {
            self.output.write_all(answer).await?;
            self.output.write_all(b"\n").await?;
            self.output.flush().await?;
        }
        Ok(())
    }
}

/// The answer to a message, empty where none is due.
async fn answer(app: &Arc<App>, line: String) -> Result<Bytes, Problem> {
    let mut request = Request::post("/mcp").body(()).unwrap_or_default();
    request.headers_mut().insert(CONTENT_TYPE, super::JSON);
    request.headers_mut().insert(HOST, LOCAL);
    let (parts, ()) = request.into_parts();
    let (parts, body) = exchange(app, parts, line.into()).await?;
    if parts.status.is_success() || parts.headers.get(CONTENT_TYPE) == Some(&super::JSON) {
        return Ok(body);
    }
    // The SDK says in plain text what is wrong with a request as such.
    Err(Problem::new(Kind::InvalidRequest, String::from_utf8_lossy(&body)))
}

fn failure(id: &Value, code: i32, message: &str) -> Bytes {
    let error = json!({"code": code, "message": message});
    json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string().into()
}

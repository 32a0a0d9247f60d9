//! The Model Context Protocol, by which assistants find and call tools, over HTTP and over standard input and output.
//! The result of a tool is the answer of a route of the service, under the limits of that route.
//!
//! There are no sessions: any replica can answer any message. The official SDK speaks the protocol.

mod arguments;
mod tools;

use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Collected, Full};
use rmcp::ErrorData;
use rmcp::model::JsonObject;
use rmcp::service::ServerInitializeError;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::io::{copy, duplex, stdin, stdout};
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;
use tracing::{Instrument, Span};

use self::tools::{Tools, request_error};
use bestmove_api::{Problem, ProblemKind, read_object};
use bestmove_service::{Failure, Service, internal};

/// The `Accept` header that the SDK demands. The answer is JSON whatever a client accepts.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// The status by which the SDK refuses JSON that is no message.
const UNREADABLE: StatusCode = StatusCode::UNSUPPORTED_MEDIA_TYPE;

/// The greatest number of characters of an id, which every answer repeats, and of a header that the SDK repeats.
const LONGEST_ID: usize = 100;

/// The runtime of the SDK, with one thread. The SDK reads and writes messages on the threads of its runtime, which takes
/// some milliseconds for 60 KB; on a runtime of its own it delays nobody else.
static RUNTIME: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(1).thread_name("mcp").enable_all().build()
});

/// The time that the last calls may take once the input has ended.
const LAST_CALLS: Duration = Duration::from_millis(300);

/// The answer to a message that came in the HTTP request with this id. Dropping the future cancels the calls of the
/// message.
///
/// # Errors
/// Where the body of the request is no message.
pub async fn answer(
    service: Arc<Service>,
    request: Request<Bytes>,
    request_id: String,
) -> Result<Response<Bytes>, Problem> {
    let runtime = RUNTIME.as_ref().map_err(|error| internal(error))?;
    let span = Span::current();
    let tools = Tools { service, span: span.clone(), request_id: Some(request_id) };
    let answer = answer_message(tools, request).instrument(span);
    let answer = AbortOnDropHandle::new(runtime.spawn(answer)).await;
    answer.map_err(|panic| Problem::from(Failure::Panicked(panic.to_string())))?
}

/// The answer of the SDK to a message.
async fn answer_message(tools: Tools, request: Request<Bytes>) -> Result<Response<Bytes>, Problem> {
    let message = read_object(request.body())?;
    if message
        .get("id")
        .and_then(Value::as_str)
        .is_some_and(|id| id.chars().nth(LONGEST_ID).is_some())
    {
        let detail = format!("id: expected a string of at most {LONGEST_ID} characters");
        let error = ErrorData::invalid_request(detail, None);
        return Ok(refusal(&json!({"jsonrpc": "2.0", "id": null, "error": error})));
    }
    let mut request = request.map(Full::new);
    request.headers_mut().insert(ACCEPT, ACCEPTED);
    for (name, value) in request.headers_mut() {
        // The SDK repeats these headers in its answers.
        if name.as_str().starts_with("mcp-")
            && let Some(start) = value.as_bytes().get(..LONGEST_ID)
            && let Ok(start) = HeaderValue::from_bytes(start)
        {
            *value = start;
        }
    }
    let sessions = Arc::<NeverSessionManager>::default();
    let transport =
        StreamableHttpService::new(move || Ok(tools.clone()), sessions, transport_config());
    let (parts, body) = transport.handle(request).await.into_parts();
    let body = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
    if parts.status != UNREADABLE {
        return Ok(Response::from_parts(parts, body));
    }
    let refused = refused_request(message)
        .ok_or_else(|| Problem::new(ProblemKind::InvalidRequest, String::from_utf8_lossy(&body)))?;
    Ok(refusal(&refused))
}

/// An answer with `message`, made without the SDK.
fn refusal(message: &Value) -> Response<Bytes> {
    let mut answer = Response::new(message.to_string().into());
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

/// The answer to a request whose parameters are no object, which the SDK cannot read.
fn refused_request(mut message: JsonObject) -> Option<Value> {
    let method = message.get("method")?.as_str()?.to_owned();
    let id = message.remove("id").filter(|id| id.is_string() || id.is_i64())?;
    let is_version_2 = message.get("jsonrpc").is_some_and(|version| version == "2.0");
    let error = request_error(&method, &message.remove("params")?);
    is_version_2.then(|| json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

/// No sessions, JSON in place of streams, and any `Host`: the layers of the service check that header.
fn transport_config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(usize::MAX)
        .disable_allowed_hosts()
}

/// Answers one assistant over standard input and output until the end of the input, and waits a moment for calls in
/// progress. (The SDK would wait five seconds.)
///
/// # Errors
/// Where the first messages are not those of the protocol.
pub async fn serve_stdio(service: Arc<Service>) -> io::Result<()> {
    let (messages, mut writer) = duplex(64 * 1024);
    let end_of_input = async move {
        let _ = copy(&mut stdin(), &mut writer).await;
        drop(writer);
        sleep(LAST_CALLS).await;
    };
    let tools = Tools { service, span: Span::none(), request_id: None };
    let serving = async {
        match rmcp::serve_server(tools, (messages, stdout())).await {
            Ok(serving) => serving.waiting().await.map(|_| ()).map_err(io::Error::other),
            // An input without any message is no error.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(ServerInitializeError::ExpectedInitializeRequest(_)) => Err(io::Error::other(
                "expected a request, such as initialize, as the first message",
            )),
            Err(error) => Err(io::Error::other(error)),
        }
    };
    tokio::select! {
        served = serving => served,
        () = end_of_input => Ok(()),
    }
}

//! `/mcp`: the Model Context Protocol, by which assistants find and call tools. Each tool asks the handler
//! of a route, so its result is the answer of that route, under the same limits.
//!
//! There are no sessions: any replica can answer any message. The official SDK speaks the protocol.

mod origin;
mod schema;
mod tools;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Collected, Full};
use rmcp::model::JsonObject;
use rmcp::service::ServerInitializeError;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::io::{copy, duplex, stdin, stdout};
use tokio::time::sleep;
use tracing::Span;

pub(super) use self::origin::Origins;
use self::tools::{Tools, request_error};
use super::app::App;
use super::dto::read;
use super::extract::{discard, read_json};
use super::problem::{Kind, Problem};

/// What the SDK wants to be accepted. It always answers with JSON, so it need not be asked for.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// How the SDK answers what is JSON, but no message.
const UNREADABLE: StatusCode = StatusCode::UNSUPPORTED_MEDIA_TYPE;

/// How long the last calls may take once the input has ended.
const LAST_CALLS: Duration = Duration::from_millis(300);

/// `POST /mcp`: one message, and its answer where it is a request. A client that leaves cancels the
/// request.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Extension(origins): Extension<Origins>,
    request: Request,
) -> Result<Response, Problem> {
    if !origins.allow(request.headers()) {
        discard(request, &app.limits).await;
        let detail = "pages of this origin may not use the tools, unless --cors-origin names it";
        return Err(Problem::new(Kind::ForbiddenOrigin, detail));
    }
    let (mut parts, body) = request.into_parts();
    let body = read_json(&parts.headers, body, &app.limits).await?;
    let message = read::<JsonObject>(&body)?;
    parts.headers.insert(ACCEPT, ACCEPTED);
    let (service, span) = (Arc::clone(&app.service), Span::current());
    let tools = move || Ok(Tools { app: Arc::clone(&app), span: span.clone() });
    let sessions = Arc::<NeverSessionManager>::default();
    let transport = StreamableHttpService::new(tools, sessions, transport_config());
    let answer = transport.handle(Request::from_parts(parts, Full::new(body))).await;
    let (parts, body) = answer.into_parts();
    let body = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
    if parts.status == UNREADABLE {
        let refused = refused_request(message)
            .ok_or_else(|| Problem::new(Kind::InvalidRequest, String::from_utf8_lossy(&body)))?;
        return Ok(([(CONTENT_TYPE, "application/json")], refused.to_string()).into_response());
    }
    let memory = service.pool().reserve_answer(body.len());
    Ok(Response::from_parts(parts, memory.hold(body).into()))
}

/// The answer to a request that the SDK can't read since its parameters are no object.
fn refused_request(mut message: JsonObject) -> Option<Value> {
    let method = message.get("method")?.as_str()?.to_owned();
    let id = message.remove("id").filter(|id| id.is_string() || id.is_i64())?;
    let is_version_2 = message.get("jsonrpc").is_some_and(|version| version == "2.0");
    let error = request_error(&method, &message.remove("params")?);
    is_version_2.then(|| json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

/// No sessions, JSON in place of streams, and any `Host`, as on all other routes.
fn transport_config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(usize::MAX)
        .disable_allowed_hosts()
}

/// Answers one assistant over standard input and output until the end of the input, and the last calls that are
/// answered soon after it. (The SDK would wait five seconds for them.)
///
/// # Errors
/// Where the messages are none of the protocol.
pub async fn serve_stdio(app: Arc<App>) -> io::Result<()> {
    let (messages, mut writer) = duplex(64 * 1024);
    let end_of_input = async move {
        let _ = copy(&mut stdin(), &mut writer).await;
        drop(writer);
        sleep(LAST_CALLS).await;
    };
    let tools = Tools { app, span: Span::none() };
    let serving = async {
        match rmcp::serve_server(tools, (messages, stdout())).await {
            Ok(serving) => serving.waiting().await.map(|_| ()).map_err(io::Error::other),
            // An assistant that says nothing makes no mistake.
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

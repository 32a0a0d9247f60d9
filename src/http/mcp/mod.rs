//! `/mcp`: the Model Context Protocol, by which assistants find and call tools. Each tool asks the handler
//! of a route, so its result is the answer of that route, under the same limits.
//!
//! There are no sessions: any replica can answer any message. The official SDK speaks the protocol.

mod schema;
mod tools;

use std::io;
use std::sync::{Arc, LazyLock};

use axum::extract::{Request, State};
use axum::http::header::ACCEPT;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use http_body_util::{BodyExt, Collected, Full};
use rmcp::model::JsonObject;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};
use tokio::runtime::{Builder, Runtime};
use tokio_util::task::AbortOnDropHandle;
use tracing::Span;

use self::tools::Tools;
use super::app::App;
use super::dto::read;
use super::extract::read_json;
use super::problem::{Kind, Problem};
use crate::service::Failure;

/// What the SDK wants to be accepted. It always answers with JSON, so it need not be asked for.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// How the SDK answers what is JSON, but no message.
const UNREADABLE: StatusCode = StatusCode::UNSUPPORTED_MEDIA_TYPE;

/// The SDK reads and writes messages on the threads of its runtime, a message of 60 KB for some milliseconds. So that
/// nobody else waits for it, it has a runtime and a thread of its own.
static RUNTIME: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(1).thread_name("mcp").enable_all().build()
});

/// `POST /mcp`: one message, and its answer where it is a request. A client that leaves cancels the
/// request.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let body = read_json(&parts.headers, body, &app.limits).await?;
    parts.headers.insert(ACCEPT, ACCEPTED);
    let runtime = RUNTIME.as_ref().map_err(|_| Problem::internal())?;
    let (service, span) = (Arc::clone(&app.service), Span::current());
    let answer = async move {
        read::<JsonObject>(&body)?;
        let tools = move || Ok(Tools { app: Arc::clone(&app), span: span.clone() });
        let sessions = Arc::<NeverSessionManager>::default();
        let transport = StreamableHttpService::new(tools, sessions, transport_config());
        let answer = transport.handle(Request::from_parts(parts, Full::new(body))).await;
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
        Ok::<_, Problem>((parts, body))
    };
    let answer = AbortOnDropHandle::new(runtime.spawn(answer)).await;
    let (parts, body) = answer.map_err(|panic| Problem::panicked(&panic))??;
    if parts.status == UNREADABLE {
        return Err(Problem::new(Kind::InvalidRequest, String::from_utf8_lossy(&body)));
    }
    let body = service.pool().unsent(body).map_err(Failure::from)?;
    Ok(Response::from_parts(parts, body.into()))
}

/// No sessions, JSON in place of streams, and any `Host`, as on all other routes.
fn transport_config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(usize::MAX)
        .disable_allowed_hosts()
}

/// Answers one assistant over standard input and output until its end.
///
/// # Errors
/// Where the messages are none of the protocol.
pub async fn serve_stdio(app: Arc<App>) -> io::Result<()> {
    let tools = Tools { app, span: Span::none() };
    let serving = rmcp::serve_server(tools, stdio()).await.map_err(io::Error::other)?;
    serving.waiting().await.map_err(io::Error::other)?;
    Ok(())
}

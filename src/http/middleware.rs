//! All layers around the routes, the outermost first. Each line says why it is there.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{Method, Uri, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower::util::{MapRequest, MapResponse};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};
use tower_http::request_id::{PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::Span;

use super::app::App;
use super::body::refuse;
use super::compression::compress;
use super::metrics::{CLIENT_LEFT, Labels};
use super::operations::OfProbe;
use super::problem::ProblemResponse;
use super::request_id::{REQUEST_ID, RandomId, request_id, without_unusable_id};
use crate::traces;
use bestmove_api::{Problem, ProblemKind};
use bestmove_service::{Failure, FoundAnswer, log_answer, micros};

/// The routes with all layers around them.
pub type Stack = MapResponse<MapRequest<Router, fn(Request) -> Request>, fn(Response) -> Response>;

/// Puts all layers around the routes. Pages of the `origins` may read the answers.
pub(super) fn layered(routes: Router, app: &Arc<App>, origins: &[HeaderValue]) -> Stack {
    let layers = ServiceBuilder::new()
        // An id of the caller that does not suit logs and headers is replaced.
        .map_request(without_unusable_id)
        .layer(SetRequestIdLayer::new(REQUEST_ID, RandomId))
        // One line in the log for each request, in a span that names it in all other lines.
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(request_span)
                .on_request(())
                .on_response(log_response)
                .on_body_chunk(())
                .on_eos(())
                .on_failure(()),
        )
        // Counts answers, and requests whose client left before.
        .layer(from_fn_with_state(Arc::clone(app), count))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        // hyper does not check the header `host`.
        .layer(from_fn_with_state(Arc::clone(app), require_host))
        // Browsers may ask from any page that is allowed, and read the headers.
        .layer(cors(origins))
        .layer(from_fn_with_state(Arc::clone(app), compress))
        // A panic in a handler becomes a problem.
        .layer(CatchPanicLayer::custom(panic_answer));
    // This layer stands outside of the router, which adds the allowed methods to a 405 after its layers.
    MapResponse::new(
        MapRequest::new(routes.layer(layers), without_trailing_slash),
        ProblemResponse::write_body,
    )
}

/// The path of the request had a slash at its end.
#[derive(Clone, Copy)]
pub(super) struct HadSlash;

/// Takes one slash off the end of the path. More slashes lead to no route, since a proxy that guards a route has to know
/// every spelling of its path.
fn without_trailing_slash(mut request: Request) -> Request {
    let uri = request.uri();
    let Some(path) = uri.path().strip_suffix('/').filter(|path| !path.is_empty()) else {
        return request;
    };
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(format!("{path}{query}")).ok();
    if let Ok(uri) = Uri::from_parts(parts) {
        *request.uri_mut() = uri;
        request.extensions_mut().insert(HadSlash);
    }
    request
}

fn request_span(request: &Request) -> Span {
    const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
    /// Characters: more than any version of W3C Trace Context has needed. Version 00 has 55.
    const LONGEST: usize = 128;
    let traceparent = request.headers().get(TRACEPARENT).filter(|value| value.len() <= LONGEST);
    let traceparent = traceparent.and_then(|value| value.to_str().ok());
    let route = request.extensions().get().map_or("none", MatchedPath::as_str);
    let span = tracing::info_span!(
        "request",
        id = request_id(request.headers()),
        method = request.method().as_str(),
        route,
        traceparent,
    );
    traces::follow(&span, request.headers());
    span
}

fn log_response<B>(response: &Response<B>, latency: Duration, span: &Span) {
    let (status, micros) = (response.status().as_u16(), micros(latency));
    traces::answered(span, status);
    let answer = response.extensions();
    if let Some(problem) = answer.get().map(ProblemResponse::problem) {
        let kind = problem.kind();
        let reason = (kind == ProblemKind::Overloaded).then(|| problem.to_string());
        tracing::info!(status, micros, problem = kind.row().name, reason, "answered");
    } else if answer.get::<OfProbe>().is_some() {
        tracing::debug!(status, micros, "answered");
    } else {
        log_answer(status, latency, answer.get::<FoundAnswer>());
    }
}

/// Counts a request by route, method and status when its answer begins, or when its client has left.
async fn count(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get().map(MatchedPath::as_str);
    let labels = Labels::new(route, request.method());
    let mut counted =
        CountedRequest { app, labels, start: Instant::now(), span: Span::current(), status: None };
    let response = next.run(request).await;
    counted.status = Some(response.status().as_u16());
    response
}

/// Counts a request when this guard is dropped.
struct CountedRequest {
    app: Arc<App>,
    labels: Labels,
    start: Instant,
    span: Span,
    /// The status of the answer; `None` before the answer.
    status: Option<u16>,
}

impl Drop for CountedRequest {
    fn drop(&mut self) {
        let (duration, status) = (self.start.elapsed(), self.status.unwrap_or(CLIENT_LEFT));
        self.labels.status = status;
        self.app.metrics.count(&self.labels, duration);
        if self.status.is_none() {
            let micros = micros(duration);
            traces::answered(&self.span, status);
            tracing::info!(parent: &self.span, status, micros, "the client left");
        }
    }
}

/// Refuses a request whose `Host` header is missing, repeated or unreadable (RFC 9112, section 3.2).
async fn require_host(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Result<Response, ProblemResponse> {
    let mut hosts = request.headers().get_all(HOST).into_iter();
    let detail = match (hosts.next(), hosts.next()) {
        (Some(host), None) if is_host(host) => return Ok(next.run(request).await),
        (None, _) if request.version() < Version::HTTP_11 => return Ok(next.run(request).await),
        (Some(_), None) => "expected the header 'host: name' or 'host: name:port'",
        (None, _) => "expected a header 'host'",
        (Some(_), Some(_)) => "expected one header 'host', but got several",
    };
    Err(refuse(request, &app, Problem::new(ProblemKind::InvalidHost, detail)).await)
}

/// Whether `value` is a name or an address, with or without a port, or empty, as from a client that knows no name.
fn is_host(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    let Ok(authority) = text.parse::<Authority>() else { return text.is_empty() };
    let port = text.strip_prefix(authority.host()).map(|rest| rest.trim_start_matches(':'));
    port.is_some_and(|port| port.bytes().all(|digit| digit.is_ascii_digit()))
}

fn cors(origins: &[HeaderValue]) -> CorsLayer {
    let exposed = ["x-request-id", "retry-after", "etag", "server-timing", "location", "allow"];
    let exposed = exposed.map(HeaderName::from_static);
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        // `*` would not include `Authorization`.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(exposed)
        .max_age(Duration::from_hours(24));
    if origins.iter().any(|origin| origin == "*") {
        layer.allow_origin(AllowOrigin::any()).vary([])
    } else {
        layer.allow_origin(AllowOrigin::list(origins.to_vec())).vary([ORIGIN])
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn panic_answer(panic: Box<dyn Any + Send>) -> Response {
    ProblemResponse::from(Failure::panicked(&*panic)).into_response()
}

//! The service over HTTP.
//!
//! A request passes, from the outside in: the connection (`server`, `io_timeout`), the layers (`middleware`), the
//! routes (`router`), the extractor that turns it into a typed value (`extract`, `dto`), and the handler
//! of its resource (`handlers`).

mod dto;
mod etag;
mod extract;
mod handlers;
mod io_timeout;
mod lines;
mod mcp;
mod metrics;
mod middleware;
mod ndjson;
pub mod problem;
mod process_metrics;
mod router;
mod search_record;
mod server;
mod sse;

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderValue;
use prometheus_client::registry::Registry;

pub use self::handlers::operations::healthcheck;
pub use self::mcp::serve_stdio;
use self::metrics::HttpMetrics;
pub use self::middleware::Stack;
pub use self::problem::Problem;
pub use self::router::{MCP, Route, routes};
pub use self::server::{listen, serve};

pub use self::dto::review_json;
use self::dto::{BestMoveRequest, ReviewRequest};
use crate::service::{self, BoardRequest, Service, Writers};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{Answer, SearchParameters};

/// A mark of the build: another one may answer otherwise.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("SOURCES"));

/// How answers are serialised.
pub const WRITERS: Writers = Writers { answer: dto::answer_json, extend: dto::extend_json };

/// What a client may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The bytes of a body.
    pub body: usize,
    /// The time in which the head of a request must arrive, and then its body.
    pub arrival: Duration,
    /// The time for which a connection is kept on which no byte moves.
    pub idle: Duration,
    /// The time that running searches have to finish by themselves when the server stops.
    pub drain: Duration,
}

/// What the handlers share.
pub struct App {
    service: Arc<Service>,
    limits: Limits,
    metrics: HttpMetrics,
}

impl App {
    /// A service that takes on as much as `capacity` says, and lets a client cost so much.
    #[must_use]
    pub fn new(capacity: &service::Limits, limits: Limits, knowledge: Knowledge) -> Arc<Self> {
        let mut registry = Registry::default();
        let ours = registry.sub_registry_with_prefix(metrics::PREFIX);
        let service = Arc::new(Service::new(capacity, WRITERS, knowledge, ours));
        let metrics = HttpMetrics::new(registry);
        Arc::new(Self { service, limits, metrics })
    }

    /// The routes with all layers around them. Pages of the `origins` may read the answers.
    #[must_use]
    pub fn stack(self: &Arc<Self>, routes: Vec<Route>, origins: &[HeaderValue]) -> Stack {
        middleware::layered(router::router(routes, Arc::clone(self)), self, origins)
    }
}

/// The board and the search that these fields ask for, as if they stood in the query of a URL.
///
/// # Errors
/// Where one is unknown, repeated or wrong.
pub fn best_move_request<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(BoardRequest, SearchParameters), Problem> {
    let texts = fields.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
    dto::read_texts::<BestMoveRequest>(texts)?.split()
}

/// As [`best_move_request`], for the game that is to be reviewed and the search of its positions.
///
/// # Errors
/// As [`best_move_request`].
pub fn review_request<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(BoardRequest, SearchParameters), Problem> {
    let texts = fields.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
    dto::read_texts::<ReviewRequest>(texts)?.split()
}

/// An answer as `/best-move` gives it.
#[must_use]
pub fn best_move_json(answer: &Answer) -> String {
    String::from_utf8_lossy(&dto::answer_json(answer)).into_owned()
}

//! The service over HTTP.
//!
//! A request passes, from the outside in: the connection (`server`, `patience`: how long its head may take),
//! the edge (request id, CORS, metrics and log, and what catches a panic), the router, whose routes stand
//! below on one page, and the body (`body`: how long it may take and be). The edge lies around
//! the router and is no layer of it, since the router adds the `Allow` of a 405 outside its layers.

mod accept;
mod asset;
mod batch;
mod body;
mod caching;
mod cors;
mod docs;
mod dot;
mod edge;
mod endpoints;
mod figures;
mod lessons;
mod lines;
mod metrics;
mod operations;
mod page;
mod patience;
pub mod problem;
mod request_id;
mod server;
mod stream;
mod visit;
mod wire;
mod written;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::{MethodRouter, get, post};

pub use self::cors::Origins;
pub use self::edge::Edge;
use self::metrics::Registers;
pub use self::operations::healthcheck;
pub use self::problem::Problem;
pub use self::server::serve;

use self::wire::BestMoveRequest;
use crate::games::any::Answer;
use crate::service::{self, Question, Service};

/// A mark of the build: another one may answer otherwise.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("SOURCES"));

/// What a client may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The bytes of a body.
    pub body: usize,
    /// The time in which the head of a request must arrive, and then its body.
    pub arrival: Duration,
    /// The time in which a client may begin another request on a connection.
    pub idle: Duration,
    /// The time that running searches have to finish by themselves when the server stops.
    pub drain: Duration,
}

/// What the endpoints share.
pub struct App {
    service: Arc<Service>,
    limits: Limits,
    registers: Registers,
}

impl App {
    fn new(capacity: &service::Limits, limits: Limits, routes: &[Route]) -> Arc<Self> {
        let service = Service::new(capacity, wire::written);
        let registers = Registers::new(&service, routes);
        Arc::new(Self { service: Arc::new(service), limits, registers })
    }
}

/// The question that these fields ask about a best move, as if they stood in the query of a URL.
///
/// # Errors
/// Where one is unknown, repeated or wrong.
pub fn question<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Question, Problem> {
    let texts = fields.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
    wire::read_texts::<BestMoveRequest>(texts)?.try_into()
}

/// An answer as `/best-move` gives it.
#[must_use]
pub fn best_move_json(answer: &Answer) -> String {
    String::from_utf8_lossy(&wire::written(answer)).into_owned()
}

/// A path and what answers there.
pub type Route = (&'static str, MethodRouter<Arc<App>>);

/// All routes.
#[must_use]
pub fn routes() -> Vec<Route> {
    vec![
        ("/best-move", get(endpoints::best_move_by_query).post(endpoints::best_move)),
        ("/analyze", post(lessons::analyze)),
        ("/tree", post(lessons::tree)),
        ("/position", post(lessons::position)),
        ("/games", get(endpoints::games)),
        ("/games/{game}", get(endpoints::game)),
        ("/health", get(operations::health)),
        ("/livez", get(operations::health)),
        ("/health/ready", get(operations::ready)),
        ("/readyz", get(operations::ready)),
        ("/metrics", get(operations::metrics)),
        ("/openapi.yaml", get(docs::yaml)),
        ("/openapi.json", get(docs::json)),
        ("/docs", get(page::docs)),
        ("/docs/{file}", get(page::file)),
        ("/", get(page::home)),
    ]
}

/// The router of these routes.
fn router(routes: Vec<Route>, app: Arc<App>) -> Router {
    let all = Router::new();
    let all = routes.into_iter().fold(all, |all, (path, methods)| all.route(path, methods));
    all.method_not_allowed_fallback(endpoints::method_not_allowed)
        .fallback(endpoints::not_found)
        .with_state(app)
}

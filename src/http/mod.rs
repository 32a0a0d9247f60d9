//! The service over HTTP.
//!
//! A request passes, from the outside in: the connection (`server`, `connection`, `io_timeout`), the layers (`middleware`), the
//! routes (`router`), the extractor that turns it into a typed value (`extract`, `dto`), and the handler
//! of its resource (`handlers`).

mod app;
mod assets;
mod compression;
mod connection;
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
mod request_id;
mod router;
mod search_record;
mod server;
mod sse;

use std::mem;
use std::sync::Arc;

use axum::Extension;
use axum::http::HeaderValue;

pub use self::app::{App, HttpLimits};
use self::dto::{BestMoveRequest, ReviewRequest};
pub use self::etag::BUILD;
pub use self::handlers::operations::healthcheck;
use self::mcp::Origins;
pub use self::mcp::serve_stdio;
pub use self::middleware::Stack;
pub use self::problem::Problem;
pub use self::router::{MCP, Route, contract_routes, routes};
pub use self::server::{listen, serve};
use crate::service::BoardRequest;
use bestmove_engine::games::any::SearchParameters;

/// The routes with all layers around them. Pages of the `origins` may read the answers, and use the tools if their
/// origin is named.
pub fn stack(app: &Arc<App>, mut routes: Vec<Route>, origins: &[HeaderValue]) -> Stack {
    for (_, methods) in routes.iter_mut().filter(|(path, _)| *path == MCP) {
        *methods = mem::take(methods).layer(Extension(Origins::new(origins)));
    }
    middleware::layered(router::router(routes, Arc::clone(app)), app, origins)
}

/// The board and the search that these fields ask for, as if they stood in the query of a URL.
///
/// # Errors
/// Where one is unknown, repeated or wrong.
pub fn best_move_request<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(BoardRequest, SearchParameters), Problem> {
    dto::read_texts::<BestMoveRequest>(fields)?.split()
}

/// As [`best_move_request`], for the game that is to be reviewed and the search of its positions.
///
/// # Errors
/// As [`best_move_request`].
pub fn review_request<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(BoardRequest, SearchParameters), Problem> {
    dto::read_texts::<ReviewRequest>(fields)?.split()
}

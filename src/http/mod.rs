//! The service over HTTP.
//!
//! A request passes, from the outside in: the connection (`server`, `connection`, `io_timeout`), the layers (`middleware`),
//! the routes (`router`), the extractor, which reads it into a job (`body`), and the handler of its resource, one file
//! each.

mod app;
mod assets;
mod batch;
mod best_move;
mod body;
mod build;
mod compression;
mod connection;
mod etag;
mod games;
mod io_timeout;
mod lines;
mod mcp;
mod metrics;
mod middleware;
mod operations;
mod position;
mod problem;
mod process_metrics;
mod request_id;
mod review;
mod router;
mod server;
mod sse;
mod tree;

use std::mem;
use std::sync::Arc;

use axum::Extension;
use axum::http::HeaderValue;

pub use self::app::{App, HttpLimits};
pub use self::build::{BUILD, LONG_VERSION, REVISION, VERSION};
use self::mcp::Origins;
pub use self::middleware::Stack;
pub use self::operations::healthcheck;
pub use self::router::{MCP, Route, contract_routes, routes};
pub use self::server::{listen, serve};

/// The routes with all layers around them. Pages of `origins` may read the answers. Pages of origins that are named, so not
/// by `*` alone, may use the tools.
pub fn stack(app: &Arc<App>, mut routes: Vec<Route>, origins: &[HeaderValue]) -> Stack {
    for (_, methods) in routes.iter_mut().filter(|(path, _)| *path == MCP) {
        *methods = mem::take(methods).layer(Extension(Origins::new(origins)));
    }
    middleware::layered(router::router(routes, Arc::clone(app)), app, origins)
}

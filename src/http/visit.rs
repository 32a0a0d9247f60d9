//! One request from its arrival to its answer: counted once and logged once, whatever becomes of
//! it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::HeaderValue;
use axum::response::Response;
use tracing::Level;

use super::metrics::{LEFT, Place};
use super::{App, request_id};
use crate::games::any::Terms;
use crate::service::{Found, Origin, Summary, Timing};

/// A request that is being answered.
pub(super) struct Visit<'a> {
    app: &'a Arc<App>,
    place: Place,
    id: HeaderValue,
    start: Instant,
    is_over: bool,
}

impl<'a> Visit<'a> {
    /// A request arrives.
    pub(super) fn begin(app: &'a Arc<App>, request: &mut Request) -> Self {
        let place = app.registers.place(request.uri().path(), request.method());
        let id = request_id::of(request.headers());
        // Whoever writes a problem into the middle of an answer finds the id there.
        request.headers_mut().insert(request_id::HEADER, id.clone());
        Self { app, place, id, start: Instant::now(), is_over: false }
    }

    /// The name of the request.
    pub(super) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    /// Its answer leaves.
    pub(super) fn end(mut self, mut response: Response) -> Response {
        let search = response.extensions_mut().remove::<SearchRecord>();
        self.record(response.status().as_u16(), search.as_ref());
        response.headers_mut().insert(request_id::HEADER, self.id.clone());
        response
    }

    fn record(&mut self, status: u16, search: Option<&SearchRecord>) {
        self.is_over = true;
        let duration = self.start.elapsed();
        self.app.registers.count(self.place, status, duration);
        if tracing::enabled!(Level::INFO) {
            self.log(status, duration, search);
        }
    }

    fn log(&self, status: u16, duration: Duration, search: Option<&SearchRecord>) {
        let (route, method) = self.app.registers.names(self.place);
        let micros = duration.as_micros() as u64;
        let Some(SearchRecord { asked, summary, timing, origin }) = search else {
            tracing::info!(id = self.id(), method, route, status, micros, "request");
            return;
        };
        tracing::info!(
            id = self.id(),
            method,
            route,
            status,
            micros,
            game = summary.game,
            depth_limit = asked.depth,
            nodes_limit = asked.nodes,
            time_limit_ms = asked.time.map(|time| time.as_millis() as u64),
            algorithm = summary.algorithm,
            depth = summary.depth,
            nodes = summary.nodes,
            stopped_by = summary.stopped_by.name(),
            answer = match origin {
                Origin::Search => "searched",
                Origin::SharedSearch => "shared",
                Origin::Kept => "kept",
            },
            queue_micros = timing.queue.as_micros() as u64,
            search_micros = timing.search.as_micros() as u64,
            "request"
        );
    }
}

impl Drop for Visit<'_> {
    /// The client has left before its answer.
    fn drop(&mut self) {
        if !self.is_over {
            self.record(LEFT, None);
        }
    }
}

/// The limits that a caller has set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    depth: Option<u64>,
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl From<&Terms> for Asked {
    fn from(terms: &Terms) -> Self {
        Self { depth: terms.depth, nodes: terms.nodes, time: terms.time }
    }
}

/// What the log says about a search; it travels with the answer.
#[derive(Clone, Debug)]
struct SearchRecord {
    asked: Asked,
    summary: Summary,
    timing: Timing,
    origin: Origin,
}

/// Sends along with an answer what the log says about its search, if there is a log.
pub(super) fn note(response: &mut Response, asked: Asked, found: &Found) {
    if tracing::enabled!(Level::INFO) {
        let Found { answer, timing, origin } = found;
        let (summary, timing, origin) = (answer.summary, *timing, *origin);
        response.extensions_mut().insert(SearchRecord { asked, summary, timing, origin });
    }
}

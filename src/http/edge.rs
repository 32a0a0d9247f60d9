//! What every request passes on its way in and every answer on its way out.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use tower_service::Service;

use super::cors::{self, Origins};
use super::operations::RequestLabels;
use super::problem::Problem;
use super::{App, Route, request_id, router};

/// The service as the connections see it.
pub struct Edge {
    router: Router,
    paths: Vec<&'static str>,
    origins: Origins,
    pub(super) app: Arc<App>,
}

impl Edge {
    /// An edge around these routes, whose answers pages of these origins may read.
    #[must_use]
    pub fn new(routes: Vec<Route>, app: Arc<App>, origins: Origins) -> Self {
        let paths = routes.iter().map(|&(path, _)| path).collect();
        Self { router: router(routes, app.clone()), paths, origins, app }
    }

    /// Answers a request, whatever happens.
    pub(super) async fn respond(&self, mut request: Request) -> Response {
        let start = Instant::now();
        let id = request_id::of(request.headers());
        // Whoever writes a problem into the middle of an answer finds the id there.
        request.headers_mut().insert(request_id::HEADER, id.clone());
        let labels = self.labels(&request);
        let origin = self.origins.allowed(request.headers());
        let response = if cors::is_preflight(request.method(), request.headers()) {
            cors::preflight()
        } else {
            self.routed(request).await.unwrap_or_else(|panic| fault(&id, panic.as_ref()))
        };
        let mut response = Problem::write_into(response, id.to_str().unwrap_or_default());
        self.origins.expose(origin, response.headers_mut());
        let labels = RequestLabels { status: response.status().as_u16(), ..labels };
        tracing::info!(
            id = id.to_str().unwrap_or_default(),
            method = labels.method,
            route = labels.route,
            status = labels.status,
            micros = start.elapsed().as_micros() as u64,
            "answered"
        );
        self.app.registers.count(&labels, start.elapsed());
        response.headers_mut().insert(request_id::HEADER, id);
        response
    }

    /// The router's answer, or what a handler panicked with.
    async fn routed(&self, request: Request) -> Result<Response, Box<dyn Any + Send>> {
        let mut router = self.router.clone();
        let mut answer = pin!(router.call(request));
        poll_fn(|cx| {
            // A handler that panicked is never asked again, and shares nothing but counters.
            match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(cx))) {
                Ok(Poll::Pending) => Poll::Pending,
                Ok(Poll::Ready(answer)) => Poll::Ready(Ok(answer.into_response())),
                Err(panic) => Poll::Ready(Err(panic)),
            }
        })
        .await
    }

    /// How a request is counted; a bounded number of ways, whatever it asks for.
    fn labels(&self, request: &Request) -> RequestLabels {
        let path = request.uri().path();
        let route = self.paths.iter().find(|route| matches(route, path));
        let method = match *request.method() {
            Method::GET => "GET",
            Method::HEAD => "HEAD",
            Method::POST => "POST",
            Method::OPTIONS => "OPTIONS",
            _ => "other",
        };
        RequestLabels { route: route.copied().unwrap_or("none"), method, status: 0 }
    }
}

/// Whether a path is on a route, whose last part may stand for anything.
fn matches(route: &str, path: &str) -> bool {
    match route.split_once('{') {
        None => route == path,
        Some((prefix, _)) => {
            path.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
        }
    }
}

fn fault(id: &HeaderValue, panic: &(dyn Any + Send)) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(?id, panic = text.unwrap_or("unknown"), "a handler panicked");
    Problem::internal().into_response()
}

//! What every request passes on its way in and every answer on its way out.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use tower_service::Service;

use super::cors::{self, Origins};
use super::problem::Problem;
use super::visit::Visit;
use super::{App, Limits, Route, router};
use crate::service;

/// The service as the connections see it.
pub struct Edge {
    router: Router,
    origins: Origins,
    pub(super) app: Arc<App>,
}

impl Edge {
    /// A service with these routes that takes on so much, lets a client cost so much, and may be
    /// read by pages of these origins.
    #[must_use]
    pub fn new(
        routes: Vec<Route>,
        capacity: &service::Limits,
        limits: Limits,
        origins: Origins,
    ) -> Self {
        let app = App::new(capacity, limits, &routes);
        Self { router: router(routes, Arc::clone(&app)), origins, app }
    }

    /// Answers a request, whatever happens.
    pub(super) async fn respond(&self, mut request: Request) -> Response {
        let visit = Visit::begin(&self.app, &mut request);
        let origin = self.origins.allowed(request.headers());
        let response = if cors::is_preflight(request.method(), request.headers()) {
            cors::preflight()
        } else {
            self.routed(request).await.unwrap_or_else(|panic| fault(visit.id(), panic.as_ref()))
        };
        let mut response = Problem::write_into(response, visit.id());
        self.origins.expose(origin, response.headers_mut());
        visit.end(response)
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
}

fn fault(id: &str, panic: &(dyn Any + Send)) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(id, panic = text.unwrap_or("unknown"), "a handler panicked");
    Problem::internal().into_response()
}

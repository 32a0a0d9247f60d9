//! What is counted, and how it is shown.

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use axum::http::Method;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::figures::Figures;
use super::{BUILD, Route};
use crate::service::{Histogram, Service};

/// The methods that are told apart, and one for all others.
const METHODS: [&str; 5] = ["GET", "POST", "HEAD", "OPTIONS", "other"];
/// The statuses that answers have. 499 stands for a client that left before its answer.
const STATUSES: [u16; 13] = [200, 204, 304, 400, 404, 405, 408, 413, 415, 422, LEFT, 500, 503];
/// The route of a request that is on none.
const NO_ROUTE: &str = "none";

/// The status under which a client that left is counted.
pub(super) const LEFT: u16 = 499;

/// All metrics.
pub(super) struct Registers {
    registry: Registry,
    requests: Family<Labels, Histogram, fn() -> Histogram>,
    /// The paths of the routes, and after them the one of no route.
    routes: Vec<&'static str>,
    /// The histograms of `requests` that are in use, by route, method and status.
    known: Vec<OnceLock<Histogram>>,
    kept_answers: Gauge,
    kept_bytes: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    route: &'static str,
    method: &'static str,
    status: u16,
}

/// Where a request is counted, but for the status of its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    route: usize,
    method: usize,
}

impl Registers {
    /// Registers that tell the requests to these routes apart.
    pub(super) fn new(service: &Service, routes: &[Route]) -> Self {
        let mut registry = Registry::default();
        let requests: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(Histogram::of_durations);
        let (kept_answers, kept_bytes) = (Gauge::default(), Gauge::default());
        let ours = registry.sub_registry_with_prefix("bestmove");
        ours.register_with_unit(
            "http_request_duration",
            "Requests, from the end of their head to the beginning of their answer; status 499 \
             where the client left before",
            Unit::Seconds,
            requests.clone(),
        );
        service.metrics().register(ours);
        ours.register("cache_answers", "Answers that are kept", kept_answers.clone());
        ours.register_with_unit("cache", "Room they occupy", Unit::Bytes, kept_bytes.clone());
        let version = ("version", env!("CARGO_PKG_VERSION"));
        ours.register("build", "The program", Info::new([version, ("build", BUILD)]));
        registry.register_collector(Box::new(Figures));
        let routes: Vec<_> = routes.iter().map(|&(path, _)| path).chain([NO_ROUTE]).collect();
        let places = routes.len() * METHODS.len() * STATUSES.len();
        let known = (0..places).map(|_| OnceLock::new()).collect();
        Self { registry, requests, routes, known, kept_answers, kept_bytes }
    }

    /// Where a request is counted: a bounded number of places, whatever it asks for.
    pub(super) fn place(&self, path: &str, method: &Method) -> Place {
        let route = self.routes.iter().position(|route| matches(route, path));
        let known = METHODS.iter().position(|&known| known == method.as_str());
        Place {
            route: route.unwrap_or(self.routes.len() - 1),
            method: known.unwrap_or(METHODS.len() - 1),
        }
    }

    /// The names of a place.
    pub(super) fn names(&self, place: Place) -> (&'static str, &'static str) {
        (self.routes[place.route], METHODS[place.method])
    }

    /// Counts a request that was answered.
    pub(super) fn count(&self, place: Place, status: u16, duration: Duration) {
        let (route, method) = self.names(place);
        let histogram = || self.requests.get_or_create_owned(&Labels { route, method, status });
        let Some(column) = STATUSES.iter().position(|&known| known == status) else {
            return histogram().observe_duration(duration);
        };
        let row = place.route * METHODS.len() + place.method;
        let cell = &self.known[row * STATUSES.len() + column];
        cell.get_or_init(histogram).observe_duration(duration);
    }

    /// Everything in the format of `OpenMetrics`.
    pub(super) fn text(&self, service: &Service) -> Result<String, fmt::Error> {
        let (answers, bytes) = service.kept();
        self.kept_answers.set(answers as i64);
        self.kept_bytes.set(bytes as i64);
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
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

//! Metrics of requests, and the text of all metrics.

use std::fmt;
use std::time::Duration;

use axum::http::Method;
use prometheus_client::encoding::{EncodeLabelSet, prometheus_text, text};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::build::{BUILD, REVISION, VERSION};
use super::process_metrics::ProcessMetrics;
use bestmove_service::{Service, duration_histogram};

/// The methods with a label of their own.
const METHODS: [&str; 4] = ["GET", "POST", "HEAD", "OPTIONS"];

/// Before the names of the metrics of the service.
pub(super) const PREFIX: &str = "bestmove";

/// The status under which a request is counted whose client left before its answer.
pub(super) const CLIENT_LEFT: u16 = 499;

/// All metrics of the service over HTTP.
pub(super) struct HttpMetrics {
    registry: Registry,
    requests: Family<Labels, Histogram, fn() -> Histogram>,
}

/// The labels of a request: a bounded number of values for any requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Labels {
    route: Box<str>,
    method: &'static str,
    pub(super) status: u16,
}

impl Labels {
    /// The labels of a request to a route, but for the status of its answer.
    pub(super) fn new(route: Option<&str>, method: &Method) -> Self {
        let known = METHODS.into_iter().find(|&known| known == method.as_str());
        let route = route.unwrap_or("none").into();
        Self { route, method: known.unwrap_or("other"), status: 0 }
    }
}

impl HttpMetrics {
    /// Metrics beside those that the `registry` of the service has.
    pub(super) fn new(mut registry: Registry) -> Self {
        let requests: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(duration_histogram);
        let ours = registry.sub_registry_with_prefix(PREFIX);
        ours.register_with_unit(
            "http_request_duration",
            "Requests, from the end of their head to the beginning of their answer; status 499 \
             where the client left before",
            Unit::Seconds,
            requests.clone(),
        );
        let mut build = vec![("version", VERSION), ("build", BUILD)];
        build.extend(REVISION.map(|revision| ("revision", revision)));
        ours.register("build", "The program", Info::new(build));
        registry.register_collector(Box::new(ProcessMetrics));
        Self { registry, requests }
    }

    /// Counts a request.
    pub(super) fn count(&self, labels: &Labels, duration: Duration) {
        self.requests.get_or_create(labels).observe(duration.as_secs_f64());
    }

    /// Everything, in the format of `OpenMetrics` or else in the text format 0.0.4 of Prometheus.
    pub(super) fn text(&self, service: &Service, is_open: bool) -> Result<String, fmt::Error> {
        service.update_gauges();
        let mut text = String::new();
        if is_open {
            text::encode(&mut text, &self.registry)?;
        } else {
            prometheus_text::encode(&mut text, &self.registry)?;
        }
        Ok(text)
    }
}

//! The state that the handlers share.

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::registry::Registry;

use super::metrics::{HttpMetrics, PREFIX};
use bestmove_engine::games::Knowledge;
use bestmove_service::{Service, ServiceLimits};

/// The limits of a connection and of the shutdown.
#[derive(Clone, Copy, Debug)]
pub struct HttpLimits {
    /// The greatest number of bytes in the body of a request.
    pub body: usize,
    /// The time in which the head of a request must arrive, and then its body.
    pub arrival: Duration,
    /// The time for which a connection is kept on which no byte moves.
    pub idle: Duration,
    /// The time that running searches have to finish by themselves when the server stops.
    pub drain: Duration,
}

/// The state that the handlers share.
pub struct App {
    pub(super) service: Arc<Service>,
    pub(super) limits: HttpLimits,
    pub(super) metrics: HttpMetrics,
}

impl App {
    /// A service within `capacity`, for connections within `limits`.
    pub fn new(capacity: &ServiceLimits, limits: HttpLimits, knowledge: Knowledge) -> Arc<Self> {
        let mut registry = Registry::default();
        let ours = registry.sub_registry_with_prefix(PREFIX);
        let service = Arc::new(Service::new(capacity, knowledge, ours));
        let metrics = HttpMetrics::new(registry);
        Arc::new(Self { service, limits, metrics })
    }
}

//! What the service counts.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::Summary;

/// Bounds of durations, from 10 microseconds to 10 seconds.
const SECONDS: [f64; 13] =
    [1e-5, 2.5e-5, 1e-4, 2.5e-4, 1e-3, 2.5e-3, 1e-2, 2.5e-2, 0.1, 0.25, 1.0, 2.5, 10.0];
const NODES: [f64; 9] = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const DEPTHS: [f64; 10] = [1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0];

/// A histogram of durations.
#[must_use]
pub fn durations() -> Histogram {
    Histogram::new(SECONDS)
}

type Histograms = Family<SearchLabels, Histogram, fn() -> Histogram>;

/// Counters of searches. A clone counts into the same ones.
#[derive(Clone, Debug)]
pub struct Metrics {
    duration: Histograms,
    nodes: Histograms,
    depth: Histograms,
    /// Searches that run.
    pub running: Gauge,
    /// Searches that wait for a worker.
    pub waiting: Gauge,
    /// Searches refused because the queue was full.
    pub refused: Counter,
    /// Searches whose caller left.
    pub abandoned: Counter,
    /// Questions whose answer was kept.
    pub hits: Counter,
    /// Questions whose answer had to be searched for, and could be kept.
    pub misses: Counter,
    /// Questions whose answer was being searched for already.
    pub shared: Counter,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SearchLabels {
    game: &'static str,
    algorithm: &'static str,
    stopped_by: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            duration: Family::new_with_constructor(durations),
            nodes: Family::new_with_constructor(|| Histogram::new(NODES)),
            depth: Family::new_with_constructor(|| Histogram::new(DEPTHS)),
            running: Gauge::default(),
            waiting: Gauge::default(),
            refused: Counter::default(),
            abandoned: Counter::default(),
            hits: Counter::default(),
            misses: Counter::default(),
            shared: Counter::default(),
        }
    }
}

impl Metrics {
    /// Counts a search that was answered.
    pub(super) fn count(&self, search: &Summary, duration: Duration) {
        let labels = SearchLabels {
            game: search.game,
            algorithm: search.algorithm,
            stopped_by: search.stopped_by.name(),
        };
        self.duration.get_or_create(&labels).observe(duration.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "a bucket is found for it, no more")]
        self.nodes.get_or_create(&labels).observe(search.nodes as f64);
        self.depth.get_or_create(&labels).observe(f64::from(search.depth));
    }

    /// Lets `registry` show what is counted.
    pub fn register(&self, registry: &mut Registry) {
        let Self { duration, nodes, depth, running, waiting, refused, abandoned, .. } =
            self.clone();
        registry.register_with_unit("search_duration", "Searches", Unit::Seconds, duration);
        registry.register("search_nodes", "Positions visited by a search", nodes);
        registry.register("search_depth", "Last depth completed by a search", depth);
        registry.register("searches_running", "Searches that run", running);
        registry.register("searches_waiting", "Searches that wait for a worker", waiting);
        registry.register("searches_refused", "Searches refused by a full queue", refused);
        registry.register("searches_abandoned", "Searches whose caller left", abandoned);
        let Self { hits, misses, shared, .. } = self.clone();
        registry.register("cache_hits", "Questions whose answer was kept", hits);
        registry.register("cache_misses", "Questions searched whose answer may be kept", misses);
        registry.register("cache_shared", "Questions that joined a search on its way", shared);
    }
}

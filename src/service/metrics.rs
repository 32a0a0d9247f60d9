//! What the service counts.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::Summary;

/// The upper bounds of durations, in seconds.
const DURATIONS: [f64; 13] =
    [1e-5, 2.5e-5, 1e-4, 2.5e-4, 1e-3, 2.5e-3, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0];
const NODES: [f64; 9] = [10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const DEPTHS: [f64; 10] = [1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0];

/// An empty histogram of durations.
#[must_use]
pub fn duration_histogram() -> Histogram {
    Histogram::new(DURATIONS)
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
    /// Searches that wait for a worker or for memory.
    pub waiting: Gauge,
    /// Bytes reserved for tables of searches, unsent answers and batch lines read ahead.
    pub memory: Gauge,
    /// The limit of `running`.
    pub workers: Gauge,
    /// The limit of `waiting`, batches apart.
    pub queue_limit: Gauge,
    /// The limit of `memory`.
    pub memory_limit: Gauge,
    /// Searches refused because the queue was full.
    pub refused: Counter,
    /// Searches whose caller left.
    pub abandoned: Counter,
    /// Requests whose answer was in the cache.
    pub hits: Counter,
    /// Requests that were searched, and whose answer may be cached.
    pub misses: Counter,
    /// Requests that joined a search in flight.
    pub shared: Counter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SearchLabels {
    game: &'static str,
    algorithm: &'static str,
    stopped_by: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            duration: Family::new_with_constructor(duration_histogram),
            nodes: Family::new_with_constructor(|| Histogram::new(NODES)),
            depth: Family::new_with_constructor(|| Histogram::new(DEPTHS)),
            running: Gauge::default(),
            waiting: Gauge::default(),
            memory: Gauge::default(),
            workers: Gauge::default(),
            queue_limit: Gauge::default(),
            memory_limit: Gauge::default(),
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
        #[expect(clippy::cast_precision_loss, reason = "no search visits 2^53 positions")]
        self.nodes.get_or_create(&labels).observe(search.nodes as f64);
        self.depth.get_or_create(&labels).observe(search.depth.into());
    }

    /// Lets `registry` show what is counted.
    pub fn register(&self, registry: &mut Registry) {
        let Self { duration, nodes, depth, running, waiting, refused, abandoned, .. } =
            self.clone();
        registry.register_with_unit("search_duration", "Searches", Unit::Seconds, duration);
        registry.register("search_nodes", "Positions visited by a search", nodes);
        registry.register("search_depth", "Last depth completed by a search", depth);
        registry.register("searches_running", "Searches that run", running);
        registry.register("searches_waiting", "Searches that wait for a worker or memory", waiting);
        registry.register("searches_refused", "Searches refused by a full queue", refused);
        registry.register("searches_abandoned", "Searches whose caller left", abandoned);
        let Self { memory, hits, misses, shared, .. } = self.clone();
        registry.register_with_unit(
            "search_memory",
            "Reserved for tables of searches, unsent answers and batch lines read ahead",
            Unit::Bytes,
            memory,
        );
        let Self { workers, queue_limit, memory_limit, .. } = self.clone();
        registry.register("workers", "Searches that may run at once", workers);
        registry.register("queue_limit", "Searches that may wait", queue_limit);
        let text = "What may be reserved for tables, unsent answers and batch lines read ahead";
        registry.register_with_unit("search_memory_limit", text, Unit::Bytes, memory_limit);
        registry.register("cache_hits", "Requests answered from the cache", hits);
        registry.register("cache_misses", "Requests searched whose answer may be cached", misses);
        registry.register("cache_shared", "Requests that joined a search in flight", shared);
    }
}

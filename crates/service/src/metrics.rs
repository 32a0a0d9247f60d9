//! The metrics of searches and of the cache.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};

use super::admission::ServiceLimits;
use bestmove_engine::games::any::SearchSummary;

/// The upper bounds of durations, in seconds.
const DURATIONS: [f64; 13] =
    [1e-5, 2.5e-5, 1e-4, 2.5e-4, 1e-3, 2.5e-3, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0];
const NODES: [f64; 9] = [10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const DEPTHS: [f64; 10] = [1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0];

/// An empty histogram of durations.
pub fn duration_histogram() -> Histogram {
    Histogram::new(DURATIONS)
}

type Histograms = Family<SearchLabels, Histogram, fn() -> Histogram>;

fn histograms(empty: fn() -> Histogram) -> Histograms {
    Family::new_with_constructor(empty)
}

/// Counters, gauges and histograms of searches.
pub(super) struct Metrics {
    duration: Histograms,
    nodes: Histograms,
    depth: Histograms,
    pub(super) refused: Counter,
    pub(super) abandoned: Counter,
    /// Requests whose answer was in the cache.
    pub(super) hits: Counter,
    /// Requests that were searched, and whose answer may be cached.
    pub(super) misses: Counter,
    /// Requests that joined a search in flight.
    pub(super) shared: Counter,
    pub(super) running: Gauge,
    /// Searches that wait for a worker or memory.
    pub(super) waiting: Gauge,
    memory: Gauge,
    cached_answers: Gauge,
    cached_bytes: Gauge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SearchLabels {
    game: &'static str,
    variant: &'static str,
    algorithm: &'static str,
    stopped_by: &'static str,
}

impl Metrics {
    /// Metrics that `registry` shows beside these `limits`.
    pub(super) fn new(registry: &mut Registry, limits: &ServiceLimits) -> Self {
        const RESERVED: &str = "tables of searches, unsent answers and batch lines read ahead";
        let [workers, queue, memory] =
            [limits.workers, limits.queue, limits.memory].map(|it| ConstGauge::new(number(it)));
        registry.register("workers", "Searches that may run at once", workers);
        registry.register("queue_limit", "Searches that may wait", queue);
        let help = format!("What may be reserved for {RESERVED}");
        registry.register_with_unit("search_memory_limit", help, Unit::Bytes, memory);
        let mut show = MetricsBuilder(registry);
        let (help, duration) = (format!("Reserved for {RESERVED}"), histograms(duration_histogram));
        let nodes = histograms(|| Histogram::new(NODES));
        let depth = histograms(|| Histogram::new(DEPTHS));
        Self {
            duration: show.metric("search_duration", "Searches", Some(Unit::Seconds), duration),
            nodes: show.metric("search_nodes", "Positions visited by a search", None, nodes),
            depth: show.metric("search_depth", "Last depth completed by a search", None, depth),
            refused: show.plain("searches_refused", "Searches refused by a full queue"),
            abandoned: show.plain("searches_abandoned", "Searches whose caller left"),
            hits: show.plain("cache_hits", "Requests answered from the cache"),
            misses: show.plain("cache_misses", "Requests searched whose answer may be cached"),
            shared: show.plain("cache_shared", "Requests that joined a search in flight"),
            running: show.plain("searches_running", "Searches that run"),
            waiting: show.plain("searches_waiting", "Searches that wait for a worker or memory"),
            memory: show.metric("search_memory", &help, Some(Unit::Bytes), Gauge::default()),
            cached_answers: show.plain("cache_answers", "Answers in the cache"),
            cached_bytes: show.metric(
                "cache",
                "Size of the answers",
                Some(Unit::Bytes),
                Gauge::default(),
            ),
        }
    }

    pub(super) fn count(
        &self,
        game: &'static str,
        variant: &'static str,
        search: &SearchSummary,
        duration: Duration,
    ) {
        let labels = SearchLabels {
            game,
            variant,
            algorithm: search.algorithm.name(),
            stopped_by: search.stopped_by.name(),
        };
        self.duration.get_or_create(&labels).observe(duration.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "no search visits 2^53 positions")]
        self.nodes.get_or_create(&labels).observe(search.nodes as f64);
        self.depth.get_or_create(&labels).observe(search.depth.into());
    }

    /// Sets the gauges of memory and cache.
    pub(super) fn set(&self, memory: usize, (answers, bytes): (u64, u64)) {
        self.memory.set(number(memory));
        self.cached_answers.set(number(answers));
        self.cached_bytes.set(number(bytes));
    }
}

/// The value of a gauge.
fn number(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// Makes and registers metrics.
struct MetricsBuilder<'a>(&'a mut Registry);

impl MetricsBuilder<'_> {
    fn plain<M: Metric + Clone + Default>(&mut self, name: &str, help: &str) -> M {
        self.metric(name, help, None, M::default())
    }

    fn metric<M>(&mut self, name: &str, help: &str, unit: Option<Unit>, metric: M) -> M
    where
        M: Metric + Clone,
    {
        match unit {
            Some(unit) => self.0.register_with_unit(name, help, unit, metric.clone()),
            None => self.0.register(name, help, metric.clone()),
        }
        metric
    }
}

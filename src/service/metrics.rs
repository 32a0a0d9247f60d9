//! What the service counts.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::Summary;
use super::histogram::{Histogram, Scale};

static NODES: Scale = Scale {
    bounds: &[10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000],
    unit: 1.0,
};
static DEPTHS: Scale = Scale { bounds: &[1, 2, 4, 6, 8, 12, 16, 24, 32, 48], unit: 1.0 };

type Histograms = Family<SearchLabels, Histogram, fn() -> Histogram>;

/// Counters of searches. A clone counts into the same ones.
#[derive(Clone, Debug)]
pub struct Metrics {
    duration: Histograms,
    nodes: Histograms,
    depth: Histograms,
    /// The three of each kind of search, found by one look.
    known: Arc<RwLock<HashMap<SearchLabels, [Histogram; 3]>>>,
    /// Searches that run.
    pub running: Gauge,
    /// Searches that wait for a worker or for memory.
    pub waiting: Gauge,
    /// Bytes that are reserved for the tables of searches.
    pub memory: Gauge,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SearchLabels {
    game: &'static str,
    algorithm: &'static str,
    stopped_by: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            duration: Family::new_with_constructor(Histogram::of_durations),
            nodes: Family::new_with_constructor(|| Histogram::new(&NODES)),
            depth: Family::new_with_constructor(|| Histogram::new(&DEPTHS)),
            known: Arc::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            memory: Gauge::default(),
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
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&labels).cloned();
        let [times, nodes, depths] = known.unwrap_or_else(|| self.histograms(labels));
        times.observe_duration(duration);
        nodes.observe(search.nodes);
        depths.observe(search.depth.into());
    }

    fn histograms(&self, labels: SearchLabels) -> [Histogram; 3] {
        let families = [&self.duration, &self.nodes, &self.depth];
        let histograms = families.map(|family| family.get_or_create_owned(&labels));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(labels, histograms.clone());
        histograms
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
            "Reserved for the tables of running searches",
            Unit::Bytes,
            memory,
        );
        registry.register("cache_hits", "Questions whose answer was kept", hits);
        registry.register("cache_misses", "Questions searched whose answer may be kept", misses);
        registry.register("cache_shared", "Questions that joined a search on its way", shared);
    }
}

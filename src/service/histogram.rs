//! Histograms that many threads count into without a lock.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::{EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::{MetricType, TypedMetric};

/// What a histogram counts.
#[derive(Debug)]
pub(super) struct Scale {
    /// The upper bounds of its buckets, ascending; one without a bound follows.
    pub(super) bounds: &'static [u64],
    /// What 1 is worth in the unit that is shown.
    pub(super) unit: f64,
}

/// Durations in nanoseconds, from 10 microseconds to 10 seconds; shown in seconds.
static DURATIONS: Scale = Scale {
    bounds: &[
        10_000,
        25_000,
        100_000,
        250_000,
        1_000_000,
        2_500_000,
        10_000_000,
        25_000_000,
        100_000_000,
        250_000_000,
        1_000_000_000,
        2_500_000_000,
        10_000_000_000,
    ],
    unit: 1e-9,
};

/// A histogram. A clone counts into the same one.
#[derive(Clone, Debug)]
pub struct Histogram(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    scale: &'static Scale,
    sum: AtomicU64,
    buckets: Box<[AtomicU64]>,
}

impl Histogram {
    /// An empty one.
    #[must_use]
    pub(super) fn new(scale: &'static Scale) -> Self {
        let buckets = (0..=scale.bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self(Arc::new(Counts { scale, sum: AtomicU64::new(0), buckets }))
    }

    /// An empty one for durations.
    #[must_use]
    pub fn of_durations() -> Self {
        Self::new(&DURATIONS)
    }

    /// Counts a value.
    pub fn observe(&self, value: u64) {
        let Counts { scale, sum, buckets } = &*self.0;
        let bucket = scale.bounds.partition_point(|&bound| bound < value);
        buckets[bucket].fetch_add(1, Ordering::Relaxed);
        sum.fetch_add(value, Ordering::Relaxed);
    }

    /// Counts a duration, where the scale is one of nanoseconds.
    pub fn observe_duration(&self, duration: Duration) {
        self.observe(duration.as_nanos() as u64);
    }
}

impl EncodeMetric for Histogram {
    #[expect(clippy::cast_precision_loss, reason = "sums and bounds are read by people")]
    fn encode(&self, mut encoder: MetricEncoder) -> fmt::Result {
        let Counts { scale, sum, buckets } = &*self.0;
        let bounds = scale.bounds.iter().map(|&bound| bound as f64 * scale.unit);
        let counts = buckets.iter().map(|count| count.load(Ordering::Relaxed));
        let buckets: Vec<_> = bounds.chain([f64::MAX]).zip(counts).collect();
        let count = buckets.iter().map(|(_, count)| count).sum();
        let sum = sum.load(Ordering::Relaxed) as f64 * scale.unit;
        encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}

impl TypedMetric for Histogram {
    const TYPE: MetricType = MetricType::Histogram;
}

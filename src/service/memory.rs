//! The memory that all searches share: one that finds too little left waits for others to end, and
//! never searches with less.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Overloaded;

/// What one permit stands for: small enough for the smallest search.
const PERMIT: usize = 1024;

/// So many bytes, lent to searches in the order in which they ask.
pub(super) struct Memory {
    free: Arc<Semaphore>,
    all: u32,
    reserved: Gauge,
    /// Searches that wait for some.
    wanted: AtomicUsize,
}

/// Memory lent to a search, given back when it is dropped.
pub(super) struct Reservation {
    permit: OwnedSemaphorePermit,
    reserved: Gauge,
}

impl Memory {
    /// So many bytes; `reserved` shows how many of them are lent.
    pub(super) fn new(bytes: usize, reserved: Gauge) -> Self {
        let all = u32::try_from(bytes / PERMIT).unwrap_or(u32::MAX);
        Self {
            free: Arc::new(Semaphore::new(all as usize)),
            all,
            reserved,
            wanted: AtomicUsize::new(0),
        }
    }

    /// Lends so many bytes at once, if they are free and nobody waits for them.
    pub(super) fn try_reserve(&self, bytes: usize) -> Option<Reservation> {
        let permit = Arc::clone(&self.free).try_acquire_many_owned(self.permits(bytes)).ok()?;
        Some(self.lent(permit))
    }

    /// Lends so many bytes, waited for.
    ///
    /// # Errors
    /// Where the service is about to stop.
    pub(super) async fn reserve(&self, bytes: usize) -> Result<Reservation, Overloaded> {
        let _wish = Wish::new(&self.wanted);
        let permit = Arc::clone(&self.free).acquire_many_owned(self.permits(bytes)).await;
        permit.map(|permit| self.lent(permit)).map_err(|_| Overloaded::Draining)
    }

    /// Whether anyone waits, so that a batch should give way: another part of the same batch too,
    /// whose answers may be due first.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    /// Sends away all that wait.
    pub(super) fn close(&self) {
        self.free.close();
    }

    /// No search needs more than all, which the settings see to; if one did, it would run alone.
    fn permits(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(PERMIT)).unwrap_or(u32::MAX).min(self.all)
    }

    fn lent(&self, permit: OwnedSemaphorePermit) -> Reservation {
        self.reserved.inc_by((permit.num_permits() * PERMIT) as i64);
        Reservation { permit, reserved: self.reserved.clone() }
    }
}

/// A search that waits.
struct Wish<'a>(&'a AtomicUsize);

impl<'a> Wish<'a> {
    fn new(wanted: &'a AtomicUsize) -> Self {
        wanted.fetch_add(1, Ordering::Relaxed);
        Self(wanted)
    }
}

impl Drop for Wish<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.reserved.dec_by((self.permit.num_permits() * PERMIT) as i64);
    }
}

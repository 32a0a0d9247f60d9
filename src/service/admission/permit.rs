//! Permits and reservations, and the state that they share.

use std::mem::take;
use std::sync::Arc;

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::runtime::Handle;

use super::queue::{Priority, Queue, Waiter};

/// What all permits share.
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    pub(super) workers: usize,
    /// The size of the queue: single requests that may wait.
    pub(super) queue: usize,
    /// Bytes of memory. A search that needs more waits for all of it.
    pub(super) total: usize,
    /// The bytes that batches may read ahead: what the largest search leaves of all memory.
    pub(super) max_read_ahead: usize,
}

/// What is free, and who waits for it.
pub(super) struct State {
    pub(super) free_workers: usize,
    pub(super) memory: Memory,
    pub(super) queue: Queue<Job>,
    pub(super) is_closed: bool,
}

/// What runs once it has a permit, and where.
pub(super) struct Job {
    pub(super) run: Box<dyn FnOnce(Permit) + Send>,
    pub(super) runtime: Handle,
}

/// A job that may run now.
struct Admitted(Job, Permit);

/// The memory that is in use, in bytes.
pub(super) struct Memory {
    /// Below zero where finished answers need more than is free.
    pub(super) free: i64,
    /// What running searches hold.
    pub(super) searches: usize,
    pub(super) read_ahead: usize,
}

impl Memory {
    /// Whether so many bytes may be taken by a search once those that run have given back `returned`
    /// bytes. A search that runs alone may have all it needs, or answers that nobody reads could keep
    /// it waiting.
    fn fits(&self, bytes: usize, returned: usize) -> bool {
        bytes as i64 <= self.free + returned as i64 || bytes == 0 || self.searches == returned
    }

    /// Sets the bytes that a running search holds.
    fn resize(&mut self, from: usize, to: usize) {
        self.searches = self.searches + to - from;
        self.free += from as i64 - to as i64;
    }
}

impl State {
    /// The number of the search that may run next.
    pub(super) fn next(&self) -> Option<u64> {
        if self.free_workers == 0 {
            return None;
        }
        self.queue.next(|bytes| self.memory.fits(bytes, 0))
    }

    /// Takes the next search off the queue, with a worker and its memory.
    fn take_next(&mut self) -> Option<Waiter<Job>> {
        if self.free_workers == 0 {
            return None;
        }
        let taken = self.queue.take_next(|bytes| self.memory.fits(bytes, 0))?;
        self.free_workers -= 1;
        self.memory.resize(0, taken.memory);
        Some(taken)
    }
}

/// The right to search on a worker, with memory, until it is dropped.
pub(in crate::service) struct Permit {
    shared: Arc<Shared>,
    priority: Priority,
    memory: usize,
}

/// Memory outside of a search: an answer that waits to be sent, or a line that waits to be searched.
pub struct Reservation {
    shared: Arc<Shared>,
    bytes: usize,
    is_read_ahead: bool,
}

impl Reservation {
    /// An answer that holds the reservation until it is dropped.
    pub fn hold(self, body: impl Into<Bytes>) -> Bytes {
        Bytes::from_owner(HeldAnswer { body: body.into(), _memory: self })
    }

    /// Adds the memory of another one of the same kind.
    pub(crate) fn merge(&mut self, mut other: Self) {
        if self.is_read_ahead == other.is_read_ahead {
            self.bytes += take(&mut other.bytes);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut state = self.shared.state.lock();
        state.memory.free += self.bytes as i64;
        if self.is_read_ahead {
            state.memory.read_ahead -= self.bytes;
        }
        self.shared.grant(&mut state);
    }
}

/// A serialised answer that is counted as memory until it is dropped.
struct HeldAnswer {
    body: Bytes,
    _memory: Reservation,
}

impl AsRef<[u8]> for HeldAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl Shared {
    /// Admits those that may search now. They start once the lock is free, since one that cannot start
    /// gives its permit back.
    pub(super) fn grant(self: &Arc<Self>, state: &mut MutexGuard<'_, State>) {
        while let Some(admitted) = self.take_next(state) {
            MutexGuard::unlocked(state, || {
                let runtime = admitted.0.runtime.clone();
                runtime.spawn_blocking(move || admitted.run());
            });
        }
    }

    fn take_next(self: &Arc<Self>, state: &mut State) -> Option<Admitted> {
        let Waiter { priority, memory, job, .. } = state.take_next()?;
        Some(Admitted(job, Permit { shared: Arc::clone(self), priority, memory }))
    }

    /// Memory for lines that wait to be searched, if there is some left beside the largest search.
    pub(super) fn try_read_ahead(self: &Arc<Self>, bytes: usize) -> Option<Reservation> {
        let Memory { free, read_ahead, .. } = &mut self.state.lock().memory;
        if *read_ahead + bytes > self.max_read_ahead || *free < bytes as i64 {
            return None;
        }
        *read_ahead += bytes;
        *free -= bytes as i64;
        Some(Reservation { shared: Arc::clone(self), bytes, is_read_ahead: true })
    }

    /// Counts the memory of an answer, which exists already, until the reservation is dropped.
    pub(super) fn reserve_answer(self: &Arc<Self>, bytes: usize) -> Reservation {
        self.state.lock().memory.free -= bytes as i64;
        Reservation { shared: Arc::clone(self), bytes, is_read_ahead: false }
    }
}

impl Admitted {
    /// Runs the job, and after it on the same thread those that wait: waking another thread for each costs
    /// more than a short search.
    fn run(self) {
        let shared = Arc::clone(&self.1.shared);
        let mut next = Some(self);
        while let Some(Self(job, permit)) = next {
            (job.run)(permit);
            let mut state = shared.state.lock();
            next = shared.take_next(&mut state);
            shared.grant(&mut state);
        }
    }
}

impl Permit {
    /// Sets the memory to so many bytes, if that many are free.
    pub(in crate::service) fn try_resize(&mut self, bytes: usize) -> bool {
        let memory = &mut self.shared.state.lock().memory;
        let bytes = bytes.min(self.shared.total);
        let fits = memory.fits(bytes, self.memory);
        if fits {
            memory.resize(self.memory, bytes);
            self.memory = bytes;
        }
        fits
    }

    /// Turns the memory of the search into that of its answer.
    pub(in crate::service) fn split_answer(&mut self, bytes: usize) -> Reservation {
        let reservation = self.shared.reserve_answer(bytes);
        self.try_resize(0);
        reservation
    }

    /// Whether one waits that should be admitted in the place of this one.
    pub(in crate::service) fn is_wanted(&self) -> bool {
        let State { memory, queue, .. } = &*self.shared.state.lock();
        queue.precedes(self.priority, |bytes| memory.fits(bytes, self.memory))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        state.free_workers += 1;
        state.memory.resize(self.memory, 0);
        state.queue.end(self.priority);
    }
}

//! Which search runs next: permits for workers, and the memory that searches, waiting answers and batch
//! read-ahead share. A search runs on the blocking thread pool as soon as it has its permit.
//!
//! Written by hand because a permit takes a worker and memory in one step, and because of the order of
//! waiting searches (`queue`).

mod permit;
mod queue;

use std::sync::Arc;

use parking_lot::Mutex;
use thiserror::Error;
use tokio::runtime::Handle;

pub(super) use self::permit::Permit;
pub use self::permit::Reservation;
use self::permit::{Job, Memory, Shared, State};
pub(super) use self::queue::Priority;
use self::queue::Queue;

/// There is no place for another search.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Overloaded {
    /// As many searches wait as may.
    #[error("the queue is full: {0} searches are waiting already; try again later")]
    QueueFull(usize),
    /// The service is about to stop.
    #[error("the service is shutting down; ask another replica")]
    Draining,
}

/// Permits to search, each for one worker and some memory.
#[derive(Clone)]
pub(super) struct Admission(Arc<Shared>);

/// A place in the queue. Dropped, it is given up.
pub(super) struct Ticket {
    shared: Arc<Shared>,
    /// The number of the search.
    pub(super) number: u64,
}

/// What is in use.
pub(super) struct Usage {
    pub(super) running: usize,
    pub(super) waiting: usize,
    /// Bytes.
    pub(super) memory: i64,
}

impl Admission {
    /// Permits for so many `workers` with so many bytes of `memory`, of which the largest search
    /// needs `largest`; so many single requests may wait in the `queue`.
    pub(super) fn new(workers: usize, queue: usize, memory: usize, largest: usize) -> Self {
        let state = Mutex::new(State {
            free_workers: workers,
            memory: Memory { free: memory as i64, searches: 0, read_ahead: 0 },
            queue: Queue::default(),
            is_closed: false,
        });
        let max_read_ahead = memory.saturating_sub(largest);
        Self(Arc::new(Shared { state, workers, queue, total: memory, max_read_ahead }))
    }

    /// A place in the queue for a `job` with so many bytes of memory. Batches take no place of single
    /// requests. It must be called in the context of a runtime.
    pub(super) fn enqueue(
        &self,
        priority: Priority,
        memory: usize,
        job: impl FnOnce(Permit) + Send + 'static,
    ) -> Result<Ticket, Overloaded> {
        let job = Job { run: Box::new(job), runtime: Handle::current() };
        let (shared, mut state) = (&self.0, self.0.state.lock());
        // Where a permit has just been given back, those that wait have its worker and leave a place.
        shared.grant(&mut state);
        if state.is_closed {
            return Err(Overloaded::Draining);
        }
        let number = state.queue.push(priority, memory.min(shared.total), job);
        let is_full = priority == Priority::Single && state.queue.singles() > shared.queue;
        if is_full && state.next() != Some(number) {
            let refused = state.queue.remove(number);
            drop(state);
            // What its job holds may give memory back, so it is dropped without the lock.
            drop(refused);
            return Err(Overloaded::QueueFull(shared.queue));
        }
        shared.grant(&mut state);
        Ok(Ticket { shared: Arc::clone(shared), number })
    }

    /// Gives a search of a batch the priority of a single request, if it still waits.
    pub(super) fn raise(&self, number: u64) {
        let mut state = self.0.state.lock();
        if state.queue.raise(number) {
            self.0.grant(&mut state);
        }
    }

    /// Memory for lines that wait to be searched, if there is some left beside the largest search.
    pub(super) fn try_read_ahead(&self, bytes: usize) -> Option<Reservation> {
        self.0.try_read_ahead(bytes)
    }

    /// Counts the memory of an answer, which exists already, until the reservation is dropped.
    pub(super) fn reserve_answer(&self, bytes: usize) -> Reservation {
        self.0.reserve_answer(bytes)
    }

    /// As [`reserve_answer`](Self::reserve_answer), unless memory is used up.
    pub(super) fn try_reserve_answer(&self, bytes: usize) -> Option<Reservation> {
        let has_free = self.0.state.lock().memory.free >= bytes as i64;
        has_free.then(|| self.reserve_answer(bytes))
    }

    /// Refuses all that wait and all that come.
    pub(super) fn close(&self) {
        let mut state = self.0.state.lock();
        state.is_closed = true;
        let waiting = state.queue.take_all();
        drop(state);
        // The lines that a batch has read ahead give their memory back, which takes the lock.
        drop(waiting);
    }

    /// What is in use.
    pub(super) fn usage(&self) -> Usage {
        let state = self.0.state.lock();
        Usage {
            running: self.0.workers - state.free_workers,
            waiting: state.queue.len(),
            memory: self.0.total as i64 - state.memory.free,
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        let waited = state.queue.remove(self.number);
        if waited.is_some() {
            // It may have kept others from passing.
            self.shared.grant(&mut state);
        }
        // What its job holds may give memory back, which takes the lock.
        drop(state);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::runtime::Runtime;

    use super::*;

    #[test]
    fn a_search_of_a_batch_that_a_single_request_joins_runs_before_other_batches() {
        let runtime = Runtime::new().expect("a runtime starts");
        let _context = runtime.enter();
        let admission = Admission::new(1, 1, 100, 1);
        let (end, is_over) = mpsc::channel::<()>();
        let (sender, order) = mpsc::channel();
        let enqueue = |priority, name| {
            let sender = sender.clone();
            let job = move |_| sender.send(name).expect("the test listens");
            admission.enqueue(priority, 1, job).expect("there is a place")
        };
        let occupy = move |_| is_over.recv().expect("the test ends it");
        let _first = admission.enqueue(Priority::Single, 1, occupy).expect("there is a place");
        let _batch = enqueue(Priority::Batch(1), "batch");
        let joined = enqueue(Priority::Batch(2), "joined");
        admission.raise(joined.number);
        end.send(()).expect("it waits");
        assert_eq!([order.recv(), order.recv()], [Ok("joined"), Ok("batch")]);
    }

    #[test]
    fn waiting_searches_that_hold_memory_give_it_back_when_the_service_ends() {
        let runtime = Runtime::new().expect("a runtime starts");
        let _context = runtime.enter();
        let admission = Admission::new(1, 1, 100, 1);
        let (end, is_over) = mpsc::channel::<()>();
        let occupy = move |_| is_over.recv().expect("the test ends it");
        let _first = admission.enqueue(Priority::Single, 0, occupy).expect("there is a place");
        let line = admission.try_read_ahead(50).expect("there is memory");
        let _ticket = admission
            .enqueue(Priority::Batch(1), 1, move |_| drop(line))
            .expect("batches take no place in the queue");
        let (closed, is_closed) = mpsc::channel();
        let closing = admission.clone();
        std::thread::spawn(move || {
            closing.close();
            closed.send(()).expect("the test waits");
        });
        let limit = std::time::Duration::from_secs(10);
        is_closed.recv_timeout(limit).expect("the end of the service waits for no search");
        assert_eq!(admission.usage().memory, 0);
        end.send(()).expect("it waits");
    }
}

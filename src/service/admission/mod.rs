//! Which search runs next: permits for workers, and the memory that searches, waiting answers and batch
//! read-ahead share. A search runs on the blocking thread pool as soon as it has its permit.
//!
//! Written by hand because a permit takes a worker and memory in one step, and because of the order of
//! waiting searches (`queue`).

mod queue;
mod reservation;

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use thiserror::Error;
use tokio::runtime::Handle;

pub(super) use self::queue::Priority;
use self::queue::{Queue, Waiter};
pub use self::reservation::Reservation;

/// There is no place for another search.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Overloaded {
    /// As many searches wait as may.
    #[error("{0} searches are waiting already; try again later")]
    QueueFull(usize),
    /// The service is about to stop.
    #[error("the service is shutting down; ask another replica")]
    Draining,
}

/// Permits to search, each for one worker and some memory.
#[derive(Clone)]
pub(super) struct Admission(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    workers: usize,
    /// The size of the queue: single requests that may wait.
    queue: usize,
    /// Bytes of memory. A search that needs more waits for all of it.
    total: usize,
    /// The bytes that batches may read ahead: what the largest search leaves of all memory.
    max_read_ahead: usize,
}

struct State {
    free_workers: usize,
    memory: Memory,
    queue: Queue<Job>,
    is_closed: bool,
}

/// What runs once it has a permit, and where.
struct Job {
    run: Box<dyn FnOnce(Permit) + Send>,
    runtime: Handle,
}

/// A job that may run now.
struct Admitted(Job, Permit);

/// The memory that is in use, in bytes.
struct Memory {
    /// Below zero where finished answers need more than is free.
    free: i64,
    /// What running searches hold.
    searches: usize,
    read_ahead: usize,
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
    fn next(&self) -> Option<u64> {
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
pub(super) struct Permit {
    shared: Arc<Shared>,
    priority: Priority,
    memory: usize,
}

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

    /// Memory for a line that waits to be searched, if there is some left beside the largest search.
    pub(super) fn try_read_ahead(&self, bytes: usize) -> Option<Reservation> {
        let Memory { free, read_ahead, .. } = &mut self.0.state.lock().memory;
        if *read_ahead + bytes > self.0.max_read_ahead || *free < bytes as i64 {
            return None;
        }
        *read_ahead += bytes;
        *free -= bytes as i64;
        Some(Reservation { shared: Arc::clone(&self.0), bytes, is_read_ahead: true })
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

impl Shared {
    /// Admits those that may search now. They start once the lock is free, since one that cannot start
    /// gives its permit back.
    fn grant(self: &Arc<Self>, state: &mut MutexGuard<'_, State>) {
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

    fn reserve_answer(self: &Arc<Self>, bytes: usize) -> Reservation {
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

impl Permit {
    /// Sets the memory to so many bytes, if that many are free.
    pub(super) fn try_resize(&mut self, bytes: usize) -> bool {
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
    pub(super) fn split_answer(&mut self, bytes: usize) -> Reservation {
        let reservation = self.shared.reserve_answer(bytes);
        self.try_resize(0);
        reservation
    }

    /// Whether one waits that should be admitted in the place of this one.
    pub(super) fn is_wanted(&self) -> bool {
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

//! The lines of a batch: searched a group at a time on one worker.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::admission::Priority;
use super::include::extended;
use super::pool::Step;
use super::{Failure, Finished, PreparedSearch, Service};

/// A batch of requests. Its groups of lines share the workers fairly with other batches.
#[derive(Clone)]
pub struct Batch {
    service: Arc<Service>,
    priority: Priority,
}

impl Service {
    /// A new batch.
    pub fn batch(self: &Arc<Self>) -> Batch {
        Batch { service: Arc::clone(self), priority: self.core.pool.new_batch() }
    }

    /// The answer to a search, found on the present thread.
    fn search_here(&self, prepared: PreparedSearch, stop: &AtomicBool) -> Arc<Finished> {
        let PreparedSearch { search, key, extension } = prepared;
        let core = &self.core;
        let start = Instant::now();
        let answer = Arc::new(Finished::new(search.run(stop), core.writers.answer));
        core.metrics.count(&answer.summary, start.elapsed());
        if key.is_deterministic() {
            core.metrics.misses.inc();
            if !answer.is_cut_short() {
                core.cache.insert(key, Arc::clone(&answer));
            }
        }
        extended(answer, extension, core.writers)
    }

    fn search_line(
        &self,
        prepared: PreparedSearch,
        stop: &AtomicBool,
    ) -> Result<Arc<Finished>, Failure> {
        let search = AssertUnwindSafe(|| self.search_here(prepared, stop));
        catch_unwind(search).map_err(|panic| Failure::panicked(&*panic))
    }
}

impl Batch {
    /// Answers a group of lines one after the other. `next` reads a line, `None` after the last one;
    /// `answered` takes the answer to each and says whether to go on. A line whose search panics
    /// does not affect others.
    ///
    /// # Errors
    /// Where the service is about to stop: the rest of the lines has no answer.
    pub async fn answer_group<E: From<Failure> + Send + 'static>(
        &self,
        mut next: impl FnMut(&AtomicBool) -> Option<Result<PreparedSearch, E>> + Send + 'static,
        mut answered: impl FnMut(Result<Arc<Finished>, E>) -> bool + Send + 'static,
    ) -> Result<(), Failure> {
        let service = Arc::clone(&self.service);
        let mut waiting = None;
        let step = move |stop: &AtomicBool| {
            let answer = match waiting.take() {
                Some(prepared) => service.search_line(prepared, stop).map_err(E::from),
                None => match next(stop) {
                    None => return Step::Done,
                    Some(Err(error)) => Err(error),
                    Some(Ok(prepared)) => {
                        let cached = service.cached(&prepared);
                        let Some(answer) = cached else {
                            let memory = prepared.search.memory();
                            waiting = Some(prepared);
                            return Step::NeedsMemory(memory);
                        };
                        Ok(extended(answer, prepared.extension, service.core.writers))
                    }
                },
            };
            if answered(answer) { Step::Next } else { Step::Done }
        };
        self.service.core.pool.run_batch(self.priority, step).await
    }
}

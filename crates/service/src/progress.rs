//! A search that reports every completed depth. It runs for one caller alone, cached or not.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use futures_util::FutureExt;
use futures_util::future::poll_immediate;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::task::AbortOnDropHandle;

use super::cache::SearchResult;
use super::{Extension, Failure, PreparedSearch, Priority, Reservation, Service};
use bestmove_engine::games::any::Answer;

/// What is reported of a search.
pub enum Event {
    /// A depth is completed: the answer so far.
    Progress(Arc<Answer>),
    /// The search is done: the last event.
    Result(Arc<Answer>),
    /// There is no answer: the last event.
    Failure(Failure),
}

/// The events of a search. Dropped, it stops the search. The search does not wait for a reader.
pub struct Progress {
    search: Option<AbortOnDropHandle<SearchResult>>,
    depths: UnboundedReceiver<(Arc<Answer>, Reservation)>,
}

impl Service {
    /// Searches the best move of a position and reports every completed depth. A progress event is left
    /// out where no memory is free for it.
    ///
    /// # Errors
    /// Where there is no place for another search.
    pub async fn progress(&self, prepared: PreparedSearch) -> Result<Progress, Failure> {
        let (observer, depths) = unbounded_channel();
        let PreparedSearch { search, extension, key } = prepared;
        let caller = self.core.pool.caller(Priority::Single)?;
        let more = extension.as_ref().and_then(Extension::memory);
        let memory = search.memory().max(more.unwrap_or(0));
        let core = Arc::clone(&self.core);
        let reporting = Arc::clone(&core);
        let job = move |stop: &AtomicBool| {
            let report = &mut |answer: Answer| {
                let answer = match &extension {
                    Some(extension) => extension.seen(answer),
                    None => answer,
                };
                if let Some(memory) = reporting.pool.try_reserve(answer.weight()) {
                    // A client that has left has stopped the search.
                    let _ = observer.send((Arc::new(answer), memory));
                }
            };
            let answer = Arc::new(search.run_with_progress(stop, report));
            match &extension {
                Some(extension) => extension.extend(answer, stop),
                None => answer,
            }
        };
        let mut search = async move { core.run(&key, caller, memory, job).await }.boxed();
        // The search goes on while nobody reads its events.
        let search = match poll_immediate(&mut search).await {
            Some(Err(refused)) => return Err(refused),
            Some(done) => tokio::spawn(ready(done)),
            None => tokio::spawn(search),
        };
        let search = Some(AbortOnDropHandle::new(search));
        Ok(Progress { search, depths })
    }
}

impl Progress {
    /// The next event; none after the last one.
    pub async fn next(&mut self) -> Option<Event> {
        // The search drops its sender at its end.
        if let Some((depth, _)) = self.depths.recv().await {
            return Some(Event::Progress(depth));
        }
        Some(match self.search.take()?.await {
            Ok(Ok((answer, _))) => Event::Result(answer),
            Ok(Err(failure)) => Event::Failure(failure),
            Err(panic) => Event::Failure(Failure::Panicked(panic.to_string())),
        })
    }
}

//! The cache of answers, and single flight: one search for all callers with equal jobs at one time.
//!
//! A shared search belongs to its waiters: each of them polls it, and when the last one has left it
//! is dropped, which stops it. (A coalescing cache makes the first caller's future the worker: when that
//! caller leaves, the next one starts again.)

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::{Shared, WeakShared};
use parking_lot::Mutex;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::pool::Timing;
use super::{Failure, write_json};
use bestmove_api::JobKey;
use bestmove_engine::games::any::Answer;

/// An answer with its JSON.
#[derive(Debug)]
pub struct WrittenAnswer {
    /// The answer.
    pub answer: Answer,
    /// Its JSON.
    pub json: Bytes,
}

impl WrittenAnswer {
    /// Writes the JSON of `answer`.
    pub(super) fn new(answer: Answer) -> Result<Self, Failure> {
        Ok(Self { json: write_json(&answer)?, answer })
    }

    /// The approximate number of bytes in memory.
    fn weight(&self) -> usize {
        self.answer.weight() + self.json.len()
    }
}

/// The cached answers. The least used ones are evicted.
pub(super) struct AnswerCache(Option<Cache<Arc<JobKey>, Arc<WrittenAnswer>, Bytewise>>);

impl AnswerCache {
    /// A cache of at most `bytes`; with 0 it keeps nothing.
    pub(super) fn new(bytes: u64) -> Self {
        /// The bytes of a usual answer with its key.
        const USUAL: u64 = 3072;
        Self((bytes > 0).then(|| Cache::with_weighter((bytes / USUAL) as usize, bytes, Bytewise)))
    }

    pub(super) fn get(&self, key: &JobKey) -> Option<Arc<WrittenAnswer>> {
        self.0.as_ref()?.get(key)
    }

    pub(super) fn insert(&self, key: Arc<JobKey>, answer: Arc<WrittenAnswer>) {
        if let Some(cache) = &self.0 {
            cache.insert(key, answer);
        }
    }

    /// The number of answers, and the bytes that they occupy.
    pub(super) fn size(&self) -> (u64, u64) {
        self.0.as_ref().map_or((0, 0), |cache| (cache.len() as u64, cache.weight()))
    }
}

/// Weighs answers by the bytes that they occupy with their keys.
#[derive(Clone)]
struct Bytewise;

impl Weighter<Arc<JobKey>, Arc<WrittenAnswer>> for Bytewise {
    fn weight(&self, key: &Arc<JobKey>, answer: &Arc<WrittenAnswer>) -> u64 {
        /// The approximate number of bytes that the cache itself needs for an entry.
        const ENTRY: usize = 100;
        (key.search.weight() + answer.weight() + ENTRY) as u64
    }
}

pub(super) type JobResult = Result<(Arc<WrittenAnswer>, Timing), Failure>;
/// A search in flight, for one of its waiters.
pub(super) type SharedSearch = Shared<BoxedSearch>;
type BoxedSearch = Pin<Box<dyn Future<Output = JobResult> + Send>>;

/// The searches in flight, by their keys.
#[derive(Clone, Default)]
pub(super) struct SingleFlight(Arc<Mutex<HashMap<Arc<JobKey>, WeakShared<BoxedSearch>>>>);

impl SingleFlight {
    /// The search of `key` that is in flight, else `search`, and whether it was in flight.
    pub(super) fn join_or_start(
        &self,
        key: &Arc<JobKey>,
        search: impl Future<Output = JobResult> + Send + 'static,
    ) -> (SharedSearch, bool) {
        // No search is polled or dropped under this lock.
        let mut searches = self.0.lock();
        if let Some(search) = searches.get(key).and_then(WeakShared::upgrade) {
            return (search, true);
        }
        let listed = Listed { single_flight: self.clone(), key: Arc::clone(key) };
        let search = async move {
            let _listed = listed;
            search.await
        };
        let search = search.boxed().shared();
        // `extend` would keep an equal key of a dropped search, but `Listed` compares keys by address.
        searches.remove(key);
        searches.extend(search.downgrade().map(|weak| (Arc::clone(key), weak)));
        (search, false)
    }
}

/// Takes a search off the list when it ends, finished or not.
struct Listed {
    single_flight: SingleFlight,
    key: Arc<JobKey>,
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut searches = self.single_flight.0.lock();
        // Another search may have taken the place since the last waiter left this one.
        if searches.get_key_value(&self.key).is_some_and(|(key, _)| Arc::ptr_eq(key, &self.key)) {
            searches.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;
    use bestmove_api::{Context, Include, Job};
    use bestmove_engine::games::any::SearchParameters;
    use bestmove_engine::games::catalogue;

    #[test]
    fn callers_of_the_same_key_share_a_search_that_ends_with_the_last_of_them() {
        let single_flight = SingleFlight::default();
        let board = || catalogue()[0].board(None, &[]).expect("the start");
        let (parameters, context) = (SearchParameters::default(), Context::default());
        let job = || Job::of_board(board(), &parameters, Include::default(), &context);
        let key = || Arc::clone(job().expect("a search").key());
        let join = || single_flight.join_or_start(&key(), pending());
        let ((first, joined), (second, shared)) = (join(), join());
        assert_eq!((joined, shared), (false, true));
        assert!(first.ptr_eq(&second));
        drop(first);
        assert!(join().1);
        drop(second);
        assert!(single_flight.0.lock().is_empty());
        assert!(!join().1);
    }
}

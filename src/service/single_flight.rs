//! One search for all who ask the same at the same time.
//!
//! The shared search belongs to its waiters: each of them polls it, and when the last one has left it
//! is dropped, which stops it. (A coalescing cache makes the first caller's future the worker: when that
//! caller leaves, the next one starts again.)

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{Shared, WeakShared};
use parking_lot::{Mutex, MutexGuard};
use quick_cache::DefaultHashBuilder;

use super::cache::Finished;
use super::failure::Failure;
use super::pool::Timing;
use bestmove_engine::games::any::SearchKey;

/// The result of a search.
pub(super) type SearchResult = Result<(Arc<Finished>, Timing), Failure>;
/// A search in flight, for one of its waiters.
pub(super) type SharedSearch = Shared<BoxedSearch>;
type BoxedSearch = Pin<Box<dyn Future<Output = SearchResult> + Send>>;

/// The parts of the list. A part is locked while a search is started, which may wake a thread; with one lock for
/// all, threads waited for it at every second search.
const SHARDS: usize = 64;

/// The searches in flight, by their keys.
#[derive(Clone, Default)]
pub(super) struct SingleFlight(Arc<Shards>);

struct Shards {
    hasher: DefaultHashBuilder,
    shards: [Mutex<Shard>; SHARDS],
}

type Shard = HashMap<Arc<SearchKey>, InFlight, DefaultHashBuilder>;

struct InFlight {
    /// The number of the search in the queue.
    number: u64,
    search: WeakShared<BoxedSearch>,
}

impl Default for Shards {
    fn default() -> Self {
        let shards = std::array::from_fn(|_| Mutex::default());
        Self { hasher: DefaultHashBuilder::default(), shards }
    }
}

impl Shards {
    /// The part of the list in which the search of this key stands.
    fn of(&self, key: &SearchKey) -> MutexGuard<'_, Shard> {
        self.shards[self.hasher.hash_one(key) as usize % SHARDS].lock()
    }
}

impl SingleFlight {
    /// The search of this key that is in flight, with its number; else the one that `start` begins.
    pub(super) fn join_or_start<E, F>(
        &self,
        key: &Arc<SearchKey>,
        start: impl FnOnce() -> Result<(u64, F), E>,
    ) -> Result<(SharedSearch, Option<u64>), E>
    where
        F: Future<Output = SearchResult> + Send + 'static,
    {
        // No search of the part is polled and none ends while this is held.
        let mut searches = self.0.of(key);
        let entry = searches.entry(Arc::clone(key));
        if let Entry::Occupied(listed) = &entry
            && let Some(search) = listed.get().search.upgrade()
        {
            return Ok((search, Some(listed.get().number)));
        }
        let (number, search) = start()?;
        let guard = ListedGuard { single_flight: self.clone(), key: Arc::clone(key), number };
        let search = async move {
            let _guard = guard;
            search.await
        };
        let search = search.boxed().shared();
        if let Some(weak) = search.downgrade() {
            entry.insert_entry(InFlight { number, search: weak });
        }
        Ok((search, None))
    }
}

/// Takes a search off the list when it ends, finished or not.
struct ListedGuard {
    single_flight: SingleFlight,
    key: Arc<SearchKey>,
    number: u64,
}

impl Drop for ListedGuard {
    fn drop(&mut self) {
        // Another search may have taken the place since the last waiter left this one.
        if let Entry::Occupied(listed) =
            self.single_flight.0.of(&self.key).entry(Arc::clone(&self.key))
            && listed.get().number == self.number
        {
            listed.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;
    use bestmove_engine::games::any::SearchParameters;
    use bestmove_engine::games::{CATALOGUE, Knowledge};

    #[test]
    fn callers_of_the_same_key_share_a_search_that_ends_with_the_last_of_them() {
        let single_flight = SingleFlight::default();
        let board = CATALOGUE[0].board(None, &[]).expect("the start");
        let parameters = SearchParameters::default();
        let key =
            Arc::new(board.search(&parameters, &Knowledge::default()).expect("a search").key());
        let join = |number| {
            let start = || Ok::<_, Failure>((number, pending()));
            single_flight.join_or_start(&key, start).expect("it starts")
        };
        let ((first, joined), (second, shared)) = (join(1), join(2));
        assert_eq!((joined, shared), (None, Some(1)));
        assert!(first.ptr_eq(&second));
        drop(first);
        assert_eq!(join(3).1, Some(1));
        drop(second);
        assert!(single_flight.0.of(&key).is_empty());
        assert_eq!(join(4).1, None);
    }
}

//! One search for all who ask the same at the same time.
//!
//! The shared search belongs to its waiters: each of them polls it, and when the last one has left it
//! is dropped, which stops it. (A coalescing cache makes the first caller's future the worker: when that
//! caller leaves, the next one starts again.)

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{Shared, WeakShared};

use super::{Failure, Finished, Origin, Timing};
use bestmove_engine::games::any::SearchKey;

/// The result of a search.
pub(super) type Outcome = Result<(Arc<Finished>, Timing), Failure>;
/// A search in flight, for one of its waiters.
pub(super) type Flight = Shared<BoxedSearch>;
type BoxedSearch = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// The searches in flight.
#[derive(Clone, Default)]
pub(super) struct SingleFlight(Arc<Mutex<InFlight>>);

#[derive(Default)]
struct InFlight {
    searches: HashMap<Arc<SearchKey>, Listed>,
    /// How many have started.
    started: u64,
}

struct Listed {
    number: u64,
    search: WeakShared<BoxedSearch>,
}

impl SingleFlight {
    /// The search of this key, if one is in flight.
    pub(super) fn join(&self, key: &SearchKey) -> Option<Flight> {
        self.lock().searches.get(key)?.search.upgrade()
    }

    /// Starts a search, unless another one of the same key has started meanwhile, which is joined
    /// then.
    pub(super) fn start(
        &self,
        key: Arc<SearchKey>,
        search: impl Future<Output = Outcome> + Send + 'static,
    ) -> (Flight, Origin) {
        let mut in_flight = self.lock();
        in_flight.started += 1;
        let number = in_flight.started;
        let entry = in_flight.searches.entry(Arc::clone(&key));
        if let Entry::Occupied(listed) = &entry
            && let Some(flight) = listed.get().search.upgrade()
        {
            return (flight, Origin::SharedSearch);
        }
        let guard = ListedGuard { flights: self.clone(), key, number };
        let search = async move {
            let _guard = guard;
            search.await
        };
        let flight = search.boxed().shared();
        if let Some(weak) = flight.downgrade() {
            entry.insert_entry(Listed { number, search: weak });
        }
        (flight, Origin::Search)
    }

    fn lock(&self) -> MutexGuard<'_, InFlight> {
        // No search is polled and none ends while this is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a search off the list when it ends, finished or not.
struct ListedGuard {
    flights: SingleFlight,
    key: Arc<SearchKey>,
    number: u64,
}

impl Drop for ListedGuard {
    fn drop(&mut self) {
        let mut in_flight = self.flights.lock();
        // Another search may have taken the place since the last waiter left this one.
        if in_flight.searches.get(&self.key).is_some_and(|listed| listed.number == self.number) {
            in_flight.searches.remove(&self.key);
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
        let flights = SingleFlight::default();
        let board = CATALOGUE[0].board(None, &[]).expect("the start");
        let key = Arc::new(
            board
                .search(&SearchParameters::default(), &Knowledge::default())
                .expect("a search")
                .key(),
        );
        let start = || flights.start(Arc::clone(&key), pending());
        let ((first, search), (second, shared)) = (start(), start());
        assert_eq!((search, shared), (Origin::Search, Origin::SharedSearch));
        assert!(first.ptr_eq(&second));
        drop(first);
        assert!(flights.join(&key).is_some());
        drop(second);
        assert!(flights.join(&key).is_none() && flights.lock().searches.is_empty());
        assert_eq!(start().1, Origin::Search);
    }
}

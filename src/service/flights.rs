//! One search for all who ask the same at the same time.
//!
//! A flight belongs to those who wait for it and to nobody else: each of them drives it, whoever
//! leaves is not missed, and when the last one has left it is dropped, which stops its search.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{Shared, WeakShared};

use super::{Failure, Finished, Origin, Question, Timing};

/// What a flight leads to.
pub(super) type Landed = Result<(Arc<Finished>, Timing), Failure>;
/// A search on its way, for one of those who wait for it.
pub(super) type Flight = Shared<Journey>;
type Journey = Pin<Box<dyn Future<Output = Landed> + Send>>;

/// The searches on their way, by what they answer.
#[derive(Clone, Default)]
pub(super) struct Flights(Arc<Mutex<Aloft>>);

#[derive(Default)]
struct Aloft {
    flights: HashMap<Arc<Question>, Listed>,
    /// How many have departed.
    departures: u64,
}

struct Listed {
    number: u64,
    flight: WeakShared<Journey>,
}

impl Flights {
    /// The flight that answers this question, if there is one.
    pub(super) fn boarded(&self, question: &Question) -> Option<Flight> {
        self.aloft().flights.get(question)?.flight.upgrade()
    }

    /// Lets a journey depart, unless another one departed with the same question meanwhile, which is
    /// shared then.
    pub(super) fn depart(
        &self,
        question: Arc<Question>,
        journey: impl Future<Output = Landed> + Send + 'static,
    ) -> (Flight, Origin) {
        let mut aloft = self.aloft();
        aloft.departures += 1;
        let number = aloft.departures;
        let entry = aloft.flights.entry(Arc::clone(&question));
        if let Entry::Occupied(listed) = &entry
            && let Some(flight) = listed.get().flight.upgrade()
        {
            return (flight, Origin::SharedSearch);
        }
        let landing = Landing { flights: self.clone(), question, number };
        let flight = async move {
            let _landing = landing;
            journey.await
        };
        let flight = flight.boxed().shared();
        if let Some(weak) = flight.downgrade() {
            entry.insert_entry(Listed { number, flight: weak });
        }
        (flight, Origin::Search)
    }

    fn aloft(&self) -> MutexGuard<'_, Aloft> {
        // No flight is driven and none ends while this is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a flight off the list when it ends, landed or not.
struct Landing {
    flights: Flights,
    question: Arc<Question>,
    number: u64,
}

impl Drop for Landing {
    fn drop(&mut self) {
        let mut aloft = self.flights.aloft();
        // Its place may have been taken since the last one left it.
        if aloft.flights.get(&self.question).is_some_and(|listed| listed.number == self.number) {
            aloft.flights.remove(&self.question);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;
    use crate::games::any::Terms;

    #[test]
    fn who_asks_the_same_meanwhile_shares_a_search_that_ends_with_the_last_of_them() {
        let (flights, moves) = (Flights::default(), Vec::new());
        let question =
            Question { game: "chess".to_owned(), position: None, moves, terms: Terms::default() };
        let question = Arc::new(question);
        let depart = || flights.depart(Arc::clone(&question), pending());
        let ((first, search), (second, shared)) = (depart(), depart());
        assert_eq!((search, shared), (Origin::Search, Origin::SharedSearch));
        assert!(first.ptr_eq(&second));
        drop(first);
        assert!(flights.boarded(&question).is_some());
        drop(second);
        assert!(flights.boarded(&question).is_none() && flights.aloft().flights.is_empty());
        assert_eq!(depart().1, Origin::Search);
    }
}

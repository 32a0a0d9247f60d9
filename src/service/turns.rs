//! Whose turn it is to search: single requests first, then the lines of batches, each kind in the
//! order of arrival.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Who waits for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    /// A request of its own: it goes first.
    Single,
    /// The lines of a batch.
    Batch,
}

/// The turns of so many workers.
pub(super) struct Turns {
    waiting: Mutex<Waiting>,
}

/// A worker's time, passed on when it is dropped.
pub(super) struct Turn {
    turns: Arc<Turns>,
}

/// There will be no more turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed;

#[derive(Default)]
struct Waiting {
    free: usize,
    is_closed: bool,
    singles: VecDeque<oneshot::Sender<Turn>>,
    batches: VecDeque<oneshot::Sender<Turn>>,
}

impl Turns {
    /// The turns of so many `workers`.
    pub(super) fn new(workers: usize) -> Arc<Self> {
        Arc::new(Self { waiting: Mutex::new(Waiting { free: workers, ..Waiting::default() }) })
    }

    /// A turn at once, if a worker is free and nobody waits for it.
    pub(super) fn try_take(self: &Arc<Self>) -> Option<Turn> {
        let mut waiting = self.lock();
        waiting.free = waiting.free.checked_sub(1)?;
        Some(Turn { turns: Arc::clone(self) })
    }

    /// A turn, waited for.
    pub(super) async fn take(self: &Arc<Self>, rank: Rank) -> Result<Turn, Closed> {
        let turn = {
            let mut waiting = self.lock();
            if waiting.is_closed {
                return Err(Closed);
            }
            if waiting.free > 0 {
                waiting.free -= 1;
                return Ok(Turn { turns: Arc::clone(self) });
            }
            let (sender, turn) = oneshot::channel();
            waiting.of(rank).push_back(sender);
            turn
        };
        turn.await.map_err(|_| Closed)
    }

    /// Whether a single request waits, so that a batch should give way.
    pub(super) fn is_wanted(&self) -> bool {
        self.lock().singles.iter().any(|waiting| !waiting.is_closed())
    }

    /// Sends away all that wait.
    pub(super) fn close(&self) {
        let mut waiting = self.lock();
        waiting.is_closed = true;
        waiting.singles.clear();
        waiting.batches.clear();
    }

    fn pass_on(self: &Arc<Self>) {
        let next = self.lock().next();
        if let Some(next) = next {
            // One that has just left passes the turn on by dropping it.
            let _ = next.send(Turn { turns: Arc::clone(self) });
        }
    }

    /// What the lock guards is right at any time, whoever held it.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn of(&mut self, rank: Rank) -> &mut VecDeque<oneshot::Sender<Turn>> {
        match rank {
            Rank::Single => &mut self.singles,
            Rank::Batch => &mut self.batches,
        }
    }

    /// The next one that still waits; without any, a worker is free.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some(next) = self.singles.pop_front().or_else(|| self.batches.pop_front()) {
            if !next.is_closed() {
                return Some(next);
            }
        }
        self.free += 1;
        None
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.pass_on();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn singles_go_before_batches_in_the_order_of_arrival() {
        let turns = Turns::new(1);
        let turn = turns.try_take().expect("a worker is free");
        assert!(turns.try_take().is_none() && !turns.is_wanted());
        let (order, mut seen) = tokio::sync::mpsc::unbounded_channel();
        for (name, rank) in
            [("a", Rank::Batch), ("b", Rank::Single), ("c", Rank::Batch), ("d", Rank::Single)]
        {
            let (turns, order) = (Arc::clone(&turns), order.clone());
            tokio::spawn(async move {
                let turn = turns.take(rank).await;
                order.send(name).expect("the test listens");
                drop(turn);
            });
            tokio::task::yield_now().await;
        }
        assert!(turns.is_wanted());
        drop(turn);
        for name in ["b", "d", "a", "c"] {
            assert_eq!(seen.recv().await, Some(name));
        }
    }

    #[tokio::test]
    async fn whoever_leaves_passes_the_turn_on() {
        let turns = Turns::new(1);
        let turn = turns.try_take().expect("a worker is free");
        let mut left = Box::pin(turns.take(Rank::Single));
        let mut late = Box::pin(turns.take(Rank::Single));
        for waiting in [&mut left, &mut late] {
            assert!(futures_poll(waiting).await.is_none());
        }
        drop(left);
        drop(turn);
        // The turn lies in the channel of the other one, which leaves without looking.
        drop(late);
        assert!(turns.try_take().is_some());
    }

    #[tokio::test]
    async fn a_closed_queue_sends_everyone_away() {
        let turns = Turns::new(1);
        let _turn = turns.try_take();
        let mut waiting = Box::pin(turns.take(Rank::Batch));
        assert!(futures_poll(&mut waiting).await.is_none());
        turns.close();
        assert!(waiting.await.is_err());
        assert!(turns.take(Rank::Single).await.is_err());
    }

    /// Polls once.
    async fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        tokio::time::timeout(std::time::Duration::ZERO, future).await.ok()
    }
}

//! Work that is divided among threads.

use std::collections::BTreeMap;
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Computes the items with these numbers, on one thread for each state, and hands them to `sink` in order until `sink`
/// breaks off. Fails with the first error of an item or of `sink`.
pub(crate) fn in_order<S: Send, T: Send>(
    numbers: Range<u64>,
    states: Vec<S>,
    item: impl Fn(&mut S, u64) -> io::Result<T> + Sync,
    mut sink: impl FnMut(T) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let next = AtomicU64::new(numbers.start);
    let (results, received) = mpsc::channel();
    let work = |mut state: S, results: mpsc::Sender<_>| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            // Sending fails once `sink` has broken off.
            if number >= numbers.end || results.send((number, item(&mut state, number))).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for state in states {
            let (work, results) = (&work, results.clone());
            scope.spawn(move || work(state, results));
        }
        drop(results);
        let (mut early, mut expected) = (BTreeMap::new(), numbers.start);
        for (number, result) in received {
            early.insert(number, result?);
            while let Some(item) = early.remove(&expected) {
                expected += 1;
                if sink(item)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn items_of_several_threads_come_in_order_and_no_more_after_a_break() {
        let mut seen = Vec::new();
        let square = |(): &mut (), number: u64| {
            thread::sleep(Duration::from_micros(number * 7 % 5 * 100));
            Ok(number * number)
        };
        let sink = |item| {
            seen.push(item);
            Ok(if item < 400 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        in_order(3..1000, vec![(); 4], square, sink).expect("no errors");
        assert_eq!(seen, (3..=20).map(|number| number * number).collect::<Vec<u64>>());
    }

    #[test]
    fn an_error_ends_the_work() {
        let item =
            |(): &mut (), number| if number < 5 { Ok(()) } else { Err(io::Error::other("five")) };
        let ended = in_order(0..u64::MAX, vec![(); 3], item, |()| Ok(ControlFlow::Continue(())));
        assert_eq!(ended.expect_err("item 5").to_string(), "five");
    }
}

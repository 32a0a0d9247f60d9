//! Work that is divided among threads, and files of lines that a killed run goes on with.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Computes the items of these numbers, on one thread for each state, and hands them to `sink` in order
/// until it breaks off.
/// Fails with the first error of an item or of `sink`.
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
            // Nobody receives any more once the sink has broken off.
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

/// Appends to a file the lines that it lacks of `count`, computed on so many threads.
pub(crate) fn extend(
    file: &Path,
    count: u64,
    threads: usize,
    line: impl Fn(u64) -> io::Result<String> + Sync,
) -> io::Result<()> {
    let (lines, mut output) = resume(file)?;
    let known = lines.lines().count() as u64;
    let mut progress = Progress::new(known, count);
    in_order(
        known..count,
        vec![(); threads],
        |(), number| line(number),
        |line| {
            append(&mut output, &line)?;
            progress.step();
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// The whole lines of a file, none where there is no file, and the file to append to. A last line that a
/// killed run left incomplete is removed.
pub(crate) fn resume(file: &Path) -> io::Result<(String, File)> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(file)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    file.set_len(text.len() as u64)?;
    Ok((text, file))
}

/// Appends a line in one piece.
pub(crate) fn append(file: &mut File, line: &str) -> io::Result<()> {
    file.write_all(format!("{line}\n").as_bytes())
}

/// Tells on standard error how far a computation has come, and the estimated time that is left.
pub(crate) struct Progress {
    start: Instant,
    shown: Instant,
    known: u64,
    done: u64,
    count: u64,
}

impl Progress {
    /// The time between two lines.
    const BETWEEN: Duration = Duration::from_secs(10);

    /// Of `count` steps so many were `known` before.
    pub(crate) fn new(known: u64, count: u64) -> Self {
        let now = Instant::now();
        Self { start: now, shown: now, known, done: known, count }
    }

    /// One more step is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if self.shown.elapsed() < Self::BETWEEN {
            return;
        }
        self.shown = Instant::now();
        let seconds = self.start.elapsed().as_secs();
        let left = seconds * self.count.saturating_sub(self.done) / (self.done - self.known);
        let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60);
        eprintln!("{} of {}, {hours}:{minutes:02}:{seconds:02} left", self.done, self.count);
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_file_goes_on_after_its_last_whole_line() {
        let file = std::env::temp_dir().join(format!("bestmove-lines-{}", std::process::id()));
        std::fs::write(&file, "0\n1\n2\n3 is inco").expect("room on the disk");
        extend(&file, 6, 2, |number| Ok(number.to_string())).expect("lines");
        assert_eq!(std::fs::read_to_string(&file).expect("text"), "0\n1\n2\n3\n4\n5\n");
        std::fs::remove_file(file).expect("it is there");
    }
}

//! Checks before the start that the system has the threads and file descriptors that the server needs. A runtime that
//! lacks a thread waits for it without end, and a runtime that lacks a file descriptor panics.

use std::io;
use std::iter::repeat_with;
use std::sync::mpsc;
use std::thread::{self, available_parallelism};

use parking_lot::Mutex;

use crate::telemetry::standard_error;

/// File descriptors: nine to start, the others for the first connections.
const DESCRIPTORS: usize = 16;

/// Threads of the log and of traces.
const LOG_THREADS: usize = 4;

/// Takes the threads and descriptors of a server with `workers`, and gives them back.
///
/// # Errors
/// Where there are too few threads or file descriptors. The text says what to change.
pub(crate) fn check(workers: usize) -> io::Result<()> {
    check_descriptors()?;
    check_threads(workers)
}

fn check_descriptors() -> io::Result<()> {
    let opened: io::Result<Vec<_>> = repeat_with(standard_error).take(DESCRIPTORS).collect();
    opened.map(drop).map_err(|error| {
        let text = format!(
            "too few file descriptors: {DESCRIPTORS} and one for each connection are needed beside those that are open \
             ({error}); raise the limit: ulimit -n, LimitNOFILE of systemd, --ulimit nofile of a container"
        );
        io::Error::new(error.kind(), text)
    })
}

fn check_threads(workers: usize) -> io::Result<()> {
    // The runtime and short work have a thread for each processor.
    let needed = workers + 2 * available_parallelism().map_or(1, usize::from) + LOG_THREADS;
    let end = Mutex::new(());
    let not_yet = end.lock();
    let (starts, started) = mpsc::channel();
    thread::scope(|scope| {
        // Threads start one after the other: a thread that gets no memory when it begins to run would end the process.
        let failed = (0..needed).find_map(|count| {
            let starts = starts.clone();
            let start = thread::Builder::new().spawn_scoped(scope, || {
                let _ = starts.send(());
                drop((starts, end.lock()));
            });
            let failed = start.err();
            if failed.is_none() {
                let _ = started.recv();
            }
            Some((count, failed?))
        });
        drop(not_yet);
        failed.map_or(Ok(()), |(count, error)| {
            let text = format!(
                "too few threads: --workers {workers} needs {needed}, and {count} could be started ({error}); raise the \
                 limit of threads or of memory (ulimit -u and -v, TasksMax of systemd, --pids-limit of a container), or \
                 lower --workers"
            );
            Err(io::Error::new(error.kind(), text))
        })
    })
}

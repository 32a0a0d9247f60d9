//! The signals that end the program: the first one drains, the second one exits at once.

use std::future::poll_fn;
use std::io;
use std::process::exit;
use std::task::{Context, Poll};

/// A kind of signal, as a function that polls for the next signal.
type Signal = Box<dyn FnMut(&mut Context) -> Poll<Option<()>> + Send>;

/// `SIGINT`, `SIGTERM`, and `SIGHUP` unless it is ignored.
#[cfg(unix)]
fn all() -> io::Result<Vec<Signal>> {
    use tokio::signal::unix::{SignalKind, signal};

    let hangup = (!ignores_hangup()).then(SignalKind::hangup);
    [SignalKind::interrupt(), SignalKind::terminate()]
        .into_iter()
        .chain(hangup)
        .map(|kind| {
            let mut signal = signal(kind)?;
            Ok(Box::new(move |context: &mut Context| signal.poll_recv(context)) as Signal)
        })
        .collect()
}

/// Whether the program was started with `SIGHUP` ignored, as by `nohup`. Only Linux tells it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // A bit for each signal. SIGHUP is the first.
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 != 0))
}

/// Ctrl-C and Ctrl-Break, which other programs can send too.
#[cfg(windows)]
fn all() -> io::Result<Vec<Signal>> {
    use tokio::signal::windows::{ctrl_break, ctrl_c};

    let (mut interrupt, mut terminate) = (ctrl_c()?, ctrl_break()?);
    Ok(vec![
        Box::new(move |context| interrupt.poll_recv(context)),
        Box::new(move |context| terminate.poll_recv(context)),
    ])
}

/// All kinds of signals, caught from here on.
pub(crate) struct Signals(Vec<Signal>);

impl Signals {
    /// Catches the signals.
    ///
    /// # Errors
    /// Where the system refuses to catch a signal.
    pub(crate) fn new() -> io::Result<Self> {
        all().map(Self)
    }

    /// Waits for the first signal. The second one then ends the program.
    pub(crate) async fn first(mut self) {
        self.next().await;
        tokio::spawn(async move {
            self.next().await;
            exit(1);
        });
    }

    async fn next(&mut self) {
        poll_fn(|context| {
            let is_sent = self.0.iter_mut().any(|signal| signal(context).is_ready());
            if is_sent { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

//! The signals that end the program: the first one drains, the second one exits at once.

use std::io;
use std::process::exit;

use self::system::{Interrupt, Terminate, interrupt, terminate};

/// `SIGINT` and `SIGTERM`.
#[cfg(unix)]
mod system {
    use std::io;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub(super) type Interrupt = Signal;
    pub(super) type Terminate = Signal;

    pub(super) fn interrupt() -> io::Result<Interrupt> {
        signal(SignalKind::interrupt())
    }

    pub(super) fn terminate() -> io::Result<Terminate> {
        signal(SignalKind::terminate())
    }
}

/// Ctrl-C and Ctrl-Break, which other programs can send too.
#[cfg(windows)]
mod system {
    pub(super) use tokio::signal::windows::{
        CtrlBreak as Terminate, CtrlC as Interrupt, ctrl_break as terminate, ctrl_c as interrupt,
    };
}

/// Both kinds of signals, caught from here on.
pub(crate) struct Signals {
    interrupt: Interrupt,
    terminate: Terminate,
}

impl Signals {
    /// Catches the signals.
    ///
    /// # Errors
    /// Where the system refuses it.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { interrupt: interrupt()?, terminate: terminate()? })
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
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

//! What a program on WebAssembly has from its host: the time, and the files of endgame tables. Elsewhere the system has the
//! time, and the program its files.

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub use self::hosted::{Host, Instant, set};

#[cfg(target_arch = "wasm32")]
mod hosted {
    use std::io;
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    static HOST: OnceLock<Host> = OnceLock::new();

    /// The functions of the host.
    #[derive(Clone, Copy)]
    pub struct Host {
        /// The time since a fixed moment.
        pub time: fn() -> Duration,
        /// The content of a file of `knowledge/`, by its name.
        pub file: fn(&str) -> Vec<u8>,
    }

    /// Sets the host, once. Without a host no time passes, and there are no endgame tables.
    pub fn set(host: Host) {
        HOST.get_or_init(|| host);
    }

    /// What `open` makes of a file of `knowledge/`; `None` without a host.
    #[expect(
        clippy::panic,
        reason = "a host has the files of its build; without one, answers would be wrong"
    )]
    pub(crate) fn opened<T>(name: &str, open: fn(&'static [u8]) -> io::Result<T>) -> Option<T> {
        let content = (HOST.get()?.file)(name);
        Some(open(content.leak()).unwrap_or_else(|error| panic!("{name}: {error}")))
    }

    /// A moment by the clock of the host.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        #[must_use]
        pub fn now() -> Self {
            Self(HOST.get().map(|host| (host.time)()).unwrap_or_default())
        }

        /// The moment after a time; `None` beyond the range of the clock.
        #[must_use]
        pub fn checked_add(self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        /// The time since an earlier moment; zero since a later one.
        #[must_use]
        pub fn saturating_duration_since(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }
}

#[cfg(target_arch = "wasm32")]
pub(crate) use self::hosted::opened;

//! Memory that is counted beside that of searches.

use std::mem::take;
use std::sync::Arc;

use bytes::Bytes;

use super::Shared;

/// Memory outside of a search: an answer that waits to be sent, or a line that waits to be searched.
pub struct Reservation {
    pub(super) shared: Arc<Shared>,
    pub(super) bytes: usize,
    pub(super) is_read_ahead: bool,
}

impl Reservation {
    /// An answer that holds the reservation until it is dropped.
    pub fn hold(self, body: impl Into<Bytes>) -> Bytes {
        Bytes::from_owner(LargeAnswer { body: body.into(), _memory: self })
    }

    /// Adds the memory of another one.
    pub(crate) fn merge(&mut self, mut other: Self) {
        if self.is_read_ahead == other.is_read_ahead {
            self.bytes += take(&mut other.bytes);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut state = self.shared.state.lock();
        state.memory.free += self.bytes as i64;
        if self.is_read_ahead {
            state.memory.read_ahead -= self.bytes;
        }
        self.shared.grant(&mut state);
    }
}

/// A serialised answer that is counted as memory until it is dropped.
struct LargeAnswer {
    body: Bytes,
    _memory: Reservation,
}

impl AsRef<[u8]> for LargeAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

//! Errors of the input.

use std::io;

use bestmove_engine::games::any::RequestError;

pub(crate) fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

/// The error of a request that the engine refuses.
pub(crate) fn refused(error: &RequestError) -> io::Error {
    invalid(&format!("{error:#}"))
}

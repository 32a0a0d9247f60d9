//! Failures of jobs.

use std::any::Any;

use bytes::Bytes;
use serde::Serialize;
use thiserror::Error;

use super::admission::Overloaded;
use bestmove_api::{Problem, ProblemKind};

/// Why there is no answer.
#[derive(Clone, Debug, Error)]
pub enum Failure {
    /// The request is wrong, or asks for too much.
    #[error("{0}")]
    Refused(Box<Problem>),
    /// A queue or the memory is full, or the service is about to stop.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// A job panicked: a fault of the service.
    #[error("panicked: {0}")]
    Panicked(String),
    /// An answer could not be written: a fault of the service.
    #[error("an answer could not be written: {0}")]
    Unwritten(String),
}

impl Failure {
    /// A panic as a failure with its message.
    pub fn panicked(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self::Panicked(text.unwrap_or("unknown").to_owned())
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Refused(Box::new(problem))
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(problem) => *problem,
            Failure::Overloaded(overloaded) => {
                Self::new(ProblemKind::Overloaded, overloaded.to_string())
            }
            Failure::Panicked(_) | Failure::Unwritten(_) => internal(&failure),
        }
    }
}

/// The problem for a fault of the service. The log has the fault under the id of the request; the client gets no
/// internals.
pub fn internal(fault: &dyn std::fmt::Display) -> Problem {
    tracing::error!(%fault, "a fault of the service");
    let detail = "nothing is wrong with the request; the log has the reason";
    Problem::new(ProblemKind::Internal, detail)
}

/// `value` as JSON.
///
/// # Errors
/// Where `value` has no JSON: a fault of the service.
pub fn write_json<T: Serialize>(value: &T) -> Result<Bytes, Failure> {
    let json = serde_json::to_vec(value);
    json.map(Bytes::from).map_err(|error| Failure::Unwritten(error.to_string()))
}

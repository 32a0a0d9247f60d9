//! Why there is no answer.

use std::any::Any;

use thiserror::Error;

use super::admission::Overloaded;
use bestmove_engine::games::any::RequestError;

/// Why there is no answer.
#[derive(Clone, Debug, Error)]
pub enum Failure {
    /// No game has this name.
    #[error("there is no game '{0}'")]
    UnknownGame(String),
    /// The game refuses the request.
    #[error(transparent)]
    Refused(Box<RequestError>),
    /// The decision tree is past its limit: how.
    #[error("the tree {0}")]
    TooLargeATree(String),
    /// There is no place for another search.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// The search panicked: a fault of ours.
    #[error("the search panicked: {0}")]
    Panicked(String),
}

impl Failure {
    /// The failure that this panic is.
    pub fn panicked(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self::Panicked(text.unwrap_or("unknown").to_owned())
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::Refused(Box::new(error))
    }
}

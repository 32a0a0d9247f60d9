//! What a caller asks of a game, and why it is refused.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use super::State;
use crate::game::{LevelNumber, MoveError, Place, PositionError};

/// What a caller asks of a search, as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SearchParameters {
    /// Plies to look ahead; 1 or more, and the game says how many at most.
    pub depth: Option<u64>,
    /// A time budget.
    pub time: Option<Duration>,
    /// A budget of positions visited.
    pub nodes: Option<u64>,
    /// The only moves to consider, or all.
    pub search_moves: Option<Vec<String>>,
    /// How to search.
    pub algorithm: Option<String>,
    /// The name of an evaluator.
    pub evaluator: Option<String>,
    /// How strong a player to be, in place of depth, time, nodes, algorithm and evaluator.
    pub level: Option<LevelNumber>,
    /// What makes the choices of a level others.
    pub seed: Option<u64>,
    /// How many of the best moves to report; only the best one where nothing is said.
    pub top: Option<u64>,
    /// Whether every move is searched with an open window, so that no value depends on `top`.
    pub exact: bool,
    /// The time after which the service stops any search.
    pub time_limit: Option<Duration>,
}

/// What a caller asks of a decision tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreeParameters {
    /// The search that is shown. Only `minimax`, which is the default, and `alpha-beta` look at a
    /// tree as the textbook draws it.
    pub search: SearchParameters,
    /// The most nodes that it may have.
    pub max_nodes: usize,
}

/// Why a request can't be served: what is wrong, in a sentence. The alternate form, `{:#}`, lists the allowed
/// values too.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RequestError {
    /// The position is unreadable or impossible.
    Position(PositionError),
    /// A move is unreadable or illegal.
    Move {
        /// The list it stands in: `moves` or `search_moves`.
        list: &'static str,
        /// Its place in the list, from 0.
        index: usize,
        /// Where it stands in the text, if the list came as one string.
        place: Option<Place>,
        /// The move as it came.
        text: String,
        /// What is wrong with it.
        error: MoveError,
        /// The moves that are legal there.
        allowed: Vec<String>,
    },
    /// A field has a value that this game does not offer.
    Choice {
        /// The field.
        field: &'static str,
        /// What was expected and what came.
        detail: String,
        /// The values that it does offer, where they can be listed.
        allowed: Vec<String>,
    },
    /// There is nothing to search: the game is over.
    GameOver(Box<State>),
}

impl RequestError {
    /// The values that would have been right, where they can be listed.
    #[must_use]
    pub fn allowed(&self) -> &[String] {
        match self {
            Self::Move { allowed, .. } | Self::Choice { allowed, .. } => allowed,
            Self::Position(_) | Self::GameOver(_) => &[],
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Position(error) => write!(f, "{error}")?,
            Self::Move { list, index, place, text, error, .. } => {
                write!(f, "{list}[{index}] '{text}'")?;
                if let Some(place) = place {
                    write!(f, " at {place}")?;
                }
                write!(f, ": {error}")?;
            }
            Self::Choice { field, detail, .. } => write!(f, "{field}: {detail}")?,
            Self::GameOver(_) => f.write_str("the game is over: there is no move to find")?,
        }
        match self.allowed() {
            allowed if f.alternate() && !allowed.is_empty() => {
                write!(f, "; allowed: {}", allowed.join(", "))
            }
            _ => Ok(()),
        }
    }
}

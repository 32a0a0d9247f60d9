//! Refusals of requests, and the errors that a client sees: each is a [`Problem`], which the protocols write as problem
//! details (RFC 9457).

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use super::{LineId, game_names};
use bestmove_engine::game::excerpt;
use bestmove_engine::games::any::{GameStatus, RequestError, State};

/// The reason for which a request is refused.
#[derive(Clone, Debug, Error)]
pub enum Refusal {
    /// No game has this name.
    #[error("there is no game '{}'", excerpt(.0))]
    UnknownGame(String),
    /// The game refuses the request.
    #[error(transparent)]
    Game(Box<RequestError>),
}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Self {
        Self::Game(Box::new(error))
    }
}

/// A row of the table of problems.
#[derive(Clone, Copy, Debug)]
pub struct ProblemRow {
    /// The status code of HTTP.
    pub status: u16,
    /// The last part of the type, `/problems/…`.
    pub name: &'static str,
    /// The problem in words.
    pub title: &'static str,
}

/// Declares the kinds of problems, each with its row of the table.
macro_rules! problems {
    ($($kind:ident $status:literal $name:literal $title:literal)+) => {
        /// The kinds of problems.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ProblemKind {
            $(#[doc = $title] $kind),+
        }

        /// The table of problems.
        pub static PROBLEMS: &[ProblemRow] = &[
            $(ProblemRow { status: $status, name: $name, title: $title }),+
        ];
    };
}

problems! {
    MalformedJson 400 "malformed-json" "The body is no JSON"
    InvalidHost 400 "invalid-host" "The header `host` is missing, repeated or unreadable"
    ForbiddenOrigin 403 "forbidden-origin" "Pages of this origin may not ask here"
    NotFound 404 "not-found" "There is nothing here"
    MethodNotAllowed 405 "method-not-allowed" "The method is not allowed here"
    RequestTimeout 408 "request-timeout" "The body did not arrive in time"
    PayloadTooLarge 413 "payload-too-large" "The body is too large"
    UnsupportedMediaType 415 "unsupported-media-type" "The body is not declared to be JSON"
    InvalidRequest 422 "invalid-request" "A field is missing, unknown, ill-typed or out of range"
    UnknownGame 422 "unknown-game" "There is no such game"
    InvalidPosition 422 "invalid-position" "The position is unreadable or impossible"
    IllegalMove 422 "illegal-move" "A move is unreadable or illegal"
    GameOver 422 "game-over" "The game is over"
    TooLargeATree 422 "too-large-a-tree" "The tree has too many nodes"
    Overloaded 503 "overloaded" "There is no place for another search"
    Internal 500 "internal" "The service is at fault"
}

impl ProblemKind {
    /// The row of the kind in the table.
    pub fn row(self) -> &'static ProblemRow {
        &PROBLEMS[self as usize]
    }
}

/// A problem with a request, and what the caller should change.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: ProblemKind,
    detail: String,
    field: Option<String>,
    allowed: Vec<String>,
    ended: Option<Box<State>>,
}

impl Problem {
    /// A problem of `kind`. `detail` says what the caller should change.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), field: None, allowed: Vec::new(), ended: None }
    }

    /// The problem of a field with a wrong value, or without one. `detail` says what was expected.
    pub fn field(name: &str, detail: impl fmt::Display) -> Self {
        Self::new(ProblemKind::InvalidRequest, format!("{name}: {detail}")).at(format!("/{name}"))
    }

    /// The problem of a path that no route has.
    pub fn nothing_at(path: &str) -> Self {
        Self::new(ProblemKind::NotFound, format!("there is nothing at {}", excerpt(path)))
    }

    /// The problem of a method that a route does not have, [which may have others](Self::naming_methods).
    pub fn method_not_allowed(method: &str) -> Self {
        let detail = format!("{} is not allowed here", excerpt(method));
        Self::new(ProblemKind::MethodNotAllowed, detail)
    }

    /// Names the methods of the route.
    #[must_use]
    pub fn naming_methods(self, allowed: &[&str]) -> Self {
        let detail = format!("{self}; allowed: {}", allowed.join(", "));
        Self::new(self.kind, detail).allowing(allowed.iter().copied())
    }

    /// The kind of the problem.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// Adds the place in the request, a JSON Pointer.
    #[must_use]
    pub fn at(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Adds the values that would have been right.
    #[must_use]
    pub fn allowing<T: Into<String>>(self, allowed: impl IntoIterator<Item = T>) -> Self {
        Self { allowed: allowed.into_iter().map(Into::into).collect(), ..self }
    }

    /// The problem as JSON, in the answer to the request with the id `request_id`.
    pub fn body(&self, request_id: &str) -> String {
        self.line_body(request_id, None)
    }

    /// As [`body`](Self::body), in the answer to a line of a batch with the id `id`.
    pub fn line_body(&self, request_id: &str, id: Option<&LineId>) -> String {
        let row = self.kind.row();
        let ended = self.ended.as_ref().map(|state| told(&state.status));
        let body = ProblemBody {
            id,
            r#type: format!("/problems/{}", row.name),
            title: row.title,
            status: row.status,
            detail: &self.detail,
            request_id,
            field: self.field.as_deref(),
            allowed: &self.allowed,
            state: ended.map(|(state, ..)| state),
            winner: ended.and_then(|(_, winner, _)| winner),
            reason: ended.and_then(|(.., reason)| reason),
        };
        serde_json::to_string(&body).unwrap_or_default()
    }
}

/// The name of a status, the winner and the reason.
fn told(status: &GameStatus) -> (&'static str, Option<&'static str>, Option<&'static str>) {
    match *status {
        GameStatus::Ongoing => ("ongoing", None, None),
        GameStatus::Won { winner, reason, .. } => ("won", Some(winner), Some(reason)),
        GameStatus::Drawn { reason } => ("drawn", None, Some(reason)),
    }
}

/// Writes the detail: what the caller should change.
impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.detail)?;
        match &self.allowed[..] {
            [] => Ok(()),
            allowed => write!(formatter, "; allowed: {}", allowed.join(", ")),
        }
    }
}

/// What is wrong (RFC 9457). `detail` says what to change.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct ProblemBody<'a> {
    /// The `id` of the line of a batch, where the line has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Value", extend("type" = ["string", "integer"]))]
    id: Option<&'a LineId>,
    /// What went wrong.
    r#type: String,
    /// The same in words.
    title: &'static str,
    /// The status of the answer.
    status: u16,
    /// What the caller should change.
    #[schemars(length(min = 1))]
    detail: &'a str,
    /// The id of the request, as in `x-request-id`.
    request_id: &'a str,
    /// A JSON Pointer to the place in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "json-pointer"))]
    field: Option<&'a str>,
    /// What would have been right there.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    allowed: &'a [String],
    /// How a finished game ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    /// The winner of a game that is won.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    /// Why the game has ended, such as `checkmate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// The name of the game that is most like this one, if one is much like it.
fn meant(name: &str) -> Option<&'static str> {
    const LIKE: f64 = 0.8;
    let name = excerpt(name).to_lowercase();
    let likenesses = game_names().map(|game| (game, strsim::jaro_winkler(&name, game)));
    let (game, likeness) = likenesses.max_by(|one, other| one.1.total_cmp(&other.1))?;
    (likeness > LIKE).then_some(game)
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::UnknownGame(ref name) => {
                let meant = meant(name);
                let advice =
                    meant.map(|game| format!("; did you mean '{game}'?")).unwrap_or_default();
                Self::new(ProblemKind::UnknownGame, format!("{refusal}{advice}"))
                    .at("/game")
                    .allowing(game_names())
            }
            Refusal::Game(error) => (*error).into(),
        }
    }
}

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        let kind = match &error {
            RequestError::Position(_) => ProblemKind::InvalidPosition,
            RequestError::Move { .. } => ProblemKind::IllegalMove,
            RequestError::Choice { .. } => ProblemKind::InvalidRequest,
            RequestError::GameOver(_) => ProblemKind::GameOver,
        };
        let problem = Self::new(kind, error.to_string()).allowing(error.allowed().to_vec());
        match error {
            RequestError::Position(_) => problem.at("/position"),
            // The detail has the place of a move in a text.
            RequestError::Move { list, place: Some(_), .. } => problem.at(format!("/{list}")),
            RequestError::Move { list, index, .. } => problem.at(format!("/{list}/{index}")),
            RequestError::Choice { field, .. } => problem.at(format!("/{field}")),
            RequestError::GameOver(state) => Self { ended: Some(state), ..problem },
        }
    }
}

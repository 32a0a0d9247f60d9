//! Every error that a client can see, as problem details (RFC 9457).

use std::fmt;

use axum::http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::dto;
use super::request_id::request_id;
use crate::service::{self, Failure};
use bestmove_engine::games::any::{GameStatus, RequestError, State};

/// A row of the table of problems.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its status.
    pub status: StatusCode,
    /// The last part of its type, `/problems/…`.
    pub name: &'static str,
    /// The same in words.
    pub title: &'static str,
}

/// Declares the kinds of problems, each with its row of the table.
macro_rules! problems {
    ($($kind:ident $status:ident $name:literal $title:literal)+) => {
        /// What can go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $(#[doc = $title] $kind),+
        }

        /// The table of problems.
        pub static TABLE: &[Row] = &[
            $(Row { status: StatusCode::$status, name: $name, title: $title }),+
        ];
    };
}

problems! {
    MalformedJson BAD_REQUEST "malformed-json" "The body is no JSON"
    InvalidHost BAD_REQUEST "invalid-host" "The header `host` is missing, repeated or unreadable"
    ForbiddenOrigin FORBIDDEN "forbidden-origin" "Pages of this origin may not ask here"
    NotFound NOT_FOUND "not-found" "There is nothing here"
    MethodNotAllowed METHOD_NOT_ALLOWED "method-not-allowed" "The method is not allowed here"
    RequestTimeout REQUEST_TIMEOUT "request-timeout" "The body did not arrive in time"
    PayloadTooLarge PAYLOAD_TOO_LARGE "payload-too-large" "The body is too large"
    UnsupportedMediaType UNSUPPORTED_MEDIA_TYPE "unsupported-media-type" "The body is not declared to be JSON"
    InvalidRequest UNPROCESSABLE_ENTITY "invalid-request" "A field is missing, unknown, ill-typed or out of range"
    UnknownGame UNPROCESSABLE_ENTITY "unknown-game" "There is no such game"
    InvalidPosition UNPROCESSABLE_ENTITY "invalid-position" "The position is unreadable or impossible"
    IllegalMove UNPROCESSABLE_ENTITY "illegal-move" "A move is unreadable or illegal"
    GameOver UNPROCESSABLE_ENTITY "game-over" "The game is over"
    TooLargeATree UNPROCESSABLE_ENTITY "too-large-a-tree" "The tree has too many nodes"
    Overloaded SERVICE_UNAVAILABLE "overloaded" "There is no place for another search"
    Internal INTERNAL_SERVER_ERROR "internal" "The service is at fault"
}

impl Kind {
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// The seconds after which a client that was refused may try again.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// A problem with a request: what, and what the caller should change.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: Kind,
    detail: String,
    field: Option<String>,
    allowed: Vec<String>,
    ended: Option<Box<State>>,
}

impl Problem {
    /// A problem of this kind; `detail` says what the caller should change.
    pub(super) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), field: None, allowed: Vec::new(), ended: None }
    }

    /// A field has a wrong value, or none; `detail` says what was expected.
    pub(super) fn field(name: &str, detail: impl fmt::Display) -> Self {
        Self::new(Kind::InvalidRequest, format!("{name}: {detail}")).at(format!("/{name}"))
    }

    /// Whether it is of this kind.
    pub(super) fn is(&self, kind: Kind) -> bool {
        self.kind == kind
    }

    /// The name of its kind.
    pub(super) fn name(&self) -> &'static str {
        self.kind.row().name
    }

    /// At this place in the request, a JSON Pointer.
    pub(super) fn at(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// Where these values would have been right.
    pub(super) fn allowing<T: Into<String>>(self, allowed: impl IntoIterator<Item = T>) -> Self {
        Self { allowed: allowed.into_iter().map(Into::into).collect(), ..self }
    }

    /// Writes the body of an answer that carries a problem, once the id of its request and the
    /// allowed methods are known.
    pub(super) fn write_body(response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        let Some(problem) = parts.extensions.remove::<Box<Self>>() else {
            return Response::from_parts(parts, body);
        };
        let problem = problem.naming_methods(&parts.headers);
        let body = problem.body(request_id(&parts.headers));
        // The router has measured the empty body that stood here.
        parts.headers.remove(CONTENT_LENGTH);
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        Response::from_parts(parts, body.into())
    }

    /// The router knows the allowed methods only after its handlers have run.
    fn naming_methods(mut self, headers: &HeaderMap) -> Self {
        let allow = headers.get(ALLOW).and_then(|allow| allow.to_str().ok());
        if let (Kind::MethodNotAllowed, Some(allow)) = (self.kind, allow) {
            self.allowed = allow.split(',').map(|method| method.trim().to_owned()).collect();
            self.detail = format!("{}; allowed: {}", self.detail, self.allowed.join(", "));
        }
        self
    }

    /// The problem as JSON, an answer to the request of this id.
    pub(super) fn body(&self, request_id: &str) -> String {
        let row = self.kind.row();
        let ended = self.ended.as_ref().map(|state| told(&state.status));
        let body = Body {
            r#type: format!("/problems/{}", row.name),
            title: row.title,
            status: row.status.as_u16(),
            detail: &self.detail,
            request_id,
            field: self.field.as_deref(),
            allowed: &self.allowed,
            state: ended.map(|(state, ..)| state),
            winner: ended.and_then(|(_, winner, _)| winner),
            reason: ended.and_then(|(.., reason)| reason),
        };
        dto::json(&body)
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

/// What the caller should change.
impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.detail)?;
        match &self.allowed[..] {
            [] => Ok(()),
            allowed => write!(formatter, "; allowed: {}", allowed.join(", ")),
        }
    }
}

#[derive(Serialize)]
struct Body<'a> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'a str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    allowed: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// The body follows in the outermost layer.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.kind.row().status.into_response();
        if self.kind == Kind::Overloaded {
            response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        response.extensions_mut().insert(Box::new(self));
        response
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::UnknownGame(_) => Self::new(Kind::UnknownGame, failure.to_string())
                .at("/game")
                .allowing(service::game_names()),
            Failure::Refused(error) => (*error).into(),
            Failure::TooLargeATree(_) => {
                let advice = "ask for fewer plies, or for more nodes with max_nodes";
                Self::new(Kind::TooLargeATree, format!("depth: {failure}; {advice}")).at("/depth")
            }
            Failure::Overloaded(overloaded) => Self::new(Kind::Overloaded, overloaded.to_string()),
            Failure::Panicked(panic) => Self::panicked(&panic),
        }
    }
}

impl Problem {
    /// A fault of ours. The log has it under the id of the request; the client gets no internals.
    pub(super) fn panicked(panic: &dyn fmt::Display) -> Self {
        tracing::error!(%panic, "panicked");
        Self::internal()
    }

    /// A fault of ours.
    pub(super) fn internal() -> Self {
        Self::new(Kind::Internal, "nothing is wrong with the request; the log has the reason")
    }
}

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        let problem = |kind| Self::new(kind, error.to_string()).allowing(error.allowed().to_vec());
        match &error {
            RequestError::Position(_) => problem(Kind::InvalidPosition).at("/position"),
            // A move in a text has its place in the detail.
            RequestError::Move { list, place: Some(_), .. } => {
                problem(Kind::IllegalMove).at(format!("/{list}"))
            }
            RequestError::Move { list, index, .. } => {
                problem(Kind::IllegalMove).at(format!("/{list}/{index}"))
            }
            RequestError::Choice { field, .. } => {
                problem(Kind::InvalidRequest).at(format!("/{field}"))
            }
            RequestError::GameOver(state) => {
                Self { ended: Some(state.clone()), ..problem(Kind::GameOver) }
            }
        }
    }
}

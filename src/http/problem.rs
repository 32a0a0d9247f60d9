//! A problem as an answer (RFC 9457).

use axum::http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::request_id::request_id;
use bestmove_api::{Problem, ProblemKind};

/// The seconds after which a client that was refused may try again.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// A problem as the answer to a request. The answer carries it to the log, and to the outermost layer, which [writes the
/// body](Self::write_body).
#[derive(Clone, Debug)]
pub(super) struct ProblemResponse(Box<Problem>);

impl<P: Into<Problem>> From<P> for ProblemResponse {
    fn from(problem: P) -> Self {
        Self(Box::new(problem.into()))
    }
}

impl IntoResponse for ProblemResponse {
    fn into_response(self) -> Response {
        let kind = self.0.kind();
        let status = StatusCode::from_u16(kind.row().status);
        let mut response = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response();
        if kind == ProblemKind::Overloaded {
            response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl ProblemResponse {
    pub(super) fn problem(&self) -> &Problem {
        &self.0
    }

    /// Writes the body of an answer that carries a problem, once the id of its request and the
    /// allowed methods are known.
    pub(super) fn write_body(response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        let Some(Self(problem)) = parts.extensions.remove() else {
            return Response::from_parts(parts, body);
        };
        let problem = naming_methods(*problem, &parts.headers);
        let body = problem.body(request_id(&parts.headers));
        // The router has set the length of the empty body that is replaced here.
        parts.headers.remove(CONTENT_LENGTH);
        parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        Response::from_parts(parts, body.into())
    }
}

/// Adds the allowed methods to the detail of a problem, from the header that the router sets after its handlers have run.
fn naming_methods(problem: Problem, headers: &HeaderMap) -> Problem {
    let allow = headers.get(ALLOW).and_then(|allow| allow.to_str().ok());
    let Some(allow) = allow.filter(|_| problem.kind() == ProblemKind::MethodNotAllowed) else {
        return problem;
    };
    let allowed: Vec<_> = allow.split(',').map(str::trim).collect();
    problem.naming_methods(&allowed)
}

//! `/best-move/batch`: many requests over one connection, one a line, answered in order as they finish.
//!
//! Lines are read in groups, so that a known answer costs no change of threads. A search runs as a task of its own:
//! the stream is polled only while the client reads, and a search holds a worker.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::app::App;
use super::body::{refuse, require_type, too_large};
use super::lines::{Group, groups};
use super::problem::ProblemResponse;
use super::request_id::request_id;
use bestmove_api::{BatchLine, Job, LineId, Problem, answer_line, batch_lines};
use bestmove_service::{Failure, Priority};

/// The media type of requests and answers.
const MEDIA_TYPE: &str = "application/x-ndjson";

/// `POST /best-move/batch`
pub(super) async fn by_lines(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, ProblemResponse> {
    if let Err(problem) = require_type(request.headers(), MEDIA_TYPE) {
        return Err(refuse(request, &app, problem).await);
    }
    Ok(answers(app, request))
}

/// The answers to the lines of a request.
fn answers(app: Arc<App>, request: Request) -> Response {
    let id = request_id(request.headers()).to_owned();
    let workers = app.service.pool().workers();
    let groups = groups(request.into_body(), Arc::clone(&app));
    let handler = LineHandler { app, id: id.into() };
    let reader = handler.clone();
    let answers = groups
        .then(move |group| AbortOnDropHandle::new(tokio::spawn(reader.clone().read(group))))
        .flat_map(|lines| stream::iter(lines.unwrap_or_default()))
        .map(move |line| handler.clone().answer(line))
        .buffered(workers)
        .map(Ok::<_, Infallible>);
    let kind = [(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE))];
    (kind, Body::from_stream(answers)).into_response()
}

/// A line that has been read.
struct ReadLine {
    content: Content,
    _unanswered: Arc<()>,
}

enum Content {
    /// The answer to the line, with its end.
    Answer(Bytes),
    Job(Option<LineId>, Box<Job>),
}

/// Reads the lines of a request and writes their answers.
#[derive(Clone)]
struct LineHandler {
    app: Arc<App>,
    /// The id of the request.
    id: Arc<str>,
}

impl LineHandler {
    /// Reads a group of lines.
    async fn read(self, group: Group) -> Vec<ReadLine> {
        let unanswered = Arc::clone(&group.unanswered);
        let contents = match group.text.clone() {
            Ok(text) => self.read_lines(text, group).await,
            Err(problem) => vec![Content::Answer(self.problem_line(None, &problem))],
        };
        let lines = contents.into_iter();
        lines.map(|content| ReadLine { content, _unanswered: Arc::clone(&unanswered) }).collect()
    }

    /// Reads the lines of `text` on the blocking pool, which holds their group for so long.
    async fn read_lines(&self, text: Bytes, group: Group) -> Vec<Content> {
        let (handler, lines) = (self.clone(), text.clone());
        let read = self.app.service.pool().run_short(move || {
            let contents = batch_lines(&lines).map(|line| handler.read_line(line)).collect();
            drop(group);
            contents
        });
        read.await.unwrap_or_else(|failure| {
            let answer = self.problem_line(None, &failure.into());
            batch_lines(&text).map(|_| Content::Answer(answer.clone())).collect()
        })
    }

    /// Reads a line, and answers it if its answer is known.
    fn read_line(&self, line: &[u8]) -> Content {
        let (limit, service) = (self.app.limits.body, &self.app.service);
        let (id, prepared) = if line.len() > limit {
            (None, Err(too_large(limit)))
        } else {
            let (id, request) = BatchLine::read(line);
            (id, request.and_then(|request| request.prepare(service.context())))
        };
        match prepared {
            Err(problem) => Content::Answer(self.problem_line(id.as_ref(), &problem)),
            Ok(job) => match service.known(&job) {
                Some(answered) => Content::Answer(answer_line(id.as_ref(), &answered.json).into()),
                None => Content::Job(id, Box::new(job)),
            },
        }
    }

    /// The answer to a line, with its end.
    async fn answer(self, line: ReadLine) -> Bytes {
        let (id, job) = match line.content {
            Content::Answer(answer) => return answer,
            Content::Job(id, job) => (id, job),
        };
        let service = Arc::clone(&self.app.service);
        let run = async move { service.run(*job, Priority::Batch).await };
        let found = AbortOnDropHandle::new(tokio::spawn(run.in_current_span())).await;
        match found.unwrap_or_else(|panic| Err(Failure::Panicked(panic.to_string()))) {
            Ok(found) => answer_line(id.as_ref(), &found.answered.json).into(),
            Err(failure) => self.problem_line(id.as_ref(), &failure.into()),
        }
    }

    fn problem_line(&self, id: Option<&LineId>, problem: &Problem) -> Bytes {
        [problem.line_body(&self.id, id).as_bytes(), b"\n"].concat().into()
    }
}

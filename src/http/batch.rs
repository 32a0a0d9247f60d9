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
use serde::Serialize;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::app::App;
use super::body::{BYTE_ORDER_MARK, discard, require_type, too_large};
use super::lines::{Group, groups};
use super::problem::ProblemResponse;
use super::request_id::request_id;
use bestmove_engine::games::any::Answer;
use bestmove_service::{
    BatchLine, Failure, LineId, Prepare, PreparedSearch, Priority, Problem, to_json,
};

/// The media type of requests and answers.
const MEDIA_TYPE: &str = "application/x-ndjson";

/// `POST /best-move/batch`
pub(super) async fn by_lines(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, ProblemResponse> {
    if let Err(problem) = require_type(request.headers(), MEDIA_TYPE) {
        discard(request, &app.limits).await;
        return Err(problem.into());
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
struct Line {
    content: Content,
    _unanswered: Arc<()>,
}

enum Content {
    /// The answer to the line, with its end.
    Answer(Bytes),
    Search(Option<LineId>, PreparedSearch),
}

/// An answer with the id of its line.
#[derive(Serialize)]
struct LineAnswer<'a> {
    id: &'a LineId,
    #[serde(flatten)]
    answer: &'a Answer,
}

/// Reads the lines of a request and writes their answers.
#[derive(Clone)]
struct LineHandler {
    app: Arc<App>,
    /// The id of the request.
    id: Arc<str>,
}

impl LineHandler {
    /// Reads a group of lines on the blocking pool.
    async fn read(self, group: Group) -> Vec<Line> {
        let (unanswered, text) = (Arc::clone(&group.unanswered), group.text.clone());
        let handler = self.clone();
        let read = move || match &group.text {
            Ok(text) => lines(text).map(|line| handler.read_line(line)).collect::<Vec<_>>(),
            Err(problem) => vec![Content::Answer(handler.problem_line(None, problem))],
        };
        let contents = self.app.service.pool().run_short(read).await.unwrap_or_else(|failure| {
            let count = text.map_or(1, |text| lines(&text).count());
            let answer = self.problem_line(None, &failure.into());
            std::iter::repeat_with(|| Content::Answer(answer.clone())).take(count).collect()
        });
        let line = |content| Line { content, _unanswered: Arc::clone(&unanswered) };
        contents.into_iter().map(line).collect()
    }

    /// Reads a line, and answers it if its answer is known.
    fn read_line(&self, line: &[u8]) -> Content {
        let limit = self.app.limits.body;
        let (id, prepared) = if line.len() > limit {
            (None, Err(too_large(limit)))
        } else {
            let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
            let (id, request) = BatchLine::read(line);
            (id, request.and_then(|request| request.prepare(&self.app.service)))
        };
        match prepared {
            Err(problem) => Content::Answer(self.problem_line(id.as_ref(), &problem)),
            Ok(prepared) => match self.app.service.known(&prepared) {
                Some(answer) => Content::Answer(answer_line(id.as_ref(), &answer)),
                None => Content::Search(id, prepared),
            },
        }
    }

    /// The answer to a line, with its end.
    async fn answer(self, line: Line) -> Bytes {
        let (id, search) = match line.content {
            Content::Answer(answer) => return answer,
            Content::Search(id, search) => (id, search),
        };
        let known = id.clone();
        let service = Arc::clone(&self.app.service);
        let search = async move {
            let found = service.best_move(search, Priority::Batch).await?;
            match known {
                Some(id) => {
                    let write = move || answer_line(Some(&id), &found.answer);
                    service.pool().run_short(write).await
                }
                None => service.pool().answer_json(found.answer).await.map(|json| with_end(&json)),
            }
        };
        match AbortOnDropHandle::new(tokio::spawn(search.in_current_span())).await {
            Ok(Ok(line)) => line,
            Ok(Err(failure)) => self.problem_line(id.as_ref(), &failure.into()),
            Err(panic) => {
                self.problem_line(id.as_ref(), &Failure::Panicked(panic.to_string()).into())
            }
        }
    }

    fn problem_line(&self, id: Option<&LineId>, problem: &Problem) -> Bytes {
        with_end(problem.line_body(&self.id, id).as_bytes())
    }
}

/// The lines of a text that are not blank.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty())
}

/// The answer to the line of this id, with its end.
fn answer_line(id: Option<&LineId>, answer: &Answer) -> Bytes {
    let json = match id {
        None => to_json(answer),
        Some(id) => to_json(&LineAnswer { id, answer }),
    };
    with_end(json.as_bytes())
}

fn with_end(answer: &[u8]) -> Bytes {
    [answer, b"\n"].concat().into()
}

//! Many requests over one connection: one a line, answered in order as they finish.
//!
//! Lines are searched in groups, each on one worker, so that a cheap line costs no change of threads.
//! While a client does not read its answers, its lines are read ahead, as far as memory allows: a client
//! may write a whole batch before it reads.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

use super::app::App;
use super::dto::{BestMoveRequest, Dto, read};
use super::lines::{Line, Lines};
use super::problem::Problem;
use super::request_id::request_id;
use crate::service::{Batch, Failure, Finished, Overloaded, PreparedSearch, Reservation};

/// The media type of requests and answers.
pub(super) const MEDIA_TYPE: &str = "application/x-ndjson";
/// The most lines of a group.
const GROUP: usize = 64;
/// Bytes of answers that wait to be sent, beyond which no more lines are searched.
const MAX_UNSENT: usize = 256 << 10;

/// The answers to the lines of a request.
pub(super) fn answers(app: Arc<App>, request: Request) -> Response {
    let id = request_id(request.headers()).to_owned();
    let batch = app.service.batch();
    let lines = Lines::new(request.into_body(), &app);
    let handler = Arc::new(LineHandler { app, batch, id });
    let task = BatchTask {
        handler,
        lines,
        groups: VecDeque::new(),
        searches: JoinSet::new(),
        unsent: Vec::new(),
        memory: None,
    };
    let (output, chunks) = channel(1);
    let task = AbortOnDropHandle::new(tokio::spawn(task.run(output)));
    let body = stream::unfold((chunks, task), |(mut chunks, task)| async move {
        let chunk: Bytes = chunks.recv().await?;
        Some((Ok::<_, Infallible>(chunk), (chunks, task)))
    });
    let kind = [(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE))];
    (kind, Body::from_stream(body)).into_response()
}

/// An answer with its memory.
type Answer = (Vec<u8>, Reservation);

/// A batch on its way. Dropped, it stops all its searches.
struct BatchTask {
    handler: Arc<LineHandler>,
    lines: Lines,
    /// The answers of the groups in flight, in order.
    groups: VecDeque<UnboundedReceiver<Answer>>,
    searches: JoinSet<()>,
    /// Answers that the client has not taken yet, and their memory.
    unsent: Vec<u8>,
    memory: Option<Reservation>,
}

impl BatchTask {
    async fn run(mut self, output: Sender<Bytes>) {
        while !self.is_done() {
            self.start_groups();
            // Nothing goes on until the client sends more.
            let is_awaited = self.groups.is_empty() && self.unsent.is_empty();
            tokio::select! {
                biased;
                () = output.closed() => return,
                place = output.reserve(), if !self.unsent.is_empty() => match place {
                    Ok(place) => place.send(self.take_unsent()),
                    Err(_) => return,
                },
                answer = next_answer(&mut self.groups), if !self.groups.is_empty() => match answer {
                    Some(answer) => self.keep_unsent(answer),
                    None => drop(self.groups.pop_front()),
                },
                // A worker is free for another group.
                Some(_) = self.searches.join_next() => {}
                () = self.lines.read(is_awaited), if self.lines.may_read() => {}
            }
        }
    }

    fn is_done(&self) -> bool {
        self.lines.are_done() && self.groups.is_empty() && self.unsent.is_empty()
    }

    /// Starts to search as many groups as there are workers; the same number of finished ones may
    /// wait for an earlier one.
    fn start_groups(&mut self) {
        let workers = self.handler.app.service.pool().workers();
        while self.searches.len() < workers
            && self.groups.len() < 2 * workers
            && self.unsent.len() < MAX_UNSENT
        {
            let size = self.lines.waiting().div_ceil(workers).min(GROUP);
            let lines = self.lines.take(size);
            if lines.is_empty() {
                return;
            }
            let (answers, receiver) = unbounded_channel();
            self.groups.push_back(receiver);
            self.searches.spawn(answer_group(Arc::clone(&self.handler), lines, answers));
        }
    }

    fn keep_unsent(&mut self, (line, memory): Answer) {
        self.unsent.extend(line);
        match &mut self.memory {
            Some(all) => all.merge(memory),
            None => self.memory = Some(memory),
        }
    }

    fn take_unsent(&mut self) -> Bytes {
        let lines = std::mem::take(&mut self.unsent);
        match self.memory.take() {
            Some(memory) => memory.hold(lines),
            None => lines.into(),
        }
    }
}

/// The next answer of the first group; none once it is done.
async fn next_answer(groups: &mut VecDeque<UnboundedReceiver<Answer>>) -> Option<Answer> {
    groups.front_mut()?.recv().await
}

/// Answers a group of lines, one after the other.
async fn answer_group(
    handler: Arc<LineHandler>,
    lines: Vec<Line>,
    answers: UnboundedSender<Answer>,
) {
    let (count, answered) = (lines.len(), Arc::new(AtomicUsize::new(0)));
    let mut lines = lines.into_iter();
    let next = {
        let handler = Arc::clone(&handler);
        move |stop: &AtomicBool| lines.next().map(|line| handler.prepare(line, stop))
    };
    let send = {
        let (handler, answers) = (Arc::clone(&handler), answers.clone());
        let answered = Arc::clone(&answered);
        move |answer| {
            answered.fetch_add(1, Ordering::Relaxed);
            answers.send(handler.line(answer)).is_ok()
        }
    };
    if let Err(failure) = handler.batch.answer_group(next, send).await {
        for _ in answered.load(Ordering::Relaxed)..count {
            // Nobody listens where the client has left.
            let _ = answers.send(handler.line(Err(failure.clone().into())));
        }
    }
}

/// Reads the lines of a request and writes their answers.
struct LineHandler {
    app: Arc<App>,
    batch: Batch,
    /// The id of the request.
    id: String,
}

impl LineHandler {
    fn prepare(&self, line: Line, stop: &AtomicBool) -> Result<PreparedSearch, Problem> {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::from(Overloaded::Draining).into());
        }
        let text = line.text.map_err(|problem| *problem)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        read::<BestMoveRequest>(text.as_bytes())?.typed(&self.app.service)
    }

    /// The answer to a line, with the end of its own line.
    fn line(&self, answer: Result<Arc<Finished>, Problem>) -> Answer {
        let mut line = match answer {
            Ok(answer) => answer.body.to_vec(),
            Err(problem) => problem.body(&self.id).into_bytes(),
        };
        line.push(b'\n');
        let memory = self.app.service.pool().reserve_answer(line.len());
        (line, memory)
    }
}

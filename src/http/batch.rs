//! Many requests over one connection: one a line, answered in order as they finish.
//!
//! Lines are searched in groups, each on one worker, so that a cheap line costs no change of
//! threads; between two lines a group gives way to single requests. As many groups are in flight as
//! there may be searches at once, so memory is bounded whatever the number of lines.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::body::is_declared;
use super::lines::{Line, Lines};
use super::problem::Problem;
use super::wire::{self, BestMoveRequest};
use super::written::{Pages, written};
use super::{App, request_id};
use crate::service::{Failure, Overloaded};

const NDJSON: &str = "application/x-ndjson";
/// The lines of a group.
const GROUP: usize = 64;

/// Whether a request carries many.
pub(super) fn is_batch(headers: &HeaderMap) -> bool {
    is_declared(headers, NDJSON)
}

/// The answers to the lines of a request.
pub(super) fn answers(app: Arc<App>, request: Request) -> Response {
    let id = request_id::of(request.headers()).to_str().unwrap_or_default().to_owned();
    let lines = Lines::new(request.into_body(), app.limits);
    let clerk = Arc::new(Clerk { app, id });
    let batch = Batch { clerk, lines, groups: VecDeque::new(), searches: JoinSet::new() };
    let body = written(|pages| batch.write(pages));
    ([(CONTENT_TYPE, HeaderValue::from_static(NDJSON))], body).into_response()
}

/// A batch on its way. Dropped, it stops all its searches.
struct Batch {
    clerk: Arc<Clerk>,
    lines: Lines,
    /// The answers of the groups in flight, in order.
    groups: VecDeque<UnboundedReceiver<Vec<u8>>>,
    searches: JoinSet<()>,
}

impl Batch {
    async fn write(mut self, pages: Pages) {
        loop {
            self.start_groups();
            let is_idle = self.groups.is_empty();
            let page = tokio::select! {
                biased;
                page = next_page(&mut self.groups), if !is_idle => page,
                arrived = self.lines.arrive(is_idle), if self.takes_more() => {
                    let Err(problem) = arrived else { continue };
                    self.start(vec![Err(problem)]);
                    continue;
                }
                else => return,
            };
            if !page.is_empty() && pages.send(page.into()).await.is_err() {
                return;
            }
        }
    }

    fn has_room(&self) -> bool {
        self.groups.len() < self.clerk.app.service.pool().workers()
    }

    fn takes_more(&self) -> bool {
        self.has_room() && !self.lines.has_ended()
    }

    fn start_groups(&mut self) {
        while self.searches.try_join_next().is_some() {}
        while self.has_room() {
            let lines = self.lines.take(GROUP);
            if lines.is_empty() {
                break;
            }
            self.start(lines);
        }
    }

    fn start(&mut self, lines: Vec<Line>) {
        let (answers, receiver) = unbounded_channel();
        self.groups.push_back(receiver);
        self.searches.spawn(answer_group(Arc::clone(&self.clerk), lines, answers));
    }
}

/// The answers of the first group that are there; none once it is done and taken away.
async fn next_page(groups: &mut VecDeque<UnboundedReceiver<Vec<u8>>>) -> Vec<u8> {
    let mut answers = Vec::new();
    if let Some(first) = groups.front_mut()
        && first.recv_many(&mut answers, GROUP).await == 0
    {
        groups.pop_front();
    }
    answers.concat()
}

/// Answers a group of lines, one after the other.
async fn answer_group(clerk: Arc<Clerk>, lines: Vec<Line>, answers: UnboundedSender<Vec<u8>>) {
    let (count, answered) = (lines.len(), Arc::new(AtomicUsize::new(0)));
    let mut lines = lines.into_iter();
    let step = {
        let (clerk, answers) = (Arc::clone(&clerk), answers.clone());
        let answered = Arc::clone(&answered);
        move |stop: &AtomicBool| {
            let Some(line) = lines.next() else { return ControlFlow::Break(()) };
            answered.fetch_add(1, Ordering::Relaxed);
            match answers.send(clerk.answer(line, stop)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        }
    };
    if let Err(failure) = clerk.app.service.in_turns(step).await {
        let refusal = clerk.written(Err(failure.into()));
        for _ in answered.load(Ordering::Relaxed)..count {
            // Nobody listens where the client has left.
            let _ = answers.send(refusal.clone());
        }
    }
}

/// Who reads the lines of a request and writes their answers.
struct Clerk {
    app: Arc<App>,
    /// The id of the request.
    id: String,
}

impl Clerk {
    /// The answer to a line, with the end of its own line. A line whose search panics harms no other.
    fn answer(&self, line: Line, stop: &AtomicBool) -> Vec<u8> {
        let search = AssertUnwindSafe(|| self.searched(line, stop));
        let answer = catch_unwind(search).unwrap_or_else(|_| {
            tracing::error!(id = self.id, "the search of a line panicked");
            Err(Problem::internal())
        });
        self.written(answer)
    }

    fn searched(&self, line: Line, stop: &AtomicBool) -> Result<Bytes, Problem> {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::from(Overloaded::Draining).into());
        }
        let request: BestMoveRequest = wire::read(&line?)?;
        let answer = self.app.service.best_move_now(request.try_into()?, stop)?;
        Ok(answer.body.clone())
    }

    fn written(&self, answer: Result<Bytes, Problem>) -> Vec<u8> {
        let mut line = match answer {
            Ok(answer) => answer.to_vec(),
            Err(problem) => problem.body(&self.id).into_bytes(),
        };
        line.push(b'\n');
        line
    }
}

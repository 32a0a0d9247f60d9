//! Reviews: their tasks run side by side, each in a turn of batches.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use tokio_util::task::AbortOnDropHandle;

use super::admission::ReviewPlace;
use super::pool::{Caller, Timing, join_failure};
use super::{Event, Failure, Priority, Service, steps, write_json};
use bestmove_api::{PreparedTask, Problem, Review, ReviewResult, ReviewStep, ReviewTask};

/// A review that goes on. Dropped, it stops its searches. Until then its memory is reserved.
pub struct RunningReview {
    service: Arc<Service>,
    caller: Caller,
    /// `None` while the blocking pool works on the review, and after its last event.
    review: Option<Box<Review>>,
    results: BoxStream<'static, Result<(ReviewResult, Timing), Failure>>,
    timing: Timing,
    _place: ReviewPlace,
}

impl Service {
    /// Begins to review a game.
    ///
    /// # Errors
    /// Where the greatest number of reviews go on already, or memory is used up.
    pub fn review(self: &Arc<Self>, review: Review) -> Result<RunningReview, Failure> {
        let pool = &self.core.pool;
        let (caller, place) = (pool.caller(Priority::Batch)?, pool.review(review.memory())?);
        Ok(RunningReview {
            service: Arc::clone(self),
            caller,
            review: Some(Box::new(review)),
            results: stream::empty().boxed(),
            timing: Timing::default(),
            _place: place,
        })
    }

    async fn run_task(
        self: Arc<Self>,
        task: ReviewTask,
        caller: Caller,
    ) -> Result<(ReviewResult, Timing), Failure> {
        let pool = &self.core.pool;
        match pool.run_short(move || task.prepare().map_err(Problem::from)).await?? {
            PreparedTask::Done(result) => Ok((result, Timing::default())),
            PreparedTask::Search(job, ply) => {
                let found = self.core.found(job, || Ok(caller)).await?;
                Ok((ply.found(&found.answered.answer), found.timing))
            }
            PreparedTask::Explain(job) => {
                let turn = pool.admission.turn(caller.priority).await?;
                let (memory, request) = (job.memory(), caller.request.clone());
                let explain = move |stop: &_| steps::search(&request).in_scope(|| job.run(stop));
                pool.run(caller, turn, memory, explain).await
            }
        }
    }
}

impl RunningReview {
    /// The next event; `None` after the last one. A move is told once its value and all later values are final.
    ///
    /// # Errors
    /// Where a position can't be searched.
    pub async fn next(&mut self) -> Result<Option<Event>, Failure> {
        loop {
            let Some(mut review) = self.review.take() else { return Ok(None) };
            if let Some((result, timing)) = self.results.next().await.transpose()? {
                self.timing.queue += timing.queue;
                self.timing.search += timing.search;
                let event = event(&review.take(result))?;
                self.review = Some(review);
                return Ok(Some(event));
            }
            let pool = self.service.pool();
            // The values of up to a thousand positions are compared, which takes too long for the async runtime.
            let next = pool.run_short(move || (review.tasks(), review)).await?;
            let (tasks, review) = next;
            if tasks.is_empty() {
                let json = pool.run_short(move || write_json(&review.answer())).await??;
                return Ok(Some(Event::Result(json, self.timing)));
            }
            self.review = Some(review);
            self.results = self.run(tasks);
        }
    }

    /// The JSON of the answer, and the time of all searches.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn finish(mut self) -> Result<(Bytes, Timing), Failure> {
        loop {
            match self.next().await? {
                Some(Event::Result(json, timing)) => return Ok((json, timing)),
                Some(_) => {}
                None => return Err(Failure::Unwritten("the review had ended".to_owned())),
            }
        }
    }

    /// Runs tasks side by side. A task that has begun goes on while nobody polls the stream.
    fn run(
        &self,
        tasks: Vec<ReviewTask>,
    ) -> BoxStream<'static, Result<(ReviewResult, Timing), Failure>> {
        let (service, caller) = (Arc::clone(&self.service), self.caller.clone());
        let running = stream::iter(tasks).map(move |task| {
            let running = Arc::clone(&service).run_task(task, caller.clone());
            let running = AbortOnDropHandle::new(tokio::spawn(running));
            async move { running.await.map_err(join_failure)? }
        });
        running.buffered(self.service.pool().workers()).boxed()
    }
}

fn event(step: &ReviewStep) -> Result<Event, Failure> {
    let json = write_json(step)?;
    Ok(match step {
        ReviewStep::Search(_) => Event::Search(json),
        ReviewStep::Move { .. } => Event::Progress(json),
    })
}

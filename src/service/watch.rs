//! A search that tells how far it has come. It is searched for one caller alone, known or not.

use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Failure, Finished, Question, Service};
use crate::games::any::Answer;

/// What is heard of a search.
#[derive(Debug)]
pub enum Event {
    /// A depth is completed.
    Progress(Box<Answer>),
    /// The search is done: the last event.
    Result(Finished),
    /// There is no answer: the last event.
    Failure(Failure),
}

/// A search that is watched. Whoever drops it stops it.
pub struct Watch {
    search: Pin<Box<dyn Future<Output = Result<Finished, Failure>> + Send>>,
    ended: Option<Result<Finished, Failure>>,
    /// No more than one for each depth.
    depths: UnboundedReceiver<Box<Answer>>,
}

impl Watch {
    /// The best move of a position, searched by `service` as soon as somebody listens.
    #[must_use]
    pub fn new(service: Arc<Service>, question: Question) -> Self {
        let (observer, depths) = unbounded_channel();
        let search = Box::pin(async move { service.watched(question, observer).await });
        Self { search, ended: None, depths }
    }

    /// The next event. Not to be asked again after the last one; nothing is lost if the future is
    /// dropped.
    pub async fn next(&mut self) -> Event {
        if self.ended.is_none() {
            tokio::select! {
                biased;
                Some(answer) = self.depths.recv() => return Event::Progress(answer),
                ended = &mut self.search => self.ended = Some(ended),
            }
        }
        // The last depths may have come with the end.
        if let Some(answer) = self.depths.recv().await {
            return Event::Progress(answer);
        }
        match self.ended.take() {
            Some(Ok(answer)) => Event::Result(answer),
            Some(Err(failure)) => Event::Failure(failure),
            None => Event::Failure(Failure::Panicked("its result was asked for twice".to_owned())),
        }
    }
}

impl Service {
    async fn watched(
        &self,
        question: Question,
        observer: UnboundedSender<Box<Answer>>,
    ) -> Result<Finished, Failure> {
        let (search, write) = (self.search(&question)?, self.desk.write);
        let memory = search.memory();
        let job = move |stop: &_| {
            // Whoever does not listen any more has stopped the search.
            let tell = &mut |answer| drop(observer.send(Box::new(answer)));
            Finished::new(&search.run_watched(stop, tell), write)
        };
        let (answer, timing) = self.desk.pool.run(memory, job).await?;
        self.desk.metrics.count(&answer.summary, timing.search);
        Ok(answer)
    }
}

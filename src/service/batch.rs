//! Many requests in a row, in turns with everybody else.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::{Failure, Finished, Question, Service};
use crate::search::MOST_MEMORY;

impl Service {
    /// The best move of a position, searched on the present thread unless its answer is kept: for a
    /// step of [`in_turns`](Self::in_turns).
    ///
    /// # Errors
    /// Where the question can't be read or the game is over.
    pub fn best_move_now(
        &self,
        question: Question,
        stop: &AtomicBool,
    ) -> Result<Arc<Finished>, Failure> {
        let (desk, keeps) = (&self.desk, question.is_deterministic());
        if keeps && let Some(answer) = desk.answers.get(&question) {
            desk.metrics.hits.inc();
            return Ok(answer);
        }
        let search = self.search(&question)?;
        let start = Instant::now();
        let answer = Arc::new(Finished::new(&search.run(stop), desk.write));
        desk.metrics.count(&answer.summary, start.elapsed());
        if keeps {
            desk.metrics.misses.inc();
            if !answer.is_cut_short() {
                desk.answers.keep(Arc::new(question), Arc::clone(&answer));
            }
        }
        Ok(answer)
    }

    /// Takes one `step` after the other on a worker until one breaks off. Between two steps, single
    /// requests that wait go first.
    ///
    /// # Errors
    /// Where the service is about to stop, or a step panicked.
    pub async fn in_turns(
        &self,
        step: impl FnMut(&AtomicBool) -> ControlFlow<()> + Send + 'static,
    ) -> Result<(), Failure> {
        self.desk.pool.run_in_turns(MOST_MEMORY, step).await
    }
}

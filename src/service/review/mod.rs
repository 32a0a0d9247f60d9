//! Review of a whole game: what each move was worth beside the best one.
//!
//! Every position of the game is searched as a request of its own, with its cache and single flight. They are
//! searched side by side on the free workers, and give way to single requests as a batch does.
//! Whoever drops the review stops its searches.

mod summary;

use std::sync::Arc;

use futures_util::stream::{self, BoxStream, StreamExt};

pub use self::summary::{Label, Review, ReviewedMove, SideReview};
use super::pool::Caller;
use super::{BoardRequest, Failure, PreparedSearch, Priority, Service, Timing};
use bestmove_engine::game::{Outcome, Score, expected_points};
use bestmove_engine::games;
use bestmove_engine::games::any::{
    AnyBoard, Boards, Evaluation, GameStatus, MoveText, SearchParameters, ShownMove, State,
};

/// A review that has been read, ready to run.
pub struct PreparedReview {
    boards: Boards,
    plies: usize,
    sides: [&'static str; 2],
    parameters: SearchParameters,
}

impl PreparedReview {
    /// How many moves there are.
    pub fn plies(&self) -> usize {
        self.plies
    }
}

/// The names of the side to move and of the other one.
fn sides_of(state: &State) -> [&'static str; 2] {
    let mut sides = games::find(state.game).map(|game| game.info().sides).unwrap_or_default();
    if sides[0] != state.side_to_move {
        sides.reverse();
    }
    sides
}

/// A review that goes on. Dropped, it stops its searches.
pub struct ReviewSteps {
    assessments: BoxStream<'static, Result<Assessment, Failure>>,
    sides: [&'static str; 2],
    last: Option<Assessment>,
    moves: Vec<ReviewedMove>,
    timing: Timing,
}

/// A step of a review.
pub enum ReviewStep<'a> {
    /// A move has been reviewed.
    Move(&'a ReviewedMove),
    /// All have been: the last step.
    End(Box<Review>),
}

impl ReviewSteps {
    /// The next step.
    ///
    /// # Errors
    /// Where a position can't be searched, or the review has ended.
    pub async fn next(&mut self) -> Result<ReviewStep<'_>, Failure> {
        while let Some(next) = self.assessments.next().await.transpose()? {
            self.timing.queue += next.timing.queue;
            self.timing.search += next.timing.search;
            let ply = self.moves.len() + 1;
            let reviewed =
                self.last.as_ref().and_then(|before| reviewed(ply, before, &next, self.sides[0]));
            self.last = Some(next);
            if let Some(reviewed) = reviewed {
                return Ok(ReviewStep::Move(self.moves.push_mut(reviewed)));
            }
        }
        let end =
            self.last.take().ok_or_else(|| Failure::Panicked("the review has ended".to_owned()))?;
        let moves = std::mem::take(&mut self.moves);
        let review = Review::new(moves, self.sides, end.state, self.timing);
        Ok(ReviewStep::End(Box::new(review)))
    }
}

/// A position of the game with what was found out about it.
struct Assessment {
    state: State,
    /// The move that led here.
    played: Option<ShownMove>,
    /// Its value from the view of the first side.
    evaluation: Evaluation,
    /// The best move, and the line that is expected; none where the game is over.
    best: Option<(ShownMove, Vec<MoveText>)>,
    has_choice: bool,
    timing: Timing,
}

impl Service {
    /// Reads which game is to be reviewed.
    ///
    /// # Errors
    /// As [`prepare_search`](Self::prepare_search); a move must also not follow the end of the game.
    pub fn prepare_review(
        &self,
        board: &BoardRequest,
        parameters: SearchParameters,
    ) -> Result<PreparedReview, Failure> {
        let mut boards = board.boards()?.peekable();
        let parameters = SearchParameters { time_limit: Some(self.max_time), ..parameters };
        let mut sides = Default::default();
        if let Some(start) = boards.peek() {
            start.search(&parameters, &self.knowledge)?;
            sides = sides_of(&start.state());
        }
        let (boards, plies) = (Box::new(boards), board.moves.len());
        Ok(PreparedReview { boards, plies, sides, parameters })
    }

    /// Reviews a game, move by move.
    ///
    /// # Errors
    /// Where the service is about to stop.
    pub fn review_steps(
        self: &Arc<Self>,
        prepared: PreparedReview,
    ) -> Result<ReviewSteps, Failure> {
        let PreparedReview { boards, sides, parameters, .. } = prepared;
        let pool = &self.core.pool;
        let caller = pool.caller(Priority::Batch)?;
        let (service, parameters) = (Arc::clone(self), Arc::new(parameters));
        let assessments = boards.map(move |board| {
            let (service, caller) = (Arc::clone(&service), caller.clone());
            let parameters = Arc::clone(&parameters);
            async move { service.assess(board, &parameters, sides[0], &caller).await }
        });
        let assessments = stream::iter(assessments).buffered(pool.workers()).boxed();
        Ok(ReviewSteps {
            assessments,
            sides,
            last: None,
            moves: Vec::new(),
            timing: Timing::default(),
        })
    }

    /// Reviews a game as a whole.
    ///
    /// # Errors
    /// Where the service is about to stop.
    pub async fn review(self: &Arc<Self>, prepared: PreparedReview) -> Result<Review, Failure> {
        let mut steps = self.review_steps(prepared)?;
        loop {
            if let ReviewStep::End(review) = steps.next().await? {
                return Ok(*review);
            }
        }
    }

    /// Searches a position of the game.
    async fn assess(
        &self,
        board: Box<dyn AnyBoard>,
        parameters: &SearchParameters,
        first_side: &'static str,
        caller: &Caller,
    ) -> Result<Assessment, Failure> {
        let (state, played) = (board.state(), board.last_move());
        let is_first = state.side_to_move == first_side;
        let has_choice = board.has_choice();
        if let Some(evaluation) = final_evaluation(&state, first_side) {
            let (best, timing) = (None, Timing::default());
            return Ok(Assessment { state, played, evaluation, best, has_choice, timing });
        }
        let search = board.search(parameters, &self.knowledge)?;
        let key = Arc::new(search.key());
        let prepared = PreparedSearch { search, key, extension: None };
        let found = self.found(prepared, caller).await?;
        let best = &found.answer.best;
        let shown = board.after(&best.mv.text, 0)?.last_move();
        let evaluation = if is_first { best.evaluation } else { reversed(best.evaluation) };
        let best = shown.map(|shown| (shown, best.principal_variation.clone()));
        Ok(Assessment { state, played, evaluation, best, has_choice, timing: found.timing })
    }
}

/// What the move between two positions was worth.
fn reviewed(
    ply: usize,
    before: &Assessment,
    after: &Assessment,
    first_side: &'static str,
) -> Option<ReviewedMove> {
    let played = after.played.clone()?;
    let (best, line) = before.best.clone()?;
    let side = before.state.side_to_move;
    let sign = if side == first_side { 1.0 } else { -1.0 };
    let is_best = played.text == best.text;
    let difference = sign * (points_of(&before.evaluation) - points_of(&after.evaluation));
    // `max` may return a negative zero.
    let loss = if is_best || difference <= 0.0 { 0.0 } else { difference };
    let loss = (loss * 1e4).round() / 1e4;
    Some(ReviewedMove {
        ply,
        side,
        played,
        evaluation: after.evaluation,
        best,
        best_evaluation: before.evaluation,
        principal_variation: line,
        loss,
        label: if before.has_choice { Label::of(loss) } else { Label::Forced },
        is_proven: before.evaluation.outcome.is_some() && after.evaluation.outcome.is_some(),
    })
}

/// The points that a side may expect of a game, 1 for a win and ½ for a draw.
fn points_of(evaluation: &Evaluation) -> f64 {
    match evaluation.outcome {
        Some(Outcome::Win) => 1.0,
        Some(Outcome::Draw) => 0.5,
        Some(Outcome::Loss) => 0.0,
        None => expected_points(f64::from(evaluation.score), evaluation.half_value),
    }
}

/// The same value from the other side's view.
fn reversed(evaluation: Evaluation) -> Evaluation {
    Evaluation {
        outcome: evaluation.outcome.map(Outcome::reversed),
        score: -evaluation.score,
        // Minus zero is written otherwise.
        value: 0.0 - evaluation.value,
        ..evaluation
    }
}

/// The value of a game that is over, from the view of `side`.
fn final_evaluation(state: &State, side: &'static str) -> Option<Evaluation> {
    let outcome = match state.status {
        GameStatus::Ongoing => return None,
        GameStatus::Drawn { .. } => Outcome::Draw,
        GameStatus::Won { winner, .. } if winner == side => Outcome::Win,
        GameStatus::Won { .. } => Outcome::Loss,
    };
    let score = Score::ended(outcome, 0);
    let (score, value) = (score.number(), score.value(1));
    Some(Evaluation { outcome: Some(outcome), plies: None, score, value, half_value: 1 })
}

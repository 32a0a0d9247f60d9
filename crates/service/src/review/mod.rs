//! Review of a whole game: what each move was worth beside the best one.
//!
//! Every position of the game is searched as a request of its own, with its cache and single flight. They are
//! searched side by side on the free workers, and give way to single requests as a batch does. Where the search of a position
//! and that of the next one disagree, the moves that were not played are searched with more effort, at most
//! twice. Whoever drops the review stops its searches.

mod explanation;
mod summary;
mod values;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use futures_util::stream::{self, BoxStream, StreamExt};
use serde::Serialize;

use self::explanation::{Explained, explained};
pub use self::summary::{
    Exercise, ExpectedPoints, Label, Review, ReviewInclude, ReviewedMove, SideReview,
};
use self::values::{Finding, Line, Scope, SearchedPosition, disputed, reviewed, values};
use crate::pool::Caller;
use crate::reasons;
use crate::{BoardRequest, Failure, PreparedSearch, Priority, Service, Timing};
use bestmove_engine::game::{GameInfo, Outcome, Score};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{
    AnyBoard, Boards, Evaluation, GameStatus, SearchParameters, State,
};

/// The nodes of the first, second and third search of a position, as multiples of those asked for.
const EFFORTS: [u32; 3] = [1, 8, 32];
/// The most nodes to which a second or third search is raised, unless more show the end of the game.
const MOST_NODES: u64 = 1_000_000;
/// How many times as many nodes a third search has where it then sees the end of the game.
const TIMES_TO_END: u64 = 10;

/// A review that has been read, ready to run.
pub struct PreparedReview {
    boards: Boards,
    plies: usize,
    game: &'static GameInfo,
    sides: [&'static str; 2],
    parameters: SearchParameters,
    include: ReviewInclude,
}

impl PreparedReview {
    /// How many moves there are.
    pub fn plies(&self) -> usize {
        self.plies
    }
}

/// The names of the side to move and of the other one.
fn sides_of(board: &dyn AnyBoard) -> [&'static str; 2] {
    let mut sides = board.game().sides;
    if sides[0] != board.state().side_to_move {
        sides.reverse();
    }
    sides
}

/// The searches of a review. Dropped, they stop.
type Searches = BoxStream<'static, Result<Searched, Failure>>;

/// A review that goes on. Dropped, it stops its searches.
pub struct ReviewSteps {
    service: Arc<Service>,
    caller: Caller,
    parameters: Arc<SearchParameters>,
    game: &'static GameInfo,
    sides: [&'static str; 2],
    searches: Searches,
    progress: SearchCount,
    positions: Vec<SearchedPosition>,
    timing: Timing,
    /// The moves that have not been told yet, once all are reviewed.
    untold: Option<BoxStream<'static, Result<Explained, Failure>>>,
    told: Vec<ReviewedMove>,
    include: ReviewInclude,
    exercises: Vec<Exercise>,
}

/// A step of a review.
pub enum ReviewStep<'a> {
    /// A position has been searched.
    Search(SearchCount),
    /// A move has been reviewed.
    Move(&'a ReviewedMove),
    /// All have been: the last step.
    End(Box<Review>),
}

/// How many searches of a review are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchCount {
    /// Those that are done.
    pub searched: usize,
    /// Those that are known to be needed. The number grows where searches disagree.
    pub searches: usize,
}

/// A position with what a search found out about it.
struct Searched {
    index: usize,
    board: Box<dyn AnyBoard>,
    scope: Scope,
    finding: Finding,
    timing: Timing,
}

impl ReviewSteps {
    /// The next step. A move is told once its value and all later ones are final.
    ///
    /// # Errors
    /// Where a position can't be searched, or the review has ended.
    pub async fn next(&mut self) -> Result<ReviewStep<'_>, Failure> {
        while self.untold.is_none() {
            if let Some(searched) = self.searches.next().await.transpose()? {
                return Ok(ReviewStep::Search(self.take(searched)));
            }
            let values = values(&mut self.positions);
            let again = disputed(&self.positions, &values);
            if again.is_empty() {
                let moves = reviewed(&self.positions, values, self.sides[0]);
                self.untold = Some(self.explained(moves));
            } else {
                self.search_again(&again);
            }
        }
        if let Some(untold) = &mut self.untold
            && let Some(Explained { reviewed, exercise }) = untold.next().await.transpose()?
        {
            self.exercises.extend(exercise);
            let is_turned = self.include.is_first_view && self.sides[0] != self.game.sides[0];
            let reviewed = if is_turned { reviewed.turned() } else { reviewed };
            return Ok(ReviewStep::Move(self.told.push_mut(reviewed)));
        }
        let end = self.positions.pop();
        let end = end.ok_or_else(|| Failure::Panicked("the review has ended".to_owned()))?;
        self.positions.clear();
        let moves = std::mem::take(&mut self.told);
        let review = Review::new(self.game, moves, self.sides, end.state, self.timing);
        let exercises = std::mem::take(&mut self.exercises);
        let review = Review { exercises: self.include.exercises.then_some(exercises), ..review };
        Ok(ReviewStep::End(Box::new(review)))
    }

    /// The moves with what the review includes, which is searched for on the free workers.
    fn explained(
        &mut self,
        moves: Vec<ReviewedMove>,
    ) -> BoxStream<'static, Result<Explained, Failure>> {
        let ReviewInclude { reasons, exercises, .. } = self.include;
        if !reasons && !exercises {
            let plain = |reviewed| Ok(Explained { reviewed, exercise: None });
            return stream::iter(moves.into_iter().map(plain)).boxed();
        }
        let lines = moves.iter().skip(1).map(|next| next.best.principal_variation.clone());
        let lines: Vec<_> = lines.chain([Vec::new()]).collect();
        let boards: Vec<_> =
            self.positions.iter_mut().map(|position| position.board.take()).collect();
        let (service, caller, include) =
            (Arc::clone(&self.service), self.caller.clone(), self.include);
        let first = self.sides[0];
        let jobs =
            moves.into_iter().zip(lines).zip(boards).map(move |((reviewed, next), board)| {
                let (service, caller) = (Arc::clone(&service), caller.clone());
                async move {
                    let Some(board) = board else {
                        return Ok(Explained { reviewed, exercise: None });
                    };
                    let knowledge = service.knowledge.clone();
                    let memory = reasons::memory(&*board, &knowledge);
                    let job = move |stop: &AtomicBool| {
                        let is_first = reviewed.side == first;
                        explained(reviewed, &*board, &next, is_first, include, &knowledge, stop)
                    };
                    let pool = &service.core.pool;
                    pool.run(caller, memory, job).await.map(|(explained, _)| explained)
                }
            });
        stream::iter(jobs).buffered(self.service.pool().workers()).boxed()
    }

    fn take(&mut self, searched: Searched) -> SearchCount {
        let Searched { index, board, scope, finding, timing } = searched;
        self.timing.queue += timing.queue;
        self.timing.search += timing.search;
        if let Some(position) = self.positions.get_mut(index) {
            (position.board, position.scope, position.finding) = (Some(board), scope, finding);
        } else {
            self.positions.push(SearchedPosition::new(board, finding));
        }
        self.progress.searched += 1;
        self.progress
    }

    /// Starts to search some positions again.
    fn search_again(&mut self, again: &[(usize, Scope)]) {
        self.progress.searches += again.len();
        let mut boards = Vec::new();
        for &(index, scope) in again {
            let next = self.positions.get(index + 1).filter(|_| scope.is_of_others);
            let played = next.and_then(|next| next.played.clone());
            let board = self.positions[index].board.take();
            boards.extend(board.map(|board| (index, scope, played, board)));
        }
        let (service, caller) = (Arc::clone(&self.service), self.caller.clone());
        let parameters = Arc::clone(&self.parameters);
        let searches = boards.into_iter().map(move |(index, scope, played, board)| {
            let mut parameters = with_more_effort(&parameters, scope.effort, &*board);
            parameters.search_moves = played.map(|mv| board.other_moves(&mv.text));
            if scope.effort as usize == EFFORTS.len() - 1 {
                parameters = to_the_end(parameters, &*board, &service.knowledge);
            }
            let (service, caller) = (Arc::clone(&service), caller.clone());
            async move { service.searched(index, board, scope, &parameters, &caller).await }
        });
        self.searches = stream::iter(searches).buffered(self.service.pool().workers()).boxed();
    }
}

/// The parameters of a search whose effort was raised so often: each time by one ply, by as much time as the
/// first one had, and nodes as [`EFFORTS`] says.
fn with_more_effort(
    parameters: &SearchParameters,
    effort: u32,
    board: &dyn AnyBoard,
) -> SearchParameters {
    let times = EFFORTS.get(effort as usize).copied().unwrap_or(1);
    let max_depth = u64::from(board.game().max_depth);
    SearchParameters {
        depth: parameters.depth.map(|depth| (depth + u64::from(effort)).min(max_depth)),
        nodes: parameters
            .nodes
            .map(|nodes| nodes.saturating_mul(times.into()).min(MOST_NODES).max(nodes)),
        time: parameters.time.map(|time| time.saturating_mul(1 + effort)),
        ..parameters.clone()
    }
}

/// The parameters with more nodes, where a search with so many sees the end of the game.
fn to_the_end(
    parameters: SearchParameters,
    board: &dyn AnyBoard,
    knowledge: &Knowledge,
) -> SearchParameters {
    let raised = parameters.nodes.map(|nodes| nodes.saturating_mul(TIMES_TO_END));
    let search = board.search(&parameters, knowledge).ok();
    let to_end = search.and_then(|search| search.nodes_to_end());
    if to_end.is_some() && to_end <= raised {
        SearchParameters { nodes: raised, ..parameters }
    } else {
        parameters
    }
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
        include: ReviewInclude,
    ) -> Result<PreparedReview, Failure> {
        let (boards, plies) = board.boards()?;
        let mut boards = boards.peekable();
        let parameters = SearchParameters { time_limit: Some(self.max_time), ..parameters };
        let game = board.game()?.info();
        let mut sides = game.sides;
        if let Some(start) = boards.peek() {
            start.search(&parameters, &self.knowledge)?;
            sides = sides_of(&**start);
        }
        let boards = Box::new(boards);
        Ok(PreparedReview { boards, plies, game, sides, parameters, include })
    }

    /// Reviews a game, move by move.
    ///
    /// # Errors
    /// Where the service is about to stop.
    pub fn review_steps(
        self: &Arc<Self>,
        prepared: PreparedReview,
    ) -> Result<ReviewSteps, Failure> {
        let PreparedReview { boards, plies, game, sides, parameters, include } = prepared;
        let pool = &self.core.pool;
        let caller = pool.caller(Priority::Batch)?;
        let parameters = Arc::new(parameters);
        let first = (Arc::clone(self), caller.clone(), Arc::clone(&parameters));
        let searches = boards.enumerate().map(move |(index, board)| {
            let (service, caller, parameters) = first.clone();
            async move { service.searched(index, board, Scope::FIRST, &parameters, &caller).await }
        });
        Ok(ReviewSteps {
            service: Arc::clone(self),
            caller,
            parameters,
            game,
            sides,
            searches: stream::iter(searches).buffered(pool.workers()).boxed(),
            progress: SearchCount { searched: 0, searches: plies + 1 },
            positions: Vec::new(),
            timing: Timing::default(),
            untold: None,
            told: Vec::new(),
            include,
            exercises: Vec::new(),
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
    async fn searched(
        &self,
        index: usize,
        board: Box<dyn AnyBoard>,
        scope: Scope,
        parameters: &SearchParameters,
        caller: &Caller,
    ) -> Result<Searched, Failure> {
        if let Some(evaluation) = final_evaluation(&board.state()) {
            let (finding, timing) = (Finding { evaluation, line: None }, Timing::default());
            return Ok(Searched { index, board, scope, finding, timing });
        }
        let prepared = PreparedSearch::new(board.search(parameters, &self.knowledge)?);
        let found = self.found(prepared, caller).await?;
        let answer = found.answer;
        let best = board.after(&answer.best_move.text, 0)?.last_move();
        let line = best.map(|best| Line { best, moves: answer.principal_variation.clone() });
        let finding = Finding { evaluation: answer.evaluation, line };
        Ok(Searched { index, board, scope, finding, timing: found.timing })
    }
}

/// The value of a game that is over, from the view of the side to move; none where the game goes on.
fn final_evaluation(state: &State) -> Option<Evaluation> {
    let (outcome, margin) = match state.status {
        GameStatus::Ongoing => return None,
        GameStatus::Drawn { .. } => (Outcome::Draw, None),
        GameStatus::Won { winner, margin, .. } if winner == state.side_to_move => {
            (Outcome::Win, margin)
        }
        GameStatus::Won { margin, .. } => (Outcome::Loss, margin),
    };
    let score = match (outcome, margin) {
        (Outcome::Win, Some(margin)) => Score::won_by(margin),
        (Outcome::Loss, Some(margin)) => -Score::won_by(margin),
        _ => Score::ended(outcome, 0),
    };
    let plies = (outcome != Outcome::Draw).then_some(0);
    let (margin, score, value) = (score.margin(), score.number(), score.value(1));
    Some(Evaluation {
        outcome: Some(outcome),
        margin,
        plies,
        plies_bound: None,
        score,
        score_bound: None,
        value,
        half_value: 1,
    })
}

//! Review of a whole game: the value of each move beside the best one.
//!
//! A review is a job of jobs. It names the [tasks](Review::tasks) that it wants next, and [takes](Review::take) their
//! results; the caller decides when and where a task runs. Every position of the game is searched. Where the search
//! of a position and that of the next one disagree, the moves that were not played are searched with more
//! effort, at most three times. Then each move is told, and explained where the request asks for that.
//!
//! A review holds the moves of the game once, and makes a board of them when a task needs it.

mod explanation;
mod summary;
mod values;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

pub use self::explanation::ExplanationJob;
pub use self::summary::{
    Exercise, ExpectedPoints, Label, NoExercises, ReviewAnswer, ReviewInclude, ReviewedMove,
    SideReview,
};
use self::values::{
    ALL_POINTS, Finding, Line, RAISES, Scope, SearchedPosition, Value, disputed, seen, shown,
    shown_points, values,
};
use crate::request::{BOARD, BoardRequest, Fields, LIMITS, SEARCH, TOLD, required};
use crate::{Context, Control, Include, Job, Prepare, Problem, Refusal};
use bestmove_engine::game::{GameInfo, Outcome, Score};
use bestmove_engine::games::any::{
    Answer, AnyBoard, AnyLine, Evaluation, GameStatus, MoveText, SearchParameters, ShownMove,
    State, Variation,
};

/// The nodes of each search of a position, as a multiple of the requested nodes, and the greatest number to which they are
/// raised, unless more nodes show the end of the game.
const EFFORTS: [(u64, u64); 1 + RAISES as usize] =
    [(1, 0), (8, 1_000_000), (32, 1_000_000), (160, 3_200_000)];
/// The effort of a third search.
const THIRD: u32 = 2;
/// The factor of the nodes of a third search where it then sees the end of the game.
const TIMES_TO_END: u64 = 10;

/// The request of `/review`.
pub enum ReviewRequest {}

impl ReviewRequest {
    /// The game that is to be reviewed, and the search of its positions.
    ///
    /// # Errors
    /// Where a field is missing or wrong by itself, or the game has too many moves.
    pub fn split(fields: Fields) -> Result<(BoardRequest, SearchParameters), Problem> {
        /// The nodes of each search where the request sets no limit.
        const DEFAULT_NODES: u64 = 20_000;
        const MOST_MOVES: usize = 1000;
        let has_moves = fields.moves.is_some();
        let (board, mut parameters) = fields.split()?;
        required(has_moves.then_some(()), "moves", "the moves of the game")?;
        if parameters.depth.is_none() && parameters.time.is_none() {
            parameters.nodes.get_or_insert(DEFAULT_NODES);
        }
        let count = board.moves.len();
        if !(1..=MOST_MOVES).contains(&count) {
            let detail = format!("expected 1 to {MOST_MOVES} moves but got {count}");
            return Err(Problem::field("moves", detail));
        }
        Ok((board, parameters))
    }
}

impl Prepare for ReviewRequest {
    const FIELDS: &'static [&'static [&'static str]] = &[BOARD, LIMITS, SEARCH, TOLD];
    const REQUIRED: &'static [&'static str] = &["game", "moves"];
    type Prepared = Review;

    fn prepare(mut fields: Fields, context: &Context) -> Result<Review, Problem> {
        let is_first_view = fields.is_first_view()?;
        let names = fields.included(&["reasons", "exercises"])?;
        let (reasons, exercises) = (names.contains(&"reasons"), names.contains(&"exercises"));
        let (board, parameters) = Self::split(fields)?;
        let include = ReviewInclude { reasons, exercises, is_first_view };
        Ok(Review::new(&board, parameters, include, context)?)
    }
}

/// The state of a review.
pub struct Review {
    game: Arc<ReviewedGame>,
    positions: Vec<SearchedPosition>,
    progress: SearchCount,
    told: Vec<ReviewedMove>,
    exercises: Vec<Exercise>,
}

/// A game with the parameters of its review.
struct ReviewedGame {
    line: Box<dyn AnyLine>,
    info: &'static GameInfo,
    /// The side that moves first in the game, then the other one.
    sides: [&'static str; 2],
    parameters: SearchParameters,
    include: ReviewInclude,
    context: Context,
}

/// A part of a review.
pub struct ReviewTask {
    game: Arc<ReviewedGame>,
    kind: TaskKind,
}

enum TaskKind {
    /// Searches the position after `ply` plies, or only the moves that were not played there.
    Search { ply: usize, scope: Scope, played: Option<Box<str>> },
    /// Tells the value of a move.
    Tell(Box<Told>),
}

/// A move of the game and its value.
struct Told {
    ply: usize,
    has_choice: bool,
    before: Value,
    after: Value,
}

/// A task that is ready to run.
pub enum PreparedTask {
    /// The result of a task that needed no search.
    Done(ReviewResult),
    /// A search, whose answer [becomes](SearchedPly::found) the result.
    Search(Job, SearchedPly),
    /// An explanation.
    Explain(Box<ExplanationJob>),
}

/// A position in search.
pub struct SearchedPly {
    ply: usize,
    scope: Scope,
    has_choice: bool,
    played: Box<str>,
}

/// The result of a task.
pub struct ReviewResult(ResultKind);

enum ResultKind {
    Searched(usize, SearchedPosition),
    Told(Box<(ReviewedMove, Option<Exercise>)>),
}

/// The progress by a result.
#[derive(Serialize)]
#[serde(untagged)]
pub enum ReviewStep<'a> {
    /// A position has been searched.
    Search(SearchCount),
    /// A move has been reviewed.
    Move {
        /// The number of the move, from 1.
        reviewed: usize,
        /// The number of moves of the game.
        plies: usize,
        /// The move.
        r#move: &'a ReviewedMove,
    },
}

/// The progress of the searches of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchCount {
    /// The number of searches done.
    pub searched: usize,
    /// The number of searches needed so far. It grows where searches disagree.
    pub searches: usize,
}

impl Review {
    /// Reads the request of a review.
    ///
    /// # Errors
    /// As [`Job::new`]; a move must also not follow the end of the game.
    pub fn new(
        request: &BoardRequest,
        parameters: SearchParameters,
        include: ReviewInclude,
        context: &Context,
    ) -> Result<Self, Refusal> {
        let (info, line) = (request.game()?.info(), request.line()?);
        let start = line.board(0);
        let context = context.clone();
        Job::of_board(line.board(0), &parameters, Include::default(), &context)?;
        let mut sides = info.sides;
        if sides[0] != start.state().side_to_move {
            sides.reverse();
        }
        let progress = SearchCount { searched: 0, searches: line.plies() + 1 };
        let game = ReviewedGame { line, info, sides, parameters, include, context };
        Ok(Self {
            game: Arc::new(game),
            positions: Vec::new(),
            progress,
            told: Vec::new(),
            exercises: Vec::new(),
        })
    }

    /// The number of moves of the game.
    pub fn plies(&self) -> usize {
        self.game.line.plies()
    }

    /// The bytes that the review may hold, with its answer and the JSON of the answer.
    pub fn memory(&self) -> usize {
        /// The bytes of a move with its part of the answer: 3 KiB as a rule, more with two lines of 48 moves.
        const PLAIN: usize = 8 << 10;
        /// The bytes of a move with six reasons of twelve moves each, and an exercise.
        const EXPLAINED: usize = 24 << 10;
        let ReviewInclude { reasons, exercises, .. } = self.game.include;
        (1 + self.plies()) * if reasons || exercises { EXPLAINED } else { PLAIN }
    }

    /// The tasks that can run now, in any order or side by side; empty once all moves are told. Their results must be taken in
    /// the order of the tasks before this method is called again.
    pub fn tasks(&mut self) -> Vec<ReviewTask> {
        let kinds = if self.progress.searched == 0 {
            let first = |ply| TaskKind::Search { ply, scope: Scope::FIRST, played: None };
            (0..=self.plies()).map(first).collect()
        } else {
            self.next_kinds()
        };
        kinds.into_iter().map(|kind| ReviewTask { game: Arc::clone(&self.game), kind }).collect()
    }

    /// The positions to search again, or else the moves to tell; none once the moves are told.
    fn next_kinds(&mut self) -> Vec<TaskKind> {
        let values = values(&mut self.positions);
        let again = disputed(&self.positions, &values);
        self.progress.searches += again.len();
        if !again.is_empty() {
            let kinds = again.into_iter().map(|(ply, scope)| {
                let next = self.positions.get(ply + 1).filter(|_| scope.is_of_others);
                TaskKind::Search { ply, scope, played: next.map(|next| next.played.clone()) }
            });
            return kinds.collect();
        }
        let moves = values.windows(2).zip(&self.positions).enumerate();
        let kinds = moves.map(|(ply, (around, position))| {
            let (before, after) = (around[0].clone(), around[1].clone());
            TaskKind::Tell(Box::new(Told { ply, has_choice: position.has_choice, before, after }))
        });
        let kinds = kinds.collect();
        self.positions.clear();
        kinds
    }

    /// Takes the result of a task.
    pub fn take(&mut self, result: ReviewResult) -> ReviewStep<'_> {
        match result.0 {
            ResultKind::Searched(ply, position) => {
                match self.positions.get_mut(ply) {
                    Some(known) => position.replace(known),
                    None => self.positions.push(position),
                }
                self.progress.searched += 1;
                ReviewStep::Search(self.progress)
            }
            ResultKind::Told(told) => {
                let (reviewed, exercise) = *told;
                self.exercises.extend(exercise);
                let plies = self.plies();
                let r#move = &*self.told.push_mut(reviewed);
                ReviewStep::Move { reviewed: r#move.ply, plies, r#move }
            }
        }
    }

    /// The answer, once there are no more tasks.
    pub fn answer(self) -> ReviewAnswer {
        let ReviewedGame { line, info, sides, include, .. } = &*self.game;
        let end = line.board(line.plies()).state();
        let exercises = include.exercises.then_some(self.exercises);
        ReviewAnswer::new(info, self.told, *sides, end, exercises)
    }
}

impl ReviewTask {
    /// Makes the task ready to run, by replaying the game up to its position.
    ///
    /// # Errors
    /// As [`Job::new`].
    pub fn prepare(self) -> Result<PreparedTask, Refusal> {
        let Self { game, kind } = self;
        match kind {
            TaskKind::Search { ply, scope, played } => game.search(ply, scope, played),
            TaskKind::Tell(told) => Ok(ReviewedGame::tell(game, *told)),
        }
    }
}

impl PreparedTask {
    /// Runs the task on the present thread, until `stop` is raised.
    pub fn run(self, stop: &AtomicBool) -> ReviewResult {
        match self {
            Self::Done(result) => result,
            Self::Search(job, ply) => ply.found(&job.run(Control::new(stop))),
            Self::Explain(job) => job.run(stop),
        }
    }
}

impl SearchedPly {
    /// The result of the task, by the answer of its search.
    pub fn found(self, answer: &Answer) -> ReviewResult {
        let line = Line::of(&answer.principal_variation);
        self.result(Finding { evaluation: answer.evaluation, line })
    }

    fn result(self, finding: Finding) -> ReviewResult {
        let Self { ply, scope, has_choice, played } = self;
        let position = SearchedPosition { played, has_choice, scope, finding, change: 0 };
        ReviewResult(ResultKind::Searched(ply, position))
    }
}

impl ReviewedGame {
    fn search(
        &self,
        ply: usize,
        scope: Scope,
        others_than: Option<Box<str>>,
    ) -> Result<PreparedTask, Refusal> {
        let board = self.line.board(ply);
        let last = board.last_move().filter(|_| ply > 0);
        let played = last.map(|last| last.text.text.into()).unwrap_or_default();
        let searched = SearchedPly { ply, scope, has_choice: board.has_choice(), played };
        if let Some(evaluation) = final_evaluation(&board.state()) {
            let finding = Finding { evaluation, line: Line::default() };
            return Ok(PreparedTask::Done(searched.result(finding)));
        }
        let mut parameters = with_more_effort(&self.parameters, scope.effort, &*board);
        parameters.search_moves = others_than
            .map(|played| board.other_moves(&MoveText { text: played.into_string(), san: None }));
        if scope.effort == THIRD {
            parameters = self.to_the_end(parameters, &*board);
        }
        let job = Job::of_board(board, &parameters, Include::default(), &self.context)?;
        Ok(PreparedTask::Search(job, searched))
    }

    /// The parameters with more nodes, where a search with these nodes sees the end of the game.
    fn to_the_end(&self, parameters: SearchParameters, board: &dyn AnyBoard) -> SearchParameters {
        let raised = parameters.nodes.map(|nodes| nodes.saturating_mul(TIMES_TO_END));
        let search = board.search(&parameters, &self.context.knowledge).ok();
        let to_end = search.and_then(|search| search.nodes_to_end());
        if to_end.is_some() && to_end <= raised {
            SearchParameters { nodes: raised, ..parameters }
        } else {
            parameters
        }
    }

    /// Tells a move, and prepares its explanation where the request asks for one.
    fn tell(game: Arc<Self>, told: Told) -> PreparedTask {
        let (board, after) = (game.line.board(told.ply), game.line.board(told.ply + 1));
        let next = line_of(&*after, &told.after.line);
        let reviewed = game.reviewed(&*board, &*after, told);
        let ReviewInclude { reasons, exercises, .. } = game.include;
        if reasons || exercises {
            let next = next.into_iter().map(|mv| mv.text).collect();
            return PreparedTask::Explain(Box::new(ExplanationJob { game, board, reviewed, next }));
        }
        PreparedTask::Done(game.result(reviewed, None))
    }

    /// The review of a move, by the boards before and `after` it and its value.
    fn reviewed(&self, board: &dyn AnyBoard, after: &dyn AnyBoard, told: Told) -> ReviewedMove {
        let Told { ply, has_choice, before, after: value } = told;
        let side = board.state().side_to_move;
        let is_first = side == self.sides[0];
        let played = after.last_move().unwrap_or_default();
        let mut line = line_of(board, &before.line).into_iter();
        let best = line.next().unwrap_or_else(|| played.clone());
        let moves = std::iter::once(best.text.clone()).chain(line.map(|mv| mv.text));
        let points = ALL_POINTS - value.points;
        let loss = shown_points((before.points - points).max(0));
        let hastened = hastened(&before.evaluation, &value.evaluation);
        let expected =
            ExpectedPoints { before: shown_points(before.points), after: shown_points(points) };
        ReviewedMove {
            ply: ply + 1,
            side,
            mv: played.text.clone(),
            played,
            evaluation: shown(seen(value.evaluation, !is_first)),
            best: Variation {
                principal_variation: moves.collect(),
                mv: best.text,
                drawing: Some(best.drawing),
                evaluation: shown(seen(before.evaluation, is_first)),
                reasons: None,
                is_unexplained: false,
            },
            expected,
            loss,
            label: if has_choice { Label::of(loss, expected.before) } else { Label::Forced },
            hastened,
            reasons: None,
            are_reasons_cut: false,
            is_proven: before.evaluation.outcome.is_some() && value.evaluation.outcome.is_some(),
        }
    }

    /// The result of telling a move, with values from the requested view.
    fn result(&self, reviewed: ReviewedMove, exercise: Option<Exercise>) -> ReviewResult {
        let is_turned = self.include.is_first_view && self.sides[0] != self.info.sides[0];
        let reviewed = if is_turned { reviewed.turned() } else { reviewed };
        ReviewResult(ResultKind::Told(Box::new((reviewed, exercise))))
    }
}

/// The plies by which a move brings a proven loss nearer: from the value of the position before it, and that of the position
/// after it, each from the view of its side to move.
fn hastened(before: &Evaluation, after: &Evaluation) -> Option<u32> {
    let is_lost = before.outcome == Some(Outcome::Loss) && after.outcome == Some(Outcome::Win);
    let is_exact = before.plies_bound.is_none() && after.plies_bound.is_none();
    let is_counted = before.margin.is_none() && is_lost && is_exact;
    let sooner = before.plies?.checked_sub(after.plies? + 1);
    sooner.filter(|&plies| is_counted && plies > 0)
}

/// The moves of a line that begins at `board`, in the form of answers.
fn line_of(board: &dyn AnyBoard, line: &Line) -> Vec<ShownMove> {
    let mut before: Option<Box<dyn AnyBoard>> = None;
    let shown = line.moves().map_while(|mv| {
        let after = before.as_deref().unwrap_or(board).after(mv, 0).ok()?;
        let shown = after.last_move();
        before = Some(after);
        shown
    });
    shown.collect()
}

/// The parameters of a search whose effort was raised `effort` times: each time by one ply and by the time of the first
/// search, with nodes by [`EFFORTS`].
fn with_more_effort(
    parameters: &SearchParameters,
    effort: u32,
    board: &dyn AnyBoard,
) -> SearchParameters {
    let (times, most) = EFFORTS[effort.min(RAISES) as usize];
    let max_depth = u64::from(board.game().max_depth);
    SearchParameters {
        depth: parameters.depth.map(|depth| (depth + u64::from(effort)).min(max_depth)),
        nodes: parameters.nodes.map(|nodes| nodes.saturating_mul(times).min(most).max(nodes)),
        time: parameters.time.map(|time| time.saturating_mul(1 + effort)),
        ..parameters.clone()
    }
}

/// The value of a finished game, from the view of the side to move; `None` where the game goes on.
fn final_evaluation(state: &State) -> Option<Evaluation> {
    let (winner, margin) = match state.status {
        GameStatus::Ongoing => return None,
        GameStatus::Drawn { .. } => {
            return Some(Evaluation::of(Score::DRAWN, Some(Outcome::Draw), 1));
        }
        GameStatus::Won { winner, margin, .. } => (winner, margin),
    };
    let score = margin.map_or(Score::won_in(0), Score::won_by);
    let evaluation = Evaluation::of(score, Some(Outcome::Win), 1);
    let won = Evaluation { margin: score.margin(), plies: Some(0), ..evaluation };
    Some(if winner == state.side_to_move { won } else { won.reversed() })
}

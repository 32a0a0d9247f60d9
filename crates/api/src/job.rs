//! One answer is one job: it works out the search, the reasons, the threat and the view of a board together, under one
//! deadline and one stop flag, and reports to one observer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::reasons::{self, Explainer, Wanted};
use super::request::{BOARD, BoardRequest, CHOICES, INCLUDED, LIMITS, MOST, SEARCH, TOLD};
use super::{Fields, Prepare, Problem, Refusal};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{
    Answer, AnyBoard, AnySearch, BoardView, SearchKey, SearchParameters,
};

/// The knowledge and limits that all requests are prepared with.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Books, tables and networks of the games.
    pub knowledge: Knowledge,
    /// The time after which any job ends with its last completed depth. `None` leaves the limit to the request.
    pub max_time: Option<Duration>,
}

/// The parts of an answer beside the result of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Include {
    /// The legal moves.
    pub legal_moves: bool,
    /// The board in rows of cells.
    pub board: bool,
    /// The position whose legal moves and board are included.
    pub described: Described,
    /// Whether values are from the view of the game's first side.
    pub is_first_view: bool,
    /// The explanations.
    pub wanted: Wanted,
}

/// The choice of the position that is described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Described {
    /// The position after the best move.
    #[default]
    AfterBestMove,
    /// The position asked about.
    Asked,
}

impl Include {
    /// What a request asks for.
    fn asked(fields: &mut Fields, described: Described) -> Result<Self, Problem> {
        let is_first_view = fields.is_first_view()?;
        let mut include = Self { described, is_first_view, ..Self::default() };
        for name in fields.included(&INCLUDED)? {
            match name {
                "legal_moves" => include.legal_moves = true,
                "board" => include.board = true,
                "reasons" => include.wanted.reasons = true,
                _ => include.wanted.threat = true,
            }
        }
        Ok(include)
    }

    /// The included parts of the view of a board.
    pub fn view(self, board: &dyn AnyBoard) -> BoardView {
        BoardView {
            board: self.board.then(|| board.cells()),
            last_move: self.board.then(|| board.last_move()).flatten(),
            legal_moves: self.legal_moves.then(|| board.legal_moves()),
        }
    }

    /// Whether a part of the view is included.
    fn has_view(self) -> bool {
        self.board || self.legal_moves
    }
}

/// The request of `/best-move`.
pub enum BestMoveRequest {}

impl Prepare for BestMoveRequest {
    const FIELDS: &'static [&'static [&'static str]] =
        &[BOARD, LIMITS, CHOICES, SEARCH, &["level", "seed"], TOLD];
    type Prepared = Job;

    fn prepare(mut fields: Fields, context: &Context) -> Result<Job, Problem> {
        let include = Include::asked(&mut fields, Described::AfterBestMove)?;
        let (board, parameters) = fields.split()?;
        Ok(Job::new(&board, &parameters, include, context)?)
    }
}

/// The request of `/analyze`.
pub enum AnalysisRequest {}

impl Prepare for AnalysisRequest {
    const FIELDS: &'static [&'static [&'static str]] =
        &[BOARD, LIMITS, CHOICES, SEARCH, &["top", "exact"], TOLD];
    type Prepared = Job;

    fn prepare(mut fields: Fields, context: &Context) -> Result<Job, Problem> {
        let include = Include::asked(&mut fields, Described::Asked)?;
        let (board, parameters) = fields.split()?;
        let top = parameters.top.or(Some(MOST));
        Ok(Job::new(&board, &SearchParameters { top, ..parameters }, include, context)?)
    }
}

/// The stop flag and the observer of a running job.
pub struct Control<'a> {
    /// Raised to end the job: it then answers with its last completed depth.
    pub stop: &'a AtomicBool,
    /// Called with the answer so far after every completed depth of the search.
    pub observer: Option<&'a mut dyn FnMut(Answer)>,
}

impl<'a> Control<'a> {
    /// A control without an observer.
    pub fn new(stop: &'a AtomicBool) -> Self {
        Self { stop, observer: None }
    }
}

/// All inputs of an answer: the key of caches and of shared jobs. Jobs with equal keys have equal answers, unless the key
/// has a time budget.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobKey {
    /// The search.
    pub search: SearchKey,
    /// The parts of the answer beside the result of the search.
    pub include: Include,
}

/// A search with the parts of its answer, ready to run.
pub struct Job {
    key: Arc<JobKey>,
    search: Box<dyn AnySearch>,
    board: Box<dyn AnyBoard>,
    knowledge: Knowledge,
    /// Whether the search considers only some of the legal moves.
    is_restricted: bool,
    /// The time in which the whole job must end.
    time: Option<Duration>,
}

impl Job {
    /// Reads a request about a board.
    ///
    /// # Errors
    /// Where the position or a move can't be read, a limit is out of range, or the game is over.
    pub fn new(
        request: &BoardRequest,
        parameters: &SearchParameters,
        include: Include,
        context: &Context,
    ) -> Result<Self, Refusal> {
        let job = Self::of_board(request.board()?, parameters, include, context);
        job.map_err(|refusal| match refusal {
            Refusal::Game(error) => request.placed(*error).into(),
            other => other,
        })
    }

    /// As [`new`](Self::new), with a board that has been read already.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_board(
        board: Box<dyn AnyBoard>,
        parameters: &SearchParameters,
        include: Include,
        context: &Context,
    ) -> Result<Self, Refusal> {
        let time = parameters.time.into_iter().chain(context.max_time).min();
        let mut time_limit = context.max_time;
        if include.wanted != Wanted::default() {
            time_limit = time.map(|time| time.saturating_sub(reasons::share(time)));
        }
        let is_restricted = parameters.search_moves.is_some();
        let parameters = SearchParameters { time_limit, ..parameters.clone() };
        let search = board.search(&parameters, &context.knowledge)?;
        let knowledge = context.knowledge.clone();
        Ok(Self { knowledge, is_restricted, time, ..Self::of_search(search, board, include) })
    }

    /// A job of a prepared search of a board, without a time limit.
    pub fn of_search(
        search: Box<dyn AnySearch>,
        board: Box<dyn AnyBoard>,
        include: Include,
    ) -> Self {
        let key = Arc::new(JobKey { search: search.key(), include });
        let (knowledge, is_restricted, time) = (Knowledge::default(), false, None);
        Self { key, search, board, knowledge, is_restricted, time }
    }

    /// The key of the answer.
    pub fn key(&self) -> &Arc<JobKey> {
        &self.key
    }

    /// The bytes that the tables of the job may occupy.
    pub fn memory(&self) -> usize {
        let mut memory = self.search.memory();
        if self.key.include.wanted != Wanted::default() {
            memory = memory.max(reasons::memory(&*self.board, &self.knowledge));
        }
        memory
    }

    /// Runs the job on the present thread, and returns the answer with all its parts.
    pub fn run(&self, control: Control) -> Answer {
        let Include { wanted, described, .. } = self.key.include;
        let deadline = self.time.map(|time| Instant::now() + time);
        let mut answer = match control.observer {
            Some(observer) => {
                let told = &mut |so_far| observer(self.seen(so_far));
                self.search.run_with_progress(control.stop, told)
            }
            None => self.search.run(control.stop),
        };
        if wanted != Wanted::default() {
            let limits = reasons::Limits { stop: control.stop, deadline };
            let explainer = Explainer::new(&*self.board, &self.knowledge, limits);
            explainer.explain(&mut answer, wanted, self.is_restricted);
        }
        let mut answer = self.seen(answer);
        match described {
            _ if !self.key.include.has_view() => {}
            Described::Asked => answer.view = Some(Box::new(self.key.include.view(&*self.board))),
            Described::AfterBestMove => {
                let after = self.board.after(&answer.best_move.text, 0).ok();
                if let Some((state, board)) = answer.after.as_mut().zip(after) {
                    state.view = Some(Box::new(self.key.include.view(&*board)));
                }
            }
        }
        answer
    }

    /// The answer, or the answer so far, with values from the requested view.
    fn seen(&self, answer: Answer) -> Answer {
        let is_seen = answer.side_to_move == self.board.game().sides[0];
        if self.key.include.is_first_view && !is_seen { answer.reversed() } else { answer }
    }
}

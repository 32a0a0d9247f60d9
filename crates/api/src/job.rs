//! One answer is one job: it works out the search, the reasons, the threat and the view of a board together, under one
//! deadline and one stop flag, and reports to one observer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::reasons::{self, Explainer, Wanted};
use super::request::{BOARD, BoardRequest, CHOICES, INCLUDED, LIMITS, MOST, SEARCH, TOLD};
use super::{Fields, Prepare, Problem, Refusal};
use bestmove_engine::game::LevelNumber;
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{
    Answer, AnyBoard, AnySearch, BoardView, RequestError, SearchKey, SearchParameters,
};
use bestmove_engine::host::Instant;
use bestmove_engine::search::SearchTables;

/// The knowledge and limits that all requests are prepared with.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Books, tables and networks of the games.
    pub knowledge: Knowledge,
    /// The time after which any job ends with its last completed depth. `None` leaves the limit to the request.
    pub max_time: Option<Duration>,
}

/// The milliseconds after which any job ends, where the operator sets no other time.
pub const DEFAULT_MAX_TIME_MS: u64 = 10_000;

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
    /// The level whose choice of moves is told.
    pub chances: Option<LevelNumber>,
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
    /// What a request asks for, with its board and the parameters of its search.
    fn asked(
        mut fields: Fields,
        described: Described,
    ) -> Result<(Self, BoardRequest, SearchParameters), Problem> {
        let is_first_view = fields.is_first_view()?;
        let names = fields.included(&INCLUDED)?;
        let (board, parameters) = fields.split()?;
        let mut include = Self { described, is_first_view, ..Self::default() };
        for name in names {
            match name {
                "legal_moves" => include.legal_moves = true,
                "board" => include.board = true,
                "reasons" => include.wanted.reasons = true,
                "threat" => include.wanted.threat = true,
                _ => {
                    let level = parameters.level.ok_or_else(|| {
                        Problem::field("level", "expected the level of the chances but got none")
                    })?;
                    include.chances = Some(level);
                }
            }
        }
        Ok((include, board, parameters))
    }

    /// Whether the job has to work on after the search.
    fn is_more_than_search(self) -> bool {
        self.wanted != Wanted::default() || self.chances.is_some()
    }

    /// The included parts of the view of a board.
    pub fn view(self, board: &dyn AnyBoard) -> BoardView {
        BoardView {
            board: self.board.then(|| board.cells()),
            last_move: self.board.then(|| board.last_move()).flatten(),
            legal_moves: self.legal_moves.then(|| board.legal_moves()),
        }
    }
}

/// The request of `/best-move`.
pub enum BestMoveRequest {}

impl Prepare for BestMoveRequest {
    const FIELDS: &'static [&'static [&'static str]] =
        &[BOARD, LIMITS, CHOICES, SEARCH, &["level", "seed"], TOLD];
    type Prepared = Job;

    fn prepare(fields: Fields, context: &Context) -> Result<Job, Problem> {
        let (include, board, parameters) = Include::asked(fields, Described::AfterBestMove)?;
        Ok(Job::new(&board, &parameters, include, context)?)
    }
}

/// The request of `/analyze`.
pub enum AnalysisRequest {}

impl Prepare for AnalysisRequest {
    const FIELDS: &'static [&'static [&'static str]] =
        &[BOARD, LIMITS, CHOICES, SEARCH, &["top", "exact", "level"], TOLD];
    type Prepared = Job;

    fn prepare(fields: Fields, context: &Context) -> Result<Job, Problem> {
        let (include, board, parameters) = Include::asked(fields, Described::Asked)?;
        if parameters.level != include.chances {
            let detail = "an analysis is of full strength; a level is for `chances` in `include`";
            return Err(Problem::field("level", detail));
        }
        let top = parameters.top.or(Some(MOST));
        let parameters = SearchParameters { top, level: None, ..parameters };
        Ok(Job::new(&board, &parameters, include, context)?)
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
    /// The player of the level whose chances are told.
    player: Option<Box<dyn AnySearch>>,
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
        Ok(job.map_err(|error| request.placed(error))?)
    }

    /// As [`new`](Self::new), with a board that has been read already.
    ///
    /// # Errors
    /// Where a move can't be read, a limit is out of range, or the game is over.
    pub fn of_board(
        board: Box<dyn AnyBoard>,
        parameters: &SearchParameters,
        include: Include,
        context: &Context,
    ) -> Result<Self, RequestError> {
        let time = parameters.time.into_iter().chain(context.max_time).min();
        let mut time_limit = context.max_time;
        if include.is_more_than_search() {
            time_limit = time.map(|time| time.saturating_sub(reasons::share(time)));
        }
        let is_restricted = parameters.search_moves.is_some();
        let parameters = SearchParameters { time_limit, ..parameters.clone() };
        let search = board.search(&parameters, &context.knowledge)?;
        let player = include.chances.map(|level| {
            let search_moves = parameters.search_moves.clone();
            let level = Some(level);
            let parameters =
                SearchParameters { level, search_moves, ..SearchParameters::default() };
            board.search(&parameters, &context.knowledge)
        });
        let player = player.transpose()?;
        let knowledge = context.knowledge.clone();
        Ok(Self {
            player,
            knowledge,
            is_restricted,
            time,
            ..Self::of_search(search, board, include)
        })
    }

    /// A job of a prepared search of a board, without a time limit.
    pub fn of_search(
        search: Box<dyn AnySearch>,
        board: Box<dyn AnyBoard>,
        include: Include,
    ) -> Self {
        let key = Arc::new(JobKey { search: search.key(), include });
        let (knowledge, is_restricted, time) = (Knowledge::default(), false, None);
        Self { key, search, player: None, board, knowledge, is_restricted, time }
    }

    /// The key of the answer.
    pub fn key(&self) -> &Arc<JobKey> {
        &self.key
    }

    /// The board asked about.
    pub fn board(&self) -> &dyn AnyBoard {
        &*self.board
    }

    /// The bytes that the tables of the job may occupy.
    pub fn memory(&self) -> usize {
        let mut memory = self.search.memory();
        memory = memory.max(self.player.as_ref().map_or(0, |player| player.memory()));
        if self.key.include.wanted != Wanted::default() {
            memory = memory.max(reasons::memory(&*self.board, &self.knowledge));
        }
        memory
    }

    /// Runs the job on the present thread, and returns the answer with all its parts.
    pub fn run(&self, control: Control) -> Answer {
        let Include { board, legal_moves, described, wanted, .. } = self.key.include;
        let deadline = self.time.map(|time| Instant::now() + time);
        let mut told = control.observer.map(|observer| |so_far| observer(self.seen(so_far)));
        let told = told.as_mut().map(|told| told as &mut dyn FnMut(Answer));
        let mut answer = self.search.run_with(control.stop, &mut SearchTables::default(), told);
        if let Some(player) = &self.player {
            let rest = deadline.map(|it| it.saturating_duration_since(Instant::now()));
            answer.chances = player.chances(rest, control.stop);
            answer.are_reasons_cut = answer.chances.is_none();
        }
        if wanted != Wanted::default() {
            let limits = reasons::Limits { stop: control.stop, deadline };
            let explainer = Explainer::new(&*self.board, &self.knowledge, limits);
            explainer.explain(&mut answer, wanted, self.is_restricted);
        }
        let mut answer = self.seen(answer);
        match described {
            _ if !(board || legal_moves) => {}
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

//! A search of a board, what it depends on, and its report in words.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::board::Board;
use super::level::Player;
use super::{
    Answer, Chance, Evaluation, GameStatus, MoveText, RequestError, SearchParameters,
    SearchSummary, Variation, plan,
};
use crate::game::{Evaluator, Game, MoveOf, Outcome, Position, Score};
use crate::games::knowledge::Knowledge;
use crate::games::special_variant;
use crate::search::{
    self, Algorithm, Bound, Deadline, Report, SearchLimits, SearchTables, SearchVariation, Source,
    Task,
};

/// The parsed request of a search in canonical form: the key of caches and of shared searches. Equal keys have equal answers, unless a time
/// budget is part of them. Two notations of one position have the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchKey {
    /// The name of the game.
    pub game: &'static str,
    /// The name of the variant.
    pub variant: &'static str,
    /// The position in canonical notation.
    pub position: String,
    /// The keys of earlier positions that the search may reach again, oldest first.
    pub history: Vec<u64>,
    /// The plies to a draw by a move counter that nobody claims. The notation may not show them.
    pub plies_to_forced_draw: Option<u32>,
    /// The only moves to consider at the root, sorted; empty for all.
    pub search_moves: Vec<String>,
    /// How to search.
    pub algorithm: Algorithm,
    /// The name of the evaluator.
    pub evaluator: &'static str,
    /// The limits, with the time budget of the caller; the limit of the server is no part of the request.
    pub limits: SearchLimits,
    /// Plies within which books and tables may answer; `None` for any.
    pub probe_limit: Option<u32>,
    /// How many moves to report; `None` for the best one alone.
    pub top: Option<usize>,
    /// Whether every move is searched with an open window.
    pub exact: bool,
    /// The number of the level, its seed, and whether the game is so young that it varies its choice.
    pub level: Option<(u8, Option<u64>, bool)>,
    /// The mark of the knowledge files.
    pub knowledge: u64,
}

impl SearchKey {
    /// Whether the answer follows from the key alone and not from the speed of the machine.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.limits.time.is_none()
    }

    /// The approximate number of bytes in memory.
    #[must_use]
    pub fn weight(&self) -> usize {
        let moves = self.search_moves.iter().map(|mv| size_of::<String>() + mv.len());
        size_of::<Self>()
            + self.position.len()
            + self.history.len() * size_of::<u64>()
            + moves.sum::<usize>()
    }
}

/// A search that can be run.
pub trait AnySearch: Send {
    /// The key of the answer.
    fn key(&self) -> SearchKey;

    /// The bytes that the tables of the job may occupy.
    fn memory(&self) -> usize;

    /// With how many nodes it would mostly see the end of the game: in games that count, where the end is not far.
    fn nodes_to_end(&self) -> Option<u64>;

    /// Runs it on the present thread until a limit is reached or `stop` is raised; at least one ply
    /// is always searched. An `observer` sees every completed depth, without [`after`](Answer::after). A search without a
    /// level goes on with the `tables` that the search before has left, of the same game with the same evaluator: it sees
    /// deeper, and its answer depends on that search.
    fn run_with(
        &self,
        stop: &AtomicBool,
        tables: &mut SearchTables,
        observer: Option<&mut dyn FnMut(Answer)>,
    ) -> Answer;

    /// Runs it with empty tables, and without an observer.
    fn run(&self, stop: &AtomicBool) -> Answer {
        self.run_with(stop, &mut SearchTables::default(), None)
    }

    /// The probability of each root move that the level of the search plays it, the likeliest first. Empty without a level.
    /// `None` where `time` is too short, or `stop` is raised.
    fn chances(&self, time: Option<Duration>, stop: &AtomicBool) -> Option<Vec<Chance>>;
}

/// A search of a board, ready to run.
pub(super) struct Search<G: Game> {
    pub(super) board: Board<G>,
    pub(super) task: Task<G::Position>,
    pub(super) evaluator: G::Evaluator,
    evaluator_name: &'static str,
    /// The time budget of the caller.
    time: Option<Duration>,
    /// How many moves to report, where more than the best one is asked for.
    top: Option<usize>,
    /// Who chooses the move, where it need not be the best.
    player: Option<Player>,
    /// The mark of the knowledge files.
    knowledge: u64,
}

impl<G: Game> Search<G> {
    /// The search of `board` that `parameters` ask for.
    pub(super) fn new(
        board: Board<G>,
        parameters: &SearchParameters,
        knowledge: &Knowledge,
    ) -> Result<Self, RequestError> {
        if board.status() != GameStatus::Ongoing {
            return Err(RequestError::GameOver(Box::new(board.state())));
        }
        let player = Player::of(&board, parameters)?;
        let time = parameters.time;
        let told = parameters.top.map(|top| usize::try_from(top).unwrap_or(usize::MAX));
        let of_level = player.as_ref().map(|player| player.parameters(&board.game, parameters));
        let parameters = of_level.as_ref().unwrap_or(parameters);
        let (evaluator_name, evaluator) =
            plan::evaluator(&board.game, parameters.evaluator.as_deref(), knowledge)?;
        let (algorithm, limits) = plan::plan(&board.game, &board.position, &evaluator, parameters)?;
        let moves = board.search_moves(parameters.search_moves.as_deref().unwrap_or_default())?;
        let top = parameters.top.map_or(1, |top| usize::try_from(top).unwrap_or(usize::MAX));
        let (position, history) = (board.position.clone(), board.history.clone());
        let probe_limit = parameters.depth.map(|_| limits.depth);
        let exact = parameters.exact;
        let task = Task { position, history, moves, algorithm, limits, top, exact, probe_limit };
        let (top, knowledge) = (told, knowledge.mark());
        Ok(Self { board, task, evaluator, evaluator_name, time, top, player, knowledge })
    }

    pub(super) fn answer(&self, report: &Report<MoveOf<G>>) -> Answer {
        let told = report.variations.iter().filter(|_| self.top.is_some());
        let is_proof = report.algorithm == Algorithm::Solve;
        let is_known = report.source != Source::Search && report.outcome.is_some();
        Answer {
            game: self.board.game.game_info().name,
            variant: special_variant(self.board.game.game_info()),
            position: G::write_position(&self.board.position),
            side_to_move: self.board.side_name(self.board.position.side_to_move()),
            best_move: G::write_move(&self.board.position, report.best_move()),
            evaluation: self.reported(
                report,
                &SearchVariation {
                    outcome: report.outcome,
                    margin: report.margin,
                    ..report.variations[0].clone()
                },
            ),
            principal_variation: line::<G>(&self.board.position, report.principal_variation()),
            search: SearchSummary {
                algorithm: report.algorithm,
                source: report.source,
                evaluator: (!is_proof && !is_known).then_some(self.evaluator_name),
                depth: report.depth,
                nodes: report.nodes,
                table_usage: report.table_usage,
                stopped_by: report.stopped_by,
            },
            after: Some(self.board.after(report.best_move()).state()),
            reasons: None,
            threat: None,
            chances: None,
            are_reasons_cut: false,
            variations: told.map(|known| self.variation(report, known)).collect(),
            view: None,
        }
    }

    fn variation(
        &self,
        report: &Report<MoveOf<G>>,
        known: &SearchVariation<MoveOf<G>>,
    ) -> Variation {
        let position = &self.board.position;
        Variation {
            mv: G::write_move(position, known.mv),
            drawing: None,
            evaluation: self.reported(report, known),
            principal_variation: line::<G>(position, known.line()),
            reasons: None,
            is_unexplained: false,
        }
    }

    /// What a report says of the root or of one of its moves.
    fn reported(
        &self,
        report: &Report<MoveOf<G>>,
        known: &SearchVariation<MoveOf<G>>,
    ) -> Evaluation {
        let evaluation = self.evaluation(known.score, known.outcome);
        let line = 1 + known.continuation.len() as u32;
        let plies_of_line = known.margin.filter(|&margin| margin != 0).map(|_| line);
        Evaluation {
            margin: known.margin,
            plies: evaluation.plies.or(plies_of_line),
            plies_bound: report.plies_are_bound(known.score).then_some(Bound::AtMost),
            score_bound: report.is_bound.then_some(Bound::AtLeast),
            ..evaluation
        }
    }

    pub(super) fn evaluation(&self, score: Score, outcome: Option<Outcome>) -> Evaluation {
        let plies_left = self.board.position.plies_left().unwrap_or(0);
        let k = self.evaluator.scale().searched_half_value(plies_left);
        Evaluation::of(score, outcome, k)
    }
}

impl<G: Game> AnySearch for Search<G> {
    fn key(&self) -> SearchKey {
        let Self { board, task, .. } = self;
        let written = task.moves.iter().map(|&mv| G::write_move(&board.position, mv).text);
        let mut search_moves: Vec<_> = written.collect();
        search_moves.sort_unstable();
        SearchKey {
            game: board.game.game_info().name,
            variant: board.game.game_info().variant,
            position: G::write_position(&board.position),
            history: task.history.recent(board.position.reversible_plies()).to_vec(),
            plies_to_forced_draw: board.position.plies_to_forced_draw(),
            search_moves,
            algorithm: task.algorithm,
            evaluator: self.evaluator_name,
            limits: SearchLimits { time: self.time, ..task.limits },
            probe_limit: task.probe_limit,
            top: self.top,
            exact: task.exact,
            level: self.player.as_ref().map(Player::key),
            knowledge: self.knowledge,
        }
    }

    fn memory(&self) -> usize {
        search::memory(&self.task, &self.evaluator)
    }

    fn nodes_to_end(&self) -> Option<u64> {
        search::nodes_to_end(&self.task, &self.evaluator)
    }

    fn run_with(
        &self,
        stop: &AtomicBool,
        tables: &mut SearchTables,
        mut observer: Option<&mut dyn FnMut(Answer)>,
    ) -> Answer {
        // Without an observer no depth is put in words.
        let told = &mut |report: &_| {
            if let Some(observer) = &mut observer {
                observer(Answer { after: None, ..self.answer(report) });
            }
        };
        let deadline = Deadline::after(self.task.limits.time, stop);
        let report = match &self.player {
            Some(player) => player.play(&self.task, &self.evaluator, deadline, told),
            None => search::run_until(&self.task, &self.evaluator, deadline, tables, told),
        };
        self.answer(&report)
    }

    fn chances(&self, time: Option<Duration>, stop: &AtomicBool) -> Option<Vec<Chance>> {
        let Some(player) = &self.player else { return Some(Vec::new()) };
        let deadline = Deadline::after(time, stop);
        let mut chances = player.chances(&self.task, &self.evaluator, deadline)?;
        chances.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let written = chances.into_iter().map(|(mv, probability)| Chance {
            mv: G::write_move(&self.board.position, mv),
            probability,
        });
        Some(written.collect())
    }
}

/// The moves of a line that begins at `position`, written out.
fn line<G: Game>(
    position: &G::Position,
    moves: impl IntoIterator<Item = MoveOf<G>>,
) -> Vec<MoveText> {
    let mut position = position.clone();
    let written = moves.into_iter().map(|mv| {
        let text = G::write_move(&position, mv);
        position = position.play(mv);
        text
    });
    written.collect()
}

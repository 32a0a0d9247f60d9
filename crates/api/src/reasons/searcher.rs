//! Short searches of one explanation, each with a bounded number of nodes.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use bestmove_engine::game::{MoveDrawing, Outcome};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{
    Answer, AnyBoard, Evaluation, MoveText, SearchParameters, Variation,
};
use bestmove_engine::host::Instant;
use bestmove_engine::search::{Algorithm, StoppedBy};

/// The nodes of one search.
pub(super) const NODES: u64 = 10_000;

/// The nodes of a search that confirms a gain or a loss of material.
const CONFIRMING_NODES: u64 = 50_000;

/// The nodes of a search that confirms the cost of a move.
pub(super) const DEEPER_NODES: u64 = 400_000;

/// The least material that counts: the least piece of a game.
pub(super) const PIECE: i32 = 100;

/// The name of the evaluator that counts pieces in hundredths of the least one. Not all games have it.
const MATERIAL: &str = "material";

/// The limits of an explanation.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    /// Raised to end the explanation.
    pub(crate) stop: &'a AtomicBool,
    /// When the explanation has to end; `None` without a time limit.
    pub(crate) deadline: Option<Instant>,
}

/// Searches positions within limits of time and a budget of nodes.
pub(super) struct Searcher<'a> {
    knowledge: &'a Knowledge,
    limits: Limits<'a>,
    /// The nodes that all searches together may visit.
    budget: u64,
    /// The nodes that all searches have visited.
    pub(super) nodes: Cell<u64>,
    /// Whether a search was left out because the rest of the budget was too small for it.
    pub(super) is_spent: Cell<bool>,
    /// Whether time ended a search, or left it out.
    pub(super) is_cut: Cell<bool>,
}

/// A move with its value and line, from the view of the side that plays it.
#[derive(Clone)]
pub(crate) struct Valued {
    pub(crate) mv: MoveText,
    pub(crate) evaluation: Evaluation,
    /// The move and the expected moves after it.
    pub(crate) line: Vec<MoveText>,
}

impl Valued {
    /// The best move of an answer.
    pub(crate) fn best(answer: &Answer) -> Self {
        let (mv, line) = (answer.best_move.clone(), answer.principal_variation.clone());
        Self { mv, evaluation: answer.evaluation, line }
    }

    /// The move of a variation.
    pub(crate) fn of(variation: &Variation) -> Self {
        let (mv, line) = (variation.mv.clone(), variation.principal_variation.clone());
        Self { mv, evaluation: variation.evaluation, line }
    }
}

/// The effect of a move on the material in the end, by the game's own piece values.
#[derive(Clone)]
pub(super) struct Exchange {
    /// The gain of the side that moves, negative where it loses.
    pub(super) gain: i32,
    /// The line that shows the gain.
    pub(super) line: Vec<MoveText>,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(knowledge: &'a Knowledge, limits: Limits<'a>, budget: u64) -> Self {
        let (nodes, is_spent, is_cut) = (Cell::new(0), Cell::new(false), Cell::new(false));
        Self { knowledge, limits, budget, nodes, is_spent, is_cut }
    }

    /// The answer of a search of `nodes` positions; `None` where the game is over, or the limits leave no room for the search.
    fn answer(
        &self,
        nodes: u64,
        board: &dyn AnyBoard,
        parameters: SearchParameters,
    ) -> Option<Answer> {
        let deadline = self.limits.deadline;
        let time_limit = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        if self.limits.stop.load(Ordering::Relaxed) || time_limit.is_some_and(|it| it.is_zero()) {
            self.is_cut.set(true);
            return None;
        }
        if self.nodes.get() + nodes > self.budget {
            self.is_spent.set(true);
            return None;
        }
        let parameters = SearchParameters { nodes: Some(nodes), time_limit, ..parameters };
        let answer = board.search(&parameters, self.knowledge).ok()?.run(self.limits.stop);
        self.nodes.set(self.nodes.get() + answer.search.nodes);
        if answer.search.stopped_by == StoppedBy::Time {
            self.is_cut.set(true);
            return None;
        }
        Some(answer)
    }

    /// The best of `moves`, or of all moves where `moves` is empty, by a search of `nodes`.
    pub(super) fn best(
        &self,
        nodes: u64,
        board: &dyn AnyBoard,
        moves: Vec<String>,
    ) -> Option<Valued> {
        let search_moves = (!moves.is_empty()).then_some(moves);
        let parameters = SearchParameters { search_moves, ..SearchParameters::default() };
        let answer = self.answer(nodes, board, parameters)?;
        Some(Valued::best(&answer))
    }

    /// The five best moves, the best one first.
    pub(super) fn ranked(&self, board: &dyn AnyBoard) -> Vec<Variation> {
        let parameters = SearchParameters { top: Some(5), ..SearchParameters::default() };
        let answer = self.answer(CONFIRMING_NODES, board, parameters);
        answer.map_or_else(Vec::new, |answer| answer.variations)
    }

    /// The moves that win at once.
    pub(super) fn immediate_wins(&self, board: &dyn AnyBoard) -> Vec<MoveText> {
        let (algorithm, top) = (Some(Algorithm::AlphaBeta), Some(u64::MAX));
        let parameters =
            SearchParameters { depth: Some(1), algorithm, top, ..SearchParameters::default() };
        let moves = self.answer(NODES, board, parameters).map(|answer| answer.variations);
        let wins = moves.into_iter().flatten().filter(|mv| {
            mv.evaluation.outcome == Some(Outcome::Win) && mv.evaluation.plies == Some(1)
        });
        wins.map(|mv| mv.mv).collect()
    }

    /// Whether it is proven that the side to move has no win within `plies`.
    pub(super) fn has_no_win(&self, board: &dyn AnyBoard, plies: u32) -> bool {
        let (algorithm, depth) = (Some(Algorithm::AlphaBeta), Some(u64::from(plies)));
        let parameters = SearchParameters { depth, algorithm, ..SearchParameters::default() };
        self.answer(NODES, board, parameters).is_some_and(|answer| {
            let is_whole = answer.search.stopped_by != StoppedBy::Nodes;
            let wins = answer.evaluation.score > 0 && answer.evaluation.plies.is_some();
            is_whole && !wins
        })
    }

    /// The exchange of the best of `moves`, where a line shows it and searches of different depths agree. `None` where the game
    /// has no piece values, the moves decide the game, or no search confirms the exchange.
    pub(super) fn exchange(&self, board: &dyn AnyBoard, moves: &[String]) -> Option<Exchange> {
        const DEPTHS: [u64; 2] = [7, 8];
        let now = self.material(board)?;
        let mut gains = Vec::new();
        let mut line = Vec::new();
        for depth in DEPTHS {
            let answer = self.search_of_material(NODES, board, depth, moves)?;
            gains.push(answer.evaluation.score - now);
            line = answer.principal_variation;
        }
        let (shown, line) = self.shown(board, line)?;
        gains.push(shown - now);
        let gain = agreed(gains);
        let exchange = self.shortened(board, now, Exchange { gain, line });
        if exchange.gain == 0 {
            return Some(exchange);
        }
        // The line may show less than the searches found. Its material must hold for two more plies.
        let depth = exchange.line.len() as u64 + 2;
        let answer = self.search_of_material(CONFIRMING_NODES, board, depth, moves)?;
        let gain = agreed([exchange.gain, answer.evaluation.score - now]);
        let is_whole = answer.search.stopped_by != StoppedBy::Nodes;
        is_whole.then_some(Exchange { gain, ..exchange })
    }

    /// A search of `moves`, or of all moves where `moves` is empty, that counts the material; `None` where the moves decide the
    /// game.
    fn search_of_material(
        &self,
        nodes: u64,
        board: &dyn AnyBoard,
        depth: u64,
        moves: &[String],
    ) -> Option<Answer> {
        let parameters = SearchParameters {
            depth: Some(depth),
            algorithm: Some(Algorithm::Selective),
            evaluator: Some(MATERIAL.to_owned()),
            search_moves: (!moves.is_empty()).then(|| moves.to_vec()),
            ..SearchParameters::default()
        };
        let answer = self.answer(nodes, board, parameters);
        answer.filter(|answer| answer.evaluation.outcome.is_none())
    }

    /// The exchange with its line up to the move after which the gain, or the loss, stays. A gain that shows only after more
    /// moves than a search confirms does not count.
    fn shortened(&self, board: &dyn AnyBoard, now: i32, exchange: Exchange) -> Exchange {
        /// Two plies less than the deepest search.
        const MOST_MOVES: usize = 6;
        let Exchange { gain: sum, mut line } = exchange;
        let along = self.material_along(board, &line);
        let (mut gain, mut length) = (0_i32, line.len());
        for from in 0..along.len().min(MOST_MOVES) {
            let staying = agreed(along[from..].iter().map(|seen| seen - now).chain([sum]));
            if staying.abs() > gain.abs() {
                (gain, length) = (staying, from + 1);
            }
        }
        line.truncate(length);
        Exchange { gain, line }
    }

    /// The exchange up to the first gain that stays.
    pub(super) fn first_gain(&self, board: &dyn AnyBoard, exchange: &Exchange) -> Option<Exchange> {
        let now = self.material(board)?;
        let along = self.material_along(board, &exchange.line);
        let staying =
            (0..along.len()).map(|from| along[from..].iter().min().map_or(0, |it| it - now));
        let gain = staying.into_iter().find(|gain| *gain >= PIECE)?;
        let end = along.iter().position(|seen| seen - now == gain)?;
        let line = exchange.line[..=end].to_vec();
        (gain <= exchange.gain).then_some(Exchange { gain, line })
    }

    /// The material after a line and the captures that follow it, from the view of the side that begins the line, and the
    /// line with these captures.
    pub(super) fn shown(
        &self,
        board: &dyn AnyBoard,
        mut line: Vec<MoveText>,
    ) -> Option<(i32, Vec<MoveText>)> {
        /// The greatest number of captures that are added to a line.
        const MOST_ADDED: usize = 6;
        let mut end = boards(board, &line).pop()?;
        for _ in 0..MOST_ADDED {
            let now = self.material(&*end)?;
            let answer = self.search_of_material(NODES, &*end, 1, &[]);
            let Some(answer) = answer.filter(|answer| answer.evaluation.score > now) else { break };
            end = end.after(&answer.best_move.text, 0).ok()?;
            line.push(answer.best_move);
        }
        let seen = self.material(&*end)?;
        Some((if line.len().is_multiple_of(2) { seen } else { -seen }, line))
    }

    /// The material after each move of a line, from the view of the side that begins it.
    pub(super) fn material_along(&self, board: &dyn AnyBoard, line: &[MoveText]) -> Vec<i32> {
        let steps = boards(board, line).into_iter().enumerate();
        let seen = steps.map_while(|(index, board)| {
            let seen = self.material(&*board)?;
            Some(if index % 2 == 1 { seen } else { -seen })
        });
        seen.collect()
    }

    /// The material now, from the view of the side to move.
    pub(super) fn material(&self, board: &dyn AnyBoard) -> Option<i32> {
        board.static_score(MATERIAL, self.knowledge)
    }
}

/// The least of the gains, or of the losses; 0 where some gain and some lose.
fn agreed(gains: impl IntoIterator<Item = i32>) -> i32 {
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for gain in gains {
        (least, most) = (least.min(gain), most.max(gain));
    }
    if least > 0 { least } else { most.min(0) }
}

/// The boards after each move of a line, as far as its moves are legal.
pub(super) fn boards(board: &dyn AnyBoard, line: &[MoveText]) -> Vec<Box<dyn AnyBoard>> {
    let mut boards: Vec<Box<dyn AnyBoard>> = Vec::new();
    for mv in line {
        let last = boards.last().map_or(board, |last| &**last);
        let Ok(next) = last.after(&mv.text, 0) else { break };
        boards.push(next);
    }
    boards
}

/// What each move of a line does to the board.
pub(super) fn drawings(board: &dyn AnyBoard, line: &[MoveText]) -> Vec<MoveDrawing> {
    let boards = boards(board, line).into_iter();
    boards.filter_map(|board| Some(board.last_move()?.drawing)).collect()
}

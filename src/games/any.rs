//! Games without their types: the only place where a game meets the search.
//!
//! A request names its game, so somewhere the types must be forgotten. That happens here and once a
//! request: [`AnyGame`] reads a position into an [`AnyBoard`], that one reads what is asked about it
//! into an [`AnySearch`], and running it calls the search compiled for the game. Each step refuses
//! what it can't read, so that whatever exists can be run.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::{
    About, Ending, Evaluator, Game, History, Margin, MoveError, Outcome, Position, PositionError,
    PositionText, Score, Side,
};
use crate::search::{self, Algorithm, Limits, Report, StoppedBy, Task};

/// A game of the catalogue.
pub trait AnyGame: Sync {
    /// What the game says about itself.
    fn about(&self) -> About;

    /// The algorithms that can search it.
    fn algorithms(&self) -> Vec<Algorithm>;

    /// The position in which a game begins, written out.
    fn start(&self) -> String;

    /// Proves every position after `plies` plies in a game that must end, symmetric ones folded, in
    /// a fixed order, all but the first `skip`; with a table of `entries` slots. `sink` sees the
    /// canonical key and the margin of each, with the number of all, and says whether to go on.
    fn prove_openings(
        &self,
        plies: u32,
        skip: usize,
        entries: usize,
        sink: &mut dyn FnMut((u64, Margin), usize) -> bool,
    );

    /// Sets up `position`, or the start, and plays `moves` from it.
    ///
    /// # Errors
    /// Where the position is unreadable or impossible, or a move is.
    fn board(
        &self,
        position: Option<&PositionText>,
        moves: &[String],
    ) -> Result<Box<dyn AnyBoard>, Refusal>;
}

/// A position of some game with the history that led to it.
pub trait AnyBoard: Send {
    /// Where the game stands.
    fn state(&self) -> State;

    /// A search of this position.
    ///
    /// # Errors
    /// Where the game is over or does not offer what `terms` ask for.
    fn search(&self, terms: &Terms) -> Result<Box<dyn AnySearch>, Refusal>;
}

/// A search that can be run.
pub trait AnySearch: Send {
    /// How it will search, and how far.
    fn plan(&self) -> (Algorithm, Limits);

    /// Runs it on the present thread until a limit is reached or `stop` is raised; at least one ply
    /// is always searched.
    fn run(&self, stop: &AtomicBool) -> Answer;
}

/// What a caller asks of a search, as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Plies to look ahead; 1 or more, and the game says how many at most.
    pub depth: Option<u64>,
    /// A time budget.
    pub time: Option<Duration>,
    /// A budget of positions visited.
    pub nodes: Option<u64>,
    /// The only moves to consider, or all.
    pub search_moves: Option<Vec<String>>,
    /// How to search.
    pub algorithm: Option<String>,
    /// The name of an evaluator.
    pub evaluator: Option<String>,
    /// The time after which the service stops any search.
    pub time_limit: Option<Duration>,
}

/// Why a request can't be served.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The position is unreadable or impossible.
    Position(PositionError),
    /// A move is unreadable or illegal.
    Move {
        /// The list it stands in: `moves` or `search_moves`.
        list: &'static str,
        /// Its place in the list, from 0.
        index: usize,
        /// The move as it came.
        text: String,
        /// What is wrong with it.
        error: MoveError,
        /// The moves that are legal there.
        allowed: Vec<String>,
    },
    /// A field has a value that this game does not offer.
    Choice {
        /// The field.
        field: &'static str,
        /// What was expected and what came.
        detail: String,
        /// The values that it does offer, where they can be listed.
        allowed: Vec<String>,
    },
    /// There is nothing to search: the game is over.
    GameOver(State),
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The name of the game.
    pub game: &'static str,
    /// The position, in canonical notation.
    pub position: String,
    /// The side to move.
    pub side_to_move: &'static str,
    /// How the game ended, or that it goes on.
    pub standing: Standing,
}

/// Whether a game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Ongoing,
    /// A side has won.
    Won {
        /// The winner's name.
        winner: &'static str,
        /// Why.
        reason: &'static str,
        /// The cells of the winning line, in games that have one.
        line: Vec<String>,
    },
    /// Nobody has won.
    Drawn {
        /// Why.
        reason: &'static str,
    },
}

/// A move in the notations of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// As requests write it.
    pub text: String,
    /// In standard algebraic notation, in games that have it.
    pub san: Option<String>,
}

/// The value of a position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The outcome, where it is proven.
    pub outcome: Option<Outcome>,
    /// The plies to the end of a proven win or loss.
    pub plies: Option<u32>,
    /// The score on the scale of the evaluator.
    pub score: i32,
    /// The expected result, from -1 to 1.
    pub value: f64,
}

/// What a search found out, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The position that was searched.
    pub before: State,
    /// The best move.
    pub best_move: MoveText,
    /// The value of the position.
    pub evaluation: Evaluation,
    /// The line that is expected, the best move first.
    pub principal_variation: Vec<MoveText>,
    /// The algorithm that the answer comes from.
    pub algorithm: Algorithm,
    /// The evaluator, where one was used.
    pub evaluator: Option<&'static str>,
    /// The last depth completed.
    pub depth: u32,
    /// The positions reached by a move.
    pub nodes: u64,
    /// What ended the search.
    pub stopped_by: StoppedBy,
    /// Where the game stands after the best move.
    pub after: State,
}

impl<G: Game> AnyGame for G {
    fn about(&self) -> About {
        G::ABOUT
    }

    fn algorithms(&self) -> Vec<Algorithm> {
        algorithms::<G>()
    }

    fn start(&self) -> String {
        G::write_position(&G::start())
    }

    fn prove_openings(
        &self,
        plies: u32,
        skip: usize,
        entries: usize,
        sink: &mut dyn FnMut((u64, Margin), usize) -> bool,
    ) {
        let evaluator = G::ABOUT.evaluators.first().and_then(|&(name, _)| G::evaluator(name));
        let Some(evaluator) = evaluator else { return };
        let openings = search::openings(&G::start(), plies);
        let total = openings.len();
        let rest = openings.into_iter().skip(skip);
        search::margins(rest, &evaluator, entries, &mut |position, margin| {
            sink((position.canonical().0, margin), total)
        });
    }

    fn board(
        &self,
        position: Option<&PositionText>,
        moves: &[String],
    ) -> Result<Box<dyn AnyBoard>, Refusal> {
        let position = match position {
            Some(PositionText::Rows(_)) if !G::ABOUT.rows => return Err(no_rows::<G>()),
            Some(text) => G::read_position(text).map_err(Refusal::Position)?,
            None => G::start(),
        };
        let mut board = Board::<G> { position, history: History::default() };
        for (index, text) in moves.iter().enumerate() {
            let mv = board.read_move("moves", index, text)?;
            board.play(mv);
        }
        Ok(Box::new(board))
    }
}

/// A position with the history that led to it: the textbook's board.
#[derive(Clone)]
struct Board<G: Game> {
    position: G::Position,
    history: History,
}

impl<G: Game> Board<G> {
    fn play(&mut self, mv: <G::Position as Position>::Move) {
        if G::Position::REPEATS {
            self.history.played(self.position.key());
        }
        self.position = self.position.play(mv);
    }

    fn after(&self, mv: <G::Position as Position>::Move) -> Self {
        let mut after = self.clone();
        after.play(mv);
        after
    }

    fn legal_moves(&self) -> Vec<<G::Position as Position>::Move> {
        if self.standing() == Standing::Ongoing {
            self.position.legal_moves().into_iter().collect()
        } else {
            Vec::new()
        }
    }

    fn read_move(
        &self,
        list: &'static str,
        index: usize,
        text: &str,
    ) -> Result<<G::Position as Position>::Move, Refusal> {
        let read = match self.standing() {
            Standing::Ongoing => G::read_move(&self.position, text),
            _ => Err(MoveError("the game is over".to_owned())),
        };
        read.map_err(|error| {
            let written = |mv| G::write_move(&self.position, mv);
            let allowed = self.legal_moves().into_iter().map(written).collect();
            Refusal::Move { list, index, text: text.to_owned(), error, allowed }
        })
    }

    fn standing(&self) -> Standing {
        let position = &self.position;
        let side = position.side_to_move();
        let drawn = || Standing::Drawn { reason: G::ending(position).reason };
        match position.outcome() {
            Some(Outcome::Loss) => won::<G>(side.other(), position),
            Some(Outcome::Win) => won::<G>(side, position),
            Some(Outcome::Draw) => drawn(),
            None if position.plies_to_draw() == Some(0) => drawn(),
            None if self.is_third_occurrence() => {
                Standing::Drawn { reason: "threefold repetition" }
            }
            None => Standing::Ongoing,
        }
    }

    fn is_third_occurrence(&self) -> bool {
        let position = &self.position;
        G::Position::REPEATS
            && self.history.occurrences(position.key(), position.reversible_plies()) >= 2
    }

    /// The algorithm and the limits that `terms` mean for this position.
    fn plan(&self, terms: &Terms) -> Result<(Algorithm, Limits), Refusal> {
        let about = G::ABOUT;
        let depth = match terms.depth {
            Some(depth) if (1..=u64::from(about.max_depth)).contains(&depth) => Some(depth as u32),
            Some(depth) => return Err(out_of_range(depth, about.max_depth)),
            None if terms.time.is_none() && terms.nodes.is_none() => about.default_depth,
            None => None,
        };
        let reaches_end = match (self.position.plies_left(), depth) {
            (Some(plies), Some(depth)) => plies <= depth,
            (plies, _) => plies.is_some(),
        };
        let algorithm = match &terms.algorithm {
            Some(name) => named_algorithm::<G>(name)?,
            None if reaches_end => Algorithm::Solve,
            None => Algorithm::AlphaBeta,
        };
        let time = terms.time.into_iter().chain(terms.time_limit).min();
        let limits = Limits { depth: depth.unwrap_or(about.max_depth), nodes: terms.nodes, time };
        Ok((algorithm, limits))
    }

    fn evaluator(name: Option<&str>) -> Result<(&'static str, G::Evaluator), Refusal> {
        let names = || G::ABOUT.evaluators.iter().map(|&(name, _)| name);
        let wanted = names().find(|&known| name.is_none_or(|name| name == known));
        let known = wanted.and_then(|known| Some((known, G::evaluator(known)?)));
        known.ok_or_else(|| Refusal::Choice {
            field: "evaluator",
            detail: format!("unknown evaluator '{}'", name.unwrap_or_default()),
            allowed: names().map(String::from).collect(),
        })
    }
}

/// All algorithms, but for the prover in a game that need not end.
fn algorithms<G: Game>() -> Vec<Algorithm> {
    let must_end = G::start().plies_left().is_some();
    let all = [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Solve];
    all.into_iter().filter(|&algorithm| must_end || algorithm != Algorithm::Solve).collect()
}

fn named_algorithm<G: Game>(name: &str) -> Result<Algorithm, Refusal> {
    let offered = algorithms::<G>();
    offered.iter().copied().find(|algorithm| algorithm.name() == name).ok_or_else(|| {
        Refusal::Choice {
            field: "algorithm",
            detail: format!("{} is not searched by '{name}'", G::ABOUT.title),
            allowed: offered.iter().map(|algorithm| algorithm.name().to_owned()).collect(),
        }
    })
}

fn out_of_range(depth: u64, max_depth: u32) -> Refusal {
    Refusal::Choice {
        field: "depth",
        detail: format!("expected an integer from 1 to {max_depth} but got {depth}"),
        allowed: Vec::new(),
    }
}

fn no_rows<G: Game>() -> Refusal {
    Refusal::Choice {
        field: "position",
        detail: format!("{} expects a string but got rows", G::ABOUT.title),
        allowed: Vec::new(),
    }
}

fn won<G: Game>(winner: Side, position: &G::Position) -> Standing {
    let Ending { reason, line } = G::ending(position);
    Standing::Won { winner: side_name::<G>(winner), reason, line }
}

fn side_name<G: Game>(side: Side) -> &'static str {
    G::ABOUT.sides[side as usize]
}

impl<G: Game> AnyBoard for Board<G> {
    fn state(&self) -> State {
        State {
            game: G::ABOUT.name,
            position: G::write_position(&self.position),
            side_to_move: side_name::<G>(self.position.side_to_move()),
            standing: self.standing(),
        }
    }

    fn search(&self, terms: &Terms) -> Result<Box<dyn AnySearch>, Refusal> {
        if self.standing() != Standing::Ongoing {
            return Err(Refusal::GameOver(self.state()));
        }
        let (algorithm, limits) = self.plan(terms)?;
        let (evaluator_name, evaluator) = Self::evaluator(terms.evaluator.as_deref())?;
        let wanted = terms.search_moves.iter().flatten().enumerate();
        let moves = wanted
            .map(|(index, text)| self.read_move("search_moves", index, text))
            .collect::<Result<_, _>>()?;
        let (position, history) = (self.position.clone(), self.history.clone());
        let task = Task { position, history, moves, algorithm, limits, top: 1 };
        Ok(Box::new(Search::<G> { board: self.clone(), task, evaluator, evaluator_name }))
    }
}

/// A search of a board, ready to run.
struct Search<G: Game> {
    board: Board<G>,
    task: Task<G::Position>,
    evaluator: G::Evaluator,
    evaluator_name: &'static str,
}

impl<G: Game> Search<G> {
    fn answer(&self, report: &Report<<G::Position as Position>::Move>) -> Answer {
        let proven_by_search_alone = report.algorithm == Algorithm::Solve;
        Answer {
            before: self.board.state(),
            best_move: move_text::<G>(&self.board.position, report.best_move()),
            evaluation: self.evaluation(report.score(), report.outcome),
            principal_variation: line::<G>(&self.board.position, &report.principal_variation()),
            algorithm: report.algorithm,
            evaluator: (!proven_by_search_alone).then_some(self.evaluator_name),
            depth: report.depth,
            nodes: report.nodes,
            stopped_by: report.stopped_by,
            after: self.board.after(report.best_move()).state(),
        }
    }

    fn evaluation(&self, score: Score, outcome: Option<Outcome>) -> Evaluation {
        let k = self.evaluator.half_value();
        Evaluation { outcome, plies: score.plies(), score: score.number(), value: score.value(k) }
    }
}

impl<G: Game> AnySearch for Search<G> {
    fn plan(&self) -> (Algorithm, Limits) {
        (self.task.algorithm, self.task.limits)
    }

    fn run(&self, stop: &AtomicBool) -> Answer {
        self.answer(&search::run_watched(&self.task, &self.evaluator, stop, &mut |_| {}))
    }
}

/// The moves of a line that begins at `position`, written out.
fn line<G: Game>(
    position: &G::Position,
    moves: &[<G::Position as Position>::Move],
) -> Vec<MoveText> {
    let mut position = position.clone();
    let written = moves.iter().map(|&mv| {
        let text = move_text::<G>(&position, mv);
        position = position.play(mv);
        text
    });
    written.collect()
}

fn move_text<G: Game>(position: &G::Position, mv: <G::Position as Position>::Move) -> MoveText {
    MoveText { text: G::write_move(position, mv), san: G::write_san(position, mv) }
}

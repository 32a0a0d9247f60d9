//! What the laboratory asks of a game, for every game of the catalogue.

use std::io;

use crate::book_entries::{BookVerdict, Entries};
use crate::play::board_after;
use crate::record::{Played, texts};
use bestmove_engine::catalogue;
use bestmove_engine::game::linear::{Layout, Trace};
use bestmove_engine::game::{
    EndgameSource, Evaluator, Game, Position, SelectiveHooks, SolverScore, Trainable,
};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::games::book::Book;
use bestmove_engine::nn::{NetworkInput, NetworkShape};
use bestmove_engine::search::{backed_up, openings, prove_all};

/// A game of the catalogue with what only the laboratory asks.
pub(crate) trait LabGame: AnyGame {
    /// Proves every position after `plies` plies in a game that must end, symmetric ones folded, in a
    /// fixed order, without the first `skip`; with a table of `entries` slots. `sink` gets the canonical
    /// key and the solver score of each, and the number of all, and says whether to go on.
    fn prove_openings(
        &self,
        plies: u32,
        skip: usize,
        entries: usize,
        sink: &mut dyn FnMut((u64, SolverScore), usize) -> bool,
    );

    /// What the entries of a book tell of each other, and those that need a proof, in a fixed order: their
    /// positions and values.
    fn book_entries(&self, book: &Book) -> (BookVerdict, Vec<(String, SolverScore)>);

    /// Proves those entries without the first `skip`, with a table of `entries` slots. `sink` gets the
    /// value of each and says whether to go on.
    fn prove_entries(
        &self,
        book: &Book,
        skip: usize,
        entries: usize,
        sink: &mut dyn FnMut(SolverScore) -> bool,
    );

    /// The `deepest` solver scores, of positions after so many plies, and those of all earlier positions
    /// that follow from them; by canonical key.
    fn backed_up(&self, plies: u32, deepest: Vec<(u64, SolverScore)>) -> Vec<(u64, SolverScore)>;

    /// As [`Game::ENDGAMES`].
    fn endgames(&self) -> io::Result<&'static dyn EndgameSource>;

    /// What can be trained of the evaluator of that name, or of the default one.
    fn model(&self, evaluator: Option<&str>) -> io::Result<Model>;

    /// As [`Game::replace_networks`].
    fn replace_networks(&self, knowledge: &mut Knowledge, bytes: &[u8]) -> io::Result<()>;

    /// The traces of the quiet positions before `moves`, played from the start; each with the number of
    /// its move.
    fn traces(&self, evaluator: Option<&str>, moves: &[Played]) -> io::Result<Vec<(usize, Trace)>>;

    /// As [`traces`](Self::traces), with the network input of each position.
    fn network_inputs(
        &self,
        evaluator: Option<&str>,
        moves: &[Played],
    ) -> io::Result<Vec<(usize, NetworkInput)>>;
}

/// The trainable parts of an evaluator.
pub(crate) struct Model {
    /// The weights of a linear evaluation; `None` where the score is no sum.
    pub layout: Option<Layout>,
    /// The networks; `None` where there are none.
    pub networks: Option<NetworkShape>,
    /// The score at which three quarters of the points are expected.
    pub half_value: i32,
}

pub(crate) fn game(name: &str) -> io::Result<&'static dyn LabGame> {
    let mut games = catalogue!(dyn LabGame).iter().copied();
    let unknown = || io::Error::other(format!("no game '{name}'"));
    games.find(|game| game.info().name == name).ok_or_else(unknown)
}

impl<G: Game> LabGame for G {
    fn prove_openings(
        &self,
        plies: u32,
        skip: usize,
        entries: usize,
        sink: &mut dyn FnMut((u64, SolverScore), usize) -> bool,
    ) {
        let Ok(evaluator) = evaluator::<G>(None, &Knowledge::default()) else { return };
        let positions = openings(&G::start(), plies);
        let total = positions.len();
        let rest = positions.into_iter().skip(skip).map(|position| (position, None));
        prove_all(rest, &evaluator, entries, &mut |position, value| {
            sink((position.canonical().0, value), total)
        });
    }

    fn book_entries(&self, book: &Book) -> (BookVerdict, Vec<(String, SolverScore)>) {
        let Entries { derived, wrong, open } = Entries::of::<G>(book);
        let unreachable = book.records().len() - derived - wrong.len() - open.len();
        let text = |(position, claimed)| (G::write_position(&position), claimed);
        let verdict = BookVerdict { derived, wrong, unreachable, ..BookVerdict::default() };
        (verdict, open.into_iter().map(text).collect())
    }

    fn prove_entries(
        &self,
        book: &Book,
        skip: usize,
        entries: usize,
        sink: &mut dyn FnMut(SolverScore) -> bool,
    ) {
        let Ok(evaluator) = evaluator::<G>(None, &Knowledge::default()) else { return };
        let open = Entries::of::<G>(book).open.into_iter().skip(skip);
        let guesses = open.map(|(position, claimed)| (position, Some(claimed)));
        prove_all(guesses, &evaluator, entries, &mut |_, found| sink(found));
    }

    fn backed_up(&self, plies: u32, deepest: Vec<(u64, SolverScore)>) -> Vec<(u64, SolverScore)> {
        backed_up(&G::start(), plies, deepest)
    }

    fn endgames(&self) -> io::Result<&'static dyn EndgameSource> {
        G::ENDGAMES.ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    fn model(&self, name: Option<&str>) -> io::Result<Model> {
        let evaluator = evaluator::<G>(name, &Knowledge::default())?;
        let trainable = trainable::<G>(&evaluator)?;
        let (layout, networks) = (trainable.layout(), trainable.network_shape());
        Ok(Model { layout, networks, half_value: evaluator.half_value() })
    }

    fn replace_networks(&self, knowledge: &mut Knowledge, bytes: &[u8]) -> io::Result<()> {
        knowledge.change::<G>(|knowledge| G::replace_networks(knowledge, bytes))
    }

    fn traces(&self, evaluator: Option<&str>, moves: &[Played]) -> io::Result<Vec<(usize, Trace)>> {
        of_quiet_positions(self, evaluator, moves, |trainable, it| trainable.trace(it))
    }

    fn network_inputs(
        &self,
        evaluator: Option<&str>,
        moves: &[Played],
    ) -> io::Result<Vec<(usize, NetworkInput)>> {
        of_quiet_positions(self, evaluator, moves, |trainable, it| trainable.network_input(it))
    }
}

/// The evaluator of that name, or the default one.
fn evaluator<G: Game>(name: Option<&str>, knowledge: &Knowledge) -> io::Result<G::Evaluator> {
    let name = name.or(G::INFO.evaluators.first().map(|&(name, _)| name)).unwrap_or_default();
    G::evaluator(name, &knowledge.of::<G>())
        .ok_or_else(|| crate::invalid(&format!("no evaluator '{name}'")))
}

fn trainable<G: Game>(evaluator: &G::Evaluator) -> io::Result<&dyn Trainable<G::Position>> {
    G::training(evaluator).ok_or_else(|| io::ErrorKind::Unsupported.into())
}

/// What `ask` returns for the quiet positions before `moves`, each with the number of its move.
fn of_quiet_positions<G: Game, T>(
    game: &G,
    name: Option<&str>,
    moves: &[Played],
    ask: impl Fn(&dyn Trainable<G::Position>, &G::Position) -> Option<T>,
) -> io::Result<Vec<(usize, T)>> {
    let evaluator = evaluator::<G>(name, crate::knowledge())?;
    let trainable = trainable::<G>(&evaluator)?;
    // Refuses moves that are illegal or follow the end of the game.
    board_after(game, &texts(moves))?;
    let (mut position, mut answers) = (G::start(), Vec::new());
    for (number, played) in moves.iter().enumerate() {
        if evaluator.is_quiet(&position) {
            answers.extend(ask(trainable, &position).map(|answer| (number, answer)));
        }
        let mv = G::read_move(&position, &played.mv);
        position = position.play(mv.map_err(|error| crate::invalid(&error.0))?);
    }
    Ok(answers)
}

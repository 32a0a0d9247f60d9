//! What a caller asks of a game, what it means for the game, and why it is refused.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use super::State;
use crate::game::{
    Evaluator, Game, Known, LevelNumber, MoveError, Outcome, Place, Position, PositionError,
    Question, excerpt,
};
use crate::games::knowledge::Knowledge;
use crate::search::{self, Algorithm, SearchLimits};

/// What a caller asks of a search, as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SearchParameters {
    /// Plies to look ahead; 1 or more, and the game says how many at most.
    pub depth: Option<u64>,
    /// A time budget.
    pub time: Option<Duration>,
    /// A budget of positions visited.
    pub nodes: Option<u64>,
    /// Positions visited after which no further depth begins.
    pub soft_nodes: Option<u64>,
    /// The only moves to consider, or all.
    pub search_moves: Option<Vec<String>>,
    /// How to search.
    pub algorithm: Option<Algorithm>,
    /// The name of an evaluator.
    pub evaluator: Option<String>,
    /// How strong a player to be, in place of depth, time, nodes, algorithm and evaluator.
    pub level: Option<LevelNumber>,
    /// Varies the choices of a level.
    pub seed: Option<u64>,
    /// How many of the best moves to report; only the best one where nothing is said.
    pub top: Option<u64>,
    /// Whether every move is searched with an open window, so that no value depends on `top`.
    pub exact: bool,
    /// The time after which the service stops any search.
    pub time_limit: Option<Duration>,
}

/// What a caller asks of a decision tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreeParameters {
    /// The search that is shown. Only `minimax`, which is the default, and `alpha-beta` look at a
    /// tree as the textbook draws it.
    pub search: SearchParameters,
    /// The most nodes that it may have.
    pub max_nodes: usize,
    /// Whether values are from the view of the game's first side, which is then the maximizing one.
    pub is_first_view: bool,
}

impl TreeParameters {
    /// The algorithms that look at a tree as the textbook draws it; the first one is the default.
    pub const ALGORITHMS: [Algorithm; 2] = [Algorithm::Minimax, Algorithm::AlphaBeta];
}

/// Why a request can't be served: what is wrong, in a sentence. The alternate form, `{:#}`, lists the allowed
/// values too.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RequestError {
    /// The position is unreadable or impossible.
    Position(PositionError),
    /// A move is unreadable or illegal.
    Move {
        /// The list it stands in: `moves` or `search_moves`.
        list: &'static str,
        /// Its place in the list, from 0.
        index: usize,
        /// Where it stands in the text, if the list came as one string.
        place: Option<Place>,
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
    GameOver(Box<State>),
}

impl RequestError {
    /// The error of a field with a value that this game does not offer. `detail` says what was expected and what came.
    pub fn choice(field: &'static str, detail: impl Into<String>) -> Self {
        Self::Choice { field, detail: detail.into(), allowed: Vec::new() }
    }

    /// The values that would have been right, where they can be listed.
    ///
    /// ```
    /// use bestmove_engine::games;
    /// use bestmove_engine::games::any::RequestError;
    /// let chess = games::find("chess").expect("a game of the catalogue");
    /// let Err(error) = chess.board(None, &["e4".into(), "e6e4".into()]) else { panic!("illegal") };
    /// assert!(matches!(error, RequestError::Move { index: 1, .. }));
    /// assert!(error.allowed().contains(&"e7e5".to_owned()));
    /// assert!(error.to_string().starts_with("moves[1] 'e6e4': "));
    /// ```
    #[must_use]
    pub fn allowed(&self) -> &[String] {
        match self {
            Self::Move { allowed, .. } | Self::Choice { allowed, .. } => allowed,
            Self::Position(_) | Self::GameOver(_) => &[],
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Position(error) => write!(f, "{error}")?,
            Self::Move { list, index, place, text, error, .. } => {
                write!(f, "{list}[{index}] '{}'", excerpt(text))?;
                if let Some(place) = place {
                    write!(f, " at {place}")?;
                }
                write!(f, ": {error}")?;
            }
            Self::Choice { field, detail, .. } => write!(f, "{field}: {detail}")?,
            Self::GameOver(_) => f.write_str("the game is over: there is no move to find")?,
        }
        match self.allowed() {
            allowed if f.alternate() && !allowed.is_empty() => {
                write!(f, "; allowed: {}", allowed.join(", "))
            }
            _ => Ok(()),
        }
    }
}

/// The algorithm and the limits that `parameters` mean for a position that is evaluated by `evaluator`.
pub(super) fn plan<G: Game>(
    game: &G,
    position: &G::Position,
    evaluator: &G::Evaluator,
    parameters: &SearchParameters,
) -> Result<(Algorithm, SearchLimits), RequestError> {
    let info = game.game_info();
    let depth = match parameters.depth {
        Some(depth) if (1..=u64::from(info.max_depth)).contains(&depth) => Some(depth as u32),
        Some(depth) => {
            let most = info.max_depth;
            let detail = format!("expected an integer from 1 to {most} but got {depth}");
            return Err(RequestError::choice("depth", detail));
        }
        None if is_unlimited(parameters) => info.default_depth,
        None => None,
    };
    let reaches_end = match (position.plies_left(), depth) {
        (Some(plies), Some(depth)) => plies <= depth,
        (plies, _) => plies.is_some(),
    };
    let algorithm = match parameters.algorithm {
        Some(algorithm) => named_algorithm(game, algorithm.name(), &algorithms(game))?,
        None if search::proof_nodes(position, evaluator).is_some() => Algorithm::Selective,
        None if reaches_end => Algorithm::Solve,
        None if position.plies_left().is_some() => Algorithm::AlphaBeta,
        None => Algorithm::Selective,
    };
    let time = parameters.time.into_iter().chain(parameters.time_limit).min();
    let is_open =
        algorithm == Algorithm::Selective && parameters.depth.is_none() && is_unlimited(parameters);
    let is_decided = is_open && is_decided::<G>(position, evaluator);
    let values = match parameters.top {
        None | Some(1) => 1,
        Some(_) => position.legal_moves().into_iter().count() as u64,
    };
    let is_proven = is_open && search::is_proven_unasked(position, evaluator, values);
    let depth = depth.filter(|_| !is_proven);
    let (depth, nodes) =
        if is_decided { (None, Some(DECIDED_NODES)) } else { (depth, parameters.nodes) };
    let depth = depth.unwrap_or(info.max_depth);
    let proof_nodes = match algorithm {
        Algorithm::AlphaBeta => Some(SHORT_PROOF_NODES),
        Algorithm::Selective if position.plies_left().is_none() => Some(NEAR_ENDS_NODES),
        _ => None,
    };
    let has_proof =
        parameters.algorithm.is_none() && parameters.depth.is_none() && parameters.level.is_none();
    let proof_nodes = proof_nodes.filter(|_| has_proof);
    let soft_nodes = parameters.soft_nodes;
    Ok((algorithm, SearchLimits { depth, nodes, soft_nodes, time, proof_nodes }))
}

/// The nodes for each value of the proof with which a search without limits begins: about as long as its look ahead takes.
const SHORT_PROOF_NODES: u64 = 200_000;

/// The nodes of the proof of near wins and losses with which a search without limits ends.
const NEAR_ENDS_NODES: u64 = 100_000;

/// The nodes of a search without limits of a position of which it is known who wins. Few plies do not
/// show the way to a distant end, and so few pieces have few moves.
const DECIDED_NODES: u64 = 200_000;

/// Whether the side to move, or its opponent, is known to win in the end.
fn is_decided<G: Game>(position: &G::Position, evaluator: &G::Evaluator) -> bool {
    let outcome = evaluator.known(position, Question::Outcome).and_then(Known::outcome);
    matches!(outcome, Some(Outcome::Win | Outcome::Loss))
}

/// Whether nothing bounds the search: neither a limit, nor a proof that was asked for.
fn is_unlimited(parameters: &SearchParameters) -> bool {
    let asks_for_proof = parameters.algorithm == Some(Algorithm::Solve);
    parameters.time.is_none()
        && parameters.nodes.is_none()
        && parameters.soft_nodes.is_none()
        && !asks_for_proof
}

/// The evaluator of that name, or the game's first.
pub(super) fn evaluator<G: Game>(
    game: &G,
    name: Option<&str>,
    knowledge: &Knowledge,
) -> Result<(&'static str, G::Evaluator), RequestError> {
    let names = game.game_info().evaluators.iter().map(|&(name, _)| name);
    let wanted = names.clone().find(|&known| name.is_none_or(|name| name == known));
    let known = wanted.and_then(|known| Some((known, G::evaluator(known, &knowledge.of::<G>())?)));
    known.ok_or_else(|| RequestError::Choice {
        field: "evaluator",
        detail: match wanted {
            Some(name) => format!("the network of '{name}' is not loaded"),
            None => format!("unknown evaluator '{}'", excerpt(name.unwrap_or_default())),
        },
        allowed: names.map(String::from).collect(),
    })
}

/// All algorithms, but for the prover in a game that need not end.
pub(super) fn algorithms<G: Game>(game: &G) -> Vec<Algorithm> {
    let must_end = game.start().plies_left().is_some();
    Algorithm::ALL
        .into_iter()
        .filter(|&algorithm| must_end || algorithm != Algorithm::Solve)
        .collect()
}

pub(super) fn named_algorithm<G: Game>(
    game: &G,
    name: &str,
    offered: &[Algorithm],
) -> Result<Algorithm, RequestError> {
    offered.iter().copied().find(|algorithm| algorithm.name() == name).ok_or_else(|| {
        RequestError::Choice {
            field: "algorithm",
            detail: format!("{} is not searched by '{}'", game.game_info().title, excerpt(name)),
            allowed: offered.iter().map(|algorithm| algorithm.name().to_owned()).collect(),
        }
    })
}

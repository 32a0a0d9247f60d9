//! Players of less than full strength: what a level searches, and which move it takes then.

use super::{RequestError, SearchParameters};
use crate::game::{Evaluator, LEVELS, Level, Outcome, Position, Score};
use crate::search::{Report, Variation};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The index of the level that `parameters` name, which then stand for nothing else about the search.
pub(super) fn level(parameters: &SearchParameters) -> Result<Option<usize>, RequestError> {
    let refused = |field, detail: String, allowed: Vec<String>| {
        Err(RequestError::Choice { field, detail, allowed })
    };
    let Some(name) = &parameters.level else {
        return match parameters.seed {
            Some(_) => refused("seed", "expected a level beside it but got none".into(), vec![]),
            None => Ok(None),
        };
    };
    let others = [
        ("depth", parameters.depth.is_some()),
        ("time_ms", parameters.time.is_some()),
        ("nodes", parameters.nodes.is_some()),
        ("algorithm", parameters.algorithm.is_some()),
        ("evaluator", parameters.evaluator.is_some()),
    ];
    if let Some((field, _)) = others.into_iter().find(|&(_, is_there)| is_there) {
        let detail = "a level stands in its place; leave out one of the two".to_owned();
        return refused(field, detail, Vec::new());
    }
    let Some(place) = LEVELS.iter().position(|level| level == name) else {
        let allowed = LEVELS.map(String::from).to_vec();
        return refused("level", format!("unknown level '{name}'"), allowed);
    };
    Ok(Some(place))
}

/// What a player of this level searches: once careless, only enough to compare all moves.
pub(super) fn parameters(
    level: &Level,
    parameters: &SearchParameters,
    is_careless: bool,
) -> SearchParameters {
    let depth = level.depth.map(u64::from);
    let shallow = depth.map_or(SHALLOW, |depth| depth.min(SHALLOW));
    SearchParameters {
        depth: if is_careless { Some(shallow) } else { depth },
        nodes: level.nodes.filter(|_| !is_careless),
        algorithm: level.algorithm.filter(|_| !is_careless).map(str::to_owned),
        evaluator: level.evaluator.map(str::to_owned),
        search_moves: parameters.search_moves.clone(),
        top: is_careless.then_some(u64::MAX),
        time_limit: parameters.time_limit,
        ..SearchParameters::default()
    }
}

/// The plies that a player looks ahead who takes a lesser move: enough to see what the opponent can
/// do next.
const SHALLOW: u64 = 2;

/// A move that a player does not think through.
pub(super) struct Lapse {
    worth: f64,
    /// Whether the player sees all the same what the opponent can do next.
    is_watchful: bool,
    /// A random number that chooses among the moves.
    choice: u64,
}

impl Lapse {
    /// Whether a player of this level has one in this position; with the same seed always or never.
    pub(super) fn of<P: Position>(level: &Level, seed: Option<u64>, position: &P) -> Option<Self> {
        let mut random = ChaCha8Rng::seed_from_u64(seed.unwrap_or_default());
        random.set_stream(position.key());
        let is_careless = random.next_u64() % 100 < u64::from(level.lapses.percent);
        let is_watchful = level.depth != Some(1);
        let worth = level.lapses.worth;
        is_careless.then(|| Self { worth, is_watchful, choice: random.next_u64() })
    }

    /// Puts the move that the player takes first: one of those near the best, if there is another
    /// one. A game that is decided within sight is played on as well as can be, and no watchful
    /// player lets the opponent win at once.
    pub(super) fn choose<P: Position, E: Evaluator<P>>(
        &self,
        position: &P,
        evaluator: &E,
        report: &mut Report<P::Move>,
    ) {
        if self.is_watchful {
            Self::discard(&mut report.variations, |mv| wins_at_once(&position.play(mv)));
        }
        let (best, k) = (report.score(), evaluator.half_value());
        if !best.is_won() && !best.is_lost() {
            let least = best.value(k) - self.worth;
            let is_near = |score: Score| !score.is_lost() && score.value(k) >= least;
            // The moves are sorted by their scores, the best one first.
            let near = report.variations.iter().take_while(|other| is_near(other.score)).count();
            if near > 1 {
                report.variations.swap(0, 1 + (self.choice % (near - 1) as u64) as usize);
            }
        }
        report.outcome = report.variations[0].outcome;
    }

    /// Leaves such moves out, unless there are no others.
    fn discard<M: Copy>(variations: &mut Vec<Variation<M>>, is_such: impl Fn(M) -> bool) {
        if !variations.iter().all(|variation| is_such(variation.mv)) {
            variations.retain(|variation| !is_such(variation.mv));
        }
    }
}

/// Whether the side to move can end the game as the winner with its next move.
fn wins_at_once<P: Position>(position: &P) -> bool {
    let mut moves = position.legal_moves().into_iter();
    position.outcome().is_none()
        && moves.any(|mv| position.play(mv).outcome() == Some(Outcome::Loss))
}

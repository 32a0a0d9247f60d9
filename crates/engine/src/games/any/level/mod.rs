//! Players of less than full strength: the search of a level, and the choice of its move.
//!
//! A weak player looks a few plies ahead and overlooks moves ([`CarelessSearch`]); a strong one
//! searches like any request with its limits. Both choose among moves by a softmax over expected
//! points. Every random number comes from a stream of `ChaCha8` that follows from the seed and the
//! position. `docs/benchmarks/levels.md` has the measured strength of the levels. [`chances`](Player::chances) tells how
//! often a level plays each move.

mod careless;
mod chances;
mod choice;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use self::careless::CarelessSearch;
use self::choice::{choose, near_equals, unit};
use super::board::Board;
use super::{RequestError, SearchParameters};
use crate::game::{
    Errors, Game, Level, LevelNumber, Outcome, Position, SelectiveHooks, Skill, SolverHooks,
};
use crate::search::{self, Algorithm, Deadline, Report, SearchTables, StoppedBy, Task};

/// The plies at the start of a game in which strong levels vary their choice.
const VARIED_PLIES: u32 = 20;

/// The number of best moves from which a strong level then chooses.
const VARIED_MOVES: usize = 6;

/// The temperature of that choice, in expected points.
const NEAR_TEMPERATURE: f64 = 0.04;

/// The largest factor on the errors of a player in one game; the smallest is its reciprocal.
const FORM: f64 = 1.4;

/// The depth of the search that evaluates the chosen move of a weak level: small enough for a small table.
const EVALUATION_DEPTH: u32 = 12;

/// The nodes of the search that evaluates the chosen move of a weak level.
const EVALUATION_NODES: u64 = 1_000;

/// A level with the move.
pub(super) struct Player {
    number: LevelNumber,
    skill: Skill,
    seed: Option<u64>,
    /// The factor on its average errors in the present game.
    form: f64,
    /// Whether the game is so young that strong levels vary their choice.
    is_early: bool,
}

impl Player {
    /// The player of the level that `parameters` name, in place of the other parameters of the search.
    pub(super) fn of<G: Game>(
        board: &Board<G>,
        parameters: &SearchParameters,
    ) -> Result<Option<Self>, RequestError> {
        let Some(number) = parameters.level else {
            return match parameters.seed {
                Some(_) => {
                    Err(RequestError::choice("seed", "expected a level beside it but got none"))
                }
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
            let detail = "a level stands in its place; leave out one of the two";
            return Err(RequestError::choice(field, detail));
        }
        let Level { skill, .. } = board.game.game_info().levels[number.index()];
        let is_early = plies_played(board) < VARIED_PLIES;
        let (seed, form) = (parameters.seed, parameters.seed.map_or(1.0, form));
        Ok(Some(Self { number, skill, seed, form, is_early }))
    }

    /// The inputs of the answer beside the search: the number, the seed and whether the game is young.
    pub(super) fn key(&self) -> (u8, Option<u64>, bool) {
        (self.number.get(), self.seed, self.is_early)
    }

    /// The limits of the search whose result becomes the answer.
    pub(super) fn parameters<G: Game>(
        &self,
        game: &G,
        asked: &SearchParameters,
    ) -> SearchParameters {
        let (depth, nodes, algorithm) = match self.skill {
            Skill::Careless { .. } => (
                Some(EVALUATION_DEPTH.min(game.game_info().max_depth)),
                Some(EVALUATION_NODES),
                None,
            ),
            Skill::Search { depth, nodes, algorithm, .. } => (depth, nodes, algorithm),
        };
        SearchParameters {
            depth: depth.map(u64::from),
            nodes,
            algorithm: algorithm.and_then(Algorithm::named),
            search_moves: asked.search_moves.clone(),
            time_limit: asked.time_limit,
            ..SearchParameters::default()
        }
    }

    /// Chooses a move and evaluates it: the first variation of the report. The `task` is bounded by
    /// [`parameters`](Self::parameters), and all stages together by the deadline.
    pub(super) fn play<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
        &self,
        task: &Task<P>,
        evaluator: &E,
        deadline: Deadline,
        observer: &mut dyn FnMut(&Report<P::Move>),
    ) -> Report<P::Move> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed.unwrap_or_default());
        random.set_stream(task.position.key());
        let mut task = task.clone();
        let sees_wins = random.next_u64() % 100 < u64::from(self.wins_seen());
        self.narrow(&mut task, deadline, sees_wins);
        let mut search = |task: &Task<P>| {
            search::run_until(task, evaluator, deadline, &mut SearchTables::default(), observer)
        };
        let errors = match self.skill {
            Skill::Careless { errors, .. } => Some(errors.times(self.form)),
            Skill::Search { lapses, .. } => {
                let lapses = f64::from(lapses) * self.form * self.form;
                (unit(&mut random) * 100.0 < lapses).then_some(Errors::LAPSE)
            }
        };
        let half_value = evaluator.scale().half_value;
        let Some(errors) = errors else {
            let (mut report, is_varied) = self.searched(&mut task, search);
            if is_varied {
                let near = near_equals(&report.variations, half_value);
                let chosen = choose(&near, half_value, NEAR_TEMPERATURE, &mut random);
                report.variations.swap(0, chosen);
            }
            return report;
        };
        let mut careless = CarelessSearch::new(&task, evaluator, errors, deadline, &mut random);
        let scores = careless.root_scores();
        let nodes = careless.nodes();
        let chosen = choose(&scores, half_value, errors.temperature, &mut random);
        task.moves = vec![scores[chosen].0];
        let report = search(&task);
        Report { nodes: report.nodes + nodes, ..report }
    }

    /// The number of wins in one that the player sees, of a hundred.
    fn wins_seen(&self) -> u8 {
        match self.skill {
            Skill::Careless { wins, .. } => wins,
            Skill::Search { .. } => 100,
        }
    }

    /// Restricts the root moves to those that the player considers: wins in one if it `sees_wins`, and, if it is watchful, no
    /// move that leaves a win in one to the opponent. Where margins count, a win in one may be the smallest win and a loss in
    /// two the smallest loss, so all moves are left.
    fn narrow<P: Position>(&self, task: &mut Task<P>, deadline: Deadline, sees_wins: bool) {
        if P::PROPERTIES.margin_step > 0 {
            return;
        }
        let position = task.position.clone();
        let moves = task.root_moves();
        let (wins, others): (Vec<_>, Vec<_>) =
            moves.iter().copied().partition(|&mv| is_lost(&position.play(mv)));
        let kept = if !wins.is_empty() {
            if sees_wins { wins } else { others }
        } else if self.number >= LevelNumber::WATCHFUL {
            let mut safe = others;
            safe.retain(|&mv| deadline.is_reached() || !wins_at_once(&position.play(mv)));
            safe
        } else {
            return;
        };
        if !kept.is_empty() && kept.len() < moves.len() {
            task.moves = kept;
        }
    }

    /// The search of a strong level, and whether the level, early in a game, chooses among the moves that are about as good as
    /// the best, else it takes the first.
    fn searched<P: Position>(
        &self,
        task: &mut Task<P>,
        mut search: impl FnMut(&Task<P>) -> Report<P::Move>,
    ) -> (Report<P::Move>, bool) {
        if self.is_early {
            task.top = VARIED_MOVES;
            let report = search(task);
            // Proving the values of several moves is harder than proving the value of the best.
            if task.algorithm != Algorithm::Solve || report.stopped_by != StoppedBy::Nodes {
                return (report, true);
            }
            task.top = 1;
        }
        (search(task), false)
    }
}

/// The form of a player in a game with `seed`.
fn form(seed: u64) -> f64 {
    form_at(unit(&mut ChaCha8Rng::seed_from_u64(seed)))
}

/// The form of a player with a part `at` of its days: from `1 / FORM`, its best day, to [`FORM`].
fn form_at(at: f64) -> f64 {
    libm::pow(FORM, 2.0 * at - 1.0)
}

/// The known plies of the game before the position.
fn plies_played<G: Game>(board: &Board<G>) -> u32 {
    let plies_left = board.game.start().plies_left().zip(board.position.plies_left());
    let by_position = match plies_left {
        Some((all, left)) => all - left,
        None => board.position.plies_played().unwrap_or(0),
    };
    by_position.max(board.history.plies())
}

fn is_lost<P: Position>(position: &P) -> bool {
    position.outcome() == Some(Outcome::Loss)
}

/// Whether the side to move has a win in one.
fn wins_at_once<P: Position>(position: &P) -> bool {
    let mut moves = position.legal_moves().into_iter();
    position.outcome().is_none() && moves.any(|mv| is_lost(&position.play(mv)))
}

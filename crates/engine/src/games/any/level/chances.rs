//! The probability of each move that a level plays it.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;

use super::careless::CarelessSearch;
use super::choice::{near_equals, probabilities};
use super::{FORM, NEAR_TEMPERATURE, Player, form_at};
use crate::game::{Errors, Position, SelectiveHooks, Skill, SolverHooks};
use crate::search::{self, Deadline, SearchTables, Task};

/// The nodes of the careless searches together, beyond which no further one begins.
const NODES: u64 = 2_000_000;

/// The greatest number of careless searches.
const MOST_TURNS: u32 = 2048;

/// The fractional part of the golden ratio: its multiples fill the interval from 0 to 1 evenly.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Moves with their probabilities.
type Chances<M> = Vec<(M, f64)>;

impl Player {
    /// The probability of each root move that the level plays it, over all seeds. The choice among moves of known values is
    /// exact; what a careless player overlooks is an average over up to [`MOST_TURNS`] turns. `None` where the deadline comes
    /// before.
    pub(in super::super) fn chances<P: Position, E: SelectiveHooks<P> + SolverHooks<P>>(
        &self,
        task: &Task<P>,
        evaluator: &E,
        deadline: Deadline,
    ) -> Option<Chances<P::Move>> {
        let mut chances = unlikely(task);
        let (careless, half_value) = (self.careless_part(), evaluator.scale().half_value);
        let wins_seen = f64::from(self.wins_seen()) / 100.0;
        let [seeing, blind] = [true, false].map(|sees_wins| {
            let mut task = task.clone();
            self.narrow(&mut task, deadline, sees_wins);
            task
        });
        // Mostly there is no win in one to see.
        let is_one = seeing.moves == blind.moves;
        let seen = if is_one { 1.0 } else { wins_seen };
        for (mut task, part) in [(seeing, seen), (blind, 1.0 - seen)] {
            if part * careless > 0.0 {
                for (mv, chance) in self.careless_chances(&task, evaluator, deadline) {
                    add(&mut chances, mv, part * careless * chance);
                }
            }
            if part * (1.0 - careless) > 0.0 {
                let (report, is_varied) = self.searched(&mut task, |task| {
                    let tables = &mut SearchTables::default();
                    search::run_until(task, evaluator, deadline, tables, &mut |_| {})
                });
                let mut near = near_equals(&report.variations, half_value);
                near.truncate(if is_varied { near.len() } else { 1 });
                for (mv, chance) in probabilities(&near, half_value, NEAR_TEMPERATURE) {
                    add(&mut chances, mv, part * (1.0 - careless) * chance);
                }
            }
        }
        (!deadline.is_reached()).then_some(chances)
    }

    /// The part of the moves that the player does not think through.
    fn careless_part(&self) -> f64 {
        match self.skill {
            Skill::Careless { .. } => 1.0,
            // The mean of the square of the form, times the lapses of a player in average form.
            Skill::Search { lapses, .. } => {
                let logarithm = 2.0 * libm::log(FORM);
                f64::from(lapses) / 100.0 * libm::sinh(logarithm) / logarithm
            }
        }
    }

    /// The average of turns in which the player does not think its move through.
    fn careless_chances<P: Position, E: SelectiveHooks<P>>(
        &self,
        task: &Task<P>,
        evaluator: &E,
        deadline: Deadline,
    ) -> Chances<P::Move> {
        let (mut chances, mut turns, mut nodes) = (unlikely(task), 0, 0);
        let mut random = ChaCha8Rng::seed_from_u64(0);
        random.set_stream(task.position.key());
        while turns < MOST_TURNS && nodes < NODES && !deadline.is_reached() {
            let form = form_at((f64::from(turns) * GOLDEN).fract());
            let errors = match self.skill {
                Skill::Careless { errors, .. } => errors.times(form),
                Skill::Search { .. } => Errors::LAPSE,
            };
            let mut search = CarelessSearch::new(task, evaluator, errors, deadline, &mut random);
            let (scores, half_value) = (search.root_scores(), evaluator.scale().half_value);
            for (mv, chance) in probabilities(&scores, half_value, errors.temperature) {
                add(&mut chances, mv, chance);
            }
            (turns, nodes) = (turns + 1, nodes + search.nodes());
        }
        chances.into_iter().map(|(mv, sum)| (mv, sum / f64::from(turns))).collect()
    }
}

/// The root moves with the probability 0.
fn unlikely<P: Position>(task: &Task<P>) -> Chances<P::Move> {
    task.root_moves().into_iter().map(|mv| (mv, 0.0)).collect()
}

/// Makes a move likelier.
fn add<M: Copy + PartialEq>(chances: &mut Chances<M>, mv: M, part: f64) {
    if let Some((_, chance)) = chances.iter_mut().find(|(other, _)| *other == mv) {
        *chance += part;
    }
}

//! What a trainer learns from.

use std::io::{self, BufRead};

use super::points;
use crate::expectation::{Expectation, is_first, slope};
use crate::record::texts;
use crate::samples::read_games;
use crate::{invalid, model};
use bestmove_engine::game::Lot;
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::nn::{Features, HALF_WAY, NetworkInput, NetworkShape, PLIES_OF_LOGIT};

/// What positions are expected to score: what their own search says. The results of games of a thousand
/// positions a move, and what their next searches say, are further from what good play makes of a position.
const EXPECTATION: Expectation = Expectation { result: 0.0 };

/// Positions as a trainer sees them, without a pointer each.
#[derive(Default)]
pub(super) struct Lessons {
    features: Vec<u16>,
    lessons: Vec<Lesson>,
}

/// A position, from the view of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Lesson {
    /// Where its features end in the list of all.
    end: usize,
    /// The number of the network that judges it.
    pub network: u32,
    /// What the sum of weights says, as the logarithm of the odds.
    pub score: f32,
    /// What the side to move is expected to score, from 0 to 1.
    pub target: f32,
}

impl Lessons {
    /// The quiet positions of games, and what networks there are.
    pub(super) fn of_games(
        game: &dyn AnyGame,
        evaluator: Option<&str>,
        lines: impl BufRead,
    ) -> io::Result<(Self, NetworkShape)> {
        let model = model(game, evaluator)?;
        let missing = || invalid("there is no network in the score");
        let networks = model.networks.ok_or_else(missing)?;
        let slope = slope(model.half_value);
        let mut lessons = Self::default();
        read_games(lines, |record| {
            let targets = EXPECTATION.targets(record);
            let sink = &mut |number: usize, sight: NetworkInput| {
                let Some(target) = targets[number] else { return };
                let target = if is_first(number) { target } else { 1.0 - target };
                let score = f64::from(sight.score) * slope;
                lessons.add(&sight.features, sight.network, score as f32, target as f32);
            };
            game.network_inputs(evaluator, &texts(&record.moves), sink)
        })?;
        Ok((lessons, networks))
    }

    /// Decided positions, and what network judges them: the nearer the end, the more points.
    pub(super) fn of_endings(game: &dyn AnyGame, lot: Lot) -> io::Result<(Self, NetworkShape)> {
        let mut lessons = Self::default();
        let features = game.draw_endings(lot, &mut |features, plies| {
            let logit = (HALF_WAY as f32 - plies as f32) / PLIES_OF_LOGIT as f32;
            lessons.add(&features, 0, 0.0, points(logit));
        })?;
        Ok((lessons, NetworkShape { count: 1, features }))
    }

    pub(super) fn add(&mut self, features: &Features, network: usize, score: f32, target: f32) {
        self.features.extend_from_slice(features.as_slice());
        let end = self.features.len();
        self.lessons.push(Lesson { end, network: network as u32, score, target });
    }

    pub(super) fn len(&self) -> usize {
        self.lessons.len()
    }

    /// The features of the position of this number, and the rest.
    pub(super) fn get(&self, number: usize) -> (&[u16], Lesson) {
        let start = number.checked_sub(1).map_or(0, |before| self.lessons[before].end);
        let lesson = self.lessons[number];
        (&self.features[start..lesson.end], lesson)
    }
}

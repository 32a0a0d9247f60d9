//! The positions that a training learns from.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use bestmove_engine::game::{
    Doubt, Evaluator, Game, Position, SelectiveHooks, expected_points, known_value,
};
use bestmove_engine::network::{NetworkSize, SparseInput};
use clap::Args;
use fastrand::Rng;
use serde::Serialize;

use crate::endgames::{self, Sampling};
use crate::game::{evaluator, follow, for_game, is_learnable, network_size, random_move};
use crate::in_order::in_order;
use crate::knowledge::knowledge;
use crate::play::stream;
use crate::record::{Record, no_game};
use crate::resumable::read_lines;
use crate::targets::{is_first, targets};

/// The source of the positions and their targets.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct Source {
    /// The files with the games
    #[arg(long, required_unless_present = "endings", num_args = 1..)]
    games: Vec<PathBuf>,
    /// The share that the target of the next position of the game has in the target of a position; the score of its search
    /// has the rest
    #[arg(long, default_value_t = 0.0)]
    lambda: f64,
    /// The share of the result of the game in every target, beside what lambda gives it
    #[arg(long, default_value_t = 0.0)]
    result_share: f64,
    /// The plies with which each game begins from which nothing is learned
    #[arg(long, default_value_t = 12)]
    skipped_plies: usize,
    /// Instead of the positions of the games and their scores: quiet positions a random move or two off the games,
    /// and their static evaluations by the evaluator of this name
    #[arg(long)]
    teacher: Option<String>,
    /// Instead of games, random decided positions with this number of pieces, to learn the distance to the end
    #[arg(long, conflicts_with = "games")]
    endings: Option<u32>,
    /// The number of such positions
    #[arg(long, default_value_t = 13_000_000, requires = "endings")]
    positions: usize,
    /// How often to leave each position of a game at random
    #[arg(long, default_value_t = 4, requires = "teacher")]
    tries: usize,
}

/// A position and its target, from the view of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// The points that the side to move is expected to score, from 0 to 1.
    pub target: f32,
    /// The output bucket.
    pub bucket: u16,
    /// The number of features of the side to move, which come before those of the other side.
    own: u16,
}

/// All positions in two lists, without an allocation for each position.
#[derive(Default)]
pub(super) struct Samples {
    /// The features that are present, position by position.
    features: Vec<u16>,
    /// The positions, each with the end of its features in `features`.
    samples: Vec<(usize, Sample)>,
}

impl Samples {
    /// Reads the games on `threads`.
    fn of_games<G: Game>(source: &Source, threads: usize) -> io::Result<Self> {
        let students = evaluator::<G>(None, &*knowledge()?)?;
        let teacher = source.teacher.as_deref();
        let teacher = teacher.map(|name| evaluator::<G>(Some(name), &*knowledge()?)).transpose()?;
        let mut samples = Self::default();
        for file in &source.games {
            let lines = read_lines(file)?.collect::<io::Result<Vec<_>>>()?;
            let of_line = |(): &mut (), number: u64| {
                let record =
                    lines[number as usize].parse().map_err(|_| no_game(number as usize))?;
                match &teacher {
                    None => source.scored::<G>(&students, &record),
                    Some(teacher) => {
                        let mut random = stream(source.tries as u64, number);
                        source.taught::<G>(&students, teacher, &record, &mut random)
                    }
                }
            };
            in_order(0..lines.len() as u64, vec![(); threads], of_line, |positions| {
                for (input, target) in &positions {
                    samples.add(input, *target);
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(samples)
    }

    /// Adds a position.
    pub(super) fn add(&mut self, input: &SparseInput, target: f64) {
        let own = input.views[0].len() as u16;
        let sample = Sample { target: target as f32, bucket: input.bucket as u16, own };
        input.views.iter().for_each(|view| self.features.extend(view));
        self.samples.push((self.features.len(), sample));
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// The features of a network of `size` that no position has.
    pub(super) fn absent(&self, size: NetworkSize) -> Vec<usize> {
        let mut is_absent = vec![true; size.features];
        self.features.iter().for_each(|&feature| is_absent[usize::from(feature)] = false);
        (0..size.features).filter(|&feature| is_absent[feature]).collect()
    }

    /// The features of the side to move and of the other side in the position with this number, and its target.
    #[inline]
    pub(super) fn get(&self, number: usize) -> ([&[u16]; 2], Sample) {
        let start = number.checked_sub(1).map_or(0, |before| self.samples[before].0);
        let (end, sample) = self.samples[number];
        let (own, other) = self.features[start..end].split_at(usize::from(sample.own));
        ([own, other], sample)
    }
}

/// Positions with the points that the side to move is expected to score.
type Targets = Vec<(SparseInput, f64)>;

impl Source {
    /// Reads the positions on `threads`, and the dimensions of the network that learns from them. `seed` draws positions of
    /// endings.
    pub(super) fn read(
        &self,
        game: &str,
        seed: u64,
        threads: usize,
    ) -> io::Result<(NetworkSize, Samples)> {
        let Some(pieces) = self.endings else {
            let samples = for_game!(game, G => Samples::of_games::<G>(self, threads))?;
            return Ok((network_size(game)?, samples));
        };
        let sampling = Sampling { pieces, count: self.positions, seed };
        let mut samples = Samples::default();
        let mut add = |input: &_, target| samples.add(input, target);
        let size = endgames::sample(game, sampling, &mut add)?;
        Ok((size, samples))
    }

    /// The quiet positions of a game that a search has scored, before moves that are no captures.
    fn scored<G: Game>(&self, evaluator: &G::Evaluator, record: &Record) -> io::Result<Targets> {
        let (mut positions, targets) =
            (Vec::new(), targets(record, self.lambda, self.result_share));
        follow::<G>(&record.moves, |number, position, mv| {
            let Some(target) = targets[number].filter(|_| number >= self.skipped_plies) else {
                return;
            };
            let is_noisy =
                evaluator.doubts(position, Doubt::Forced) || evaluator.gain(position, mv).is_some();
            if !is_noisy && known_value(evaluator, position).is_none() {
                let target = if is_first(number) { target } else { 1.0 - target };
                positions.extend(evaluator.sparse_input(position).map(|input| (input, target)));
            }
        })?;
        Ok(positions)
    }

    /// Quiet positions off a game, evaluated by a teacher.
    fn taught<G: Game>(
        &self,
        evaluator: &G::Evaluator,
        teacher: &G::Evaluator,
        record: &Record,
        random: &mut Rng,
    ) -> io::Result<Targets> {
        let mut positions = Vec::new();
        follow::<G>(&record.moves, |_, position, _| {
            for _ in 0..self.tries {
                let Some(position) = after_random_moves(position, random) else { continue };
                if is_learnable(evaluator, &position) {
                    let score = f64::from(teacher.score(&position));
                    let target = expected_points(score, teacher.scale().half_value);
                    let input = evaluator.sparse_input(&position);
                    positions.extend(input.map(|input| (input, target)));
                }
            }
        })?;
        Ok(positions)
    }
}

/// The position after one or two random moves; `None` where the game ends before.
fn after_random_moves<P: Position>(position: &P, random: &mut Rng) -> Option<P> {
    let mut position = position.clone();
    for _ in 0..random.usize(1..=2) {
        position = position.play(random_move(&position, random)?);
    }
    position.outcome().is_none().then_some(position)
}

//! How good a checkers position looks.
//!
//! [`EvaluatorKind::Full`] adds up what players look at, each with a weight that a tuner found from the
//! engine's games against itself: see [`look`]. What such a sum can't say, how the pieces stand together,
//! small [`Network`]s add that were trained on such games, one for each stage of a game: see [`sight`].
//!
//! With five pieces it is known who wins, but not how soon: that another network foretells, see
//! [`distance`]. In 200 games at 10 000 nodes a move it makes no difference to know who wins, -2 +- 20
//! Elo, but no ending of five pieces is spoilt; the distance makes their wins come true where nobody
//! remembers what was played. Of 400 random won positions, played without `moves` and without limits
//! against the best defence, 325 were won by the judgement of positions that are not decided, 398 by
//! the distance.
//!
//! The games come from `lab --endgame-tables tables self-play --nodes 1000` with the tables of five and of six
//! pieces, so that endings have the results that they deserve. The weights in `checkers-full.txt` are of the first
//! 48 883 of them (`lab tune --steps 1500`); README tells all seeds. In 200 games at 4000 nodes a move a
//! network gained 35 +- 34 Elo over weights for the men on every two rows, which it replaces, and 256 units
//! 26 +- 32 over 128.
//!
//! The networks in `checkers-network.bin` learned from 359 402 games of the one before them, then from seven million
//! scores that searches of 8000 positions gave (`lab rescore`). What they learn from matters more
//! than how much there is. On 3500 positions of matches against the strongest other program with public
//! sources, whose points deeper searches of both programs told, the points expected lay off by 0.155, as the
//! root of the mean square, when results of games were learned too, and by 0.143 after what searches said;
//! the other program's own judgement lies off by 0.125. Two more layers of 32 units and a fourth stage bring
//! it to between 0.140 and 0.143 and gain 33 +- 22 Elo in 200 games at 20 000 nodes; against that program
//! one layer lost 13 +- 18 in 370 games at 20 ms a move, and three gained 10 +- 17 in 480.
//!
//! What is left of the distance to that program lies in positions with kings: where there are men alone,
//! 14 or more, the judgements lie off by 0.125 and 0.123, where there are kings by 0.140 and 0.113. In
//! those the networks know the positions that they learned from, 0.090 off what searches of 8000 said, better
//! than others of the same kind, 0.113. More scores and results of games did not help.
//!
//! The positions of such matches tell little about those that a search meets, in which pieces hang. Networks
//! that are shown what threatens judge the former as before, but after the same lessons from random weights
//! those of the laboratory to within 0.099 instead of 0.102. They gained 56 +- 16 Elo in 400 games at 20 000
//! nodes over the ones that were shown the pieces alone; they visit 7 % fewer positions a second. To be shown
//! all squares that either side can step to brought nothing beyond that, 28 +- 19 instead of 56, and six
//! passes through the last lessons little beyond three: 31 +- 21 in 300 games, but 3 +- 19 in 400 where the
//! search does not believe in what hangs. All of it together gained 55 +- 19 in 400.
//!
//! New games, looked at with 4000 nodes, brought nothing by themselves, -17 +- 14 Elo in 600 games at 20 000
//! nodes. Two million positions of them with 1.6 million off the games bring the error on positions of matches
//! from 0.130, 0.151 and 0.101, stage by stage, to 0.128, 0.150 and 0.098, and 49 +- 16 in 600 games from
//! openings of three plies, 19 +- 16 in 600 from five; where both sides search more there is less to gain,
//! -2 +- 12 in 500 at 50 000 nodes and 8 +- 11 in 400 at 100 000. Of six such trainings this one played best.

mod camp;
mod distance;
mod features;
mod layout;
mod sight;

pub(super) use self::distance::{FEATURES as DISTANCE_FEATURES, features as distance_features};

use std::io;

use super::super::embedded::{Embedded, invalid};
use super::super::parameters;
use super::board::{Board, KING_ROWS};
use super::endgame;
use super::moves::Move;
use crate::game::linear::{Layout, Sum, Tapered, Trace, read_weights};
use crate::game::network::{Network, Networks, Sight};
use crate::game::{
    Evaluator, Outcome, Position, Score, SelectiveHooks, SelectiveParameters, Side, SolverHooks,
    Trainable,
};

/// The evaluators of checkers. Their scores are hundredths of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// A man counts 100 and a king 140, less the opponent's.
    Material,
    /// All that is known.
    Full,
}

/// The tuner's weights.
static FULL: [Tapered; layout::FULL.len()] =
    read_weights(include_str!("../../../../../../knowledge/checkers-full.txt"));

/// The trainer's networks, one for each stage.
static NETWORKS: Embedded<Vec<Network>> = Embedded::new("knowledge/checkers-network.bin", || {
    let networks = Network::read_all(
        include_bytes!("../../../../../../knowledge/checkers-network.bin"),
        sight::FEATURES,
    );
    let networks = networks.filter(|networks| networks.len() == sight::STAGES);
    networks.ok_or_else(|| invalid("not the networks of all stages"))
});

/// Reads the networks.
///
/// # Errors
/// Names the file that is damaged.
pub(super) fn check_embedded() -> io::Result<()> {
    NETWORKS.check()?;
    distance::check_embedded()
}

/// The pieces with which a game begins.
const ALL_PIECES: i32 = 24;

/// What it counts to win for certain, though nobody knows how soon: more than is judged of any position.
const DECIDED: i32 = 1400;

/// ... less this for each ply that it seems to take.
const OF_PLY: i32 = 4;

/// By what a judgement is divided in a drawn position, in which the opponent may still go wrong.
const DRAWISH: i32 = 16;

const MAN: i32 = 100;
const KING: i32 = 140;

impl Evaluator<Board> for EvaluatorKind {
    #[inline]
    fn score(&self, board: &Board) -> i32 {
        match self {
            Self::Material => worth(board, board.own()) - worth(board, board.other()),
            Self::Full => {
                let features = sight::features(board);
                let network = NETWORKS.get().and_then(|all| all.get(sight::stage(board)));
                let beyond =
                    |network: &Network| network.score(features.as_slice(), self.half_value());
                counted(board) + network.map_or(0, beyond)
            }
        }
    }

    /// A player who is two thirds of a man up scores three quarters of the points.
    fn half_value(&self) -> i32 {
        2 * MAN / 3
    }

    #[inline]
    fn known(&self, board: &Board) -> Option<Score> {
        endgame::value(board)
    }

    #[inline]
    fn known_outcome(&self, board: &Board) -> Option<Outcome> {
        match self {
            Self::Material => None,
            Self::Full => endgame::outcome(board),
        }
    }

    #[inline]
    fn informed_score(&self, board: &Board) -> i32 {
        let side = board.side_to_move();
        match self.known_outcome(board) {
            None => self.score(board),
            Some(Outcome::Win) => decided(board, side),
            Some(Outcome::Draw) => self.score(board) / DRAWISH,
            Some(Outcome::Loss) => -decided(board, side.other()),
        }
    }

    /// What the move gains on the spot.
    #[inline]
    fn ordering_hint(&self, board: &Board, mv: Move) -> i32 {
        const SCALE: i32 = 1 << 8;
        SCALE * (worth(board, mv.captured()) + crown(board, mv))
    }
}

impl SelectiveHooks<Board> for EvaluatorKind {
    /// The squares, each for a man and for a king.
    const HISTORY_INDICES: u16 = 35 << 1;

    const PARAMETERS: SelectiveParameters = parameters::CHECKERS;

    /// A man.
    fn unit(&self) -> i32 {
        MAN
    }

    /// A compulsory capture.
    #[inline]
    fn is_forced(&self, board: &Board) -> bool {
        board.jumpers() != 0
    }

    /// A piece that may be captured next: +28 +- 16 Elo in 500 games at 20 000 nodes, though the networks are
    /// shown it; 17 +- 29 in 100 after more passes through the lessons.
    #[inline]
    fn is_threatened(&self, board: &Board) -> bool {
        sight::is_attacked(board)
    }

    /// What is captured, and the crown.
    #[inline]
    fn gain(&self, board: &Board, mv: Move) -> Option<i32> {
        let gain = worth(board, mv.captured()) + crown(board, mv);
        (gain > 0).then_some(gain)
    }

    #[inline]
    fn history_index(&self, board: &Board, mv: Move) -> u16 {
        let is_king = board.kings() >> mv.from() & 1 != 0;
        u16::from(mv.to()) << 1 | u16::from(is_king)
    }
}

impl SolverHooks<Board> for EvaluatorKind {}

impl Trainable<Board> for EvaluatorKind {
    fn layout(&self) -> Option<Layout> {
        match self {
            Self::Material => None,
            Self::Full => Some(layout::FULL),
        }
    }

    fn trace(&self, board: &Board) -> Option<Trace> {
        if self.known(board).is_some() {
            return None;
        }
        let mut trace = Trace::default();
        features::extract(board, &mut trace);
        trace.complete(shares(board).map(|share| f64::from(share) / f64::from(ALL_PIECES)));
        Some(trace)
    }

    fn networks(&self) -> Option<Networks> {
        match self {
            Self::Material => None,
            Self::Full => Some(Networks { count: sight::STAGES, features: sight::FEATURES }),
        }
    }

    fn sight(&self, board: &Board) -> Option<Sight> {
        let has_network = *self == Self::Full && self.known(board).is_none();
        has_network.then(|| Sight {
            network: sight::stage(board),
            features: sight::features(board),
            score: counted(board),
        })
    }
}

/// What a decided position is worth to its winner.
#[inline]
fn decided(board: &Board, winner: Side) -> i32 {
    DECIDED - OF_PLY * distance::plies(board, winner)
}

/// The sum of all that is counted, from the view of the side to move.
#[inline]
fn counted(board: &Board) -> i32 {
    let mut sum = Sum::of(&FULL);
    features::extract(board, &mut sum);
    let [opening, ending] = shares(board);
    let score = sum.total.opening() * opening + sum.total.ending() * ending;
    let sign = if board.side_to_move() == Side::First { 1 } else { -1 };
    sign * score / ALL_PIECES
}

/// How many of the [`ALL_PIECES`] speak for the opening, those on the board, and for the ending.
#[inline]
fn shares(board: &Board) -> [i32; 2] {
    let pieces = (board.own() | board.other()).count_ones() as i32;
    [pieces, ALL_PIECES - pieces]
}

/// What `pieces` of the board are worth.
#[inline]
fn worth(board: &Board, pieces: u64) -> i32 {
    let kings = (pieces & board.kings()).count_ones() as i32;
    MAN * pieces.count_ones() as i32 + (KING - MAN) * kings
}

/// What the move wins by making a man a king.
#[inline]
fn crown(board: &Board, mv: Move) -> i32 {
    let (from, to) = (1 << mv.from(), 1 << mv.to());
    let crowns = board.kings() & from == 0 && to & KING_ROWS[board.side_to_move() as usize] != 0;
    if crowns { KING - MAN } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_of_a_game_has_its_network() {
        assert!(NETWORKS.check().is_ok());
    }
}

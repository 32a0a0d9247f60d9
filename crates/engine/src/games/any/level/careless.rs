//! A search of few plies that overlooks moves, as weak players do.
//!
//! A player who overlooks that a queen can go from h5 to f7 overlooks it whatever it considers to play itself. So the
//! overlooked moves are drawn once a turn, for every move and ply, and not anew for each position. Otherwise the player
//! would take, of thirty moves that do not meet a threat, one after which it happens not to see the threat.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;

use crate::game::{Doubt, Errors, History, Move, Position, Score, SelectiveHooks};
use crate::search::{Deadline, Task};

/// The plies with random numbers of their own. Deeper plies use those of the last one.
const PLIES: usize = 4;

/// The plies beyond the depth for which captures and answers to threats are followed.
const EXTENSION: u32 = 6;

/// The positions visited at most, so that every answer takes a few milliseconds.
const MOST_NODES: u64 = 10_000;

pub(super) struct CarelessSearch<'a, P: Position, E> {
    task: &'a Task<P>,
    evaluator: &'a E,
    history: History,
    depth: u32,
    /// The number of overlooked moves in 256 quiet moves.
    overlooks: u32,
    /// A random number for every move at each of [`PLIES`] plies.
    chances: Vec<u8>,
    nodes: u64,
    deadline: Deadline<'a>,
}

impl<'a, P: Position, E: SelectiveHooks<P>> CarelessSearch<'a, P, E> {
    /// A search of the root of `task` with `errors`.
    pub(super) fn new(
        task: &'a Task<P>,
        evaluator: &'a E,
        Errors { depth, overlooks, .. }: Errors,
        deadline: Deadline<'a>,
        random: &mut ChaCha8Rng,
    ) -> Self {
        let mut chances = vec![0; PLIES * usize::from(P::Move::INDICES)];
        random.fill_bytes(&mut chances);
        let mut history = task.history.clone();
        if P::PROPERTIES.repeats {
            history.played(task.position.key());
        }
        let overlooks = u32::from(overlooks) * 256 / 100;
        Self { task, evaluator, history, depth, overlooks, chances, nodes: 0, deadline }
    }

    /// The root moves that the player sees, each with the score that the player expects.
    pub(super) fn root_scores(&mut self) -> Vec<(P::Move, Score)> {
        let root = &self.task.position;
        let moves = self.task.root_moves();
        let mut seen: Vec<_> =
            moves.iter().copied().filter(|&mv| self.considers(root, mv)).collect();
        if seen.is_empty() {
            seen = moves;
        }
        let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        seen.into_iter().map(|mv| (mv, -self.value(&root.play(mv), 1, alpha, beta))).collect()
    }

    /// The positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the player considers to play `mv`. The player seldom fails to notice that the piece which it moves can be taken
    /// there at a loss.
    fn considers(&self, root: &P, mv: P::Move) -> bool {
        let is_safe = self.evaluator.exchange_at_least(root, mv, 0);
        if is_safe { self.sees(root, mv, 0) } else { self.chance(mv, 0) < self.overlooks / 4 }
    }

    /// The random number of `mv` at `ply`, below 256.
    fn chance(&self, mv: P::Move, ply: u32) -> u32 {
        let place = (ply as usize).min(PLIES - 1) * usize::from(P::Move::INDICES);
        u32::from(self.chances[place + usize::from(mv.move_index())])
    }

    /// Whether the player thinks of `mv` at all. The more a capture gains, the less often it is overlooked.
    fn sees(&self, position: &P, mv: P::Move, ply: u32) -> bool {
        let unit = self.evaluator.scale().unit;
        let overlooked = match self.evaluator.gain(position, mv) {
            Some(gain) => self.overlooks * unit as u32 / (2 * gain.max(unit)) as u32,
            None => self.overlooks,
        };
        self.chance(mv, ply) >= overlooked
    }

    /// The value of `position` for the side to move, in the eyes of the player.
    fn value(&mut self, position: &P, ply: u32, mut alpha: Score, beta: Score) -> Score {
        self.nodes += 1;
        if let Some(outcome) = position.outcome() {
            return Score::of_end(position, outcome, ply);
        }
        let is_forced = self.evaluator.doubts(position, Doubt::Forced);
        let looks_at_all = ply < self.depth || is_forced;
        let stops =
            ply >= self.depth + EXTENSION || self.nodes >= MOST_NODES || self.deadline.is_reached();
        let mut best = None;
        if self.is_drawn(position) {
            if stops || !looks_at_all || !self.task.is_past_claim(position, ply) {
                return Score::DRAWN;
            }
            alpha = alpha.max(Score::DRAWN);
            best = Some(Score::DRAWN);
        } else if stops || !looks_at_all {
            let score = Score::heuristic(self.evaluator.score(position));
            if stops || score >= beta {
                return score;
            }
            alpha = alpha.max(score);
            best = Some(score);
        }
        for mv in self.seen_moves(position, ply, looks_at_all) {
            let score = -self.value(&position.play(mv), ply + 1, -beta, -alpha);
            best = best.max(Some(score));
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best.unwrap_or_else(|| Score::heuristic(self.evaluator.score(position)))
    }

    /// The moves that the player thinks of, the most promising first: with `all`, or only moves that win something at once.
    fn seen_moves(&self, position: &P, ply: u32, all: bool) -> Vec<P::Move> {
        let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
        moves.retain(|&mv| (all || self.wins_piece(position, mv)) && self.sees(position, mv, ply));
        moves.sort_by_cached_key(|&mv| -self.evaluator.ordering_hint(position, mv));
        moves
    }

    fn wins_piece(&self, position: &P, mv: P::Move) -> bool {
        self.evaluator.gain(position, mv).is_some()
            && self.evaluator.exchange_at_least(position, mv, 1)
    }

    /// Whether a repetition or a move counter draws the game here.
    fn is_drawn(&self, position: &P) -> bool {
        position.plies_to_draw() == Some(0)
            || P::PROPERTIES.repeats
                && self.history.occurrences(position.key(), position.reversible_plies()) >= 2
    }
}

//! The proof of a margin, by null-window questions.
//!
//! A value here is a [`SolverScore`] in steps of two discs. A presearch believes likely answers (`ProbCut`); it leaves
//! the likely margin, with which the proof begins, and the moves to try first.

use super::board::{Disc, OthelloBoard};
use super::endgame::{LAST, LastSearch};
use super::evaluation::{OthelloEvaluator, OthelloEvaluatorKind};
use super::expansion::{expand, search_last};
use super::likely::{LIKELY_FROM, likely};
use crate::game::limits::{Budget, Interrupted, StoppedBy};
use crate::game::proof_child::ProofChild;
use crate::game::proof_table::{Hash, OWN_BYTES, SolverTable, bytes};
use crate::game::{
    Evaluator, Expansion, Position, Prover, SolverScore, final_value, solver_score_range,
};
use crate::network::Accumulator;

/// The proof of a position with so many empty squares or more begins with a presearch.
const PRESEARCHED_FROM: u32 = 18;

/// The slots of the table of a presearch.
const PRESEARCH_SLOTS: usize = 1 << 18;

const BEST_CHILDREN_BITS: u32 = 16;

const _: () =
    assert!(bytes(PRESEARCH_SLOTS) + (size_of::<u64>() << BEST_CHILDREN_BITS) <= OWN_BYTES);

/// Proves margins, one after the other; what it has learned stays.
pub(super) struct MarginProver<'a> {
    evaluator: &'a OthelloEvaluator,
    table: SolverTable,
    /// The table of the proof during a presearch.
    proof_table: SolverTable,
    /// The children of all nodes of the current path, the deepest node's last, best first.
    children: Vec<ProofChild<OthelloBoard>>,
    best_children: BestChildren,
    /// Whether likely answers count, and the table holds likely answers. Then nothing is proven.
    is_presearch: bool,
    /// The likely margin of the position for which a presearch has found one last.
    guess: Option<(OthelloBoard, SolverScore)>,
}

impl Prover<OthelloBoard> for MarginProver<'_> {
    fn value(
        &mut self,
        budget: &mut Budget,
        board: &OthelloBoard,
        moves: &[Disc],
    ) -> Result<SolverScore, Interrupted> {
        let guess = match self.guess.take().filter(|(guessed, _)| guessed == board) {
            Some((_, guess)) => guess,
            None => self.guessed(budget, board, moves)?,
        };
        let value = self.value_near(budget, guess, board, moves)?;
        self.guess = self.is_presearch.then_some((*board, value));
        Ok(value)
    }

    fn at_least(
        &mut self,
        budget: &mut Budget,
        board: &OthelloBoard,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        self.node_at_least(budget, board, hash(board), beta)
    }

    /// The first in search order. Where likely answers contradict each other, the one that comes nearest.
    fn holding_move(
        &mut self,
        budget: &mut Budget,
        board: &OthelloBoard,
        moves: Vec<Disc>,
        value: SolverScore,
    ) -> Result<Disc, Interrupted> {
        let mut moves = self.in_search_order(board, moves, value);
        if !self.is_presearch {
            moves.retain(|&disc| ended_value(board, disc).is_none_or(|ended| ended >= value));
        }
        let mut nearest = None;
        let mut moves = moves.into_iter();
        while let Some(disc) = moves.next() {
            // A proven value is that of some move, so the last one need not be asked.
            if moves.len() == 0 && !self.is_presearch {
                return Ok(disc);
            }
            let bound = self.move_at_least(budget, board, disc, value)?;
            if bound >= value {
                return Ok(disc);
            }
            if nearest.is_none_or(|(most, _)| bound > most) {
                nearest = Some((bound, disc));
            }
        }
        let Some((_, disc)) = nearest else {
            unreachable!("an unfinished position has a move that holds its value")
        };
        Ok(disc)
    }

    fn in_search_order(
        &mut self,
        board: &OthelloBoard,
        mut moves: Vec<Disc>,
        value: SolverScore,
    ) -> Vec<Disc> {
        let start = self.children.len();
        self.expand(board, value);
        ProofChild::sort_moves(&self.children[start..], board, &mut moves);
        self.children.truncate(start);
        moves
    }

    /// Measured on 240 positions of games with 14 to 21 empty squares: the mean is up to a third below this.
    fn proof_nodes(&self, board: &OthelloBoard) -> Option<u64> {
        let more = board.empty().count_ones().saturating_sub(10);
        Some((0..more.min(30)).fold(5_500, |nodes, _| nodes * 21 / 10))
    }

    /// Measured on 360 positions of games with 12 to 20 empty squares.
    fn presearch_nodes(&self, board: &OthelloBoard) -> Option<u64> {
        let empty = board.empty().count_ones();
        let is_likely =
            matches!(self.evaluator.0, OthelloEvaluatorKind::Network(_)) && empty >= LIKELY_FROM;
        is_likely.then(|| (10..empty.min(40)).fold(4_500, |nodes, _| nodes * 7 / 4))
    }

    fn set_presearch(&mut self, is_presearch: bool) {
        if is_presearch {
            let table = SolverTable::new(PRESEARCH_SLOTS);
            self.proof_table = std::mem::replace(&mut self.table, table);
        } else {
            std::mem::swap(&mut self.table, &mut self.proof_table);
        }
        self.is_presearch = is_presearch;
    }
}

impl<'a> MarginProver<'a> {
    pub(super) fn new(evaluator: &'a OthelloEvaluator, table: SolverTable) -> Self {
        Self {
            evaluator,
            table,
            proof_table: SolverTable::new(0),
            children: Vec::new(),
            best_children: BestChildren::default(),
            is_presearch: false,
            guess: None,
        }
    }

    /// A guess of the value, if one of `moves` is played, or any where there are none: the likely one far from the end.
    fn guessed(
        &mut self,
        budget: &mut Budget,
        board: &OthelloBoard,
        moves: &[Disc],
    ) -> Result<SolverScore, Interrupted> {
        let after_moves = moves.iter().map(|&disc| board.play(disc));
        let unfinished = after_moves.filter(|child| child.outcome().is_none());
        let best_child = unfinished.map(|child| -self.static_value(&child)).max();
        let guess = best_child.unwrap_or_else(|| self.static_value(board));
        if self.is_presearch || board.empty().count_ones() < PRESEARCHED_FROM {
            return Ok(guess);
        }
        self.set_presearch(true);
        let likely = self.value_near(budget, guess, board, moves);
        self.set_presearch(false);
        likely
    }

    fn static_value(&self, board: &OthelloBoard) -> SolverScore {
        (self.evaluator.score(board) / 200).clamp(-32, 32) as SolverScore
    }

    /// Asks questions that begin at a guess and move away from it by steps that grow as long as the answers point the
    /// same way.
    fn value_near(
        &mut self,
        budget: &mut Budget,
        guess: SolverScore,
        board: &OthelloBoard,
        moves: &[Disc],
    ) -> Result<SolverScore, Interrupted> {
        let (mut low, mut high) = solver_score_range(board);
        let (mut beta, mut step) = (guess, 1);
        while low < high {
            beta = beta.clamp(low + 1, high);
            let value = self.best_at_least(budget, board, moves, beta)?;
            if value >= beta {
                low = low.max(value);
                beta = low.saturating_add(step);
            } else {
                high = high.min(value);
                beta = high.saturating_sub(step - 1);
            }
            step = (2 * step).min(8);
        }
        Ok(low)
    }

    /// As [`at_least`](Prover::at_least), if one of `moves` is played, or any where there are none.
    fn best_at_least(
        &mut self,
        budget: &mut Budget,
        board: &OthelloBoard,
        moves: &[Disc],
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        if moves.is_empty() {
            return self.at_least(budget, board, beta);
        }
        let mut best = SolverScore::MIN;
        for &disc in moves {
            best = best.max(self.move_at_least(budget, board, disc, beta)?);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// As [`at_least`](Prover::at_least), with the hash of a position that the table keeps.
    fn node_at_least(
        &mut self,
        budget: &mut Budget,
        board: &OthelloBoard,
        hash: Option<Hash>,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        if let Some(known) = hash.and_then(|hash| self.table.settles(hash, beta)) {
            return Ok(known);
        }
        let is_far = board.empty().count_ones() >= LIKELY_FROM;
        if self.is_presearch
            && is_far
            && let Some(likely) = self.likely(budget, board, beta)?
        {
            return Ok(likely);
        }
        if board.empty().count_ones() <= LAST {
            let LastSearch { bound, nodes } = search_last(board, beta, budget.room()?);
            budget.count(nodes as usize);
            return bound.ok_or(Interrupted(StoppedBy::Nodes));
        }
        let start = self.children.len();
        let (low, high, rest) = match self.expand(board, beta) {
            Expansion::Decided(value) => return Ok(value),
            Expansion::Open { low, high, rest } => (low, high, rest),
        };
        if is_far {
            self.best_children.put_first(hash, &mut self.children[start..]);
        }
        // The table is asked about all children before any is searched.
        let known = ProofChild::settled(&self.children[start..], &self.table, beta);
        let best = if let Some(known) = known {
            known
        } else {
            let (best, child) = self.best_child(budget, start, beta)?;
            if is_far && best >= beta {
                self.best_children.insert(hash, child);
            }
            best.max(rest).clamp(low, high)
        };
        self.children.truncate(start);
        if let Some(hash) = hash {
            self.table.insert(hash, best, beta);
        }
        Ok(best)
    }

    /// The likely answer, where it is not doubtful.
    fn likely(
        &self,
        budget: &mut Budget,
        board: &OthelloBoard,
        beta: SolverScore,
    ) -> Result<Option<SolverScore>, Interrupted> {
        let mut accumulator = Accumulator::default();
        let LastSearch { bound, nodes } = likely(board, beta, budget.room()?, |board| {
            self.evaluator.score_after(board, &mut accumulator)
        });
        budget.count(nodes as usize);
        Ok(bound)
    }

    /// Puts the children that matter on the stack, best first, unless the game decides the position without a search.
    fn expand(&mut self, board: &OthelloBoard, beta: SolverScore) -> Expansion {
        let Self { evaluator, table, children, .. } = self;
        // The number of discs says little before the end.
        let says_something = !matches!(evaluator.0, OthelloEvaluatorKind::Discs);
        let mut accumulator = None;
        let score = says_something.then_some(|board: &OthelloBoard| {
            evaluator.score_after(board, accumulator.get_or_insert_default())
        });
        let start = children.len();
        let expansion = expand(board, beta, score, |position, rank| {
            let hash = hash(&position);
            ProofChild { position, rank, hash }.insert(children, start, table);
        });
        if !matches!(expansion, Expansion::Open { .. }) {
            children.truncate(start);
        }
        expansion
    }

    /// The best value among the children from `start`, or one that is `beta` or more, with the hash of the last child
    /// searched.
    fn best_child(
        &mut self,
        budget: &mut Budget,
        start: usize,
        beta: SolverScore,
    ) -> Result<(SolverScore, Option<Hash>), Interrupted> {
        let (mut best, mut last) = (SolverScore::MIN, None);
        for next in start..self.children.len() {
            let ProofChild { position, hash, .. } = self.children[next];
            budget.visit()?;
            best = best.max(-self.node_at_least(budget, &position, hash, 1 - beta)?);
            last = hash;
            if best >= beta {
                break;
            }
        }
        Ok((best, last))
    }
}

/// The hash of a position, if the table keeps it: near the end a search is cheaper than a miss of the processor's cache.
fn hash(board: &OthelloBoard) -> Option<Hash> {
    (board.empty().count_ones() > LAST).then(|| Hash::of(board.key()))
}

/// The value of a move that ends the game.
fn ended_value(board: &OthelloBoard, disc: Disc) -> Option<SolverScore> {
    let child = board.play(disc);
    child.outcome().map(|outcome| -final_value(outcome, &child))
}

/// The best children of positions far from the end, whoever found them: an entry tells which child to try first, and no
/// bound.
#[derive(Default)]
struct BestChildren(Vec<u64>);

impl BestChildren {
    /// Moves the best child of the position with this hash to the front.
    fn put_first(&self, position: Option<Hash>, children: &mut [ProofChild<OthelloBoard>]) {
        let Some(Hash(hash)) = position else { return };
        let entry = self.0.get(Self::slot(hash)).filter(|&entry| entry >> 8 == hash << 8 >> 8);
        let best = entry.and_then(|&entry| {
            children
                .iter()
                .position(|child| child.hash.is_some_and(|hash| hash.0 as u8 == entry as u8))
        });
        if let Some(place) = best {
            children[..=place].rotate_right(1);
        }
    }

    /// Keeps the best child of a position. Eight bits of its hash tell it from the others.
    fn insert(&mut self, position: Option<Hash>, child: Option<Hash>) {
        let (Some(Hash(hash)), Some(Hash(child))) = (position, child) else { return };
        if self.0.is_empty() {
            self.0 = vec![0; 1 << BEST_CHILDREN_BITS];
        }
        self.0[Self::slot(hash)] = hash << 8 | child & 0xFF;
    }

    fn slot(hash: u64) -> usize {
        (hash >> (64 - BEST_CHILDREN_BITS)) as usize
    }
}

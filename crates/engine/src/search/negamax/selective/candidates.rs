//! The moves of a node, and which of them to try next.
//!
//! In order: the move that the table remembers; noisy moves that lose nothing, the largest gain
//! first; killers; quiet moves by experience; noisy moves that lose material. Whether one loses is
//! found out when its turn comes, since most nodes end before.

use super::experience::Context;
use super::{Selective, SelectiveNegamax};
use crate::game::{Evaluator, Move, Position, Symmetry};
use crate::search::negamax::Node;

/// A move of a node.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub mv: M,
    pub slot: u16,
    pub is_noisy: bool,
    /// Whether its value has been asked for.
    pub is_tried: bool,
    /// Whether it is known not to lose material, or to do so.
    is_judged: bool,
    /// More is sooner.
    pub rank: i32,
}

/// Above all counters.
const KILLER: i32 = 1 << 18;
/// Above all killers.
const NOISY: i32 = 1 << 24;
/// One unit of gain, in steps of experience.
const UNIT: i32 = 1 << 14;

impl<M: Copy> Candidate<M> {
    /// Whether it is a noisy move that loses material.
    pub(super) fn loses_material(&self) -> bool {
        self.is_noisy && self.rank < 0
    }
}

impl<P: Position, E: Evaluator<P>> SelectiveNegamax<'_, '_, P, E> {
    /// Where the moves of the node at `ply` are tried.
    pub(super) fn context(&self, position: &P, ply: u32) -> Context {
        let before = [self.style.step(ply, 1).slot, self.style.step(ply, 2).slot];
        Context { side: position.side_to_move(), before }
    }

    /// Puts all moves of a node on the stack. `known` is what the table remembers: the code of a
    /// move of the canonical position, and the symmetry that leads there.
    pub(super) fn rank_all(&mut self, position: &P, node: Node, known: (Option<u16>, Symmetry)) {
        let context = self.context(position, node.ply);
        let killers = self.style.experience.killers(node.ply);
        for mv in position.legal_moves() {
            if P::PLAYS_CHEAPLY {
                self.fetch(&position.play(mv));
            }
            let slot = self.evaluator.slot(position, mv);
            let gain = self.evaluator.gain(position, mv);
            let is_known = known.0.is_some_and(|code| P::transformed(mv, known.1).code() == code);
            let rank = match gain {
                _ if is_known => i32::MAX,
                Some(gain) => self.style.noisy_rank(context, slot, gain),
                None if killers.contains(&Some(mv.code())) => KILLER,
                None => self.style.experience.of_quiet(context, mv.code(), slot),
            };
            self.style.candidates.push(Candidate {
                mv,
                slot,
                is_noisy: gain.is_some(),
                is_tried: false,
                is_judged: is_known || gain.is_none(),
                rank,
            });
        }
    }

    /// Puts the noisy moves of a node on the stack.
    pub(super) fn rank_noisy(&mut self, position: &P, node: Node, known: (Option<u16>, Symmetry)) {
        let context = self.context(position, node.ply);
        let Self { style, evaluator, .. } = self;
        evaluator.noisy_moves(position, |mv, gain| {
            let slot = evaluator.slot(position, mv);
            let is_known = known.0.is_some_and(|code| P::transformed(mv, known.1).code() == code);
            let rank = if is_known { i32::MAX } else { style.noisy_rank(context, slot, gain) };
            let is_judged = is_known;
            let candidate =
                Candidate { mv, slot, is_noisy: true, is_tried: false, is_judged, rank };
            style.candidates.push(candidate);
        });
    }

    /// Brings the best of the moves from `next` on forward to `next`.
    pub(super) fn pick(&mut self, position: &P, next: usize) -> Candidate<P::Move> {
        loop {
            let candidates = &mut self.style.candidates[next..];
            let (mut best, mut highest) = (0, candidates[0].rank);
            for (place, candidate) in candidates.iter().enumerate().skip(1) {
                if candidate.rank > highest {
                    (best, highest) = (place, candidate.rank);
                }
            }
            candidates.swap(0, best);
            let candidate = &mut candidates[0];
            if candidate.is_judged || self.evaluator.exchange_at_least(position, candidate.mv, 0) {
                candidate.is_judged = true;
                return *candidate;
            }
            candidate.is_judged = true;
            candidate.rank -= 2 * NOISY;
        }
    }
}

impl<M> Selective<M> {
    fn noisy_rank(&self, context: Context, slot: u16, gain: i32) -> i32 {
        NOISY + gain * UNIT / self.unit + self.experience.of_noisy(context.side, slot)
    }
}

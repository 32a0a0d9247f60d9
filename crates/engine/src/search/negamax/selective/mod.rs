//! Selective search: looks past the horizon where it must, and skips what is unlikely to matter.
//!
//! It prunes nothing while its best score is a loss and returns no mate from a null move, so a mate
//! that it reports is one. All margins are parts of the evaluator's
//! [`unit`](crate::game::Evaluator::unit).
//!
//! # What each technique gains
//!
//! Self-play in chess, with the technique against without, in Elo with 95 % bounds: 2500 nodes a
//! move (4000 for late moves) from an empty table, random balanced openings, both ways (`lab match`).
//! At so few nodes only large effects show; what lies within its bounds is not decided.
//!
//! | technique | source | games | gain |
//! |---|---|---|---|
//! | late move reductions | Romstad, *An Introduction to Late Move Reductions*, 2006 | 300 | +76 ± 37 |
//! | late move pruning in null windows, after `3 + depth²` moves, twice as many in a node that improves | | 200 | +74 ± 41 |
//! | futility (late move pruning off) | | 120 | +41 ± 50 |
//! | reverse futility | | 300 | +3 ± 38 |
//! | internal iterative reduction | Schröder, 2020 | 400 | -10 ± 31 |
//! | check extension above the horizon | | 400 | -13 ± 29 |
//! | null move | Donninger, *Null Move and Deep Search*, 1993 | 300 | -27 ± 37 |
//!
//! Late move pruning in open windows too, where a principal variation is looked for, lost: 300 games,
//! -195 ± 45. After half as many moves it no longer mates with bishop and knight.
//!
//! A finer scale than games: the moves chosen at 20 000 nodes in 4000 positions of self-play, both
//! choices judged by a stronger engine at 20 000 nodes where they differ, in hundredths of a percent of
//! the points expected, a move. On this scale half the nodes cost 49 ± 14. One run of one set of
//! positions, with weights tuned on 10 000 games at 600 nodes.
//!
//! | technique | gain |
//! |---|---|
//! | reverse futility | +23 ± 16 |
//! | check extension above the horizon | +12 ± 12 |
//! | null move | +8 ± 13 |
//! | singular extension | +4 ± 9 |
//!
//! The same with the weights of 32 500 games, which has been measured later:
//!
//! | technique | gain |
//! |---|---|
//! | aspiration windows | +18 ± 12 |
//! | exchanges in pruning | +17 ± 13 |
//! | continuation histories, of one ply and of two | +5 ± 11 |
//! | table cut-offs in quiescence | -1 ± 3 |
//!
//! A move that leaves little choice of replies is tried however hopeless it looks. In points that makes
//! no difference (0 ± 11 on this scale, +1 ± 33 Elo in 300 games at 8000 nodes), but at a million nodes 96
//! of the first hundred positions of *Win at Chess* (Reinfeld, 1945) are solved and not 94. Where forced
//! positions are extended, a move that leads to one and loses nothing is not reduced either: +10 ± 35
//! Elo in 200 games at 20 000 nodes, and at 1.4 million nodes 98 of them are solved.
//!
//! What did not show a gain, each in one setting only, and is left out: correction of the evaluation
//! by pawns and pieces +1 ± 13, delta pruning in quiescence -1 ± 7, pruning of quiet moves by experience
//! -1 ± 11, larger reductions where a cut-off is expected -2 ± 13, reductions of captures -4 ± 12, quiet
//! moves in the order of the evaluation's tables as long as nothing is known of them -7 ± 13, late move
//! pruning after half as many moves -12 ± 15, late move reductions at the root -13 ± 16. Margins lie near
//! their best: larger and smaller reductions everywhere -2 ± 14 and -3 ± 14, reverse futility at two
//! thirds of its margin -10 ± 13, all margins by two thirds wider -17 ± 13, narrower futility 0 ± 11,
//! singular extension from depth 6 by half the margin -8 ± 13.
//!
//! A deeper search is not a stronger one by itself. In checkers, which has no null move, cutting off
//! wherever a search four plies less deep still finds 30 hundredths of a man above beta reaches four
//! plies deeper at 300 000 nodes, and lost 53 ± 45 Elo in 100 games at 20 000; with 50 hundredths two
//! plies, -14 ± 43. Judgements of checkers put right by what searches found where the men of one side stand
//! alike, half or a quarter of the way, lost 16 ± 17 and 14 ± 15 in 400 games at 20 000 nodes.
//! So did cut-offs by what the table knows of any move's position (Plaat and others, *Exploiting Graph
//! Properties of Game Trees*, 1996), 10 ± 18, and a cut where several moves reach beta, 17 ± 18.
//!
//! Nor do single settings matter much there. 800 positions were searched with about 100 000 nodes, and the
//! points expected compared with those of searches with forty times as many and of another program's. As
//! the settings are, they lie 0.073 off. It was between 0.071 and 0.079 with margins and reductions smaller
//! and larger, without late move pruning, futility, singular extension or internal iterative reduction, with
//! a cut where several moves reach beta, and with a reduction of remembered moves that are not singular. The
//! noise is nearly as large: singular extension from depth 4, 5, 6 and 8 gave 0.074, 0.080, 0.072 and 0.073.

mod candidates;
mod experience;
mod known;
mod node;
mod pruning;
mod quiescence;
mod root;

use self::candidates::Candidate;
use self::experience::Experience;
use super::{Negamax, Node, Style};
use crate::game::{Evaluator, Move, Position, Score};
use crate::search::stop::Interrupted;
use crate::search::{Task, Variation};

/// The search with all its selective phases on.
type SelectiveNegamax<'a, 'b, P, E> = Negamax<'a, 'b, P, E, Selective<<P as Position>::Move>>;

/// How many plies beyond the nominal depth a line may go on.
const BEYOND: u32 = 64;

/// What the selective search keeps in mind.
pub(in crate::search) struct Selective<M> {
    /// The evaluator's unit of advantage.
    unit: i32,
    /// The value that the last depth found.
    expected: Option<Score>,
    /// Whether the game has reached a position twice that may come back a third time.
    has_recurred: bool,
    /// The best root move of the present depth so far.
    found: Option<Variation<M>>,
    experience: Experience,
    /// The count of nodes at which the present quiescence search ends; none above the horizon.
    quiescence_end: Option<u64>,
    /// The nodes of the current path, two that stand for what is not known before the root.
    path: Vec<Step<M>>,
    /// The moves of all nodes of the current path, the deepest node's last.
    candidates: Vec<Candidate<M>>,
}

/// A node of the current path.
#[derive(Clone, Copy)]
struct Step<M> {
    /// Its static evaluation, where it was not forced.
    judgement: Option<i32>,
    /// The slot of the move that is being looked at.
    slot: u16,
    /// The move that is left out, to see how the others do without it.
    excluded: Option<M>,
    /// Whether its judgement is being put to the test.
    is_doubted: bool,
}

impl<M> Selective<M> {
    /// The node `back` plies before the one at `ply`.
    fn step(&self, ply: u32, back: u32) -> &Step<M> {
        &self.path[(ply + 2 - back) as usize]
    }

    fn step_mut(&mut self, ply: u32) -> &mut Step<M> {
        &mut self.path[(ply + 2) as usize]
    }
}

impl<P: Position> Style<P> for Selective<P::Move> {
    fn new<E: Evaluator<P>>(task: &Task<P>, evaluator: &E) -> Self {
        let plies = Self::deepest(task) + 1;
        let experience = Experience::new(plies, P::Move::CODES, E::SLOTS);
        let slot = experience.no_slot();
        let step = Step { judgement: None, slot, excluded: None, is_doubted: false };
        let path = vec![step; plies as usize + 2];
        let (unit, candidates) = (evaluator.unit(), Vec::new());
        let has_recurred = !task.recurred(&[]).is_empty();
        Self {
            unit,
            expected: None,
            has_recurred,
            found: None,
            experience,
            quiescence_end: None,
            path,
            candidates,
        }
    }

    fn deepest(task: &Task<P>) -> u32 {
        task.limits.depth + BEYOND
    }

    fn rewind(&mut self) {
        self.candidates.clear();
        self.quiescence_end = None;
        self.path.iter_mut().for_each(|step| step.excluded = None);
    }

    fn value<E: Evaluator<P>>(
        search: &mut Negamax<'_, '_, P, E, Self>,
        position: &P,
        node: Node,
    ) -> Result<Score, Interrupted> {
        if let Some(score) = search.known_end(position, node.ply) {
            return Ok(score);
        }
        if node.ply >= Self::deepest(search.task) || search.is_quiescence_spent() {
            return Ok(search.static_value(position));
        }
        let is_forced = search.evaluator.is_forced(position);
        let is_extended = is_forced && (E::EXTENDS_FORCED || node.depth == 0);
        match node.depth + u32::from(is_extended) {
            0 => search.quiescence(position, node),
            depth => search.node(position, Node { depth, ..node }, is_forced),
        }
    }
}

impl<P: Position, E: Evaluator<P>> SelectiveNegamax<'_, '_, P, E> {
    /// What a position looks worth, with what is stored where the task sets it no horizon.
    fn static_value(&self, position: &P) -> Score {
        Score::heuristic(match self.task.horizon {
            None => self.evaluator.informed_score(position),
            Some(_) => self.evaluator.score(position),
        })
    }

    /// The value that a book or a table gives to a position, where the task admits it and neither a
    /// move counter nor a third occurrence comes first.
    #[inline]
    fn known_end(&self, position: &P, ply: u32) -> Option<Score> {
        let score = self.evaluator.known(position)?;
        let may_recur = self.style.has_recurred && position.reversible_plies() >= ply;
        let in_time = !may_recur && score.plies() <= position.plies_to_draw().or(Some(u32::MAX));
        (in_time && self.task.reaches(score, ply)).then(|| score.seen_from_root(ply))
    }
}

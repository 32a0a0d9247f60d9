//! An opinion about positions.

use super::linear::{Layout, Trace};
use super::network::{Networks, Sight};
use super::prover::by_rules;
use super::{Expansion, Margin, Move, Outcome, Position, Score};

/// Where a value comes from that was found out beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Knowledge {
    /// An opening book.
    Book,
    /// Endgame tables.
    Tables,
}

/// A static evaluation: how good a position looks without any search. It is an opinion and not a
/// rule, so a game may have several.
///
/// Only [`score`](Self::score) must be answered; every other method tells a strong search what it
/// would like to know, with a default that is right for a game that knows nothing of the kind.
pub trait Evaluator<P: Position>: Send + Sync {
    /// All of its [`slot`](Self::slot)s are below this.
    const SLOTS: u16 = P::Move::CODES;

    /// Where [`known`](Self::known) values come from.
    const KNOWLEDGE: Knowledge = Knowledge::Tables;

    /// Whether a search looks a ply deeper wherever the side to move is [forced](Self::is_forced), and
    /// reduces no move that leads there and loses nothing. At its horizon it looks deeper in any case.
    const EXTENDS_FORCED: bool = true;

    /// How much less deep a search looks at first at moves that come late in its order, all in 1024ths
    /// of a ply: a constant, and by what to divide the product of the logarithms, to the base 2, of the
    /// depth and of the place in the order.
    const REDUCTION: [i32; 2] = [800, 4800];

    /// The score of an unfinished position from the view of the side to move, in the evaluator's
    /// own unit. Scores beyond plus or minus 29000 are cut off there.
    fn score(&self, position: &P) -> i32;

    /// The score at which the side to move is expected to score three quarters of the points: the
    /// `k` of `value = score / (|score| + k)`.
    fn half_value(&self) -> i32 {
        100
    }

    /// How promising `mv` looks before it is searched; more is better. It orders moves and never
    /// changes a value.
    fn promise(&self, position: &P, mv: P::Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// The size of a small but clear advantage, such as a pawn in chess or a man in checkers: the
    /// margins of the selective search are parts and multiples of it.
    fn unit(&self) -> i32 {
        self.half_value()
    }

    /// Whether the rules leave the side to move little choice, so that `position` can't be judged as
    /// it stands: a check, a compulsory capture.
    fn is_forced(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether something of the side to move may be lost next, so that `position` can't be judged good
    /// before a move has been found that keeps it.
    fn is_threatened(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// What `mv` gains on the spot, at most, if it is noisy: a capture, a promotion. None if it is
    /// quiet.
    fn gain(&self, position: &P, mv: P::Move) -> Option<i32> {
        let _ = (position, mv);
        None
    }

    /// Hands the noisy moves to `sink`, each with its [`gain`](Self::gain).
    fn noisy_moves(&self, position: &P, mut sink: impl FnMut(P::Move, i32)) {
        for mv in position.legal_moves() {
            if let Some(gain) = self.gain(position, mv) {
                sink(mv, gain);
            }
        }
    }

    /// Whether `mv` gains at least `threshold` once everything that follows on the spot is played
    /// out: in chess, all captures on its square.
    fn exchange_at_least(&self, position: &P, mv: P::Move, threshold: i32) -> bool {
        self.gain(position, mv).unwrap_or(0) >= threshold
    }

    /// The position if the side to move could pass; none where it can't, or where having to move may
    /// be a burden.
    fn null_move(&self, position: &P) -> Option<P> {
        let _ = position;
        None
    }

    /// What `mv` is, apart from where it came from: moves that share a slot are alike to the tables
    /// that learn which move answers which. In chess, the man and the square to which it goes.
    fn slot(&self, position: &P, mv: P::Move) -> u16 {
        let _ = position;
        mv.code()
    }

    /// The exact value of an unfinished position, where a book or an endgame table has it, its
    /// distance counted from there. It leaves out draws by repetition or by a move counter.
    fn known(&self, position: &P) -> Option<Score> {
        let _ = position;
        None
    }

    /// Who wins an unfinished position, where that is stored but not how soon.
    fn winner_known(&self, position: &P) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// The [`score`](Self::score) where what is stored may speak too, though it gives no exact value.
    fn informed_score(&self, position: &P) -> i32 {
        self.score(position)
    }

    /// For the prover of games that must end: what is known of an unfinished position when asked
    /// whether its margin is at least `beta`. Unless that decides, every child that may matter goes
    /// to `child` with its rank; more is sooner, and of equals the first.
    fn expand(&self, position: &P, beta: Margin, child: impl FnMut(P, i32)) -> Expansion {
        by_rules(position, beta, child)
    }

    /// For a tuner: the weights that the score is a sum of; `None` where it is something else.
    fn layout(&self) -> Option<Layout> {
        None
    }

    /// For a tuner: how the score of an unfinished position comes about; `None` where something
    /// better is known of the position than a sum.
    fn trace(&self, position: &P) -> Option<Trace> {
        let _ = position;
        None
    }

    /// For a trainer: the networks that the score has in it; `None` where there is none.
    fn networks(&self) -> Option<Networks> {
        None
    }

    /// For a trainer: what the network is shown of an unfinished position, and the score without it;
    /// `None` where there is no network or something better is known of the position.
    fn sight(&self, position: &P) -> Option<Sight> {
        let _ = position;
        None
    }

    /// Whether an unfinished position may be judged as it stands: the side to move has a choice, and
    /// no noisy move gains anything.
    fn is_quiet(&self, position: &P) -> bool {
        let mut is_quiet = !self.is_forced(position);
        self.noisy_moves(position, |mv, _| is_quiet &= !self.exchange_at_least(position, mv, 1));
        is_quiet
    }
}

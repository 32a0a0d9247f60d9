//! What a shallow search with the static evaluation makes of a question, before the proof: `ProbCut` (Buro, *An
//! effective selective extension of the alpha-beta algorithm*, 1995).

use super::board::OthelloBoard;
use super::endgame::LastSearch;
use crate::game::{Position, SolverScore};

/// Positions with fewer empty squares are searched to the end.
pub(super) const LIKELY_FROM: u32 = 12;

/// How far the evaluation must lie outside the question, in hundredths of a disc: its standard error.
const MARGIN: i32 = 700;

/// The shallow search is made where the evaluation itself is at most so much nearer.
const NEARER: i32 = 400;

/// With many empty squares evaluations are too near to a draw.
fn scaled(score: i32) -> i32 {
    score * 13 / 10
}

/// The likely answer to the question whether the value is at least `beta`, if the evaluation is far enough from it. The
/// look visits `most` positions at most.
pub(super) fn likely(
    board: &OthelloBoard,
    beta: SolverScore,
    most: u64,
    mut score: impl FnMut(&OthelloBoard) -> i32,
) -> LastSearch {
    let middle = 200 * i32::from(beta) - 100;
    let difference = scaled(score(board)) - middle;
    let depth = ((board.empty().count_ones() - 2) / 3).min(4);
    let mut search = Shallow { score, nodes: 0, most };
    let bound = if difference >= MARGIN - NEARER {
        let high = middle + MARGIN;
        (search.value(board, depth, high) >= high).then_some(beta)
    } else if difference <= NEARER - MARGIN {
        let low = middle - MARGIN;
        (search.value(board, depth, low + 1) <= low).then_some(beta - 1)
    } else {
        None
    };
    let is_whole = search.nodes <= most;
    LastSearch { bound: bound.filter(|_| is_whole), nodes: search.nodes.min(most) }
}

/// A search of few plies.
struct Shallow<S> {
    score: S,
    nodes: u64,
    /// Beyond so many positions the search ends, and its value means nothing.
    most: u64,
}

impl<S: FnMut(&OthelloBoard) -> i32> Shallow<S> {
    /// A bound of the evaluation after so many plies: at least `beta`, or at most a value below it.
    fn value(&mut self, board: &OthelloBoard, depth: u32, beta: i32) -> i32 {
        if depth == 0 || self.nodes > self.most {
            return scaled((self.score)(board));
        }
        let mut children: Vec<_> = board.legal_moves().map(|disc| board.play(disc)).collect();
        if depth > 1 {
            children.sort_by_key(|next| next.mobility.count_ones());
        }
        let mut best = i32::MIN;
        for next in children {
            self.nodes += 1;
            best = best.max(-match next.outcome() {
                Some(_) => 100 * next.final_difference(),
                None => self.value(&next, depth - 1, 1 - beta),
            });
            if best >= beta {
                break;
            }
        }
        best
    }
}

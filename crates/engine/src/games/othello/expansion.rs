//! What the prover asks of a position: bounds by stable discs, the last squares searched, and moves in an order in which
//! the opponent is left as few of them as possible and, far from the end, the worst static evaluation.

use super::board::{Disc, OthelloBoard, around, count};
use super::endgame::{LastSearch, LastSquares, odd_quarters, stable};
use crate::game::{Expansion, Position, SolverScore, final_value};

/// With so many empty squares or more, the static evaluation takes part in the order of moves. With fewer, evaluations
/// cost more than the better order saves.
const EVALUATED_FROM: u32 = 15;

/// With so many empty squares or more, it is the evaluation after the opponent's best reply.
const REPLIES_FROM: u32 = 16;

/// How much worse than the best move so far the evaluation of a move becomes at most, in hundredths of a disc.
const EVALUATION_MARGIN: i32 = 400;

/// The discs of a step of the margin.
const STEP: i32 = 2;

/// The answer to the question whether the value of a position with [`LAST`](super::endgame::LAST) empty squares or fewer is at least `beta`, by
/// a search to the end that visits `most` positions at most.
pub(super) fn search_last(board: &OthelloBoard, beta: SolverScore, most: u64) -> LastSearch {
    let mut search = LastSquares { geometry: board.geometry(), nodes: 0, most };
    let value = search.at_least(board.own, board.other, STEP * i32::from(beta));
    let is_whole = search.nodes <= most;
    let bound = is_whole.then_some((value / STEP) as SolverScore);
    LastSearch { bound, nodes: search.nodes.min(most) }
}

/// What is known of an unfinished position: see [`SolverHooks::expand`](crate::game::SolverHooks::expand). `score` is the static
/// evaluation, where it helps to order moves.
pub(super) fn expand(
    board: &OthelloBoard,
    beta: SolverScore,
    score: Option<impl FnMut(&OthelloBoard) -> i32>,
    mut child: impl FnMut(OthelloBoard, i32),
) -> Expansion {
    let asked = i32::from(beta);
    let (empty, geometry) = (board.empty(), board.geometry());
    let highest = geometry.count() as i32 / STEP;
    // Only where the opponent has enough discs can so many of them be stable.
    if board.other.count_ones() as i32 > highest - asked {
        let all = board.own | board.other;
        let most = highest - stable(board.other, all, geometry).count_ones() as i32;
        if most < asked {
            return Expansion::Decided(most as SolverScore);
        }
    }
    let (least, most) = (-highest as SolverScore, highest as SolverScore);
    if board.must_pass() {
        child(board.play(Disc::PASS), 0);
        return Expansion::Open { low: least, high: most, rest: SolverScore::MIN };
    }
    let odd = odd_quarters(empty);
    let mut best_ended = SolverScore::MIN;
    let mut score = score.filter(|_| empty.count_ones() >= EVALUATED_FROM);
    let mut best_score = i32::MIN;
    for disc in board.legal_moves() {
        let next = board.play(disc);
        if let Some(outcome) = next.outcome() {
            best_ended = best_ended.max(-final_value(outcome, &next));
            continue;
        }
        let mut rank = rank(&next, disc, odd);
        if let Some(score) = &mut score {
            let value = if empty.count_ones() >= REPLIES_FROM {
                let enough = best_score.saturating_sub(EVALUATION_MARGIN);
                after_best_reply(&next, enough, score)
            } else {
                -score(&next)
            };
            best_score = best_score.max(value);
            rank += value / 8;
        }
        child(next, rank);
    }
    if best_ended >= beta {
        return Expansion::Decided(best_ended);
    }
    Expansion::Open { low: best_ended.max(least), high: most, rest: best_ended }
}

/// The static evaluation after the opponent's best reply, from the view of the side that moved to `next`. No better reply
/// is looked for once one holds the evaluation at `enough` or less.
fn after_best_reply(
    next: &OthelloBoard,
    enough: i32,
    mut score: impl FnMut(&OthelloBoard) -> i32,
) -> i32 {
    let mut least = i32::MAX;
    for reply in next.legal_moves() {
        least = least.min(score(&next.play(reply)));
        if least <= enough {
            break;
        }
    }
    least
}

/// How promising a move is after which the opponent stands as in `next`: few moves for the opponent come first, corners
/// counted twice, then few squares beside own discs; then corners, and quarters with an odd number of empty squares.
fn rank(next: &OthelloBoard, Disc(square): Disc, odd: u64) -> i32 {
    let (bit, corners) = (1 << square, next.geometry().corners);
    let replies = count(next.mobility) + count(next.mobility & corners);
    let own_next = next.replies();
    let potential = count(around(next.other) & next.empty());
    -32 * replies + 4 * count(own_next) - 8 * potential
        + 24 * i32::from(bit & corners != 0)
        + 8 * i32::from(bit & odd != 0)
}

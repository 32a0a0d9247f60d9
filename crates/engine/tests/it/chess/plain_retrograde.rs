//! Retrograde analysis once more, as plain as possible: every position of two kings and a white man on all squares, all
//! moves by the rules, and the positions that end in one ply, in two plies, and so on.

use bestmove_engine::game::{Notation, Position, PositionText, Score};
use bestmove_engine::games::chess::{Chess, ChessBoard};

const SQUARES: usize = 64;

/// Further off than any end with three men.
const MOST_PLIES: u32 = 60;

/// Where the men stand: whether White is to move, and the squares of the white king, the black king and the man.
type Place = (bool, [usize; 3]);

/// The values of all positions of two kings and one white man.
pub(super) struct Solution(Vec<Option<Node>>);

struct Node {
    board: ChessBoard,
    value: Option<Score>,
    /// The positions after the moves that neither capture nor promote.
    inside: Vec<usize>,
    /// The values of the other moves.
    outside: Vec<Score>,
}

fn number((is_white, squares): Place) -> usize {
    squares.into_iter().fold(usize::from(is_white), |number, square| number * SQUARES + square)
}

fn place(number: usize) -> Place {
    let square = |place: u32| number / SQUARES.pow(place) % SQUARES;
    (number / SQUARES.pow(3) == 1, [square(2), square(1), square(0)])
}

impl Solution {
    /// Solves the positions of this man. `solved` are those of the men that it may become.
    pub(super) fn of(man: char, solved: &[(char, Self)]) -> Self {
        let numbers = 0..2 * SQUARES.pow(3);
        let mut solution =
            Self(numbers.map(|number| Node::new(man, place(number), solved)).collect());
        for plies in 0..=MOST_PLIES {
            let found: Vec<_> = solution
                .0
                .iter()
                .map(|node| {
                    let open = node.as_ref().filter(|node| node.value.is_none());
                    solution.found(open?, plies)
                })
                .collect();
            for (node, found) in solution.0.iter_mut().zip(found) {
                if let Some(node) = node {
                    node.value = node.value.or(found);
                }
            }
        }
        solution
    }

    /// All positions with their values.
    pub(super) fn values(&self) -> impl Iterator<Item = (&ChessBoard, Score)> {
        let nodes = self.0.iter().flatten();
        nodes.map(|node| (&node.board, node.value.unwrap_or(Score::DRAWN)))
    }

    fn value(&self, place: Place) -> Score {
        let node = self.0[number(place)].as_ref().expect("a legal position");
        node.value.unwrap_or(Score::DRAWN)
    }

    /// The value of a position that ends in exactly so many plies, those that end sooner being known.
    fn found(&self, node: &Node, plies: u32) -> Option<Score> {
        let after = |&next: &usize| Some(-self.0[next].as_ref()?.value?.seen_from_root(1));
        let values = || node.inside.iter().map(after).chain(node.outside.iter().copied().map(Some));
        if values().any(|value| value == Some(Score::won_in(plies))) {
            return Some(Score::won_in(plies));
        }
        let best = values().try_fold(-Score::INFINITE, |best, value| Some(best.max(value?)))?;
        (best == Score::lost_in(plies)).then_some(best)
    }
}

impl Node {
    /// The position at this place; none where the rules refuse it.
    fn new(man: char, place: Place, solved: &[(char, Solution)]) -> Option<Self> {
        let board = board(man, place)?;
        let mut node = Self { value: None, inside: Vec::new(), outside: Vec::new(), board };
        if let Some(outcome) = node.board.outcome() {
            node.value = Some(Score::ended(outcome, 0));
            return Some(node);
        }
        let (is_white, squares) = place;
        for mv in node.board.legal_moves() {
            let (from, to) = (mv.from as usize, mv.to as usize);
            let after = (!is_white, squares.map(|square| if square == from { to } else { square }));
            if !is_white && to == squares[2] {
                node.outside.push(Score::DRAWN);
            } else if let Some(piece) = mv.promotion {
                let name = piece.to_string();
                let solution = solved.iter().find(|(man, _)| name == man.to_string());
                let (_, solution) = solution.expect("what a pawn may become is solved");
                node.outside.push(-solution.value(after).seen_from_root(1));
            } else {
                node.inside.push(number(after));
            }
        }
        Some(node)
    }
}

fn board(man: char, (is_white, [white, black, place]): Place) -> Option<ChessBoard> {
    let mut cells = ['1'; SQUARES];
    for (letter, square) in [('K', white), ('k', black), (man.to_ascii_uppercase(), place)] {
        // Rank 8 comes first.
        let cell = &mut cells[square ^ 0o70];
        if *cell != '1' {
            return None;
        }
        *cell = letter;
    }
    let ranks: Vec<String> = cells.chunks(8).map(|rank| rank.iter().collect()).collect();
    let side = if is_white { 'w' } else { 'b' };
    let text = PositionText::Text(format!("{} {side} - - 0 1", ranks.join("/")));
    Chess::Standard.read_position(&text).ok()
}
